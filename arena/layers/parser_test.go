package layers_test

import (
	"strings"
	"testing"

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
	"Mara", "Mara:", "Mara：", "Mara Quill: ", "A.*(b):", "沈砚秋：", ": ", ".", "!", "word", "Then we leave. ", ":(", "f(x)", "\"",
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
