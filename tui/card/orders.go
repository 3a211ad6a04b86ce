package card

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"herarena/arena"
	"herarena/tui/chart"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// progressWidth is the bar of what has been compared, in cells.
const progressWidth = 8

// Orders says of each order what it is doing, or what it came to: one row where
// the orders have a column each, else two. asked is how long ago the critic was
// asked. Rows have exactly w cells.
func Orders(l *look.Look, verdicts [2]arena.Verdict, writing bool, asked time.Duration, w int) []string {
	if w < SideBySide {
		rows := make([]string, 2)
		for i := range verdicts {
			rows[i] = l.Pad(" "+order(l, arena.Order(i), &verdicts[i], writing, asked, w-2), w)
		}
		return rows
	}
	half := w / 2
	left := order(l, arena.AFirst, &verdicts[0], writing, asked, half-2)
	right := order(l, arena.BFirst, &verdicts[1], writing, asked, w-half-2)
	return []string{l.Pad(l.Pad(" "+left, half)+right, w)}
}

func order(l *look.Look, o arena.Order, v *arena.Verdict, writing bool, asked time.Duration, w int) string {
	text := l.Paint(look.Title, o.String()) + "  "
	if v.Phase == arena.PhaseDone || !writing {
		return l.Truncate(text+Result(l, o, v), w)
	}
	if n := len(v.Principles); v.Phase == arena.PhaseComparing && n > 0 && w >= 40 {
		text += chart.Bar(l, look.Accent, float64(decided(v))/float64(n), progressWidth) + " "
	}
	return l.Truncate(text+Doing(l, v, asked)+naming(l, v), w)
}

func decided(v *arena.Verdict) int {
	n := 0
	for i := range v.Comparisons {
		if v.Comparisons[i].Winner != arena.NoChoice {
			n++
		}
	}
	return n
}

// Doing says what a critic is at, in words.
func Doing(l *look.Look, v *arena.Verdict, asked time.Duration) string {
	switch v.Phase {
	case arena.PhaseThinking:
		return "thinking, " + counted(words(v.Reasoning))
	case arena.PhaseReading:
		if n := words(v.Raw); n > 0 {
			return "repeating the candidates, " + counted(n)
		}
		return "repeating the candidates"
	case arena.PhasePrinciples:
		n := max(len(v.Principles), 1)
		return fmt.Sprintf("naming principle %d", n)
	case arena.PhaseComparing:
		at := max(len(v.Comparisons), 1)
		if n := len(v.Principles); n >= at {
			return fmt.Sprintf("comparing %d of %d", at, n)
		}
		return fmt.Sprintf("comparing principle %d", at)
	case arena.PhaseDeciding:
		return "deciding"
	}
	return l.Paint(look.Dim, fmt.Sprintf("waiting %d s", max(int(asked.Seconds()), 0)))
}

// naming is the principle that a critic is at.
func naming(l *look.Look, v *arena.Verdict) string {
	name := ""
	switch p, c := len(v.Principles), len(v.Comparisons); {
	case v.Phase == arena.PhasePrinciples && p > 0:
		name = v.Principles[p-1].Name
	case v.Phase == arena.PhaseComparing && c > 0:
		name = v.Comparisons[c-1].Name
	}
	if name = guard.Line(clip(name)); name == "" {
		return ""
	}
	return l.Paint(look.Dim, "  "+name)
}

// Result says what an order came to, in sides.
func Result(l *look.Look, o arena.Order, v *arena.Verdict) string {
	text := ""
	switch c := o.Side(v.Better); c {
	case arena.ChoseA, arena.ChoseB:
		text = mark(l, c, false) + " better"
	case arena.Tie:
		text = "tie"
	default:
		return l.Paint(look.Bad, "no verdict") + l.Paint(look.Dim, missing(v))
	}
	a, b := v.Tally.First, v.Tally.Second
	if o == arena.BFirst {
		a, b = b, a
	}
	dash := " – "
	if l.ASCII {
		dash = " - "
	}
	if a+b+v.Tally.Tie > 0 {
		text += "  " + l.Paint(look.SideA, fmt.Sprint(a)) + l.Paint(look.Dim, dash) + l.Paint(look.SideB, fmt.Sprint(b))
	}
	if n := v.Tally.Tie; n == 1 {
		text += l.Paint(look.Dim, ", 1 tie")
	} else if n > 1 {
		text += l.Paint(look.Dim, fmt.Sprintf(", %d ties", n))
	}
	if v.TallyDisagrees {
		text += l.Paint(look.Warn, "  label and tally differ")
	}
	switch v.Status {
	case arena.VerdictOnly:
		text += l.Paint(look.Dim, "  a label without principles")
	case arena.VerdictRepaired:
		text += l.Paint(look.Dim, "  its form was mended")
	}
	return text
}

// missing says why an order has no verdict.
func missing(v *arena.Verdict) string {
	switch {
	case v.Fault != nil:
		return "  " + guard.Line(clip(v.Fault.Error()))
	case v.Status == arena.VerdictPartial:
		return "  cut off before its answer"
	case v.Status == arena.VerdictFailed && strings.TrimSpace(v.Raw) != "":
		return "  its answer could not be read"
	case v.Status == arena.VerdictFailed:
		return "  no answer"
	}
	return ""
}

// words counts words; characters of scripts written without spaces count each.
// What is far too long is not counted to its end.
func words(s string) int {
	n, inner := 0, false
	for _, r := range s[:min(len(s), 1<<20)] {
		switch {
		case r >= 0x80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			n++
			inner = false
		case r == ' ' || r == '\n' || r == '\t' || r >= 0x80 && unicode.IsSpace(r):
			inner = false
		case !inner:
			n++
			inner = true
		}
	}
	return n
}

func counted(n int) string {
	if n == 1 {
		return "1 word"
	}
	return fmt.Sprintf("%d words", n)
}
