package stage

import (
	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
)

// drain takes everything out of the mailbox and marks what it touched.
func (s *Stage) drain() tea.Cmd {
	now := s.o.Now()
	var cmds []tea.Cmd
	for _, ev := range s.box.Drain() {
		cmds = append(cmds, s.hear(ev, now)...)
	}
	return tea.Batch(append(cmds, s.tick())...)
}

// take carries a change of the play over to blocks, cards and frame.
func (s *Stage) take(c change) []tea.Cmd {
	var cmds []tea.Cmd
	if c.trouble != nil {
		cmds = append(cmds, notice(c.trouble.Error(), true))
	}
	if c.person {
		cmds = append(cmds, s.person(c)...)
	}
	if c.scene {
		cmds = append(cmds, s.sceneChanged(c)...)
	}
	if c.turn < 0 {
		return cmds
	}
	if c.added {
		follows := s.judged == c.turn-1
		s.raise(c.turn)
		s.redraw(c.turn - 1) // nothing is asked again there any more
		if follows {
			s.judged = c.turn
			s.cards.Reset()
		}
		s.suggest()
		s.stale(headerPart)
	}
	for side, touched := range c.sides {
		if touched && c.turn < len(s.blocks[side]) {
			b := s.blocks[side][c.turn]
			b.touch()
			s.panes[side].Upsert(b)
			s.stale(sidePart(arena.Side(side)))
		}
	}
	growing := c.sides == [2]bool{} && s.play.turns[c.turn].judging // a snapshot of a verdict
	if c.verdict && !growing {
		s.verdict.oddsOf = nil
		s.stale(composerPart | headerPart)
	}
	if c.verdict && c.turn == s.judged {
		s.showVerdict()
	}
	if c.verdict {
		s.stale(barPart)
	}
	if c.ruled || c.voted {
		cmds = append(cmds, s.askBoard())
	}
	return cmds
}

// redraw makes the blocks of a turn anew, if there is one.
func (s *Stage) redraw(i int) {
	for side := range s.blocks {
		if i < 0 || i >= len(s.blocks[side]) {
			continue
		}
		b := s.blocks[side][i]
		b.touch()
		s.panes[side].Upsert(b)
		s.stale(sidePart(arena.Side(side)))
	}
}

// raise gives a turn its blocks.
func (s *Stage) raise(i int) {
	s.setScenery(s.play.turns[i].number, s.play.turns[i].scenery)
	for side := range s.blocks {
		b := newBlock(s.play.turns[i], arena.Side(side), s.look, &s.folds[side], &s.bill)
		s.blocks[side] = append(s.blocks[side], b)
		s.panes[side].Upsert(b)
		s.foldScenario(arena.Side(side))
	}
}

// foldScenario shows the scenario's first lines alone once the scene is under
// way, unless plans are open: the words of the play need the room.
func (s *Stage) foldScenario(side arena.Side) {
	if s.opening[side].setFolded(len(s.play.turns)+s.pastTurns() > 0 && !s.folds[side].panels[layers.System].open()) {
		s.panes[side].Upsert(s.opening[side])
		s.stale(sidePart(side))
	}
}

// showVerdict puts the verdict of the turn looked at on the cards.
func (s *Stage) showVerdict() {
	if t := s.looked().asSeen(); t != nil {
		s.setCards(t)
	}
	s.stale(barPart | cardsPart)
}

// looked is the turn whose verdict is shown, nil before the first.
func (s *Stage) looked() *turn {
	if s.judged < 0 || s.judged >= len(s.play.turns) {
		return nil
	}
	return s.play.turns[s.judged]
}

// source is where the critic's battles of this duel are kept.
func (s *Stage) source() arena.Source {
	source := arena.SourceVote
	if s.o.Critic != "" {
		source = arena.CriticSource(s.o.Critic)
	}
	if s.o.Contestants[0].Rehearsal || s.o.Contestants[1].Rehearsal {
		source = "rehearsal/" + source
	}
	return source
}

// askBoard fetches the ratings for the bar.
func (s *Stage) askBoard() tea.Cmd {
	if s.o.Board == nil {
		return nil
	}
	source := s.source()
	return func() tea.Msg {
		b, err := s.o.Board(s.ctx, string(source))
		return boardMsg{s, source, b, err}
	}
}
