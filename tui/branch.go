package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/characters"
	"herarena/tui/casting"
	"herarena/tui/stage"
)

// A branch is a duel of its own. Its stage takes the place of the one it came
// from, whose duel is closed behind it and stays in the ledger as it is.

var (
	errNoHistory  = errors.New("there is no ledger here that would know what was said")
	errUndirected = errors.New("this duel takes no director's note, which went with the line: write the line in it yourself")
)

// playing is the stage of a duel with the cast it was made of.
type playing struct {
	*stage.Stage
	cast casting.Cast
}

// branched is the duel of a branch, or why there is none.
type branched struct {
	from *stage.Stage
	cast casting.Cast
	duel stage.Duel
	err  error
}

// playingOn returns the screen of a stage, nil where it has been left.
func (m *Model) playingOn(s *stage.Stage) (at int, p *playing) {
	for i := range m.stack {
		if p, ok := m.stack[i].(*playing); ok && p.Stage == s {
			return i, p
		}
	}
	return 0, nil
}

// branch makes the duel of a branch in the background.
func (m *Model) branch(b stage.Branch) tea.Cmd {
	_, p := m.playingOn(b.Stage)
	if p == nil || m.o.StartDuel == nil {
		return nil
	}
	cast := p.cast
	cast.Origin, cast.Past, cast.Line, cast.Say, cast.Direction = b.From, b.Past, b.Line, b.Say, b.Note
	if b.Contestants != nil {
		cast.Contestants = *b.Contestants
	}
	if b.Critic != nil {
		_, critics := m.offer()
		for _, c := range critics {
			if c.OnBoards() == *b.Critic {
				cast.Critic = c
			}
		}
	}
	return func() tea.Msg {
		if cast.Past == nil && cast.Origin.Turn > 0 {
			past, err := m.history(m.ctx, cast.Origin)
			if err != nil {
				return branched{b.Stage, cast, nil, err}
			}
			cast.Past = past
		}
		d, err := m.o.StartDuel(m.ctx, cast)
		if err == nil && cast.Direction != "" {
			err = direct(d, cast.Direction)
		}
		return branched{b.Stage, cast, d, err}
	}
}

// direct gives a duel that has just started the director's note for its first
// line. A duel that does not take it is ended: the line is not to be said
// without its note.
func direct(d stage.Duel, note string) error {
	err := errUndirected
	if to, ok := d.(stage.Directed); ok {
		err = to.Direct(note)
	}
	if err != nil {
		return errors.Join(err, d.Close())
	}
	return nil
}

func (m *Model) history(ctx context.Context, from arena.Origin) ([]arena.PastTurn, error) {
	if m.o.History == nil {
		return nil, errNoHistory
	}
	return m.o.History(ctx, from)
}

// swap puts the stage of a branch in the place of the one it came from.
func (m *Model) swap(b branched) tea.Cmd {
	at, old := m.playingOn(b.from)
	switch {
	case b.err != nil:
		return m.say("the branch could not be opened: "+b.err.Error(), true)
	case old == nil: // left meanwhile
		return closing(b.duel)
	}
	s := m.newStage(b.cast, b.duel)
	s.Resample(old.Stage)
	s.SetLook(m.look)
	s.SetSize(m.w, m.h)
	m.stack[at] = s
	m.toast.text = ""
	return tea.Batch(s.Init(), m.retire(old), m.say("a branch of its own; the duel it came from is kept", false))
}

func closing(d stage.Duel) tea.Cmd {
	return func() tea.Msg {
		if err := d.Close(); err != nil {
			return stage.Notice{Text: "the branch was left, but " + err.Error(), Bad: true}
		}
		return nil
	}
}

// retired says that a stage which is no longer shown has ended.
type retired struct {
	stage *playing
	err   error
}

// retire ends a stage that is no longer shown once its verdict has been written.
func (m *Model) retire(old *playing) tea.Cmd {
	m.retiring = append(m.retiring, old)
	return func() tea.Msg {
		old.Finish(m.ctx)
		return retired{old, old.Close()}
	}
}

func (m *Model) forget(r retired) tea.Cmd {
	m.retiring = slices.DeleteFunc(m.retiring, func(p *playing) bool { return p == r.stage })
	if r.err != nil {
		return m.say("the former duel was left, but "+r.err.Error(), true)
	}
	return nil
}

// newStage makes the screen of a duel. What is drawn by lot in a scene is drawn
// by the duel, which all that comes of it shares.
func (m *Model) newStage(c casting.Cast, d stage.Duel) *playing {
	if o, ok := d.(interface{ Scene() characters.Scene }); ok {
		c.Scene = o.Scene()
	}
	return &playing{stage.New(stage.Options{
		Duel: d, Scene: c.Scene, Contestants: c.Contestants, Critic: c.Critic.OnBoards(), CriticLabel: c.Critic.Shown(),
		Canon: c.Canon, Blind: c.Blind, Note: m.noteOn(c), Look: m.look, Board: m.o.Board, Keys: m.o.Keys,
		Origin: c.Origin, Line: c.Line, Say: c.Say, Family: m.o.Family, Offer: m.stageOffer,
		Reading: m.memory.Reading, Clipboard: m.o.Clipboard,
	}), c}
}

// offer is who can play and judge now, those found on this machine among them.
func (m *Model) offer() ([]arena.Contestant, []casting.CriticChoice) {
	for _, s := range m.stack {
		if c, ok := s.(*casting.Casting); ok {
			return c.Offered()
		}
	}
	return m.o.Contestants, m.o.Critics
}

func (m *Model) stageOffer() ([]arena.Contestant, []stage.Critic) {
	contestants, critics := m.offer()
	out := make([]stage.Critic, len(critics))
	for i, c := range critics {
		out[i] = stage.Critic{Name: c.OnBoards(), Label: c.Shown()}
	}
	return contestants, out
}
