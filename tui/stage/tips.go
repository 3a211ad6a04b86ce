package stage

import "herarena/tui/keys"

// shortly is the first key of a command, in the glyphs of the screen.
func (s *Stage) shortly(b keys.Binding) string {
	return keys.Binding{Keys: b.Keys[:1]}.ShownIn(s.look.ASCII)
}

// Tips are the first steps of the moment: to vote once there is something to
// vote on, then how to get about.
func (s *Stage) Tips() []keys.Tip {
	row := s.layout.bar // which ends in a rule
	if s.layout.mode == columns {
		row-- // the lower border of both sides
	}
	if s.layout.bar == 0 || s.waiting() {
		return nil
	}
	var tips []keys.Tip
	tell := func(name, says string, of string, actions ...string) {
		if b := s.bound(of); len(b.Keys) > 0 {
			tips = append(tips, keys.Tip{Name: name, Says: s.shortly(b) + " " + says, Actions: actions, Row: row})
		}
	}
	if s.focus == onComposer && s.newest() && s.digitVotes() && s.comparable() && s.play.last().vote == nil {
		if first, last := s.bound("stage.vote.a"), s.bound("stage.vote.bad"); len(first.Keys) > 0 && len(last.Keys) > 0 {
			tips = append(tips, keys.Tip{
				Name: "stage.vote", Says: s.shortly(first) + " to " + s.shortly(last) + " vote: A, B, a tie, both bad", Row: row,
				Actions: []string{"stage.vote.a", "stage.vote.b", "stage.vote.tie", "stage.vote.bad"},
			})
		}
	}
	if s.play.last() == nil && s.writer.hint != "" && s.hasHint() {
		tell("stage.suggest", "takes the line that is proposed; enter sends it", "stage.suggest", "stage.suggest", "stage.send")
	}
	tell("stage.focus", "goes through the panels, where plans unfold", "stage.focus.next", "stage.focus.next", "stage.focus.previous")
	tips = append(tips, keys.Tip{Name: "app.palette", Says: "every command can be found and run", Actions: []string{"app.palette"}, Row: row})
	return tips
}
