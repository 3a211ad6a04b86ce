package tui

import (
	tea "charm.land/bubbletea/v2"

	"herarena/tui/again"
	"herarena/tui/archive"
	"herarena/tui/board"
	"herarena/tui/casting"
	"herarena/tui/replay"
	"herarena/tui/stage"
)

// continued is the cast of a duel that goes on from a past one.
type continued struct {
	cast casting.Cast
	err  error
}

// openArchive shows the past duels, unless they are shown already.
func (m *Model) openArchive() tea.Cmd {
	if m.o.Archive == nil {
		return m.say("there is no archive here", true)
	}
	for i, s := range m.stack {
		if _, ok := s.(*archive.Screen); ok && i == len(m.stack)-1 {
			return nil
		}
	}
	o := *m.o.Archive
	o.Look, o.Keys = m.look, m.o.Keys
	o.Reading = func() stage.Reading { return m.memory.Reading }
	return m.push(archive.New(o))
}

// askedOfPast handles what the screens of past duels ask of the root.
func (m *Model) askedOfPast(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case board.OpenDuel:
		if m.o.Archive == nil {
			return m.say("past duels cannot be read here", true), true
		}
		o := *m.o.Archive
		o.Look, o.Keys = m.look, m.o.Keys
		o.Reading = func() stage.Reading { return m.memory.Reading }
		return archive.Open(m.ctx, o, msg.DuelID, msg.Turn), true
	case archive.Read:
		return m.push(msg.Reader), true
	case archive.Replay:
		return m.push(msg.Screen), true
	case archive.Continue:
		return m.goOn(msg), true
	case continued:
		if msg.err != nil {
			return m.say("the duel cannot be gone on with: "+msg.err.Error(), true), true
		}
		return m.start(msg.cast), true
	case archive.Rejudge:
		return m.judgeAgain(msg.DuelID, msg.Turn), true
	case stage.JudgeAgain:
		return m.judgeAgain(msg.DuelID, msg.Turn), true
	case rejudged:
		if msg.err != nil {
			return m.say("the turn cannot be judged again: "+msg.err.Error(), true), true
		}
		msg.options.Look, msg.options.Keys = m.look, m.o.Keys
		return m.push(again.New(msg.options)), true
	case archive.Written:
		return m.written(msg), true
	case copied:
		return m.tellCopied(msg), true
	case archive.Leave, replay.Leave, again.Leave:
		return m.pop(), true
	}
	return nil, false
}

// rejudged is what a turn that is to be judged again is made of.
type rejudged struct {
	options again.Options
	err     error
}

// judgeAgain has a logged turn put together for another judgement.
func (m *Model) judgeAgain(duel string, turn int) tea.Cmd {
	if m.o.Again == nil {
		return m.say("turns cannot be judged again here", true)
	}
	return func() tea.Msg {
		o, err := m.o.Again(m.ctx, duel, turn)
		return rejudged{o, err}
	}
}

// goOn has the cast of a past duel put together, and then starts it.
func (m *Model) goOn(c archive.Continue) tea.Cmd {
	if m.o.Continue == nil {
		return m.say("past duels cannot be gone on with here", true)
	}
	return func() tea.Msg {
		cast, err := m.o.Continue(m.ctx, c)
		return continued{cast, err}
	}
}

// first makes the first screen: the casting, unless another is asked for.
func (m *Model) first() Screen {
	if m.o.First != nil {
		return m.o.First(m.look)
	}
	return casting.New(casting.Options{
		Scenes: m.o.Scenes, Contestants: m.o.Contestants, Critics: m.o.Critics, Preset: m.o.Preset, Note: m.o.Note, Look: m.look, Keys: m.o.Keys,
		Shelf: m.o.Shelf, Recent: m.memory.Casts, Portraits: m.o.Portraits,
	})
}

// left ends the program where its only screen was to be left.
func (m *Model) left() tea.Cmd {
	if m.o.First == nil {
		return nil
	}
	return tea.Quit
}
