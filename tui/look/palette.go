package look

import (
	"strconv"
	"strings"
)

// Role is what a piece of text means.
type Role uint8

// The roles. Layers of a reply have a role each; Text is unstyled.
const (
	Text   Role = iota
	Title       // headings, the name of the program
	Dim         // asides: counters, hints, timings
	Accent      // what the eye should find first
	SideA       // contestant A
	SideB       // contestant B
	System      // system thinking: the plan
	Native      // the model's own reasoning
	Think       // role thinking
	Act         // role action
	Speech      // what is said
	Good        // merits, success
	Bad         // faults, failure
	Warn        // flips, cut-offs, doubts
	Border
	BorderFocus
	Selected // the chosen row
	Key      // a key to press
	Input    // what the person types
	Quote    // quoted evidence
	Code     // code in prose
	Link     // an address
	Cursor   // the caret where the terminal's own is not used
	Badge    // a small mark on colour, such as "12 new"
	roles
)

func (r Role) clamp() Role {
	if r >= roles {
		return Text
	}
	return r
}

// attr is a set of SGR attributes.
type attr uint8

const (
	bold attr = 1 << iota
	faint
	italic
	underline
	reverse
)

var attrCodes = [...]struct {
	a    attr
	code string
}{{bold, "1"}, {faint, "2"}, {italic, "3"}, {underline, "4"}, {reverse, "7"}}

// spec is a role before it is prepared: hex colours for dark and light
// backgrounds from the theme, the ANSI colour for each, and the weight. mono
// replaces the weight where there is no colour.
type spec struct {
	dark, light     string
	dark16, light16 int8 // 1 to 15; 0 is the terminal's foreground
	bgDark, bgLight string
	bg16            bool // reversed with sixteen colours
	attrs, mono     attr
}

// specs are what all themes share: weights and the sixteen colours.
var specs = [roles]spec{
	Text:        {},
	Title:       {attrs: bold, mono: bold},
	Dim:         {dark16: 7, light16: 8, mono: faint},
	Accent:      {dark16: 13, light16: 5, attrs: bold, mono: bold},
	SideA:       {dark16: 11, light16: 3, attrs: bold, mono: bold},
	SideB:       {dark16: 14, light16: 4, attrs: bold, mono: bold},
	System:      {dark16: 7, light16: 8, mono: faint},
	Native:      {dark16: 7, light16: 8, mono: faint},
	Think:       {dark16: 13, light16: 5, attrs: italic, mono: italic},
	Act:         {dark16: 11, light16: 3, attrs: bold, mono: bold},
	Speech:      {},
	Good:        {dark16: 10, light16: 2},
	Bad:         {dark16: 9, light16: 1, attrs: bold, mono: bold},
	Warn:        {dark16: 11, light16: 3, mono: underline},
	Border:      {dark16: 8, light16: 8, mono: faint},
	BorderFocus: {dark16: 13, light16: 5, mono: bold},
	Selected:    {bg16: true, attrs: bold, mono: bold | reverse},
	Key:         {dark16: 13, light16: 5, attrs: bold, mono: bold},
	Input:       {},
	Quote:       {dark16: 7, light16: 8, attrs: italic, mono: italic},
	Code:        {dark16: 14, light16: 6},
	Link:        {dark16: 14, light16: 4, attrs: underline, mono: underline},
	Cursor:      {attrs: reverse, mono: reverse},
	Badge:       {bg16: true, attrs: bold, mono: bold | reverse},
}

// attributes returns the weight under o.
func (s spec) attributes(o Options) attr {
	switch {
	case o.Colour == NoColour:
		return s.mono
	case o.Colour == ANSI16 && s.bg16:
		return s.attrs | reverse
	}
	return s.attrs
}

// foreground returns the colour under o, as hex or an ANSI number.
func (s spec) foreground(o Options) string {
	hex, ansi := s.light, s.light16
	if o.Dark {
		hex, ansi = s.dark, s.dark16
	}
	switch {
	case o.Colour == Full:
		return hex
	case o.Colour == ANSI16 && ansi > 0 && !s.bg16:
		return strconv.Itoa(int(ansi))
	}
	return ""
}

// background returns the background under o, only at Full.
func (s spec) background(o Options) string {
	switch {
	case o.Colour != Full:
		return ""
	case o.Dark:
		return s.bgDark
	}
	return s.bgLight
}

// sgr builds the opening sequence.
func (s spec) sgr(o Options) string {
	var codes []string
	a := s.attributes(o)
	for _, c := range attrCodes {
		if a&c.a != 0 {
			codes = append(codes, c.code)
		}
	}
	if c := s.foreground(o); c != "" {
		codes = append(codes, colourCode(c, 38))
	}
	if c := s.background(o); c != "" {
		codes = append(codes, colourCode(c, 48))
	}
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// colourCode writes a colour as SGR parameters; base is 38 or 48.
func colourCode(c string, base int) string {
	if r, g, b, ok := parseHex(c); ok {
		return strings.Join([]string{
			strconv.Itoa(base), "2",
			strconv.Itoa(int(r)), strconv.Itoa(int(g)), strconv.Itoa(int(b)),
		}, ";")
	}
	n, err := strconv.Atoi(c)
	if err != nil || n < 0 || n > 15 {
		return strconv.Itoa(base + 1) // the terminal's own
	}
	if n < 8 {
		return strconv.Itoa(base - 8 + n)
	}
	return strconv.Itoa(base + 52 + n - 8)
}

// parseHex reads #rrggbb.
func parseHex(s string) (r, g, b uint8, ok bool) {
	if len(s) != 7 || s[0] != '#' {
		return 0, 0, 0, false
	}
	v, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return 0, 0, 0, false
	}
	return uint8(v >> 16), uint8(v >> 8), uint8(v), true
}
