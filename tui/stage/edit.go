package stage

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/keys"
)

const (
	undoLimit = 200     // states of the text that are kept
	undoBytes = 8 << 20 // and their size in all: each holds the whole text
)

// edits are the states of the text before its changes, and what was cut last.
// Letters typed in a row are one change, up to the next space.
type edits struct {
	past, future []string
	cut          string
	typing       bool // the last change was a letter
}

// note takes a change in. A cut is a change by a key that deletes more than a
// character.
func (e *edits) note(before, after string, k tea.KeyPressMsg) {
	if before == after {
		return
	}
	letter := k.Text != "" && k.Text != " " && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0
	if !letter || !e.typing {
		e.past = append(e.past, before)
		e.past = e.past[max(len(e.past)-undoLimit, 0):]
		size := 0
		for i := len(e.past) - 1; i > 0; i-- {
			if size += len(e.past[i]); size > undoBytes {
				e.past = e.past[i:]
				break
			}
		}
	}
	e.typing, e.future = letter, nil
	switch keys.Name(k) {
	case "ctrl+k", "ctrl+u", "ctrl+w", "alt+d", "alt+backspace":
		e.cut = gone(before, after)
	}
}

// gone is the text that a deletion took out.
func gone(before, after string) string {
	head := 0
	for head < len(after) && head < len(before) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(after)-head && tail < len(before)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	return strings.ToValidUTF8(before[head:len(before)-tail], "")
}

// back returns the state before the last change, forth the one after it.
func (e *edits) back(now string) (text string, ok bool) { return e.shift(&e.past, &e.future, now) }

func (e *edits) forth(now string) (text string, ok bool) { return e.shift(&e.future, &e.past, now) }

func (e *edits) shift(from, to *[]string, now string) (text string, ok bool) {
	n := len(*from)
	if n == 0 {
		return "", false
	}
	text = (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, now)
	e.typing = false
	return text, true
}

// change sets the text, so that it can be taken back.
func (c *composer) change(text string) {
	c.edits.note(c.area.Value(), text, tea.KeyPressMsg{})
	c.put(text)
}

// undo takes the last change of the text back, where the text has the keys. It
// leaves the vote alone: who presses it once too often must not lose that.
func (s *Stage) undo() tea.Cmd {
	if s.focus == onComposer && !s.scripted() {
		if text, ok := s.writer.edits.back(s.writer.area.Value()); ok {
			s.writer.put(text)
			return nil
		}
	}
	text := "no change to the text is left to take back"
	if t := s.play.last(); t != nil && t.vote != nil {
		if b := s.bound("stage.unvote"); len(b.Keys) > 0 {
			text += "; " + b.Shown() + " takes the vote back"
		}
	}
	return notice(text, false)
}

func (s *Stage) redo() {
	if text, ok := s.writer.edits.forth(s.writer.area.Value()); ok {
		s.writer.put(text)
	}
}

func (s *Stage) yank() {
	if cut := s.writer.edits.cut; cut != "" {
		before := s.writer.area.Value()
		s.writer.area.InsertString(cut)
		s.writer.edits.note(before, s.writer.area.Value(), tea.KeyPressMsg{})
	}
}

// clear empties the composer.
func (s *Stage) clear() { s.writer.change("") }

// unvoter is a duel whose vote can be taken back.
type unvoter interface{ Unvote() error }

var _ unvoter = (*arena.Duel)(nil)

// voted reports whether there is a vote on the newest pair of replies, or on the
// one looked at.
func (s *Stage) voted() bool {
	t, seen := s.play.last(), s.looked().asSeen()
	return t != nil && t.vote != nil || seen != nil && seen.vote != nil
}

// unvote takes the vote on the last turn back.
func (s *Stage) unvote() tea.Cmd {
	t := s.play.last()
	d, ok := s.o.Duel.(unvoter)
	if why := s.aside("a vote is taken back on"); why != "" {
		return notice(why, false)
	}
	if t == nil || t.vote == nil || !ok {
		return notice("there is nothing to take back", false)
	}
	return tea.Batch(s.call("", func(context.Context) error { return d.Unvote() }), notice("the vote is taken back", false))
}
