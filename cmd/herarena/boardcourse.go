package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"herarena/arena/rating"
	"herarena/tui/guard"
)

// mostMoments is how many moments of a history a table shows.
const mostMoments = 8

// historyTable is each contestant's rating at a few moments, best first: a heading
// for each moment, then a row for each contestant.
func historyTable(b rating.Board) (moments []string, rows [][]string) {
	h := b.History
	if h == nil || len(h.Moments) == 0 {
		return nil, nil
	}
	n := min(mostMoments, len(h.Moments))
	var shown []int
	for k := range n {
		at := 0
		if n > 1 {
			at = k * (len(h.Moments) - 1) / (n - 1)
		}
		shown = append(shown, at)
		moments = append(moments, fmt.Sprintf("after %d", h.Moments[at].Battles))
	}
	row := func(name string) []string {
		i := slices.Index(h.Contestants, name)
		if i < 0 {
			return nil
		}
		cells := []string{name}
		for _, at := range shown {
			cell := "–"
			if r := h.Moments[at].Ratings[i]; r != nil {
				cell = fmt.Sprintf("%.0f", r.BT)
			}
			cells = append(cells, cell)
		}
		return cells
	}
	for _, r := range b.Ratings {
		if cells := row(r.Contestant); cells != nil {
			rows = append(rows, cells)
		}
	}
	return moments, rows
}

func printHistory(out io.Writer, b rating.Board) error {
	moments, rows := historyTable(b)
	if len(rows) == 0 {
		return nil
	}
	_, _ = fmt.Fprintln(out, "\nratings over time, fitted to the battles so far")
	w := newAligner(out)
	_, _ = fmt.Fprintln(w, "\t"+strings.Join(moments, "\t")+"\t")
	for _, row := range rows {
		_, _ = fmt.Fprintln(w, guard.Line(row[0])+"\t"+strings.Join(row[1:], "\t")+"\t")
	}
	return w.Flush()
}

func markdownHistory(text *strings.Builder, b rating.Board) {
	moments, rows := historyTable(b)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(text, "\n### Over time\n\nFitted to the battles so far.\n\n| | %s |\n|:--|%s\n", strings.Join(moments, " | "), strings.Repeat("--:|", len(moments)))
	for _, row := range rows {
		fmt.Fprintf(text, "| %s | %s |\n", plainMark(row[0]), strings.Join(row[1:], " | "))
	}
}
