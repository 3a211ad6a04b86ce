package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/library"
	"herarena/cmd/herarena/internal/config"
	"herarena/tui/casting"
)

// shelf is the library as the casting screen wants it.
type shelf struct {
	lib *library.Library
	to  string // where cards are copied to
	// given is the file that the command line named outside of the library; its
	// ID is empty where there is none.
	given library.Entry
}

func newShelf() *shelf { return &shelf{lib: openLibrary(), to: config.CharactersDir()} }

// give takes the file that a scene was made of, by its path, and returns what it
// tells of itself; nil where arg is no file of a single card or scene.
func (s *shelf) give(arg, sceneID string) *casting.Entry {
	if arg == "" || characters.ValidID(arg) { // a name in the library
		return nil
	}
	e, ok := library.Peek(arg)
	if !ok || e.Err != "" {
		return nil
	}
	e.ID = sceneID
	s.given = e
	out := entryOf(&s.given)
	return &out
}

// Refresh reads what is new in the folders.
func (s *shelf) Refresh(ctx context.Context, progress func(done, total int)) (string, error) {
	r, err := s.lib.Refresh(ctx, func(p library.Progress) { progress(p.Done, p.Total) })
	if err != nil {
		return "", err
	}
	if len(r.Faults) > 0 {
		return r.Faults[0].Error(), nil
	}
	return "", nil
}

// Watch waits until something is different from what the last Refresh found.
func (s *shelf) Watch(ctx context.Context, changed func()) error {
	return s.lib.Watch(ctx, func(r library.Report) {
		if r.Moved() {
			changed()
		}
	})
}

// Find lists what can be played, and what cannot be read.
func (s *shelf) Find(_ context.Context, query string, order casting.Order) ([]casting.Entry, error) {
	by := library.ByName
	switch order {
	case casting.ByAdded:
		by = library.ByAdded
	case casting.ByPlayed:
		by = library.ByPlayed
	case casting.ByTokens:
		by = library.BySize
	default:
		if strings.TrimSpace(query) != "" {
			by = library.ByRank
		}
	}
	all := s.lib.Search(query, by)
	out := make([]casting.Entry, 0, len(all))
	for i := range all {
		if e := &all[i]; e.Playable() || e.Err != "" {
			out = append(out, entryOf(e))
		}
	}
	return out, nil
}

func entryOf(e *library.Entry) casting.Entry {
	out := casting.Entry{
		ID: e.ID, Title: cmp.Or(e.Title, e.Name), Name: e.Name, User: e.User, Kind: string(e.Kind), Path: e.Path,
		Creator: e.Creator, Language: e.Language, Blurb: e.Blurb, Tags: e.Tags,
		Greetings: e.Greetings, Lore: e.Lore, Tokens: e.Tokens,
		Favourite: e.Favourite, HasPicture: e.HasPicture, Duplicates: e.Duplicates, Fault: e.Err,
	}
	if len(e.OwnTags) > 0 {
		out.Tags = append(append([]string(nil), e.OwnTags...), e.Tags...)
	}
	if !e.Playable() && out.Fault == "" {
		out.Fault = fmt.Sprintf("it is a %s and has nobody to play", e.Kind)
	}
	return out
}

// Stage reads an entry's file and puts it on stage.
func (s *shelf) Stage(_ context.Context, id string, p casting.Play) (casting.Staging, error) {
	e, err := s.lib.Find(id)
	if err != nil {
		return casting.Staging{}, err
	}
	scene, _, err := s.lib.Scene(e, card.PlayOptions{Seed: uint64(p.Seed)})
	if err != nil {
		return casting.Staging{}, err
	}
	st, err := casting.Stage(scene, p)
	st.Tokens = e.Tokens
	return st, err
}

// Picture returns the bytes of an entry's picture.
func (s *shelf) Picture(_ context.Context, id string) ([]byte, error) {
	if id != "" && id == s.given.ID {
		data, _, err := s.lib.Picture(s.given)
		return data, err
	}
	e, err := s.lib.Find(id)
	if err != nil {
		return nil, err
	}
	data, _, err := s.lib.Picture(e)
	return data, err
}

// Favour makes an entry a favourite, or none.
func (s *shelf) Favour(id string, on bool) error {
	e, err := s.lib.Find(id)
	if err != nil {
		return err
	}
	return s.lib.SetFavourite(e, on)
}

// played notes that a card is played now. What cannot be noted is no reason not
// to play.
func (s *shelf) played(id string) {
	if e, err := s.lib.Find(id); err == nil {
		_ = s.lib.Play(e, time.Now())
	}
}

// Import copies a file into the library.
func (s *shelf) Import(ctx context.Context, path string) (casting.Entry, string, error) {
	var all []library.Imported
	err := s.lib.Import(ctx, []string{path}, library.ImportOptions{To: s.to}, func(i library.Imported) { all = append(all, i) })
	if err != nil {
		return casting.Entry{}, "", err
	}
	var last *library.Imported
	taken, there, failed := 0, 0, 0
	for i := range all {
		switch all[i].Outcome {
		case library.Failed:
			failed++
			continue
		case library.Duplicate:
			there++
		default:
			taken++
		}
		last = &all[i]
	}
	switch {
	case last == nil && failed > 0:
		return casting.Entry{}, "", all[0].Err
	case last == nil:
		return casting.Entry{}, "", fmt.Errorf("%s holds no card", path)
	}
	e, err := s.lib.Find(last.To)
	if err != nil {
		return casting.Entry{}, "", err
	}
	entry := entryOf(&e)
	told := fmt.Sprintf("%s is in the library now", entry.Title)
	switch {
	case taken+there > 1:
		told = fmt.Sprintf("%d taken in from %s, %d were there already", taken, filepath.Base(path), there)
	case there == 1:
		told = fmt.Sprintf("%s is in the library already", entry.Title)
	}
	if failed > 0 {
		told += fmt.Sprintf("; %d could not be read", failed)
	}
	return entry, told, nil
}

var _ casting.Shelf = (*shelf)(nil)
