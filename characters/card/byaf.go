package card

import (
	"archive/zip"
	"path"
	"strings"
)

// maxScenarios is the most scenarios and characters that are read out of a
// Backyard archive.
const maxScenarios = 200

// byaf reads a Backyard archive: one character, and the scenarios it was
// played in.
func (r *reader) byaf(a zipArchive, manifestFile *zip.File, folder string) (*File, *Error) {
	manifest, fault := r.document(manifestFile)
	if fault != nil {
		return nil, fault
	}
	documents := func(key string) ([]*Object, *Error) {
		var out []*Object
		for _, name := range textList(manifest.list(key)) {
			m := a.byName[path.Join(folder, name)]
			if m == nil {
				r.warn("file_missing", "", "the archive's manifest names "+clip(name, 80)+", which is not there")
				continue
			}
			if len(out) >= maxScenarios {
				break
			}
			o, fault := r.document(m)
			if fault != nil {
				return nil, fault
			}
			out = append(out, o)
		}
		return out, nil
	}
	people, fault := documents("characters")
	if fault != nil {
		return nil, fault
	}
	if len(people) == 0 {
		return nil, &Error{Code: NoCard, Message: "is an archive whose manifest names no character that is in it"}
	}
	if len(people) > 1 {
		r.warn("more_characters", "", "the archive holds several characters; the first was taken")
	}
	scenarios, fault := documents("scenarios")
	if fault != nil {
		return nil, fault
	}
	return r.byafCard(manifest, people[0], scenarios)
}

func (r *reader) byafCard(manifest, person *Object, scenarios []*Object) (*File, *Error) {
	data := NewObject("name", person.text("name"), "description", braces.Replace(person.text("persona")),
		"creator", manifest.object("author").text("name"))
	greetings := []any{}
	kept := []any{}
	var chats []Chat
	for i, s := range scenarios {
		kept = append(kept, s)
		if i == 0 {
			data.Set("scenario", braces.Replace(s.text("narrative")))
			data.Set("system_prompt", braces.Replace(s.text("formattingInstructions")))
			data.Set("mes_example", braces.Replace(joinTexts(s.list("exampleMessages"))))
		}
		for _, v := range s.list("firstMessages") {
			if m, ok := v.(*Object); ok && m.text("text") != "" {
				greetings = append(greetings, braces.Replace(m.text("text")))
			}
		}
		if len(s.list("messages")) > 0 {
			chats = append(chats, byafChat(s, person.text("name")))
		}
	}
	if len(greetings) > 0 {
		data.Set("first_mes", greetings[0])
		data.Set("alternate_greetings", greetings[1:])
	}
	if items := person.list("loreItems"); len(items) > 0 {
		data.Set("character_book", backyardBook(items))
	}
	f, fault := r.foreign("byaf", data, NewObject("manifest", manifest, "character", person, "scenarios", kept))
	if fault != nil {
		return nil, fault
	}
	f.Format = "byaf"
	f.Chats = chats
	return f, nil
}

func joinTexts(list []any) string {
	var parts []string
	for _, v := range list {
		if m, ok := v.(*Object); ok && m.text("text") != "" {
			parts = append(parts, m.text("text"))
		}
	}
	return strings.Join(parts, "\n")
}

// byafChat reads a scenario's messages; of several outputs the one that was
// made active last counts.
func byafChat(s *Object, name string) Chat {
	c := Chat{Format: "byaf", Title: CleanName(s.text("title")), CharName: CleanName(name)}
	for _, v := range s.list("messages") {
		m, _ := v.(*Object)
		if m == nil {
			continue
		}
		msg := Message{Name: c.CharName, User: m.text("type") == "human", Text: m.text("text"), Date: m.text("createdAt")}
		if msg.User {
			msg.Name = ""
		}
		newest := ""
		for _, v := range m.list("outputs") {
			o, _ := v.(*Object)
			msg.Swipes = append(msg.Swipes, o.text("text"))
			if active := o.text("activeTimestamp"); active >= newest {
				newest, msg.Swipe, msg.Text = active, len(msg.Swipes)-1, o.text("text")
			}
		}
		c.Messages = append(c.Messages, msg)
	}
	return c
}
