package library

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/testset"
)

// read makes entries of a file, at least one: what cannot be read is an entry
// that says why.
func read(at found) []Entry {
	base := Entry{Path: at.path, Items: 1, Size: at.size, Modified: at.modified}
	broken := func(err error) []Entry {
		base.Title = stem(at.path)
		base.Err = reason(err, at.path)
		return []Entry{base}
	}
	if !at.regular {
		return broken(errSpecial)
	}
	if strings.EqualFold(filepath.Ext(at.path), ".toml") {
		return readScene(base, broken)
	}
	data, whole, err := contents(at.path)
	if err != nil {
		return broken(err)
	}
	if maybeScene(at.path, data) && card.IsScene(at.path) {
		return readScene(base, broken)
	}
	f, err := card.Read(data, filepath.Base(at.path))
	if err != nil && !whole {
		// What the chunks alone do not explain the whole file may.
		f, err = card.Open(at.path)
	}
	if err != nil && strings.EqualFold(filepath.Ext(at.path), ".jsonl") || err == nil && f.Kind == card.KindScenario {
		if entries := readSet(data, base); len(entries) > 0 {
			return entries
		}
	}
	if err != nil {
		return broken(err)
	}
	return describe(f, base)
}

// Peek makes the entry of one file, as Refresh does, without taking it into a
// library; it has no ID. ok is false where the path is no file or the file holds
// several entries. What cannot be read is an entry that says why.
func Peek(path string) (e Entry, ok bool) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return Entry{}, false
	}
	all := read(found{path: path, size: info.Size(), modified: info.ModTime(), regular: info.Mode().IsRegular()})
	if len(all) != 1 {
		return Entry{}, false
	}
	return all[0], true
}

// readSet makes entries of a file of several scenes, none where it is something
// else.
func readSet(data []byte, base Entry) []Entry {
	set, err := testset.Read(data, base.Path)
	if err != nil {
		return nil
	}
	base.Items = len(set.Items) + len(set.Faults)
	out := make([]Entry, 0, len(set.Items))
	for _, it := range set.Items {
		e := describeScene(it.Scene, base)
		e.Kind, e.Spec, e.ID = card.KindScenario, string(it.Kind), ""
		e.Item, e.Repaired, e.Messages = it.Number-1, len(it.Notes), len(it.Reference)
		e.Creator = line(it.Scene.Source, maxLine)
		out = append(out, e)
	}
	return out
}

// reason is an error without the path, which the entry has.
func reason(err error, path string) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	text := err.Error()
	for _, lead := range []string{path, filepath.Base(path)} {
		text = strings.TrimPrefix(text, lead+": ")
	}
	return line(text, 400)
}

func stem(path string) string {
	name := filepath.Base(path)
	if s := card.CleanName(strings.TrimSuffix(name, filepath.Ext(name))); s != "" {
		return s
	}
	return "nameless"
}

// maybeScene rules most files out that are no scene of this program, so that
// they are not read a second time.
func maybeScene(path string, data []byte) bool {
	if !strings.EqualFold(filepath.Ext(path), ".json") || len(data) > characters.MaxFile {
		return false
	}
	has := func(key string) bool { return bytes.Contains(data, []byte(key)) }
	return has(`"character"`) || has(`"title"`) && has(`"user"`) || !has(`"`)
}

func readScene(e Entry, broken func(error) []Entry) []Entry {
	s, err := characters.Load(e.Path)
	if err != nil {
		return broken(err)
	}
	return []Entry{describeScene(s, e)}
}

// describeScene fills an entry with a scene of this program.
func describeScene(s characters.Scene, e Entry) Entry {
	e.Kind, e.Spec, e.ID = KindScene, "herarena", s.ID
	e.Name, e.Title, e.User = line(s.Character.Name, maxLine), line(s.Title, maxLine), line(s.User.Name, maxLine)
	e.Language, e.Blurb = s.Language, blurb(s.Character.Name, s.Blurb, s.Scenario)
	if s.Opening != "" {
		e.Greetings = 1
	}
	sum := newSum()
	for _, text := range []string{s.ID, s.Title, s.Scenario, s.Opening, s.Requirements} {
		sum.text(text)
		e.Tokens += tokens(text)
	}
	for _, c := range append([]characters.Character{s.Character, s.User}, s.Others...) {
		for _, text := range []string{c.Name, c.Profile, c.Voice, c.Thoughts, c.Background} {
			sum.text(text)
			e.Tokens += tokens(text)
		}
	}
	if e.Language == "" {
		e.Language = language(s.Character.Profile + "\n" + s.Scenario + "\n" + s.Opening)
	}
	e.Hash = sum.String()
	return e
}

// describe makes entries of what was read: one, or one for each scenario.
func describe(f *card.File, e Entry) []Entry {
	e.Kind, e.Spec, e.Repaired = f.Kind, f.Spec, len(f.Warnings)
	if f.Kind == card.KindScenario && len(f.Scenarios) > 0 {
		return describeScenarios(f, e)
	}
	field := func(key string) string {
		s, _ := f.Data.Get(key).(string)
		return s
	}
	e.Title, e.Name = line(f.DisplayName(), maxLine), line(f.CharName(), maxLine)
	e.User, e.Creator = line(f.UserName, maxLine), line(field("creator"), maxLine)
	e.Tags = tagList(f.Data.Get("tags"))
	counts := f.Counts()
	e.Greetings, e.Examples, e.Lore, e.Messages = counts.Greetings, counts.Examples, counts.BookEntries, counts.Messages
	e.HasPicture = f.Picture != nil
	if !e.HasPicture && counts.Assets > 0 {
		picture, _ := f.Avatar()
		e.HasPicture = picture != nil
	}
	sum := newSum()
	sum.text(string(f.Kind))
	sum.card(f.Data)
	switch f.Kind {
	case card.KindCard:
		for _, key := range promptTexts() {
			e.Tokens += tokens(field(key))
		}
		e.Blurb = blurb(e.Name, field("creator_notes"), field("scenario"), field("description"))
		e.Language = language(field("first_mes") + "\n" + field("description") + "\n" + field("personality") + "\n" + field("scenario"))
	case card.KindChat:
		describeChat(f, &e, sum)
	case card.KindLorebook:
		e.Name = ""
		e.Blurb = blurb("", field("description"))
	}
	if f.Book != nil {
		for _, entry := range f.Book.Entries {
			e.Tokens += tokens(entry.Content)
		}
	}
	e.Hash = sum.String()
	return []Entry{e}
}

func describeChat(f *card.File, e *Entry, sum *sum) {
	for i, c := range f.Chats {
		if i == 0 {
			e.Name, e.User = line(c.CharName, maxLine), line(c.UserName, maxLine)
		}
		for j, m := range c.Messages {
			e.Tokens += tokens(m.Text)
			sum.text(m.Text)
			if i == 0 && j == 0 {
				e.Blurb = blurb(c.CharName, m.Text)
			}
			if e.Language == "" {
				e.Language = language(m.Text)
			}
		}
	}
}

func describeScenarios(f *card.File, base Entry) []Entry {
	base.Items = len(f.Scenarios)
	out := make([]Entry, 0, len(f.Scenarios))
	for i, s := range f.Scenarios {
		e := base
		e.Item = i
		e.Creator = line(s.Source, maxLine)
		e.Title = line(s.Topic, maxLine)
		e.Messages = len(s.Lines)
		if len(s.Cast) > 0 {
			e.Name = line(s.Cast[0].Name, maxLine)
		}
		if len(s.Cast) > 1 {
			e.User = line(s.Cast[1].Name, maxLine)
		}
		if e.Title == "" {
			e.Title = e.Name
		}
		if e.Title == "" {
			e.Title = stem(base.Path)
		}
		e.Blurb = blurb(e.Name, s.Text)
		sum := newSum()
		for _, text := range []string{s.Source, s.Topic, s.Text, s.Prompt} {
			sum.text(text)
		}
		e.Tokens = tokens(s.Text) + tokens(s.Prompt)
		profiles := s.Text
		for _, c := range s.Cast {
			e.Tokens += tokens(c.Profile) + tokens(c.Motivation)
			profiles += "\n" + c.Profile
			sum.text(c.Name)
			sum.text(c.Profile)
			sum.text(c.Motivation)
		}
		for _, l := range s.Lines {
			sum.text(l.Name)
			sum.text(l.Text)
		}
		e.Language = language(profiles)
		e.Hash = sum.String()
		out = append(out, e)
	}
	return out
}

// maxTags bounds what an entry keeps of a card's tags.
const maxTags = 64

func tagList(v any) []string {
	list, _ := v.([]any)
	var out []string
	seen := map[string]bool{}
	for _, item := range list {
		s, _ := item.(string)
		s = line(s, 60)
		if s == "" || seen[strings.ToLower(s)] || len(out) >= maxTags {
			continue
		}
		seen[strings.ToLower(s)] = true
		out = append(out, s)
	}
	return out
}

// promptTexts are the fields of a card that can reach a prompt.
func promptTexts() []string {
	return []string{"description", "personality", "scenario", "first_mes", "mes_example", "system_prompt", "post_history_instructions"}
}

// tokens is card.Tokens with a short way for plain ASCII.
func tokens(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			return card.Tokens(text)
		}
	}
	return (len(text) + 3) / 4
}
