package stage

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/stage/stagetest"
)

// troupe is a duel of several characters.
type troupe struct {
	*stagetest.Duel
	asked []string
	next  string
}

func (d *troupe) GoOn(context.Context) error { d.asked = append(d.asked, "go on"); return nil }

func (d *troupe) GoOnAs(_ context.Context, name string) error {
	d.asked = append(d.asked, "go on as "+name)
	return nil
}

func (d *troupe) SayTo(_ context.Context, line, name string) error {
	d.asked = append(d.asked, "say to "+name+": "+line)
	return nil
}

func (d *troupe) Next() string { return d.next }

func several(t *testing.T, w, h int) (*prop, *troupe) {
	t.Helper()
	var d *troupe
	p := set(t, w, h, func(o *Options) {
		d = &troupe{Duel: o.Duel.(*stagetest.Duel), next: "Old Ost"}
		o.Duel = d
		o.Scene.Played, o.Scene.Environment = []string{"Old Ost"}, true
	})
	return p, d
}

// spokenBy is a turn in which a character goes on without a line.
func spokenBy(n int, speaker, scenery string) []arena.Event {
	events := judgedTurn(n, "", stagetest.Agreeing())
	e := events[0].(arena.TurnStarted)
	e.Turn.Speaker, e.Turn.Scenery = speaker, scenery
	events[0] = e
	return events
}

func TestASceneOfSeveralGoesOn(t *testing.T) {
	t.Parallel()
	p, d := several(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	if s := p.screen(t); !strings.Contains(s, "next: Old Ost") || !strings.Contains(s, "enter the scene goes on") {
		t.Errorf("who is next is not said:\n%s", s)
	}
	p.press("enter")
	if len(d.asked) != 1 || d.asked[0] != "go on" {
		t.Fatalf("asked %q", d.asked)
	}
	p.tell(arena.NextAsked{}, arena.SceneryDelta{Text: "The rain"})
	if s := p.screen(t); strings.Count(s, "~ The rain") != 2 || !strings.Contains(s, "the surroundings are described") {
		t.Errorf("the surroundings are not shown on both sides:\n%s", s)
	}
	p.tell(arena.SceneryDelta{Text: "The rain stops\x1b[2J."}, arena.SceneryEnded{Text: "The rain stops\x1b[2J."}, arena.NextChosen{Name: "Old Ost"})
	p.tell(spokenBy(2, "Old Ost", "The rain stops\x1b[2J.")...)
	s := p.screen(t)
	if strings.Count(s, "~ The rain stops.") != 2 || strings.Count(s, " Old Ost ") < 2 {
		t.Errorf("speaker and surroundings:\n%s", s)
	}
	if strings.Contains(s, "› one\n") {
		t.Error("an empty line is shown")
	}
	p.press("ctrl+t")
	if s := p.screen(t); !strings.Contains(s, "Old Ost goes on") {
		t.Errorf("the list of turns:\n%s", s)
	}
	p.press("esc", "f7", "u")
	if got := p.copied[0]; !strings.Contains(got, "Environment: The rain stops.") || !strings.Contains(got, "Old Ost:\n") || strings.Contains(got, "Captain Roe: \n") {
		t.Errorf("the turn whole is %q", got)
	}
}

func TestWhoGoesOnIsChosen(t *testing.T) {
	t.Parallel()
	p, d := several(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.press("alt+u")
	if s := p.screen(t); !strings.Contains(s, "Who goes on?") || !strings.Contains(s, "the surroundings") || !strings.Contains(s, "next by the scene itself") {
		t.Errorf("the menu:\n%s", s)
	}
	p.press("2")
	p.press("'Wait.", "alt+u", "1")
	p.press("alt+u", "3")
	if got := fmt.Sprint(d.asked); got != "[go on as Old Ost say to Ines Vale: Wait. go on as Environment]" {
		t.Errorf("asked %s", got)
	}
	if v := p.writer.area.Value(); v != "" {
		t.Errorf("the line that was said stays: %q", v)
	}
}

func TestALineIsSaidToSomebody(t *testing.T) {
	t.Parallel()
	p, d := several(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.press("'@o")
	if s := p.screen(t); !strings.Contains(s, "Old Ost") || !strings.Contains(s, "completes") {
		t.Errorf("no completion:\n%s", s)
	}
	p.press("right", "'where is the boat?", "enter")
	p.press("'@Ines, stay.", "enter", "'@ost: And you.", "enter", "'@Nobody is here", "enter")
	want := "[say to Old Ost: where is the boat? say to Ines Vale: stay. say to Old Ost: And you.]"
	if got := fmt.Sprint(d.asked); got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	if calls := fmt.Sprint(d.Calls()); !strings.Contains(calls, "say @Nobody is here") {
		t.Errorf("a line to nobody is said as it stands: %s", calls)
	}
}

func TestWhoseTurnItIsIsSaid(t *testing.T) {
	t.Parallel()
	p, _ := several(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	for _, c := range []struct {
		event arena.Event
		want  string
	}{
		{arena.NextAsked{}, "it is being decided who goes on"},
		{arena.NextChosen{Name: "Captain Roe", Person: true}, "it is Captain Roe's turn, which is yours"},
		{arena.NextChosen{Name: "Captain Roe", Person: true, Over: true}, "the scene could end here"},
	} {
		p.tell(c.event)
		if s := p.screen(t); !strings.Contains(s, c.want) {
			t.Errorf("%q is not said:\n%s", c.want, s)
		}
	}
	p.tell(arena.NextAsked{})
	p.press("esc")
	if calls := fmt.Sprint(p.duel.Calls()); !strings.Contains(calls, "cancel") {
		t.Errorf("esc does not stop the choice: %s", calls)
	}
}

// TestASceneOfOneHasNoneOfIt: one character alone is played as ever.
func TestASceneOfOneHasNoneOfIt(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.press("enter", "alt+u")
	if s := p.screen(t); strings.Contains(s, "next:") || strings.Contains(s, "Who goes on") || len(p.duel.Calls()) != 0 {
		t.Errorf("a scene of one goes on by itself: %q\n%s", p.duel.Calls(), s)
	}
}

// TestWhatTheSurroundingsDoIsFound proves that scenery is searched, before a turn to
// come as well, counted once for both sides, marked, and can be selected.
func TestWhatTheSurroundingsDoIsFound(t *testing.T) {
	t.Parallel()
	p, _ := several(t, 120, 40)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.tell(spokenBy(2, "Old Ost", "The rain stops, and a gull lands on the sill.")...)
	p.screen(t)
	p.press("ctrl+f", "'gull")
	if f := p.search.found; len(f) != 1 || f[0].segment != scenic || f[0].turn != 1 || p.search.tally != [3]int{0, 0, 1} {
		t.Fatalf("found %v, counted %v", f, p.search.tally)
	}
	if n := strings.Count(p.View(), "gull"); n != 3 { // on both sides, and as it is written
		t.Errorf("what is found is seen %d times", n)
	}
	p.press("esc")
	for y := range p.h {
		ox, oy := p.layout.origin(arena.A)
		if _, segment, _, ok := p.textAt(arena.A, y); ok && segment == scenic {
			p.run(p.Update(tea.MouseClickMsg{X: ox + 3, Y: oy + y, Button: tea.MouseLeft}))
			p.run(p.Update(tea.MouseMotionMsg{X: ox + 10, Y: oy + y, Button: tea.MouseLeft}))
			break
		}
	}
	if got := p.selected(); got != "The rain" {
		t.Errorf("selected %q", got)
	}
}
