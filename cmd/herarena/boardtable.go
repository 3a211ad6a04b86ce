package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"herarena/arena/rating"
	"herarena/tui/board"
	"herarena/tui/guard"
)

// writeBoardCSV writes the table of ratings; boards of parts follow in the same
// columns, with what they are parts of in the first two.
func writeBoardCSV(out io.Writer, b rating.Board) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{
		"by", "value", "contestant", "rank", "rank_to", "bt", "low", "high", "elo", "rating", "deviation", "battles", "wins", "losses", "ties", "both_bad",
		"win_rate", "quality", "quality_low", "quality_high",
	})
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	maybe := func(v *float64) string {
		if v == nil {
			return ""
		}
		return number(*v)
	}
	rows := func(by, value string, b rating.Board) {
		for _, r := range b.Ratings {
			_ = w.Write([]string{
				by, cell(value), cell(r.Contestant), strconv.Itoa(r.Rank), strconv.Itoa(r.RankTo), number(r.BT), number(r.Low), number(r.High), number(r.Elo),
				maybe(r.Rating), maybe(r.Deviation), number(r.Battles), number(r.Wins), number(r.Losses), number(r.Ties), number(r.BothBad),
				maybe(r.WinRate), number(r.Quality), number(r.QualityLow), number(r.QualityHigh),
			})
		}
	}
	rows("", "", b)
	for _, s := range b.Slices {
		rows(s.By, s.Value, s.Board)
	}
	w.Flush()
	return w.Error()
}

// cell keeps a name from being a formula where a spreadsheet opens the file.
func cell(name string) string {
	if name = guard.Line(name); name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		return "'" + name
	}
	return name
}

// writeBoardMarkdown writes the board as a document.
func writeBoardMarkdown(out io.Writer, title string, b rating.Board) error {
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n\n%s. %s\n\n", plainMark(title), plural(b.Battles, "battle"), method(b))
	for _, p := range b.Parts {
		fmt.Fprintf(&text, "- %s counts %g, from %s\n", plainMark(p.Name), p.Weight, plural(p.Battles, "battle"))
	}
	markdownBoard(&text, b)
	for _, s := range b.Slices {
		fmt.Fprintf(&text, "\n## %s: %s\n\n%s.\n\n", s.By, plainMark(s.Value), plural(s.Battles, "battle"))
		markdownBoard(&text, s.Board)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func markdownBoard(text *strings.Builder, b rating.Board) {
	if len(b.Ratings) > 0 {
		other, rule := "", ""
		if b.System != "" {
			other, rule = " "+string(b.System)+" |", "--:|"
		}
		fmt.Fprintf(text, "| rank | contestant | %s | 95 %% | Elo |%s battles | won | lost | tied | both bad | win rate | not bad |\n|--:|:--|--:|--:|--:|%s--:|--:|--:|--:|--:|--:|--:|\n", fitName(b.Model), other, rule)
		for _, r := range b.Ratings {
			beside := ""
			if r.Rating != nil {
				beside = " " + besideRating(r) + " |"
			}
			fmt.Fprintf(text, "| %s | %s | %.0f | %.0f–%.0f | %.0f |%s %s | %s | %s | %s | %s | %s | %s |\n", rankRange(r), plainMark(r.Contestant), r.BT, r.Low, r.High,
				r.Elo, beside, sumOf(r.Battles), sumOf(r.Wins), sumOf(r.Losses), sumOf(r.Ties), sumOf(r.BothBad), winRate(r), quality(r))
		}
	}
	list := func(heading string, lines []string) {
		if len(lines) > 0 && heading != "" {
			fmt.Fprintf(text, "\n### %s\n", heading)
		}
		if len(lines) > 0 {
			text.WriteByte('\n')
		}
		for _, line := range lines {
			fmt.Fprintf(text, "- %s\n", plainMark(strings.TrimSpace(line)))
		}
	}
	if len(b.Ratings) > 0 {
		fmt.Fprintf(text, "\n%s\n", plainMark(legend(b)))
	}
	list("", effectLines(b))
	if m := b.Matrix; m != nil && len(m.Contestants) > 0 {
		fmt.Fprintf(text, "\n### Wins of the row against the column\n\nIn per cent, ties left out.\n\n| |")
		for i := range m.Contestants {
			fmt.Fprintf(text, " %d |", i+1)
		}
		fmt.Fprintf(text, "\n|:--|%s\n", strings.Repeat("--:|", len(m.Contestants)))
		for i, name := range m.Contestants {
			fmt.Fprintf(text, "| %d %s |", i+1, plainMark(name))
			for _, share := range m.Share[i] {
				if share == nil {
					text.WriteString(" · |")
				} else {
					fmt.Fprintf(text, " %.0f |", 100**share)
				}
			}
			text.WriteByte('\n')
		}
	}
	list("Agreement", agreementText(b))
	list("Places", positionText(b))
	markdownHistory(text, b)
	list("Who meets next", nextText(b.Next))
	for _, w := range b.Warnings {
		fmt.Fprintf(text, "\n> %s\n", plainMark(w))
	}
}

// plainMark keeps a name from being markup.
func plainMark(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "#", `\#`).Replace(guard.Line(s))
}

func besideRating(r rating.Row) string {
	text := fmt.Sprintf("%.1f", *r.Rating)
	if r.Deviation != nil {
		text += fmt.Sprintf(" ±%.1f", *r.Deviation)
	}
	return text
}

func agreementText(b rating.Board) (lines []string) {
	for _, a := range b.Agreement {
		lines = append(lines, board.AgreementLines(a)...)
	}
	return lines
}

func positionText(b rating.Board) (lines []string) {
	for _, p := range b.Positions {
		lines = append(lines, board.PositionLines(p)...)
	}
	return lines
}

// often says how often two met.
func often(n float64) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return sumOf(n) + " times"
}

func nextText(n *rating.Next) (lines []string) {
	if n == nil {
		return nil
	}
	lines = append(lines, n.Reason)
	for _, p := range n.Pairs[:min(len(n.Pairs), 5)] {
		lines = append(lines, fmt.Sprintf("%s and %s: met %s, one battle narrows all intervals together by %.2f points, drawn with %.1f %%",
			p.A, p.B, often(p.Battles), p.Shrink, 100*p.Probability))
	}
	if d := n.Drawn; d != nil {
		lines = append(lines, fmt.Sprintf("Drawn: %s on side A against %s on side B, with a probability of %.1f %%, logged in %s", d.A, d.B, 100*d.Probability, pairsLog()))
	}
	return lines
}
