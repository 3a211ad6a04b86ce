package layers_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"herarena/arena/layers"
)

// pieces are what hostile texts are made of.
var pieces = []string{
	"<system_thinking>", "</system_thinking>", "<System Think>", "</ systemthinking >", "<system_think/>",
	"<role_thinking>", "</role_thinking>", "<role think>", "</ROLE_THINK>", "<long_role_thinking>",
	"<role_action mood=\"calm>\">", "<role_action>", "</role_action>", "<role_speech>", "</role_speech>",
	"<think>", "</think>", "</thinking>", "<mm:think>", "<think\n\n</think>", "<think>\n\n</think>\n\n",
	"[", "]", "(", ")", "（", "）", "［", "］", "*", "**", "***", "\\*", "* item", "[He lies.]", "(nods)", "*nods*", "[3]",
	"\n", "\n\n", " ", "\t", "\u3000", "\u00a0", "\x00", "\xff", "\xe4\xbd", "你", "好。", "שלום", "é", "🙂", "\ufeff",
	"`", "```", "```\n", "\n```\n", "``", "<", "<<", ">", "</", "<r", ">_<", "3 < 5", "<b>",
	"Mara", "Mara:", "**Mara:** ", "**Mara**: ", "Mara：", "Mara Quill: ", "A.*(b):", "沈砚秋：", ": ", ".", "!", "word", "Then we leave. ", ":(", "f(x)", "\"",
}

// hostileText draws texts made of pieces.
func hostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 14).Draw(t, "pieces"), "")
	})
}

func anyOptions() *rapid.Generator[layers.Options] {
	return rapid.Custom(func(t *rapid.T) layers.Options {
		return layers.Options{
			Name:    rapid.SampledFrom([]string{"", "Mara", "A.*(b)", "沈砚秋"}).Draw(t, "name"),
			Others:  []string{"Mara Quill", "Mara"},
			Prefill: rapid.SampledFrom([]string{"", "", "<system_thinking>", "<think>\n\n</think>\n\n<system_thinking>", "Mara: [", "<think>\n", "<role_thinking>He", "*"}).Draw(t, "prefill"),
			Dialect: rapid.SampledFrom([]layers.Dialect{layers.Auto, layers.Auto, "", layers.HER, layers.CoSER, layers.Asterisk, layers.Plain}).Draw(t, "dialect"),
		}
	})
}

func TestSegmentsDoNotDependOnCuts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := anyOptions().Draw(t, "options")
		raw := hostileText().Draw(t, "raw")
		want := layers.Parse(raw, o)
		var chunks []string
		for rest := raw; rest != ""; {
			n := min(len(rest), rapid.IntRange(1, 9).Draw(t, "n"))
			chunks = append(chunks, rest[:n])
			rest = rest[n:]
		}
		if diff := cmp.Diff(want, stream(t, o, chunks...)); diff != "" {
			t.Fatalf("%q as %q (-whole +cut):\n%s", raw, chunks, diff)
		}
		if diff := cmp.Diff(want, stream(t, o, eachByte(raw)...)); diff != "" {
			t.Fatalf("%q byte by byte (-whole +cut):\n%s", raw, diff)
		}
	})
}

// TestSegmentsAreTrimmedAndValid checks what the types promise.
func TestSegmentsAreTrimmedAndValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := anyOptions().Draw(t, "options")
		raw := hostileText().Draw(t, "raw")
		got := layers.Parse(raw, o)
		for i, s := range got.Segments {
			if s.Text != strings.TrimSpace(s.Text) || !utf8.ValidString(s.Text) {
				t.Fatalf("%q gives the text %q", raw, s.Text)
			}
			if s.Layer == layers.Speech && (s.Text == "" || i > 0 && got.Segments[i-1].Layer == layers.Speech) {
				t.Fatalf("%q gives empty or parted speech: %q", raw, got.Segments)
			}
		}
		if got.Dialect == layers.Auto || got.Dialect == "" {
			t.Fatalf("%q has no dialect", raw)
		}
	})
}

// TestHiddenTextIsNeverShown writes replies whose hidden text holds a canary
// and looks at the list after every byte.
func TestHiddenTextIsNeverShown(t *testing.T) {
	t.Parallel()
	open := []string{"<system_thinking>", "<System Thinking>", "<role_thinking>", "<long_role_thinking>", "<think>", "<mm:think>", "<thinking>", "< role_think a='b'>"}
	rapid.Check(t, func(t *rapid.T) {
		var raw strings.Builder
		for range rapid.IntRange(1, 5).Draw(t, "n") {
			raw.WriteString(rapid.SampledFrom([]string{"", "Mara: ", "Then we leave. ", "3 < 5. ", "你好。", "\n", "<role_action>nods</role_action>", "*nods* ", "(nods) "}).Draw(t, "between"))
			tag := rapid.SampledFrom(open).Draw(t, "tag")
			inner := rapid.SampledFrom([]string{"", "\n", "[", "*", "(", "\n\n", "\n```\n", "<", "< b"}).Draw(t, "inner")
			name := strings.Fields(strings.Trim(tag, "<> "))[0]
			if strings.HasPrefix(tag, "<S") {
				name = "system_think"
			}
			raw.WriteString(tag + inner + "ZQ" + inner + "</" + name + ">")
		}
		raw.WriteString("The end.")
		p := layers.NewParser(layers.Options{Name: "Mara"})
		var shown []layers.Segment
		for i, c := range eachByte(raw.String()) {
			p.Write(c, func(e layers.Edit) { shown = layers.Apply(shown, e) })
			for _, s := range shown {
				if s.Layer.Visible() && strings.ContainsAny(s.Text, "ZQ") {
					t.Fatalf("after %q: %s %q", raw.String()[:i+1], s.Layer, s.Text)
				}
			}
		}
		got := p.Close(nil)
		if !layers.HasSpeech(got.Segments) || got.Truncated {
			t.Fatalf("%q gives %q, truncated %v", raw.String(), got.Segments, got.Truncated)
		}
	})
}

// TestNothingIsShownTooEarly lists, chunk by chunk, what stands on the screen.
func TestNothingIsShownTooEarly(t *testing.T) {
	t.Parallel()
	type step struct {
		chunk string
		shown string
	}
	for _, c := range []struct {
		name  string
		opts  layers.Options
		steps []step
	}{
		{"an opening tag", layers.Options{}, []step{
			{"Sit. <", "speech:Sit."}, {"role", "speech:Sit."}, {"_act", "speech:Sit."}, {"ion>no", "speech:Sit.|act:no"}, {"ds</", "speech:Sit.|act:nods"}, {"role_action>", "speech:Sit.|act:nods"},
		}},
		{"a stray bracket", layers.Options{}, []step{{"3 <", "speech:3"}, {" 5", "speech:3 < 5"}}},
		{"the name", layers.Options{Name: "Mara"}, []step{{"M", ""}, {"ara", ""}, {" ", ""}, {":", ""}, {" Hi", "speech:Hi"}}},
		{"the name in full width", layers.Options{Name: "沈砚秋"}, []step{{"沈\xe7", ""}, {"\xa0\x9a秋", ""}, {"：", ""}, {"是你", "speech:是你"}}},
		{"the name after the plan", layers.Options{Name: "Mara"}, []step{{"<system_thinking>P</system_thinking>", "system:P"}, {"Mar", "system:P"}, {"a:", "system:P"}, {"Hi", "system:P|speech:Hi"}}},
		{"a longer name", layers.Options{Name: "Mara"}, []step{{"Mara", ""}, {" Q", "speech:Mara Q"}}},
		{"a prefilled plan", layers.Options{Prefill: "<system_thinking>"}, []step{{"Pl", "system:Pl"}, {"an", "system:Plan"}, {"</system_thinking>H", "system:Plan|speech:H"}}},
		{"an echoed prefill", layers.Options{Prefill: "<system_thinking>"}, []step{{"<system", ""}, {"_thinking>", ""}, {"\nP", "system:P"}}},
		{"a thought in brackets", layers.Options{}, []step{{"[", ""}, {"He", "think:He"}, {" lies", "think:He lies"}, {"] No", "think:He lies|speech:No"}}},
		{"a bracket taken back", layers.Options{}, []step{{"(He", "act:He"}, {"\n\n", "speech:(He"}, {"No", "speech:(He\n\nNo"}}},
		{"a lone closer", layers.Options{}, []step{{"Plan", "speech:Plan"}, {"</system_thinking>", "system:Plan"}, {"Hi", "system:Plan|speech:Hi"}}},
		{"tags after brackets", layers.Options{}, []step{{"(a) ", "act:a"}, {"b<role_action>c", "speech:(a) b|act:c"}}},
		{"an asterisk", layers.Options{}, []step{{"*", ""}, {"nods", "act:nods"}, {"*", "act:nods"}, {" Hi", "act:nods|speech:Hi"}}},
		{"bold print", layers.Options{}, []step{{"*", ""}, {"*B", "speech:**B"}, {"** c", "speech:**B** c"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := layers.NewParser(c.opts)
			var shown []layers.Segment
			for _, s := range c.steps {
				p.Write(s.chunk, func(e layers.Edit) { shown = layers.Apply(shown, e) })
				var parts []string
				for _, seg := range shown {
					parts = append(parts, seg.Layer.String()+":"+seg.Text)
				}
				if got := strings.Join(parts, "|"); got != s.shown {
					t.Fatalf("after %q the screen shows %q, want %q", s.chunk, got, s.shown)
				}
			}
		})
	}
}

func TestCloseAndWriteAfterClose(t *testing.T) {
	t.Parallel()
	p := layers.NewParser(layers.Options{})
	p.Write("Hello.", nil)
	first := p.Close(nil)
	p.Write(" More.", func(e layers.Edit) { t.Errorf("edit %+v after the end", e) })
	if diff := cmp.Diff(first, p.Close(func(e layers.Edit) { t.Errorf("edit %+v after the end", e) })); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyReplyHasListsThatAreNotNil(t *testing.T) {
	t.Parallel()
	got := layers.Parse("", layers.Options{})
	if got.Segments == nil || got.SpokeFor == nil || got.Truncated || got.Dialect != layers.Plain {
		t.Errorf("got %+v", got)
	}
}

func TestHalfATagIsCut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                         "",
		"<":                        "",
		"walks as if <role_ac":     "walks as if ",
		"walks as if <":            "walks as if ",
		"nods</":                   "nods",
		"<system_thinking>P</sys":  "<system_thinking>P",
		"Hi <think":                "Hi ",
		"Hi < role_action mood=\"": "Hi ",
		"<role_action>nods":        "<role_action>nods",
		"Hi >_<":                   "Hi >_<",
		"Hi < ":                    "Hi ",
		"3 <5 and then":            "3 <5 and then",
		"Hi <b":                    "Hi <b",
		"Hi <role_action " + strings.Repeat("x", 200): "Hi <role_action " + strings.Repeat("x", 200),
	} {
		got := layers.CutHalfTag(text)
		if got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
		if again := layers.CutHalfTag(strings.TrimSpace(got)); len(again) < len(strings.TrimSpace(got)) {
			t.Errorf("%q still ends in half a tag", got)
		}
	}
	for _, half := range []string{"<role_ac", "</", "</sys", "<role_action", "<role_thinking m=\"", "<think"} {
		for _, before := range []string{"He walks", "*walks", "<system_thinking>P</system_thinking>He walks", "<role_action>walks"} {
			got := layers.Parse(before+half, layers.Options{})
			for _, seg := range got.Segments {
				if strings.Contains(seg.Text, "<") || !got.Truncated {
					t.Errorf("%q gives %+v", before+half, got)
				}
			}
		}
	}
}
