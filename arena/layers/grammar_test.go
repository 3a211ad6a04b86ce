package layers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena/layers"
)

// show writes segments as "layer:text" parted by bars.
func show(segments []layers.Segment) string {
	parts := make([]string, len(segments))
	for i, s := range segments {
		parts[i] = s.Layer.String() + ":" + s.Text
	}
	return strings.Join(parts, "|")
}

// grammarCase is a reply and what it is cut into; a leading "!" says truncated.
type grammarCase struct{ name, raw, want string }

func checkGrammar(t *testing.T, o layers.Options, cases []grammarCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := layers.Parse(c.raw, o)
			text := show(got.Segments)
			if got.Truncated {
				text = "!" + text
			}
			if text != c.want {
				t.Errorf("%q\ngot  %q\nwant %q", c.raw, text, c.want)
			}
			if diff := cmp.Diff(got, stream(t, o, eachByte(c.raw)...)); diff != "" {
				t.Errorf("%q byte by byte (-whole +cut):\n%s", c.raw, diff)
			}
		})
	}
}

func TestTagSpellings(t *testing.T) {
	t.Parallel()
	checkGrammar(t, layers.Options{}, []grammarCase{
		{"upper case", "<SYSTEM_THINKING>P</System_Thinking>Hi", "system:P|speech:Hi"},
		{"space for underscore", "<system thinking>P</system thinking>Hi", "system:P|speech:Hi"},
		{"no separator", "<systemthinking>P</systemthink>Hi", "system:P|speech:Hi"},
		{"dash", "<role-thinking>P</role-thinking>Hi", "think:P|speech:Hi"},
		{"spaces inside", "< system_think >P</ system_thinking\n>Hi", "system:P|speech:Hi"},
		{"space before slash", "<role_action>n< / role_action>Hi", "act:n|speech:Hi"},
		{"long thought", "<long_role_thinking>P</long_role_thinking>Hi", "think:P|speech:Hi"},
		{"mixed names of one layer", "<system_think>P</system_thinking>Hi", "system:P|speech:Hi"},
		{"mixed layers", "<role_thinking>P</role_action>Hi", "think:P|speech:Hi"},
		{"plan closed as reasoning", "<system_thinking>P</think>Hi", "system:P|speech:Hi"},
		{"reasoning closed as plan", "<think>P</system_thinking>Hi", "native:P|speech:Hi"},
		{"thought closed as reasoning", "<role_thinking>P</think>Hi", "think:P|speech:Hi"},
		{"native", "<think>P</think>Hi", "native:P|speech:Hi"},
		{"native, other closers", "<think>P</thinking>A<think>P</thought>B", "native:P|speech:A|native:P|speech:B"},
		{"native of MiniMax", "<mm:think>P</mm:think>Hi", "native:P|speech:Hi"},
		{"attributes", `<role_action mood="a > b" x>nods</role_action>Hi`, "act:nods|speech:Hi"},
		{"attributes of reasoning", `<think level="2">P</think>Hi`, "native:P|speech:Hi"},
		{"everyday word in angle brackets", "She said <think that over> twice", "speech:She said <think that over> twice"},
		{"empty element", "A<role_action/>B<system_thinking />C", "speech:ABC"},
		{"speech tag", "<role_speech>A</role_speech> B<role_action>n</role_action><role_speech>C</role_speech>", "speech:A B|act:n|speech:C"},
		{"other tags are text", "<b>A</b> <br/> </s> <systems> <role>", "speech:<b>A</b> <br/> </s> <systems> <role>"},
		{"over-long tag is text", "<role_action " + strings.Repeat("x", 200) + ">A", "speech:<role_action " + strings.Repeat("x", 200) + ">A"},
		{"stray brackets", "<<<< 3<5 >> <3 a<b", "speech:<<<< 3<5 >> <3 a<b"},
		{"face", "<role_action>n</role_action>Hi >_<", "act:n|speech:Hi >_<"},
	})
}

func TestTagsThatDoNotMatch(t *testing.T) {
	t.Parallel()
	checkGrammar(t, layers.Options{Name: "Mara"}, []grammarCase{
		{"closer of a plan alone", "P.</system_thinking>Hi", "system:P.|speech:Hi"},
		{"closer of reasoning alone", "P.</think>\n\nHi", "native:P.|speech:Hi"},
		{"both", "R.</think>P.</system_thinking>Hi", "native:R.|system:P.|speech:Hi"},
		{"reasoning that speaks of tags", "Use <role_action>x</role_action> now.</think>Mara: <role_action>n</role_action>Hi", "native:Use <role_action>x</role_action> now.|act:n|speech:Hi"},
		{"reasoning that quotes a plan", "<think>In <system_thinking>p</system_thinking> I plan.</think>Hi", "native:In <system_thinking>p</system_thinking> I plan.|speech:Hi"},
		{"plan that speaks of tags", "<system_thinking>Use <role_action> once.</system_thinking>Hi", "system:Use <role_action> once.|speech:Hi"},
		{"plan with reasoning in it", "<system_thinking>A<think>B</think>C</system_thinking>Hi", "system:A|native:B|system:C|speech:Hi"},
		{"closer of a thought alone", "<system_thinking>P</system_thinking>He lies</role_thinking>Hi", "system:P|think:He lies|speech:Hi"},
		{"closer of an action alone", "Hi.</role_action> Go", "speech:Hi. Go"},
		{"a second plan closer", "<system_thinking>P</system_thinking>Hi.</system_thinking>", "system:P|speech:Hi."},
		{"doubled opener", "<system_thinking>\n<system_thinking>P</system_thinking>Hi", "system:P|speech:Hi"},
		{"doubled closer", "<think>P</think></think>Hi", "native:P|speech:Hi"},
		{"reasoning left open before a plan", "<think>\n<system_thinking>P</system_thinking>Hi", "system:P|speech:Hi"},
		{"thought in an action", "<role_action>turns <role_thinking>why</role_thinking> away</role_action>No", "act:turns|think:why|act:away|speech:No"},
		{"closer of the outer", "<role_action>turns <role_thinking>why</role_action>No", "act:turns|think:why|speech:No"},
		{"never closed plan", "<system_thinking>P <role_action>x</role_action> y", "!system:P <role_action>x</role_action> y"},
		{"never closed thought", "Hi <role_thinking>he", "!speech:Hi|think:he"},
		{"never closed reasoning", "<think>he", "!native:he"},
		{"cut in a closer", "<role_action>nods</role_act", "!act:nods"},
		{"cut after the slash", "<role_action>nods</", "!act:nods"},
		{"cut in an opener", "Hi <think", "!speech:Hi"},
		{"cut at the bracket", "<role_action>n</role_action>Hi <", "!act:n|speech:Hi"},
		{"bracket at the end without tags", "Hi <", "speech:Hi <"},
		{"two plans", "<system_thinking>A</system_thinking>Hi<system_thinking>B</system_thinking>Ho", "system:A|speech:Hi|system:B|speech:Ho"},
		{"empty blocks", "<system_thinking></system_thinking><role_action> </role_action>Hi", "system:|act:|speech:Hi"},
		{"nothing between", "<role_action>a </role_action><role_action>b</role_action>Hi", "act:a b|speech:Hi"},
		{"a line between", "<role_action>a</role_action>\n<role_action>b</role_action>Hi", "act:a|act:b|speech:Hi"},
		{"the name between", "<role_action>a</role_action>Mara:<role_action>b</role_action>Hi", "act:a|act:b|speech:Hi"},
	})
}

func TestPrefill(t *testing.T) {
	t.Parallel()
	const block = "<think>\n\n</think>\n\n"
	for _, c := range []struct {
		name, prefill string
		raws          []string
		want          string
	}{
		{"a plan", "<system_thinking>", []string{"P</system_thinking>Hi", "<system_thinking>P</system_thinking>Hi", "<system_thinking>\nP</system_thinking>\nHi", "\n <system_thinking>P</system_thinking>Hi"}, "system:P|speech:Hi"},
		{"a plan that is ended at once", "<system_thinking>", []string{"</system_thinking>Hi", "<system_thinking></system_thinking>Hi"}, "system:|speech:Hi"},
		{"reasoning in front", "<system_thinking>", []string{block + "<system_thinking>P</system_thinking>Hi", block + "P</system_thinking>Hi"}, "native:|system:P|speech:Hi"},
		{"sent with reasoning in front", block + "<system_thinking>", []string{"P</system_thinking>Hi", block + "<system_thinking>P</system_thinking>Hi", "<system_thinking>P</system_thinking>Hi"}, "native:|system:P|speech:Hi"},
		{"begun words", "<system_thinking>I must", []string{" show.</system_thinking>Hi", "<system_thinking>I must show.</system_thinking>Hi"}, "system:I must show.|speech:Hi"},
		{"a name", "Mara: ", []string{"Hi", "Mara: Hi", "Mara:Hi"}, "speech:Hi"},
		{"open reasoning", "<think>\n", []string{"R</think>Hi", "<think>\nR</think>Hi"}, "native:R|speech:Hi"},
		{"a thought", "<role_thinking>", []string{"he lies</role_thinking>Hi"}, "think:he lies|speech:Hi"},
		{"blanks only", " \n", []string{"Hi"}, "speech:Hi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, raw := range c.raws {
				o := layers.Options{Name: "Mara", Prefill: c.prefill}
				got := layers.Parse(raw, o)
				if show(got.Segments) != c.want || got.Truncated {
					t.Errorf("%q\ngot  %q (truncated %v)\nwant %q", raw, show(got.Segments), got.Truncated, c.want)
				}
				if diff := cmp.Diff(got, stream(t, o, eachByte(raw)...)); diff != "" {
					t.Errorf("%q byte by byte (-whole +cut):\n%s", raw, diff)
				}
			}
		})
	}
	got := layers.Parse("", layers.Options{Prefill: "<system_thinking>"})
	if len(got.Segments) != 0 || !got.Truncated {
		t.Errorf("nothing after a prefill gives %+v", got)
	}
}

func TestNamePrefix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, own, raw, want string }{
		{"colon", "Mara", "Mara: Hi", "speech:Hi"},
		{"full-width colon", "沈砚秋", "沈砚秋：是你", "speech:是你"},
		{"blank before the colon", "Mara", "Mara : Hi", "speech:Hi"},
		{"bold", "Mara", "**Mara:** Hi", "speech:Hi"},
		{"bold, colon outside", "Mara", "**Mara**: Hi", "speech:Hi"},
		{"once", "Mara", "Mara: Mara: Hi", "speech:Mara: Hi"},
		{"only in front", "Mara", "Hi. Mara: is that you", "speech:Hi. Mara: is that you"},
		{"no colon", "Mara", "Mara nods", "speech:Mara nods"},
		{"a longer name", "Mara", "Mara Quill: Hi", "speech:Mara Quill: Hi"},
		{"a shorter name", "Mara Quill", "Mara: Hi", "speech:Mara: Hi"},
		{"regular expression", "A.*(b)[c", "A.*(b)[c: Hi", "speech:Hi"},
		{"not as an expression", "M.ra", "Mara: Hi", "speech:Mara: Hi"},
		{"before the plan", "Mara", "Mara: <system_thinking>P</system_thinking>Hi", "system:P|speech:Hi"},
		{"after the plan", "Mara", "<system_thinking>P</system_thinking>\nMara: <role_action>n</role_action>Hi", "system:P|act:n|speech:Hi"},
		{"after a thought in brackets", "Mara", "[He lies.] Mara: Hi", "think:He lies.|speech:Hi"},
		{"right to left", "שרה", "שרה: שלום", "speech:שלום"},
		{"byte order mark", "Mara", "\ufeffMara: Hi", "speech:Hi"},
		{"name alone", "Mara", "Mara:", ""},
		{"cut name", "Mara", "Mar", "speech:Mar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := layers.Parse(c.raw, layers.Options{Name: c.own})
			if show(got.Segments) != c.want {
				t.Errorf("%q gives %q, want %q", c.raw, show(got.Segments), c.want)
			}
		})
	}
}

func TestDialectIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw string
		want      layers.Dialect
		segments  string
	}{
		{"tags win over all", "[a] *b* (c) <role_action>d</role_action>", layers.HER, "speech:[a] *b* (c)|act:d"},
		{"tags first", "<role_action>d</role_action>[a] *b* (c)", layers.HER, "act:d|speech:[a] *b* (c)"},
		{"reasoning is not HER", "<think>R</think>*nods* Hi", layers.Asterisk, "native:R|act:nods|speech:Hi"},
		{"brackets", "[He lies.] (nods) Hi", layers.CoSER, "think:He lies.|act:nods|speech:Hi"},
		{"brackets after a sentence", "Well. (nods) Hi", layers.CoSER, "speech:Well.|act:nods|speech:Hi"},
		{"then anywhere", "I (pauses) think. [He lies.] Go", layers.CoSER, "speech:I|act:pauses|speech:think.|think:He lies.|speech:Go"},
		{"full-width", "（点头）你好。［他撒谎］走", layers.CoSER, "act:点头|speech:你好。|think:他撒谎|speech:走"},
		{"nested", "(nods (twice) slowly) Hi", layers.CoSER, "act:nods (twice) slowly|speech:Hi"},
		{"over a line", "(nods\nslowly) Hi", layers.CoSER, "act:nods\nslowly|speech:Hi"},
		{"with asterisks too", "*nods* Hi. (sits)", layers.CoSER, "act:nods|speech:Hi.|act:sits"},
		{"citation", "Chapter [3] is torn.", layers.Plain, "speech:Chapter [3] is torn."},
		{"citation after a sentence", "It is known. [1] So be it. (2)", layers.Plain, "speech:It is known. [1] So be it. (2)"},
		{"parenthesis in a sentence", "I was there (with him) then.", layers.Plain, "speech:I was there (with him) then."},
		{"faces and calls", "Oh :( no ;) f(x) word(s)", layers.Plain, "speech:Oh :( no ;) f(x) word(s)"},
		{"empty brackets", "() [] Hi", layers.Plain, "speech:() [] Hi"},
		{"brackets that never close", "(Hi\n\nthere", layers.Plain, "speech:(Hi\n\nthere"},
		{"asterisks", "*nods* Hi *sits down*", layers.Asterisk, "act:nods|speech:Hi|act:sits down"},
		{"asterisks and quotes", `"Hi," *she nods* "there."`, layers.Asterisk, `speech:"Hi,"|act:she nods|speech:"there."`},
		{"bold, lists, breaks", "**Hi** there\n* one\n* two\n***\n5 * 3 * 2", layers.Plain, "speech:**Hi** there\n* one\n* two\n***\n5 * 3 * 2"},
		{"emphasis", "I *never* said so", layers.Plain, "speech:I *never* said so"},
		{"escaped", `\*nods\* Hi`, layers.Plain, `speech:\*nods\* Hi`},
		{"unclosed, then closed", "*nods Hi\n*sits down* Ho", layers.Asterisk, "speech:*nods Hi|act:sits down|speech:Ho"},
		{"plain", "Good evening.", layers.Plain, "speech:Good evening."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := stream(t, layers.Options{}, eachByte(c.raw)...)
			if got.Dialect != c.want || show(got.Segments) != c.segments || got.Truncated {
				t.Errorf("%q\ngot  %s %q (truncated %v)\nwant %s %q", c.raw, got.Dialect, show(got.Segments), got.Truncated, c.want, c.segments)
			}
		})
	}
}

func TestGivenDialectIsKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect   layers.Dialect
		raw, want string
	}{
		{layers.HER, "[a] (b) *c* Chapter [3]", "speech:[a] (b) *c* Chapter [3]"},
		{layers.CoSER, "[a] (b) *c* I (d) e [3]", "think:a|act:b|speech:*c* I|act:d|speech:e|think:3"},
		{layers.Asterisk, "[a] (b) *c* d", "speech:[a] (b)|act:c|speech:d"},
		{layers.Plain, "[a] (b) *c* d", "speech:[a] (b) *c* d"},
		// Tags are honoured all the same: hidden text must stay hidden.
		{layers.Plain, "<system_thinking>P</system_thinking>*c*", "system:P|speech:*c*"},
		{layers.CoSER, "<think>R</think>[a] (b <role_action>x</role_action>", "native:R|think:a|speech:(b|act:x"},
	} {
		got := layers.Parse(c.raw, layers.Options{Dialect: c.dialect})
		if got.Dialect != c.dialect || show(got.Segments) != c.want {
			t.Errorf("%s %q gives %s %q, want %q", c.dialect, c.raw, got.Dialect, show(got.Segments), c.want)
		}
	}
}

func TestCodeFencesAreLeftAlone(t *testing.T) {
	t.Parallel()
	checkGrammar(t, layers.Options{}, []grammarCase{
		{"tags in a fence", "So:\n```xml\n<role_action>x</role_action>\n```\nDone <role_action>y</role_action>", "speech:So:\n```xml\n<role_action>x</role_action>\n```\nDone|act:y"},
		{"marks in a fence", "```\n*x* (y)\n[z]\n```\n*nods*", "speech:```\n*x* (y)\n[z]\n```|act:nods"},
		{"longer fence", "````\n```\n<think>x</think>\n````\nHi", "speech:````\n```\n<think>x</think>\n````\nHi"},
		{"never closed", "```\n<system_thinking>P</system_thinking>Hi", "speech:```|system:P|speech:Hi"},
		{"code within a line", "```x``` <think>R</think>Hi", "speech:```x```|native:R|speech:Hi"},
		{"not at the start of a line", "a ```\n<think>R</think>Hi", "speech:a ```|native:R|speech:Hi"},
		{"in a plan", "<system_thinking>\n```\nP\n</system_thinking>Hi", "system:```\nP|speech:Hi"},
	})
}

func TestBrokenText(t *testing.T) {
	t.Parallel()
	checkGrammar(t, layers.Options{}, []grammarCase{
		{"NUL", "a\x00b<think>\x00</think>", "speech:a\x00b|native:\x00"},
		{"broken byte", "a\xffb", "speech:a\ufffdb"},
		{"cut rune at the end", "你\xe5\xa5", "speech:你\ufffd"},
		{"cut rune within", "\xe5\xa5<role_action>\xf0\x9f</role_action>", "speech:\ufffd|act:\ufffd"},
		{"wide spaces", "\u3000你好\u3000<role_action>\u00a0点头\u2003</role_action>\u2028", "speech:你好|act:点头"},
	})
}

func TestSpokeFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw string
		want      []string
	}{
		{"own name", "Mara: Hi.\nMara: Ho.", []string{}},
		{"a line of another", "Mara: Hi.\nPell: No.", []string{"Pell"}},
		{"full-width colon", "你好。\n阿福：来了。", []string{"阿福"}},
		{"the first line", "Pell: No.", []string{"Pell"}},
		{"bold", "Hi.\n**Pell:** No.\n- **Dace**: Yes", []string{"Pell", "Dace"}},
		{"each once, in order", "Dace: a\nPell: b\nDace: c", []string{"Dace", "Pell"}},
		{"on one line, as in CoSER", "Mara: [x] Hi. Pell: (nods) No.", []string{"Pell"}},
		{"on one line, quoted", `Hi. Pell: "No."`, []string{"Pell"}},
		{"within a sentence", "I told Pell: no.", []string{}},
		{"called upon", "Listen. Pell: that was it.", []string{}},
		{"only a name", "Pell nods.\nPell", []string{}},
		{"a longer name", "Mara Quill: Hi", []string{"Mara Quill"}},
		{"a name within a name", "Ann Pell: Hi", []string{}},
		{"after an action", "<role_action>nods</role_action>Pell: No.", []string{"Pell"}},
		{"in hidden text", "<think>Pell: No.</think><system_thinking>\nDace: x</system_thinking>Hi", []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := layers.Parse(c.raw, layers.Options{Name: "Mara", Others: []string{"Pell", "Dace", "Mara Quill", "阿福", "", " ", "Mara"}})
			if diff := cmp.Diff(c.want, got.SpokeFor); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.raw, diff)
			}
		})
	}
}
