package arena

import (
	"strings"

	"herarena/arena/layers"
	"herarena/characters"
)

// Viewer is who looks at a reply; what it may see is decided here and nowhere
// else (the table "Visibility" of the design).
type Viewer int

// The viewers.
const (
	// ViewSelf is the contestant's own history.
	ViewSelf Viewer = iota
	// ViewOther is another character in the scene.
	ViewOther
	// ViewCritic is a critic.
	ViewCritic
)

// Sight holds the settings of visibility.
type Sight struct {
	// KeepSystem shows a contestant its own past system thinking.
	KeepSystem bool
	// HideThoughts keeps role thinking from the critic.
	HideThoughts bool
}

// Visible returns the segments that a viewer may see, in order. It works on
// parsed segments alone and never edits strings.
func Visible(segments []layers.Segment, v Viewer, s Sight) []layers.Segment {
	var out []layers.Segment
	for _, seg := range segments {
		if seg.Text == "" || !sees(seg.Layer, v, s) {
			continue
		}
		out = append(out, seg)
	}
	return out
}

func sees(l layers.Layer, v Viewer, s Sight) bool {
	switch l {
	case layers.Speech, layers.Act:
		return true
	case layers.Think:
		return v == ViewSelf || (v == ViewCritic && !s.HideThoughts)
	case layers.System:
		return v == ViewSelf && s.KeepSystem
	}
	return false
}

// speakAs writes "Name: " before a line unless the line has it already.
func speakAs(name, line string) string {
	if name == "" {
		return line
	}
	for _, colon := range []string{":", "："} {
		if strings.HasPrefix(line, name+colon) {
			return line
		}
	}
	return name + ": " + line
}

// spokenBy tells who says a line: another character of the scene, whose name it
// begins with as in imported chats of groups, else the person.
func spokenBy(scene characters.Scene, line string) (name, text string) {
	for _, c := range scene.Others {
		if rest, ok := strings.CutPrefix(line, c.Name+": "); ok && c.Name != "" {
			return c.Name, rest
		}
	}
	return scene.User.Name, line
}

// writeOwn renders segments as a contestant finds them in its own history: in
// its own dialect, with the name where the HER training layout has it.
func writeOwn(segments []layers.Segment, d layers.Dialect, character string, s Sight) string {
	name := ""
	switch d {
	case layers.HER:
		name = character
	case layers.Auto, "":
		d = layers.HER
	}
	return layers.Render(Visible(segments, ViewSelf, s), d, name)
}

// openingSegments parses the scene's opening line.
func openingSegments(scene characters.Scene) []layers.Segment {
	if strings.TrimSpace(scene.Opening) == "" {
		return nil
	}
	return layers.Parse(scene.Opening, layers.Options{Name: scene.Character.Name}).Segments
}

// names of everyone in the scene but the character.
func otherNames(scene characters.Scene) []string {
	var out []string
	if scene.User.Name != "" {
		out = append(out, scene.User.Name)
	}
	for _, c := range scene.Others {
		out = append(out, c.Name)
	}
	return out
}

// past is a finished turn as it enters a history.
type past struct {
	line  string
	note  string           // the director's, given before the line
	reply []layers.Segment // nil where no reply became canon
	text  string           // the reply as first rendered for this contestant
}

// directed writes a director's note as a contestant or a critic reads it.
func directed(note string) string { return "Director's note: " + note }

// history builds the messages a contestant gets for its next reply. Turns are
// only ever appended, so that prefix caches hold.
func history(system string, scene characters.Scene, c Contestant, opening string, turns []past, now past) []Message {
	msgs := []Message{{Role: "system", Content: system}}
	user := characters.ConversationStart
	if opening != "" {
		msgs = append(msgs, Message{Role: "user", Content: user}, Message{Role: "assistant", Content: opening})
		user = ""
	}
	flush := func() {
		if user != "" {
			msgs = append(msgs, Message{Role: "user", Content: user})
			user = ""
		}
	}
	add := func(t past) {
		if t.note != "" {
			flush()
			msgs = append(msgs, Message{Role: "system", Content: directed(t.note)})
		}
		if t.line == "" {
			return
		}
		if user != "" {
			user += "\n\n"
		}
		user += speakAs(spokenBy(scene, t.line))
	}
	for _, t := range turns {
		add(t)
		if t.text == "" {
			continue
		}
		flush()
		msgs = append(msgs, Message{Role: "assistant", Content: t.text})
	}
	add(now)
	flush()
	return msgs
}

// criticContext builds the shared context as a critic sees it.
func criticContext(system string, scene characters.Scene, opening []layers.Segment, turns []past, now past, s Sight) []ContextLine {
	out := []ContextLine{{Role: "system", Name: "system", Content: system}}
	reply := func(segments []layers.Segment) {
		if v := Visible(segments, ViewCritic, s); len(v) > 0 {
			out = append(out, ContextLine{Role: "assistant", Name: scene.Character.Name, Content: layers.Render(v, layers.HER, "")})
		}
	}
	line := func(t past) {
		if t.note != "" {
			out = append(out, ContextLine{Role: "system", Name: "director", Content: directed(t.note)})
		}
		if t.line != "" {
			name, text := spokenBy(scene, t.line)
			out = append(out, ContextLine{Role: "user", Name: name, Content: text})
		}
	}
	reply(opening)
	for _, t := range turns {
		line(t)
		reply(t.reply)
	}
	line(now)
	return out
}

// candidate renders a reply as a critic gets it: one dialect for both sides, so
// that the way of writing layers is not what is compared.
func candidate(r *Reply, s Sight) string {
	return layers.Render(Visible(r.Segments, ViewCritic, s), layers.HER, "")
}
