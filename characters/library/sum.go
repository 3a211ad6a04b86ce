package library

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"strconv"
	"strings"

	"herarena/characters/card"
	"herarena/characters/lore"
)

// sum is the hash of what is played. It is the same for a card in a picture,
// in an archive or as JSON, in version 2 or 3, and does not heed what programs
// add when they save a card (dates, favourites, assets, extensions).
type sum struct{ h hash.Hash }

func newSum() *sum { return &sum{sha256.New()} }

// text adds a text, with its length before it so that texts cannot run into
// each other. Line ends and white space around it do not count.
func (s *sum) text(text string) {
	text = strings.TrimSpace(text)
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	var b [20]byte
	_, _ = s.h.Write(append(strconv.AppendInt(b[:0], int64(len(text)), 10), ':'))
	_, _ = s.h.Write([]byte(text))
}

// texts adds a list without its empty ones.
func (s *sum) texts(v any) {
	list, _ := v.([]any)
	for _, item := range list {
		if text, _ := item.(string); strings.TrimSpace(text) != "" {
			s.text(text)
		}
	}
	s.text("")
}

// String returns 128 bits of the hash in hexadecimal digits.
func (s *sum) String() string { return hex.EncodeToString(s.h.Sum(nil)[:16]) }

// card adds the fields of a card by their names in version 3.
func (s *sum) card(o *card.Object) {
	for _, key := range append(promptTexts(), "name", "nickname", "creator_notes", "creator", "character_version") {
		text, _ := o.Get(key).(string)
		s.text(text)
	}
	for _, key := range []string{"alternate_greetings", "group_only_greetings", "tags"} {
		s.texts(o.Get(key))
	}
	ext, _ := o.Get("extensions").(*card.Object)
	depth, _ := ext.Get("depth_prompt").(*card.Object)
	prompt, _ := depth.Get("prompt").(string)
	s.text(prompt)
	book, _ := o.Get("character_book").(*card.Object)
	entries, _ := book.Get("entries").([]any)
	for _, v := range entries {
		entry, _ := v.(*card.Object)
		content, _ := entry.Get("content").(string)
		s.text(content)
		s.texts(entry.Get("keys"))
		s.texts(entry.Get("secondary_keys"))
		if entry.Get("enabled") == false {
			s.text("off")
		}
	}
}

// workings are how a card plays beyond its texts: when its lore fires and where
// it goes, and the depth of its note. Two cards of the same hash may differ in
// them, as where an entry was made constant. They are the same in versions 2
// and 3; "" where there is nothing of the kind.
type workings string

func workingsOf(f *card.File) workings {
	var played struct {
		Book  *lore.Book
		Depth any
		Role  any
	}
	ext, _ := f.Data.Get("extensions").(*card.Object)
	if depth, _ := ext.Get("depth_prompt").(*card.Object); depth != nil && depth.Get("prompt") != "" {
		played.Depth, played.Role = depth.Get("depth"), depth.Get("role")
	}
	if f.Book != nil && len(f.Book.Entries) > 0 {
		book := *f.Book
		book.Name, book.Entries = "", append([]lore.Entry(nil), book.Entries...)
		for i := range book.Entries {
			book.Entries[i].ID, book.Entries[i].Title = "", "" // for people
		}
		played.Book = &book
	}
	if played.Book == nil && played.Depth == nil && played.Role == nil {
		return ""
	}
	raw, err := json.Marshal(played)
	if err != nil {
		return ""
	}
	s := sha256.Sum256(raw)
	return workings(hex.EncodeToString(s[:16]))
}
