package tui

import (
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/casting"
	"herarena/tui/stage/stagetest"
)

// soon is when a command that has not returned is one that waits: after so many
// times that others had their turn, and not after a time in which a busy machine
// may have let nobody run.
func soon() <-chan struct{} {
	const turns = 40
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range turns {
			time.Sleep(500 * time.Microsecond)
			runtime.Gosched()
		}
	}()
	return done
}

func size(w, h int) tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} }

func words(s string) int { return len(strings.FieldsFunc(s, func(r rune) bool { return r < 'A' })) }

const castingTip = "enter plays this cast as it stands"

func TestATipGoesWhenItIsFollowed(t *testing.T) {
	var kept Memory
	m := sit(t, 100, 30, func(o *Options) {
		o.Hints = true
		o.Remember = func(k Memory) error { kept = k; return nil }
	})
	m.shows(castingTip)
	m.press("enter")
	if kept.Hints["casting.start"] <= enough {
		t.Errorf("what was followed is not kept: %v", kept)
	}
	again := sit(t, 100, 30, func(o *Options) { o.Hints, o.Memory = true, kept })
	again.lacks(castingTip)
	again.shows("goes on to who plays") // the next step
	again.press("tab")
	again.lacks("goes on to who plays")
	again.press("ctrl+p", "'first steps", "enter")
	again.tell(toastDone{again.toast.id})
	again.shows(castingTip)
}

func TestATipIsSeenInThreeSittings(t *testing.T) {
	memory := Memory{}
	for sitting := 1; sitting <= 4; sitting++ {
		o := open().Options
		o.Hints, o.Memory = true, memory
		o.Remember = func(k Memory) error { memory = k; return nil }
		m := &model{New(o), t}
		m.press("f5") // nothing
		m.tell(size(100, 30))
		for range 5 { // frames of one sitting are one sitting
			if sitting <= enough {
				m.shows(castingTip)
			} else {
				m.lacks(castingTip)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHintsCanBeOff(t *testing.T) {
	m := sit(t, 100, 30, func(o *Options) { o.Hints = false })
	m.lacks(castingTip)
}

func TestATipNeverCoversAWord(t *testing.T) {
	o := open().Options
	o.Hints = true
	o.Scenes[0].Scenario = "Rain on the windows, and a lamp for whoever comes, from the quay to the end of the pier, all night."
	for w := leastWidth; w < 130; w++ {
		with, without := &model{New(o), t}, &model{New(o), t}
		without.o.Hints = false
		for _, m := range []*model{with, without} {
			m.tell(size(w, 24))
		}
		a, b := with.screen(), without.screen()
		if words(a) < words(b) {
			t.Errorf("width %d: the tip covers something:\n%s\n%s", w, a, b)
		}
		for _, m := range []*model{with, without} {
			_ = m.Close()
		}
	}
}

func TestTheStageTellsOfTheVoteWhenThereIsOne(t *testing.T) {
	m := sit(t, 110, 34, func(o *Options) { o.Hints = true })
	d := stagetest.New(stagetest.Script()...)
	m.tell(duelStarted{cast: casting.Cast{Scene: m.o.Scenes[0], Contestants: stagetest.Contestants(), Critic: m.o.Critics[0]}, duel: d})
	m.screen()
	m.lacks("1 to 4 vote")
	m.shows("takes the line that is proposed")
}
