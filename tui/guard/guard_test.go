package guard

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// vectors are texts and what becomes of them at the entrance.
var vectors = []struct{ name, in, want string }{
	{"plain", "Mr Darcy.\n\tGood evening.", "Mr Darcy.\n\tGood evening."},
	{"colour", "a\x1b[31mred\x1b[0mb", "aredb"},
	{"conceal", "a\x1b[8mhidden\x1b[m", "ahidden"},
	{"clear screen", "a\x1b[2J\x1b[Hb", "ab"},
	{"cursor report", "a\x1b[6nb", "ab"},
	{"private mode", "a\x1b[?1049lb", "ab"},
	{"csi with intermediate", "a\x1b[1 qb", "ab"},
	{"csi abandoned by a line feed", "a\x1b[12\nb", "a\nb"},
	{"csi abandoned by a letter beyond ASCII", "a\x1b[12éb", "aéb"},
	{"reset", "a\x1bcb", "ab"},
	{"charset", "a\x1b(0b", "ab"},
	{"lone escape at the end", "a\x1b", "a"},
	{"lone escape before a letter beyond ASCII", "a\x1bé", "aé"},
	{"two escapes", "a\x1b\x1b[31mb", "ab"},
	{"clipboard", "a\x1b]52;c;ZXZpbA==\x07b", "ab"},
	{"title, ended by ST", "a\x1b]0;title\x1b\\b", "ab"},
	{"title, ended by C1 ST", "a\x1b]0;title\u009cb", "ab"},
	{"link", "a\x1b]8;;https://evil.test\x1b\\good\x1b]8;;\x1b\\b", "agoodb"},
	{"check mark inside a title is no ST", "a\x1b]0;\u2713 done\x07b", "ab"},
	{"unterminated title", "a\x1b]0;swallowed\nb", "a\nb"},
	{"unterminated title at the end", "a\x1b]0;swallowed", "a"},
	{"title broken off by another sequence", "a\x1b]0;x\x1b[31mb", "ab"},
	{"cancelled title", "a\x1b]0;x\x18b", "ab"},
	{"dcs", "a\x1bP+q544e\x1b\\b", "ab"},
	{"apc", "a\x1b_Gf=24;AAAA\x1b\\b", "ab"},
	{"pm", "a\x1b^x\x1b\\b", "ab"},
	{"sos", "a\x1bXx\x1b\\b", "ab"},
	{"csi as C1", "a\u009b2Jb", "ab"},
	{"osc as C1", "a\u009d52;c;x\x07b", "ab"},
	{"csi as a raw byte", "a\x9b2Jb", "ab"},
	{"osc as a raw byte", "a\x9d52;c;x\x07b", "ab"},
	{"osc and st as raw bytes", "a\x9d52;c;x\x9cb", "ab"},
	{"other C1", "a\u0084\u008db", "ab"},
	{"the end of a broken quote is no OSC", "he said \x80\x9dno more", "he said \uFFFDno more"},
	{"the beginning of a broken quote", "a\xe2\x9db", "a\uFFFD\uFFFDb"},
	{"invalid", "a\xff\xfeb", "a\uFFFD\uFFFDb"},
	{"overlong", "a\xc0\xafb", "a\uFFFD\uFFFDb"},
	{"cut rune", "a\xe2\x82", "a\uFFFD\uFFFD"},
	{"backspace", "good\b\b\b\bevil", "goodevil"},
	{"bell, nul, shift out, delete", "a\x07\x00\x0e\x7fb", "ab"},
	{"carriage return", "good\revil", "good\nevil"},
	{"line ends of all kinds", "a\r\nb\rc\u0085d\u2028e\u2029f\n", "a\nb\nc\nd\ne\nf\n"},
	{"vertical tab, form feed", "a\v\fb", "ab"},
	{"bidi override", "evil\u202egpj.exe", "evil\uFFFDgpj.exe"},
	{"bidi isolate", "a\u2067b\u2069", "a\uFFFDb\uFFFD"},
	{"bidi marks", "a\u200e\u200f\u061cb", "ab"},
	{"zero width", "a\u200b\u2060\ufeff\u00ad\u180eb", "ab"},
	{"invisible operators", "a\u2061\u2062\u2063\u2064\u2065b", "ab"},
	{"tags", "a\U000E0001\U000E0041\U000E007Fb", "ab"},
	{"fillers", "a\u3164\u115f\u1160\uffa0\u17b4b", "ab"},
	{"blank braille", "a\u2800b", "a b"},
	{"selectors", "a\ufe00\U000E0100\u180bb", "ab"},
	{"emoji presentation", "\u2764\ufe0f", "\u2764\ufe0f"},
	{"family", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"},
	{"persian joiner", "می\u200cخواهم", "می\u200cخواهم"},
	{"joiner without a base", "\u200da\n\u200db", "a\nb"},
	{"smuggled selectors", "a" + strings.Repeat("\ufe0e\ufe0f", 30), "a\ufe0e\ufe0f\ufe0e\ufe0f"},
	{"stacked marks", "a" + strings.Repeat("\u0301", 60) + "b", "a\u0301\u0301\u0301\u0301b"},
	{"spacing marks", "क" + strings.Repeat("\u093e", 9), "क\u093e\u093e\u093e\u093e"},
	{"hindi", "क्षत्रिय", "क्षत्रिय"},
	{"mark without a base", "\u0301a", "a"},
	{"noncharacter", "a\ufffe\ufdd0b", "a\uFFFD\uFFFDb"},
	{"arabic number sign", "\u0600\u0661", "\u0600\u0661"},
}

func TestTextCleansWhatOthersWrote(t *testing.T) {
	for _, v := range vectors {
		if got := Text(v.in); got != v.want {
			t.Errorf("%s: Text(%q) = %q, want %q", v.name, v.in, got, v.want)
		}
	}
}

func TestStreamGivesTheSameHoweverTheTextIsCut(t *testing.T) {
	for _, v := range vectors {
		for size := 1; size <= 3; size++ {
			var s Stream
			var b strings.Builder
			for i := 0; i < len(v.in); i += size {
				b.WriteString(s.Clean(v.in[i:min(i+size, len(v.in))]))
			}
			b.WriteString(s.Flush())
			if b.String() != v.want {
				t.Errorf("%s in pieces of %d: %q, want %q", v.name, size, b.String(), v.want)
			}
		}
	}
}

func TestStreamShowsWholeTextAtOnce(t *testing.T) {
	var s Stream
	if got := s.Clean("Good "); got != "Good " {
		t.Errorf("plain text was held back: %q", got)
	}
	if got := s.Clean("é\xc3"); got != "é" {
		t.Errorf("got %q, want the whole rune and not the half one", got)
	}
	if got := s.Clean("\xa9!"); got != "é!" {
		t.Errorf("got %q, want the joined rune", got)
	}
}

func TestStreamGivesUpAnEndlessSequence(t *testing.T) {
	var s Stream
	if got := s.Clean("a\x1b]0;" + strings.Repeat("x", held)); got != "ax" && got != "axx" && !strings.HasPrefix(got, "a") {
		t.Errorf("got %q", got)
	}
	if got := s.Clean("the end"); got != "the end" {
		t.Errorf("text behind an endless sequence is lost: %q", got)
	}
}

func TestStreamIsAsNewAfterFlush(t *testing.T) {
	var s Stream
	s.Clean("a\x1b]0;half")
	s.Flush()
	if got := s.Clean("\u0301b") + s.Flush(); got != "b" {
		t.Errorf("state survived Flush: %q", got)
	}
}

func TestLineStaysOnOneLine(t *testing.T) {
	for in, want := range map[string]string{
		" Mr\tDarcy\r\nof Pemberley ": "Mr Darcy of Pemberley",
		"\x1b]0;x\x07":                "",
		"a\u2028b":                    "a b",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestExitLetsColoursThroughAndNothingElse(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[1;38;2;1;2;3mred\x1b[0m":    "\x1b[1;38;2;1;2;3mred\x1b[0m",
		"\x1b[m\x1b[31mx":                 "\x1b[m\x1b[31mx",
		"a\x1b[8mhidden":                  "ahidden",
		"a\x1b[1;8mhidden":                "ahidden",
		"\x1b[38;5;8mgrey":                "\x1b[38;5;8mgrey",
		"\x1b[48;2;8;8;8mdark":            "\x1b[48;2;8;8;8mdark",
		"a\x1b[38;5;1;8mb":                "ab",
		"a\x1b[?25lb":                     "ab",
		"a\x1b[4:3mb":                     "ab",
		"a\x1b[>4;2mb":                    "ab",
		"a\x1b]8;;https://evil.test\x07b": "ab",
		"a\x1b[2Jb":                       "ab",
		"a\tb":                            "a b",
		"a\u202eb":                        "a\uFFFDb",
		"\x1b[" + strings.Repeat("1;", 99) + "mx": "x",
	} {
		if got := Exit(in); got != want {
			t.Errorf("Exit(%q) = %q, want %q", in, got, want)
		}
	}
}

// hidden reports a rune that must not reach a terminal. It is written from the
// Unicode categories, apart from the filter's own tables.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == 0x200c || r == 0x200d || r == 0xfe0e || r == 0xfe0f:
		return false
	case unicode.Is(unicode.Cc, r), r == 0x2028, r == 0x2029:
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	case unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Variation_Selector, r),
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
		return true
	}
	return false
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// check holds an output to what the package promises.
func check(t *testing.T, in, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatalf("%q gave invalid UTF-8 %q", in, out)
	}
	marks := 0
	for _, r := range out {
		if hidden(r) {
			t.Fatalf("%q let %U through: %q", in, r, out)
		}
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) || r == 0x200c || r == 0x200d {
			marks++
		} else if !unicode.Is(unicode.Mc, r) {
			marks = 0
		}
		if marks > maxMarks {
			t.Fatalf("%q stacked more than %d marks: %q", in, maxMarks, out)
		}
	}
}

func TestNoRuneHidesAnything(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		in := "a" + string(r) + "b"
		check(t, in, Text(in))
	}
}

func FuzzGuard(f *testing.F) {
	for _, v := range vectors {
		f.Add(v.in, uint8(3))
	}
	f.Fuzz(func(t *testing.T, in string, cut uint8) {
		out := Text(in)
		check(t, in, out)
		if again := Text(out); again != out {
			t.Fatalf("a second pass changes %q to %q", out, again)
		}
		var s Stream
		var b strings.Builder
		for rest := in; rest != ""; {
			n := min(1+int(cut)%7, len(rest))
			cut = cut*5 + 1
			b.WriteString(s.Clean(rest[:n]))
			rest = rest[n:]
		}
		b.WriteString(s.Flush())
		if b.String() != out {
			t.Fatalf("%q in pieces gives %q, at once %q", in, b.String(), out)
		}
		exit := Exit(in)
		check(t, in, strings.ReplaceAll(colours.ReplaceAllString(exit, ""), "\t", "?\x00"))
		line := Line(in)
		check(t, in, line)
		if strings.ContainsAny(line, "\n\t") {
			t.Fatalf("Line(%q) = %q", in, line)
		}
	})
}

func BenchmarkText(b *testing.B) {
	prose := strings.Repeat("“You are late,” she said, and *turned away* from the window. ", 200)
	ascii := strings.Repeat("You are late, she said, and turned away from the window. ", 200)
	hostile := strings.Repeat("late\x1b[31m \u202e\x1b]52;c;AAAA\x07é\u0301\u0301\r\n", 300)
	for name, text := range map[string]string{"ascii": ascii, "quotes": prose, "hostile": hostile} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Text(text)
			}
		})
	}
}

func BenchmarkStreamToken(b *testing.B) {
	var s Stream
	b.ReportAllocs()
	b.SetBytes(5)
	for b.Loop() {
		s.Clean(" word")
	}
}

func BenchmarkExit(b *testing.B) {
	text := strings.Repeat("\x1b[1;38;2;200;100;50mYou are late\x1b[m, she said. ", 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Exit(text)
	}
}
