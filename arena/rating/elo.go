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

// Online returns the Elo ratings that arise when the battles are taken one
// after the other in the order given: p = 1/(1+base^((R_b−R_a)/scale)), and A
// gains K·weight·(score−p) from B (FastChat, compute_elo). Both kinds of tie
// score ½. The result depends on the order; NewBoard says by how much.
func Online(battles []Battle, o EloOptions) map[string]float64 {
	index, indexed, _ := number(battles)
	ratings := online(len(index.names), indexed, false, o.withDefaults())
	byName := make(map[string]float64, len(ratings))
	for i, r := range ratings {
		byName[index.names[i]] = r
	}
	return byName
}

// online runs over the battles, backwards if asked.
func online(contestants int, battles []indexedBattle, backwards bool, o EloOptions) []float64 {
	ratings := make([]float64, contestants)
	for i := range ratings {
		ratings[i] = o.Start
	}
	slope := math.Log(o.Base) / o.Scale
	for n := range battles {
		b := &battles[n]
		if backwards {
			b = &battles[len(battles)-1-n]
		}
		p := 1 / (1 + math.Exp((ratings[b.b]-ratings[b.a])*slope))
		gain := o.K * b.weight * (b.outcome.score() - p)
		ratings[b.a] += gain
		ratings[b.b] -= gain
	}
	return ratings
}
