package stage

import (
	"fmt"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/stage/stagetest"
)

func long(b *testing.B, turns int) *prop {
	p := set(b, 160, 48)
	for n := 1; n <= turns; n++ {
		p.tell(judgedTurn(n, fmt.Sprint("line ", n), stagetest.Agreeing())...)
	}
	n := turns + 1
	p.tell(opened(n, "the last line"), started(n, arena.A, 0), started(n, arena.B, 0))
	p.View()
	return p
}

// BenchmarkNothingNew is a frame while nothing has changed.
func BenchmarkNothingNew(b *testing.B) {
	p := long(b, 200)
	b.ReportAllocs()
	for b.Loop() {
		p.View()
	}
}

// BenchmarkDelta is a token on one side and the frame that shows it, by the
// length of the transcript. The cost must not grow with it.
func BenchmarkDelta(b *testing.B) {
	for _, turns := range []int{10, 200, 2000} {
		b.Run(fmt.Sprint(turns, "turns"), func(b *testing.B) {
			p := long(b, turns)
			n, tokens := turns+1, 0
			b.ReportAllocs()
			for b.Loop() {
				tokens++
				if tokens%500 == 0 { // a reply of 500 tokens, then another
					p.tell(arena.ReplyDelta{Turn: n, Edits: []layers.Edit{{Index: 0, Reset: true}}})
				}
				p.now = p.now.Add(5 * time.Millisecond)
				p.tell(arena.ReplyDelta{Turn: n, Tokens: tokens, Edits: []layers.Edit{{Layer: layers.Speech, Text: "word "}}})
				p.View()
			}
		})
	}
}

// BenchmarkVerdict is a snapshot of a growing verdict and its frame.
func BenchmarkVerdict(b *testing.B) {
	p := set(b, 160, 48)
	p.tell(played(1, "one")...)
	p.tell(arena.RulingStarted{Turn: 1})
	v := stagetest.Agreeing()[0]
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		v.Phase = arena.PhaseComparing
		v.Comparisons[0].First = fmt.Sprint("said ", i)
		p.tell(arena.VerdictUpdated{Turn: 1, Verdict: v})
		p.View()
	}
}
