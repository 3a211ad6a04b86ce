package main

import (
	"fmt"
	"html/template"
	"math"
	"os"

	"herarena/arena/rating"
)

var boardPage = template.Must(template.New("board").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{.Title}}</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#22242a;background:#fbfaf7}
table{border-collapse:collapse;width:100%}th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid #ddd8cc}
th:nth-child(2),td:nth-child(2){text-align:left}svg{width:14rem;height:1.2rem;vertical-align:middle}
.note{color:#7a4b00}@media(prefers-color-scheme:dark){body{color:#e6e2d8;background:#1b1c20}th,td{border-color:#3a3b41}.note{color:#f0c27a}}
</style></head><body>
<h1>{{.Title}}</h1><p>{{.Board.Battles}} battles. Bradley–Terry in Elo points, mean 1000, 95 % intervals.</p>
<table><tr><th>rank</th><th>contestant</th><th>BT</th><th>interval</th><th></th><th>Elo</th><th>battles</th><th>won</th><th>lost</th><th>tied</th><th>both bad</th></tr>
{{range .Rows}}<tr><td>{{.Rank}}</td><td>{{.Contestant}}</td><td>{{printf "%.0f" .BT}}</td><td>{{printf "%.0f–%.0f" .Low .High}}</td>
<td><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><line x1="{{.X1}}" x2="{{.X2}}" y1="5" y2="5" stroke="currentColor"/><circle cx="{{.X}}" cy="5" r="2" fill="currentColor"/></svg></td>
<td>{{printf "%.0f" .Elo}}</td><td>{{.Battles}}</td><td>{{.Wins}}</td><td>{{.Losses}}</td><td>{{.Ties}}</td><td>{{.BothBad}}</td></tr>
{{end}}</table>
{{range .Board.Warnings}}<p class="note">{{.}}</p>{{end}}
</body></html>
`))

type pageRow struct {
	rating.Row
	X, X1, X2 float64 // percent of the drawn range
}

// writeBoardPage writes a board as one page that needs nothing from elsewhere.
func writeBoardPage(path, title string, b rating.Board) error {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range b.Ratings {
		low, high = min(low, r.Low, r.BT), max(high, r.High, r.BT)
	}
	span := max(high-low, 1)
	rows := make([]pageRow, len(b.Ratings))
	for i, r := range b.Ratings {
		at := func(v float64) float64 { return math.Round(1000*(2+96*(v-low)/span)) / 1000 }
		rows[i] = pageRow{Row: r, X: at(r.BT), X1: at(r.Low), X2: at(r.High)}
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("the page cannot be written: %w", err)
	}
	err = boardPage.Execute(f, map[string]any{"Title": title, "Board": b, "Rows": rows})
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
