package library

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"

	"herarena/characters/card"
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
