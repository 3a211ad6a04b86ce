package main

import (
	"io"
	"strings"

	"herarena/tui/look"
)

// aligner sets cells that end with a tab flush right, two columns apart. It counts
// the cells of a terminal and not runes, so that wide characters stay in line.
type aligner struct {
	out  io.Writer
	text strings.Builder
}

func newAligner(out io.Writer) *aligner { return &aligner{out: out} }

// Write takes rows in; nothing is written before Flush.
func (a *aligner) Write(p []byte) (int, error) { return a.text.Write(p) }

// Flush writes the rows.
func (a *aligner) Flush() error {
	var rows [][]string
	var widths []int
	for line := range strings.Lines(a.text.String()) {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\t"), "\t")
		for i, c := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], look.Width(c))
		}
		rows = append(rows, cells)
	}
	var b strings.Builder
	for _, cells := range rows {
		for i, c := range cells {
			b.WriteString(strings.Repeat(" ", widths[i]-look.Width(c)+2))
			b.WriteString(c)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(a.out, b.String())
	return err
}
