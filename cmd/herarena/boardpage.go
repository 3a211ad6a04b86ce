package main

import (
	"fmt"
	"html/template"
	"math"
	"os"
	"strings"

	"herarena/arena/rating"
)

var boardPage = template.Must(template.New("board").Parse(`{{define "table"}}{{if .Rows}}<div class="wide"><table class="ratings"><thead><tr><th>rank</th><th>contestant</th><th>{{.Fit}}</th><th>interval</th><th></th><th>Elo</th>{{if .System}}<th>{{.System}}</th>{{end}}<th>battles</th><th>won</th><th>lost</th><th>tied</th><th>both bad</th><th>win rate</th><th>not bad</th></tr></thead><tbody>
{{range .Rows}}<tr><td>{{.Ranks}}</td><td>{{.Contestant}}</td><td>{{printf "%.0f" .BT}}</td><td>{{printf "%.0f–%.0f" .Low .High}}</td>
<td><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{{printf "%.0f to %.0f" .Low .High}}"><line x1="{{.X1}}" x2="{{.X2}}" y1="5" y2="5" stroke="currentColor"/><circle cx="{{.X}}" cy="5" r="2" fill="currentColor"/></svg></td>
<td>{{printf "%.0f" .Elo}}</td>{{if .Beside}}<td>{{.Beside}}</td>{{end}}<td>{{.Battles}}</td><td>{{.Wins}}</td><td>{{.Losses}}</td><td>{{.Ties}}</td><td>{{.BothBad}}</td><td>{{.Rate}}</td><td>{{.Good}}</td></tr>
{{end}}</tbody></table></div>
<p class="legend">{{.Legend}}</p>{{end}}
{{range .Effects}}<p>{{.}}</p>{{end}}
{{with .Matrix}}<h3>Wins of the row against the column</h3><p>In per cent, ties left out.</p><div class="wide"><table class="matrix"><thead><tr><th></th>{{range .Heads}}<th>{{.}}</th>{{end}}</tr></thead><tbody>
{{range .Lines}}<tr><th scope="row">{{.Name}}</th>{{range .Cells}}<td{{if .Known}} style="--won:{{.Percent}}"{{end}}>{{.Text}}</td>{{end}}</tr>
{{end}}</tbody></table></div>{{end}}
{{with .Course}}<h3>Ratings over time</h3><p>{{.Span}}</p><svg class="course" viewBox="0 0 600 220" role="img" aria-label="ratings over time">
<text x="0" y="12">{{.High}}</text><text x="0" y="218">{{.Low}}</text>
{{range .Lines}}<polyline points="{{.Points}}" fill="none" stroke="hsl({{.Hue}} 60% 50%)" stroke-width="2"><title>{{.Name}}</title></polyline>{{end}}</svg>
<p class="keys">{{range .Lines}}<span style="border-color:hsl({{.Hue}} 60% 50%)">{{.Name}}</span> {{end}}</p>{{end}}
{{range .Lists}}<h3>{{.Heading}}</h3><ul>{{range .Lines}}<li>{{.Text}}{{with .Below}}<ul>{{range .}}<li>{{.}}</li>{{end}}</ul>{{end}}</li>{{end}}</ul>{{end}}
{{range .Warnings}}<p class="note">{{.}}</p>{{end}}{{end}}<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{.Title}}</title>
<style>
:root{color-scheme:light dark;--ink:#22242a;--paper:#fbfaf7;--rule:#ddd8cc;--note:#7a4b00;--win:46,125,50}
@media(prefers-color-scheme:dark){:root{--ink:#e6e2d8;--paper:#1b1c20;--rule:#3a3b41;--note:#f0c27a;--win:129,199,132}}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:var(--ink);background:var(--paper)}
h1,h2,p,li{overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid var(--rule)}
.ratings td,.ratings th{white-space:nowrap}.ratings :is(th,td):nth-child(2){text-align:left;white-space:normal;overflow-wrap:break-word;max-width:18rem}svg{width:9rem;height:1.2rem;vertical-align:middle}
.course{width:100%;height:auto;max-width:48rem}.course text{font-size:10px;fill:currentColor}.legend{font-size:.9em;opacity:.8}.keys span{border-left:1rem solid;padding:0 .5rem}
.wide{overflow-x:auto}.matrix{width:auto}.matrix th:first-child{text-align:left}
.matrix td{background:rgba(var(--win),calc(var(--won,0)*.006))}.note{color:var(--note)}
</style></head><body>
<h1>{{.Title}}</h1><p>{{.Counted}}. {{.Method}}</p>
{{range .Board.Parts}}<p>{{.Name}} counts {{.Weight}}; battles: {{.Battles}}.</p>{{end}}
{{template "table" .Main}}
{{range .Slices}}<h2>{{.Heading}}</h2><p>{{.Battles}}.</p>{{template "table" .View}}{{end}}
</body></html>
`))

type pageRow struct {
	rating.Row
	X, X1, X2  float64 // percent of the drawn range
	Rate, Good string
	Beside     string
	Ranks      string
}

// boardView is a board as the page draws it.
type boardView struct {
	Fit      string
	Legend   string
	Rows     []pageRow
	Effects  []string
	Matrix   *matrixView
	Warnings []string
	System   rating.System
	Course   *courseView
	Lists    []listView
}

// courseView is the plot of ratings over time.
type courseView struct {
	Span, Low, High string
	Lines           []courseLine
}

type courseLine struct {
	Name, Points string
	Hue          int
}

type listView struct {
	Heading string
	Lines   []listLine
}

// listLine is a line with those that are indented below it.
type listLine struct {
	Text  string
	Below []string
}

// nested puts indented lines below the one before them.
func nested(lines []string) (out []listLine) {
	for _, line := range lines {
		if text := strings.TrimLeft(line, " "); text != line && len(out) > 0 {
			last := &out[len(out)-1]
			last.Below = append(last.Below, text)
		} else {
			out = append(out, listLine{Text: text})
		}
	}
	return out
}

func courseOf(h *rating.History) *courseView {
	if h == nil || len(h.Moments) < 2 {
		return nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range h.Moments {
		for _, r := range m.Ratings {
			if r != nil {
				low, high = min(low, r.BT), max(high, r.BT)
			}
		}
	}
	last := h.Moments[len(h.Moments)-1]
	v := &courseView{Low: fmt.Sprintf("%.0f", low), High: fmt.Sprintf("%.0f", high), Span: fmt.Sprintf("From the first battle to the last of %d.", last.Battles)}
	for i, name := range h.Contestants {
		line := courseLine{Name: name, Hue: i * 137 % 360}
		for k, m := range h.Moments {
			if r := m.Ratings[i]; r != nil {
				x := 40 + 555*float64(k)/float64(len(h.Moments)-1)
				y := 214 - 208*(r.BT-low)/max(high-low, 1)
				line.Points += fmt.Sprintf("%.1f,%.1f ", x, y)
			}
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}

func listsOf(b rating.Board) (lists []listView) {
	for _, l := range []listView{
		{"Agreement on the same two replies", nested(agreementText(b))}, {"How often the side or the place shown first won, whoever stood there", nested(positionText(b))}, {"Who should meet next", nested(nextText(b.Next))},
	} {
		if len(l.Lines) > 0 {
			lists = append(lists, l)
		}
	}
	return lists
}

type matrixView struct {
	Heads []int
	Lines []matrixLine
}

type matrixLine struct {
	Name  string
	Cells []matrixCell
}

type matrixCell struct {
	Known   bool
	Percent int
	Text    string
}

type sliceView struct {
	Heading string
	Battles string
	View    boardView
}

func viewOf(b rating.Board) boardView {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range b.Ratings {
		low, high = min(low, r.Low, r.BT), max(high, r.High, r.BT)
	}
	span := max(high-low, 1)
	v := boardView{Fit: fitName(b.Model), Legend: legend(b), Effects: effectLines(b), Warnings: b.Warnings, System: b.System, Course: courseOf(b.History), Lists: listsOf(b)}
	for _, r := range b.Ratings {
		at := func(v float64) float64 { return math.Round(1000*(2+96*(v-low)/span)) / 1000 }
		beside := ""
		if r.Rating != nil {
			beside = besideRating(r)
		}
		v.Rows = append(v.Rows, pageRow{Row: r, Ranks: rankRange(r), Beside: beside, X: at(r.BT), X1: at(r.Low), X2: at(r.High), Rate: winRate(r), Good: quality(r)})
	}
	if b.Matrix == nil {
		return v
	}
	v.Matrix = &matrixView{}
	for i, name := range b.Matrix.Contestants {
		v.Matrix.Heads = append(v.Matrix.Heads, i+1)
		line := matrixLine{Name: fmt.Sprintf("%d  %s", i+1, name)}
		for _, share := range b.Matrix.Share[i] {
			c := matrixCell{Text: "·"}
			if share != nil {
				c = matrixCell{Known: true, Percent: int(math.Round(100 * *share))}
				c.Text = fmt.Sprint(c.Percent)
			}
			line.Cells = append(line.Cells, c)
		}
		v.Matrix.Lines = append(v.Matrix.Lines, line)
	}
	return v
}

func method(b rating.Board) string {
	if len(b.Ratings) == 0 && b.Source != "" {
		return "There is nothing to rate."
	}
	if len(b.Ratings) == 0 {
		return "Play a duel and vote: the table begins with the first battle."
	}
	name := "Bradley–Terry"
	if b.Model == rating.Davidson || b.Model == rating.RaoKupper {
		name = fitName(b.Model)
	}
	return fmt.Sprintf("%s in Elo points, mean %d, %g %% intervals (%s).", name, 1000, 100*b.Level, b.Intervals)
}

// writeBoardPage writes a board as one page that needs nothing from elsewhere.
func writeBoardPage(path, title string, b rating.Board) error {
	var parts []sliceView
	for _, s := range b.Slices {
		parts = append(parts, sliceView{s.By + ": " + s.Value, plural(s.Battles, "battle"), viewOf(s.Board)})
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("the page cannot be written: %w", err)
	}
	err = boardPage.Execute(f, map[string]any{"Title": title, "Board": b, "Counted": plural(b.Battles, "battle"), "Method": method(b), "Main": viewOf(b), "Slices": parts})
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
