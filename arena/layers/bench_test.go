package layers_test

import (
	"strings"
	"testing"
	"time"

	"herarena/arena/layers"
)

const megabyte = 1 << 20

// hostileReplies are replies of about a megabyte that tempt a parser into
// reading the same text again and again.
func hostileReplies() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, megabyte/len(s)+1) }
	return map[string]string{
		"her":              fill("<role_thinking>He lies again.</role_thinking><role_action>folds the map</role_action>Then we leave at dawn, all of us. "),
		"coser":            fill("[He lies again.] (folds the map) Then we leave at dawn, all of us. "),
		"asterisk":         fill("*folds the map* Then we leave at dawn, all of us. "),
		"plain":            fill("Then we leave at dawn, all of us, and nobody looks back. "),
		"chinese":          fill("他又在说谎，我们天亮就走，谁也不要回头。"),
		"less-than":        fill("<"),
		"less-than spaced": fill("< "),
		"half tags":        fill("<role_action "),
		"long half tags":   fill("<role_action " + strings.Repeat("x", 150)),
		"openers":          fill("<role_thinking><role_action>"),
		"closers":          fill("</role_thinking></system_thinking></think>"),
		"open square":      "[" + fill("a "),
		"open round":       "(" + fill("a "),
		"open asterisk":    "*" + fill("a "),
		"squares":          fill("["),
		"squares spaced":   fill("[ "),
		"failing brackets": fill("(a\n\n"),
		"failing inner":    fill("(a [b\n\n"),
		"failing stars":    fill("*a b\n"),
		"numbers":          fill("[1] . "),
		"asterisks":        fill("*"),
		"emphasis":         fill("a *b* "),
		"backticks":        fill("`"),
		"fences":           fill("```\nx\n```\n"),
		"open fence":       "```\n" + fill("<think> "),
		"spaces":           fill(" ") + "x",
		"name and spaces":  "Mara" + fill(" ") + ":",
		"late plan":        fill("(a) *b* c ") + "</think>d</system_thinking>e<role_action>f</role_action>",
		"late coser":       fill("I (a) *b* c. ") + " (done)",
		"broken":           fill("\xe4\xbd"),
		"lines of another": fill("Pell"),
	}
}

// TestHostileRepliesTakeLinearTime parses a megabyte of each at once and a
// quarter of it in single bytes. A parser whose cost grows with the square
// would take minutes to hours.
func TestHostileRepliesTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	o := layers.Options{Name: "Mara", Others: []string{"Pell: ", "Pellew"}}
	for name, raw := range hostileReplies() {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			whole := layers.Parse(raw, o)
			took := time.Since(began)
			raw = raw[:min(len(raw), megabyte/4)] + raw[len(raw)-16:]
			whole = layers.Parse(raw, o)
			began = time.Now()
			p := layers.NewParser(o)
			edits := 0
			for i := range len(raw) {
				p.Write(raw[i:i+1], func(layers.Edit) { edits++ })
			}
			cut := p.Close(nil)
			t.Logf("whole %v, by bytes %v, %d edits", took, time.Since(began), edits)
			if len(cut.Segments) != len(whole.Segments) || cut.Truncated != whole.Truncated {
				t.Errorf("%d segments whole, %d by bytes", len(whole.Segments), len(cut.Segments))
			}
			if limit := 20 * time.Second; took > limit || time.Since(began) > limit {
				t.Errorf("whole %v, by bytes %v", took, time.Since(began))
			}
		})
	}
}

// BenchmarkWrite streams a megabyte in chunks of the size of a token.
func BenchmarkWrite(b *testing.B) {
	const chunk = 4
	sink := 0
	for _, name := range []string{"her", "coser", "asterisk", "plain", "chinese", "less-than", "open square", "open asterisk", "failing brackets"} {
		raw := hostileReplies()[name]
		for _, emit := range []func(layers.Edit){nil, func(e layers.Edit) { sink += len(e.Text) }} {
			title := name + "/silent"
			if emit != nil {
				title = name + "/edits"
			}
			b.Run(title, func(b *testing.B) {
				b.SetBytes(int64(len(raw)))
				b.ReportAllocs()
				for b.Loop() {
					p := layers.NewParser(layers.Options{Name: "Mara"})
					for i := 0; i < len(raw); i += chunk {
						p.Write(raw[i:min(i+chunk, len(raw))], emit)
					}
					p.Close(emit)
				}
				b.ReportMetric(float64(len(raw)/chunk), "chunks/op")
			})
		}
	}
}

// TestStreamingAllocatesOnlyForText checks that a chunk without edits costs no
// allocation of its own: buffers double, so a megabyte takes dozens, not one a chunk.
func TestStreamingAllocatesOnlyForText(t *testing.T) {
	raw := hostileReplies()["her"]
	const chunk = 4
	n := testing.AllocsPerRun(2, func() {
		p := layers.NewParser(layers.Options{Name: "Mara"})
		for i := 0; i < len(raw); i += chunk {
			p.Write(raw[i:min(i+chunk, len(raw))], nil)
		}
	})
	if chunks := len(raw) / chunk; n > 300 {
		t.Errorf("%v allocations for %d chunks", n, chunks)
	}
}
