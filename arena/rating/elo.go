package rating

import "math"

// EloOptions are the constants of the online Elo rating. The zero value stands
// for FastChat's: K 4, base 10, scale 400, start 1000.
type EloOptions struct {
	K     float64 // points at stake in a battle
	Base  float64 // odds per Scale points
	Scale float64
	Start float64 // rating before the first battle
}

func (o EloOptions) withDefaults() EloOptions {
	set := func(v *float64, standard float64) {
		if *v == 0 || math.IsNaN(*v) || math.IsInf(*v, 0) {
			*v = standard
		}
	}
	set(&o.K, 4)
	set(&o.Base, 10)
	set(&o.Scale, 400)
	set(&o.Start, 1000)
	return o
}

// slope turns a difference of ratings into the logarithm of odds.
func (o EloOptions) slope() float64 { return math.Log(o.Base) / o.Scale }

// Online returns the Elo ratings that arise when the battles are taken one
// after the other in the order given: p = 1/(1+base^((R_b−R_a)/scale)), and A
// gains K·weight·(score−p) from B (FastChat, compute_elo). Both kinds of tie
// score ½. The result depends on the order; NewBoard says by how much.
func Online(battles []Battle, o EloOptions) map[string]float64 {
	t := tallied(battles, Options{Elo: o})
	byName := make(map[string]float64, len(t.elo))
	for i, r := range t.elo {
		byName[t.index.names[i]] = r
	}
	return byName
}

// step moves the ratings of the two contestants of a battle.
func step(ratings []float64, b *indexedBattle, k, slope float64) {
	p := 1 / (1 + math.Exp((ratings[b.b]-ratings[b.a])*slope))
	gain := k * b.weight * (b.outcome.score() - p)
	ratings[b.a] += gain
	ratings[b.b] -= gain
}
