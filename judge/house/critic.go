// Package house is the critic made of code. It looks at all twelve dimensions as
// far as code can prove or measure something: flaws that are errors (the
// assistant behind the character, lines written for others, another language,
// thoughts said aloud or known unsaid, what was said gainsaid, things done twice,
// repetition, broken tags, no speech, a wrong name, too great a length), flaws
// and merits that are only measured, and writes what it found as a verdict in
// HER-RM's form with quotations as evidence. The comment of each check says what
// it proves, by what evidence, in which languages, and where it is wrong.
//
// It needs no model and pretends to none. It is deterministic, and blind to the
// order of the candidates: shown the other way round, it says the same the other
// way round.
package house

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"herarena/arena"
)

// Name is the house critic's name on boards.
const Name = "house"

// How many principles a verdict has: HER-RM is asked for three to five. Flaws
// are all named, however many there are.
const (
	fewest = 3
	most   = 5
)

// Critic is the house critic. It holds no state and may be asked any number of
// times at once.
type Critic struct{}

var _ arena.Critic = (*Critic)(nil)

// New returns the house critic.
func New() *Critic { return &Critic{} }

// Name returns "house".
func (*Critic) Name() string { return Name }

// Judge compares both candidates. It calls on as the verdict grows, without
// pauses, and returns within milliseconds where texts have the size of a duel's;
// a ctx that is done, before or meanwhile, gives a failed verdict.
func (*Critic) Judge(ctx context.Context, c arena.Case, on func(arena.Verdict)) arena.Verdict {
	start := time.Now()
	if on == nil {
		on = func(arena.Verdict) {}
	}
	v, done := judge(ctx, c)
	if !done {
		v := arena.Verdict{
			Status: arena.VerdictFailed, Phase: arena.PhaseDone, Model: Name,
			Fault: &arena.Fault{Kind: arena.Cancelled, Message: "judging was stopped"},
		}
		on(v)
		return v
	}
	v.Model = Name
	v.Raw = text(c, v)
	v.FirstByte = time.Since(start)
	v.Total = v.FirstByte
	for _, s := range growing(v) {
		on(s)
	}
	on(v)
	return v
}

// growing returns the verdict as it would have been written.
func growing(v arena.Verdict) []arena.Verdict {
	empty := arena.Verdict{Status: arena.VerdictPending, Model: Name, Principles: []arena.Principle{}, Comparisons: []arena.Comparison{}}
	var out []arena.Verdict
	for i := range v.Principles {
		s := empty
		s.Phase = arena.PhasePrinciples
		s.Principles = slices.Clone(v.Principles[:i+1])
		out = append(out, s)
	}
	for i := range v.Comparisons {
		s := empty
		s.Phase = arena.PhaseComparing
		s.Principles = slices.Clone(v.Principles)
		s.Comparisons = slices.Clone(v.Comparisons[:i+1])
		for _, c := range s.Comparisons {
			count(&s.Tally, c.Winner)
		}
		out = append(out, s)
	}
	return out
}

// outcome is one check carried out on both candidates.
type outcome struct {
	check
	found  [2]finding
	winner arena.Choice
	points int // 1 slight, 2 clear, 3 significant; 0 on a tie
}

// judge carries out all checks. done is false where ctx ended before the last.
func judge(ctx context.Context, c arena.Case) (v arena.Verdict, done bool) {
	s := newScene(ctx, c)
	if ctx.Err() != nil {
		return v, false
	}
	k := [2]*candidate{cut(c, head(c.Cand1)), cut(c, head(c.Cand2))}
	fresh := [2]*candidate{s.uncopied(k[0]), s.uncopied(k[1])}
	var all []outcome
	for _, ch := range checks() {
		if ctx.Err() != nil {
			return v, false
		}
		o := outcome{check: ch}
		for i := range k {
			if ch.fresh {
				o.found[i] = ch.look(s, fresh[i])
			} else {
				o.found[i] = ch.look(s, k[i])
			}
		}
		o.weigh()
		all = append(all, o)
	}
	shown := choose(all)
	v = arena.Verdict{Status: arena.VerdictOK, Phase: arena.PhaseDone}
	for _, o := range shown {
		v.Principles = append(v.Principles, o.principle(s))
		cmp := o.comparison()
		v.Comparisons = append(v.Comparisons, cmp)
		count(&v.Tally, cmp.Winner)
	}
	decide(&v, shown)
	return v, true
}

// head is the part of a reply that is looked at: seven times the longest that a
// turn of talk has, so that a model that went mad costs a tenth of a second.
func head(reply string) string {
	const most = 16 << 10
	if len(reply) <= most {
		return reply
	}
	end := most
	for end > 0 && !utf8.RuneStart(reply[end]) {
		end--
	}
	return reply[:end]
}

// weigh sets who wins the check and by how much.
func (o *outcome) weigh() {
	a, b := o.found[0].amount, o.found[1].amount
	o.winner = arena.Tie
	if o.negative() {
		// A flaw on one side loses; on both sides it is a tie, whatever its size.
		switch {
		case a > 0 && b > 0 || a == 0 && b == 0:
			return
		case a > 0:
			o.winner = arena.Second
		default:
			o.winner = arena.First
		}
		o.points = points(max(a, b), 0.45, 0.75)
		return
	}
	const nothing = 0.15 // smaller differences are noise of the measure
	diff := a - b
	switch {
	case diff >= nothing:
		o.winner = arena.First
	case diff <= -nothing:
		o.winner = arena.Second
	default:
		return
	}
	o.points = points(max(diff, -diff), 0.35, 0.7)
}

func points(amount, clear, significant float64) int {
	switch {
	case amount >= significant:
		return 3
	case amount >= clear:
		return 2
	}
	return 1
}

// choose picks the checks to show: every flaw found, then the merits that tell
// the candidates apart most, then, for want of enough, ties.
func choose(all []outcome) []outcome {
	var shown, apart, ties []outcome
	for _, o := range all {
		switch {
		case o.negative() && o.found[0].amount+o.found[1].amount > 0:
			shown = append(shown, o)
		case o.negative():
		case o.winner != arena.Tie:
			apart = append(apart, o)
		default:
			ties = append(ties, o)
		}
	}
	slices.SortStableFunc(apart, func(x, y outcome) int { return y.weight*y.points - x.weight*x.points })
	shown = append(shown, apart[:min(len(apart), max(0, most-len(shown)))]...)
	return append(shown, ties[:min(len(ties), max(0, fewest-len(shown)))]...)
}

// decide sets the better reply: flaws that are errors first, then the weighted
// tally of merits and of flaws that are only measured.
func decide(v *arena.Verdict, shown []outcome) {
	var flaws, merits [2]int
	for _, o := range shown {
		sum := &merits
		if o.negative() && !o.weak {
			sum = &flaws
		}
		switch o.winner {
		case arena.First:
			sum[0] += o.weight * o.points
		case arena.Second:
			sum[1] += o.weight * o.points
		}
	}
	why := "Neither candidate is ahead on anything that code can measure."
	v.Better = ahead(flaws)
	switch {
	case v.Better != arena.Tie:
		why = fmt.Sprintf("%s is better: flaws come first, and they weigh on %s.", v.Better, other(v.Better))
		if note := outranked(v, merits); note != "" {
			why += " " + note
			for i, o := range shown {
				if o.negative() && !o.weak && o.winner == v.Better {
					v.Comparisons[i].Reason += " " + note
					break
				}
			}
		}
	case ahead(merits) != arena.Tie:
		v.Better = ahead(merits)
		why = fmt.Sprintf("%s is better by its merits, weighed; no flaw that is an error tells the two apart.", v.Better)
	}
	v.Overall = why
	v.Summary = fmt.Sprintf("cand_1 wins %d, cand_2 wins %d, ties %d. By weight: flaws avoided %d to %d, merits %d to %d.",
		v.Tally.First, v.Tally.Second, v.Tally.Tie, flaws[0], flaws[1], merits[0], merits[1])
	v.TallyDisagrees = disagrees(v.Tally, v.Better)
}

// outranked says why the label goes against the merits or the count of
// principles, "" where it does not.
func outranked(v *arena.Verdict, merits [2]int) string {
	loser := other(v.Better)
	if ahead(merits) != loser && !disagrees(v.Tally, v.Better) {
		return ""
	}
	note := "An error outranks every merit, so this decides the ruling"
	if ahead(merits) == loser {
		return fmt.Sprintf("%s, though %s is ahead by merits, %d to %d by weight.", note, loser, max(merits[0], merits[1]), min(merits[0], merits[1]))
	}
	return note + " against the count of principles."
}

func ahead(sum [2]int) arena.Choice {
	switch {
	case sum[0] > sum[1]:
		return arena.First
	case sum[1] > sum[0]:
		return arena.Second
	}
	return arena.Tie
}

func other(c arena.Choice) arena.Choice {
	if c == arena.First {
		return arena.Second
	}
	return arena.First
}

func count(t *arena.Tally, c arena.Choice) {
	switch c {
	case arena.First:
		t.First++
	case arena.Second:
		t.Second++
	case arena.Tie:
		t.Tie++
	}
}

// disagrees follows the rule of judge/verdict, so that this verdict and the
// reading of its own text are the same.
func disagrees(t arena.Tally, better arena.Choice) bool {
	switch {
	case t.First > t.Second:
		return better != arena.First
	case t.Second > t.First:
		return better != arena.Second
	case t.First == 0 && t.Tie > 0:
		return better != arena.Tie
	}
	return false
}

func (o *outcome) principle(s *scene) arena.Principle {
	p := arena.Principle{Name: o.name, Dimension: o.dimension, Polarity: "positive", Level: o.level, Definition: o.definition, Reason: o.why}
	if o.negative() {
		p.Polarity = "negative"
	}
	if o.level == "session" && s.last != "" {
		p.Reason += " The line to answer: " + quote(s.last)
	}
	return p
}

func (o *outcome) comparison() arena.Comparison {
	c := arena.Comparison{Name: o.name, Winner: o.winner, First: o.performance(0), Second: o.performance(1)}
	if o.winner == arena.Tie {
		c.Reason = "A tie: the two do not differ here."
		if o.negative() {
			c.Reason = "A tie: both are at fault here."
		}
		return c
	}
	c.Degree = [...]string{"", "slight", "clear", "significant"}[o.points]
	// The evidence first. A reader of verdicts takes a "no" close before the degree
	// for its denial, so the winner stands between.
	winner, loser := 0, 1
	if o.winner == arena.Second {
		winner, loser = 1, 0
	}
	if o.negative() {
		c.Reason = fmt.Sprintf("%s %s. In favour of %s by a %s difference, weight %d.", other(o.winner), o.evidence(loser), o.winner, c.Degree, o.weight)
		return c
	}
	c.Reason = fmt.Sprintf("%s %s; %s %s. In favour of %s by a %s difference, weight %d.", o.winner, o.evidence(winner), other(o.winner), o.evidence(loser), o.winner, c.Degree, o.weight)
	return c
}

// likeAVerdict are words that would be read as the critic's own in a reason.
var likeAVerdict = regexp.MustCompile(`(?i)cand_|differ|degree|advantage|edge|better|margin|gap|lead|favou?r|prefer|weight`)

// evidence is what was found in one candidate in few words, with the first
// quotation where that is short and cannot be taken for the critic's own words.
func (o *outcome) evidence(i int) string {
	const short = 48 // runes
	f := o.found[i]
	note := strings.TrimSuffix(f.note, " and breaks these")
	if len(f.quotes) == 0 || likeAVerdict.MatchString(f.quotes[0]) || utf8.RuneCountInString(f.quotes[0]) > short {
		return note
	}
	return note + " (" + quote(f.quotes[0]) + ")"
}

// performance says what was found in one candidate, with the evidence.
func (o *outcome) performance(i int) string {
	f := o.found[i]
	if o.negative() && f.amount == 0 {
		return "Nothing of the kind found."
	}
	if len(f.quotes) == 0 {
		return capital(f.note) + "."
	}
	const shown = 3
	var quotes []string
	for _, q := range f.quotes[:min(len(f.quotes), shown)] {
		quotes = append(quotes, quote(q))
	}
	more := ""
	if n := len(f.quotes) - shown; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return capital(f.note) + ": " + strings.Join(quotes, ", ") + more
}

func quote(s string) string { return "“" + clip(s) + "”" }

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
