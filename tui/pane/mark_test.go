package pane

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"herarena/tui/look"
	"herarena/tui/prose"
)

func TestAMarkIsAPlaceToComeBackTo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := New()
		p.SetSize(20, rapid.IntRange(1, 12).Draw(t, "h"))
		blocks := paras(12, 30)
		p.SetBlocks(blocks)
		if rapid.Bool().Draw(t, "back") {
			p.ScrollBy(-rapid.IntRange(1, 60).Draw(t, "up"))
		}
		before, following := slices.Clone(p.View()), p.Following()
		m := p.Mark()
		for range rapid.IntRange(0, 5).Draw(t, "moves") {
			switch rapid.IntRange(0, 3).Draw(t, "move") {
			case 0:
				p.Top()
			case 1:
				p.Show(fmt.Sprint("b", rapid.IntRange(0, 11).Draw(t, "block")))
			case 2:
				p.Reveal(fmt.Sprint("b", rapid.IntRange(0, 11).Draw(t, "block")), rapid.IntRange(0, 20).Draw(t, "line"))
			case 3:
				p.ScrollBy(rapid.IntRange(-30, 30).Draw(t, "by"))
			}
			p.View()
		}
		p.Return(m)
		if !slices.Equal(p.View(), before) || p.Following() != following {
			t.Fatalf("came back to\n%s\nfrom\n%s", strings.Join(p.View(), "\n"), strings.Join(before, "\n"))
		}
	})
}

func TestRevealShowsTheLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := New()
		p.SetSize(20, rapid.IntRange(1, 14).Draw(t, "h"))
		blocks := paras(12, 30)
		p.SetBlocks(blocks)
		p.ScrollBy(-rapid.IntRange(0, 100).Draw(t, "up"))
		at := rapid.IntRange(0, 11).Draw(t, "block")
		rows := blocks[at].Rows(20)
		line := rapid.IntRange(0, len(rows)-1).Draw(t, "line")
		p.Reveal(blocks[at].ID(), line)
		y, ok := p.LineOf(blocks[at].ID(), line)
		if !ok || p.View()[y] != rows[line] {
			t.Fatalf("line %d of %s is not shown:\n%s", line, blocks[at].ID(), strings.Join(p.View(), "\n"))
		}
		was := slices.Clone(p.View())
		p.Reveal(blocks[at].ID(), line)
		if !slices.Equal(was, p.View()) {
			t.Fatal("what is shown already moves")
		}
	})
}

func TestShowPutsABlockAtTheTop(t *testing.T) {
	t.Parallel()
	p := New()
	p.SetSize(20, 6)
	blocks := paras(8, 30)
	p.SetBlocks(blocks)
	for _, i := range []int{3, 0, 5, 1} {
		p.Show(blocks[i].ID())
		if id, line, ok := p.BlockAt(0); !ok || id != blocks[i].ID() || line != 0 {
			t.Errorf("block %d: the top is line %d of %s", i, line, id)
		}
		if p.Following() {
			t.Error("reading back it follows")
		}
	}
	p.Show("nobody")
	if id, _, _ := p.BlockAt(0); id != blocks[1].ID() {
		t.Error("an unknown block moves the window")
	}
}

// script is a block of a text in any script, wrapped as replies are.
type script struct {
	id      string
	text    string
	version uint64
}

func (s *script) ID() string          { return s.id }
func (s *script) Version() uint64     { return s.version }
func (s *script) Rows(w int) []string { return prose.Wrap(s.text, w) }

var scripts = []string{
	"plain words ", "彼女は窓の", "雨。", "한국어 ", "👨‍👩‍👧‍👦", "🏳️‍🌈 ", "e\u0301", "Zu\u0308rich ", "שלום עולם ", "مرحبا بالعالم ", "नमस्ते ", "ไทย", "\n",
	"👍🏽 ", "１２３ ", "ﷺ", "Latin שלום mixed ",
}

// TestRowsOfAnyScriptKeepTheirWidth: padded rows are exactly as wide as the
// pane, right-to-left text stands between marks of its own, and going to another
// width and back restores the view.
func TestRowsOfAnyScriptKeepTheirWidth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(2, 40).Draw(t, "w")
		p := New()
		p.SetSize(w, 8)
		var blocks []*script
		for i := range rapid.IntRange(1, 5).Draw(t, "blocks") {
			s := &script{fmt.Sprint("s", i), strings.Join(rapid.SliceOfN(rapid.SampledFrom(scripts), 1, 20).Draw(t, "text"), ""), 1}
			blocks = append(blocks, s)
			p.Upsert(s)
		}
		p.ScrollBy(-rapid.IntRange(0, 10).Draw(t, "up"))
		check := func() {
			for _, row := range p.View() {
				if n := ansi.StringWidth(look.Pad(row, p.w)); n != p.w {
					t.Fatalf("a row has %d cells of %d: %q", n, p.w, row)
				}
				rtl := strings.ContainsFunc(row, rightToLeft)
				if rtl != (strings.HasPrefix(row, leftToRight) && strings.HasSuffix(row, leftToRight)) {
					t.Fatalf("right-to-left text is not kept apart: %q", row)
				}
			}
		}
		check()
		before := slices.Clone(p.View())
		p.SetSize(rapid.IntRange(2, 60).Draw(t, "other"), 8)
		check()
		p.SetSize(w, 8)
		check()
		if !slices.Equal(before, p.View()) {
			t.Fatalf("the view is another:\n%q\n%q", before, p.View())
		}
		if !p.Following() { // text that arrives moves nothing
			last := blocks[len(blocks)-1]
			last.text += " and then more שלום 雨"
			last.version++
			p.Upsert(last)
			p.Upsert(&script{"new", "a new block", 1})
			if now := p.View(); !slices.Equal(before, now) && p.seen[len(p.seen)-1].block < len(blocks)-1 {
				t.Fatalf("text that came moved the view:\n%q\n%q", before, now)
			}
			check()
		}
	})
}
