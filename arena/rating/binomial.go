package rating

import (
	"math"
	"math/rand/v2"
)

// binomial draws how many of n trials of probability p hit. Small means are
// drawn by inversion, others by the transformed rejection BTRS (Hörmann 1993,
// "The generation of binomial random variates", J. Stat. Comput. Simul. 46),
// which needs some 1.3 pairs of uniforms and seldom a logarithm: a bootstrap
// draws one for every kind of battle in every round.
func binomial(n, p float64, random *rand.Rand) float64 {
	switch {
	case n <= 0 || p <= 0:
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - binomial(n, 1-p, random)
	case n*p < 10:
		return invert(n, p, random)
	}
	spq := math.Sqrt(n * p * (1 - p))
	b := 1.15 + 2.53*spq
	a := -0.0873 + 0.0248*b + 0.01*p
	c := n*p + 0.5
	edge := 0.92 - 4.2/b
	for {
		u := random.Float64() - 0.5
		v := random.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + c)
		if us >= 0.07 && v <= edge {
			return k
		}
		if k < 0 || k > n {
			continue
		}
		alpha := (2.83 + 5.1/b) * spq
		r := p / (1 - p)
		mode := math.Floor((n + 1) * p)
		bound := (mode+0.5)*math.Log((mode+1)/(r*(n-mode+1))) + stirling(mode) + stirling(n-mode) +
			(n+1)*math.Log((n-mode+1)/(n-k+1)) + (k+0.5)*math.Log(r*(n-k+1)/(k+1)) - stirling(k) - stirling(n-k)
		if math.Log(v*alpha/(a/(us*us)+b)) <= bound {
			return k
		}
	}
}

// invert walks up the distribution from 0.
func invert(n, p float64, random *rand.Rand) float64 {
	r := p / (1 - p)
	for {
		f := math.Exp(n * math.Log1p(-p))
		u := random.Float64()
		// Beyond this a float's rest of the distribution is noise.
		for k := 0.0; k <= n && k < 200; k++ {
			if u < f {
				return k
			}
			u -= f
			f *= r * (n - k) / (k + 1)
		}
	}
}

// stirling is what Stirling's formula leaves of ln k!.
func stirling(k float64) float64 {
	if k < 10 {
		return stirlingRest[int(k)]
	}
	kk := (k + 1) * (k + 1)
	return (1.0/12 - (1.0/360-1.0/1260/kk)/kk) / (k + 1)
}

var stirlingRest = [...]float64{
	0.08106146679532726, 0.04134069595540929, 0.02767792568499834, 0.02079067210376509, 0.01664469118982119,
	0.01387612882307075, 0.01189670994589177, 0.01041126526197209, 0.009255462182712733, 0.008330563433362871,
}
