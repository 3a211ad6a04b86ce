package stage

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// Bounds of a critic's text as shown, in bytes. A text that is still written is
// wrapped anew with every frame, so that only its end is shown then.
const (
	textMost = 512 << 10
	textLive = 16 << 10
)

// wrapped is a critic's text in rows, and what they were made from.
type wrapped struct {
	of    string
	width int
	live  bool
	rows  []string
}

// reading is the text of the panel, cleaned and wrapped.
func (s *Stage) reading() []string {
	t, v := s.looked().asSeen(), &s.verdict
	if t == nil {
		return nil
	}
	raw, live := t.verdicts[v.order].Raw, t.judging && t.verdicts[v.order].Phase != arena.PhaseDone
	if v.panel == thoughtPanel {
		raw = t.verdicts[v.order].Reasoning
	}
	if c := &v.text; c.width == s.w && c.live == live && c.of == raw && c.rows != nil {
		return c.rows
	}
	v.text = wrapped{of: raw, width: s.w, live: live, rows: prose.Wrap(bounded(raw, live), max(s.w-4, 1))}
	if strings.TrimSpace(raw) == "" {
		v.text.rows = []string{s.silence(live)}
	}
	return v.text.rows
}

// silence says why there is nothing to read.
func (s *Stage) silence(live bool) string {
	switch {
	case live:
		return "nothing yet"
	case s.verdict.panel == thoughtPanel:
		return "this critic did not reason aloud, or its reasoning was not kept"
	}
	return "the critic wrote nothing, or its output was not kept"
}

// bounded is a text of others, cleaned for rows; what is left out is said.
func bounded(raw string, live bool) string {
	most := textMost
	if live {
		most = textLive
	}
	over := len(raw) - most
	if over > 0 {
		if live {
			raw = strings.ToValidUTF8(raw[over:], "")
		} else {
			raw = strings.ToValidUTF8(raw[:most], "")
		}
	}
	text := strings.ReplaceAll(guard.Text(raw), "\t", "    ")
	switch {
	case over > 0 && live:
		return fmt.Sprintf("(%d bytes before this)\n", over) + text
	case over > 0:
		return text + fmt.Sprintf("\n(%d bytes more)", over)
	}
	return strings.TrimRight(text, "\n ")
}

// textTop is the first row of the text that is shown.
func (s *Stage) textTop() int {
	v := &s.verdict
	end := max(len(s.reading())-max(v.shown-1, 0), 0)
	if v.scroll < 0 {
		return end
	}
	return min(v.scroll, end)
}

func (s *Stage) scrollText(by int) {
	top := s.textTop()
	s.verdict.scroll = max(top+by, 0)
	if t := s.looked().asSeen(); by > 0 && t != nil && t.judging && s.textTop() <= top {
		s.verdict.scroll = -1 // at the end of what is written: follow it
	}
}

// readingRows draws the text in h rows, its title first.
func (s *Stage) readingRows(h int) []string {
	if h <= 0 {
		return nil
	}
	rows := []string{s.textTitle()}
	all := s.reading()
	from := s.textTop()
	for _, row := range all[from:min(from+h-1, len(all))] {
		rows = append(rows, s.look.Pad("  "+s.look.Paint(look.Text, row), s.w))
	}
	return rows
}
