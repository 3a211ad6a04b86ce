package card

import (
	"fmt"
	"regexp"
	"strings"
)

// environment speaks for the world in CoSER's dialogues and is nobody.
const environment = "Environment"

// Role is one of those in a scenario.
type Role struct {
	Name       string `json:"name"`
	Profile    string `json:"profile,omitempty"`
	Motivation string `json:"motivation,omitempty"`
}

// Scenario is a scene of a book, as CoSER and HER keep it, or a seed of
// MiniMax's role-play bench.
type Scenario struct {
	Source string `json:"source,omitempty"` // the book
	Topic  string `json:"topic,omitempty"`
	Text   string `json:"text"`
	Prompt string `json:"prompt,omitempty"` // a whole system prompt, where that is what the file has
	Cast   []Role `json:"cast"`             // those who speak, in the order of the file
	Lines  []Line `json:"lines"`            // the book's own dialogue
}

// Speakers counts the names in the dialogue, the environment's too.
func (s Scenario) Speakers() int {
	seen := map[string]bool{}
	for _, l := range s.Lines {
		seen[l.Name] = true
	}
	return len(seen)
}

// scenarios reads a list of CoSER items or MiniMax seeds.
func (r *reader) scenarios(list []any) (*File, *Error) {
	f := &File{Kind: KindScenario, Spec: "coser", Format: "coser-test"}
	for i, v := range list {
		o, ok := v.(*Object)
		if !ok {
			continue
		}
		if len(f.Scenarios) >= maxEntries {
			r.warn("too_many_scenarios", "", fmt.Sprintf("the file has more than %d scenarios; the rest was left out", maxEntries))
			break
		}
		if o.Has("ai_setting") || o.Has("ai_name") {
			f.Spec, f.Format = "minimax", "minimax-seed"
			f.Scenarios = append(f.Scenarios, minimaxSeed(o))
			continue
		}
		f.Scenarios = append(f.Scenarios, r.coser(o, i))
	}
	if len(f.Scenarios) == 0 {
		return nil, &Error{Code: NotACard, Message: "is a list without a scenario"}
	}
	r.scenarioData(f)
	return f, nil
}

func (r *reader) coser(o *Object, i int) Scenario {
	s := Scenario{Source: o.text("book"), Topic: o.text("topic"), Text: o.text("scenario")}
	at := fmt.Sprintf("[%d]", i)
	spoke := map[string]bool{}
	for j, v := range o.list("dialogues") {
		row, _ := v.(*Object)
		line, ok := r.coserLine(row, fmt.Sprintf("%s.dialogues[%d]", at, j))
		if !ok {
			continue
		}
		s.Lines = append(s.Lines, line)
		if spoke[line.Name] || strings.EqualFold(line.Name, environment) || line.Name == "" {
			continue
		}
		spoke[line.Name] = true
		s.Cast = append(s.Cast, Role{Name: line.Name})
	}
	profiles := o.object("character_profiles")
	key := map[string]*Object{}
	for _, v := range o.list("key_characters") {
		if c, ok := v.(*Object); ok {
			key[CleanName(c.text("name"))] = c
		}
	}
	for j := range s.Cast {
		c := &s.Cast[j]
		if c.Profile = profiles.text(c.Name); c.Profile == "" {
			r.warnOnce("profile_missing "+at+c.Name, "profile_missing", at+".character_profiles", fmt.Sprintf("has nothing about %s", c.Name))
		}
		k := key[c.Name]
		if c.Motivation = k.text("thought"); c.Motivation == "" {
			c.Motivation = k.text("motivation")
		}
		if k != nil && c.Motivation == "" {
			r.warnOnce("motivation_missing "+at+c.Name, "motivation_missing", at+".key_characters", fmt.Sprintf("does not say what moves %s", c.Name))
		}
	}
	return s
}

// coserLine reads a row of dialogue in either of its two forms.
func (r *reader) coserLine(row *Object, at string) (Line, bool) {
	name, text := row.text("character"), row.text("message")
	if !row.Has("character") && row.Has("name") {
		r.warn("dialogue_field_fallback", at, "has name, thought and dialogue instead of character and message")
		name, text = row.text("name"), row.text("dialogue")
		if thought := row.text("thought"); thought != "" && text != "" {
			text = "[" + thought + "] " + text
		}
	}
	if strings.TrimSpace(text) == "" {
		r.warn("message_missing", at, "has no message; it was left out")
		return Line{}, false
	}
	return Line{Name: CleanName(name), Text: text}, true
}

func minimaxSeed(o *Object) Scenario {
	s := Scenario{Source: "Role-Play Bench", Topic: fmt.Sprint(o.Get("id"))}
	s.Cast = []Role{
		{Name: CleanName(o.text("ai_name")), Profile: o.text("ai_setting")},
		{Name: CleanName(o.text("user_name")), Profile: o.text("user_setting")},
	}
	for i, key := range []string{"ai_prologue", "initial_user_input"} {
		if text := o.text(key); text != "" {
			s.Lines = append(s.Lines, Line{Name: s.Cast[i].Name, Text: text})
		}
	}
	return s
}

var playRole = regexp.MustCompile(`(?i)(?:play the role of|you are) ([^\n.,]{1,80}?)(?: from ([^\n.]{1,120}))?[\n.,]`)

// cases reads CoSER's prepared prompts: an object of lists of chat messages.
// It returns nothing where the object is something else.
func (r *reader) cases(o *Object) (*File, *Error) {
	f := &File{Kind: KindScenario, Spec: "coser", Format: "coser-cases"}
	for _, key := range o.Keys() {
		list, ok := o.Get(key).([]any)
		if !ok || len(list) == 0 {
			return nil, nil
		}
		s := Scenario{Topic: CleanName(key)}
		for _, v := range list {
			m, ok := v.(*Object)
			if !ok || m.text("role") == "" || !m.Has("content") {
				return nil, nil
			}
			s.addCase(m.text("role"), m.text("content"))
		}
		f.Scenarios = append(f.Scenarios, s)
	}
	if len(f.Scenarios) == 0 {
		return nil, nil
	}
	r.scenarioData(f)
	return f, nil
}

func (s *Scenario) addCase(role, text string) {
	switch role {
	case "system":
		s.Prompt = text
		if m := playRole.FindStringSubmatch(text); m != nil {
			s.Cast = append([]Role{{Name: CleanName(m[1]), Profile: text}}, s.Cast...)
			s.Source = m[2]
		}
	case "assistant":
		name := ""
		if len(s.Cast) > 0 {
			name = s.Cast[0].Name
		}
		s.Lines = append(s.Lines, Line{Name: name, Text: text})
	default:
		name, rest, ok := strings.Cut(text, ": ")
		if !ok || len(name) > 80 || strings.Contains(name, "\n") {
			name, rest = "", text
		}
		s.Lines = append(s.Lines, Line{Name: CleanName(name), Text: rest})
		for _, c := range s.Cast {
			if c.Name == name {
				return
			}
		}
		if name != "" {
			s.Cast = append(s.Cast, Role{Name: CleanName(name)})
		}
	}
}

// scenarioData puts the first scenario under a card's names and all of them
// in its extensions.
func (r *reader) scenarioData(f *File) {
	s := f.Scenarios[0]
	f.Data = NewObject("name", "", "description", "", "scenario", s.Text, "first_mes", "")
	if len(s.Cast) > 0 {
		f.Data.Set("name", s.Cast[0].Name)
		f.Data.Set("description", s.Cast[0].Profile)
	}
	if len(s.Cast) > 1 {
		f.UserName = s.Cast[1].Name
	}
	all := []any{}
	for _, s := range f.Scenarios {
		cast, lines := []any{}, []any{}
		for _, c := range s.Cast {
			cast = append(cast, NewObject("name", c.Name, "profile", c.Profile, "motivation", c.Motivation))
		}
		for _, l := range s.Lines {
			lines = append(lines, NewObject("name", l.Name, "text", l.Text))
		}
		all = append(all, NewObject("source", s.Source, "topic", s.Topic, "scenario", s.Text, "prompt", s.Prompt, "cast", cast, "lines", lines))
	}
	f.Data.Set("extensions", NewObject("herarena", NewObject("scenarios", all)))
}
