package stage

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// Critic is a critic as the panel of the cast offers it.
type Critic struct {
	Name  string // on boards; "" judges nothing
	Label string // as shown; "" is Name
}

func (c Critic) shown() string {
	switch {
	case c.Label != "":
		return guard.Line(c.Label)
	case c.Name != "":
		return guard.Line(c.Name)
	}
	return "no critic"
}

// castSheet changes who plays and who judges. The story goes on, in a battle of
// its own.
type castSheet struct {
	contestants []arena.Contestant
	critics     []Critic
	chosen      [3]int // contestants of both seats, critic
	was         [3]int
	at          int
}

func (s *Stage) openCast() tea.Cmd {
	switch {
	case !s.canDirect():
		return nil
	case s.job != nil:
		return notice("the composer is at something else: finish that with enter, or leave it with esc", false)
	}
	c := &castSheet{}
	if s.o.Offer != nil {
		c.contestants, c.critics = s.o.Offer()
	}
	for seat, who := range s.o.Contestants {
		c.chosen[seat] = -1
		for i := range c.contestants {
			if c.contestants[i].Name == who.Name {
				c.chosen[seat] = i
			}
		}
		if c.chosen[seat] < 0 {
			c.contestants = append(c.contestants, who)
			c.chosen[seat] = len(c.contestants) - 1
		}
	}
	c.chosen[2] = -1
	for i := range c.critics {
		if c.critics[i].Name == s.o.Critic {
			c.chosen[2] = i
		}
	}
	if c.chosen[2] < 0 {
		c.critics = append(c.critics, Critic{s.o.Critic, s.o.CriticLabel})
		c.chosen[2] = len(c.critics) - 1
	}
	c.was = c.chosen
	s.openSheet(c)
	return nil
}

func (c *castSheet) scope() string { return castPanel }

func (c *castSheet) size(row int) int {
	if row == 2 {
		return len(c.critics)
	}
	return len(c.contestants)
}

func (c *castSheet) move(_ *Stage, dx, dy int) {
	c.at = min(max(c.at+dy, 0), len(c.chosen)-1)
	n := c.size(c.at)
	c.chosen[c.at] = (c.chosen[c.at] + dx + n) % n
}

func (c *castSheet) write(*Stage, string) bool { return false }

// enter opens the battle of the new cast.
func (c *castSheet) enter(s *Stage) tea.Cmd {
	d, ok := s.directed()
	if !ok {
		return nil
	}
	if c.chosen == c.was {
		return notice("the cast is as it was: choose another contestant or critic", false)
	}
	b := Branch{From: s.end(d)}
	if c.chosen[0] != c.was[0] || c.chosen[1] != c.was[1] {
		b.Contestants = &[2]arena.Contestant{c.contestants[c.chosen[0]], c.contestants[c.chosen[1]]}
	}
	if c.chosen[2] != c.was[2] {
		name := c.critics[c.chosen[2]].Name
		b.Critic = &name
	}
	cmd := s.branch(b)
	s.shut()
	return cmd
}

func (c *castSheet) view(s *Stage, w, h int) []string {
	l := s.look
	width := min(w, 66)
	rows := append([]string{""}, s.told("The story goes on with another cast, as a battle of its own. This duel stays in the ledger as it is.", width)...)
	rows = append(rows, "")
	labels := [3]string{"first", "second", "critic"}
	if !s.o.Blind {
		labels[0], labels[1] = "A", "B"
	}
	for i, label := range labels {
		value := ""
		if i == 2 {
			value = c.critics[c.chosen[i]].shown()
		} else {
			value = guard.Line(c.contestants[c.chosen[i]].Name)
		}
		value = l.Truncate(value, width-26)
		if c.chosen[i] != c.was[i] {
			value = l.Paint(look.Accent, value)
		}
		if i == c.at {
			value = turned(l, value) + l.Paint(look.Dim, fmt.Sprintf("  %d of %d", c.chosen[i]+1, c.size(i)))
		} else {
			value = "  " + value
		}
		rows = append(rows, choice(l, i == c.at, l.Pad(label, 8)+value))
	}
	rows = append(rows, "")
	return s.sheetBox("Change the cast", rows, width, h, s.enterTo("play on"), s.bound("stage.panel.shut"))
}
