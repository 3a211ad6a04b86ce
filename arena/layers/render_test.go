package layers_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"herarena/arena/layers"
)

func TestRenderWritesEachDialect(t *testing.T) {
	t.Parallel()
	reply := []layers.Segment{
		{Layer: layers.Native, Text: "mull"},
		{Layer: layers.System, Text: "plan"},
		{Layer: layers.Think, Text: "he lies"},
		{Layer: layers.Act, Text: "folds the map"},
		{Layer: layers.Speech, Text: "Then we leave."},
	}
	for _, c := range []struct {
		name     string
		segments []layers.Segment
		dialect  layers.Dialect
		speaker  string
		want     string
	}{
		{"her", reply, layers.HER, "", "<think>mull</think><system_thinking>plan</system_thinking><role_thinking>he lies</role_thinking><role_action>folds the map</role_action>Then we leave."},
		{"her name after the plan", reply, layers.HER, "Mara", "<think>mull</think><system_thinking>plan</system_thinking>Mara: <role_thinking>he lies</role_thinking><role_action>folds the map</role_action>Then we leave."},
		{"auto is her", reply[3:], layers.Auto, "", "<role_action>folds the map</role_action>Then we leave."},
		{"her plan only has no name", reply[:2], layers.HER, "Mara", "<think>mull</think><system_thinking>plan</system_thinking>"},
		{"coser", reply, layers.CoSER, "Mara", "Mara: [he lies] (folds the map) Then we leave."},
		{"asterisk drops thoughts", reply, layers.Asterisk, "", "*folds the map* Then we leave."},
		{"plain keeps what others see", reply, layers.Plain, "", "(folds the map) Then we leave."},
		{"nothing", nil, layers.HER, "Mara", ""},
		{"a tag in speech", []layers.Segment{{Layer: layers.Speech, Text: "say <role_action>x"}}, layers.HER, "", "say ‹role_action>x"},
		{"two actions stay two", []layers.Segment{{Layer: layers.Act, Text: "a"}, {Layer: layers.Act, Text: "b"}}, layers.HER, "", "<role_action>a</role_action>\n<role_action>b</role_action>"},
		{"brackets in coser speech", []layers.Segment{{Layer: layers.Speech, Text: "see [3] (torn)"}}, layers.CoSER, "", "see {3} {torn}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := layers.Render(c.segments, c.dialect, c.speaker); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestRenderThenParseGivesTheSame holds for whatever Parse makes of a text, and
// for hand-made segments.
func TestRenderThenParseGivesTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := layers.Options{Name: rapid.SampledFrom([]string{"", "Mara", "A.*(b)", "沈砚秋"}).Draw(t, "name")}
		want := layers.Parse(hostileText().Draw(t, "raw"), o).Segments
		text := layers.Render(want, layers.HER, o.Name)
		got := layers.Parse(text, layers.Options{Name: o.Name, Dialect: layers.HER})
		if diff := diffSegments(carried(want), got.Segments); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", text, diff)
		}
		if got.Truncated {
			t.Fatalf("%q reads as cut", text)
		}
	})
}

// carried is what HER can carry of segments: all but text that reads as tags.
func carried(segments []layers.Segment) []layers.Segment {
	for _, s := range segments {
		if strings.ContainsAny(s.Text, "<`") {
			return layers.Parse(layers.Render(segments, layers.HER, ""), layers.Options{Dialect: layers.HER}).Segments
		}
	}
	return segments
}

func TestRenderThenParseGivesTheSameForPlainTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"", "Mara", "A.*(b)"}).Draw(t, "name")
		for _, d := range []layers.Dialect{layers.HER, layers.CoSER} {
			want := calmSegments(d).Draw(t, "segments")
			text := layers.Render(want, d, name)
			got := layers.Parse(text, layers.Options{Name: name, Dialect: d})
			if diff := diffSegments(want, got.Segments); diff != "" {
				t.Fatalf("%s %q (-want +got):\n%s", d, text, diff)
			}
		}
	})
}

// calmSegments draws segments that the dialect can carry in full.
func calmSegments(d layers.Dialect) *rapid.Generator[[]layers.Segment] {
	kinds := []layers.Layer{layers.Think, layers.Act, layers.Speech}
	word := "[a-z0-9é你，.!?*:'\"-]{1,6}"
	if d == layers.HER {
		kinds = append(kinds, layers.System, layers.Native)
		word = "[a-z0-9é你，.!?*:'\"()\\[\\]>-]{1,6}"
	}
	return rapid.Custom(func(t *rapid.T) []layers.Segment {
		var out []layers.Segment
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			l := rapid.SampledFrom(kinds).Draw(t, "layer")
			if n := len(out); n > 0 && l == layers.Speech && out[n-1].Layer == l {
				continue
			}
			words := rapid.SliceOfN(rapid.StringMatching(word), 1, 4).Draw(t, "words")
			sep := rapid.SampledFrom([]string{" ", "\n"}).Draw(t, "sep")
			out = append(out, layers.Segment{Layer: l, Text: strings.Join(words, sep)})
		}
		return out
	})
}

// TestRenderNeverShowsHiddenText plants words in the hidden layers of hostile
// segments: read back, they are in no visible layer.
func TestRenderNeverShowsHiddenText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var segments []layers.Segment
		for range rapid.IntRange(1, 6).Draw(t, "n") {
			l := layers.Layer(rapid.IntRange(0, int(layers.Speech)).Draw(t, "layer"))
			text := hostileText().Draw(t, "text")
			if !l.Visible() {
				text += " canary " + hostileText().Draw(t, "more")
			}
			segments = append(segments, layers.Segment{Layer: l, Text: strings.TrimSpace(text)})
		}
		for _, d := range []layers.Dialect{layers.HER, layers.CoSER, layers.Asterisk, layers.Plain} {
			text := layers.Render(segments, d, "Mara")
			for _, s := range layers.Parse(text, layers.Options{Name: "Mara", Dialect: d}).Segments {
				if s.Layer.Visible() && strings.Contains(s.Text, "canary") {
					t.Fatalf("%s: %q shows hidden text as %s", d, text, s.Layer)
				}
			}
		}
	})
}
