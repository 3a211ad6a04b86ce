package replay

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/keys"
)

// Speeds are taken from this row by + and -.
var speeds = [...]float64{0.25, 0.5, 1, 1.5, 2, 3, 4, 8, 16}

const slowest, fastest = 0.05, 100

// sets are the screen's own commands; the stage's for looking come behind them.
func sets() []keys.Set[*Screen] {
	return []keys.Set[*Screen]{{Title: "Replay", Scope: "replay", Commands: []keys.Command[*Screen]{
		keys.Act("replay.play", "hold, go on; from the end, again", func(s *Screen) tea.Cmd { return s.play(!s.playing) }, "space").Hinted("hold"),
		keys.Act("replay.faster", "faster", func(s *Screen) tea.Cmd { return s.pace(1) }, "+", "=").As("+").Hinted("faster"),
		keys.Act("replay.slower", "slower", func(s *Screen) tea.Cmd { return s.pace(-1) }, "-").Hinted("slower"),
		keys.Act("replay.turn.next", "to the next turn, unless a search is open", func(s *Screen) tea.Cmd { return s.seek(s.turnAfter()) }, "n").Hinted("next turn"),
		keys.Act("replay.turn.previous", "to the turn before", func(s *Screen) tea.Cmd { return s.seek(s.turnBefore()) }, "b").Hinted("back"),
		keys.Act("replay.again", "from the beginning", func(s *Screen) tea.Cmd { return s.seek(0) }, "0"),
		keys.Act("replay.leave", "shut a search or a panel; else end the replay", (*Screen).back, "esc", "q").As("esc").Hinted("end"),
	}}}
}

// back shuts what lies over the sides; with nothing there it leaves.
func (s *Screen) back() tea.Cmd {
	if s.stage.StepBack() {
		return nil
	}
	return func() tea.Msg { return Leave{} }
}

// Groups are the screen's own bindings as the help and the README show them.
func Groups() []keys.Group { return keys.GroupsOf(sets()) }

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
	case tea.PasteMsg:
		s.stage.WatchPaste(m.Content)
	case tea.MouseClickMsg:
		if m.Y == s.h-1 {
			if s.stage.Searching() {
				return nil // the row is the search's
			}
			return s.click(m)
		}
		return s.stage.WatchMouse(m)
	case tea.MouseMsg:
		return s.stage.WatchMouse(m)
	}
	return nil
}

func (s *Screen) press(k tea.KeyPressMsg) tea.Cmd {
	found := s.stage.Searching() && strings.HasPrefix(s.stage.Means(k), "stage.search.")
	if !s.stage.Typing() && !found {
		if cmd, taken := s.keys.Press(s, k, "replay"); taken {
			return cmd
		}
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

// Commands lists what the palette can run here.
func (s *Screen) Commands() []keys.Entry {
	return append(s.keys.Entries(s, "replay"), s.stage.WatchCommands()...)
}

// Do runs a command by its name.
func (s *Screen) Do(name string) tea.Cmd {
	if cmd, ran := s.keys.Run(s, name); ran {
		return cmd
	}
	return s.stage.WatchDo(name)
}

// Means names the command that a key would run.
func (s *Screen) Means(k tea.KeyPressMsg) string {
	if s.stage.Typing() {
		return ""
	}
	return s.keys.Meant(s, k, "replay").Name
}
