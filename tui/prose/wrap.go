package prose

import (
	"strings"
	"unicode/utf8"

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

// Wrapped is what Wrap returns of a text that grows: rows before the last one of
// a line are made once. The zero value is ready.
type Wrapped struct {
	width int
	at    int      // where the text's last line begins
	rows  []string // all of them
	fixed int      // of them, those that can change no more
	taken int      // rows of the flow that are among the fixed ones
	flow  flow
}

// Rows returns Wrap(text, width), and how many of the first rows are those that
// the last call returned. The text must begin with that of the last call, or
// Reset be called before. The slice is the Wrapped's own and good until the next
// call; the strings stay good.
func (w *Wrapped) Rows(text string, width int) (rows []string, same int) {
	if width = max(width, 1); width != w.width {
		w.Reset()
		w.width, w.flow.width = width, width
	}
	same = w.fixed
	w.rows = w.rows[:w.fixed]
	for {
		n := strings.IndexByte(text[w.at:], '\n')
		if n < 0 {
			break
		}
		w.line(text[w.at:w.at+n], true)
		w.at += n + 1
	}
	w.line(text[w.at:], false)
	return w.rows, same
}

// line adds the rows of the last line.
func (w *Wrapped) line(s string, whole bool) {
	w.flow.feed(s, true)
	w.rows = append(w.rows, w.flow.rows[w.taken:]...)
	if whole {
		w.fixed, w.taken = len(w.rows), 0
		w.flow = flow{width: w.width, row: w.flow.row, rows: w.flow.rows[:0], chunk: chunk{text: w.flow.chunk.text}}
		return
	}
	w.taken = len(w.flow.rows) - 1
	w.fixed = len(w.rows) - 1
}

// Reset forgets the text.
func (w *Wrapped) Reset() { *w = Wrapped{} }

// flow wraps one line of text that may still grow. Breaking is greedy, so that
// rows before the last never change; the last one is wrapped anew from its
// beginning at each feed.
type flow struct {
	width int
	marks *marks // inline Markdown, nil for none

	rows  []string
	start int    // where the last row begins in the line
	style inline // in force there

	row   []byte
	cells int  // of the row
	begun bool // the row has something in it

	gap   int // spaces between row and chunk
	chunk chunk
	now   inline // in force behind what was read
}

// chunk is a run of text that is not to be broken.
type chunk struct {
	text  []byte
	cells int
	at    int    // where it begins in the line
	style inline // in force there
	last  inline // in force behind its text
	glue  bool   // it ends in punctuation that wants the next character
}

// feed wraps the line, of which only what lies behind the start of the last row
// is read. final tells that no more comes.
func (f *flow) feed(line string, final bool) {
	if n := len(f.rows); n > 0 {
		f.rows = f.rows[:n-1]
	}
	f.begin(f.start, f.style)
	f.now = f.style
	f.chunk = chunk{text: f.chunk.text[:0], at: f.start, style: f.style}
	f.gap = 0
	prev := byte(' ')
	if f.start > 0 {
		prev = line[f.start-1]
	}
	for i := f.start; i < len(line); {
		at, c := i, line[i]
		if f.marks != nil {
			if n, st, ok := f.marks.at(line, i, f.now, prev, final); ok {
				f.now, prev = st, c
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
			i++
			f.commit(i)
			f.gap++
			if c == '\t' {
				f.gap += tabStop - 1
			}
		case c < 0x80 && (i+1 == len(line) || line[i+1] < 0x80):
			f.put(line[i:i+1], 1, at)
			i++
			if c == '-' && f.chunk.cells > 1 {
				f.commit(i)
			}
		default:
			i += f.wide(line, i, at)
		}
	}
	f.commit(len(line))
	f.endRow()
}

// wide reads one cluster beyond ASCII and returns its length. Rows may break
// before and behind a wide one, punctuation permitting.
func (f *flow) wide(line string, i, at int) int {
	cluster, w := ansi.FirstGraphemeCluster(line[i:], ansi.GraphemeWidth)
	if len(cluster) == 0 {
		cluster, w = line[i:i+1], 1
	}
	// What follows may still widen a cluster (VS16), but never its first rune.
	_, first := utf8.DecodeRuneInString(cluster)
	wide := ansi.StringWidth(cluster[:first]) > 1
	if wide && !closing(cluster) && !f.chunk.glue {
		f.commit(at)
	}
	f.put(cluster, w, at)
	f.chunk.glue = opening(cluster)
	if end := i + len(cluster); wide && !f.chunk.glue && !closingNext(line[end:]) {
		f.commit(end)
	}
	return len(cluster)
}

// begin starts a row at a position of the line.
func (f *flow) begin(at int, st inline) {
	f.start, f.style = at, st
	f.row, f.cells, f.begun = f.row[:0], 0, false
}

// put adds a cluster to the chunk; a chunk that outgrows the width is split.
func (f *flow) put(s string, w, at int) {
	if w > f.width {
		s, w = tooWide, 1
	}
	if f.chunk.cells+w > f.width && f.chunk.cells > 0 {
		f.commit(at)
	}
	c := &f.chunk
	if c.last != f.now {
		c.text = append(c.text, f.marks.turn(c.last, f.now)...)
		c.last = f.now
	}
	c.text = append(c.text, s...)
	c.cells += w
}

// commit moves the chunk into the row, or into the next one if the row has no
// room; the next chunk begins at next.
func (f *flow) commit(next int) {
	c := &f.chunk
	if len(c.text) > 0 {
		gap := f.gap
		if !f.begun && f.start > 0 {
			gap = 0
		}
		if f.begun && f.cells+gap+c.cells > f.width {
			f.endRow()
			f.begin(c.at, c.style)
			gap = 0
		}
		gap = max(min(gap, f.width-f.cells-c.cells), 0)
		for range gap {
			f.row = append(f.row, ' ')
		}
		f.row = append(f.row, c.text...)
		f.row = append(f.row, f.marks.turn(c.last, 0)...)
		f.cells += gap + c.cells
		f.begun, f.gap = true, 0
	}
	*c = chunk{text: c.text[:0], at: next, style: f.now}
}

// endRow closes the row.
func (f *flow) endRow() { f.rows = append(f.rows, string(f.row)) }
