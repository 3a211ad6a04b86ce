package rating

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// System is a rating of another kind that can be shown beside the fitted one.
type System string

// The systems. The zero value shows none.
const (
	// OpenWebUI is Open WebUI's leaderboard: online Elo with K 32 over decided
	// battles alone, ties skipped.
	OpenWebUI System = "openwebui"
	// Glicko2 is Glickman's (2013), each battle a period of its own: start 1500 ±
	// 350, volatility 0.06, τ 0.5.
	Glicko2 System = "glicko2"
	// TrueSkill is Herbrich, Minka and Graepel's (2006) for two players: start 25
	// ± 25/3, β 25/6, τ 25/300, 10 % draws.
	TrueSkill System = "trueskill"
	// AmElo fits abilities and, for each voter, how far the votes follow them (am-
	// ELO, arXiv 2505.03475); battles need About.Voter.
	AmElo System = "am-elo"
)

// ParseSystem reads a word; an unknown one is an error that lists the known
// ones.
func ParseSystem(word string) (System, error) {
	switch s := System(word); s {
	case "", OpenWebUI, Glicko2, TrueSkill, AmElo:
		return s, nil
	}
	return "", fmt.Errorf("%q is no rating; choose openwebui, glicko2, trueskill or am-elo", word)
}

// track follows a system battle by battle.
type track interface {
	// add takes the next battle of contestants by number.
	add(b indexedBattle, voter string)
	// rating returns a contestant's rating, and its deviation where it has one.
	rating(i int32) (r, deviation float64)
	// notes are sentences on what the ratings cannot say.
	notes() []string
}

func newTrack(s System) track {
	switch s {
	case OpenWebUI:
		return &openWebUI{}
	case Glicko2:
		return &glicko2Track{}
	case TrueSkill:
		return &trueSkillTrack{}
	case AmElo:
		return newAmElo()
	}
	return nil
}

// grown returns the list with room for a contestant's number.
func grown[T any](list []T, i int32, start T) []T {
	for int(i) >= len(list) {
		list = append(list, start)
	}
	return list
}

type openWebUI struct{ ratings []float64 }

var (
	_ track = (*openWebUI)(nil)
	_ track = (*glicko2Track)(nil)
	_ track = (*trueSkillTrack)(nil)
	_ track = (*amElo)(nil)
)

func (t *openWebUI) add(b indexedBattle, _ string) {
	if b.outcome > Loss {
		return
	}
	t.ratings = grown(t.ratings, max(b.a, b.b), 1000)
	step(t.ratings, &b, 32, math.Ln10/400)
}

func (t *openWebUI) rating(i int32) (r, deviation float64) {
	t.ratings = grown(t.ratings, i, 1000)
	return t.ratings[i], 0
}

func (t *openWebUI) notes() []string {
	return []string{"Open WebUI's rating skips ties and depends on the order of the battles."}
}

// glicko is a player's state on Glicko's own scale.
type glicko struct{ rating, deviation, volatility float64 }

// game is one result of a period: the opponent as before it and the score.
type game struct {
	opponent glicko
	score    float64
}

const (
	glickoScale = 173.7178
	glickoTau   = 0.5
)

// after returns the state after a period (Glickman 2013, "Example of the
// Glicko-2 system", steps 2 to 8).
func (p glicko) after(games []game) glicko {
	mu, phi := (p.rating-1500)/glickoScale, p.deviation/glickoScale
	if len(games) == 0 {
		p.deviation = math.Min(math.Hypot(phi, p.volatility)*glickoScale, 350)
		return p
	}
	information, gain := 0.0, 0.0
	for _, x := range games {
		other := x.opponent.deviation / glickoScale
		g := 1 / math.Sqrt(1+3*other*other/(math.Pi*math.Pi))
		e := sigmoid(g * (mu - (x.opponent.rating-1500)/glickoScale))
		information += g * g * e * (1 - e)
		gain += g * (x.score - e)
	}
	v := 1 / max(information, 1e-12)
	p.volatility = volatility(p.volatility, phi, v, v*gain)
	star := math.Hypot(phi, p.volatility)
	phi = 1 / math.Sqrt(1/(star*star)+1/v)
	p.rating = 1500 + glickoScale*(mu+phi*phi*gain)
	p.deviation = phi * glickoScale
	return p
}

// volatility is step 5: the root of Glickman's f by the Illinois method.
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(glickoTau*glickoTau)
	}
	low, high := a, 0.0
	if delta*delta > phi*phi+v {
		high = math.Log(delta*delta - phi*phi - v)
	} else {
		k := 1.0
		for f(a-k*glickoTau) < 0 && k < 100 {
			k++
		}
		high = a - k*glickoTau
	}
	fLow, fHigh := f(low), f(high)
	for range 100 {
		if math.Abs(high-low) <= 1e-12 {
			break
		}
		x := low + (low-high)*fLow/(fHigh-fLow)
		fx := f(x)
		if fx*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = x, fx
	}
	return math.Exp(low / 2)
}

type glicko2Track struct{ players []glicko }

func (t *glicko2Track) add(b indexedBattle, _ string) {
	t.players = grown(t.players, max(b.a, b.b), glicko{1500, 350, 0.06})
	x, y, s := t.players[b.a], t.players[b.b], b.outcome.score()
	t.players[b.a] = x.after([]game{{y, s}})
	t.players[b.b] = y.after([]game{{x, 1 - s}})
}

func (t *glicko2Track) rating(i int32) (r, deviation float64) {
	t.players = grown(t.players, i, glicko{1500, 350, 0.06})
	return t.players[i].rating, t.players[i].deviation
}

func (t *glicko2Track) notes() []string {
	return []string{"Glicko-2 takes each battle as a period, counts battles of any weight alike, and depends on their order."}
}

// skill is a normal belief of a player's skill.
type skill struct{ mean, sd float64 }

const (
	skillBeta = 25.0 / 6
	skillTau  = 25.0 / 300
	skillDraw = 0.1
)

// meet returns the beliefs after a game: 1 the first won, 0 the second, ½ a
// draw (Herbrich, Minka and Graepel 2006, two players).
func meet(x, y skill, score float64) (skill, skill) {
	if score == 0 {
		y, x = meet(y, x, 1)
		return x, y
	}
	vx, vy := x.sd*x.sd+skillTau*skillTau, y.sd*y.sd+skillTau*skillTau
	c := math.Sqrt(2*skillBeta*skillBeta + vx + vy)
	margin := distuv.UnitNormal.Quantile((skillDraw+1)/2) * math.Sqrt2 * skillBeta / c
	t := (x.mean - y.mean) / c
	v, w := winUpdate(t - margin)
	if score == 0.5 {
		v, w = drawUpdate(t, margin)
	}
	return skill{x.mean + vx/c*v, math.Sqrt(vx * max(1-vx/(c*c)*w, 1e-6))},
		skill{y.mean - vy/c*v, math.Sqrt(vy * max(1-vy/(c*c)*w, 1e-6))}
}

func winUpdate(t float64) (v, w float64) {
	p := distuv.UnitNormal.CDF(t)
	if p < 1e-300 {
		return -t, 1
	}
	v = distuv.UnitNormal.Prob(t) / p
	return v, v * (v + t)
}

func drawUpdate(t, margin float64) (v, w float64) {
	n := distuv.UnitNormal
	s := math.Abs(t)
	p := n.CDF(margin-s) - n.CDF(-margin-s)
	if p < 1e-300 {
		v, w = -(s - margin), 1
	} else {
		a, b := n.Prob(-margin-s), n.Prob(margin-s)
		v = (a - b) / p
		w = v*v + ((margin-s)*b+(margin+s)*a)/p
	}
	if t < 0 {
		v = -v
	}
	return v, w
}

type trueSkillTrack struct{ players []skill }

func (t *trueSkillTrack) add(b indexedBattle, _ string) {
	t.players = grown(t.players, max(b.a, b.b), skill{25, 25.0 / 3})
	t.players[b.a], t.players[b.b] = meet(t.players[b.a], t.players[b.b], b.outcome.score())
}

func (t *trueSkillTrack) rating(i int32) (r, deviation float64) {
	t.players = grown(t.players, i, skill{25, 25.0 / 3})
	return t.players[i].mean, t.players[i].sd
}

func (t *trueSkillTrack) notes() []string {
	return []string{"TrueSkill is on its own scale (start 25 ± 8.3), counts battles of any weight alike, and depends on their order."}
}
