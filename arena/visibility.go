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
		d = unlearned(Visible(segments, ViewSelf, s))
	}
	return layers.Render(Visible(segments, ViewSelf, s), d, name)
}

// unlearned is the dialect in which a contestant that has not replied yet finds
// segments: that of its output format, unless they hold what only tags can say.
func unlearned(segments []layers.Segment) layers.Dialect {
	for _, s := range segments {
		if s.Layer == layers.Think || s.Layer == layers.System {
			return layers.HER
		}
	}
	return layers.Asterisk
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
	if scene.Environment {
		out = append(out, characters.EnvironmentName)
	}
	return out
}

// past is a finished turn as it enters a history.
type past struct {
	scenery string // what the surroundings did before the line
	line    string
	note    string           // the director's, given before the line
	speaker string           // whose reply it is, "" for the scene's Character
	reply   []layers.Segment // nil where no reply became canon
	text    string           // the reply as first rendered for its own speaker
	heard   string           // the reply as first rendered for the other characters
	silent  bool             // the scene went on without a line
}

// spoken is what a character says.
type spoken struct {
	name     string
	segments []layers.Segment
}

// directed writes a director's note as a contestant or a critic reads it.
func directed(note string) string { return "Director's note: " + note }

// heardBy renders what one played character says as the player of another
// finds it in its history: in its dialect, with the name, without thoughts.
func heardBy(segments []layers.Segment, d layers.Dialect, name string) string {
	if d == layers.Auto || d == "" {
		d = layers.Asterisk
	}
	return layers.Render(Visible(segments, ViewOther, Sight{}), d, name)
}

// view is a scene as the player of one character has it before the first turn.
type view struct {
	system string
	scene  characters.Scene // with that character as its Character
	own    string           // the opening line, where it is the character's
	heard  string           // the opening line, where it is another's
}

// history builds the messages a contestant gets for its next reply. Turns are
// only ever appended for a character, so that prefix caches hold.
func history(v view, turns []past, now past) []Message {
	msgs := []Message{{Role: "system", Content: v.system}}
	user := characters.ConversationStart
	if v.own != "" {
		msgs = append(msgs, Message{Role: "user", Content: user}, Message{Role: "assistant", Content: v.own})
		user = ""
	}
	flush := func() {
		if user != "" {
			msgs = append(msgs, Message{Role: "user", Content: user})
			user = ""
		}
	}
	hear := func(text string) {
		if user != "" && text != "" {
			user += "\n\n"
		}
		user += text
	}
	add := func(t past) {
		if t.scenery != "" {
			hear(speakAs(characters.EnvironmentName, t.scenery))
		}
		if t.note != "" {
			flush()
			msgs = append(msgs, Message{Role: "system", Content: directed(t.note)})
		}
		if t.line != "" {
			hear(speakAs(spokenBy(v.scene, t.line)))
		}
	}
	// A character who goes on with nothing in between is told to.
	cue := func(t past) {
		if t.silent && user == "" {
			user = "(" + v.scene.Character.Name + " goes on.)"
		}
	}
	hear(v.heard)
	for _, t := range turns {
		add(t)
		switch {
		case t.speaker != v.scene.Character.Name:
			hear(t.heard)
		case t.text != "":
			cue(t)
			flush()
			msgs = append(msgs, Message{Role: "assistant", Content: t.text})
		}
	}
	add(now)
	cue(now)
	flush()
	return msgs
}

// criticContext builds the shared context as a critic sees it: the one whose
// reply is judged is the scene's Character and has the assistant's lines.
func criticContext(system string, scene characters.Scene, opening spoken, turns []past, now past, s Sight) []ContextLine {
	out := []ContextLine{{Role: "system", Name: "system", Content: system}}
	reply := func(r spoken) {
		role := "user"
		if r.name == "" {
			r.name = opening.name
		}
		if r.name == scene.Character.Name {
			role = "assistant"
		}
		if v := Visible(r.segments, ViewCritic, s); len(v) > 0 {
			out = append(out, ContextLine{Role: role, Name: r.name, Content: layers.Render(v, layers.HER, "")})
		}
	}
	line := func(t past) {
		if t.scenery != "" {
			out = append(out, ContextLine{Role: "user", Name: characters.EnvironmentName, Content: t.scenery})
		}
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
		reply(spoken{t.speaker, t.reply})
	}
	line(now)
	return out
}

// candidate renders a reply as a critic gets it: one dialect for both sides, so
// that the way of writing layers is not what is compared.
func candidate(r *Reply, s Sight) string {
	return layers.Render(Visible(r.Segments, ViewCritic, s), layers.HER, "")
}
