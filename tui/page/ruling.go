package page

import (
	"fmt"

	"herarena/arena"
	"herarena/tui/card"
	"herarena/tui/guard"
)

// ruling is what a critic said of a turn.
type ruling struct {
	Critic, Sum, Orders string
	Why                 string // why it does not count
	Time                string
	Old                 bool // on replies that were asked for again
	Cards               []principle
	Prose               []fact // by order
	Faults              []string
}

// principle is one card, both orders side by side.
type principle struct {
	Name, About, Definition string
	Goes                    string // A, B, tie, split or open
	Degree                  string
	// The bar leans from the middle, in percent of its width.
	From, Width float64
	Opinions    []opinion
}

type opinion struct {
	Order, A, B, Reason, Goes string
}

func (m *maker) ruling(t *arena.Turn, r *arena.Ruling) ruling {
	out := ruling{Critic: m.critic(r.Critic), Old: t.Ruling == nil || t.Ruling.ID != r.ID}
	switch r.Agreement {
	case arena.Agree:
		out.Sum, out.Orders = said(r.Winner), "both orders agree"
	case arena.Flip:
		out.Sum, out.Orders = "a flip", "each order says "+said(arena.AFirst.Side(r.Verdicts[0].Better))+" and "+said(arena.BFirst.Side(r.Verdicts[1].Better))
	case arena.OneOrder:
		out.Sum, out.Orders = said(r.Winner), "one order was asked"
	case arena.OneFailed:
		out.Sum, out.Orders = said(r.Winner), "one order gave no verdict"
	default:
		out.Sum, out.Orders = "no verdict", ""
	}
	if !r.Counted {
		out.Why = m.message(r.Why)
	}
	if r.Total > 0 {
		out.Time = fmt.Sprintf("%.1f s", r.Total.Seconds())
	}
	for _, c := range card.Merge(r.Verdicts) {
		out.Cards = append(out.Cards, m.principle(c))
	}
	for o := range r.Verdicts {
		v, order := &r.Verdicts[o], arena.Order(o).String()
		if v.Fault != nil {
			out.Faults = append(out.Faults, order+": "+m.message(v.Fault.Error()))
		}
		if v.TallyDisagrees {
			out.Faults = append(out.Faults, order+": the label and the tally of principles differ")
		}
		if m.o.Visible {
			continue
		}
		for _, p := range []fact{{"overall", v.Overall}, {"summary", v.Summary}} {
			if text := guard.Text(p.Value); text != "" {
				out.Prose = append(out.Prose, fact{order + ", " + p.Name, text})
			}
		}
	}
	return out
}

func (m *maker) principle(c card.Card) principle {
	out := principle{Name: clean(c.Principle.Name), Degree: clean(c.Degree())}
	for _, part := range []string{c.Principle.Dimension, c.Principle.Polarity, c.Principle.Level} {
		if part = clean(part); part != "" {
			if out.About != "" {
				out.About += ", "
			}
			out.About += part
		}
	}
	winner, split := c.Winner()
	out.Goes = goes(winner)
	if split {
		out.Goes = "split"
	}
	lean := max(min(c.Lean(), 3), -3)
	out.From, out.Width = 50, lean/3*50
	if lean < 0 {
		out.From, out.Width = 50+lean/3*50, -lean/3*50
	}
	if m.o.Visible {
		return out
	}
	out.Definition = guard.Text(c.Principle.Definition)
	for o, op := range c.Opinions {
		if op.Given {
			out.Opinions = append(out.Opinions, opinion{
				Order: arena.Order(o).String(), A: guard.Text(op.A), B: guard.Text(op.B), Reason: guard.Text(op.Reason), Goes: goes(op.Winner),
			})
		}
	}
	return out
}

func goes(c arena.Choice) string {
	switch c {
	case arena.ChoseA:
		return "A"
	case arena.ChoseB:
		return "B"
	case arena.Tie:
		return "tie"
	}
	return "open"
}
