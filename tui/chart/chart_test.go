package chart_test

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"herarena/tui/chart"
	"herarena/tui/look"
)

func mono() *look.Look  { return look.New(look.Options{Dark: true}) }
func ascii() *look.Look { return look.New(look.Options{ASCII: true}) }

func TestBars(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, unicode, ascii string
		draw                 func(*look.Look) string
	}{
		{"empty", "········", "........", func(l *look.Look) string { return chart.Bar(l, look.Accent, 0, 8) }},
		{"a trace is seen", "▏·······", "#.......", func(l *look.Look) string { return chart.Bar(l, look.Accent, 0.001, 8) }},
		{"eighths", "██▌·····", "###.....", func(l *look.Look) string { return chart.Bar(l, look.Accent, 2.5/8, 8) }},
		{"full and beyond", "████████", "########", func(l *look.Look) string { return chart.Bar(l, look.Accent, 7, 8) }},
		{"no number", "········", "........", func(l *look.Look) string { return chart.Bar(l, look.Accent, math.NaN(), 8) }},
		{"slight A", "··━│···", "..#|...", func(l *look.Look) string { return chart.Lean(l, -1.0/3, 3) }},
		{"clear B", "···│━━·", "...|##.", func(l *look.Look) string { return chart.Lean(l, 2.0/3, 3) }},
		{"between slight and clear", "·╺━│···", ".##|...", func(l *look.Look) string { return chart.Lean(l, -0.5, 3) }},
		{"significant B", "···│━━━", "...|###", func(l *look.Look) string { return chart.Lean(l, 1, 3) }},
		{"leans nowhere", "···│···", "...|...", func(l *look.Look) string { return chart.Lean(l, 0, 3) }},
		{"undecided", "·──│──·", ".::|::.", func(l *look.Look) string { return chart.Both(l, 0.5, 3) }},
		{"tie", "··=│=··", "..=|=..", func(l *look.Look) string { return chart.Level(l, 3) }},
		{"no room", "│", "|", func(l *look.Look) string { return chart.Lean(l, 1, 0) }},
	} {
		if got := c.draw(mono()); ansi.Strip(got) != c.unicode {
			t.Errorf("%s: %q, want %q", c.name, ansi.Strip(got), c.unicode)
		}
		if got := ansi.Strip(c.draw(ascii())); got != c.ascii {
			t.Errorf("%s in ASCII: %q, want %q", c.name, got, c.ascii)
		}
	}
}

func TestSparkAndInterval(t *testing.T) {
	t.Parallel()
	values := []float64{0, 0.25, math.NaN(), 0.5, 1}
	if got := ansi.Strip(chart.Spark(mono(), look.Accent, values, 7)); got != "▁▃ ▅█  " {
		t.Errorf("spark %q", got)
	}
	if got := ansi.Strip(chart.Spark(mono(), look.Accent, values, 2)); got != "▅█" {
		t.Errorf("the last two of a spark: %q", got)
	}
	if got := ansi.Strip(chart.Interval(mono(), look.Accent, 0.1, 0.3, 0.45, 20)); got != "··────●───│·········" {
		t.Errorf("interval %q", got)
	}
	if got := ansi.Strip(chart.Interval(ascii(), look.Accent, 0.9, 0.95, math.Inf(1), 10)); got != ".....|...*" {
		t.Errorf("interval at the end in ASCII %q", got)
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	rows := chart.Line(mono(), []chart.Series{
		{Role: look.Dim, Mark: "○", Values: []chart.Value{{At: 0.5, Low: nan, High: nan}, {At: nan}, {At: 0, Low: 0, High: 0.5}}},
		{Role: look.Accent, Mark: "●", Values: []chart.Value{{At: 0.75, Low: 0.5, High: 1}, {At: 0.75, Low: 0.6, High: 0.9}, {At: 0, Low: 0, High: 0.2}}, Band: true},
	}, []string{"1", "2", "3"}, 36, 6)
	got := ansi.Strip(strings.Join(rows, "\n"))
	want := strings.Join([]string{
		"100 % │  │       │                  ",
		"      │  ●·······●·                 ",
		" 50 % │╌╌○····╌╌╌│╌···╌╌╌╌╌╌╌╌╌╌╌╌╌╌",
		"      │       ·········· │          ",
		"  0 % │               ···◉          ",
		"         1       2       3          ",
	}, "\n")
	if got != want {
		t.Errorf("a line chart reads:\n%s", got)
	}
}

// TestEveryRowHasItsWidth holds for any numbers, any sizes and both glyph sets.
func TestEveryRowHasItsWidth(t *testing.T) {
	t.Parallel()
	number := rapid.OneOf(rapid.Float64Range(-0.5, 1.5), rapid.Float64())
	rapid.Check(t, func(t *rapid.T) {
		l := mono()
		if rapid.Bool().Draw(t, "ascii") {
			l = ascii()
		}
		w, h := rapid.IntRange(1, 160).Draw(t, "w"), rapid.IntRange(0, 20).Draw(t, "h")
		n := rapid.IntRange(0, 200).Draw(t, "turns")
		var v []chart.Value
		var spark []float64
		labels := make([]string, n)
		for i := range n {
			v = append(v, chart.Value{At: number.Draw(t, "at"), Low: number.Draw(t, "low"), High: number.Draw(t, "high")})
			spark = append(spark, v[i].At)
			labels[i] = strings.Repeat("9", 1+i/50)
		}
		half := rapid.IntRange(0, 20).Draw(t, "half")
		x := number.Draw(t, "x")
		for name, row := range map[string]struct {
			text string
			w    int
		}{
			"bar":      {chart.Bar(l, look.Accent, x, w), w},
			"lean":     {chart.Lean(l, x, half), 2*half + 1},
			"both":     {chart.Both(l, x, half), 2*half + 1},
			"level":    {chart.Level(l, half), 2*half + 1},
			"spark":    {chart.Spark(l, look.Accent, spark, w), w},
			"interval": {chart.Interval(l, look.Accent, number.Draw(t, "a"), x, number.Draw(t, "b"), w), w},
		} {
			if got := ansi.StringWidth(row.text); got != row.w {
				t.Fatalf("%s has %d cells, want %d: %q", name, got, row.w, row.text)
			}
		}
		rows := chart.Line(l, []chart.Series{{Role: look.Accent, Mark: chart.Point(l), Values: v, Band: true}}, labels, w, h)
		if len(rows) != h {
			t.Fatalf("%d rows, want %d", len(rows), h)
		}
		for i, row := range rows {
			if got := ansi.StringWidth(row); got != w {
				t.Fatalf("row %d has %d cells, want %d: %q", i, got, w, row)
			}
			if l.ASCII && strings.IndexFunc(ansi.Strip(row), func(r rune) bool { return r > 0x7e }) >= 0 {
				t.Fatalf("row %d is not ASCII: %q", i, row)
			}
		}
	})
}
