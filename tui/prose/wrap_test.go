package prose

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"herarena/tui/look"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"Good evening, Mr Darcy.", 10, []string{"Good", "evening,", "Mr Darcy."}},
		{"a\n\nb", 10, []string{"a", "", "b"}},
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{"trailing   ", 20, []string{"trailing"}},
		{"  indented text", 10, []string{"  indented", "text"}},
		{"\tx", 10, []string{"    x"}},
		{"two  spaces", 20, []string{"two  spaces"}},
		{"incomprehensibilities", 8, []string{"incompre", "hensibil", "ities"}},
		{"so incomprehensible", 8, []string{"so", "incompre", "hensible"}},
		{"well-known thing", 8, []string{"well-", "known", "thing"}},
		{"minus -5", 7, []string{"minus", "-5"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"漢字漢字。", 8, []string{"漢字漢", "字。"}},
		{"漢字「漢字」", 6, []string{"漢字", "「漢", "字」"}},
		{"漢", 1, []string{tooWide}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"👩‍👩‍👧👩‍👩‍👧", 3, []string{"👩‍👩‍👧", "👩‍👩‍👧"}},
		{"abc漢字", 5, []string{"abc漢", "字"}},
		{"x", 0, []string{"x"}},
		{"xy", -1, []string{"x", "y"}},
	} {
		if got := Wrap(c.in, c.width); !slices.Equal(got, c.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// words draws lines with all that makes wrapping hard.
func words() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			" ", " ", "  ", "a", "word", "longer-word", "incomprehensibilities", "漢", "字。", "「", "」", "é", "e\u0301",
			"👩‍👩‍👧", "❤️", "\t", "-", "--", "…", ".", ",", "*", "**", "_", "`", "\\*", "\\", "🇫🇷", "\u0301", "한국",
		}), 0, 40).Draw(t, "words"), "")
	})
}

// ink returns what a text draws, spaces aside.
func ink(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func TestWrapKeepsTextAndWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := words().Draw(t, "s"), rapid.IntRange(2, 30).Draw(t, "w")
		rows := Wrap(s, w)
		for _, r := range rows {
			if look.Width(r) > w {
				t.Fatalf("Wrap(%q, %d) has the row %q of %d cells", s, w, r, look.Width(r))
			}
			if strings.HasSuffix(r, " ") {
				t.Fatalf("Wrap(%q, %d) has the row %q with a space at its end", s, w, r)
			}
		}
		if got := ink(strings.Join(rows, "")); got != ink(s) {
			t.Fatalf("Wrap(%q, %d) gives the text %q", s, w, got)
		}
	})
}

func TestFlowGivesTheSameHoweverTheLineGrows(t *testing.T) {
	m := newMarks(look.New(look.Options{Dark: true, Colour: look.Full}))
	rapid.Check(t, func(t *rapid.T) {
		s, w := words().Draw(t, "s"), rapid.IntRange(1, 30).Draw(t, "w")
		var with *marks
		if rapid.Bool().Draw(t, "marks") {
			with = m
		}
		whole := flow{width: w, marks: with}
		whole.feed(s, true)
		grown := flow{width: w, marks: with}
		for at := 0; at < len(s); {
			at += rapid.IntRange(1, 9).Draw(t, "step")
			at = min(at, len(s))
			for at < len(s) && s[at]&0xc0 == 0x80 { // whole runes, as guard gives them
				at++
			}
			grown.feed(s[:at], false)
			for _, r := range grown.rows {
				if look.Width(r) > w {
					t.Fatalf("row %q is wider than %d", r, w)
				}
			}
		}
		grown.feed(s, true)
		if !slices.Equal(grown.rows, whole.rows) {
			t.Fatalf("%q at %d grew to %q, at once it is %q", s, w, grown.rows, whole.rows)
		}
	})
}

func TestWrappedGrowsToWhatWrapReturns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(words(), 0, 4).Draw(t, "lines"), "\n")
		var w Wrapped
		var last []string
		for at := 0; at < len(text); {
			at = min(at+rapid.IntRange(1, 20).Draw(t, "step"), len(text))
			for at < len(text) && text[at]&0xc0 == 0x80 {
				at++
			}
			width := 12
			if rapid.IntRange(0, 9).Draw(t, "resize") == 0 {
				width = 7
			}
			rows, same := w.Rows(text[:at], width)
			if want := Wrap(text[:at], width); !slices.Equal(rows, want) {
				t.Fatalf("%q at %d: %q, want %q", text[:at], width, rows, want)
			}
			if same > len(last) || same > len(rows) || !slices.Equal(rows[:same], last[:same]) {
				t.Fatalf("%q: %d rows are told to be as before, which was %q", rows, same, last)
			}
			last = slices.Clone(rows)
		}
	})
}

func TestMarksDrawEmphasisWhileItIsWritten(t *testing.T) {
	l := look.New(look.Options{Colour: look.ANSI16})
	em, st, off := "\x1b[3m", "\x1b[1m", "\x1b[m"
	code := l.Open(look.Code)
	for in, want := range map[string]string{
		"*smiles* Sir":           em + "smiles" + off + " Sir",
		"*smil":                  em + "smil" + off,
		"a *":                    "a",
		"a **":                   "a",
		"**no** and _yes_":       st + "no" + off + " and " + em + "yes" + off,
		"***both***":             st + em + "both" + off,
		"2 * 3 * 4":              "2 * 3 * 4",
		"snake_case_name":        "snake_case_name",
		"`a*b`":                  code + "a*b" + off,
		"\\*not\\*":              "*not*",
		"**** four":              "**** four",
		"*two words* end":        em + "two" + off + " " + em + "words" + off + " end",
		"un*frigging*believable": "un" + em + "frigging" + off + "believable",
	} {
		f := flow{width: 60, marks: newMarks(l)}
		f.feed(in, false)
		if got := strings.Join(f.rows, "|"); got != want {
			t.Errorf("%q is drawn %q, want %q", in, got, want)
		}
	}
}
