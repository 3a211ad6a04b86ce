package prose

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// tooWide stands for a character wider than the whole width.
const tooWide = "\uFFFD"

// tabStop is how many spaces a tab becomes.
const tabStop = 4

// Wrap breaks text into rows of at most width cells: between words where it
// can, between wide (CJK) characters, within a word where it must. Line feeds
// break too, indentation stays, spaces at a break go. It knows grapheme
// clusters, not styles: the text must hold no escape sequences.
func Wrap(text string, width int) []string {
	var rows []string
	for line := range strings.SplitSeq(text, "\n") {
		f := flow{width: max(width, 1)}
		f.feed(line, true)
		rows = append(rows, f.rows...)
	}
	return rows
}

// flow wraps one line of text that may still grow. Rows but the last are final;
// the last is wrapped anew from its beginning at each feed.
type flow struct {
	width int
	marks *marks // inline Markdown, nil for none

	rows  []string
	start int    // where the last row begins in the line
	style inline // in force there

	// The row and the chunk (what may not be broken) under way.
	row, chunk         []byte
	rowCells, cells    int
	gap                int // spaces before the chunk
	chunkAt            int // where the chunk begins in the line
	chunkStyle, now    inline
	rowDrawn, chunkEnd inline // styles in force at the end of row and chunk
	begun              bool   // the row has something in it
	glue               bool   // the chunk ends in a character that may be parted from the next
}

// feed wraps the line, of which only what lies behind start is looked at.
// final tells that no more comes.
func (f *flow) feed(line string, final bool) {
	if n := len(f.rows); n > 0 {
		f.rows = f.rows[:n-1]
	}
	f.begin(f.start, f.style)
	i := f.start
	prev := byte(' ')
	if i > 0 {
		prev = line[i-1]
	}
	for i < len(line) {
		c := line[i]
		if f.marks != nil {
			if n, st, ok := f.marks.at(line, i, f.now, prev, final); ok {
				f.now = st
				prev = c
				i += n
				continue
			}
			if c == '\\' && f.now&code == 0 && i+1 < len(line) && isPunct(line[i+1]) {
				i++
				c = line[i]
			}
		}
		prev = c
		switch {
		case c == ' ' || c == '\t':
			f.commit()
			f.gap++
			if c == '\t' {
				f.gap += tabStop - 1
			}
			i++
			f.chunkAt, f.chunkStyle = i, f.now
		case c < 0x80 && (i+1 == len(line) || line[i+1] < 0x80):
			f.put(line[i:i+1], 1, i)
			i++
			if c == '-' && f.cells > 1 {
				f.commit()
				f.chunkAt, f.chunkStyle = i, f.now
			}
		default:
			cluster, w := ansi.FirstGraphemeCluster(line[i:], ansi.GraphemeWidth)
			if len(cluster) == 0 {
				cluster, w = line[i:i+1], 1
			}
			if w > 1 && !closing(cluster) && !f.glue && f.cells > 0 {
				f.commit()
				f.chunkAt, f.chunkStyle = i, f.now
			}
			f.put(cluster, w, i)
			f.glue = opening(cluster)
			i += len(cluster)
			if w > 1 && !f.glue && !closingNext(line[i:]) {
				f.commit()
				f.chunkAt, f.chunkStyle = i, f.now
			}
		}
	}
	f.commit()
	f.endRow()
}

// begin starts a row at a position of the line.
func (f *flow) begin(at int, st inline) {
	f.start, f.style = at, st
	f.row, f.chunk = f.row[:0], f.chunk[:0]
	f.rowCells, f.cells, f.gap = 0, 0, 0
	f.chunkAt, f.chunkStyle, f.now = at, st, st
	f.rowDrawn, f.chunkEnd = 0, 0
	f.begun, f.glue = false, false
}

// put adds a cluster to the chunk; one that outgrows the width is split.
func (f *flow) put(s string, w, at int) {
	if w > f.width {
		s, w = tooWide, 1
	}
	if f.cells+w > f.width && f.cells > 0 {
		st := f.now
		f.commit()
		f.chunkAt, f.chunkStyle = at, st
	}
	if len(f.chunk) == 0 {
		f.chunkEnd = f.chunkStyle
		f.chunkEnd = f.now
		f.chunk = append(f.chunk, f.marks.turn(0, f.now)...)
	} else if f.chunkEnd != f.now {
		f.chunk = append(f.chunk, f.marks.turn(f.chunkEnd, f.now)...)
		f.chunkEnd = f.now
	}
	f.chunk = append(f.chunk, s...)
	f.cells += w
}

// commit moves the chunk into the row, or into the next one.
func (f *flow) commit() {
	if f.cells == 0 {
		return
	}
	gap := f.gap
	if !f.begun && f.start > 0 {
		gap = 0
	}
	if f.begun && f.rowCells+gap+f.cells > f.width {
		chunk, cells, end, now := f.chunk, f.cells, f.chunkEnd, f.now
		at, st := f.chunkAt, f.chunkStyle
		f.endRow()
		f.chunk = nil
		f.begin(at, st)
		f.chunk, f.cells, f.chunkEnd, f.now = chunk, cells, end, now
		gap = 0
	}
	gap = max(min(gap, f.width-f.rowCells-f.cells), 0)
	for range gap {
		f.row = append(f.row, ' ')
	}
	f.row = append(f.row, f.chunk...)
	f.row = append(f.row, f.marks.turn(f.chunkEnd, 0)...)
	f.rowCells += gap + f.cells
	f.begun = true
	f.chunk, f.cells, f.gap, f.glue = f.chunk[:0], 0, 0, false
}

// endRow closes the row.
func (f *flow) endRow() { f.rows = append(f.rows, string(f.row)) }
