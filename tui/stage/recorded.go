package stage

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/keys"
)

// What shows a recorded duel drives the stage with the methods of this file
// instead of Init and Update: the clock and the events are its own, and keys
// that would change a duel are not taken.

// Advance takes events in at once, past the mailbox, and moves the clocks on
// screen to what Options.Now says. The command holds the notices that came of it.
func (s *Stage) Advance(events ...arena.Event) tea.Cmd {
	var cmds []tea.Cmd
	now := s.o.Now()
	for _, ev := range events {
		cmds = append(cmds, s.take(s.play.apply(ev, now))...)
	}
	if s.waiting() {
		s.stale(aPart | bPart | barPart)
	}
	if len(cmds) == 0 {
		return nil
	}
	return tea.Batch(cmds...)
}

// Waiting reports whether a clock on the screen runs.
func (s *Stage) Waiting() bool { return s.waiting() }

// looks are the commands of the stage that change no duel and do not leave it:
// what someone who only looks may press.
var looks = map[string]bool{
	"stage.focus.next": true, "stage.focus.previous": true, "stage.side.other": true, "stage.zoom": true, "stage.side.zoom": true,
	"stage.page.up": true, "stage.page.down": true, "stage.scroll.up": true, "stage.scroll.down": true, "stage.scroll.top": true, "stage.scroll.end": true,
	"stage.scroll.linked": true, "stage.scroll.half.up": true, "stage.scroll.half.down": true,
	"stage.turns": true, "stage.turn.next": true, "stage.turn.previous": true, "stage.turn.first": true, "stage.turn.last": true,
	"stage.panels": true, "stage.panels.side": true, "stage.copy.menu": true, "stage.copy.choose": true,
	"stage.compare": true, "stage.compare.side": true, "stage.compare.up": true, "stage.compare.down": true, "stage.compare.top": true, "stage.compare.end": true,
	"stage.compare.previous": true, "stage.compare.next": true, "stage.compare.copy": true, "stage.compare.close": true,
	"stage.fold.plan": true, "stage.fold.thoughts": true, "stage.copy": true, "stage.copy.file": true, "stage.swipe.earlier": true, "stage.swipe.later": true,
	"stage.card.up": true, "stage.card.down": true, "stage.card.first": true, "stage.card.last": true, "stage.card.toggle": true,
	"stage.card.order": true, "stage.quote.next": true, "stage.quote.former": true,
	"stage.verdict.odds": true, "stage.verdict.output": true, "stage.verdict.reasoning": true,
	"stage.card.open": true, "stage.card.shut": true, "stage.card.all": true, "stage.verdict.older": true, "stage.verdict.newer": true,
	"stage.search": true, "stage.search.empty": true, "stage.search.next": true, "stage.search.previous": true,
}

// BeginWatching takes the focus from the composer.
func (s *Stage) BeginWatching() {
	s.watched = true
	s.setFocus(onA + focus(s.side))
}

// ResumeWatching goes on as someone looked at another stage of the same duel:
// with the same focus, side and search.
func (s *Stage) ResumeWatching(old *Stage) {
	s.zoom, s.side = old.zoom, old.side
	s.setFocus(old.focus)
	if was := old.search; was != nil {
		s.beginSearch()
		q := s.search
		q.writing, q.sides, q.focus, q.side = was.writing, was.sides, was.focus, was.side
		s.seek(was.query)
	}
	s.stale(allParts)
}

// Searching reports whether a search is open; its row stands in the last one of
// the frame.
func (s *Stage) Searching() bool { return s.search != nil }

// StepBack shuts what was opened last over the sides, without leaving: a
// selection, a search, the comparison, a panel of the verdict. It reports
// whether there was any.
func (s *Stage) StepBack() bool {
	switch {
	case s.selection.on:
		s.dropSelection()
	case s.search != nil:
		s.endSearch(false)
	case s.compare != nil:
		s.closeCompare()
	case s.focus == onVerdict && s.verdict.panel != cardsPanel:
		s.show(cardsPanel)
	default:
		return false
	}
	return true
}

// WatchPaste takes pasted text from someone who only looks: into a search that
// is being written.
func (s *Stage) WatchPaste(text string) {
	if s.search != nil && s.search.writing {
		s.pasteQuery(strings.ToValidUTF8(text[:min(len(text), 4*queryLimit)], ""))
		s.stale(allParts)
	}
}

// WatchCommands are the commands of someone who only looks, for the palette.
func (s *Stage) WatchCommands() []keys.Entry {
	return slices.DeleteFunc(s.Commands(), func(e keys.Entry) bool { return !looks[e.Name] })
}

// WatchDo runs a command of someone who only looks by its name.
func (s *Stage) WatchDo(name string) tea.Cmd {
	if !looks[name] {
		return nil
	}
	cmd := s.Do(name)
	if s.focus == onComposer {
		s.setFocus(onA + focus(s.side))
	}
	return cmd
}

// Watch takes a key from someone who only looks. The composer never has the
// focus.
func (s *Stage) Watch(k tea.KeyPressMsg) tea.Cmd {
	if s.menu != nil || s.search != nil && s.search.writing {
		return s.press(k)
	}
	if !looks[s.keys.Meant(s, k, s.scopes()...).Name] {
		return nil
	}
	cmd := s.press(k)
	if s.focus == onComposer {
		s.press(k) // the panel behind it
	}
	return cmd
}

// WatchMouse takes the mouse from someone who only looks.
func (s *Stage) WatchMouse(msg tea.MouseMsg) tea.Cmd {
	switch m := msg.(type) {
	case tea.MouseClickMsg:
		if s.menu == nil && s.layout.composer.holds(m.X, m.Y) {
			return nil
		}
		return s.click(m)
	case tea.MouseWheelMsg:
		s.wheel(m)
	case tea.MouseMotionMsg:
		return s.drag(m)
	case tea.MouseReleaseMsg:
		return s.release(m)
	}
	return nil
}

// LookAt turns to the i-th turn: its verdict, and its rows at the top of both
// sides. Out of range it does nothing.
func (s *Stage) LookAt(i int) {
	if i < 0 || i >= len(s.play.turns) {
		return
	}
	s.judged = i
	if s.compare != nil {
		s.compareTurn(i)
	}
	s.cards.Reset()
	s.showVerdict()
	id := fmt.Sprintf("turn %d", s.play.turns[i].number)
	for _, p := range s.panes {
		if i == 0 {
			p.Top()
			continue
		}
		p.Bottom()
		p.EnsureVisible(id)
	}
	s.stale(allParts)
}

// LookedAt is the index of the turn whose verdict is shown, -1 before the first.
func (s *Stage) LookedAt() int { return s.judged }

// TurnCount is the number of turns shown.
func (s *Stage) TurnCount() int { return len(s.play.turns) }

// WatchKeys are the bindings of someone who only looks.
func WatchKeys() []keys.Group {
	var out []keys.Group
	for _, g := range Groups() {
		kept := keys.Group{Title: g.Title, Scope: g.Scope}
		for _, b := range g.Bindings {
			if looks[b.Name] {
				kept.Bindings = append(kept.Bindings, b)
			}
		}
		if g.Scope == anywhere {
			kept.Title = "Panels"
		}
		if len(kept.Bindings) > 0 {
			out = append(out, kept)
		}
	}
	return out
}
