package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"herarena/characters/card"
)

// TestACardFileTellsOfItself takes a card by its path, as --scene does, and shows
// what the library would show of it.
func TestACardFileTellsOfItself(t *testing.T) {
	home(t)
	path := filepath.Join("..", "..", "docs", "scenes", "keeper.png")
	scene, err := card.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	s := newShelf()
	e := s.give(path, scene.ID)
	if e == nil || e.ID != scene.ID || e.Path != path || e.Creator == "" || len(e.Tags) == 0 || e.Tokens == 0 || e.Lore != 4 || !e.HasPicture {
		t.Fatalf("the card tells %+v", e)
	}
	data, err := s.Picture(t.Context(), scene.ID)
	if err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Errorf("its picture is %d bytes: %v", len(data), err)
	}
	broken := filepath.Join(t.TempDir(), "broken.png")
	if err := os.WriteFile(broken, []byte("\x89PNG"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{"", "meryton-ball", "no/such.png", t.TempDir(), broken} {
		if e := newShelf().give(arg, "x"); e != nil {
			t.Errorf("%q tells %+v", arg, e)
		}
	}
}
