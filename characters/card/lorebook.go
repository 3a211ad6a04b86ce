package card

import "herarena/characters/lore"

// lorebook makes a file of a book that stands alone.
func (r *reader) lorebook(v any, spec string) (*File, *Error) {
	if o, ok := v.(*Object); ok && spec == "st-world" {
		// An object of entries is this format's own way and nothing to mend.
		o = o.Clone()
		if entries := o.object("entries"); entries != nil {
			o.Set("entries", numberedValues(entries))
		}
		v = o
	}
	book := r.bookOf(v, "character_book")
	if book == nil {
		return nil, &Error{Field: "data", Code: NotACard, Message: "holds no lorebook"}
	}
	f := &File{Kind: KindLorebook, Spec: spec, Book: loreBook(book)}
	f.Data = NewObject("name", book.text("name"), "description", book.text("description"), "character_book", book)
	return f, nil
}

// bookSpec tells SillyTavern's world files from a card's book that was saved
// alone.
func bookSpec(o *Object) string {
	if o.object("entries") != nil {
		return "st-world"
	}
	for _, v := range o.list("entries") {
		if e, ok := v.(*Object); ok && e.Has("key") {
			return "st-world"
		}
	}
	return "character_book"
}

// agnaiBook makes a book of Agnai's memory book; one that has the names of
// version 2 already stays as it is.
func agnaiBook(o *Object) *Object {
	book := o.Clone()
	entries := []any{}
	for i, v := range o.list("entries") {
		e, _ := v.(*Object)
		if e == nil {
			continue
		}
		e = e.Clone()
		rename(e, "keywords", "keys")
		rename(e, "entry", "content")
		rename(e, "weight", "insertion_order")
		if !e.Has("insertion_order") {
			e.Set("insertion_order", count(i))
		}
		entries = append(entries, e)
	}
	book.Set("entries", entries)
	return book
}

func rename(o *Object, from, to string) {
	if o.Has(from) && !o.Has(to) {
		o.Set(to, o.Get(from))
		o.Delete(from)
	}
}

// novelBook makes a book of a NovelAI lorebook.
func novelBook(o *Object) *Object {
	book := o.Clone()
	entries := []any{}
	for _, v := range o.list("entries") {
		e, _ := v.(*Object)
		if e == nil {
			continue
		}
		e = e.Clone()
		rename(e, "text", "content")
		rename(e, "displayName", "name")
		rename(e, "forceActivation", "constant")
		if n, ok := wholeNumber(e.object("contextConfig").Get("budgetPriority")); ok {
			e.Set("priority", count(n))
		}
		if range_, ok := wholeNumber(e.Get("searchRange")); ok {
			ext := NewObject("scan_depth", count(max(1, range_/250)))
			e.Set("extensions", ext)
		}
		entries = append(entries, e)
	}
	book.Set("entries", entries)
	return book
}

// risuBook makes a book of RisuAI's lorebook; its folders are no entries.
func risuBook(o *Object) *Object {
	entries := []any{}
	for _, v := range o.list("data") {
		e, _ := v.(*Object)
		if e == nil || e.text("mode") == "folder" {
			continue
		}
		e = e.Clone()
		e.Set("keys", commaList(e.text("key")))
		e.Set("secondary_keys", commaList(e.text("secondkey")))
		e.Delete("key", "secondkey")
		rename(e, "insertorder", "insertion_order")
		rename(e, "useRegex", "use_regex")
		e.Set("constant", e.Get("alwaysActive") == true || e.text("mode") == "constant")
		e.Set("position", string(lore.AfterChar))
		if n, ok := wholeNumber(e.Get("activationPercent")); ok {
			e.Set("extensions", NewObject("probability", count(n), "useProbability", true))
		}
		entries = append(entries, e)
	}
	return NewObject("extensions", &Object{}, "entries", entries)
}
