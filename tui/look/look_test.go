package look

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// grounds are backgrounds people have: black, two greys, Solarized.
var grounds = map[bool][]string{
	true:  {"#000000", "#1e1e1e", "#282c34", "#002b36"},
	false: {"#ffffff", "#fafafa", "#fdf6e3"},
}

// luminance is the relative luminance of WCAG 2.1.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	r, g, b, ok := parseHex(hex)
	if !ok {
		t.Fatalf("%q is no colour", hex)
	}
	lin := func(v uint8) float64 {
		c := float64(v) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

// contrast is the contrast ratio of WCAG 2.1, 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestTextStandsOutFromItsBackground(t *testing.T) {
	for _, theme := range themes {
		for role := range roles {
			for _, dark := range []bool{true, false} {
				o := Options{Dark: dark, Colour: Full}
				s := theme.spec(role)
				own := theme.light
				if dark {
					own = theme.dark
				}
				fg, on := s.foreground(o), grounds[dark]
				if own.bg != "" {
					on = append(on[:len(on):len(on)], own.bg)
				}
				if fg == "" {
					if fg = own.fg; fg == "" {
						continue
					}
					on = []string{own.bg} // its own text stands on its own ground alone
				}
				if bg := s.background(o); bg != "" {
					on = []string{bg}
				}
				want := 4.5
				if role == Border {
					want = 3 // a line, no text: WCAG 1.4.11
				}
				if theme.Name == "contrast" {
					want = 7 // AAA
					if role == Border {
						want = 4.5
					}
				}
				for _, bg := range on {
					if c := contrast(t, fg, bg); c < want-1e-9 {
						t.Errorf("%s, role %d, dark %v: %s on %s has a contrast of %.2f, want %.1f", theme.Name, role, dark, fg, bg, c, want)
					}
				}
			}
		}
	}
}

func TestThereAreSixThemesWithNames(t *testing.T) {
	seen := map[string]bool{}
	for _, theme := range Themes() {
		if theme.Name == "" || theme.About == "" || seen[theme.Name] {
			t.Errorf("theme %+v lacks a name or words, or has another's", theme)
		}
		seen[theme.Name] = true
		if !HasTheme(theme.Name) || New(Options{Theme: theme.Name}).Theme != theme.Name {
			t.Errorf("%s is not found by its name", theme.Name)
		}
	}
	if len(seen) < 6 || ThemeNames()[0] != DefaultTheme {
		t.Errorf("themes are %v, want six, the default one first", ThemeNames())
	}
	if l := New(Options{Theme: "no such theme"}); l.Theme != DefaultTheme || HasTheme("no such theme") {
		t.Errorf("an unknown theme gave %q", l.Theme)
	}
}

func TestOnlyThemesWithAGroundPaintIt(t *testing.T) {
	for _, o := range []Options{{}, {Colour: ANSI16, Theme: "paper"}, {Colour: Full}, {Colour: Full, Theme: "terminal"}} {
		if _, _, ok := New(o).Ground(); ok {
			t.Errorf("%+v paints the background", o)
		}
	}
	for _, dark := range []bool{true, false} {
		if fg, bg, ok := New(Options{Colour: Full, Dark: dark, Theme: "paper"}).Ground(); !ok || contrast(t, fg, bg) < 7 {
			t.Errorf("paper, dark %v: text %s on %s, ok %v", dark, fg, bg, ok)
		}
	}
}

func TestSidesStayApartForTheColourBlind(t *testing.T) {
	// Deuteranopes and protanopes see blue against yellow: the sides must
	// differ there, which is roughly blue less the mean of red and green.
	for _, theme := range themes {
		for _, dark := range []bool{true, false} {
			o := Options{Dark: dark, Colour: Full}
			if theme.own16 {
				continue
			}
			axis := func(role Role) float64 {
				r, g, b, _ := parseHex(theme.spec(role).foreground(o))
				return float64(b) - (float64(r)+float64(g))/2
			}
			if d := math.Abs(axis(SideA) - axis(SideB)); d < 80 {
				t.Errorf("%s, dark %v: the sides are only %.0f apart from blue to yellow", theme.Name, dark, d)
			}
		}
	}
}

func TestLayersDifferWithoutColour(t *testing.T) {
	for _, o := range []Options{{}, {ASCII: true}, {Dark: true, Colour: ANSI16}, {Colour: Full}} {
		l := New(o)
		seen := map[string]string{}
		for name, s := range map[string]string{
			"plan":   l.Glyphs.Plan + attrsOf(o, System),
			"think":  l.Glyphs.Think + attrsOf(o, Think),
			"act":    l.Glyphs.Act + attrsOf(o, Act),
			"speech": l.Glyphs.Speech + attrsOf(o, Speech),
		} {
			if other, ok := seen[s]; ok {
				t.Errorf("%+v: %s and %s look the same: %q", o, name, other, s)
			}
			seen[s] = name
		}
		if attrsOf(o, Think) == attrsOf(o, Speech) || attrsOf(o, Act) == attrsOf(o, Think) || attrsOf(o, Act) == attrsOf(o, Speech) {
			t.Errorf("%+v: thought, action and speech have no weight of their own", o)
		}
	}
}

func attrsOf(o Options, r Role) string { return string(rune('0' + specs[r].attributes(o))) }

func TestGlyphsAreOneCellWide(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		g := reflect.ValueOf(New(Options{ASCII: ascii}).Glyphs)
		check := func(name, s string) {
			if s != "" && Width(s) != 1 {
				t.Errorf("glyph %s %q is %d cells wide", name, s, Width(s))
			}
			if ascii && strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
				t.Errorf("glyph %s %q is no ASCII", name, s)
			}
		}
		for i := range g.NumField() {
			name, f := g.Type().Field(i).Name, g.Field(i)
			switch f.Kind() {
			case reflect.String:
				check(name, f.String())
			default:
				for j := range f.Len() {
					check(name, f.Index(j).String())
				}
			}
		}
	}
}

func TestPaintKeepsItsRoleBehindInnerStylesAndLineFeeds(t *testing.T) {
	l := New(Options{Colour: ANSI16, Dark: true})
	open := l.Open(Good)
	for in, want := range map[string]string{
		"":                        "",
		"plain":                   open + "plain\x1b[m",
		"a\nb":                    open + "a\x1b[m\n" + open + "b\x1b[m",
		"a\x1b[1mb\x1b[mc":        open + "a\x1b[1mb\x1b[m" + open + "c\x1b[m",
		"a\x1b[1mb\x1b[0m":        open + "a\x1b[1mb\x1b[m",
		l.Paint(Text, "no style"): open + "no style\x1b[m",
	} {
		if got := l.Paint(Good, in); got != want {
			t.Errorf("Paint(%q) = %q, want %q", in, got, want)
		}
	}
	if got := New(Options{}).Paint(Good, "x"); got != "x" {
		t.Errorf("a role without a style in monochrome gave %q", got)
	}
	if got := l.Paint(Role(200), "x"); got != "x" {
		t.Errorf("an unknown role gave %q", got)
	}
}

func TestNoColourWritesNoColour(t *testing.T) {
	l := New(Options{Dark: true})
	for r := range roles {
		for _, code := range strings.FieldsFunc(l.Open(r), func(c rune) bool { return c < '0' || c > '9' }) {
			if len(code) > 1 {
				t.Errorf("role %d uses SGR %s without colour", r, code)
			}
		}
		if l.ColourOf(r) != nil {
			t.Errorf("role %d has a colour without colour", r)
		}
	}
}

func TestStyleAgreesWithPaint(t *testing.T) {
	for _, o := range []Options{{}, {Dark: true, Colour: ANSI16}, {Colour: ANSI16}, {Dark: true, Colour: Full}, {Colour: Full}} {
		l := New(o)
		for r := range roles {
			got, want := l.Style(r).Render("x"), l.Paint(r, "x")
			if strings.HasPrefix(got, "\x1b[4;") { // Lip Gloss underlines twice
				got = strings.Replace(got, ";4mx", "mx", 1)
			}
			if got != want {
				t.Errorf("%+v role %d: Lip Gloss draws %q, Paint %q", o, r, got, want)
			}
		}
	}
}

// text draws strings with all that makes measuring hard.
func text() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "b c", "漢", "é", "e\u0301", "👩‍👩‍👧", "❤️", "\x1b[31m", "\x1b[1;38;2;1;2;3m", "\x1b[m", "word ", "…", "ｶﾞ", "🇫🇷",
		}), 0, 24).Draw(t, "pieces"), "")
	})
}

func TestWidthIsThatOfTheTerminalLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := text().Draw(t, "s")
		if got, want := Width(s), ansi.StringWidth(s); got != want {
			t.Fatalf("Width(%q) = %d, want %d", s, got, want)
		}
	})
	for _, s := range []string{"\x1b", "\x1b[", "\x1b[31", "\x1b[3\x1b[1mx", "a\x1b]0;t\x07b", "a\tb"} {
		if got, want := Width(s), ansi.StringWidth(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestPadAndTruncateKeepTheirWidth(t *testing.T) {
	l := New(Options{ASCII: true})
	rapid.Check(t, func(t *rapid.T) {
		s, w := text().Draw(t, "s"), rapid.IntRange(-1, 20).Draw(t, "w")
		for _, padded := range []string{Pad(s, w), l.Pad(s, w)} {
			if got := Width(padded); got != max(w, 0) {
				t.Fatalf("padding %q to %d gives %d cells: %q", s, w, got, padded)
			}
		}
		for _, cut := range []string{Truncate(s, w), l.Truncate(s, w)} {
			if got := Width(cut); got > max(w, 0) {
				t.Fatalf("cutting %q to %d leaves %d cells: %q", s, w, got, cut)
			}
		}
		if w > 0 && Width(s) <= w && Truncate(s, w) != s {
			t.Fatalf("Truncate(%q, %d) changed what fits", s, w)
		}
	})
}

func TestBoxIsExactlyItsSize(t *testing.T) {
	looks := []*Look{New(Options{}), New(Options{ASCII: true}), New(Options{Dark: true, Colour: Full})}
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(looks).Draw(t, "look")
		title, right := text().Draw(t, "title"), text().Draw(t, "right")
		rows := rapid.SliceOfN(text(), 0, 6).Draw(t, "rows")
		w, h := rapid.IntRange(-1, 50).Draw(t, "w"), rapid.IntRange(-1, 8).Draw(t, "h")
		box := l.Box(title, right, rows, w, h, rapid.Bool().Draw(t, "focus"))
		if len(box) != max(h, 0) {
			t.Fatalf("%d rows, want %d", len(box), h)
		}
		for i, row := range box {
			if got := Width(row); got != max(w, 0) {
				t.Fatalf("row %d is %d cells, want %d: %q", i, got, w, row)
			}
		}
	})
}

func TestBoxShowsTitlesInItsUpperBorder(t *testing.T) {
	l := New(Options{})
	for w, want := range map[int]string{
		30: "╭ A  her-rl ────── 143 tok/s ╮",
		26: "╭ A  her-rl ── 143 tok/s ╮",
		24: "╭ A  her-rl ────────────╮", // no room for both: the right one goes
		10: "╭ A  he… ╮",
		5:  "╭ … ╮",
		3:  "╭─╮",
		2:  "╭╮",
	} {
		got := ansi.Strip(l.Box("A  her-rl", "143 tok/s", nil, w, 3, false)[0])
		if want = fit(want, w); got != want {
			t.Errorf("width %d: %q, want %q", w, got, want)
		}
	}
}

// fit shortens or lengthens the rule of an expected border to w cells, so that
// the table above need not be counted.
func fit(border string, w int) string {
	for Width(border) > w && strings.Contains(border, "──") {
		border = strings.Replace(border, "──", "─", 1)
	}
	for Width(border) < w && strings.Contains(border, "─") {
		border = strings.Replace(border, "─", "──", 1)
	}
	return border
}

func TestFocusShowsWithoutColour(t *testing.T) {
	l := New(Options{})
	with, without := l.Box("", "", nil, 4, 2, true), l.Box("", "", nil, 4, 2, false)
	if ansi.Strip(with[0]) == ansi.Strip(without[0]) {
		t.Error("the focused box has the same lines as the other")
	}
}

func BenchmarkBox(b *testing.B) {
	l := New(Options{Dark: true, Colour: Full})
	rows := make([]string, 40)
	for i := range rows {
		rows[i] = l.Paint(Think, "He stands as if he owned the room, and the evening with it.")
	}
	b.ReportAllocs()
	for b.Loop() {
		l.Box("A  her-rl", "143 tok/s", rows, 78, 42, true)
	}
}

func BenchmarkWidth(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": "\x1b[3;38;2;1;2;3mHe stands as if he owned the room, and the evening\x1b[m",
		"cjk":   "他站在那里，仿佛整个房间都是他的。他站在那里，仿佛整个房间都是他的。",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Width(s)
			}
		})
	}
}

// TestOurGlyphsAreMeasuredAsClustersAre proves the short way of Width on every
// glyph it knows, alone, among others, and before what may join it.
func TestOurGlyphsAreMeasuredAsClustersAre(t *testing.T) {
	t.Parallel()
	known := 0
	for r := rune(0x80); r < 0x3000; r++ {
		s := string(r)
		if ours(s) == 0 {
			continue
		}
		known++
		for _, text := range []string{s, s + s, "a" + s + "b", s + "\u0301", s + "\ufe0f", s + "\u200d" + s, "\u0301" + s, "é" + s, "漢" + s, "\x1b[1m" + s + "\x1b[m"} {
			if got, want := Width(text), ansi.StringWidth(text); got != want {
				t.Errorf("%q is measured %d, want %d", text, got, want)
			}
		}
	}
	if known < 150 {
		t.Errorf("%d glyphs known, want all lines and blocks", known)
	}
}
