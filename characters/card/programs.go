package card

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// first takes the first key of an object that has text and takes it out.
func first(o *Object, keys ...string) string {
	for _, key := range keys {
		if text, ok := o.Get(key).(string); ok && text != "" {
			o.Delete(key)
			return text
		}
	}
	return ""
}

// foreign makes a card of fields that were mapped by hand; what is left of the
// original stays in extensions under the program's name.
func (r *reader) foreign(spec string, data, rest *Object) (*File, *Error) {
	ext := data.object("extensions")
	if ext == nil {
		ext = &Object{}
		data.Set("extensions", ext)
	}
	if rest.Len() > 0 {
		ext.Set(spec, rest)
	}
	f := &File{Kind: KindCard, Spec: spec}
	r.normalise(f, data)
	return f, nil
}

// pygmalion reads the cards of PygmalionAI and CAI tools.
func (r *reader) pygmalion(o *Object) (*File, *Error) {
	rest := o.Clone()
	return r.foreign("pygmalion", NewObject(
		"name", first(rest, "char_name"), "description", first(rest, "char_persona"),
		"scenario", first(rest, "world_scenario"), "first_mes", first(rest, "char_greeting"),
		"mes_example", youLines(first(rest, "example_dialogue"))), rest)
}

// textgen reads the characters of text-generation-webui.
func (r *reader) textgen(o *Object) (*File, *Error) {
	rest := o.Clone()
	data := NewObject(
		"name", first(rest, "name", "bot", "<|bot|>", "char_name"), "description", first(rest, "context", "char_persona"),
		"first_mes", first(rest, "greeting", "char_greeting"), "mes_example", youLines(first(rest, "example_dialogue")))
	if name := first(rest, "your_name", "user", "<|user|>"); name != "" {
		rest.Set("your_name", name)
	}
	return r.foreign("textgen", data, rest)
}

// janitor reads what JanitorAI exports: the definition stands in personality,
// description is the public blurb.
func (r *reader) janitor(o *Object) (*File, *Error) {
	rest := o.Clone()
	return r.foreign("janitor", NewObject(
		"name", first(rest, "name"), "description", first(rest, "personality"), "scenario", first(rest, "scenario"),
		"first_mes", first(rest, "first_message"), "mes_example", first(rest, "example_dialogs"),
		"creator_notes", first(rest, "description")), rest)
}

var lineYou = regexp.MustCompile(`(?m)^You:`)

// youLines makes the person's mark of "You:" at the start of lines, and line
// breaks of a written \n.
func youLines(text string) string {
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, `\n`, "\n")
	}
	return lineYou.ReplaceAllLiteralString(text, "{{user}}:")
}

// agnai reads an Agnai character.
func (r *reader) agnai(o *Object) (*File, *Error) {
	rest := o.Clone()
	name := first(rest, "name")
	data := NewObject(
		"name", name, "description", agnaiPersona(name, rest.object("persona")), "scenario", first(rest, "scenario"),
		"first_mes", first(rest, "greeting"), "mes_example", youLines(first(rest, "sampleChat")),
		"creator_notes", first(rest, "description"), "system_prompt", first(rest, "systemPrompt"),
		"post_history_instructions", first(rest, "postHistoryInstructions"), "creator", first(rest, "creator"),
		"character_version", first(rest, "characterVersion"), "alternate_greetings", rest.Get("alternateGreetings"), "tags", rest.Get("tags"))
	rest.Delete("alternateGreetings", "tags")
	if book := rest.object("characterBook"); book != nil {
		data.Set("character_book", agnaiBook(book))
		rest.Delete("characterBook")
	}
	if insert := rest.object("insert"); insert.text("prompt") != "" {
		data.Set("extensions", NewObject("depth_prompt", NewObject("prompt", insert.text("prompt"), "depth", insert.Get("depth"), "role", "system")))
		rest.Delete("insert")
	}
	return r.foreign("agnai", data, rest)
}

// agnaiPersona writes a persona's attributes out in the style it names.
func agnaiPersona(name string, p *Object) string {
	attrs := p.object("attributes")
	quoted := func(key, join string) string {
		var out []string
		for _, text := range textList(attrs.list(key)) {
			out = append(out, strconv.Quote(text))
		}
		return strings.Join(out, join)
	}
	var parts []string
	switch p.text("kind") {
	case "wpp":
		for _, key := range attrs.Keys() {
			parts = append(parts, key+"("+quoted(key, " + ")+")")
		}
		return "[character(" + strconv.Quote(name) + ") {\n" + strings.Join(parts, "\n") + "\n}]"
	case "sbf":
		parts = append(parts, "character: "+strconv.Quote(name))
		for _, key := range attrs.Keys() {
			parts = append(parts, key+": "+quoted(key, ", "))
		}
		return "[ " + strings.Join(parts, "; ") + " ]"
	case "boostyle":
		parts = append(parts, name)
		for _, key := range attrs.Keys() {
			parts = append(parts, textList(attrs.list(key))...)
		}
		return strings.Join(parts, " + ")
	case "text":
		for _, key := range attrs.Keys() {
			parts = append(parts, textList(attrs.list(key))...)
		}
		return strings.Join(parts, "\n")
	}
	for _, key := range attrs.Keys() {
		parts = append(parts, key+": "+strings.Join(textList(attrs.list(key)), ", "))
	}
	return strings.Join(parts, "\n")
}

// braces turns Backyard's marks into those of cards.
var braces = strings.NewReplacer(
	"#${user}:", "{{user}}:", "#{user}:", "{{user}}:", "#{character}:", "{{char}}:",
	"{{user}}", "{{user}}", "{{char}}", "{{char}}", "{{character}}", "{{char}}",
	"{character}", "{{char}}", "{user}", "{{user}}")

// backyard reads the character that Backyard and Faraday keep in PNG.
func (r *reader) backyard(o *Object) (*File, *Error) {
	rest := o.Clone()
	name := first(rest, "aiName")
	data := NewObject(
		"name", name, "description", braces.Replace(first(rest, "aiPersona")), "scenario", braces.Replace(first(rest, "scenario")),
		"first_mes", braces.Replace(first(rest, "firstMessage")), "mes_example", braces.Replace(first(rest, "customDialogue")),
		"system_prompt", braces.Replace(first(rest, "basePrompt")))
	if items := rest.list("loreItems"); len(items) > 0 {
		data.Set("character_book", backyardBook(items))
		rest.Delete("loreItems")
	}
	f, fault := r.foreign("backyard", data, rest)
	return f, fault
}

func backyardBook(items []any) *Object {
	entries := []any{}
	for i, v := range items {
		item, _ := v.(*Object)
		if item == nil {
			continue
		}
		entries = append(entries, NewObject("keys", commaList(item.text("key")), "content", braces.Replace(item.text("value")),
			"extensions", &Object{}, "enabled", true, "insertion_order", count(i+1)))
	}
	return NewObject("extensions", &Object{}, "entries", entries)
}

// count is a number as it stands in an Object.
func count(n int) json.Number { return json.Number(strconv.Itoa(n)) }

func commaList(text string) []any {
	out := []any{}
	for _, part := range strings.Split(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
