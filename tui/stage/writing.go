package stage

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// The composer's part of the screen: rows that say what else goes with the line
// or who writes it, and below them the line itself.

// mostBanner bounds the rows above the line.
const mostBanner = 2

// composerRows is the height the composer asks for.
func (s *Stage) composerRows() int {
	if s.scripted() {
		return len(s.banner()) + len(s.scriptRows())
	}
	return len(s.banner()) + s.writer.rows()
}

// banner are the rows above the line, the weightiest last.
func (s *Stage) banner() []string {
	var rows []string
	if s.play.note != "" && (s.job == nil || s.job.kind != noting) {
		rows = append(rows, s.noteRow())
	}
	if row := s.sceneRow(); row != "" && s.job == nil && s.ghost == nil {
		rows = append(rows, row)
	}
	switch {
	case s.play.playing():
		rows = append(rows, s.autoRow())
	case s.ghost != nil:
		rows = append(rows, s.ghostRow())
	case s.job != nil:
		rows = append(rows, s.jobRow())
	}
	return rows[max(len(rows)-mostBanner, 0):]
}

// bannerRow is a row of the banner: a mark, what is the case, and keys at the
// right, which give way from the end.
func (s *Stage) bannerRow(role look.Role, mark, text string, bound ...keys.Binding) string {
	l := s.look
	left := " " + l.Paint(role, mark) + " "
	hints := hintLine(l, bound, s.w*3/5)
	room := s.w - look.Width(left) - look.Width(hints) - 3
	left += l.Truncate(text, max(room, 8))
	return l.Pad(left+strings.Repeat(" ", max(s.w-look.Width(left)-look.Width(hints)-1, 1))+hints, s.w)
}

// scripted reports whether it is a model that writes in the composer.
func (s *Stage) scripted() bool { return s.play.playing() || s.ghost != nil }

// scriptRows are the rows of a line that a model writes, the newest ones.
func (s *Stage) scriptRows() []string {
	l := s.look
	lead := " " + l.Paint(look.Accent, l.Glyphs.Prompt) + " "
	text := guard.Text(s.play.line.text)
	if text == "" {
		return []string{l.Truncate(lead+l.Paint(look.Dim, s.scriptState()), s.w)}
	}
	rows := hang(l, look.Input, lead, "   ", text, s.w)
	return rows[max(len(rows)-composerRows, 0):]
}

// drawComposer draws the banner and what is being written; while that is empty,
// a suggestion and the keys that matter now.
func (s *Stage) drawComposer() []string {
	h := s.layout.composer.h
	rows := s.banner()
	line, plain := s.writer.plain(s.w)
	switch {
	case s.search != nil && (s.search.writing || s.focus != onComposer):
		row, _ := s.searchRow()
		rows = append(rows, row)
	case s.scripted():
		rows = append(rows, s.scriptRows()...)
	case s.writer.area.Value() == "":
		rows = append(rows, s.emptyRow())
	case plain:
		rows = append(rows, line)
	default:
		rows = append(rows, strings.Split(s.writer.area.View(), "\n")...)
	}
	rows = rows[max(len(rows)-h, 0):] // the line is dearer than the banner
	out := make([]string, h)
	for i := range out {
		if i < len(rows) {
			out[i] = s.look.Pad(rows[i], s.w)
		} else {
			out[i] = strings.Repeat(" ", s.w)
		}
	}
	return out
}

// emptyRow is the composer without a text.
func (s *Stage) emptyRow() string {
	l := s.look
	prompt := " " + l.Paint(look.Accent, l.Glyphs.Prompt) + " "
	room := s.w * 3 / 5
	if s.focus != onComposer {
		room = s.w - 6
	}
	hints, spots := hintSpots(l, s.hints(), room)
	s.hinted = look.Shift(spots, s.w-1-look.Width(hints))
	room = s.w - 3 - look.Width(hints) - 3
	hint := ""
	if room > 8 && s.focus == onComposer {
		hint = l.Paint(look.Dim, l.Truncate(s.prompting(), room))
	}
	left := prompt + hint
	return l.Pad(left+strings.Repeat(" ", max(s.w-look.Width(left)-look.Width(hints)-1, 0))+hints, s.w)
}

// prompting is what an empty composer says.
func (s *Stage) prompting() string {
	switch {
	case s.job != nil:
		return s.job.prompt()
	case s.writer.hint != "":
		return s.writer.hint
	}
	return "write what " + s.me() + " says"
}

func (s *Stage) me() string {
	if who := guard.Line(s.o.Scene.User.Name); who != "" {
		return who
	}
	return "your part"
}

// writing is the cell of the text cursor from the composer's upper left, nil
// where the person does not write.
func (s *Stage) writing() *tea.Cursor {
	c := s.writer.area.Cursor()
	if c == nil || s.scripted() || s.sheet != nil {
		return nil
	}
	c.Y += max(min(len(s.banner()), s.layout.composer.h-s.writer.rows()), 0)
	return c
}

func turns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}
