package card

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"herarena/characters/lore"
)

// aside is the extension under which an export to version 2 keeps what only
// version 3 has, so that reading it again gives all of it back.
const aside = "herarena/v3"

// maxExport is the most bytes of assets that an export takes along.
const maxExport = 128 << 20

// Export writes a card as "v2" or "v3" (JSON), or as "png" with both versions
// inside. A lorebook can be written as "v2" (the book alone) or "v3".
// Everything that was read is in it, unknown fields included, and so are the
// assets that lie in the file.
func (f *File) Export(to string) ([]byte, error) {
	if f.Kind == KindLorebook {
		return f.exportBook(to)
	}
	if f.Kind != KindCard {
		return nil, &Error{File: f.Name, Code: Unplayable, Message: fmt.Sprintf("is a %s; only cards and lorebooks can be exported", f.Kind)}
	}
	switch to {
	case "v2", "v3":
		data, err := f.packed(func(_ int, data []byte, ext string) string {
			return "data:" + mediaType(data, ext) + ";base64," + base64.StdEncoding.EncodeToString(data)
		})
		if err != nil {
			return nil, err
		}
		if to == "v2" {
			return f.root2(data).Indented()
		}
		return f.root3(data).Indented()
	case "png":
		return f.png()
	}
	return nil, &Error{File: f.Name, Code: Unplayable, Message: fmt.Sprintf("cannot be written as %.20q; choose v2, v3 or png", to)}
}

func (f *File) exportBook(to string) ([]byte, error) {
	book := f.Data.object("character_book")
	switch to {
	case "v2":
		return book2(book.Clone()).Indented()
	case "v3":
		return NewObject("spec", "lorebook_v3", "data", book).Indented()
	}
	return nil, &Error{File: f.Name, Code: Unplayable, Message: "is a lorebook, which is written as v2 or v3"}
}

// packed returns a copy of data in which assets that lie in the file are named
// by what uri makes of them.
func (f *File) packed(uri func(i int, data []byte, ext string) string) (*Object, error) {
	data := f.Data.Clone()
	total := int64(0)
	for i, v := range data.list("assets") {
		a, _ := v.(*Object)
		stored, ok := f.assets[a.text("uri")]
		if !ok {
			continue
		}
		if total += stored.size; total > maxExport {
			return nil, &Error{File: f.Name, Field: "data.assets", Code: TooLarge, Message: fmt.Sprintf("are more than %d MiB together, the most an export takes along", maxExport>>20)}
		}
		bytes, err := stored.load()
		if err != nil {
			return nil, &Error{File: f.Name, Field: fmt.Sprintf("data.assets[%d]", i), Code: BadZip, Message: "cannot be taken along: " + err.Error()}
		}
		a.Set("uri", uri(i, bytes, a.text("ext")))
	}
	return data, nil
}

func mediaType(data []byte, ext string) string {
	if kind := pictureKind(data); kind != "" {
		return "image/" + kind
	}
	types := map[string]string{"mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm", "json": "application/json"}
	if t := types[strings.ToLower(ext)]; t != "" {
		return t
	}
	return "application/octet-stream"
}

// root3 puts data under version 3, with the fields that stood outside of it.
func (f *File) root3(data *Object) *Object {
	root := NewObject("spec", "chara_card_v3", "spec_version", "3.0", "data", data)
	f.outside(root, data)
	return root
}

// outside adds the fields that stood beside data. Copies of data's own fields
// are brought up to date.
func (f *File) outside(root, data *Object) {
	for _, key := range f.Root.Keys() {
		if root.Has(key) {
			continue
		}
		value := f.Root.Get(key)
		if data.Has(key) {
			value = data.Get(key)
		}
		root.Set(key, value)
	}
}

// root2 puts data under version 2: what that version does not have is laid
// aside.
func (f *File) root2(data *Object) *Object {
	data = data.Clone()
	kept := &Object{}
	for _, key := range v3Only {
		if !data.Has(key) {
			continue
		}
		if list, ok := data.Get(key).([]any); !ok || len(list) > 0 || key != "group_only_greetings" {
			kept.Set(key, data.Get(key))
		}
		data.Delete(key)
	}
	layAside(data.object("extensions"), kept)
	if book := data.object("character_book"); book != nil {
		book2(book)
	}
	root := NewObject("spec", "chara_card_v2", "spec_version", "2.0", "data", data)
	f.outside(root, data)
	return root
}

// book2 makes a book of version 2 of one of version 3, in place.
func book2(book *Object) *Object {
	for _, v := range book.list("entries") {
		e, ok := v.(*Object)
		if !ok {
			continue
		}
		kept := &Object{}
		if e.Get("use_regex") == true {
			kept.Set("use_regex", true)
		}
		e.Delete("use_regex")
		if id, ok := e.Get("id").(string); ok {
			kept.Set("id", id)
			e.Delete("id")
		}
		// Other programs would show decorators to the model.
		if text, marks := lore.Strip(e.text("content")); marks != "" {
			kept.Set("content", e.text("content"))
			e.Set("content", text)
		}
		layAside(e.object("extensions"), kept)
	}
	return book
}

// layAside puts what was laid aside among the extensions. What somebody else has
// under that name goes along inside of it.
func layAside(ext, kept *Object) {
	if kept.Len() == 0 {
		return
	}
	if ext.Has(aside) {
		kept.Set(aside, ext.Get(aside))
	}
	ext.Set(aside, kept)
}

// takeBack takes the extension out again.
func takeBack(ext, kept *Object) {
	if ext.Delete(aside); kept.Has(aside) {
		ext.Set(aside, kept.Get(aside))
	}
}

// restoreV3 puts back what root2 laid aside. Where another program changed an
// entry's text since, the change stays.
func restoreV3(d *Object) {
	ext := d.object("extensions")
	if kept := ext.object(aside); kept != nil {
		for _, key := range v3Only {
			if kept.Has(key) {
				d.Set(key, kept.Get(key))
			}
		}
		takeBack(ext, kept)
	}
	for _, v := range d.object("character_book").list("entries") {
		e, _ := v.(*Object)
		kept := e.object("extensions").object(aside)
		if kept == nil {
			continue
		}
		if kept.Get("use_regex") == true {
			e.Set("use_regex", true)
		}
		if id, ok := kept.Get("id").(string); ok && !e.Has("id") {
			e.Set("id", id)
		}
		if content, ok := kept.Get("content").(string); ok {
			if text, _ := lore.Strip(content); text == e.text("content") {
				e.Set("content", content)
			}
		}
		takeBack(e.object("extensions"), kept)
	}
}

// compact is JSON without indentation.
func compact(o *Object) ([]byte, error) {
	data, err := o.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("write the card: %w", err)
	}
	if !json.Valid(data) {
		return nil, fmt.Errorf("write the card: the JSON that was made is broken")
	}
	return data, nil
}
