package pane

import (
	"strings"

	"herarena/tui/look"
)

// entry is a block with what is known of it.
type entry struct {
	block   Block
	at      int      // position in the transcript
	rows    []string // at width and version
	width   int
	version uint64
	known   bool // rows were drawn at least once
	stale   bool // the block may have been exchanged
	owed    bool // waits to be measured
}

// current reports whether the rows are those of the block at width w.
func (e *entry) current(w int) bool {
	return e.known && !e.stale && e.width == w && e.version == e.block.Version()
}

// heightAt returns the height at width w: as drawn, else scaled from another
// width, else guessed.
func (e *entry) heightAt(w int, guess func() int) int {
	switch n := len(e.rows); {
	case !e.known:
		return guess()
	case e.width == w || n == 0 || w <= 0:
		return n
	default:
		return max((n*e.width+w/2)/w, 1)
	}
}

// draw fetches the rows at width w if they are not at hand.
func (e *entry) draw(w int) []string {
	if e.current(w) {
		return e.rows
	}
	version := e.block.Version()
	rows := e.block.Rows(w)
	same := 0
	if e.width == w {
		same = min(len(e.rows), len(rows))
	}
	kept := e.rows[:0]
	for i, row := range rows {
		// A row that was checked before is recognised by its string; in a
		// growing block that is nearly all of them.
		if i < same && e.rows[:same][i] == row {
			kept = append(kept, row)
			continue
		}
		kept = append(kept, fit(row, w))
	}
	clear(kept[len(kept):cap(kept)])
	e.rows, e.width, e.version, e.known, e.stale = kept, w, version, true, false
	return e.rows
}

// fit holds a row to one line of at most w cells, whatever the block says.
func fit(row string, w int) string {
	if strings.IndexByte(row, '\n') >= 0 {
		row = strings.ReplaceAll(row, "\n", " ")
	}
	if look.Width(row) > w {
		return look.Truncate(row, w)
	}
	return row
}
