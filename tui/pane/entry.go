package pane

import (
	"strings"
	"unicode/utf8"

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
		if i < same && drawnOf(e.rows[:same][i], row) {
			kept = append(kept, e.rows[:same][i])
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
		row = look.Truncate(row, w)
	}
	return Isolated(row)
}

// leftToRight is the left-to-right mark: no cell, and a strong letter to
// terminals that reorder text.
const leftToRight = "\u200e"

// Isolated keeps right-to-left text of a row to itself: between two marks it
// cannot pull along the border, nor the text of the column beside it. Terminals
// that do not reorder see no difference.
func Isolated(row string) string {
	for i := 0; i < len(row); i++ {
		// All right-to-left scripts begin at U+0590; bytes from 0xd6 on lead them.
		if c := row[i]; c >= 0xd6 {
			if r, _ := utf8.DecodeRuneInString(row[i:]); rightToLeft(r) {
				return leftToRight + row + leftToRight
			}
		}
	}
	return row
}

// drawnOf reports whether a row on screen is that of a block, isolated or not.
func drawnOf(shown, row string) bool {
	if len(shown) == len(row)+2*len(leftToRight) && strings.HasPrefix(shown, leftToRight) {
		shown = shown[len(leftToRight) : len(shown)-len(leftToRight)]
	}
	return shown == row
}

// rightToLeft reports the blocks whose characters have the bidi class R or AL
// (Unicode 15, DerivedBidiClass.txt).
func rightToLeft(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefe ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}
