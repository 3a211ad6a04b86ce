// Package look is how the arena looks: themes for dark and light terminals,
// styles by meaning, glyphs with ASCII stand-ins, and the few drawing helpers
// every screen shares.
//
// Styles are prebuilt SGR sequences, so that painting is concatenation; no
// style measures text. Meaning never rests on colour alone: the layers of a
// reply differ by glyph and weight too, and sides by their letters.
package look

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
)

// Level is how much colour to use.
type Level uint8

// The levels of colour. Terminals with fewer colours than Full assumes are
// served by Bubble Tea's own down-sampling; ANSI16 is for people whose terminal
// theme should decide the shades.
const (
	NoColour Level = iota // weight and glyphs only
	ANSI16                // the terminal's own sixteen colours
	Full                  // the palette, 24 bit
)

// Options choose a look.
type Options struct {
	Dark   bool   // the terminal's background is dark
	Colour Level  // how much colour
	ASCII  bool   // draw with ASCII only
	Theme  string // by name; "" or an unknown one is DefaultTheme
}

// Look holds the prepared styles and glyphs. It is immutable and may be shared.
type Look struct {
	Options
	Glyphs Glyphs
	theme  *Theme
	styles [roles]style
	frame  [2]frame
}

// style is one role, prepared.
type style struct {
	open  string
	spec  spec
	plain bool // nothing to paint
}

// reset closes every style: one sequence for all makes nesting easy to mend.
const reset = "\x1b[m"

// New prepares a look.
func New(o Options) *Look {
	l := &Look{theme: theme(o.Theme), Glyphs: unicodeGlyphs()}
	o.Theme = l.theme.Name
	if l.theme.own16 {
		o.Colour = min(o.Colour, ANSI16)
	}
	l.Options = o
	if o.ASCII {
		l.Glyphs = asciiGlyphs()
	}
	for r := range roles {
		s := l.theme.spec(r)
		open := s.sgr(o)
		l.styles[r] = style{open: open, spec: s, plain: open == ""}
	}
	l.frame[0] = newFrame(l, false)
	l.frame[1] = newFrame(l, true)
	return l
}

// Paint styles s in a role. Line feeds and styles within s are respected: the
// role is taken up again behind them, so that every line stands alone.
func (l *Look) Paint(role Role, s string) string {
	st := &l.styles[role.clamp()]
	if s == "" || st.plain {
		return s
	}
	if strings.Contains(s, "\x1b[") {
		s = strings.ReplaceAll(s, "\x1b[0m", reset)
		s = strings.ReplaceAll(s, reset, reset+st.open)
		s = strings.TrimSuffix(s, reset+st.open)
	}
	if strings.IndexByte(s, '\n') >= 0 {
		s = strings.ReplaceAll(s, "\n", reset+"\n"+st.open)
	}
	return st.open + s + reset
}

// Open returns the sequence that begins a role, empty when it has none.
func (l *Look) Open(role Role) string { return l.styles[role.clamp()].open }

// Close returns the sequence that ends a role, empty when it has none.
func (l *Look) Close(role Role) string {
	if l.styles[role.clamp()].plain {
		return ""
	}
	return reset
}

// ColourOf returns a role's foreground, nil where the terminal's own is used.
func (l *Look) ColourOf(role Role) color.Color {
	c := l.styles[role.clamp()].spec.foreground(l.Options)
	if c == "" {
		return nil
	}
	return lipgloss.Color(c)
}

// ColourName returns a role's foreground as #rrggbb or the number of an ANSI
// colour, empty where the terminal's own is used.
func (l *Look) ColourName(role Role) string { return l.styles[role.clamp()].spec.foreground(l.Options) }

// Style returns a role as a Lip Gloss style, for components that want one.
func (l *Look) Style(role Role) lipgloss.Style {
	s := l.styles[role.clamp()].spec
	a := s.attributes(l.Options)
	st := lipgloss.NewStyle()
	if c := s.foreground(l.Options); c != "" {
		st = st.Foreground(lipgloss.Color(c))
	}
	if c := s.background(l.Options); c != "" {
		st = st.Background(lipgloss.Color(c))
	}
	return st.Bold(a&bold != 0).Faint(a&faint != 0).Italic(a&italic != 0).
		Underline(a&underline != 0).Reverse(a&reverse != 0)
}
