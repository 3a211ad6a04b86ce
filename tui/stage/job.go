package stage

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// jobKind is what the composer is used for besides the next line.
type jobKind int

const (
	noting   jobKind = iota // a director's note
	relining                // another line for an earlier turn
	replying                // an earlier reply, changed
)

// job is what is being written in the composer instead of the next line. What
// stood there before comes back when it is done.
type job struct {
	kind  jobKind
	turn  int          // number of the turn that is rewritten
	from  arena.Origin // where the branch begins, for relining
	by    string       // who wrote the reply
	name  string       // as shown: "your line", "her-rl's reply"
	note  string       // the director's note that goes with the line, for relining
	draft string
}

// prompt is what the empty composer says.
func (j *job) prompt() string {
	switch j.kind {
	case noting:
		return "an instruction to both models, that no one in the scene says"
	case relining:
		return "another line for turn " + fmt.Sprint(j.turn)
	}
	return "the reply as it should have been"
}

// begin gives the composer to a job, with a text to begin from.
func (s *Stage) begin(j *job, text string) {
	if s.job != nil {
		j.draft = s.job.draft
	} else {
		j.draft = s.writer.area.Value()
	}
	s.job = j
	s.setFocus(onComposer)
	s.writer.change(guard.Text(text))
	s.stale(composerPart)
}

// endJob gives the composer back to the line that was being written.
func (s *Stage) endJob() {
	if s.job == nil {
		return
	}
	draft := s.job.draft
	s.job = nil
	s.writer.change(draft)
	s.stale(composerPart)
}

// jobRow says what is being written.
func (s *Stage) jobRow() string {
	j, mark := s.job, s.look.Glyphs.Bullet
	switch j.kind {
	case noting:
		return s.bannerRow(look.Accent, mark, "a director's note, for your next line", s.bound("stage.send").Hinted("done"), s.bound("stage.back").Hinted("leave it"))
	case relining:
		return s.bannerRow(look.Accent, mark, fmt.Sprintf("your line of turn %d anew: it opens a branch, this duel stays", j.turn), s.bound("stage.send").Hinted("done"), s.bound("stage.back").Hinted("leave it"))
	}
	return s.bannerRow(look.Accent, mark, fmt.Sprintf("%s in turn %d anew: it opens a branch, this duel stays", j.name, j.turn), s.bound("stage.send").Hinted("done"), s.bound("stage.back").Hinted("leave it"))
}

// finishJob takes what was written.
func (s *Stage) finishJob() tea.Cmd {
	j := s.job
	text := strings.TrimSpace(s.writer.area.Value())
	switch {
	case j == nil:
		return nil
	case j.kind != noting && s.replying():
		return s.wait() // what was written stays
	}
	switch j.kind {
	case noting:
		s.endJob()
		return s.direct(text)
	case relining:
		if text == "" {
			return notice("the line is empty: write one, or leave it as it was with esc", false)
		}
		s.endJob()
		return s.branch(Branch{From: j.from, Line: text, Say: true, Note: j.note})
	}
	segments := arena.ParseLine(text, s.o.Scene.Character.Name, s.others())
	if len(arena.Visible(segments, arena.ViewOther, arena.Sight{})) == 0 {
		return notice("nothing is said or done in this reply: write something, or leave it as it was with esc", false)
	}
	d, ok := s.directed()
	if !ok {
		return nil
	}
	past := d.History(j.turn)
	if len(past) == 0 {
		return nil
	}
	last := &past[len(past)-1]
	last.Reply, last.By, last.Edited = segments, j.by, true
	s.endJob()
	return s.branch(Branch{From: arena.Origin{DuelID: d.ID(), Turn: j.turn}, Past: past})
}

// others are the names that stand for themselves in a reply.
func (s *Stage) others() []string {
	names := []string{s.o.Scene.User.Name}
	for _, c := range s.o.Scene.Others {
		names = append(names, c.Name)
	}
	return names
}

// writeNote begins a director's note, or goes on with the one that waits.
func (s *Stage) writeNote() { s.begin(&job{kind: noting}, s.play.note) }

// direct puts a note in the place of the one that waits.
func (s *Stage) direct(note string) tea.Cmd {
	d, ok := s.directed()
	if !ok || note == s.play.note {
		return nil
	}
	return s.call("", func(context.Context) error {
		if err := d.Direct(""); err != nil || note == "" {
			return err
		}
		return d.Direct(note)
	})
}

func (s *Stage) dropNote() tea.Cmd { return s.direct("") }

// noteRow shows the note that waits for the next line.
func (s *Stage) noteRow() string {
	text := s.look.Paint(look.Dim, "note with your next line: ") + guard.Line(s.play.note)
	return s.bannerRow(look.Accent, s.look.Glyphs.Bullet, text, s.bound("stage.note").Hinted("change or drop"))
}

// reline begins another line for the turn that is looked at; before the first,
// for the last one of the past.
func (s *Stage) reline() tea.Cmd {
	d, ok := s.directed()
	t := s.looked()
	switch {
	case !ok:
		return nil
	case s.replying():
		return s.wait()
	case t == nil:
		past := d.Past()
		if len(past) == 0 {
			return notice("there is no line to write anew yet", false)
		}
		t = &turn{number: len(past), line: past[len(past)-1].Line, note: past[len(past)-1].Note}
	}
	s.begin(&job{kind: relining, turn: t.number, from: arena.Origin{DuelID: d.ID(), Turn: t.number - 1}, note: t.note}, t.line)
	return nil
}

// rewrite begins to change the reply shown on a side, of the turn looked at.
func (s *Stage) rewrite(side arena.Side) tea.Cmd {
	t := s.looked()
	switch {
	case t == nil:
		return notice("there is no reply to change yet", false)
	case s.replying():
		return s.wait()
	}
	k := t.columns[side].shown()
	if k == nil || k.live {
		return notice("this reply is still being written", false)
	}
	segments := arena.Visible(k.reply.Segments, arena.ViewSelf, arena.Sight{})
	who, known := s.bill.name(t, side)
	name := "reply " + side.String()
	if known {
		name = who + "'s reply"
	}
	s.begin(&job{kind: replying, turn: t.number, by: s.o.Contestants[t.seats[side]&1].Name, name: name}, editable(segments))
	return nil
}

// editable writes a reply for a person to change: with asterisks, and where it
// has thoughts in the tags that can hold them.
func editable(segments []layers.Segment) string {
	for _, seg := range segments {
		if seg.Layer == layers.Think {
			return layers.Render(segments, layers.HER, "")
		}
	}
	return layers.Render(segments, layers.Asterisk, "")
}
