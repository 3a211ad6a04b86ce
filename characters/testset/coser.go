package testset

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"herarena/characters"
)

// part is somebody in a scene of CoSER's form.
type part struct {
	characters.Character
	lines int  // in the reference
	named bool // among the speakers or the key characters
}

// coser reads an item of CoSER's test set, or a scenario of HER's.
func (r *reader) coser(o object) error {
	it := Item{Kind: CoSER}
	if !o.has("dialogues") {
		it.Kind = HER
	}
	s := &it.Scene
	var book, topic string
	for _, f := range []struct {
		key string
		to  *string
	}{{"scenario", &s.Scenario}, {"book", &book}, {"topic", &topic}} {
		text, err := r.text(o, f.key)
		if err != nil {
			return err
		}
		*f.to = text
	}
	if s.Scenario == "" {
		return r.fault("scenario", fmt.Errorf("is empty; a scene needs one"))
	}
	it.Key = key(o, book)
	s.Source, s.Title = oneLine(book), oneLine(topic)
	if s.Title == "" {
		s.Title = oneLine(it.Key)
	}
	s.Language = language(s.Scenario)
	c := cast{reader: r, byName: map[string]*part{}}
	for _, read := range []func(object) error{c.dialogues, c.order, c.keyCharacters, c.profiles, c.plot} {
		if err := read(o); err != nil {
			return err
		}
	}
	it.Reference = c.lines
	s.Environment = c.environment
	if err := c.seat(s); err != nil {
		return err
	}
	return r.add(it)
}

// key is what CoSER calls an item: its book, plot and conversation.
func key(o object, book string) string {
	if !o.has("i_p") && !o.has("i_c") {
		return oneLine(book)
	}
	return fmt.Sprintf("%s-%d-%d", oneLine(book), o.whole("i_p"), o.whole("i_c"))
}

func oneLine(text string) string {
	return strings.TrimSpace(cut(strings.Join(strings.Fields(text), " "), maxName))
}

// cast gathers who is in a scene, in the order in which they will be seated.
type cast struct {
	*reader
	parts       []*part
	byName      map[string]*part
	lines       []characters.Line
	environment bool
}

// isEnvironment reports whether a name is that of the surroundings.
func isEnvironment(name string) bool { return strings.EqualFold(name, characters.EnvironmentName) }

// part returns somebody by name, and adds who is not there yet.
func (c *cast) part(name string) *part {
	if p, ok := c.byName[name]; ok {
		return p
	}
	if len(c.parts) >= maxCast {
		c.note("more than %d people are in the scene; %s was left out", maxCast, name)
		p := &part{}
		c.byName[name] = p
		return p
	}
	p := &part{}
	p.Name = name
	c.byName[name] = p
	c.parts = append(c.parts, p)
	return p
}

// dialogues reads the book's dialogue, in either of its forms.
func (c *cast) dialogues(o object) error {
	rows, err := c.elements(o, "dialogues")
	if err != nil {
		return err
	}
	if len(rows) > MaxLines {
		c.note("dialogues has %d lines; those after %d were left out", len(rows), MaxLines)
		rows = rows[:MaxLines]
	}
	for i, v := range rows {
		row, err := c.object(v, fmt.Sprintf("dialogues[%d]", i))
		if err != nil {
			return err
		}
		who := "character"
		if !row.has(who) && row.has("name") {
			who = "name"
		}
		name, err := c.person(row, who)
		if err != nil {
			return err
		}
		text, err := c.message(row)
		switch {
		case err != nil:
			return err
		case name == "":
			c.note("%s names nobody and was left out", row.at)
			continue
		case text == "":
			c.note("%s has no message and was left out", row.at)
			continue
		}
		if isEnvironment(name) {
			name, c.environment = characters.EnvironmentName, true
		} else {
			c.part(name).lines++
		}
		c.lines = append(c.lines, characters.Line{Name: name, Text: text})
	}
	return nil
}

// message is a row's text: its message, or put together from the thought and
// the speech or description that stand in its place.
func (c *cast) message(row object) (string, error) {
	for _, key := range []string{"message", "dialogue", "description"} {
		text, err := c.text(row, key)
		if err != nil {
			return "", err
		}
		if key == "message" && text != "" {
			return text, nil
		}
		thought, err := c.text(row, "thought")
		if err != nil {
			return "", err
		}
		switch {
		case text == "" && (key != "description" || thought == ""):
			continue
		case key == "description" && text != "":
			text = "(" + text + ")"
		}
		if thought != "" {
			text = strings.TrimSpace("[" + thought + "] " + text)
		}
		c.note("%s has no message; it was put together from its other fields", row.at)
		return text, nil
	}
	return "", nil
}

// order puts the speakers in the order of the file, which is by their lines.
func (c *cast) order(o object) error {
	names, err := c.names(o, "speaking_characters_w_env")
	if err != nil {
		return err
	}
	place := map[string]int{}
	for i, name := range names {
		if isEnvironment(name) {
			c.environment = true
			continue
		}
		if _, spoke := c.byName[name]; !spoke && len(c.lines) > 0 {
			c.note("%s is said to speak and has no line", name)
		}
		c.part(name).named = true
		if _, ok := place[name]; !ok {
			place[name] = i - len(names)
		}
	}
	slices.SortStableFunc(c.parts, func(a, b *part) int {
		if pa, pb := place[a.Name], place[b.Name]; pa != pb {
			return pa - pb
		}
		return b.lines - a.lines
	})
	return nil
}

// names reads a list of names.
func (c *cast) names(o object, key string) ([]string, error) {
	values, err := c.elements(o, key)
	if err != nil {
		return nil, err
	}
	var out []string
	for i, v := range values {
		var name string
		if json.Unmarshal(v, &name) != nil {
			return nil, c.fault(fmt.Sprintf("%s[%d]", key, i), fmt.Errorf("is %s; it must be a name", kindOf(v)))
		}
		if name = personName(name); name != "" {
			out = append(out, name)
		}
	}
	return out, nil
}

// keyCharacters reads what moves the main characters.
func (c *cast) keyCharacters(o object) error {
	values, err := c.elements(o, "key_characters")
	if err != nil {
		return err
	}
	for i, v := range values {
		k, err := c.object(v, fmt.Sprintf("key_characters[%d]", i))
		if err != nil {
			return err
		}
		name, err := c.person(k, "name")
		if err != nil {
			return err
		}
		if name == "" {
			c.note("%s has no name and was left out", k.at)
			continue
		}
		if isEnvironment(name) {
			continue
		}
		for _, field := range []string{"thought", "motivation"} {
			text, err := c.text(k, field)
			if err != nil {
				return err
			}
			p := c.part(name)
			if p.named = true; p.Thoughts == "" {
				p.Thoughts = text
			}
		}
	}
	return nil
}

// profiles reads who everybody is. People with a profile who never speak are
// spoken of.
func (c *cast) profiles(o object) error {
	if !o.has("character_profiles") {
		return nil
	}
	p, _, err := c.sub(o, "character_profiles")
	if err != nil {
		return err
	}
	for _, raw := range sortedKeys(p.fields) {
		name := personName(raw)
		if name == "" || isEnvironment(name) {
			continue
		}
		text, err := c.text(p, raw)
		if err != nil {
			return err
		}
		if q := c.part(name); q.Profile == "" {
			q.Profile = text
		}
	}
	return nil
}

// plot takes what the plot says of those who have no profile. Its summary tells
// what is going to happen and is left alone.
func (c *cast) plot(o object) error {
	plot, ok, err := c.sub(o, "plot")
	if !ok {
		return err
	}
	values, err := c.elements(plot, "key_characters")
	if err != nil {
		return err
	}
	for i, v := range values {
		k, err := c.object(v, fmt.Sprintf("plot.key_characters[%d]", i))
		if err != nil {
			return err
		}
		name, err := c.person(k, "name")
		if err != nil {
			return err
		}
		text, err := c.text(k, "description")
		if err != nil {
			return err
		}
		if p := c.byName[name]; p != nil && p.Profile == "" && text != "" {
			p.Profile = text
			c.note("%s has no profile; the plot's description was taken", name)
		}
	}
	return nil
}

// seat decides who is played and by whom: the one with the most to say is the
// contestants' first character, the next is the person's, and whoever else
// speaks is the contestants' too.
func (c *cast) seat(s *characters.Scene) error {
	speaks := func(p *part) bool { return p.lines > 0 || len(c.lines) == 0 && p.named }
	var speaking, silent []*part
	for _, p := range c.parts {
		if speaks(p) {
			speaking = append(speaking, p)
		} else {
			silent = append(silent, p)
		}
	}
	if len(speaking) < 2 && len(c.lines) == 0 {
		// A scenario may give profiles alone.
		speaking, silent = append(speaking, silent...), nil
	}
	if len(speaking) == 0 {
		return c.fault("key_characters", fmt.Errorf("name nobody who could be played"))
	}
	for _, p := range speaking {
		if p.Profile == "" {
			p.Profile = unknownProfile(p.Name)
			c.note("%s has no profile", p.Name)
		}
	}
	s.Character = speaking[0].Character
	if len(speaking) == 1 {
		s.User = c.bystander()
		c.note("only %s speaks; you are %s", s.Character.Name, s.User.Name)
	} else {
		s.User = speaking[1].Character
	}
	for i, p := range append(slices.Clone(speaking[min(2, len(speaking)):]), silent...) {
		s.Others = append(s.Others, p.Character)
		if i < len(speaking)-2 {
			s.Played = append(s.Played, p.Name)
		}
	}
	return nil
}

// bystander is whom the person plays where only one speaks.
func (c *cast) bystander() characters.Character {
	name := "Bystander"
	for c.byName[name] != nil {
		name += "'"
	}
	return characters.Character{Name: name, Profile: "Somebody who happens to be there."}
}

func sortedKeys(fields map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(fields))
	for k := range fields {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
