package prose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"herarena/tui/guard"
	"herarena/tui/look"
)

func shownAt(text string, width int) (string, [][]Cell, []string) {
	p := New(look.New(look.Options{Dark: true, Colour: look.Full}))
	p.Append(text)
	p.Finish()
	rows := p.Rows(width)
	cells := Align(p.Text(), rows, 0)
	return Shown(p.Text(), cells, 0, len(p.Text())), cells, rows
}

func TestWhatIsShownCanBeCopiedAsItReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"wrapped", "She looks up from the ledger and says nothing at all.", "She looks up from the ledger and says nothing at all."},
		{"emphasis", "*She looks up* from **the ledger**, and `waits` there.", "She looks up from the ledger, and waits there."},
		{"paragraphs", "One line.\nAnother.\n\nA paragraph.", "One line.\nAnother.\n\nA paragraph."},
		{"CJK", "彼女は窓のそばに立っている。雨が降っていて、港は静かだ。", "彼女は窓のそばに立っている。雨が降っていて、港は静かだ。"},
		{"emoji", "A family 👨‍👩‍👧‍👦 and a flag 🏳️‍🌈 sail on.", "A family 👨‍👩‍👧‍👦 and a flag 🏳️‍🌈 sail on."},
		{"combining", "cafe\u0301 au lait in Zu\u0308rich", "cafe\u0301 au lait in Zu\u0308rich"},
		{"RTL", "She says שלום עולם and then مرحبا بالعالم twice.", "She says שלום עולם and then مرحبا بالعالم twice."},
		{"entity", "Salt &amp; iron &lt;3 all", "Salt & iron <3 all"},
		{"list", "- a first thing to carry\n- a second thing to carry", "a first thing to carry\na second thing to carry"},
		{"numbers", "1. a first thing to carry\n2. a second", "1. a first thing to carry\n2. a second"},
		{"quote", "> He said that the tide would turn.\n\nIt did.", "He said that the tide would turn.\n\nIt did."},
		{"code", "See:\n\n```go\nx := 1\ny := 2\n```\n\nDone.", "See:\n\nx := 1\ny := 2\n\nDone."},
		{"link", "Read [the chart](https://sea.example/chart) now", "Read the chart https://sea.example/chart now"},
		{"long word", "Donaudampfschifffahrtsgesellschaftskapitän ahoy", "Donaudampfschifffahrtsgesellschaftskapitän ahoy"},
	} {
		for _, width := range []int{18, 24, 40, 80} {
			got, _, rows := shownAt(c.text, width)
			if got != c.want {
				t.Errorf("%s at %d:\n got %q\nwant %q\nrows %q", c.name, width, got, c.want, rows)
			}
		}
	}
}

func TestATableIsReadCellByCell(t *testing.T) {
	t.Parallel()
	text := "| Port | Toll |\n|---|---:|\n| Brighton by the sea, where nobody pays | twelve shillings |\n| Meryton | 3s |"
	for _, width := range []int{80, 30, 24} {
		got, _, rows := shownAt(text, width)
		for _, want := range []string{"Port", "Toll", "Brighton by the sea, where nobody pays", "twelve shillings", "Meryton", "3s"} {
			if !strings.Contains(got, want) {
				t.Errorf("at %d %q is missing in %q\n%s", width, want, got, strings.Join(rows, "\n"))
			}
		}
	}
}

// TestAlignedCellsAreTheTextsOwn: every cell that claims to be of the text holds
// what stands there, within the row, and the text is claimed at most once.
func TestAlignedCellsAreTheTextsOwn(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"word ", "two words ", "*soft* ", "**loud** ", "`x` ", "彼女は", "雨 ", "👨‍👩‍👧‍👦", "e\u0301", "שלום ", "مرحبا ", "\n", "\n\n", "- item\n", "1. one\n",
		"> quoted\n", "```\ncode\n```\n", "| a | b |\n|---|---|\n| c c c c c c c c c c | d |\n", "&amp;", "[l](http://x.y) ", "# H\n", "\t", "<b>", "***", "\\*",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := guard.Text(strings.Join(rapid.SliceOfN(piece, 0, 24).Draw(t, "text"), ""))
		width := rapid.IntRange(1, 60).Draw(t, "width")
		_, cells, rows := shownAt(text, width)
		taken := make([]bool, len(text)+1)
		for y, row := range cells {
			for _, c := range row {
				if c.Col < 0 || c.Col+c.Width > max(width, 1) || c.Col+c.Width > look.Width(rows[y]) {
					t.Fatalf("row %d %q: cell %+v lies outside", y, rows[y], c)
				}
				if c.From < 0 {
					continue
				}
				if c.To <= c.From || c.To > len(text) {
					t.Fatalf("row %d: %+v of %d bytes", y, c, len(text))
				}
				for i := c.From; i < c.To; i++ {
					if taken[i] {
						t.Fatalf("byte %d of %q is claimed twice; rows %q", i, text, rows)
					}
					taken[i] = true
				}
			}
		}
	})
}

func TestTablesAreDrawnInEveryWidth(t *testing.T) {
	t.Parallel()
	text := "| Port | Toll | 備考 |\n|---|---:|:-:|\n| Brighton, where nobody pays | 12s | 安い港です |\n| Meryton | 3s | |"
	for width := 1; width <= 90; width++ {
		p := New(look.New(look.Options{Dark: true}))
		p.Append(text)
		p.Finish()
		all := ""
		for _, r := range p.Rows(width) {
			if n := look.Width(r); n > width {
				t.Fatalf("at %d a row has %d cells: %q", width, n, r)
			}
			all += r
		}
		for _, letter := range "PortTollMerytonpays3s12s" {
			if !strings.ContainsRune(all, letter) {
				t.Fatalf("at %d %q is lost: %q", width, letter, all)
			}
		}
	}
}

// TestAlignmentOfGrowingTextIsAlign: piece by piece the cells are those of all at
// once. Where rows are not in the order of the text, as in tables, what is found
// may differ; then every cell is the text's own, and none is claimed twice.
func TestAlignmentOfGrowingTextIsAlign(t *testing.T) {
	t.Parallel()
	plain := []string{"word ", "two words ", "*soft* ", "**lo", "ud** ", "彼女は", "雨 ", "👨‍👩‍👧‍👦", "e\u0301", "שלום ", "\n", "\n\n", "wo", "rd"}
	odd := append([]string{"- item\n", "> quoted\n", "| a | b |\n|---|---|\n", "| c c c c c c c c c c | d |\n", "&amp;", "`x` ", "\\*"}, plain...)
	rapid.Check(t, func(t *rapid.T) {
		isPlain := rapid.Bool().Draw(t, "plain")
		pieces := odd
		if isPlain {
			pieces = plain
		}
		p := New(look.New(look.Options{Dark: true, Colour: look.Full}))
		width := rapid.IntRange(4, 40).Draw(t, "width")
		var al Alignment
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
				width = rapid.IntRange(4, 40).Draw(t, "another width")
			}
			p.Append(rapid.SampledFrom(pieces).Draw(t, "piece"))
			text, rows := p.Text(), p.Rows(width)
			got := al.Rows(text, rows, 0)
			if want := Align(text, rows, 0); isPlain {
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("%q in %q:\n%s", text, rows, diff)
				}
			}
			taken := make([]bool, len(text)+1)
			for _, row := range got {
				for _, c := range row {
					for i := c.From; i >= 0 && i < c.To; i++ {
						if taken[i] {
							t.Fatalf("byte %d of %q is claimed twice; rows %q", i, text, rows)
						}
						taken[i] = true
					}
				}
			}
		}
	})
}

func TestAlignedRowsThatStayAreKept(t *testing.T) {
	t.Parallel()
	var al Alignment
	text := "one two three four five six seven eight nine ten"
	rows := []string{"one two", "three four", "five six", "seven eight"}
	first := al.Rows(text[:len("one two three four five six seven eight")], rows, 0)
	kept := &first[0][0]
	more := al.Rows(text, append(rows, "nine ten"), 0)
	if kept != &more[0][0] || len(more) != 5 {
		t.Error("the first row was aligned anew")
	}
}
