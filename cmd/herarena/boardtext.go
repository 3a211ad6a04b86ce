package main

import (
	"fmt"
	"io"
	"strings"

	"herarena/arena/rating"
	"herarena/tui/board"
	"herarena/tui/guard"
)

func (a *app) printBoard(title string, b rating.Board) error {
	_, _ = fmt.Fprintf(a.out, "%s   %s\n", guard.Line(title), plural(b.Battles, "battle"))
	if len(b.Ratings) == 0 && b.Source != "" {
		printWarnings(a.out, b)
		return nil
	}
	_, _ = fmt.Fprintln(a.out)
	if len(b.Ratings) == 0 {
		_, err := fmt.Fprintln(a.out, "Play a duel (herarena) and vote: the table begins with the first battle.")
		return err
	}
	printParts(a.out, b)
	if err := printRatings(a.out, b); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(a.out, "\n"+legend(b))
	printEffects(a.out, b)
	if err := printMatrix(a.out, b.Matrix); err != nil {
		return err
	}
	printLines(a.out, "agreement on the same two replies", agreementText(b))
	printLines(a.out, placesHeading, positionText(b))
	if err := printHistory(a.out, b); err != nil {
		return err
	}
	printLines(a.out, "who should meet next", nextText(b.Next))
	printWarnings(a.out, b)
	for _, s := range b.Slices {
		_, _ = fmt.Fprintf(a.out, "\n\n%s: %s   %s\n\n", s.By, guard.Line(s.Value), plural(s.Battles, "battle"))
		if err := printRatings(a.out, s.Board); err != nil {
			return err
		}
		printEffects(a.out, s.Board)
		if err := printMatrix(a.out, s.Matrix); err != nil {
			return err
		}
		printWarnings(a.out, s.Board)
	}
	return nil
}

// placesHeading stands over what became of sides and places: it counts who won
// there, and who stood there may be why.
const placesHeading = "how often the side or the place shown first won, whoever stood there"

// rankRange is the places that the interval leaves open.
func rankRange(r rating.Row) string {
	if r.RankTo > r.Rank {
		return fmt.Sprintf("%d–%d", r.Rank, r.RankTo)
	}
	return fmt.Sprint(r.Rank)
}

func printLines(out io.Writer, heading string, lines []string) {
	if len(lines) > 0 {
		_, _ = fmt.Fprintln(out, "\n"+heading)
	}
	for _, line := range lines {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		_, _ = fmt.Fprintln(out, "  "+indent+guard.Line(line))
	}
}

func printParts(out io.Writer, b rating.Board) {
	for _, p := range b.Parts {
		_, _ = fmt.Fprintf(out, "%s counts %g, from %s\n", guard.Line(p.Name), p.Weight, plural(p.Battles, "battle"))
	}
	if len(b.Parts) > 0 {
		_, _ = fmt.Fprintln(out)
	}
}

func printRatings(out io.Writer, b rating.Board) error {
	w := newAligner(out)
	other := ""
	if b.System != "" {
		other = string(b.System) + "\t"
	}
	_, _ = fmt.Fprintf(w, "rank\tcontestant\t%s\t95 %%\tElo\t%sbattles\twon\tlost\ttied\tboth bad\twin rate\tnot bad\t\n", fitName(b.Model), other)
	for _, r := range b.Ratings {
		beside := ""
		if r.Rating != nil {
			beside = besideRating(r) + "\t"
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.0f\t%.0f–%.0f\t%.0f\t%s%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", rankRange(r), guard.Line(r.Contestant), r.BT,
			r.Low, r.High, r.Elo, beside, sumOf(r.Battles), sumOf(r.Wins), sumOf(r.Losses), sumOf(r.Ties), sumOf(r.BothBad), winRate(r), quality(r))
	}
	return w.Flush()
}

// legend says what the columns of ratings are.
func legend(b rating.Board) string {
	fit := "BT: Bradley–Terry"
	if b.Model == rating.Davidson || b.Model == rating.RaoKupper {
		fit = fitName(b.Model) + ": the fit with ties"
	}
	return fmt.Sprintf("%s in Elo points, mean 1000, with %g %% intervals (%s); rank: the places they leave open. Elo: in the order played. "+
		"Win rate: mean over the opponents, ties left out. Not bad: battles not called bad on both sides.", fit, 100*b.Level, b.Intervals)
}

func fitName(m rating.Model) string {
	switch m {
	case rating.Davidson:
		return "Davidson"
	case rating.RaoKupper:
		return "Rao-Kupper"
	}
	return "BT"
}

// sumOf writes a sum of weights: a whole number where it is one.
func sumOf(n float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", n), "0"), ".")
}

func winRate(r rating.Row) string {
	if r.WinRate == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100**r.WinRate)
}

func quality(r rating.Row) string {
	return fmt.Sprintf("%.0f %% (%.0f–%.0f)", 100*r.Quality, 100*r.QualityLow, 100*r.QualityHigh)
}

// effectLines say what ties, sides and style are worth.
func effectLines(b rating.Board) []string {
	var lines []string
	if t := b.Ties; t != nil {
		lines = append(lines, fmt.Sprintf("Ties: %s %.3f (%.3f–%.3f); equals tie %.0f %% of the time.", t.Name, t.Value, t.Low, t.High, 100*t.TieChance))
	}
	if line := board.SideLine(b); line != "" {
		lines = append(lines, line)
	}
	for _, e := range b.Style {
		lines = append(lines, fmt.Sprintf("Style, held equal: one standard deviation more %s is worth %s.", e.Name, board.Worth(e)))
	}
	if f := b.Fragility; f != nil && !f.Few() {
		lines = append(lines, f.String())
	}
	return lines
}

func printEffects(out io.Writer, b rating.Board) {
	for i, line := range effectLines(b) {
		if i == 0 {
			_, _ = fmt.Fprintln(out)
		}
		_, _ = fmt.Fprintln(out, guard.Line(line))
	}
}

func printMatrix(out io.Writer, m *rating.Matrix) error {
	if m == nil {
		return nil
	}
	_, _ = fmt.Fprintln(out, "\nwins of the row against the column, in %, ties left out")
	w := newAligner(out)
	head := "\t\t"
	for i := range m.Contestants {
		head += fmt.Sprintf("%d\t", i+1)
	}
	_, _ = fmt.Fprintln(w, head)
	for i, name := range m.Contestants {
		row := fmt.Sprintf("%d\t%s\t", i+1, guard.Line(name))
		for _, share := range m.Share[i] {
			if share == nil {
				row += "·\t"
			} else {
				row += fmt.Sprintf("%.0f\t", 100**share)
			}
		}
		_, _ = fmt.Fprintln(w, row)
	}
	return w.Flush()
}

func printWarnings(out io.Writer, b rating.Board) {
	for _, note := range b.Warnings {
		_, _ = fmt.Fprintln(out, "\n! "+guard.Line(note))
	}
}
