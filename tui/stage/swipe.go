package stage

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/look"
)

// counter says which of several replies is shown: ‹2/3›.
func counter(l *look.Look, at, n int) string {
	if l.ASCII {
		return fmt.Sprintf("<%d/%d>", at+1, n)
	}
	return fmt.Sprintf("‹%d/%d›", at+1, n)
}

// notes are the small marks in the last row of a block.
func (b *block) notes(t *take) string {
	l := b.look
	var notes []string
	c := &b.turn.columns[b.side]
	if len(c.takes) > 1 {
		notes = append(notes, l.Paint(look.Key, counter(l, c.at, len(c.takes))))
	}
	// Canon is about the latest reply alone; vote and verdict are about the pair
	// that is shown.
	if s, ok := b.turn.canonSide(); ok && s == b.side && c.at == len(c.takes)-1 {
		mark := "● canon"
		if l.ASCII {
			mark = "* canon"
		}
		notes = append(notes, l.Paint(look.Good, mark))
	}
	switch r := b.turn.seen(); {
	case len(c.takes) > 1 && c.at < len(c.takes)-1 && r == nil:
		notes = append(notes, l.Paint(look.Dim, "never stood against the other side's reply"))
	case r != nil:
		notes = append(notes, r.marks(l, b.side, r != &b.turn.round)...)
	}
	if who, known := b.bill.name(b.turn, b.side); b.bill.blind && known && !t.live {
		notes = append(notes, l.Paint(look.Dim, "it was "+who))
	}
	return strings.Join(notes, l.Paint(look.Dim, "  "+l.Glyphs.Dot+"  "))
}

// marks are what vote and verdict say of a side's reply; of an earlier round the
// verdict too, since the bar may be about another turn.
func (r *round) marks(l *look.Look, side arena.Side, earlier bool) []string {
	var out []string
	if v := r.vote; v != nil && (v.Choice == arena.ChoseA && side == arena.A || v.Choice == arena.ChoseB && side == arena.B) {
		out = append(out, l.Paint(look.Accent, "your vote"))
	}
	if g := r.ruling; earlier && g != nil {
		switch {
		case g.Winner == arena.ChoseA && side == arena.A, g.Winner == arena.ChoseB && side == arena.B:
			out = append(out, l.Paint(look.Dim, "the critic chose this one of the pair"))
		case g.Winner == arena.ChoseA, g.Winner == arena.ChoseB:
			out = append(out, l.Paint(look.Dim, "the critic chose the other of the pair"))
		}
	}
	return out
}

// swipe looks at another reply of the turn looked at, at the verdict that it was
// part of, and at the reply that it stood against.
func (s *Stage) swipe(side arena.Side, by int) {
	t := s.looked()
	if t == nil || s.judged >= len(s.blocks[side]) {
		return
	}
	c := &t.columns[side]
	next := c.at + by
	if next < 0 || next >= len(c.takes) {
		return
	}
	c.at = next
	t.match(side)
	s.redraw(s.judged) // both sides: they tell of the pair
	s.cards.Reset()
	s.showVerdict()
}

// goOnKey is the key that goes on with a broken reply, "" where the duel cannot.
func goOnKey(s *Stage) string {
	if b := s.bound("stage.continue"); s.canDirect() && len(b.Keys) > 0 {
		return b.Shown()
	}
	return ""
}

// goOn is the hint that a broken reply can be gone on with, "" where it cannot.
func (b *block) goOn() string {
	t := b.turn.columns[b.side].shown()
	if b.bill.goOn == "" || t == nil || len(t.reply.Segments) == 0 {
		return ""
	}
	return b.bill.goOn + " goes on with it, "
}

// broken reports whether a side's latest reply can be gone on with.
func (t *turn) broken(side arena.Side) bool {
	k := t.columns[side].latest()
	if k == nil || k.live || len(k.reply.Segments) == 0 {
		return false
	}
	r := &k.reply
	return !r.Complete || r.Truncated || r.Finish == arena.FinishLength
}

// goOn goes on with the last replies that were cut off: that of the side in
// focus, from elsewhere those of both.
func (s *Stage) goOn() tea.Cmd {
	d, ok := s.directed()
	t := s.play.last()
	if !ok || t == nil {
		return notice("there is no reply to go on with yet", false)
	}
	if why := s.aside("a reply is gone on with in"); why != "" {
		return notice(why, false)
	}
	var sides []arena.Side
	for _, side := range []arena.Side{arena.A, arena.B} {
		if t.broken(side) && (s.focus != onA+focus(side.Other())) {
			sides = append(sides, side)
		}
	}
	if len(sides) == 0 {
		return notice(arena.ErrWhole.Error(), false)
	}
	return s.call("", func(ctx context.Context) error {
		var first error
		for _, side := range sides {
			if err := d.Continue(ctx, side); err != nil && first == nil {
				first = fmt.Errorf("reply %s: %w", side, err)
			}
		}
		return first
	})
}
