package stage

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/keys"
	"herarena/tui/look"
)

// Scopes of the panels that lie over the stage. They are not within the stage's
// own: while a panel is open none of its keys hold.
const (
	panelScope    = "panel"
	autoPanel     = "panel.auto"
	samplingPanel = "panel.sampling"
	branchesPanel = "panel.branches"
	castPanel     = "panel.cast"
	tallyPanel    = "panel.tally"
)

// sheet is a panel that lies over the stage and has the keys while it does.
type sheet interface {
	// scope is that of its own keys.
	scope() string
	// view draws it for a screen of w times h cells, as a box.
	view(s *Stage, w, h int) []string
	// move goes by dx to the right and by dy down.
	move(s *Stage, dx, dy int)
	enter(s *Stage) tea.Cmd
	// write takes a key that is text and reports whether it was one.
	write(s *Stage, text string) bool
}

// openSheet lays a panel over the stage.
func (s *Stage) openSheet(sh sheet) {
	s.sheet = sh
	s.stale(allParts)
}

// shut takes the panel off.
func (s *Stage) shut() {
	s.sheet = nil
	s.stale(allParts)
}

// withSheet lays the panel over a frame.
func (s *Stage) withSheet(frame string) string {
	if s.sheet == nil {
		return frame
	}
	rows := strings.Split(frame, "\n")
	box := s.sheet.view(s, s.w-4, s.h-2)
	if len(box) == 0 {
		return frame
	}
	x, y := (s.w-look.Width(box[0]))/2, (s.h-len(box))/2
	s.sheetAt = area{x, y, look.Width(box[0]), len(box)}
	look.Lay(rows, box, x, y, s.w)
	return strings.Join(rows, "\n")
}

// sheetBox is the box of a panel: its rows, as many as fit, and its keys below.
func (s *Stage) sheetBox(title string, rows []string, w, h int, bound ...keys.Binding) []string {
	hints := " " + hintLine(s.look, bound, w-4)
	if room := h - 3; len(rows) > room {
		rows = rows[:max(room, 0)]
	}
	rows = append(rows[:len(rows):len(rows)], hints)
	return s.look.Box(s.look.Paint(look.Title, title), "", rows, w, len(rows)+2, true)
}

// choice is a row of a list, marked where it is chosen.
func choice(l *look.Look, chosen bool, text string) string {
	if chosen {
		return l.Paint(look.Accent, " "+l.Glyphs.Folded+" ") + text
	}
	return "   " + text
}

// enterTo is the key that does what a panel is for, with a word for that.
func (s *Stage) enterTo(word string) keys.Binding { return s.bound("stage.panel.enter").Hinted(word) }

// told wraps a remark of a panel that is w cells wide.
func (s *Stage) told(text string, w int) []string {
	return hang(s.look, look.Dim, "  ", "  ", text, w-3)
}

// turned is a value that left and right change.
func turned(l *look.Look, value string) string {
	if l.ASCII {
		return l.Paint(look.Key, "< ") + value + l.Paint(look.Key, " >")
	}
	return l.Paint(look.Key, "‹ ") + value + l.Paint(look.Key, " ›")
}

// window is the part of a list of n rows that is shown in h, with the row at in
// it.
func window(at, n, h int) (from, to int) {
	if n <= h {
		return 0, n
	}
	from = min(max(at-h/2, 0), n-h)
	return from, from + h
}

// pressSheet takes a key for the panel: text first, where it takes some.
func (s *Stage) pressSheet(k tea.KeyPressMsg) tea.Cmd {
	s.stale(composerPart)
	if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 && s.sheet.write(s, k.Text) {
		return nil
	}
	if keys.Name(k) == "backspace" && s.sheet.write(s, "\b") {
		return nil
	}
	cmd, _ := s.keys.Press(s, k, s.scopes()...)
	return cmd
}

// onSheet is a command of the panel that is open.
func onSheet(name, does string, dx, dy int, on ...string) command {
	return plain(name, does, func(s *Stage) {
		if s.sheet != nil {
			s.sheet.move(s, dx, dy)
		}
	}, on...).If(func(s *Stage) bool { return s.sheet != nil })
}

func (s *Stage) enterSheet() tea.Cmd {
	if s.sheet == nil {
		return nil
	}
	return s.sheet.enter(s)
}

// onKind is a command of one kind of panel.
func onKind[T sheet](name, does string, do func(*Stage, T) tea.Cmd, on ...string) command {
	return act(name, does, func(s *Stage) tea.Cmd {
		if sh, ok := s.sheet.(T); ok {
			return do(s, sh)
		}
		return nil
	}, on...).If(func(s *Stage) bool { _, ok := s.sheet.(T); return ok })
}

// clickSheet takes the mouse while a panel is open: beside it shuts it.
func (s *Stage) clickSheet(m tea.MouseClickMsg) {
	if !s.sheetAt.holds(m.X, m.Y) {
		s.shut()
	}
}

func (s *Stage) wheelSheet(m tea.MouseWheelMsg) {
	switch m.Button {
	case tea.MouseWheelUp:
		s.sheet.move(s, 0, -1)
	case tea.MouseWheelDown:
		s.sheet.move(s, 0, 1)
	}
	s.stale(composerPart)
}
