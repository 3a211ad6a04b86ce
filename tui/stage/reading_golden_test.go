package stage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// pages are the states of reading that have a face of their own.
var pages = []struct {
	name string
	act  func(p *prop)
}{
	{"search", func(p *prop) { p.press("ctrl+f", "'berth") }},
	{"found", func(p *prop) { p.press("tab", "/", "'wary", "enter") }},
	{"notfound", func(p *prop) { p.press("ctrl+f", "'no such words") }},
	{"panels", func(p *prop) { p.press("f5", "t", "t") }},
	{"hidden", func(p *prop) { p.press("f5", "a", "a", "a", "s", "s", "s", "esc") }},
	{"dimmed", func(p *prop) { p.press("f5", "s", "a", "t", "esc") }},
	{"turns", func(p *prop) { p.press("ctrl+t", "up") }},
	{"copy", func(p *prop) { p.press("tab", "Y") }},
	{"compare", func(p *prop) { p.press("f6") }},
	{"back", func(p *prop) {
		p.press("tab", "pgup")
		p.screen(p.t)
		p.tell(opened(9, "One more thing."), started(9, arena.A, 0), delta(9, arena.A, 0, 3, layers.Segment{Layer: layers.Speech, Text: "There is more below."}))
	}},
	{"scripts", func(p *prop) {
		take := stagetest.Take{Segments: []layers.Segment{
			{Layer: layers.Think, Text: "彼は何も言わない。שלום עולם, she thinks, und Zu\u0308rich."},
			{Layer: layers.Speech, Text: "מילים בעברית 👨‍👩‍👧‍👦 and 港は静かだ。\n\n| Port | Toll | 備考 |\n|---|---:|:-:|\n| Meryton | 3s | 安い港です |\n| Brighton by the sea, where nobody pays | 12s | *steep* |\n\n```\nfor tide := range sea {\n\twait(tide)\n}\n```\n\n- one\n- two"},
		}}
		p.tell(opened(9, "שלום?"), started(9, arena.A, 0), started(9, arena.B, 0), ended(9, arena.A, 0, take), ended(9, arena.B, 0, take))
		p.press("tab")
	}},
	{"selected", func(p *prop) {
		x, y := p.at(p.t, "soaked", arena.A)
		p.down(x, y)
		p.move(x+9, y+2)
	}},
}

// stagePage is a stage of a few turns, of which the last differ little.
func stagePage(t *testing.T, w, h int, o look.Options) *prop {
	p := set(t, w, h, func(opt *Options) { opt.Look = look.New(o) })
	story(p, 4)
	b := stagetest.Layered()
	b.Segments = append([]layers.Segment(nil), b.Segments...)
	for i := range b.Segments {
		b.Segments[i].Text = strings.NewReplacer("Captain", "sailor", "ledger", "book", "wary", "calm").Replace(b.Segments[i].Text)
	}
	p.tell(opened(5, "Have you a berth?"), started(5, arena.A, 0), started(5, arena.B, 0), ended(5, arena.A, 0, stagetest.Layered()), ended(5, arena.B, 0, b))
	return p
}

// TestGoldenReading draws each state of reading; -update writes them anew.
func TestGoldenReading(t *testing.T) {
	for _, s := range pages {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%s/%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				p := stagePage(t, size[0], size[1], look.Options{Dark: true})
				s.act(p)
				golden.RequireEqual(t, trimmed(p.screen(t)))
			})
		}
	}
}

// TestGoldenReadingColours holds the colours and weights.
func TestGoldenReadingColours(t *testing.T) {
	for name, o := range map[string]look.Options{"dark": {Dark: true, Colour: look.Full}, "light": {Colour: look.Full}, "mono": {}} {
		for _, s := range pages {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				p := stagePage(t, 100, 24, o)
				s.act(p)
				golden.RequireEqual(t, p.View())
				p.screen(t)
			})
		}
	}
}
