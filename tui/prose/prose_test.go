package prose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"herarena/tui/look"
)

var (
	mono   = look.New(look.Options{})
	colour = look.New(look.Options{Dark: true, Colour: look.Full})
)

// finished renders a whole text at once.
func finished(l *look.Look, text string, width int) []string {
	p := New(l)
	p.Set(text)
	p.Finish()
	return slices.Clone(p.Rows(width))
}

// plainRows is finished without styles.
func plainRows(text string, width int) []string {
	rows := finished(mono, text, width)
	for i, r := range rows {
		rows[i] = ansi.Strip(r)
	}
	return rows
}

func TestFinishedProse(t *testing.T) {
	for name, c := range map[string]struct {
		in    string
		width int
		want  []string
	}{
		"empty":                        {"", 20, nil},
		"paragraph":                    {"Good evening, Mr Darcy.", 14, []string{"Good evening,", "Mr Darcy."}},
		"line feeds":                   {"One.\nTwo.\n\n\nThree.\n", 20, []string{"One.", "Two.", "", "Three."}},
		"emphasis":                     {"She *smiles* and says **no**.", 40, []string{"She smiles and says no."}},
		"nested emphasis is Glamour's": {"***both*** _one_", 40, []string{"both one"}},
		"code span":                    {"say `a*b`", 40, []string{"say a*b"}},
		"heading":                      {"# Title\nText", 20, []string{"Title", "Text"}},
		"setext":                       {"Title\n=====\n\nText", 20, []string{"Title", "", "Text"}},
		"narrow list":                  {"- one two three\n- four", 9, []string{"- one two", "three", "- four"}},
		"list":                         {"Choose:\n- one two three\n- four", 13, []string{"Choose:", "• one two", "  three", "• four"}},
		"loose list":                   {"- one\n\n  more\n\n- two", 20, []string{"• one", "", "  more", "", "• two"}},
		"numbers":                      {"9. nine\n10. ten", 20, []string{"9. nine", "10. ten"}},
		"nested list":                  {"- a\n  - b\n    c\n- d", 20, []string{"• a", "  • b", "    c", "• d"}},
		"quote":                        {"> one two three\n> four", 14, []string{"▏ one two", "▏ three", "▏ four"}},
		"fence":                        {"```go\nif x {\n\n\ty()\n}\n```\nAfter.", 20, []string{"  if x {", "", "      y()", "  }", "", "After."}},
		"open fence":                   {"```\nx", 20, []string{"  x"}},
		"rule":                         {"a\n\n***\n\nb", 12, []string{"a", "", "────────────", "", "b"}},
		"a definition is shown":        {"see [x]\n\n[x]: https://host.test", 60, []string{"see [x]", "", "[x]: https://host.test"}},
		"a name in brackets":           {"[Elizabeth]: Sir.", 60, []string{"[Elizabeth]: Sir."}},
		"a tag is shown":               {"<b>bold</b> word", 40, []string{"<b>bold</b> word"}},
		"a block of tags":              {"<div>\n\nhello\n\n</div>", 40, []string{"<div>", "", "hello", "", "</div>"}},
		"a comment is shown":           {"<!-- aside\n\nmore -->", 40, []string{"<!-- aside", "", "more -->"}},
		"link":                         {"[good](https://evil.test)", 60, []string{"good https://evil.test"}},
		"asterisks that are none":      {"2 * 3 * 4 and a*b", 40, []string{"2 * 3 * 4 and a*b"}},
		"cjk":                          {"漢字漢字漢字。", 8, []string{"漢字漢字", "漢字。"}},
		"emoji":                        {"👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧", 5, []string{"👩‍👩‍👧 👩‍👩‍👧", "👩‍👩‍👧"}},
		"entity of an escape":          {"&#27;]52;c;x&#7;end", 40, []string{"end"}},
		"entity of an override":        {"a&#8238;b", 40, []string{"a\uFFFDb"}},
	} {
		if got := plainRows(c.in, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q at %d is %q, want %q", name, c.in, c.width, got, c.want)
		}
	}
}

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// checkRows holds rows to what a pane may rely on.
func checkRows(t interface{ Fatalf(string, ...any) }, rows []string, width int) {
	for _, r := range rows {
		if w := look.Width(r); w > width {
			t.Fatalf("row %q is %d cells, want at most %d", r, w, width)
		}
		if strings.ContainsAny(sgr.ReplaceAllString(r, ""), "\x1b\n\r\t") || !utf8.ValidString(r) {
			t.Fatalf("row %q holds a control", r)
		}
		if all := sgr.FindAllString(r, -1); len(all) > 0 && all[len(all)-1] != reset {
			t.Fatalf("row %q does not end its style", r)
		}
		if bare := ansi.Strip(r); strings.HasSuffix(bare, " ") {
			t.Fatalf("row %q ends in padding", r)
		}
	}
}

// reply draws text as models write it, and worse.
func reply() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for _, s := range rapid.SliceOfN(rapid.OneOf(document(), words(), rapid.SampledFrom([]string{
			"\n\n", "\n", "[x]: https://host.test\n", "see [x] ", "\x1b[31mred\x1b[0m", "\x1b]0;t\x07", "\u202e", "&#27;[2J",
			"> ", "```\n", "**bold words that are quite long** ", "| a | b |\n|---|---|\n| 漢字 | a very long cell |\n",
		})), 0, 6).Draw(t, "pieces") {
			b.WriteString(s)
		}
		return b.String()
	})
}

func TestProseIsTheSameHoweverItCame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, width := reply().Draw(t, "text"), rapid.IntRange(1, 60).Draw(t, "width")
		l := rapid.SampledFrom([]*look.Look{mono, colour}).Draw(t, "look")
		want := finished(l, text, width)
		checkRows(t, want, width)
		p := New(l)
		for at := 0; at < len(text); {
			end := min(at+rapid.IntRange(1, 24).Draw(t, "step"), len(text))
			if rapid.Bool().Draw(t, "set") {
				p.Set(text[:end])
			} else {
				p.Append(text[at:end])
			}
			at = end
			if rapid.Bool().Draw(t, "look at") {
				w := rapid.SampledFrom([]int{width, width, width, 33}).Draw(t, "at width")
				checkRows(t, p.Rows(w), w)
			}
			if rapid.IntRange(0, 19).Draw(t, "finish early") == 0 {
				p.Finish()
			}
		}
		p.Finish()
		if got := p.Rows(width); !slices.Equal(got, want) {
			t.Fatalf("%q at %d\nstreamed %q\nat once  %q", text, width, got, want)
		}
	})
}

func TestStreamLooksLikeItsEnd(t *testing.T) {
	// Where nothing is left open the rows while streaming are the final ones.
	for _, text := range []string{
		"Good evening, *Mr Darcy*. I did not expect you here.\nHe bows.",
		"Plan:\n- stay calm\n- say *little*",
		"> she said\n> nothing",
		"1. first of all the things\n2. second",
		"```\ncode\n```\nAfter.",
		"# Title\nText",
		"漢字漢字漢字漢字漢字。漢字",
	} {
		p := New(colour)
		p.Append(text)
		open := slices.Clone(p.Rows(24))
		p.Finish()
		if got := p.Rows(24); !slices.Equal(got, open) {
			t.Errorf("%q\nstreaming %q\nfinished  %q", text, open, got)
		}
	}
}

func TestSetBeginsAnewWhenTextChanged(t *testing.T) {
	p := New(mono)
	p.Set("One.\n\nTwo.")
	p.Rows(20)
	v := p.Version()
	p.Set("One.\n\nThree.")
	if got := p.Rows(20); !slices.Equal(got, []string{"One.", "", "Three."}) || p.Version() == v {
		t.Errorf("rows %q, version %d after %d", got, p.Version(), v)
	}
	v = p.Version()
	p.Set("One.\n\nThree.")
	if p.Version() != v {
		t.Error("setting the same text again changed the version")
	}
	p.Set("")
	if got := p.Rows(20); len(got) != 0 || p.Text() != "" {
		t.Errorf("emptied: %q, %q", got, p.Text())
	}
}

func TestTextIsWhatMayBeCopied(t *testing.T) {
	p := New(mono)
	p.Append("a \x1b[31")
	p.Append("mred\r\n*b*")
	p.Finish()
	if got := p.Text(); got != "a red\n*b*" {
		t.Errorf("Text() = %q", got)
	}
}

func TestRowsOfOddWidths(t *testing.T) {
	text := "# T\n\n- a\n  - b\n\n> q\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nlong line of code\n```\n漢字 *em*"
	for w := -2; w < 40; w++ {
		checkRows(t, finished(colour, text, w), max(w, 1))
	}
}

func TestDeepNestingEnds(t *testing.T) {
	for _, s := range []string{strings.Repeat("> ", 3000), strings.Repeat("- ", 3000), strings.Repeat("*", 9000), strings.Repeat("[", 5000), strings.Repeat("`", 7001)} {
		checkRows(t, finished(mono, s+"x", 40), 40)
	}
}

func TestNothingWrittenIsHidden(t *testing.T) {
	known := []string{
		"smiles", "plain", "one", "two", "star", "plus", "first", "second", "tenth", "said", "quoted", "item",
		"Title", "code", "three", "div", "note", "script", "inline", "php", "definition", "text", "deep", "漢字", "host",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := document().Draw(t, "text")
		out := strings.Join(finished(mono, text, 200), "\n")
		for _, w := range known {
			if strings.Count(out, w) < strings.Count(text, w) {
				t.Fatalf("%q is missing in\n%s\nof\n%s", w, out, text)
			}
		}
	})
}

func TestHostileTextIsDrawnInTime(t *testing.T) {
	for name, s := range map[string]string{
		"headings": strings.Repeat("# a\n", 5000),
		"links":    strings.Repeat("[a](", 8000),
		"urls":     strings.Repeat("http://a.b/", 5000),
		"table":    "|a|b|\n|-|-|\n" + strings.Repeat("|c `x`|d|\n", 4000),
		"setext":   strings.Repeat("a_b\n", 8000) + "===",
		"quotes":   strings.Repeat(strings.Repeat("> ", 100)+"x\n", 100),
		"stairs":   stairs(300),
		"bullets":  strings.Repeat("- ", 20000),
		"marks":    strings.Repeat("**a *b ", 8000),
		"one word": strings.Repeat("x", 200_000),
		"lists":    strings.Repeat("- a\n\n", 10000),
	} {
		start := time.Now()
		finished(mono, s, 60)
		// Without its bounds Glamour takes minutes for some of these.
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: %d bytes took %v", name, len(s), d)
		}
	}
}

// stairs makes a list in which every item is nested in the one before.
func stairs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- step\n")
	}
	return b.String()
}

// roleplay makes a reply of about n bytes, mostly plain, with some emphasis.
func roleplay(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		switch i % 5 {
		case 0:
			b.WriteString("*She turns away from the window, a hand on the cold glass.* ")
		case 3:
			b.WriteString("“And yet you came,” she said. “I wonder *why* that is.”\n\n")
		default:
			b.WriteString("I had not thought to meet you here, sir, of all the houses in the county. ")
		}
	}
	return b.String()[:n]
}

// markdown makes a reply of about n bytes full of structure.
func markdown(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "## Part %d\n\nSome `code` and a [link](https://host.test).\n\n- one thing\n- and **another** thing\n\n> quoted words\n\n", i)
	}
	return b.String()
}

// stream plays a reply in tokens of 5 bytes, 200 a second, drawn at 30 Hz.
func stream(p *Prose, text string, width int) {
	const token, perFrame = 5, 200 / 30
	for i, n := 0, 0; i < len(text); n++ {
		end := min(i+token, len(text))
		p.Append(text[i:end])
		i = end
		if n%perFrame == 0 {
			p.Rows(width)
		}
	}
	p.Finish()
	p.Rows(width)
}

func BenchmarkReply(b *testing.B) {
	for _, kind := range []struct {
		name string
		make func(int) string
	}{{"roleplay", roleplay}, {"markdown", markdown}, {"one-line", func(n int) string {
		return strings.ReplaceAll(roleplay(n), "\n", " ")
	}}} {
		for _, n := range []int{1_000, 10_000, 30_000} {
			text := kind.make(n)
			b.Run(fmt.Sprintf("%s/%dkB", kind.name, n/1000), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					stream(New(colour), text, 74)
				}
			})
		}
	}
}

func BenchmarkToken(b *testing.B) {
	for _, n := range []int{1_000, 30_000} {
		b.Run(fmt.Sprintf("behind/%dkB", n/1000), func(b *testing.B) {
			p := New(colour)
			p.Append(roleplay(n))
			p.Rows(74)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%200 == 199 {
					p.Append("\n\n")
				} else {
					p.Append(" word")
				}
				p.Rows(74)
			}
		})
	}
}

func BenchmarkWrap(b *testing.B) {
	text := roleplay(10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Wrap(text, 74)
	}
}

func TestTokenCostsTheSameBehindAnyLength(t *testing.T) {
	cost := func(n int) float64 {
		p := New(colour)
		p.Append(roleplay(n))
		p.Rows(74)
		return testing.AllocsPerRun(400, func() {
			p.Append(" word")
			p.Rows(74)
		})
	}
	if short, long := cost(1_000), cost(30_000); long > short*1.5+1 || short > 6 {
		t.Errorf("a token makes %.1f allocations behind 1 kB and %.1f behind 30 kB", short, long)
	}
}
