package card

import (
	"fmt"
	"strings"
)

// understand tells what a document is and reads it. how names the container.
func (r *reader) understand(v any, how string) (*File, *Error) {
	var f *File
	var fault *Error
	switch v := v.(type) {
	case *Object:
		f, fault = r.object(v)
	case []any:
		f, fault = r.listDocument(v)
	default:
		return nil, &Error{Code: NotACard, Message: "holds a single value and no card"}
	}
	if fault != nil {
		return nil, fault
	}
	if f.Format == "" {
		f.Format = how + "/" + f.Spec
		if f.Kind == KindCard && len(f.Spec) == 1 {
			f.Format = how + "/v" + f.Spec
		}
	}
	return f, nil
}

// object reads a document that is one object.
func (r *reader) object(o *Object) (*File, *Error) {
	has := func(keys ...string) bool {
		for _, key := range keys {
			if o.Has(key) {
				return true
			}
		}
		return false
	}
	spec := strings.ToLower(o.text("spec"))
	switch {
	case strings.HasPrefix(spec, "chara_card"):
		return r.card(o)
	case strings.HasPrefix(spec, "lorebook"):
		return r.lorebook(o.Get("data"), "lorebook_v3")
	case o.text("kind") == "memory":
		return r.lorebook(agnaiBook(o), "agnai")
	case o.text("type") == "risu" && o.list("data") != nil:
		return r.lorebook(risuBook(o), "risu")
	case has("lorebookVersion"):
		return r.lorebook(novelBook(o), "novelai")
	case o.text("type") == "risuChat" || o.text("type") == "risuAllChats" || has("histories", "chat_metadata") ||
		o.list("messages") != nil && !has("first_mes", "data") || o.list("internal") != nil || o.list("data_visible") != nil || has("mes") && !has("description"):
		return r.chatObject(o)
	case o.list("dialogues") != nil || has("key_characters", "character_profiles"):
		return r.scenarios([]any{o})
	case has("ai_setting", "ai_name"):
		return r.scenarios([]any{o})
	case has("entries") && !has("first_mes", "personality", "mes_example", "data"):
		return r.lorebook(o, bookSpec(o))
	case o.object("data") != nil && looksLikeCard(o.object("data")):
		return r.card(o)
	case o.object("persona") != nil && (o.text("kind") == "character" || has("greeting", "sampleChat")):
		return r.agnai(o)
	case o.object("character") != nil && has("version") && o.object("character").Has("aiName"):
		return r.backyard(o.object("character"))
	case has("char_name", "char_persona", "char_greeting") && !has("first_mes", "mes_example", "personality"):
		return r.pygmalion(o)
	case has("first_message", "example_dialogs") && !has("first_mes", "mes_example"):
		return r.janitor(o)
	case has("context", "greeting", "bot", "<|bot|>") && !has("first_mes", "mes_example", "personality"):
		return r.textgen(o)
	case looksLikeCard(o) || spec != "" && has("name"):
		return r.card(o)
	}
	if f, fault := r.cases(o); f != nil || fault != nil {
		return f, fault
	}
	return nil, &Error{Code: NotACard, Message: "has none of the fields of a card, a lorebook, a chat or a scenario"}
}

// looksLikeCard reports whether an object has a field of version 1 with text.
func looksLikeCard(o *Object) bool {
	for _, key := range v1Texts {
		switch o.Get(key).(type) {
		case string:
			return true
		case []any:
			if key != "name" && o.text("name") != "" {
				return true
			}
		}
	}
	return false
}

// listDocument reads a document that is a list.
func (r *reader) listDocument(list []any) (*File, *Error) {
	cards, scenes, lines := 0, 0, 0
	for _, v := range list {
		switch v := v.(type) {
		case string:
			lines++
		case *Object:
			switch {
			case v.list("dialogues") != nil || v.Has("key_characters") || v.Has("ai_setting"):
				scenes++
			case looksLikeCard(v) || v.object("data") != nil:
				cards++
			}
		}
	}
	switch {
	case scenes > 0:
		return r.scenarios(list)
	case cards > 0:
		return nil, &Error{Code: NotACard, Message: fmt.Sprintf("is a list of %d cards; save each in a file of its own", cards)}
	case lines > 0 && lines == len(list):
		return r.oldTavern(list)
	}
	return nil, &Error{Code: NotACard, Message: "is a list and no card"}
}
