package pane

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"herarena/tui/look"
)

// para is a block of words wrapped to the width, as replies are.
type para struct {
	id      string
	words   []string
	version uint64

	draws int
	width int
	at    uint64
	rows  []string
}

func newPara(id string, words int) *para {
	p := &para{id: id, version: 1}
	p.grow(words)
	return p
}

// grow appends words, each of its own name and length.
func (p *para) grow(n int) {
	for range n {
		k := len(p.words)
		p.words = append(p.words, fmt.Sprintf("%s.%d%s", p.id, k, strings.Repeat("x", k*7%5)))
	}
	p.version++
}

func (p *para) ID() string      { return p.id }
func (p *para) Version() uint64 { return p.version }

func (p *para) Rows(width int) []string {
	if p.width == width && p.at == p.version {
		return p.rows
	}
	p.draws++
	p.width, p.at = width, p.version
	p.rows = nil
	row := ""
	for _, w := range p.words {
		switch {
		case row == "":
			row = w
		case len(row)+1+len(w) > width:
			p.rows = append(p.rows, row)
			row = w
		default:
			row += " " + w
		}
	}
	if row != "" {
		p.rows = append(p.rows, row)
	}
	return p.rows
}

// paras makes n blocks of the given number of words.
func paras(n, words int) []Block {
	out := make([]Block, n)
	for i := range out {
		out[i] = newPara(fmt.Sprintf("b%d", i), words)
	}
	return out
}

// all renders a whole transcript the simple way.
func all(blocks []Block, w int) []string {
	var rows []string
	for _, b := range blocks {
		for _, r := range b.Rows(w) {
			rows = append(rows, fit(r, w))
		}
	}
	return rows
}

// shown returns the rows of a view without the blank ones below.
func shown(view []string) []string {
	for len(view) > 0 && view[len(view)-1] == "" {
		view = view[:len(view)-1]
	}
	return view
}

func TestPaneFollowsItsEnd(t *testing.T) {
	p := New()
	p.SetSize(20, 5)
	p.SetBlocks(paras(3, 10))
	want := all([]Block{p.blocks[0].block, p.blocks[1].block, p.blocks[2].block}, 20)
	if got := p.View(); !slices.Equal(got, want[len(want)-5:]) {
		t.Errorf("the view is %q, want the last rows of %q", got, want)
	}
	if !p.Following() || p.NewBelow() != 0 {
		t.Errorf("following %v, %d rows below", p.Following(), p.NewBelow())
	}
	last := p.blocks[2].block.(*para)
	last.grow(3)
	got := p.View()
	if rows := last.Rows(20); got[4] != rows[len(rows)-1] {
		t.Errorf("the end is not followed: %q", got)
	}
}

func TestPaneWithLittleInItStandsAtTheTop(t *testing.T) {
	p := New()
	p.SetSize(20, 6)
	if got := p.View(); !slices.Equal(got, make([]string, 6)) {
		t.Errorf("an empty pane shows %q", got)
	}
	p.Upsert(newPara("a", 3))
	view := p.View()
	if len(view) != 6 || view[0] == "" || view[5] != "" {
		t.Errorf("view %q", view)
	}
	p.ScrollBy(-3)
	p.PageUp()
	p.Top()
	if !p.Following() {
		t.Error("scrolling where there is nothing to scroll lost the end")
	}
}

func TestPaneScrollsAndTakesUpFollowingAtTheEnd(t *testing.T) {
	p := New()
	p.SetSize(20, 5)
	blocks := paras(6, 12)
	p.SetBlocks(blocks)
	rows := all(blocks, 20)
	at := len(rows) - 5
	for _, n := range []int{-1, -3, 2, -9, -1, 4} {
		p.ScrollBy(n)
		at += n
		if got := p.View(); !slices.Equal(got, rows[at:at+5]) {
			t.Fatalf("after scrolling by %d the view is %q, want %q", n, got, rows[at:at+5])
		}
		if p.Following() {
			t.Fatalf("following after scrolling by %d", n)
		}
		if above, below := p.Extent(); above != at || below != len(rows)-at-5 || p.NewBelow() != below {
			t.Fatalf("extent %d, %d, want %d, %d", above, below, at, len(rows)-at-5)
		}
	}
	p.ScrollBy(10_000)
	if !p.Following() {
		t.Error("the end was reached but is not followed")
	}
	p.Top()
	if got := p.View(); !slices.Equal(got, rows[:5]) || p.Following() {
		t.Errorf("the top is %q, following %v", got, p.Following())
	}
	p.PageDown()
	if got := p.View(); !slices.Equal(got, rows[4:9]) {
		t.Errorf("a page down shows %q, want %q", got, rows[4:9])
	}
	p.Bottom()
	if got := p.View(); !slices.Equal(got, rows[len(rows)-5:]) {
		t.Errorf("the bottom is %q", got)
	}
}

func TestPaneCountsWhatComesWhileReadingBack(t *testing.T) {
	p := New()
	p.SetSize(20, 5)
	blocks := paras(40, 12)
	p.SetBlocks(blocks)
	p.View()
	p.ScrollBy(-7)
	if n := p.NewBelow(); n != 7 {
		t.Fatalf("%d rows below, want 7", n)
	}
	before := slices.Clone(p.View())
	last := blocks[39].(*para)
	grown := -len(last.Rows(20))
	last.grow(30)
	grown += len(last.Rows(20))
	fresh := newPara("fresh", 9)
	p.Upsert(fresh)
	if n, want := p.NewBelow(), 7+grown+len(fresh.Rows(20)); n != want {
		t.Errorf("%d rows below, want %d", n, want)
	}
	if got := p.View(); !slices.Equal(got, before) {
		t.Errorf("what came moved the text that is read:\n%q\n%q", before, got)
	}
}

func TestPaneGivesTheSameSliceWhileNothingChanges(t *testing.T) {
	p := New()
	p.SetSize(60, 30)
	p.SetBlocks(paras(50, 40))
	first := p.View()
	if n := testing.AllocsPerRun(100, func() { p.View() }); n != 0 {
		t.Errorf("a view with nothing new makes %.0f allocations", n)
	}
	if second := p.View(); &first[0] != &second[0] {
		t.Error("the view was built anew although nothing changed")
	}
}

func TestPaneDrawsOnlyWhatIsSeen(t *testing.T) {
	p := New()
	p.SetSize(60, 30)
	blocks := paras(2000, 40)
	p.SetBlocks(blocks)
	p.View()
	p.SetSize(80, 30)
	p.View()
	p.NewBelow()
	drawn := 0
	for _, b := range blocks {
		drawn += min(b.(*para).draws, 1)
	}
	if drawn > 30 {
		t.Errorf("%d of 2000 blocks were drawn for 30 rows", drawn)
	}
}

func TestPaneHoldsRowsToTheirWidth(t *testing.T) {
	p := New()
	p.SetSize(8, 4)
	p.Upsert(rude{})
	for _, row := range p.View() {
		if look.Width(row) > 8 || strings.Contains(row, "\n") {
			t.Errorf("row %q", row)
		}
	}
}

// rude gives rows no pane should show as they are. It is not comparable.
type rude struct{ _ []int }

func (rude) ID() string      { return "rude" }
func (rude) Version() uint64 { return 1 }
func (rude) Rows(int) []string {
	return []string{"far too long a row", "two\nlines", "漢字漢字漢字", "fits"}
}

func TestPaneTakesBlocksThatCannotBeCompared(t *testing.T) {
	p := New()
	p.SetSize(8, 4)
	p.Upsert(rude{})
	p.Upsert(rude{})
	p.SetBlocks([]Block{rude{}, rude{}})
	if p.View(); p.Len() != 1 {
		t.Errorf("%d blocks of one name", p.Len())
	}
}

func TestPaneFindsBlocksUnderTheMouse(t *testing.T) {
	p := New()
	p.SetSize(20, 5)
	p.SetBlocks(paras(6, 12))
	p.ScrollBy(-4)
	view := p.View()
	for y, row := range view {
		id, line, ok := p.BlockAt(y)
		if !ok || p.byID[id].block.Rows(20)[line] != row {
			t.Errorf("row %d %q is said to be line %d of %q", y, row, line, id)
		}
	}
	for _, y := range []int{-1, 5, 99} {
		if id, _, ok := p.BlockAt(y); ok {
			t.Errorf("row %d outside of the window is said to be of %q", y, id)
		}
	}
}

func TestPaneShowsABlockOnDemand(t *testing.T) {
	p := New()
	p.SetSize(20, 12)
	blocks := paras(20, 12)
	p.SetBlocks(blocks)
	for _, i := range []int{3, 4, 12, 0, 19, 10} {
		id := fmt.Sprintf("b%d", i)
		p.EnsureVisible(id)
		view := strings.Join(p.View(), "\n")
		if !strings.Contains(view, strings.Join(blocks[i].Rows(20), "\n")) {
			t.Errorf("%s is not whole on screen:\n%s", id, view)
		}
		kept := p.View()
		p.EnsureVisible(id)
		if again := p.View(); &again[0] != &kept[0] {
			t.Errorf("%s was on screen and still the view moved", id)
		}
	}
	p.EnsureVisible("no such block")
	tall := newPara("tall", 300)
	p.Upsert(tall)
	p.Upsert(newPara("end", 300))
	p.EnsureVisible("tall")
	if got := p.View()[0]; got != tall.Rows(20)[0] {
		t.Errorf("a block taller than the window begins with %q", got)
	}
}

func TestPaneKeepsItsPlaceWhenBlocksGo(t *testing.T) {
	p := New()
	p.SetSize(20, 5)
	blocks := paras(20, 12)
	p.SetBlocks(blocks)
	p.EnsureVisible("b10")
	p.ScrollBy(1)
	before := slices.Clone(p.View())
	for _, id := range []string{"b3", "b0", "b19", "none"} {
		p.Remove(id)
		if got := p.View(); !slices.Equal(got, before) {
			t.Errorf("removing %s moved the view", id)
		}
	}
	top, _, _ := p.BlockAt(0)
	p.Remove(top)
	if id, line, _ := p.BlockAt(0); id == top || line != 0 {
		t.Errorf("after its block is gone the view begins at line %d of %s", line, id)
	}
	p.SetBlocks(blocks[:2])
	p.SetBlocks(nil)
	if got := p.View(); !slices.Equal(got, make([]string, 5)) || p.Len() != 0 {
		t.Errorf("an emptied pane shows %q", got)
	}
}

func TestPaneOfNoSizeIsQuiet(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {0, 5}, {5, 0}, {-3, -3}, {1, 1}} {
		p := New()
		p.Upsert(newPara("a", 9))
		p.SetSize(size[0], size[1])
		p.ScrollBy(3)
		p.ScrollBy(-3)
		p.Top()
		p.Bottom()
		p.PageUp()
		p.EnsureVisible("a")
		p.NewBelow()
		if got := len(p.View()); got != max(size[1], 0) {
			t.Errorf("size %v: %d rows", size, got)
		}
	}
}

// TestPaneIsAWindowOnTheWholeTranscript plays random scenes and compares each
// view with a plain rendering of everything.
func TestPaneIsAWindowOnTheWholeTranscript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := New()
		w, h := rapid.IntRange(6, 40).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h")
		p.SetSize(w, h)
		var blocks []Block
		next := 0
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			following := p.Following()
			before := slices.Clone(shown(p.View()))
			kind := rapid.IntRange(0, 9).Draw(t, "kind")
			switch kind {
			case 0, 1:
				b := newPara(fmt.Sprintf("b%d", next), rapid.IntRange(0, 40).Draw(t, "words"))
				next++
				blocks = append(blocks, b)
				p.Upsert(b)
			case 2, 3:
				if len(blocks) > 0 {
					blocks[len(blocks)-1].(*para).grow(rapid.IntRange(1, 20).Draw(t, "more"))
				}
			case 4, 5:
				p.ScrollBy(rapid.IntRange(-15, 15).Draw(t, "by"))
			case 6:
				p.PageUp()
			case 7:
				p.PageDown()
			case 8:
				w, h = rapid.IntRange(6, 40).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h")
				p.SetSize(w, h)
			case 9:
				rapid.SampledFrom([]func(){p.Top, p.Bottom}).Draw(t, "jump")()
			}
			view := p.View()
			if len(view) != h {
				t.Fatalf("%d rows, want %d", len(view), h)
			}
			rows := all(blocks, w)
			if !windowOn(rows, view, p.Following()) {
				t.Fatalf("the view %q (following %v) is no window on %q", view, p.Following(), rows)
			}
			for _, row := range view {
				if look.Width(row) > w {
					t.Fatalf("row %q is wider than %d", row, w)
				}
			}
			if kind <= 3 && !following && len(before) == h {
				// The last row was perhaps unfinished; all others must stand.
				if !slices.Equal(view[:h-1], before[:h-1]) {
					t.Fatalf("text that came moved what is read from %q to %q", before, view)
				}
			}
		}
	})
}

// windowOn reports whether view is h rows in a row of rows, the last ones if
// the pane follows, and all of them if they fit.
func windowOn(rows, view []string, following bool) bool {
	h := len(view)
	if len(rows) <= h {
		return slices.Equal(view[:len(rows)], rows) && slices.Equal(view[len(rows):], make([]string, h-len(rows)))
	}
	if following {
		return slices.Equal(view, rows[len(rows)-h:])
	}
	for i := 0; i+h <= len(rows); i++ {
		if slices.Equal(view, rows[i:i+h]) {
			return true
		}
	}
	return false
}

func TestResizeAndBackRestoresTheView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := New()
		w, h := rapid.IntRange(6, 60).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h")
		p.SetSize(w, h)
		n := rapid.IntRange(1, 12).Draw(t, "blocks")
		blocks := make([]Block, n)
		for i := range blocks {
			blocks[i] = newPara(fmt.Sprintf("b%d", i), rapid.IntRange(0, 60).Draw(t, "words"))
		}
		p.SetBlocks(blocks)
		p.ScrollBy(-rapid.IntRange(0, 60).Draw(t, "up"))
		before := slices.Clone(p.View())
		for range rapid.IntRange(1, 4).Draw(t, "resizes") {
			p.SetSize(rapid.IntRange(0, 80).Draw(t, "w2"), rapid.IntRange(0, 30).Draw(t, "h2"))
			if rapid.Bool().Draw(t, "look") {
				p.View()
			}
		}
		p.SetSize(w, h)
		if got := p.View(); !slices.Equal(got, before) {
			t.Fatalf("the view was %q and came back as %q", before, got)
		}
	})
}

func TestResizeKeepsTheTextAtTheTop(t *testing.T) {
	p := New()
	p.SetSize(40, 10)
	p.SetBlocks(paras(10, 200))
	p.EnsureVisible("b4")
	p.ScrollBy(9)
	word, _, _ := strings.Cut(p.View()[0], " ")
	for _, w := range []int{30, 71, 25, 100} {
		p.SetSize(w, 10)
		if got := p.View()[0]; !strings.Contains(got, word) {
			t.Errorf("at width %d the view begins with %q, the reader was at %q", w, got, word)
		}
	}
}

func BenchmarkViewStreaming(b *testing.B) {
	for _, n := range []int{10, 200, 2000} {
		b.Run(fmt.Sprintf("blocks=%d", n), func(b *testing.B) {
			p := New()
			p.SetSize(78, 40)
			p.SetBlocks(paras(n, 40))
			last := newPara("last", 40)
			p.Upsert(last)
			p.View()
			b.ReportAllocs()
			for b.Loop() {
				last.version++ // as a token would; drawing the block is its own affair
				last.at = last.version
				p.View()
			}
		})
	}
}

func BenchmarkViewReadingBack(b *testing.B) {
	for _, n := range []int{10, 200, 2000} {
		b.Run(fmt.Sprintf("blocks=%d", n), func(b *testing.B) {
			p := New()
			p.SetSize(78, 40)
			p.SetBlocks(paras(n, 200))
			p.Top()
			last := p.blocks[n-1].block.(*para)
			b.ReportAllocs()
			for b.Loop() {
				last.version++
				last.at = last.version
				p.View()
				p.NewBelow()
			}
		})
	}
}

func BenchmarkViewQuiet(b *testing.B) {
	p := New()
	p.SetSize(78, 40)
	p.SetBlocks(paras(2000, 40))
	b.ReportAllocs()
	for b.Loop() {
		p.View()
	}
}

func BenchmarkResize(b *testing.B) {
	for _, n := range []int{10, 200, 2000} {
		b.Run(fmt.Sprintf("blocks=%d", n), func(b *testing.B) {
			p := New()
			p.SetBlocks(paras(n, 40))
			w := 60
			b.ReportAllocs()
			for b.Loop() {
				w = 120 - w + 7
				p.SetSize(w, 40)
				p.View()
			}
		})
	}
}
