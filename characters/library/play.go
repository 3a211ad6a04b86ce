package library

import (
	"fmt"
	"os"

	"herarena/characters"
	"herarena/characters/card"
)

// File reads the entry's file in full. Errors are *card.Error; scene files of
// this program are not cards and are read by Scene alone.
func (l *Library) File(e Entry) (*card.File, error) {
	f, err := card.Open(e.Path)
	if err != nil {
		return nil, err
	}
	if e.Item > 0 {
		if e.Item >= len(f.Scenarios) {
			return nil, &card.Error{File: e.Path, Code: card.Unplayable, Message: fmt.Sprintf("no longer has a scenario %d; it was changed", e.Item+1)}
		}
		f.Scenarios = f.Scenarios[e.Item : e.Item+1]
	}
	return f, nil
}

// Scene puts an entry on stage, under the entry's ID. Parts say where a card's
// texts went; a scene file has none.
func (l *Library) Scene(e Entry, o card.PlayOptions) (characters.Scene, []card.Part, error) {
	if e.Kind == KindScene {
		s, err := characters.Load(e.Path)
		if err == nil {
			s.ID = e.ID
		}
		return s, nil, err
	}
	f, err := l.File(e)
	if err != nil {
		return characters.Scene{}, nil, err
	}
	s, parts, err := f.Scene(o)
	if err == nil && characters.ValidID(e.ID) {
		s.ID = e.ID
	}
	return s, parts, err
}

// maxPicture is the most bytes of a picture that is handed out.
const maxPicture = 32 << 20

// Picture returns the bytes of an entry's portrait as they are in the file
// (PNG, JPEG, WEBP or GIF) and what they are, nil where it has none. It reads
// the file and decodes no pixel.
func (l *Library) Picture(e Entry) (data []byte, kind string, err error) {
	if !e.HasPicture {
		return nil, "", nil
	}
	info, err := os.Stat(e.Path)
	if err != nil {
		return nil, "", err
	}
	if !info.Mode().IsRegular() {
		return nil, "", errSpecial
	}
	f, err := card.Open(e.Path)
	if err != nil {
		return nil, "", err
	}
	data, kind = f.Avatar()
	if len(data) > maxPicture {
		return nil, "", fmt.Errorf("the picture of %s has %d MiB; at most %d are shown", e.ID, len(data)>>20, maxPicture>>20)
	}
	return data, kind, nil
}
