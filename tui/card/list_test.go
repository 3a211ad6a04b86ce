package card

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/tui/look"
)

func verdicts(names ...string) [2]arena.Verdict {
	var v arena.Verdict
	for _, n := range names {
		v.Principles = append(v.Principles, arena.Principle{Name: n, Polarity: "positive", Level: "session", Definition: "what " + n + " means"})
		v.Comparisons = append(v.Comparisons, comparison(n, arena.First, "clear"))
	}
	return [2]arena.Verdict{v, {}}
}

func plain() *look.Look { return look.New(look.Options{Dark: true}) }

// state writes a list's state as text: the chosen card in brackets, an open one
// with a star.
func state(l *List) string {
	var s []string
	for i := range l.Len() {
		word := l.cards[i].Principle.Name
		if l.IsOpen(i) {
			word += "*"
		}
		if i == l.Cursor() {
			word = "[" + word + "]"
		}
		s = append(s, word)
	}
	return strings.Join(s, " ")
}

func TestKeysMoveAndOpen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"", "[x] y z"},
		{"down", "x [y] z"},
		{"down down down", "x y [z]"},
		{"up", "[x] y z"},
		{"enter", "[x*] y z"},
		{"enter enter", "[x] y z"},
		{"j space k", "[x] y* z"},
		{"right down right left", "x* [y] z"},
		{"o", "[x*] y* z*"},
		{"j enter o", "x* [y*] z*"},
		{"o o", "[x] y z"},
		{"G enter g", "[x] y z*"},
		{"unknown", "[x] y z"},
	} {
		l := New(plain())
		l.Set(verdicts("x", "y", "z"), false)
		for _, key := range strings.Fields(c.keys) {
			l.Press(key)
		}
		if got := state(l); got != c.want {
			t.Errorf("%q: %s, want %s", c.keys, got, c.want)
		}
	}
}

func TestSnapshotsKeepChoiceAndFolds(t *testing.T) {
	t.Parallel()
	l := New(plain())
	l.Set(verdicts("x", "y"), true)
	l.Press("down")
	l.Press("enter")
	l.Set(verdicts("new", "x", "y", "z"), true)
	if got := state(l); got != "x [y*] new z" {
		t.Errorf("after a longer snapshot: %s", got)
	}
	l.Set(verdicts("x"), false)
	if got := state(l); got != "[x]" {
		t.Errorf("after a shorter snapshot: %s", got)
	}
	l.Reset()
	if l.Len() != 0 || l.Press("enter") {
		t.Error("a reset list still takes keys")
	}
}

func TestClickOpensTheCardUnderTheMouse(t *testing.T) {
	t.Parallel()
	l := New(plain())
	l.Set(verdicts("x", "y", "z"), false)
	l.View(80, 10, false)
	if !l.Click(1) || state(l) != "x [y*] z" {
		t.Fatalf("click on row 1: %s", state(l))
	}
	l.View(80, 10, false)
	l.Click(3) // within the body of y: chooses, does not shut
	if state(l) != "x [y*] z" {
		t.Errorf("click within an open card: %s", state(l))
	}
	if l.Click(-1) || l.Click(99) {
		t.Error("a click beside the list is taken")
	}
}

func TestEveryRowFitsTheWidth(t *testing.T) {
	t.Parallel()
	v := verdicts("Emotional authenticity", "情感的真实性与人物一致性", "a_name_without_any_place_to_break_it_anywhere_at_all")
	v[1] = arena.Verdict{Comparisons: []arena.Comparison{comparison("Emotional authenticity", arena.First, "significant")}}
	v[0].Comparisons[1].First = strings.Repeat("他站在那里，一句话也不说。", 30)
	for w := 1; w < 200; w++ {
		l := New(plain())
		l.Set(v, w%2 == 0)
		l.Press("o")
		for i, row := range l.View(w, 500, true) {
			if got := ansi.StringWidth(row); got != w {
				t.Fatalf("width %d, row %d has %d cells: %q", w, i, got, row)
			}
		}
	}
}

func TestViewKeepsTheChosenCardInSight(t *testing.T) {
	t.Parallel()
	names := make([]string, 30)
	for i := range names {
		names[i] = fmt.Sprintf("card %d", i)
	}
	l := New(plain())
	l.Set(verdicts(names...), false)
	l.View(80, 5, true)
	for range 20 {
		l.Press("down")
	}
	if view := strings.Join(l.View(80, 5, true), "\n"); !strings.Contains(view, "card 20") {
		t.Errorf("card 20 is chosen and not seen:\n%s", view)
	}
	above, below := l.Hidden()
	if above+below+5 != 30 {
		t.Errorf("%d rows hidden above, %d below, 5 shown of 30", above, below)
	}
}

func TestHostileVerdictsNeverReachTheScreen(t *testing.T) {
	t.Parallel()
	evil := "\x1b]52;c;aGk=\x07\x1b[2J\u009b31m\u202eevil\x00"
	v := arena.Verdict{
		Principles:  []arena.Principle{{Name: "N" + evil, Dimension: evil, Polarity: evil, Level: evil, Definition: evil}},
		Comparisons: []arena.Comparison{{Name: "N" + evil, First: evil, Second: evil, Reason: evil, Winner: arena.First, Degree: evil}},
	}
	l := New(plain())
	l.Set([2]arena.Verdict{v, {Comparisons: []arena.Comparison{{Name: "N" + evil, Reason: evil, Winner: arena.First}}}}, false)
	l.Press("o")
	for _, w := range []int{40, 80, 160} {
		frame := ansi.Strip(strings.Join(l.View(w, 100, true), "\n"))
		for _, bad := range []string{"\x1b", "\u009b", "\u202e", "\x00", "\x07", "]52"} {
			if strings.Contains(frame, bad) {
				t.Errorf("width %d: %q reached the screen: %q", w, bad, frame)
			}
		}
	}
}

func TestAnEndlessFieldIsClipped(t *testing.T) {
	t.Parallel()
	v := verdicts("x")
	v[0].Comparisons[0].First = strings.Repeat("é", 1<<20)
	l := New(plain())
	l.Set(v, false)
	l.Press("o")
	if n := l.Height(80, false); n > 1000 {
		t.Errorf("%d rows for one field", n)
	}
}

func TestWritingShowsWhatIsKnown(t *testing.T) {
	t.Parallel()
	l := New(plain())
	v := verdicts("x", "y")
	v[0].Comparisons = v[0].Comparisons[:1]
	v[0].Comparisons[0].Winner = ""
	l.Set(v, true)
	view := l.View(90, 10, false)
	if len(view) != 3 || !strings.Contains(view[0], "weighing") || !strings.Contains(view[1], "two x") || !strings.Contains(view[2], "named") {
		t.Errorf("a growing verdict reads:\n%s", strings.Join(view, "\n"))
	}
	l.Set(verdicts("x", "y"), false)
	if view := l.View(90, 10, false); !strings.Contains(ansi.Strip(view[0]), "A·-") {
		t.Errorf("one order has answered, the marks read %q", view[0])
	}
}

func BenchmarkViewUnchanged(b *testing.B) {
	l := New(plain())
	l.Set(verdicts("x", "y", "z", "u", "v"), false)
	b.ReportAllocs()
	for b.Loop() {
		l.View(120, 10, false)
	}
}
