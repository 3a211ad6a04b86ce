package stage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// at finds the cell at which text stands on the screen, on a side's half.
func (p *prop) at(t testing.TB, text string, side arena.Side) (x, y int) {
	t.Helper()
	for y, row := range strings.Split(p.screen(t), "\n") {
		from := p.layout.sides[side].x
		half := ansi.Cut(row, from, from+p.layout.sides[side].w)
		if before, _, ok := strings.Cut(half, text); ok {
			return from + ansi.StringWidth(before), y
		}
	}
	t.Fatalf("%q is not on side %v:\n%s", text, side, p.screen(t))
	return 0, 0
}

func (p *prop) mouse(msg tea.Msg) { p.run(p.Update(msg)) }

func (p *prop) down(x, y int) { p.mouse(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
func (p *prop) move(x, y int) { p.mouse(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft}) }
func (p *prop) up(x, y int)   { p.mouse(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft}) }

// spoken is a stage of one turn in which A says a text.
func spoken(t testing.TB, w, h int, text string, change ...func(*Options)) *prop {
	p := set(t, w, h, change...)
	take := stagetest.Take{Segments: []layers.Segment{
		{Layer: layers.System, Text: "A plan."},
		{Layer: layers.Think, Text: "A thought that is rather long, so that it takes two rows or three of a narrow panel."},
		{Layer: layers.Act, Text: "turns the page"},
		{Layer: layers.Speech, Text: text},
	}}
	p.tell(opened(1, "The line."), started(1, arena.A, 0), started(1, arena.B, 0), ended(1, arena.A, 0, take), ended(1, arena.B, 0, stagetest.Bare()))
	p.screen(t)
	return p
}

func TestDraggingSelectsTheTextAndNotTheScreen(t *testing.T) {
	t.Parallel()
	const speech = "The *ebb* sets in at nine, and whoever is not aboard by then will stay in this harbour until the spring.\n\nChoose, Captain."
	for _, c := range []struct{ from, to, want string }{
		{"ebb", "sets", "ebb s"},
		{"The ebb", "aboard", "The ebb sets in at nine, and whoever is not a"},
		{"sets in", "Choose", "sets in at nine, and whoever is not aboard by then will stay in this harbour until the spring.\n\nC"},
		{"Choose", "sets in", "sets in at nine, and whoever is not aboard by then will stay in this harbour until the spring.\n\nC"},
		{"A thought", "turns the", "A thought that is rather long, so that it takes two rows or three of a narrow panel.\nt"},
		{"line.", "rather", "line.\nA thought that is r"},
	} {
		p := spoken(t, 120, 40, speech)
		x, y := p.at(t, c.from, arena.A)
		p.down(x, y)
		x, y = p.at(t, c.to, arena.A)
		p.move(x, y)
		p.up(x, y)
		if got := p.selected(); got != c.want {
			t.Errorf("from %q to %q: %q, want %q", c.from, c.to, got, c.want)
		}
		if len(p.copied) != 0 {
			t.Errorf("copied though that is off: %q", p.copied)
		}
		p.screen(t)
		p.press("y")
		if len(p.copied) != 1 || p.copied[0] != c.want {
			t.Errorf("y copies %q", p.copied)
		}
		p.press("esc")
		if p.selection.on {
			t.Error("esc leaves the selection")
		}
	}
}

func TestSelectionsStandOut(t *testing.T) {
	t.Parallel()
	for _, o := range []look.Options{{Dark: true, Colour: look.Full}, {}} {
		p := spoken(t, 120, 40, "One two three.", func(opt *Options) { opt.Look = look.New(o) })
		x, y := p.at(t, "two", arena.A)
		p.down(x, y)
		p.move(x+2, y)
		if s := p.View(); !strings.Contains(s, p.look.Paint(look.Selected, "two")) {
			t.Errorf("%+v: the selection does not stand out", o)
		}
		p.screen(t)
	}
}

func TestClicksTakeWordAndParagraph(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, at    string
		word, whole string
	}{
		{"Don't stay, Captain.\nGo.", "stay", "stay", "Don't stay, Captain."},
		{"Don't stay, Captain.\nGo.", "n't", "Don't", "Don't stay, Captain."},
		{"Zu\u0308rich is far", "rich", "Zu\u0308rich", "Zu\u0308rich is far"},
		{"אמר שלום לו", "לום", "שלום", "אמר שלום לו"},
		{"港は静かだ。", "静", "港は静かだ", "港は静かだ。"},
		{"a 👨‍👩‍👧‍👦 b", "👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦", "a 👨‍👩‍👧‍👦 b"},
	} {
		p := spoken(t, 120, 40, c.text)
		x, y := p.at(t, c.at, arena.A)
		for i, want := range []string{"", c.word, c.whole, ""} {
			p.down(x, y)
			p.up(x, y)
			if got := p.selected(); got != want {
				t.Errorf("%q, click %d on %q: %q, want %q", c.text, i+1, c.at, got, want)
			}
		}
		p.now = p.now.Add(time.Second)
		p.down(x, y)
		p.now = p.now.Add(time.Second)
		p.down(x, y)
		if got := p.selected(); got != "" {
			t.Errorf("two slow clicks select %q", got)
		}
	}
}

func TestADoubleClickDraggedTakesWords(t *testing.T) {
	t.Parallel()
	p := spoken(t, 120, 40, "One two three four five.")
	x, y := p.at(t, "wo three", arena.A)
	p.down(x, y)
	p.up(x, y)
	p.down(x, y)
	p.move(x+10, y) // into "four"
	if got := p.selected(); got != "two three four" {
		t.Errorf("forwards: %q", got)
	}
	p.move(x-3, y) // back into "One"
	if got := p.selected(); got != "One two" {
		t.Errorf("backwards: %q", got)
	}
}

func TestTheSelectionIsCopiedAtOnceWhenThatIsOn(t *testing.T) {
	t.Parallel()
	p := spoken(t, 120, 40, "One two three.")
	p.press("f7", "m")
	x, y := p.at(t, "two", arena.A)
	p.down(x, y)
	p.move(x+2, y)
	p.up(x+2, y)
	if len(p.copied) != 1 || p.copied[0] != "two" {
		t.Errorf("copied %q", p.copied)
	}
	p.down(x, y)
	p.up(x, y)
	if len(p.copied) != 1 {
		t.Errorf("a click copies %q", p.copied)
	}
	remembered := false
	for _, m := range p.asked {
		if r, ok := m.(Remember); ok {
			remembered = r.Stage.Reading().CopySelected
		}
	}
	if !remembered {
		t.Error("the setting is not to be remembered")
	}
}

func TestTheSelectionStaysOnItsText(t *testing.T) {
	t.Parallel()
	p := spoken(t, 120, 40, "The lantern is lit and the harbour is dark, and nobody waits on the pier tonight.")
	x, y := p.at(t, "lantern", arena.A)
	p.down(x, y)
	x, y = p.at(t, "pier", arena.A)
	p.move(x, y)
	p.up(x, y)
	want := p.selected()
	for _, size := range [][2]int{{160, 40}, {101, 30}, {80, 24}, {120, 40}} {
		p.SetSize(size[0], size[1])
		p.screen(t)
		if got := p.selected(); got != want {
			t.Errorf("at %v it is %q, was %q", size, got, want)
		}
	}
	p.tell(opened(2, "two"), started(2, arena.A, 0), delta(2, arena.A, 0, 1, layers.Segment{Layer: layers.Speech, Text: strings.Repeat("more words come. ", 200)}))
	p.screen(t)
	if got := p.selected(); got != want {
		t.Errorf("behind more text it is %q", got)
	}
}

func TestDraggingOutsideScrolls(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 24)
	story(p, 12)
	p.press("tab", "pgup", "pgup")
	p.screen(t)
	x, y := p.layout.sides[0].x+10, 10
	p.down(x, y)
	before, _ := p.panes[0].Extent()
	p.move(x, 0) // above
	p.hear(dragMsg{p.Stage})
	p.hear(dragMsg{p.Stage})
	after, _ := p.panes[0].Extent()
	if after >= before || !p.selection.on {
		t.Errorf("%d rows above, before %d", after, before)
	}
	p.screen(t)
	long := len(p.selected())
	p.move(x, y)
	p.up(x, y)
	if now, _ := p.panes[0].Extent(); now != after {
		t.Error("back inside it scrolls on")
	}
	p.hear(dragMsg{p.Stage})
	if now, _ := p.panes[0].Extent(); now != after {
		t.Error("released it scrolls on")
	}
	if long == 0 {
		t.Error("nothing was selected on the way")
	}
}

func TestClicksOnHeadingsFoldAndOnTextDoNot(t *testing.T) {
	t.Parallel()
	p := spoken(t, 120, 40, "Speech.")
	x, y := p.at(t, "A thought", arena.A)
	p.down(x, y)
	p.up(x, y)
	if !strings.Contains(p.screen(t), "A thought") {
		t.Error("a click on the text of a thought folds it")
	}
	p.down(p.layout.sides[0].x+2, y) // on its rule
	if s := p.screen(t); strings.Contains(s, "A thought") || !strings.Contains(s, "thought  ") {
		t.Errorf("a click on the rule of a thought does not fold it:\n%s", s)
	}
	x, y = p.at(t, "thought  ", arena.A)
	p.down(x, y)
	if !strings.Contains(p.screen(t), "A thought") {
		t.Error("a click on a folded thought does not open it")
	}
}

var spokenPieces = []string{
	"plain words ", "彼女は窓の", "雨。", "한국어 ", "👨‍👩‍👧‍👦 ", "🏳️‍🌈", "e\u0301t ", "Zu\u0308rich ", "שלום עולם ", "مرحبا ", "नमस्ते ", "\n\n", "\n", "*soft* ", "**loud** ",
	"- item\n", "> quoted\n", "```\ncode x\n```\n", "| a | b |\n|---|---|\n| cell one two | d |\n", "[link](http://x.y) ", "&amp; ", "# Head\n",
}

// TestAnySelectionIsTextOfTheTranscript: wherever the mouse goes, nothing
// panics, the frame keeps its size, and what is selected is made of the text's
// own characters, without borders, rules and gutters.
func TestAnySelectionIsTextOfTheTranscript(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(spokenPieces), 1, 25).Draw(rt, "text"), "")
		size := rapid.SampledFrom([][2]int{{60, 20}, {80, 24}, {120, 24}, {101, 30}}).Draw(rt, "size")
		p := spoken(t, size[0], size[1], text)
		defer func() { _ = p.Close() }()
		cell := func(name string) (int, int) {
			return rapid.IntRange(0, size[0]-1).Draw(rt, name+"x"), rapid.IntRange(0, size[1]-1).Draw(rt, name+"y")
		}
		for range rapid.IntRange(1, 3).Draw(rt, "times") {
			x, y := cell("down")
			p.down(x, y)
			x, y = cell("move")
			p.move(x, y)
			p.screen(t)
			p.up(x, y)
		}
		whole := ""
		for _, seg := range []int{said, 0, 1, 2, 3} {
			for side := range p.blocks {
				whole += p.blocks[side][0].words(seg) + p.opening[side].words(seg)
			}
		}
		for _, r := range p.selected() {
			if !strings.ContainsRune(whole+"&", r) && !unicode.IsSpace(r) {
				rt.Fatalf("%q is selected, which is not of the text: %q", r, p.selected())
			}
		}
		// Resizing and back restores the frame.
		before := p.screen(t)
		p.SetSize(size[0]+7, size[1]+3)
		p.screen(t)
		p.SetSize(size[0], size[1])
		if got := p.screen(t); got != before {
			rt.Fatalf("back in its size the frame is another:\n%s\nwas\n%s", got, before)
		}
	})
}

func TestRightToLeftTextLeavesTheBordersAlone(t *testing.T) {
	t.Parallel()
	p := spoken(t, 120, 30, "שלום עולם")
	for _, row := range strings.Split(p.View(), "\n") {
		if i := strings.Index(row, "שלום"); i >= 0 {
			before, after := row[:i], row[i:]
			if strings.LastIndex(before, "\u200e") < strings.LastIndex(before, "│") || !strings.Contains(strings.SplitN(after, "│", 2)[0], "\u200e") {
				t.Errorf("no marks between the text and its borders: %q", row)
			}
			return
		}
	}
	t.Errorf("the text is not shown:\n%s", p.screen(t))
}

func BenchmarkDeltaWhileSearching(b *testing.B) {
	for _, turns := range []int{10, 2000} {
		b.Run(fmt.Sprint(turns, "turns"), func(b *testing.B) {
			p := long(b, turns)
			p.press("ctrl+f", "'word", "enter")
			n, tokens := turns+1, 0
			b.ReportAllocs()
			for b.Loop() {
				tokens++
				if tokens%500 == 0 {
					p.tell(arena.ReplyDelta{Turn: n, Edits: []layers.Edit{{Index: 0, Reset: true}}})
				}
				p.tell(arena.ReplyDelta{Turn: n, Tokens: tokens, Edits: []layers.Edit{{Layer: layers.Speech, Text: "word "}}})
				p.View()
			}
		})
	}
}

// TestStainingChangesColoursAlone: a row with stretches painted has the same
// text and width, the stretches in their style and the rest in its own.
func TestStainingChangesColoursAlone(t *testing.T) {
	t.Parallel()
	l := look.New(look.Options{Dark: true, Colour: look.Full})
	rapid.Check(t, func(t *rapid.T) {
		row, plain := "", ""
		for _, p := range rapid.SliceOfN(rapid.SampledFrom([]string{"word ", "雨", "e\u0301", "👨‍👩‍👧‍👦", "שלום", " "}), 1, 12).Draw(t, "row") {
			plain += p
			row += l.Paint(look.Role(rapid.IntRange(0, 8).Draw(t, "role")), p)
		}
		var st []stretch
		for col := 0; col < ansi.StringWidth(plain); {
			col += rapid.IntRange(0, 4).Draw(t, "gap")
			end := col + rapid.IntRange(1, 4).Draw(t, "size")
			st = append(st, stretch{col, end, look.Selected})
			col = end
		}
		got := stain(l, row, st)
		if ansi.Strip(got) != plain || ansi.StringWidth(got) != ansi.StringWidth(row) {
			t.Fatalf("%q became %q", row, got)
		}
	})
}

// TestMatchesInGrowingTextAreAllMatches: piece by piece the same is found as at
// once.
func TestMatchesInGrowingTextAreAllMatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := newNeedle(rapid.SampledFrom([]string{"ab", "a b", "aa", "a", "e", "aba", "雨a", "  b", "b "}).Draw(t, "needle"))
		var m matches
		text := ""
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if rapid.IntRange(0, 20).Draw(t, "another") == 0 {
				text = ""
			}
			text += rapid.SampledFrom([]string{"a", "b", " ", "*", "e\u0301", "\u0301", "雨", "\n", "A", "ab a b", "aaa"}).Draw(t, "piece")
			limit := foundLimit
			if rapid.IntRange(0, 9).Draw(t, "limited") == 0 {
				limit = rapid.IntRange(0, 3).Draw(t, "limit")
			}
			got, want := m.in(n, text, limit), n.all(text, limit)
			if len(got) != len(want) || len(got) > 0 && !slices.Equal(got, want) {
				t.Fatalf("%q in %q, at most %d: %v, want %v", string(n), text, limit, got, want)
			}
		}
	})
}

// TestTextIsSelectedInTheComparison proves that each side's text can be selected by
// itself where both stand beside each other, and below each other.
func TestTextIsSelectedInTheComparison(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 40}} {
		for _, c := range []struct{ from, to, want string }{
			{"One berth", "Give me a", "One berth is left, Captain, and it has a name on it already. G"},
			{"Good evening", "We have one", "Good evening, Captain Roe. W"},
			{"soaked", "bone", "soaked to the b"},
		} {
			p := settled(t, size[0], size[1])
			p.press("tab", "c")
			at := func(text string) (x, y int) {
				for y, row := range strings.Split(p.screen(t), "\n") {
					if i := strings.Index(row, text); i >= 0 {
						return len([]rune(row[:i])), y
					}
				}
				t.Fatalf("%q is not on the screen:\n%s", text, p.screen(t))
				return 0, 0
			}
			x, y := at(c.from)
			toX, toY := at(c.to)
			p.run(p.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}))
			p.run(p.Update(tea.MouseMotionMsg{X: toX, Y: toY, Button: tea.MouseLeft}))
			p.run(p.Update(tea.MouseReleaseMsg{X: toX, Y: toY, Button: tea.MouseLeft}))
			p.screen(t)
			if got := p.selected(); got != c.want {
				t.Errorf("%v: selected %q, want %q", size, got, c.want)
			}
			p.press("y")
			if n := len(p.copied); n == 0 || p.copied[n-1] != c.want {
				t.Errorf("%v: copied %q", size, p.copied)
			}
			p.press("esc")
			if p.selection.on || p.compare == nil {
				t.Errorf("%v: esc does not let the selection go alone", size)
			}
			p.press("esc", "]")
		}
	}
}
