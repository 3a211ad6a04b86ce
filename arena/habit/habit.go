// Package habit looks for votes that follow something else than the replies: the
// side a reply stood on, the contestant it came from, or haste. What it finds is
// advice for whoever keeps the boards; it changes and deletes nothing.
//
// Each check weighs a voter's votes by an e-value: how many times better the
// votes are explained by the habit than by the best-fitting voter without it.
// Under the honest hypothesis an e-value reaches 1/α with a chance of at most α,
// at whatever moment one looks and however often (Ville's inequality; Ramdas,
// Grünwald, Vovk, Shafer: "Game-Theoretic Statistics and Safe Anytime-Valid
// Inference", 2023). Over all voters and checks, those findings are firm that
// pass the e-BH procedure at α (Wang, Ramdas: "False Discovery Rate Control with
// E-values", 2022): among them at most the share α is expected to be honest.
package habit

import (
	"cmp"
	"math"
	"slices"
	"time"

	"herarena/arena"
)

// Vote is a person's vote with what is known of how it came about.
type Vote struct {
	Voter   string
	A, B    string       // contestants by the sides they stood on
	Outcome arena.Choice // ChoseA, ChoseB, Tie or BothBad
	// Drawn is true where chance decided who stood on which side, as in a blind
	// duel. Elsewhere a side says nothing.
	Drawn bool
	// Seen is how long there was something to read before the vote, Words how
	// much there was in the end; haste is looked for where both are more than 0.
	Seen  time.Duration
	Words float64
}

// Kind is a habit.
type Kind string

// The habits that are looked for.
const (
	Side      Kind = "side"
	Favourite Kind = "favourite"
	Haste     Kind = "haste"
)

// Options say how to look. The zero value is of use.
type Options struct {
	Alpha float64 // chance of a false alarm for an honest voter and check; 0 is 0.05
}

// Test is what one check said of one voter.
type Test struct {
	Voter    string
	Kind     Kind
	Subject  string  // A or B for a side, a contestant's name for a favourite, else ""
	Against  bool    // the contestant is voted against
	Votes    int     // votes that bear on it
	Hits     int     // of them, those that follow the habit
	Expected float64 // hits without the habit
	LogE     float64 // natural logarithm of the e-value
	Alarm    bool    // e-value of at least 1/α
	Firm     bool    // also over all voters and checks together
}

// E returns the e-value, at most 1e300.
func (t Test) E() float64 { return math.Exp(min(t.LogE, 300*math.Ln10)) }

// Report is what was found.
type Report struct {
	Alpha  float64
	Votes  int
	Voters int
	Tests  []Test // every check of every voter, the strongest evidence first
	// Alone is true where the favourites of voters could not be looked for, as
	// nobody else has voted.
	Alone bool
}

// Alarms returns the tests that raise an alarm.
func (r Report) Alarms() []Test {
	for i := range r.Tests {
		if !r.Tests[i].Alarm {
			return r.Tests[:i]
		}
	}
	return r.Tests
}

// Look checks the votes, which stand in the order of their time.
func Look(votes []Vote, o Options) Report {
	alpha := o.Alpha
	if !(alpha > 0 && alpha < 1) {
		alpha = 0.05
	}
	byVoter := make(map[string][]Vote)
	var voters []string
	kept := 0
	for _, v := range votes {
		if v.Voter == "" || v.A == v.B || !known(v.Outcome) {
			continue
		}
		if byVoter[v.Voter] == nil {
			voters = append(voters, v.Voter)
		}
		byVoter[v.Voter] = append(byVoter[v.Voter], v)
		kept++
	}
	r := Report{Alpha: alpha, Votes: kept, Voters: len(voters), Alone: len(voters) == 1}
	for _, name := range voters {
		r.add(sideOf(byVoter[name]))
		r.add(hasteOf(byVoter[name]))
	}
	if len(voters) > 1 {
		for _, t := range favourites(voters, byVoter) {
			r.add(t, true)
		}
	}
	slices.SortStableFunc(r.Tests, func(a, b Test) int { return cmp.Compare(b.LogE, a.LogE) })
	r.decide()
	return r
}

func known(c arena.Choice) bool {
	return c == arena.ChoseA || c == arena.ChoseB || c == arena.Tie || c == arena.BothBad
}

func (r *Report) add(t Test, ok bool) {
	if ok {
		r.Tests = append(r.Tests, t)
	}
}

// decide marks the tests, which are sorted.
func (r *Report) decide() {
	firm := 0
	for i := range r.Tests {
		r.Tests[i].Alarm = r.Tests[i].LogE >= -math.Log(r.Alpha)
		if r.Tests[i].LogE >= math.Log(float64(len(r.Tests))/(r.Alpha*float64(i+1))) {
			firm = i + 1
		}
	}
	for i := range firm {
		r.Tests[i].Firm = true
	}
}
