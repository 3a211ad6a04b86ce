package testset

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"herarena/characters"
)

// understand makes an item of an object by what it holds.
func (r *reader) understand(o object) error {
	switch {
	case o.has("seed") && !o.has("scenario"):
		// A seed and a dialogue on it, side by side.
		seed, _, err := r.sub(o, "seed")
		if err != nil {
			return err
		}
		if err := r.seed(seed); err != nil {
			return err
		}
		if d, ok, err := r.sub(o, "dialogue"); err != nil {
			return err
		} else if ok {
			return r.row(d)
		}
		return nil
	case o.has("ai_name") || o.has("ai_setting"):
		return r.seed(o)
	case o.has("seed_id") && o.has("dialogue"):
		return r.row(o)
	case o.has("scenario") && (o.has("dialogues") || o.has("key_characters") || o.has("character_profiles")):
		return r.coser(o)
	}
	return r.fault("", ErrNotASet)
}

// add keeps an item whose scene holds.
func (r *reader) add(it Item) error {
	it.Number, it.Notes = r.n, r.notes
	s := &it.Scene
	s.ID = r.id(it)
	if s.Title == "" {
		s.Title = fmt.Sprintf("Scene %d", r.n)
	}
	if err := s.Validate(); err != nil {
		var f *characters.FieldError
		if errors.As(err, &f) {
			return r.fault(f.Field, errors.New(f.Problem))
		}
		return r.fault("", err)
	}
	r.set.Items = append(r.set.Items, it)
	return nil
}

// id makes an id of an item's key that no other of the file has.
func (r *reader) id(it Item) string {
	id := characters.DeriveID(it.Key)
	if len(id) > 48 {
		// The numbers at the end of a key are what tells scenes of a book apart.
		id = strings.Trim(id[:24], "-") + "-" + strings.Trim(id[len(id)-23:], "-")
	}
	if !characters.ValidID(id) {
		id = fmt.Sprintf("scene-%d", r.n)
	}
	for n := r.n; r.ids[id]; n++ {
		next := fmt.Sprintf("%s-x%d", cut(characters.DeriveID(it.Key), 40), n)
		if id = strings.Trim(next, "-"); !characters.ValidID(id) {
			id = fmt.Sprintf("scene-%d-x%d", r.n, n)
		}
	}
	r.ids[id] = true
	return id
}

// seed reads a seed of Role-Play Bench.
func (r *reader) seed(o object) error {
	it := Item{Kind: MiniMax}
	s := &it.Scene
	s.Source = "Role-Play Bench"
	var prologue, first string
	for _, f := range []struct {
		key string
		to  *string
	}{
		{"id", &it.Key},
		{"ai_setting", &s.Character.Profile},
		{"user_setting", &s.User.Profile},
		{"ai_prologue", &prologue},
		{"initial_user_input", &first},
	} {
		text, err := r.text(o, f.key)
		if err != nil {
			return err
		}
		*f.to = text
	}
	it.Key = cut(strings.Join(strings.Fields(it.Key), " "), maxName)
	for _, f := range []struct {
		key, instead string
		to           *string
	}{{"ai_name", "", &s.Character.Name}, {"user_name", "User", &s.User.Name}} {
		name, err := r.person(o, f.key)
		switch {
		case err != nil:
			return err
		case name == "" && f.instead == "":
			return r.fault(o.path(f.key), errNoName)
		case name == "":
			name = f.instead
			r.note("%s is missing; the person is called %q", o.path(f.key), name)
		}
		*f.to = name
	}
	if s.Character.Name == s.User.Name {
		s.User.Name += " (you)"
		r.note("both have the name %q; the person's was written as %q", s.Character.Name, s.User.Name)
	}
	if s.Character.Profile == "" {
		s.Character.Profile = unknownProfile(s.Character.Name)
		r.note("ai_setting is missing; %s has no profile", s.Character.Name)
	}
	if s.User.Profile == "" {
		s.User.Profile = unknownProfile(s.User.Name)
	}
	s.Opening = prologue
	s.Scenario = fmt.Sprintf("%s and %s meet.", s.Character.Name, s.User.Name)
	s.Title = cut(strings.TrimSpace(s.Character.Name+" and "+s.User.Name), maxName)
	if first != "" {
		s.Suggestions = []string{first}
	}
	s.Language = language(s.Character.Profile + prologue)
	if o.has("dialogue") {
		lines, err := r.dialogue(o)
		if err != nil {
			return err
		}
		it.Reference = named(lines, s)
	}
	if it.Key != "" {
		r.seeds[it.Key] = len(r.set.Items)
	}
	return r.add(it)
}

// row is a dialogue that belongs to a seed of the same file.
type row struct {
	seed  string
	lines []spoken
	item  int
	line  int
}

// spoken is a line of Role-Play Bench: who is ai or user.
type spoken struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

func (r *reader) row(o object) error {
	id, err := r.text(o, "seed_id")
	if err != nil {
		return err
	}
	lines, err := r.dialogue(o)
	if err != nil {
		return err
	}
	if len(r.rows) >= MaxScenes {
		return nil
	}
	r.rows = append(r.rows, row{seed: id, lines: lines, item: r.n, line: r.line})
	return nil
}

// dialogue reads a dialogue that is a list, or a list written as a text.
func (r *reader) dialogue(o object) ([]spoken, error) {
	v := o.fields["dialogue"]
	for depth := 0; kindOf(v) == "a text"; depth++ {
		var inner string
		if err := json.Unmarshal(v, &inner); err != nil {
			return nil, r.fault(o.path("dialogue"), err)
		}
		v = json.RawMessage(strings.TrimSpace(inner))
		if depth > 1 || len(v) == 0 || deep(v) {
			return nil, r.fault(o.path("dialogue"), errors.New("is a text that holds no list of lines"))
		}
	}
	if kindOf(v) != "a list" {
		return nil, r.fault(o.path("dialogue"), fmt.Errorf("is %s; it must be a list of lines, or one written as a text", kindOf(v)))
	}
	var lines []spoken
	if err := json.Unmarshal(v, &lines); err != nil {
		return nil, r.fault(o.path("dialogue"), fmt.Errorf("cannot be read: %w", err))
	}
	if len(lines) > MaxLines {
		r.note("dialogue has %d lines; those after %d were left out", len(lines), MaxLines)
		lines = lines[:MaxLines]
	}
	for i := range lines {
		lines[i].Text = r.clean(fmt.Sprintf("%s[%d].text", o.path("dialogue"), i), lines[i].Text)
	}
	return lines, nil
}

// named gives the lines the names of a scene's two.
func named(lines []spoken, s *characters.Scene) []characters.Line {
	var out []characters.Line
	for _, l := range lines {
		name := s.User.Name
		switch strings.ToLower(l.Role) {
		case "ai", "assistant", "bot", "char":
			name = s.Character.Name
		}
		if l.Text != "" {
			out = append(out, characters.Line{Name: name, Text: l.Text})
		}
	}
	return out
}

// join gives each dialogue to the seed it belongs to; of several the first.
func (r *reader) join() {
	for _, d := range r.rows {
		i, ok := r.seeds[d.seed]
		if !ok || i >= len(r.set.Items) || r.set.Items[i].Key != d.seed {
			r.n, r.line = d.item, d.line
			r.keepFault(r.fault("seed_id", fmt.Errorf("is %q, which no seed of this file has; a dialogue alone says nothing of its characters", cut(d.seed, maxName))))
			continue
		}
		it := &r.set.Items[i]
		if it.Reference == nil {
			it.Reference = named(d.lines, &it.Scene)
		}
	}
}

// unknownProfile stands where a file says nothing about somebody who is played.
func unknownProfile(name string) string {
	return fmt.Sprintf("Nothing is known of %s but what the scene tells.", name)
}

// language tells Chinese, Japanese and Korean by their scripts; "" is any other.
func language(text string) string {
	var han, kana, hangul, all int
	for _, c := range cut(text, 4<<10) {
		switch {
		case c >= 0x4E00 && c <= 0x9FFF:
			han++
		case c >= 0x3040 && c <= 0x30FF:
			kana++
		case c >= 0xAC00 && c <= 0xD7AF:
			hangul++
		}
		all++
	}
	switch {
	case kana*20 > all && kana > 0:
		return "ja"
	case hangul*5 > all && hangul > 0:
		return "ko"
	case han*5 > all && han > 0:
		return "zh"
	}
	return ""
}
