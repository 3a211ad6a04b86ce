package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/board"
	"herarena/tui/casting"
	"herarena/tui/keys"
	"herarena/tui/stage"
)

type duelStarted struct {
	cast casting.Cast
	duel stage.Duel
	err  error
}

type offered struct{ offer casting.Offer }

// asked handles what screens ask of the root.
func (m *Model) asked(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case casting.Started:
		return m.start(msg.Cast), true
	case duelStarted:
		return m.open(msg), true
	case stage.Branch:
		return m.branch(msg), true
	case branched:
		return m.swap(msg), true
	case retired:
		return m.forget(msg), true
	case offered:
		return tea.Batch(m.stack[0].Update(msg.offer), m.awaitOffer()), true
	case casting.OpenBoard:
		return m.push(m.newBoard("", "")), true
	case stage.OpenBoard:
		return m.push(m.newBoard(msg.Source, msg.Veiled)), true
	case keys.Run:
		return m.run(msg.Name), true
	case rememberFailed:
		return m.say(msg.err.Error(), true), true
	case stage.Remember:
		m.memory.Reading = msg.Stage.Reading()
		return m.remember(), true
	case stage.Notice:
		return m.show(toast{text: msg.Text, bad: msg.Bad, copy: msg.Path}), true
	case board.Seat:
		return m.seat(msg), true
	case stage.Leave, board.Leave:
		return m.pop(), true
	case casting.Quit:
		return tea.Quit, true
	case toastDone:
		if msg.id == m.toast.id {
			m.toast.text = ""
		}
		return nil, true
	}
	return m.askedOfPast(msg)
}

// all gives a message to every screen.
func (m *Model) all(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(m.stack))
	for _, s := range m.stack {
		cmds = append(cmds, s.Update(msg))
	}
	return tea.Batch(cmds...)
}

// push puts a screen on the stack.
func (m *Model) push(s Screen) tea.Cmd {
	s.SetLook(m.look)
	s.SetSize(m.w, m.h)
	m.stack = append(m.stack, s)
	return s.Init()
}

// noteOn is what the header of a cast's duel says of it.
func (m *Model) noteOn(c casting.Cast) string {
	if m.o.NoteOn == nil {
		return m.o.Note
	}
	return m.o.NoteOn(c)
}

// pop takes the top screen off; the last one stays. Closing may wait for a
// stream to end, so it does not hold the screen up.
func (m *Model) pop() tea.Cmd {
	if len(m.stack) < 2 {
		return m.left()
	}
	gone := m.top()
	m.stack = m.stack[:len(m.stack)-1]
	m.toast.text = "" // what it said was about the screen that is gone
	return func() tea.Msg {
		if err := gone.Close(); err != nil {
			return stage.Notice{Text: "the scene was left, but " + err.Error(), Bad: true}
		}
		return nil
	}
}

// newBoard is the board with a source first and without a duel that is blind.
func (m *Model) newBoard(source, without string) Screen {
	return board.New(board.Options{
		Source: source, Sources: m.o.Sources, Board: m.o.Board, View: m.o.BoardView, Draw: m.o.DrawPair, Without: without,
		Note: m.o.Note, Look: m.look, Keys: m.o.Keys,
	})
}

// seat goes back to the casting with a pair chosen. A duel in play stays where it
// is: leaving it is for the person to say.
func (m *Model) seat(p board.Seat) tea.Cmd {
	c, ok := m.stack[0].(*casting.Casting)
	if !ok || len(m.stack) != 2 {
		return m.say("a duel lies under this board: leave it first, and play the pair from the casting's board", true)
	}
	if missing := c.Seat(p.A, p.B); len(missing) > 0 {
		return m.say(strings.Join(missing, " and ")+" cannot be cast: not among the contestants configured here", true)
	}
	return m.pop()
}

// start makes the duel of a casting in the background.
func (m *Model) start(c casting.Cast) tea.Cmd {
	if m.o.StartDuel == nil {
		return m.say("no duel can be started here", true)
	}
	return func() tea.Msg {
		d, err := m.o.StartDuel(m.ctx, c)
		return duelStarted{c, d, err}
	}
}

// played remembers a cast that has begun, unless it goes on from another duel.
func (m *Model) played(c casting.Cast) tea.Cmd {
	first, ok := m.stack[0].(*casting.Casting)
	if !ok || c.Past != nil || c.Origin != (arena.Origin{}) {
		return nil
	}
	m.memory.Casts = casting.Remembered(m.memory.Casts, c.Pairing())
	first.Played(m.memory.Casts)
	return m.remember()
}

func (m *Model) open(s duelStarted) tea.Cmd {
	m.stack[0].Update(casting.Ready{})
	if s.err != nil {
		return m.say("the duel could not start: "+s.err.Error(), true)
	}
	return tea.Batch(m.push(m.newStage(s.cast, s.duel)), m.played(s.cast))
}
