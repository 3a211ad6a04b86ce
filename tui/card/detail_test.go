package card

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"herarena/tui/look"
)

// TestFitShowsWhatThereAreRowsFor walks through all numbers of rows: cards never
// take more, never show less for more rows, and what is open is left alone.
func TestFitShowsWhatThereAreRowsFor(t *testing.T) {
	t.Parallel()
	for _, w := range []int{60, 99, 100, 120, 200} {
		l := New(plain())
		v := verdicts("x", "y", "z")
		v[1] = verdicts("x", "z")[0]
		l.Set(v, false)
		shut, before := l.Height(w, false), 0
		for rows := range 60 {
			l.Fit(w, rows)
			n := l.Height(w, false)
			if n > max(rows, shut) || n < before {
				t.Fatalf("width %d: %d rows for cards of %d, %d before", w, rows, n, before)
			}
			for _, row := range l.View(w, n, false) {
				if look.Width(row) != w {
					t.Fatalf("width %d: a row of %d cells: %q", w, look.Width(row), ansi.Strip(row))
				}
			}
			before = n
		}
		if before <= 2*shut {
			t.Errorf("width %d: %d rows are taken where sixty are offered", w, before)
		}
		if got := state(l); got != "[x] y z" {
			t.Errorf("width %d: cards that are shown further count as open: %s", w, got)
		}
		l.Press("enter")
		opened := l.Height(w, false)
		l.Fit(w, 60)
		if now := l.Height(w, false); now != opened {
			t.Errorf("width %d: an open card changes the others: %d rows, then %d", w, opened, now)
		}
		l.Fit(w, 0)
		l.Press("enter")
		if n := l.Height(w, false); n != shut {
			t.Errorf("width %d: without rows cards take %d, not %d", w, n, shut)
		}
	}
}

// TestOrdersThatSayTheSameAreShownOnce proves that a critic that follows rules
// does not fill the screen twice.
func TestOrdersThatSayTheSameAreShownOnce(t *testing.T) {
	t.Parallel()
	l := New(plain())
	v := verdicts("x")
	v[1] = verdicts("x")[0]
	l.Set(v, false)
	l.cards[0].Opinions[1] = l.cards[0].Opinions[0]
	l.cards[0].Opinions[0].Reason = "told once"
	l.cards[0].Opinions[1].Reason = "told once"
	l.Open(0, true)
	screen := ansi.Strip(strings.Join(l.View(120, 40, false), "\n"))
	if n := strings.Count(screen, "told once"); n != 1 {
		t.Errorf("the reason stands there %d times:\n%s", n, screen)
	}
}
