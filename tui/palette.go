package tui

import (
	"github.com/charmbracelet/colorprofile"

	"herarena/tui/look"
)

// setLook changes the look of all screens, if it changes at all.
func (m *Model) setLook(change func(*look.Options)) {
	o := m.look.Options
	change(&o)
	if o == m.look.Options {
		return
	}
	m.look = look.New(o)
	for _, s := range m.stack {
		s.SetLook(m.look)
	}
	if m.help != nil {
		m.help.look = m.look
	}
}

// level maps what the terminal can show to how much colour is used.
func level(p colorprofile.Profile) look.Level {
	switch {
	case p >= colorprofile.ANSI256:
		return look.Full
	case p == colorprofile.ANSI:
		return look.ANSI16
	}
	return look.NoColour
}
