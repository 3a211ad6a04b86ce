package stage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// ghost is a model that has been asked to write the person's next line.
type ghost struct {
	by      int // contestant
	cancel  context.CancelFunc
	draft   string // what stood in the composer
	stopped bool   // by the person, or it failed: the draft comes back
}

// ghosted is the answer to such a request; the line itself comes as events.
type ghosted struct {
	stage *Stage
	ghost *ghost
	err   error
}

// impersonate asks a model for the person's next line. Asked again while its
// line stands unchanged, the other contestant's model writes one.
func (s *Stage) impersonate() tea.Cmd {
	d, ok := s.directed()
	switch t := s.play.last(); {
	case !ok:
		return nil
	case s.scripted():
		return notice("a model is already writing your line", false)
	case t != nil && t.live():
		return notice("a reply is still being written: esc stops it", false)
	}
	s.endJob()
	draft := s.writer.area.Value()
	if value := strings.TrimSpace(draft); value != "" {
		if value == s.scriptedLine {
			s.nextGhost = 1 - s.nextGhost
		}
		s.writer.change("")
	}
	s.setFocus(onComposer)
	ctx, cancel := context.WithCancel(s.ctx)
	g := &ghost{by: s.nextGhost, cancel: cancel, draft: draft}
	s.ghost, s.play.line = g, script{}
	s.stale(composerPart)
	return func() tea.Msg {
		defer cancel()
		_, err := d.Impersonate(ctx, g.by)
		return ghosted{s, g, err}
	}
}

// stopGhost stops the line being written. The draft comes back; without one
// what there is of the line stays.
func (s *Stage) stopGhost() {
	if s.ghost != nil {
		s.ghost.stopped = true
		s.ghost.cancel()
	}
}

// person carries a change of the person's part over to composer and frame.
func (s *Stage) person(c change) []tea.Cmd {
	s.stale(composerPart | headerPart)
	var cmds []tea.Cmd
	if c.shown {
		s.showNames()
	}
	if c.lineOf != nil && s.ghost != nil && !s.play.playing() {
		s.ghost.stopped = s.ghost.stopped || c.lineOf.Fault != nil
		s.takeLine(c.lineOf.Text)
	}
	if a := s.play.auto; c.auto && a.Why != "" && a.Why != "stopped" && a.Why != "you took over" {
		cmds = append(cmds, notice("you play again: "+guard.Line(a.Why), false))
	}
	return cmds
}

// takeLine puts a model's line into the composer, to be changed and sent; the
// person's draft is then among the lines sent before. Of a line that was stopped
// the draft comes back, and what there was of it is one undo away.
func (s *Stage) takeLine(text string) {
	text = strings.TrimSpace(guard.Text(text))
	if g := s.ghost; g != nil {
		draft := strings.TrimSpace(g.draft)
		back := draft != "" && (g.stopped || text == "")
		if text != "" && !back {
			if draft != s.scriptedLine {
				s.writer.remember(draft)
			}
			s.writer.change(text)
			s.scriptedLine = text
		}
		if back {
			if text != "" {
				s.writer.change(text)
			}
			s.writer.change(g.draft)
		}
	}
	s.ghost, s.play.line = nil, script{}
	s.stale(allParts)
}

// ghosted ends a request for a line and says why there is none.
func (s *Stage) ghosted(m ghosted) tea.Cmd {
	if m.stage != s || s.ctx.Err() != nil {
		return nil
	}
	if s.ghost == m.ghost && m.err != nil {
		// The event may still be on its way, or never come.
		s.ghost.stopped = true
		s.takeLine(s.play.line.text)
	}
	var f *arena.Fault
	if m.err == nil || errors.As(m.err, &f) && f.Kind == arena.Cancelled || errors.Is(m.err, context.Canceled) {
		return nil
	}
	return notice(m.err.Error(), true)
}

// ghostRow says who writes the person's line.
func (s *Stage) ghostRow() string {
	text := s.contestant(s.ghost.by) + s.look.Paint(look.Dim, " writes your line; you can change it before it is sent")
	return s.bannerRow(look.Accent, s.look.Glyphs.Bullet, text, s.bound("stage.back"))
}

// autoRow says who plays the person, and how far.
func (s *Stage) autoRow() string {
	l, a := s.look, s.play.auto
	state := turns(a.Left) + " to come"
	if a.Left == 0 {
		state = "the last turn"
	}
	state = l.Paint(look.Dim, state)
	if a.Paused {
		state = l.Paint(look.Warn, "paused") + l.Paint(look.Dim, ", ") + state
	}
	pause := s.bound("stage.auto.pause")
	if a.Paused {
		pause = pause.Hinted("go on")
	}
	text := guard.Line(a.By) + l.Paint(look.Dim, " plays "+s.me()+": ") + state
	return s.bannerRow(look.Accent, l.Glyphs.Bullet, text, pause, s.bound("stage.auto.step"), s.bound("stage.auto.stop"))
}

// scriptState is what is waited for while no line is being written.
func (s *Stage) scriptState() string {
	t := s.play.last()
	switch {
	case s.ghost != nil:
		return "waits for the first words"
	case t != nil && t.live():
		return "both sides reply"
	case t != nil && t.judging:
		return "the critic weighs both replies"
	case s.play.auto.Paused:
		return "paused before the next line"
	case s.play.auto.Left == 0:
		return "that was the last line"
	}
	return "thinks of a line"
}

// contestant is a contestant's name, cleaned.
func (s *Stage) contestant(i int) string { return guard.Line(s.o.Contestants[i&1].Name) }

// runAuto lets a contestant play the person.
func (s *Stage) runAuto(contestant, n int) tea.Cmd {
	d, ok := s.directed()
	if !ok {
		return nil
	}
	s.endJob()
	s.setFocus(onComposer)
	return s.call("", func(context.Context) error { return d.Auto(s.ctx, contestant, n) })
}

// onAuto does something with a model that plays the person.
func onAuto(do func(*Stage, Directed)) func(*Stage) tea.Cmd {
	return func(s *Stage) tea.Cmd {
		d, ok := s.directed()
		if !ok || !s.play.playing() {
			return nil
		}
		return s.call("", func(context.Context) error { do(s, d); return nil })
	}
}

func (s *Stage) pauseAuto() tea.Cmd {
	paused := !s.play.auto.Paused
	return onAuto(func(_ *Stage, d Directed) { d.PauseAuto(paused) })(s)
}

// autoSheet asks who is to play the person, and for how long.
type autoSheet struct {
	who, turns int
	fresh      bool // the next digit begins another number
}

const mostAuto = 99

func newAutoSheet(s *Stage) sheet { return &autoSheet{who: s.nextGhost, turns: 5, fresh: true} }

func (a *autoSheet) scope() string { return autoPanel }

func (a *autoSheet) view(s *Stage, w, h int) []string {
	l := s.look
	width := min(w, 62)
	rows := append([]string{""}, s.told("A model writes "+s.me()+"'s lines; the turns are played and judged as ever. Esc gives the part back to you at any time.", width)...)
	rows = append(rows, "")
	for i := range s.o.Contestants {
		rows = append(rows, choice(l, i == a.who, s.contestant(i)))
	}
	rows = append(rows, "", "   for  "+turned(l, l.Paint(look.Title, fmt.Sprintf("%2d", a.turns)))+"  turns", "")
	return s.sheetBox("Let a model play you", rows, width, h, s.enterTo("begin"), s.bound("stage.panel.shut"))
}

func (a *autoSheet) move(_ *Stage, dx, dy int) {
	if dy != 0 {
		a.who = min(max(a.who+dy, 0), 1)
	}
	a.turns = min(max(a.turns+dx, 1), mostAuto)
}

func (a *autoSheet) enter(s *Stage) tea.Cmd {
	s.shut()
	return s.runAuto(a.who, a.turns)
}

func (a *autoSheet) write(_ *Stage, text string) bool {
	if len(text) != 1 || text[0] < '0' || text[0] > '9' {
		return false
	}
	n := int(text[0] - '0')
	if !a.fresh && a.turns < 10 {
		n += a.turns * 10
	}
	a.fresh = n == 0
	a.turns = min(max(n, 1), mostAuto)
	return true
}
