package stage

import (
	"fmt"
	"strings"
	"time"

	"herarena/arena"
	"herarena/tui/look"
)

// saying is what a side's border said of its state, and when.
type saying struct {
	take     *take
	segments int
	first    time.Time
	look     *look.Look
	at       time.Time
	text     string
}

// rule is the border of a side that has no box.
func (s *Stage) rule(title, right string, focused bool) string {
	l := s.look
	role := look.Border
	line := l.Glyphs.Rule
	if focused {
		role = look.BorderFocus
		if l.Colour == look.NoColour {
			line = "="
			if !l.ASCII {
				line = "━"
			}
		}
	}
	tw, rw := look.Width(title), look.Width(right)
	if tw+rw+8 > s.w {
		room := max(s.w-tw-8, 0)
		right = l.Truncate(right, room)
		rw = look.Width(right)
	}
	fill := max(s.w-tw-rw-7, 0)
	if rw == 0 {
		fill += 2
	}
	text := l.Paint(role, strings.Repeat(line, 2)) + " " + title + " " + l.Paint(role, strings.Repeat(line, fill))
	if rw > 0 {
		text += " " + right + " "
	}
	return l.Pad(text+l.Paint(role, line), s.w)
}

// name is a side's letter and, unless it is hidden, who stands there.
func (s *Stage) name(side arena.Side) string {
	role := look.Role(look.SideA)
	if side == arena.B {
		role = look.SideB
	}
	who, known := s.bill.name(s.play.last(), side)
	if !known {
		who = s.look.Paint(look.Dim, "hidden until you vote")
	}
	return s.look.Paint(role, side.String()) + "  " + who
}

// tabs names the side shown and, with the key that turns to it, the one behind.
func (s *Stage) tabs(side arena.Side, title string) string {
	other := side.Other()
	word := ""
	if t := s.looked(); t != nil {
		word = " " + brief(t.columns[other].shown())
	}
	return title + "   " + s.look.Paint(look.Key, "F2") + s.look.Paint(look.Dim, " "+other.String()+word)
}

// borderRoom is what of a side's border is not for its title and its state: its
// corners, and the mark for rows below. Where one side is alone the switch to
// the other stands there too.
func (l *layout) borderRoom() int {
	if l.mode == single {
		return 32
	}
	return 15
}

// status is the state of the reply looked at on a side, in at most room cells, if it can be said in so many.
func (s *Stage) status(side arena.Side, room int) string {
	t := s.looked()
	if t == nil {
		return ""
	}
	if t.past {
		about := s.look.Paint(look.Dim, fmt.Sprintf("turn %d  ", t.number))
		if of := s.statusOf(t, side, room-look.Width(about)); of != "" && look.Width(about)+look.Width(of) <= room {
			return about + of
		}
	}
	return s.statusOf(t, side, room)
}

// statusOf is the state of the reply of a turn that a side shows.
func (s *Stage) statusOf(t *turn, side arena.Side, room int) string {
	now, k, last := s.o.Now(), t.columns[side].shown(), &s.frame.told[side]
	if text := s.heldStatus(side, room); text != "" && k == s.play.last().columns[side].latest() {
		return text
	}
	if k == nil || !k.live || k.retry != nil {
		last.take = nil
		if k != nil && k.retry == nil {
			if whole, _ := k.reply.Validity(); whole {
				return s.spent(t, side, k, room)
			}
		}
		return status(s.look, k, now)
	}
	segments := len(k.reply.Segments)
	if last.take != k || last.segments != segments || last.first != k.first || last.look != s.look || now.Sub(last.at) >= steady {
		*last = saying{k, segments, k.first, s.look, now, status(s.look, k, now)}
	}
	return last.text
}
