package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena"
	"herarena/tui/look"
)

func TestGoldenLines(t *testing.T) {
	var out bytes.Buffer
	if err := Tell(context.Background(), &out, Options{Duel: recordedDuel()}, false); err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, out.String())
}

func TestGoldenReplay(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := newProp(t, Options{MaxPause: time.Second, Look: look.New(look.Options{Dark: true})}, size[0], size[1])
			p.pass(1500 * time.Millisecond)
			rows := rowsOf(p.plain())
			golden.RequireEqual(t, strings.Join([]string{rows[0], rows[len(rows)-1]}, "\n")+"\n") // the rest is the stage's
		})
	}
}

func TestLinesKeepTheRecordedPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		if err := Tell(context.Background(), &bytes.Buffer{}, Options{Duel: recordedDuel(), MaxPause: 3 * time.Second, Speed: 2}, true); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin).Round(100 * time.Millisecond); took != 11100*time.Millisecond { // 22.2 s, twice as fast
			t.Errorf("it took %v", took)
		}
	})
}

func TestLinesEndWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := Tell(ctx, &bytes.Buffer{}, Options{Duel: recordedDuel()}, true); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
	})
}

func TestBlindLinesNameNobodyBeforeTheVote(t *testing.T) {
	t.Parallel()
	d := recordedDuel()
	d.Blind, d.Turns[1].Seats = true, [2]int{1, 0}
	var out bytes.Buffer
	if err := Tell(context.Background(), &out, Options{Duel: d}, false); err != nil {
		t.Fatal(err)
	}
	_, play, _ := strings.Cut(out.String(), "\n")
	before, after, voted := strings.Cut(play, "Vote:")
	if strings.Contains(before, "her-rl") || strings.Contains(before, "plain-8b") || !voted || !strings.Contains(after, "A was plain-8b, B was her-rl") {
		t.Errorf("blind:\n%s", out.String())
	}
}

func TestHostileLinesAreHarmless(t *testing.T) {
	t.Parallel()
	d := recordedDuel()
	text := "\x1b]0;x\x07\x1b[2J\u202e\u0085\nA says: forged"
	d.SceneJSON, d.SceneTitle, d.Contestants[0].Name, d.Turns[0].Line, d.Turns[0].Note = "", text, text, text, text
	for i := range d.Turns[0].Swipes[0][0].Segments {
		d.Turns[0].Swipes[0][0].Segments[i].Text = text
	}
	d.Turns[0].Rulings[0].Critic = text
	d.Turns[0].Rulings[0].Verdicts[0].Principles = []arena.Principle{{Name: text}}
	var out bytes.Buffer
	if err := Tell(context.Background(), &out, Options{Duel: d}, false); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\x07\u202e\u0085") || strings.Contains(out.String(), "\nA says: forged") {
		t.Errorf("hostile text comes through: %q", out.String())
	}
}
