package stage

import (
	"fmt"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/rating"
	"herarena/tui/card"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// bar is the row of the verdict: who judges, who leads, how sure.
type bar struct {
	look     *look.Look
	critic   string
	turn     *turn
	last     bool // turn is the newest
	cards    *card.List
	standing string
	brief    bool   // the orders have rows of their own
	accord   string // on how many turns person and critic agree
	odds     string // the chance so far
	held     string // what waits of the verdict
	now      time.Time
}

// row draws the bar in w cells. What does not fit is left out from the end; the
// standing at the right goes first.
func (b *bar) row(w int, ruled, focus bool) string {
	l := b.look
	parts := []string{b.head()}
	if b.held != "" && b.last {
		parts = append(parts, l.Paint(look.Warn, b.held))
	}
	parts = append(parts, b.parts()...)
	if b.odds != "" {
		parts = append(parts, b.odds)
	}
	gap := "   "
	text := " " + strings.Join(parts, gap)
	for len(parts) > 2 && look.Width(text) > w-1 {
		parts = parts[:len(parts)-1]
		text = " " + strings.Join(parts, gap)
	}
	text = l.Truncate(text, max(w-1, 0))
	used := look.Width(text)
	right := ""
	if b.standing != "" && used+look.Width(b.standing)+4 <= w {
		right = " " + b.standing + " "
	}
	fill := w - used - look.Width(right)
	role := look.Border
	if focus {
		role = look.BorderFocus
	}
	switch {
	case ruled && fill > 2:
		return text + " " + l.Paint(role, strings.Repeat(l.Glyphs.Rule, fill-1)) + right
	default:
		return text + strings.Repeat(" ", max(fill, 0)) + right
	}
}

func (b *bar) head() string {
	name := b.critic
	if name = guard.Line(name); name == "" {
		name = "no critic"
	}
	s := b.look.Paint(look.Title, name)
	if b.turn != nil && !b.last {
		s += b.look.Paint(look.Dim, fmt.Sprintf(" on turn %d", b.turn.number))
	}
	return s
}

// parts are the statements of the bar, the weightiest first.
func (b *bar) parts() []string {
	l, t := b.look, b.turn
	dim := func(s string) string { return l.Paint(look.Dim, s) }
	switch {
	case t == nil:
		return []string{dim("listens once both have replied")}
	case t.judging:
		judging, vote := b.judging(), b.person()
		if len(vote) > 0 {
			// The vote alone: what agrees with it is not known yet.
			judging = append([]string{judging[0], vote[0]}, judging[1:]...)
		}
		return judging
	case t.ruling != nil:
		return withVote(b.ruling(t.ruling), b.person())
	case t.skipped != "":
		return append([]string{l.Paint(look.Warn, "not judged: "+sentence(t.skipped))}, b.person()...)
	case t.live():
		return append([]string{dim("waits for both replies")}, b.person()...)
	case b.critic == "":
		return append([]string{dim("you are the judge")}, b.person()...)
	}
	return append([]string{dim("no verdict yet")}, b.person()...)
}

// withVote puts the vote itself behind winner and score, the rest of what is
// said about it at the end.
func withVote(ruling, vote []string) []string {
	if len(vote) == 0 {
		return ruling
	}
	at := min(2, len(ruling))
	parts := append(append(ruling[:at:at], vote[0]), ruling[at:]...)
	return append(parts, vote[1:]...)
}

func (b *bar) judging() []string {
	l, t := b.look, b.turn
	parts := []string{l.Paint(look.Accent, "judging")}
	for o := range t.verdicts {
		if !b.brief {
			parts = append(parts, l.Paint(look.Dim, arena.Order(o).String()+": ")+b.phase(arena.Order(o), &t.verdicts[o]))
		}
	}
	return append(parts, l.Paint(look.Dim, seconds(b.now.Sub(t.asked))))
}

// phase says what one order is doing, or what it came to.
func (b *bar) phase(o arena.Order, v *arena.Verdict) string {
	if v.Phase == arena.PhaseDone {
		return b.label(o, *v)
	}
	return card.Doing(b.look, v, b.now.Sub(b.turn.asked))
}

// label is what one order decided, in sides.
func (b *bar) label(o arena.Order, v arena.Verdict) string {
	switch c := o.Side(v.Better); c {
	case arena.ChoseA, arena.ChoseB:
		return b.side(c)
	case arena.Tie:
		return "tie"
	}
	return b.look.Paint(look.Bad, "no verdict")
}

func (b *bar) side(c arena.Choice) string {
	if c == arena.ChoseB {
		return b.look.Paint(look.SideB, "B")
	}
	return b.look.Paint(look.SideA, "A")
}

func (b *bar) ruling(r *arena.Ruling) []string {
	l := b.look
	first, second := b.label(arena.AFirst, r.Verdicts[0]), b.label(arena.BFirst, r.Verdicts[1])
	var parts []string
	switch r.Agreement {
	case arena.Agree:
		parts = append(parts, b.winner(r.Winner), b.score(), l.Paint(look.Good, "both orders agree"))
	case arena.Flip:
		parts = append(parts, l.Paint(look.Warn, l.Glyphs.Flip+" flip"), b.score())
		if !b.brief {
			parts = append(parts,
				l.Paint(look.Dim, "A first: ")+first+l.Paint(look.Dim, "  B first: ")+second,
				l.Paint(look.Dim, "counts half for each"))
		}
	case arena.OneFailed:
		which := arena.AFirst
		if r.Verdicts[0].Better == arena.NoChoice {
			which = arena.BFirst
		}
		parts = append(parts, b.winner(r.Winner), b.score(), l.Paint(look.Warn, "only "+which.String()+" answered"))
	default:
		parts = append(parts, l.Paint(look.Bad, "no verdict"))
		if b.last && b.turn.latest() {
			parts = append(parts, l.Paint(look.Dim, "ctrl+g asks again"))
		}
		if why := whyNone(r); why != "" {
			parts = append(parts, l.Paint(look.Dim, why))
		}
		return parts
	}
	if !b.brief && (r.Verdicts[0].TallyDisagrees || r.Verdicts[1].TallyDisagrees) {
		parts = append(parts, l.Paint(look.Warn, "label and tally differ"))
	}
	if r.Total > 0 {
		parts = append(parts, l.Paint(look.Dim, tenths(r.Total)))
	}
	if !r.Counted && r.Why != "" {
		parts = append(parts, l.Paint(look.Dim, "off the board: "+sentence(r.Why)))
	}
	return parts
}

// whyNone is the first reason an order gives for having no verdict.
func whyNone(r *arena.Ruling) string {
	for _, v := range r.Verdicts {
		if v.Fault != nil {
			return sentence(v.Fault.Error())
		}
	}
	for _, v := range r.Verdicts {
		if v.Status == arena.VerdictPartial {
			return "the critic was cut off before its answer"
		}
	}
	return "the critic's answer could not be read"
}

func (b *bar) winner(c arena.Choice) string {
	if c == arena.ChoseA || c == arena.ChoseB {
		return b.side(c) + " better"
	}
	return "tie"
}

// score counts the cards by whom they go to.
func (b *bar) score() string {
	l := b.look
	s := b.cards.Score()
	text := l.Paint(look.SideA, fmt.Sprint(s.A)) + l.Paint(look.Dim, " – ") + l.Paint(look.SideB, fmt.Sprint(s.B))
	if l.ASCII {
		text = strings.Replace(text, "–", "-", 1)
	}
	if r := b.turn.ruling; r != nil && (s.A == s.B && (r.Winner == arena.ChoseA || r.Winner == arena.ChoseB) ||
		s.A > s.B && r.Winner == arena.ChoseB || s.B > s.A && r.Winner == arena.ChoseA) {
		// The count alone does not carry the label; critics weigh principles.
		text += l.Paint(look.Dim, " by count, the label weighs otherwise")
	}
	if s.Split > 0 {
		text += l.Paint(look.Dim, fmt.Sprintf(" (%d split)", s.Split))
	}
	return text
}

// person is the vote, and how it stands to the critic.
func (b *bar) person() []string {
	l, v := b.look, b.turn.vote
	if v == nil {
		return nil
	}
	said := "both bad"
	switch v.Choice {
	case arena.ChoseA, arena.ChoseB:
		said = b.side(v.Choice)
	case arena.Tie:
		said = "tie"
	}
	parts := []string{l.Paint(look.Accent, "you ") + said}
	off := !v.Counted && v.Why != ""
	if off && !b.turn.live() {
		// Beside the vote itself: why it is so may find no room.
		parts[0] += l.Paint(look.Warn, ", not counted")
	}
	if r := b.turn.ruling; r != nil && r.Winner != arena.NoChoice {
		if r.Winner == v.Choice {
			parts = append(parts, l.Paint(look.Dim, "the critic agrees"))
		} else if !b.brief {
			parts = append(parts, l.Paint(look.Dim, "you differ; both opinions are kept"))
		}
	}
	if b.accord != "" {
		parts = append(parts, l.Paint(look.Dim, b.accord))
	}
	if off {
		parts = append(parts, l.Paint(look.Dim, "vote off the board: "+sentence(v.Why)))
	}
	return parts
}

// standing is where both contestants stand on the critic's board: "A 1312 ±18".
func standing(l *look.Look, rows []rating.Row, a, b string) string {
	var parts []string
	for i, name := range []string{a, b} {
		for _, r := range rows {
			if name == "" || r.Contestant != name {
				continue
			}
			role := look.Role(look.SideA)
			if i == 1 {
				role = look.SideB
			}
			text := fmt.Sprintf("%.0f", r.BT)
			if half := (r.High - r.Low) / 2; half > 0 {
				sign := "±"
				if l.ASCII {
					sign = "+-"
				}
				text += fmt.Sprintf(" %s%.0f", sign, half)
			}
			parts = append(parts, l.Paint(role, arena.Side(i).String())+" "+text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return l.Paint(look.Dim, "board ") + strings.Join(parts, "  ")
}
