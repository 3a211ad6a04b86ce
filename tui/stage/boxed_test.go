package stage

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"herarena/tui/look"
)

// TestBoxedDrawsWhatBoxDraws holds it to look.Box while rows scroll, grow and
// change, and while size, focus, title and look change.
func TestBoxedDrawsWhatBoxDraws(t *testing.T) {
	looks := []*look.Look{look.New(look.Options{Dark: true}), look.New(look.Options{Dark: true, Colour: look.Full})}
	rapid.Check(t, func(t *rapid.T) {
		var b boxed
		w, h, focused, title, right, l := 20, 8, false, "A", "", looks[0]
		all := []string{"", "", "one"}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				w, h = rapid.IntRange(0, 30).Draw(t, "w"), rapid.IntRange(0, 12).Draw(t, "h")
			case 1:
				focused = !focused
			case 2:
				title, right = rapid.SampledFrom([]string{"A", "B  her"}).Draw(t, "title"), rapid.SampledFrom([]string{"", "9 s"}).Draw(t, "right")
			case 3:
				l = rapid.SampledFrom(looks).Draw(t, "look")
			case 4:
				all = all[:len(all)*rapid.IntRange(0, 2).Draw(t, "keep")/2]
			case 5, 6:
				all = append(all, rapid.SampledFrom([]string{"", "one", "\x1b[1mtwo\x1b[m"}).Draw(t, "row"))
			default:
				for i := range rapid.IntRange(0, 9).Draw(t, "more") {
					all = append(all, fmt.Sprint("row ", len(all)+i))
				}
			}
			rows := all[max(len(all)-max(h-2, 0), 0):]
			got, want := b.draw(l, title, right, rows, w, h, focused), l.Box(title, right, rows, w, h, focused)
			if !slices.Equal(got, want) {
				t.Fatalf("%q drawn in %dx%d as\n%q, want\n%q", rows, w, h, got, want)
			}
		}
	})
}
