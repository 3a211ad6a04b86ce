// Package formats reads and writes comparisons in the shapes that others use:
// logs of chat arenas, public sets of battles, preference data for training,
// judgments of benchmarks, feedback and chats of other programs, plain tables.
//
// Everything goes by way of the ledger's own JSON Lines: a reader turns a file
// into them, row by row, and ledger.Import takes them in; a writer is given one
// duel after the other. Nothing holds more than one row or one duel, except for
// what a format's own file layout asks for (Parquet).
//
// What a format cannot hold is said in its LostOut and LostIn, and what a file
// or a ledger held that did not go through is counted in the Report.
package formats

import (
	"fmt"
	"slices"
	"strings"
)

// Format is one shape of data.
type Format struct {
	Name  string // what a command calls it
	Title string // where it comes from
	Holds string // what one row is
	// LostOut is what of the ledger a file in this format does not hold; LostIn
	// is what of such a file the ledger does not keep. "" is nothing.
	LostOut, LostIn string
	// Extensions are the endings of its files, the usual one first.
	Extensions []string
	// Parquet is set where the format may stand in a Parquet file too.
	Parquet bool
	// Preference is set where only who is better counts, not whose reply it is.
	Preference bool

	codec codec
}

// layout is how rows stand in a file.
type layout int

const (
	asLines layout = iota // one JSON object a line
	asArray               // one JSON array of objects
	asTable               // CSV with a header
	asDuels               // whole duels, in lines of a kind of their own
)

// codec is how a format's rows are read and written.
type codec struct {
	layout layout
	// marks are keys that a row of this format has; the first row of a file must
	// have them all. without are keys that it must not have.
	marks, without []string
	// row makes an empty row for reading; nil where the format is not read row
	// by row.
	read func(*importer, *row) error
	// write makes the rows of one comparison, or says why there are none.
	write func(*exporter, *pair) (rows []any, skip string)
	// duel makes the lines of a whole duel, for the layout asDuels.
	duel func(*exporter, *export) (lines []any, skip string)
	// open reads a file that is no list of rows.
	open func(*importer, *source) error
	// blank is a row of the format's Parquet columns, nil where it has none.
	blank func() any
}

// Own is the name of the ledger's own format.
const Own = "jsonl"

// All returns every format, in the order of a table of them.
func All() []Format {
	return []Format{
		own(), fastChatRaw(), fastChatClean(), lmarena55k(), lmarena100k(), lmarena140k(),
		trlPreference(), trlUnpaired(), herRL(), herSFT(), arenaHard(), mtBench(), openWebUI(), sillyTavern(), csvBattles(),
	}
}

// Find returns the format of a name; the error of an unknown one lists them.
func Find(name string) (Format, error) {
	var names []string
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("the format %.60q is unknown (want %s)", name, strings.Join(names, ", "))
}

// fits reports whether a row with these keys may be of the format.
func (c *codec) fits(keys []string) bool {
	for _, k := range c.marks {
		if !slices.Contains(keys, k) {
			return false
		}
	}
	for _, k := range c.without {
		if slices.Contains(keys, k) {
			return false
		}
	}
	return len(c.marks) > 0
}

// Report says what went through and what did not.
type Report struct {
	Format  string
	Rows    int            // rows read, or written
	Duels   int            // duels read, or made
	Skipped map[string]int // what was left out, by the reason
	// Blind counts the duels that were written without the contestants' names.
	Blind int
}

func (r *Report) skip(why string) {
	if r.Skipped == nil {
		r.Skipped = make(map[string]int)
	}
	r.Skipped[why]++
}

// Reasons returns why rows were left out, the most frequent first.
func (r *Report) Reasons() []string {
	out := make([]string, 0, len(r.Skipped))
	for why := range r.Skipped {
		out = append(out, why)
	}
	slices.SortFunc(out, func(a, b string) int {
		if n := r.Skipped[b] - r.Skipped[a]; n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	return out
}
