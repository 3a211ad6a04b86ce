package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/keys"
)

// Speeds are taken from this row by + and -.
var speeds = [...]float64{0.25, 0.5, 1, 1.5, 2, 3, 4, 8, 16}

const slowest, fastest = 0.05, 100

var (
	keyPlay   = keys.New("hold, go on; from the end, again", "space").Hinted("hold")
	keyFaster = keys.New("faster", "+", "=").As("+").Hinted("faster")
	keySlower = keys.New("slower", "-").Hinted("slower")
	keyNext   = keys.New("to the next turn", "n").Hinted("next turn")
	keyBack   = keys.New("to the turn before", "b").Hinted("back")
	keyAgain  = keys.New("from the beginning", "0")
	keyLeave  = keys.New("end the replay", "esc", "q").As("esc").Hinted("end")
)

// Groups are the screen's own bindings as the help and the README show them.
func Groups() []keys.Group {
	return []keys.Group{{Title: "Replay", Bindings: []keys.Binding{keyPlay, keyFaster, keySlower, keyNext, keyBack, keyAgain, keyLeave}}}
}

// Update takes a message in.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tickMsg:
		if m.screen != s || m.round != s.round || !s.playing {
			return nil
		}
		return s.step()
	case tea.KeyPressMsg:
		return s.press(m)
	case tea.MouseClickMsg:
		if m.Y == s.h-1 {
			return s.click(m)
		}
		return s.stage.WatchMouse(m)
	case tea.MouseWheelMsg:
		return s.stage.WatchMouse(m)
	}
	return nil
}

func (s *Screen) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case s.stage.Typing():
		return s.stage.Watch(k)
	case keyLeave.Is(k):
		return func() tea.Msg { return Leave{} }
	case keyPlay.Is(k):
		return s.play(!s.playing)
	case keyFaster.Is(k):
		return s.pace(1)
	case keySlower.Is(k):
		return s.pace(-1)
	case keyNext.Is(k):
		return s.seek(s.turnAfter())
	case keyBack.Is(k):
		return s.seek(s.turnBefore())
	case keyAgain.Is(k):
		return s.seek(0)
	}
	return s.stage.Watch(k)
}

// pace takes the next faster or slower speed.
func (s *Screen) pace(by int) tea.Cmd {
	var cmd tea.Cmd
	if s.playing { // what has passed passed at the old speed
		now := s.o.Now()
		cmd = s.moveTo(s.at + time.Duration(float64(now.Sub(s.last))*s.speed))
		s.last = now
	}
	s.speed = nextSpeed(s.speed, by)
	if !s.playing {
		return cmd
	}
	s.round++
	return tea.Batch(cmd, s.schedule())
}

func nextSpeed(now float64, by int) float64 {
	if by > 0 {
		for _, v := range speeds {
			if v > now {
				return v
			}
		}
		return now
	}
	for i := len(speeds) - 1; i >= 0; i-- {
		if speeds[i] < now {
			return speeds[i]
		}
	}
	return now
}

// click takes the mouse on the last row: on the bar it seeks, on the word before
// it holds and goes on.
func (s *Screen) click(m tea.MouseClickMsg) tea.Cmd {
	switch b := s.bar; {
	case m.Button != tea.MouseLeft:
	case m.X < b.from:
		return s.play(!s.playing)
	case m.X < b.to && b.to-b.from > 1:
		return s.seek(time.Duration(float64(s.length) * float64(m.X-b.from) / float64(b.to-b.from-1)))
	}
	return nil
}
