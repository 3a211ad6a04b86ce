// Package card reads and writes characters as other programs keep them: cards
// in versions 1 to 3 as JSON, inside PNG, APNG, WEBP and JPEG pictures and in
// CHARX archives, the formats of several other programs, lorebooks, chats and
// scenarios. It takes what is damaged as far as it can be understood, says
// once what it mended, and never drops what it does not know.
package card

import (
	"fmt"

	"herarena/characters/lore"
)

// Kind says what a file holds.
type Kind string

// The kinds of files.
const (
	KindCard     Kind = "card"
	KindLorebook Kind = "lorebook"
	KindChat     Kind = "chat"
	KindScenario Kind = "scenario"
)

// The codes of errors, for programs to switch on.
const (
	BadBase64    = "bad_base64"    // a card's text inside a picture cannot be decoded
	BadJSON      = "bad_json"      // the text is not JSON
	BadSignature = "bad_signature" // a picture whose first bytes are damaged
	BadYAML      = "bad_yaml"      // the text is not YAML
	BadZip       = "bad_zip"       // an archive that cannot be opened
	Empty        = "empty"         // no bytes at all
	Encrypted    = "encrypted"     // locked by another program
	NoCard       = "no_card"       // a picture or archive without a card
	NotACard     = "not_a_card"    // readable, but nothing this package knows
	TooDeep      = "too_deep"      // nests beyond the bound
	TooLarge     = "too_large"     // beyond a bound of size or count
	Truncated    = "truncated"     // cut off
	Unreadable   = "unreadable"    // the file itself cannot be read
	Unplayable   = "unplayable"    // read, but no scene can be made of it
)

// Error is why a file cannot be read.
type Error struct {
	File    string // as given to the reader
	Field   string // e.g. "data.name"; "" where the fault is in no field
	Code    string // one of the codes above
	Message string // what is wrong and what to do, without file and field
}

// Error returns file, field and message as one sentence with the code.
func (e *Error) Error() string {
	text := e.Message
	if e.Field != "" {
		text = e.Field + " " + text
	}
	if e.File != "" {
		text = e.File + ": " + text
	}
	return text + " [" + e.Code + "]"
}

// Warning is something that was mended, left out or doubtful in a file that
// could be read.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// File is what was read.
type File struct {
	Name   string // the file's name without folder
	Kind   Kind
	Spec   string // "1", "2", "3", or the name of the program whose format it is
	Format string // how it was kept, such as "png/tEXt"
	// Warnings are in the order in which they were found.
	Warnings []Warning
	// Data is a card with the field names of version 3, every known field of the
	// right type and all unknown ones kept. A lorebook stands in its
	// character_book.
	Data *Object
	// Root are the fields outside of data, without spec and spec_version.
	Root *Object
	// UserName is whom the file's person plays, "" where it does not say.
	UserName string
	// Book is the lorebook in a form that can be searched, nil without one.
	Book *lore.Book
	// Chats are the conversations that came with it.
	Chats []Chat
	// Scenarios are scenes of books, each with its cast and its own dialogue.
	Scenarios []Scenario
	// Picture is the picture that the card came in, nil for none.
	Picture []byte

	assets map[string]asset
}

// asset is a picture or another thing that belongs to a card and lies in the
// same file, under the URI by which the card names it.
type asset struct {
	size int64
	load func() ([]byte, error)
}

// Asset returns the bytes of an asset that came in the same file, by its URI.
func (f *File) Asset(uri string) ([]byte, error) {
	a, ok := f.assets[uri]
	if !ok {
		return nil, &Error{File: f.Name, Field: "data.assets", Code: NoCard, Message: fmt.Sprintf("name %.80q, which is not in the file", uri)}
	}
	return a.load()
}

// text returns a field of data.
func (f *File) text(key string) string { return f.Data.text(key) }

// texts returns a list of texts of data.
func (f *File) texts(key string) []string { return textList(f.Data.list(key)) }

func textList(list []any) []string {
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// Greetings returns the first message and its alternates, as written, without
// empty ones.
func (f *File) Greetings() []string {
	var out []string
	for _, text := range append([]string{f.text("first_mes")}, f.texts("alternate_greetings")...) {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}

// CharName is what {{char}} stands for: the nickname, else the name, else the
// file's name, fit for a line on a screen.
func (f *File) CharName() string {
	if name := CleanName(f.text("nickname")); name != "" {
		return name
	}
	return f.DisplayName()
}

// DisplayName is the card's name fit for a line on a screen; a card without
// one is called by its file.
func (f *File) DisplayName() string {
	if name := CleanName(f.text("name")); name != "" {
		return name
	}
	if name := CleanName(stem(f.Name)); name != "" {
		return name
	}
	return "nameless"
}

// Counts are how many of each thing a file holds.
type Counts struct {
	Greetings   int `json:"greetings"`
	Examples    int `json:"examples"`
	BookEntries int `json:"book_entries"`
	Messages    int `json:"messages"`
	// Those below are left out where there are none.
	GroupGreetings int `json:"group_greetings,omitempty"`
	Assets         int `json:"assets,omitempty"`
	Chats          int `json:"chats,omitempty"`
	Scenarios      int `json:"scenarios,omitempty"`
}

// Counts counts what the file holds. Examples are blocks of example dialogue;
// messages are those of all chats, or the lines of all scenarios.
func (f *File) Counts() Counts {
	n := Counts{
		Greetings: len(f.Greetings()), GroupGreetings: len(f.texts("group_only_greetings")),
		Assets: len(f.Data.list("assets")), Chats: len(f.Chats), Scenarios: len(f.Scenarios),
		BookEntries: len(f.Data.object("character_book").list("entries")),
		Examples:    len(Examples(f.text("mes_example"), "{{user}}", "{{char}}", nil)),
	}
	for _, c := range f.Chats {
		n.Messages += len(c.Messages)
	}
	for _, s := range f.Scenarios {
		n.Messages += len(s.Lines)
	}
	return n
}
