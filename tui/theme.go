package tui

import (
	"image/color"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"herarena/tui/look"
)

// setLook changes the look of all screens, if it changes at all.
func (m *Model) setLook(change func(*look.Options)) {
	o := m.wanted
	change(&o)
	if o == m.wanted {
		return
	}
	m.wanted = o
	m.look = look.New(o)
	for _, s := range m.stack {
		s.SetLook(m.look)
	}
	if m.over != nil {
		m.over.look = m.look
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

// ground returns the colours of text and background for the whole terminal; nil
// leaves its own.
func (m *Model) ground() (fg, bg color.Color) {
	text, back, ok := m.look.Ground()
	if !ok || m.o.KeepBackground {
		return nil, nil
	}
	return lipgloss.Color(text), lipgloss.Color(back)
}

// chooseTheme opens the list of themes; what the choice stands on is shown at
// once, and taken back when the list is left without one.
func (m *Model) chooseTheme() tea.Cmd {
	was := m.wanted.Theme
	set := func(name string) { m.setLook(func(o *look.Options) { o.Theme = name }) }
	f := newFinder(m.look, "Theme")
	for _, t := range look.Themes() {
		name := t.Name
		f.items = append(f.items, item{
			text: name, note: t.About, find: name + " " + t.About, possible: true,
			preview: func() { set(name) },
			do: func() tea.Cmd {
				set(name)
				m.memory.Theme = name
				return tea.Batch(m.remember(), m.say("theme "+name+", remembered", false))
			},
		})
	}
	f.leave = func() { set(was) }
	f.seek("")
	for i, at := range f.shown {
		if f.items[at].text == m.look.Theme {
			f.at = i
		}
	}
	m.over = f
	return nil
}
