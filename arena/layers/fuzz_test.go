package layers_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"herarena/arena/layers"
)

// FuzzParse checks that no reply makes the parser panic, that its cuts do not
// matter, that the edits lead to the segments, and that what is rendered in HER
// shows nothing that was hidden.
func FuzzParse(f *testing.F) {
	for _, c := range replyCases(f) {
		f.Add(c.Raw, c.Name, c.Prefill, "", 3)
	}
	for i, p := range pieces {
		f.Add(p+"a"+pieces[(i*7+3)%len(pieces)]+" b"+pieces[(i*5+1)%len(pieces)], "Mara", "", "auto", i%5)
	}
	f.Add("[a] (b\n\n*c* I (d) [3]", "Mara", "Mara: [", "coser", 1)
	f.Fuzz(func(t *testing.T, raw, name, prefill, dialect string, size int) {
		d, err := layers.ParseDialect(dialect)
		if err != nil {
			d = layers.Auto
		}
		o := layers.Options{Name: name, Prefill: prefill, Dialect: d, Others: []string{"Pell", "Mara"}}
		want := layers.Parse(raw, o)
		size = max(1, min(size, 64))
		var chunks []string
		for rest := raw; rest != ""; {
			n := min(len(rest), size)
			chunks = append(chunks, rest[:n])
			rest = rest[n:]
		}
		if diff := cmp.Diff(want, stream(t, o, chunks...)); diff != "" {
			t.Fatalf("%q as %q (-whole +cut):\n%s", raw, chunks, diff)
		}
		for _, s := range want.Segments {
			if !utf8.ValidString(s.Text) || s.Text != strings.TrimSpace(s.Text) {
				t.Fatalf("%q gives the text %q", raw, s.Text)
			}
		}
		// What hides in a reply and is marked still hides in every rendering.
		var marked []layers.Segment
		for _, s := range want.Segments {
			if !s.Layer.Visible() {
				s.Text = "\x01" + strings.ReplaceAll(s.Text, "\x01", "") + "\x01"
			} else {
				s.Text = strings.ReplaceAll(s.Text, "\x01", "")
			}
			marked = append(marked, s)
		}
		for _, d := range []layers.Dialect{layers.HER, layers.CoSER, layers.Asterisk, layers.Plain} {
			text := layers.Render(marked, d, "")
			for _, s := range layers.Parse(text, layers.Options{Dialect: d}).Segments {
				if s.Layer.Visible() && strings.Contains(s.Text, "\x01") {
					t.Fatalf("%s: %q shows hidden text: %q", d, text, s.Text)
				}
			}
		}
	})
}
