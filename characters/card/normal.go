package card

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// The fields of the three versions, in the order in which they are written.
var (
	v1Texts   = []string{"name", "description", "personality", "scenario", "first_mes", "mes_example"}
	v2Texts   = []string{"creator_notes", "system_prompt", "post_history_instructions"}
	v2Credits = []string{"creator", "character_version"}
	// v3Only are the fields that version 2 does not have.
	v3Only = []string{"assets", "nickname", "creator_notes_multilingual", "source", "group_only_greetings", "creation_date", "modification_date"}
)

func knownFields() []string {
	var out []string
	for _, list := range [][]string{v1Texts, v2Texts, {"alternate_greetings", "character_book", "tags"}, v2Credits, {"extensions"}, v3Only} {
		out = append(out, list...)
	}
	return out
}

// card makes a card of an object that has the fields of one of the three
// versions.
func (r *reader) card(root *Object) (*File, *Error) {
	f := &File{Kind: KindCard}
	rest := root.Clone()
	data := rest.object("data")
	f.Spec = r.spec(root, data)
	rest.Delete("spec", "spec_version")
	if data != nil {
		rest.Delete("data")
		r.fromRoot(data, rest)
	} else {
		if f.Spec != "1" {
			r.warn("data_missing", "", "the card has no data object; its fields were taken from the top level")
		}
		data = &Object{}
		for _, key := range knownFields() {
			if rest.Has(key) {
				data.Set(key, rest.Get(key))
				rest.Delete(key)
			}
		}
		if note, ok := rest.Get("creatorcomment").(string); ok && !data.Has("creator_notes") {
			data.Set("creator_notes", note)
			rest.Delete("creatorcomment")
		}
	}
	f.Root = rest
	r.normalise(f, data)
	return f, nil
}

// spec tells the version of a card and warns where the card does not say it
// plainly.
func (r *reader) spec(root, data *Object) string {
	name, _ := root.Get("spec").(string)
	switch spec := strings.ToLower(strings.TrimSpace(name)); {
	case spec == "chara_card_v2", spec == "chara_card_v3":
		r.specVersion(root, spec[len(spec)-1:])
		return spec[len(spec)-1:]
	case spec == "" && data != nil:
		version := "2"
		for _, key := range v3Only {
			if data.Has(key) {
				version = "3"
			}
		}
		r.warn("spec_missing", "", "the card does not say its version; it was read as version "+version)
		return version
	case spec == "":
		return "1"
	case strings.HasPrefix(spec, "chara_card_v"):
		r.warn("unknown_spec", "", fmt.Sprintf("the card is of a version this program does not know (%.40q); it was read as version 3", name))
		return "3"
	case data != nil:
		r.warn("unknown_spec", "", fmt.Sprintf("the card calls its version %.40q, which is none; it was read as version 2", name))
		return "2"
	}
	r.warn("unknown_spec", "", fmt.Sprintf("the card calls its version %.40q, which is none; it was read as version 1", name))
	return "1"
}

func (r *reader) specVersion(root *Object, major string) {
	text := ""
	switch v := root.Get("spec_version").(type) {
	case string:
		text = strings.TrimSpace(v)
	case json.Number:
		text = v.String()
	}
	n, err := strconv.ParseFloat(text, 64)
	want, _ := strconv.ParseFloat(major, 64)
	switch {
	case text == "":
		r.warn("spec_version_missing", "", "spec_version is missing; "+major+".0 was taken")
	case err != nil || n < want || n >= want+1:
		r.warn("spec_version_odd", "", fmt.Sprintf("spec_version is %.20q; the card was read as %s.0", text, major))
	case n > want:
		r.warn("spec_version_newer", "", fmt.Sprintf("spec_version is %.20q; what is newer than %s.0 is kept but not played", text, major))
	}
}

// fromRoot takes the fields of version 1 that data lacks from their copies at
// the top level. Where both are there, data counts.
func (r *reader) fromRoot(data, root *Object) {
	var taken []string
	for _, key := range v1Texts {
		if text, ok := root.Get(key).(string); ok && text != "" && !data.Has(key) {
			data.Set(key, text)
			taken = append(taken, key)
		}
	}
	if len(taken) > 0 {
		r.warn("fields_from_root", "", "data lacks "+strings.Join(taken, ", ")+"; the copies at the top level were taken")
	}
}

// maxName is the most bytes of a name on a screen and in a scene.
const maxName = 200

// normalise fills f.Data from raw data: known fields first, each of its type,
// then all the others as they are.
func (r *reader) normalise(f *File, raw *Object) {
	d := &Object{}
	for _, key := range append(append([]string{}, v1Texts...), v2Texts...) {
		d.Set(key, r.asText(raw.Get(key), "data."+key))
	}
	d.Set("alternate_greetings", r.asTexts(raw.Get("alternate_greetings"), "data.alternate_greetings", false))
	if book := r.bookOf(raw.Get("character_book"), "data.character_book"); book != nil {
		d.Set("character_book", book)
	}
	d.Set("tags", r.asTexts(raw.Get("tags"), "data.tags", true))
	for _, key := range v2Credits {
		d.Set(key, r.asText(raw.Get(key), "data."+key))
	}
	d.Set("extensions", r.extensions(raw.Get("extensions"), "data.extensions"))
	r.depthPrompt(d.object("extensions"))
	r.version3(d, raw)
	for _, key := range raw.Keys() {
		if !d.Has(key) && key != "character_book" && raw.Get(key) != nil {
			d.Set(key, raw.Get(key))
		}
	}
	restoreV3(d)
	f.Book = loreBook(d.object("character_book"))
	f.Data = d
	if name, ok := d.object("extensions").object("textgen").Get("your_name").(string); ok {
		f.UserName = CleanName(name)
	}
	r.checkName(f)
	r.checkControls(f)
}

// version3 sets the fields that only version 3 has.
func (r *reader) version3(d, raw *Object) {
	if raw.Get("assets") != nil {
		if list, ok := raw.Get("assets").([]any); ok {
			kept := []any{}
			for i, v := range list {
				if o, ok := v.(*Object); ok {
					kept = append(kept, o)
				} else {
					r.warn("coerced", fmt.Sprintf("data.assets[%d]", i), "is no object; it was left out")
				}
			}
			d.Set("assets", kept)
		} else {
			r.warn("coerced", "data.assets", "is no list; it was left out")
		}
	}
	if raw.Get("nickname") != nil {
		d.Set("nickname", r.asText(raw.Get("nickname"), "data.nickname"))
	}
	if o, ok := raw.Get("creator_notes_multilingual").(*Object); ok {
		d.Set("creator_notes_multilingual", o)
	}
	if raw.Get("source") != nil {
		d.Set("source", r.asTexts(raw.Get("source"), "data.source", false))
	}
	d.Set("group_only_greetings", r.asTexts(raw.Get("group_only_greetings"), "data.group_only_greetings", false))
	for _, key := range []string{"creation_date", "modification_date"} {
		switch v := raw.Get(key).(type) {
		case nil:
		case json.Number:
			d.Set(key, v)
		case string:
			if _, err := strconv.ParseInt(v, 10, 64); err == nil {
				r.warn("coerced", "data."+key, "is text; it was read as a number")
				d.Set(key, json.Number(v))
				break
			}
			r.warn("coerced", "data."+key, "is no number of seconds; 0, unknown, was taken")
			d.Set(key, json.Number("0"))
		default:
			r.warn("coerced", "data."+key, "is no number of seconds; 0, unknown, was taken")
			d.Set(key, json.Number("0"))
		}
	}
}

// asText makes a text of a value.
func (r *reader) asText(v any, field string) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		r.warn("coerced", field, "is a number where text is expected; its digits were taken")
		return v.String()
	case bool:
		if !v {
			return ""
		}
		r.warn("coerced", field, "is true where text is expected")
		return "true"
	case []any:
		var parts []string
		for _, item := range v {
			parts = append(parts, r.asText(item, field))
		}
		if len(parts) > 0 {
			r.warn("coerced", field, "is a list where text is expected; its parts were joined")
		}
		return strings.Join(parts, "\n")
	case *Object:
		if text, ok := v.Get("message").(string); ok && v.Len() < 6 {
			return text
		}
		r.warn("coerced", field, "is an object where text is expected; it was kept as JSON")
		text, err := v.MarshalJSON()
		if err != nil {
			return ""
		}
		return string(text)
	}
	return ""
}

// asTexts makes a list of texts of a value. A text alone is a list of one, or
// split at commas where that is what people write.
func (r *reader) asTexts(v any, field string, commas bool) []any {
	out := []any{}
	add := func(item any, field string) {
		if item == nil {
			return
		}
		out = append(out, r.asText(item, field))
	}
	switch v := v.(type) {
	case nil:
	case []any:
		for i, item := range v {
			add(item, fmt.Sprintf("%s[%d]", field, i))
		}
	case *Object:
		r.warn("coerced", field, "is an object where a list is expected; its values were taken in order")
		for _, key := range v.keys {
			add(v.vals[key], field+"."+key)
		}
	default:
		text := r.asText(v, field)
		if strings.TrimSpace(text) == "" {
			break
		}
		r.warn("coerced", field, "is not a list; it was read as one")
		if !commas {
			return append(out, text)
		}
		for _, part := range strings.Split(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

// extensions makes an object of a value and keeps whatever it was.
func (r *reader) extensions(v any, field string) *Object {
	switch v := v.(type) {
	case *Object:
		return v
	case nil:
		return &Object{}
	case []any:
		if len(v) == 0 {
			return &Object{}
		}
	}
	r.warn("coerced", field, "is no object; what was there was put under \"value\"")
	return NewObject("value", v)
}

// depthPrompt warns of a depth prompt that does not say where it goes. The
// extension itself stays as it is.
func (r *reader) depthPrompt(ext *Object) {
	p := ext.object("depth_prompt")
	if p == nil {
		return
	}
	if _, ok := wholeNumber(p.Get("depth")); !ok && p.Get("depth") != nil {
		r.warn("coerced", "data.extensions.depth_prompt.depth", fmt.Sprintf("is no number; %d was taken", defaultDepth))
	}
	if role, ok := p.Get("role").(string); p.Has("role") && (!ok || role != "system" && role != "user" && role != "assistant") {
		r.warn("coerced", "data.extensions.depth_prompt.role", "is none of system, user and assistant; system was taken")
	}
}

// wholeNumber reads a number, or a text that is one.
func wholeNumber(v any) (int, bool) {
	text := ""
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	default:
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != n || n > 1e9 || n < -1e9 {
		return 0, false
	}
	return int(n), true
}

func (r *reader) checkName(f *File) {
	if n := len(f.text("name")); n > maxName {
		r.warn("long_name", "data.name", fmt.Sprintf("has %d bytes; it is shown and played shortened", n))
	}
	if CleanName(f.text("name")) == "" {
		r.warn("name_missing", "data.name", fmt.Sprintf("is empty; the card is shown as %q after its file", f.DisplayName()))
	}
}

// checkControls warns of characters that could drive a terminal. They stay in
// the data and reach no screen.
func (r *reader) checkControls(f *File) {
	const code = "control_chars"
	if strings.ContainsFunc(f.text("name"), unsafeRune) {
		r.warnOnce(code, code, "data.name", "has control or invisible characters in it; they are not shown")
		return
	}
	for _, key := range f.Data.Keys() {
		for _, text := range append(textList(f.Data.list(key)), f.text(key)) {
			if strings.ContainsFunc(text, controlRune) {
				r.warnOnce(code, code, "data."+key, "has control characters in it; they are not shown")
				return
			}
		}
	}
}

func controlRune(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
}
