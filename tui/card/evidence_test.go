package card

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/arena/layers"
)

func TestQuotesInATextAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{`He says "good evening" twice.`, "good evening"},
		{"Er sagt „guten Abend“ und «bonsoir».", "guten Abend|bonsoir"},
		{"她说「晚上好」，又说『再见』。", "晚上好|再见"},
		{"It's his coat, and the captain's 'cold hands' show.", "cold hands"},
		{"‘it isn’t mine’, she says", "it isn’t mine"},
		{`an "open quote without an end`, ""},
		{`""`, ""},
		{"“over\n\nparagraphs”", ""},
		{"", ""},
	} {
		var got []string
		for _, q := range quotes(c.text) {
			got = append(got, c.text[q.from:q.to])
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: %q, want %q", c.text, s, c.want)
		}
	}
}

// replyA and replyB are what the critics of these tests quote from.
var (
	replyA = []layers.Segment{
		{Layer: layers.System, Text: "the secret plan is to stay wary"},
		{Layer: layers.Think, Text: "He is soaked to the bone and still counts his words."},
		{Layer: layers.Act, Text: "turns the ledger"},
		{Layer: layers.Speech, Text: "One berth is *left*,\nCaptain… It’s got a name — already."},
	}
	replyB = []layers.Segment{{Layer: layers.Speech, Text: "Good evening, Captain Roe. 晚上好，船长。"}}
)

func TestEvidenceIsFoundWhereItStands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		f          field
		side       arena.Side
		want       string // as it stands in the reply, "" for none
		segment    int
	}{
		{"as written", `Her thought, "still counts his words", shows.`, ofA, arena.A, "still counts his words", 1},
		{"other case and quotes", "‘STILL   counts\nhis words’", ofA, arena.A, "still counts his words", 1},
		{"emphasis and lines", `says "one berth is left, captain"`, ofA, arena.A, "One berth is *left*,\nCaptain", 3},
		{"apostrophe and dash", `"it's got a name - already"`, ofA, arena.A, "It’s got a name — already", 3},
		{"punctuation at the ends", `"Captain Roe!"`, ofB, arena.B, "Captain Roe", 0},
		{"in the other reply", `unlike "good evening"`, ofA, arena.B, "Good evening", 0},
		{"the longest that is there", `"he stands soaked to the bone and still laughs"`, ofA, arena.A, "soaked to the bone and still", 1},
		{"pieces around an ellipsis", `"One berth ... already gone"`, ofA, arena.A, "One berth", 3},
		{"without spaces", "“晚上好，船长”", ofB, arena.B, "晚上好，船长", 0},
		{"across segments, as far as it goes", `"turns the ledger. One berth"`, ofA, arena.A, "turns the ledger", 2},
		{"across segments, as the critic read it", `"turns the ledger One berth"`, ofA, arena.A, "turns the ledger", 2},
		{"no part of a word", `"erth is le"`, ofA, arena.A, "", 0},
		{"what a critic never sees", `"the secret plan is to stay wary"`, ofA, arena.A, "", 0},
		{"nothing of the sort", `"a stock phrase"`, ofB, arena.B, "", 0},
		{"too short to tell", `"a" and "it"`, ofA, arena.A, "", 0},
	} {
		l := New(plain())
		l.SetReplies(replyA, replyB)
		got := l.quoted(c.f, c.text)
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: found %q", c.name, got[0].Text)
		case c.want != "" && len(got) != 1:
			t.Errorf("%s: %d quotes found, want %q", c.name, len(got), c.want)
		case c.want != "":
			e := got[0]
			seg := map[arena.Side][]layers.Segment{arena.A: replyA, arena.B: replyB}[e.Side][e.Segment]
			if e.Side != c.side || e.Segment != c.segment || e.Text != c.want || !strings.HasPrefix(seg.Text[e.Offset:], e.Text) || e.Layer != seg.Layer {
				t.Errorf("%s: %+v, want %q of segment %d of %s", c.name, e, c.want, c.segment, c.side)
			}
		}
	}
}

// quoting is a list of three cards; the first and the third quote.
func quoting() *List {
	v := verdicts("x", "y", "z")
	v[0].Comparisons[0].First = `a thought, "counts his words", and "no such words", and “One berth”`
	v[0].Comparisons[2].Reason = `it says "Good evening"`
	l := New(plain())
	l.Set(v, false)
	l.SetReplies(replyA, replyB)
	return l
}

func TestQuotesAreWalkedOverCards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{".", "[x*] y z: counts his words"},
		{". .", "[x*] y z: One berth"},
		{". . .", "x* y [z*]: Good evening"},
		{". . . .", "[x*] y z*: counts his words"},
		{",", "x y [z*]: Good evening"},
		{", ,", "[x*] y z*: One berth"},
		{"down .", "x y [z*]: Good evening"},
		{". down", "x* [y] z: "},
		{". left", "[x] y z: "},
		{". x x", "[x*] y z: "}, // the second order alone quotes nothing
		{"x .", "[x*] y z: counts his words"},
		{"x x .", "[x] y z: "},
	} {
		l := quoting()
		for _, key := range strings.Fields(c.keys) {
			l.Press(key)
		}
		e, _ := l.Chosen()
		if got := state(l) + ": " + e.Text; got != c.want {
			t.Errorf("%q: %s, want %s", c.keys, got, c.want)
		}
	}
}

func TestAClickOnAQuoteJumps(t *testing.T) {
	t.Parallel()
	for _, w := range []int{60, 120} {
		l := quoting()
		l.Press("o")
		jumped := map[string]bool{}
		for y, row := range l.View(w, 60, true) {
			plain := ansi.Strip(row)
			for _, q := range []string{"counts his words", "One berth", "Good evening", "no such words"} {
				i := strings.Index(plain, q)
				if i < 0 {
					continue
				}
				e, jump, took := l.ClickAt(ansi.StringWidth(plain[:i])+1, y)
				if !took {
					t.Errorf("width %d: the click on %q is not taken", w, q)
				}
				if jump {
					jumped[e.Text] = true
				}
			}
		}
		if len(jumped) != 3 || jumped["no such words"] {
			t.Errorf("width %d: clicks jumped to %v", w, jumped)
		}
	}
}

func TestAChosenQuoteInATallCardIsSeen(t *testing.T) {
	t.Parallel()
	v := verdicts("x", "y")
	v[0].Comparisons[0].Second = strings.Repeat("much is said here. ", 60) + `and "Good evening" at last`
	l := New(plain())
	l.Set(v, false)
	l.SetReplies(replyA, replyB)
	l.View(60, 8, true)
	l.Press(".")
	if view := strings.Join(l.View(60, 8, true), "\n"); !strings.Contains(ansi.Strip(view), "evening") {
		t.Errorf("the chosen quote is not seen:\n%s", view)
	}
}

// TestQuotesNeverPanic: any text, any reply; what is found is in bounds.
func TestQuotesNeverPanic(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"“", "”", "\"", "'", "’", "word ", "İstanbul ", "晚上", "…", "*", "\n", "\xff", "ẞ", " ", "a", "\u0301", "one two three "})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "") })
	rapid.Check(t, func(t *rapid.T) {
		l := New(plain())
		l.SetReplies([]layers.Segment{{Layer: layers.Act, Text: text.Draw(t, "a")}, {Layer: layers.Speech, Text: text.Draw(t, "b")}}, nil)
		shown := shownText(l.look, text.Draw(t, "analysis"))
		for _, e := range l.quoted(ofReason, shown) {
			if e.in.from < 0 || e.in.to > len(shown) || e.in.from >= e.in.to || !utf8.ValidString(shown[e.in.from:e.in.to]) {
				t.Fatalf("out of bounds: %+v of %q", e, shown)
			}
		}
	})
}
