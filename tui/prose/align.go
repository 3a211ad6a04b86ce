package prose

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Cell is one character of a row: the cells it takes, and the bytes of the text
// it was drawn from. From is -1 for what was drawn and is no text: bullets,
// borders, indents.
type Cell struct {
	Col, Width int
	From, To   int
}

// How far a drawn character is looked for in the text: over marks of Markdown,
// and over text that is not drawn, such as the language of a code fence.
const (
	marksAhead = 160
	textAhead  = 240
)

// Align finds where the characters of rows come from in the text they were
// drawn of. The first skip cells of each row are no text. It needs to know
// nothing of how the rows were made: they show the text's characters in their
// order, with marks left out and ornaments put in. What cannot be told counts
// as an ornament.
func Align(text string, rows []string, skip int) [][]Cell {
	a := aligner{text: text}
	out := make([][]Cell, len(rows))
	for i, row := range rows {
		out[i] = a.row(row, skip)
	}
	return out
}

// Alignment is Align of a text that grows: rows that stand as they stood, and the
// text before them, are not looked at again. The zero value is ready.
type Alignment struct {
	text   string
	skip   int
	rows   []string
	cells  [][]Cell
	before []aligner // how far the text had been read before each row
}

// unsettled is how many rows at the end are aligned anew when the text has grown:
// what follows a character in the text may tell where it comes from.
const unsettled = 2

// Rows is Align of what there is now. The result is valid until the next call;
// rows that stay keep their very slice of cells.
func (al *Alignment) Rows(text string, rows []string, skip int) [][]Cell {
	keep := 0
	if skip == al.skip && len(text) >= len(al.text) && text[:len(al.text)] == al.text {
		for keep < min(len(rows), len(al.rows)) && rows[keep] == al.rows[keep] {
			keep++
		}
		if keep < len(rows) || len(text) != len(al.text) {
			keep = max(min(keep, len(al.rows)-unsettled), 0)
		}
	}
	a := aligner{}
	if keep < len(al.before) {
		a = al.before[keep]
		a.left = slices.Clone(a.left)
	}
	a.text = text
	al.text, al.skip = text, skip
	al.rows, al.cells, al.before = al.rows[:keep], al.cells[:keep], al.before[:min(keep, len(al.before))]
	for _, row := range rows[keep:] {
		now := a
		now.text, now.left = "", slices.Clone(a.left) // the text is kept once
		al.before = append(al.before, now)
		al.rows, al.cells = append(al.rows, row), append(al.cells, a.row(row, skip))
	}
	return al.cells
}

// aligner walks the text. Where drawn text is not in the text's order, as in
// the lines of a table, it jumps ahead and comes back for what it left.
type aligner struct {
	text string
	at   int    // behind the last character found
	left []part // what was jumped over, the newest last
	back int    // where to go on when the part returned to is read; 0 in none
	end  int    // of the part returned to
	word bool   // the last character of the row was found, and no space
}

type part struct{ from, to int }

// leaves bounds how many parts are waited for: more are no table.
const leaves = tableColumns

func (a *aligner) row(row string, skip int) []Cell {
	if strings.IndexByte(row, 0x1b) >= 0 {
		row = ansi.Strip(row)
	}
	cells := make([]Cell, 0, len(row))
	a.word = false
	col := 0
	for row != "" {
		cluster, w := firstCluster(row)
		row = row[len(cluster):]
		if w == 0 {
			continue
		}
		c := Cell{Col: col, Width: w, From: -1, To: -1}
		if col >= skip {
			c.From, c.To = a.find(cluster, row)
			a.word = c.From >= 0 && cluster != " "
		}
		cells = append(cells, c)
		col += w
	}
	return cells
}

func firstCluster(s string) (string, int) {
	if c := s[0]; c >= 0x20 && c < 0x7f && (len(s) == 1 || s[1] < 0x80) {
		return s[:1], 1
	}
	cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if len(cluster) == 0 {
		return s[:1], 0
	}
	return cluster, w
}

// find takes up the next character of the text that a cluster may be drawn
// from; rest is the row behind it.
func (a *aligner) find(cluster, rest string) (from, to int) {
	if cluster == " " {
		if a.at < len(a.text) && (a.text[a.at] == ' ' || a.text[a.at] == '\t') {
			a.at++
			return a.at - 1, a.at
		}
		return -1, -1
	}
	if from, to, ok := a.near(a.at, len(a.text), cluster, rest); ok && (a.back == 0 || to <= a.end) {
		a.at = to
		return from, to
	}
	if a.back > 0 {
		if a.at < a.end {
			a.left = append(a.left, part{a.at, a.end})
		}
		a.at, a.back = a.back, 0
		if from, to, ok := a.near(a.at, len(a.text), cluster, rest); ok {
			a.at = to
			return from, to
		}
	}
	for i, l := range a.left {
		if from, to, ok := a.near(l.from, l.to, cluster, rest); ok {
			a.left = append(a.left[:i], a.left[i+1:]...)
			a.back, a.end, a.at = max(a.at, 1), l.to, to
			return from, to
		}
	}
	return a.ahead(cluster, rest)
}

// near looks for a cluster behind a position, with nothing but marks and blanks
// between.
func (a *aligner) near(at, end int, cluster, rest string) (from, to int, ok bool) {
	for limit := min(at+marksAhead, end); at < limit; {
		if n := a.here(at, cluster); n > 0 {
			return at, at + n, at+n <= end && (a.word || a.goesOn(at+n, rest))
		}
		r, size := utf8.DecodeRuneInString(a.text[at:])
		if !unicode.IsSpace(r) && !(r < 0x80 && isPunct(byte(r))) {
			break
		}
		at += size
	}
	return 0, 0, false
}

// goesOn reports whether the beginning of a word goes on in the text as it does
// in the row: one character alone would be found anywhere.
func (a *aligner) goesOn(at int, rest string) bool {
	for n := 0; n < 3 && rest != "" && rest[0] != ' '; n++ {
		cluster, _ := firstCluster(rest)
		rest = rest[len(cluster):]
		for at < len(a.text) && !strings.HasPrefix(a.text[at:], cluster) && isPunct(a.text[at]) && a.here(at, cluster) == 0 {
			at++
		}
		if at >= len(a.text) {
			return false
		}
		size := a.here(at, cluster)
		if size == 0 {
			return !isWordly(cluster)
		}
		at += size
	}
	return true
}

func isWordly(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// ahead jumps over text that is not drawn here: a few characters find it again.
func (a *aligner) ahead(cluster, rest string) (from, to int) {
	if strings.TrimSpace(rest) == "" || !isWordly(cluster) {
		return -1, -1
	}
	sought := cluster
	for n := 0; n < 2 && rest != ""; n++ {
		next, _ := firstCluster(rest)
		sought, rest = sought+next, rest[len(next):]
	}
	i := strings.Index(a.text[a.at:min(a.at+textAhead, len(a.text))], strings.TrimRight(sought, " "))
	if i <= 0 {
		return -1, -1
	}
	if len(a.left) < leaves {
		a.left = append(a.left, part{a.at, a.at + i})
	}
	a.at += i + len(cluster)
	return a.at - len(cluster), a.at
}

// here reports how many bytes at a position of the text a cluster stands for,
// none if it is another. An entity stands for what it is drawn as.
func (a *aligner) here(at int, cluster string) int {
	rest := a.text[at:]
	if rest[0] == '&' {
		if end := strings.IndexByte(rest[:min(len(rest), 33)], ';'); end > 1 && html.UnescapeString(rest[:end+1]) == cluster {
			return end + 1
		}
	}
	if !strings.HasPrefix(rest, cluster) {
		return 0
	}
	return len(cluster)
}

// Shown returns the text between two offsets as it reads: without marks of
// Markdown, without the breaks of wrapping, with the text's own line feeds.
func Shown(text string, rows [][]Cell, from, to int) string {
	var drawn []Cell
	for _, row := range rows {
		for _, c := range row {
			if c.From >= max(from, 0) && c.From < to {
				drawn = append(drawn, c)
			}
		}
	}
	slices.SortStableFunc(drawn, func(a, b Cell) int { return a.From - b.From })
	var b strings.Builder
	last := -1
	for _, c := range drawn {
		if c.From < last {
			continue
		}
		if last >= 0 {
			b.WriteString(between(text[last:c.From]))
		}
		s := text[c.From:c.To]
		if len(s) > 1 && s[0] == '&' {
			s = html.UnescapeString(s)
		}
		b.WriteString(s)
		last = c.To
	}
	return b.String()
}

// between is what of the text between two drawn characters is to be read: line
// feeds, at most two, else a space.
func between(gap string) string {
	switch n := strings.Count(gap, "\n"); {
	case n > 0:
		indent := gap[strings.LastIndexByte(gap, '\n')+1:]
		if strings.Trim(indent, " \t") != "" {
			indent = ""
		}
		return strings.Repeat("\n", min(n, 2)) + indent
	case strings.ContainsAny(gap, "|"):
		return "\t"
	case strings.ContainsAny(gap, " \t") || strings.HasPrefix(gap, "]("):
		return " "
	}
	return ""
}
