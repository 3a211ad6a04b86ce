package tui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"herarena/tui/casting"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/stage"
)

// Memory is what is remembered of the screen between runs.
type Memory struct {
	Theme string         // chosen on the screen, "" for none
	Hints map[string]int // by tip, in how many sittings it was seen
	// Reading is how replies are read: their panels, and what the mouse selects.
	Reading stage.Reading
	Casts   []casting.Pairing // played last, the newest first
}

// enough sittings make a tip known.
const enough = 3

// tipper is a screen with first steps to tell, those of the moment, the
// weightiest first.
type tipper interface{ Tips() []keys.Tip }

// tip is the first step that is to be told now, if any.
func (m *Model) tip() (keys.Tip, bool) {
	t, ok := m.top().(tipper)
	if !ok || !m.o.Hints || m.over != nil {
		return keys.Tip{}, false
	}
	for _, tip := range t.Tips() {
		if n := m.memory.Hints[tip.Name]; n < enough || n == enough && m.seen[tip.Name] {
			return tip, true
		}
	}
	return keys.Tip{}, false
}

// sitting counts a tip that is shown, once in a run.
func (m *Model) sitting(tip keys.Tip) {
	if m.seen[tip.Name] {
		return
	}
	m.seen[tip.Name] = true
	m.memory.Hints[tip.Name]++
	m.unsaved = true
}

// followed ends the tips that a command is about.
func (m *Model) followed(action string) tea.Cmd {
	t, ok := m.top().(tipper)
	if !ok || action == "" {
		return nil
	}
	for _, tip := range t.Tips() {
		for _, a := range tip.Actions {
			if a == action && m.memory.Hints[tip.Name] <= enough {
				m.memory.Hints[tip.Name] = enough + 1
				m.unsaved = true
			}
		}
	}
	if !m.unsaved {
		return nil
	}
	return m.remember()
}

// remember hands a copy of the memory to whoever keeps it, off the loop of the
// screen, the newest last.
func (m *Model) remember() tea.Cmd {
	m.unsaved = false
	if m.o.Remember == nil {
		return nil
	}
	kept := Memory{Theme: m.memory.Theme, Hints: map[string]int{}, Reading: m.memory.Reading, Casts: m.memory.Casts}
	for name, n := range m.memory.Hints {
		kept.Hints[name] = n
	}
	m.saves.issued++
	mine, saves, save := m.saves.issued, &m.saves, m.o.Remember
	return func() tea.Msg {
		saves.mu.Lock()
		defer saves.mu.Unlock()
		if mine < saves.done {
			return nil // a newer one is kept already
		}
		saves.done = mine
		if err := save(kept); err != nil {
			return rememberFailed{err}
		}
		return nil
	}
}

// rememberFailed says that the memory could not be kept.
type rememberFailed struct{ err error }

func (m *Model) tellAgain() tea.Cmd {
	clear(m.memory.Hints)
	clear(m.seen)
	m.o.Hints = true
	return tea.Batch(m.remember(), m.say("the first steps are told again", false))
}

// layTip writes a tip on its row, at the right, where nothing but a border
// stands; it never covers a word.
func (m *Model) layTip(rows []string) {
	tip, ok := m.tip()
	if !ok || tip.Row < 0 || tip.Row >= len(rows) {
		return
	}
	l := m.look
	if b := m.keys.Get(tip.Name); len(b.Keys) > 0 { // of everywhere: the screen does not know its key
		tip.Says = keys.Show(b.Keys[0]) + ": " + tip.Says
	}
	text := " " + l.Paint(look.Accent, l.Glyphs.Prompt) + " " + l.Paint(look.Dim, l.Truncate(tip.Says, m.w-8)) + " "
	x := m.w - tip.Right - look.Width(text) - 2
	under := ansi.Strip(ansi.Cut(rows[tip.Row], x-2, m.w-tip.Right))
	if strings.ContainsFunc(under, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return
	}
	m.sitting(tip)
	look.Lay(rows, []string{text}, x, tip.Row, m.w)
}
