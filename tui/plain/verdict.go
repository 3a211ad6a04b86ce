package plain

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/arena/rating"
	"herarena/tui/card"
)

// fieldLimit bounds what is read out of one field of a critic, in bytes.
const fieldLimit = 4 << 10

// hearing is a verdict being read out, card by card, each once both orders are
// done with it. Cards keep the order of the merged list, so a later one waits.
type hearing struct {
	turn *turn
	read map[string]bool
	at   [2]progress // where the orders stood when cards were last looked at
}

// progress is what must change before another card can be complete.
type progress struct {
	comparisons int
	phase       arena.Phase
}

// catchUp reads out the cards that are complete; all that is left when the
// ruling has been given.
func (h *hearing) catchUp(s *session) {
	if h == nil {
		return
	}
	t := h.turn
	at := [2]progress{}
	for i, v := range t.verdicts {
		at[i] = progress{len(v.Comparisons), v.Phase}
	}
	if at == h.at && t.ruling == nil {
		return
	}
	h.at = at
	done := closings(t)
	for _, c := range card.Merge(t.verdicts) {
		if h.read[c.Key] {
			continue
		}
		if t.ruling == nil && !(done[0](c) && done[1](c)) {
			return
		}
		h.read[c.Key] = true
		if c.Opinions[0].Given || c.Opinions[1].Given {
			s.out.line(cardLine(len(h.read), c))
		}
	}
}

// closings returns for each order a test whether it is done with a card.
func closings(t *turn) (done [2]func(card.Card) bool) {
	for i := range done {
		v := t.verdicts[i]
		over := v.Phase == arena.PhaseDeciding || v.Phase == arena.PhaseDone || v.Status != arena.VerdictPending && v.Status != ""
		writing := ""
		if n := len(v.Comparisons); n > 0 && !over {
			// The newest comparison is still being written.
			alone := card.Merge([2]arena.Verdict{{Comparisons: v.Comparisons}})
			if len(alone) > 0 {
				writing = alone[len(alone)-1].Key
			}
		}
		done[i] = func(c card.Card) bool {
			return over || c.Opinions[i].Given && c.Key != writing
		}
	}
	return done
}

// cardLine is a card in one line: the principle, whose it is, and what is said
// of both sides in the first order that weighed it.
func cardLine(n int, c card.Card) string {
	text := fmt.Sprintf("Principle %d, %s: %s.", n, or(one(c.Principle.Name), "unnamed"), cardWinner(c))
	o := c.Opinions[0]
	if !o.Given {
		o = c.Opinions[1]
	}
	return text + " " + strings.Join(parts(o), " ")
}

// parts are what is said under one principle in one order, a sentence each.
func parts(o card.Opinion) []string {
	var out []string
	for _, part := range []struct{ label, text string }{{"Of A: ", o.A}, {"Of B: ", o.B}, {"So: ", o.Reason}} {
		if text := full(clip(part.text)); text != "" {
			out = append(out, part.label+text)
		}
	}
	return out
}

// cardWinner says whose a card is, and how clearly.
func cardWinner(c card.Card) string {
	winner, split := c.Winner()
	switch {
	case split:
		return fmt.Sprintf("the orders differ, %s when A is shown first, %s when B is", choice(c.Opinions[0].Winner), choice(c.Opinions[1].Winner))
	case winner == arena.NoChoice:
		return "no winner named"
	case winner == arena.Tie:
		return "a tie"
	}
	text := choice(winner) + " is better"
	if degree := one(clip(c.Degree())); degree != "" {
		text += ", " + degree
	}
	return text
}

// choice is an answer in words.
func choice(c arena.Choice) string {
	switch c {
	case arena.ChoseA:
		return "A"
	case arena.ChoseB:
		return "B"
	case arena.Tie:
		return "a tie"
	case arena.BothBad:
		return "both bad"
	}
	return "no answer"
}

// rule reads the ruling out.
func (s *session) rule(t *turn) {
	r := t.ruling
	first, second := arena.AFirst.Side(r.Verdicts[0].Better), arena.BFirst.Side(r.Verdicts[1].Better)
	var text string
	switch r.Agreement {
	case arena.Agree:
		text = "Ruling: " + better(r.Winner) + ". Both orders agree."
	case arena.Flip:
		text = fmt.Sprintf("Ruling: a flip. The critic says %s when A is shown first, %s when B is. It counts half for each.", choice(first), choice(second))
	case arena.OneFailed:
		which := arena.AFirst
		if first == arena.NoChoice {
			which = arena.BFirst
		}
		text = fmt.Sprintf("Ruling: %s. Only the order with %s answered.", better(r.Winner), which)
	default:
		why := whyNone(r)
		s.out.linef("No verdict: %s /judge asks again.", full(why))
		if !s.o.Person && !cancelled(r) {
			s.wrongs("turn %d has no verdict: %s", t.number, one(why))
		}
		return
	}
	s.out.line(text + " " + score(t))
	if r.Verdicts[0].TallyDisagrees || r.Verdicts[1].TallyDisagrees {
		s.out.line("The critic's label and its own count of principles differ.")
	}
	if !r.Counted && r.Why != "" {
		s.out.line("The ruling stays off the board: " + full(r.Why))
	}
}

func cancelled(r *arena.Ruling) bool {
	for _, v := range r.Verdicts {
		if v.Fault != nil && v.Fault.Kind == arena.Cancelled {
			return true
		}
	}
	return false
}

func better(c arena.Choice) string {
	if c == arena.ChoseA || c == arena.ChoseB {
		return choice(c) + " is better"
	}
	return "a tie"
}

// score counts the principles by whom they go to.
func score(t *turn) string {
	var a, b, tie, split int
	for _, c := range card.Merge(t.verdicts) {
		switch w, differ := c.Winner(); {
		case differ:
			split++
		case w == arena.ChoseA:
			a++
		case w == arena.ChoseB:
			b++
		case w == arena.Tie:
			tie++
		}
	}
	if a+b+tie+split == 0 {
		return "No principles were named."
	}
	text := fmt.Sprintf("Principles: %d to A, %d to B", a, b)
	if tie > 0 {
		text += fmt.Sprintf(", %d tied", tie)
	}
	if split > 0 {
		text += fmt.Sprintf(", %d on which the orders differ", split)
	}
	return text + "."
}

// whyNone is the first reason an order gives for having no verdict.
func whyNone(r *arena.Ruling) string {
	for _, v := range r.Verdicts {
		if v.Fault != nil {
			return v.Fault.Error()
		}
	}
	for _, v := range r.Verdicts {
		if v.Status == arena.VerdictPartial {
			return "the critic was cut off before its answer"
		}
	}
	return "the critic's answer could not be read"
}

// voted reads the vote out, and how it stands to the critic.
func (s *session) voted(t *turn) {
	v := t.vote
	if !t.settled() {
		s.out.linef("Your vote is kept: %s. It is booked once both replies are done.", choice(v.Choice))
		return
	}
	text := "You vote: " + choice(v.Choice) + "."
	if r := t.ruling; r != nil && r.Winner != arena.NoChoice {
		if r.Winner == v.Choice {
			text += " The critic agrees."
		} else {
			text += " The critic differs; both opinions are kept."
		}
	}
	if !v.Counted && v.Why != "" {
		text += " Not counted: " + full(v.Why)
	}
	s.out.line(text)
	if s.bill.blind && !s.told[t.number] {
		s.told[t.number] = true
		s.out.linef("In turn %d, A was %s and B was %s.", t.number, s.bill.name(t, arena.A), s.bill.name(t, arena.B))
	}
}

// canonWords say who chooses canon.
func canonWords(p arena.CanonPolicy) string {
	switch p {
	case arena.CanonCritic:
		return "the critic chooses which reply both remember"
	case arena.CanonA, arena.CanonB:
		return "both remember the reply of " + strings.ToUpper(string(p))
	case arena.CanonParallel:
		return "each side remembers its own replies"
	}
	return "your vote chooses which reply both remember, else the critic"
}

// chosen reads out which reply is history from now on.
func (s *session) chosen(t *turn) {
	side, ok := t.canonSide()
	if !ok {
		return
	}
	// A policy is also named where it gave no answer, as when only one reply is
	// whole: then nobody chose.
	by, won := "", arena.ChoseA
	if side == arena.B {
		won = arena.ChoseB
	}
	switch {
	case t.canonBy == arena.CanonVote && t.vote != nil && t.vote.Choice == won:
		by = ", by your vote"
	case t.canonBy == arena.CanonCritic && t.ruling != nil && t.ruling.Winner == won:
		by = ", by the critic"
	}
	s.out.linef("Canon: both remember the reply of %s%s.", side, by)
}

// standing is where both contestants stand on a board.
func (s *session) standing(source string, b rating.Board) string {
	var rows []string
	for _, c := range s.bill.contestants {
		for _, row := range b.Ratings {
			if row.Contestant == c.Name {
				rows = append(rows, rated(row))
				break
			}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return "Board " + one(source) + ": " + strings.Join(rows, "; ") + "."
}

// rated is a row of a board in words.
func rated(row rating.Row) string {
	text := fmt.Sprintf("%s %.0f", one(row.Contestant), row.BT)
	if half := (row.High - row.Low) / 2; half > 0 {
		text += fmt.Sprintf(" plus or minus %.0f", half)
	}
	return text
}

// clip bounds a field; what is cut ends in an ellipsis.
func clip(s string) string {
	if len(s) <= fieldLimit {
		return s
	}
	return strings.ToValidUTF8(s[:fieldLimit], "") + "…"
}
