package library

import (
	"fmt"
	"os"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/testset"
)

// File reads the entry's file in full. Errors are *card.Error; scene files of
// this program are not cards and are read by Scene alone.
func (l *Library) File(e Entry) (*card.File, error) { return card.Open(e.Path) }

// Scene puts an entry on stage, under the entry's ID. Parts say where a card's
// texts went; scenes that are no cards have none. Of the options these heed
// nothing.
func (l *Library) Scene(e Entry, o card.PlayOptions) (characters.Scene, []card.Part, error) {
	var s characters.Scene
	var parts []card.Part
	var err error
	switch e.Kind {
	case KindScene:
		s, err = characters.Load(e.Path)
	case card.KindScenario:
		s, err = scenario(e)
	default:
		var f *card.File
		if f, err = l.File(e); err == nil {
			s, parts, err = f.Scene(o)
		}
	}
	if err != nil {
		return characters.Scene{}, nil, err
	}
	if characters.ValidID(e.ID) {
		s.ID = e.ID
	}
	return s, parts, nil
}

// scenario reads one of the scenes in a file.
func scenario(e Entry) (characters.Scene, error) {
	set, err := testset.Load(e.Path)
	if err == nil {
		for _, it := range set.Items {
			if it.Number == e.Item+1 {
				return it.Scene, nil
			}
		}
		return characters.Scene{}, &card.Error{File: e.Path, Code: card.Unplayable, Message: fmt.Sprintf("no longer has a scene %d; it was changed", e.Item+1)}
	}
	f, fault := card.Open(e.Path)
	if fault != nil {
		return characters.Scene{}, fault
	}
	if e.Item > 0 && e.Item < len(f.Scenarios) {
		f.Scenarios = f.Scenarios[e.Item : e.Item+1]
	}
	s, _, fault := f.Scene(card.PlayOptions{})
	return s, fault
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
