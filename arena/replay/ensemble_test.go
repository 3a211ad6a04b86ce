package replay

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/characters"
)

// echo answers with the name it is asked to be, and as a stagehand with rain.
type echo struct{}

func (echo) Play(_ context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	text, _, _ := strings.Cut(strings.TrimPrefix(call.Messages[0].Content, "You are "), ".")
	if strings.HasPrefix(text, "the surroundings") {
		text = "Rain falls."
	}
	on(arena.Chunk{Text: text})
	return arena.Outcome{Content: text, Finish: arena.FinishStop, Complete: true}
}

// TestASceneOfSeveralComesBackFromTheLedger plays one, closes it, and compares
// what the ledger has of it with what the duel knew.
func TestASceneOfSeveralComesBackFromTheLedger(t *testing.T) {
	l, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	scene := characters.Scene{
		ID: "quay", Title: "Quay", Scenario: "A quay.", Character: characters.Character{Name: "Mara", Profile: "A smuggler."},
		User: characters.Character{Name: "Teller"}, Others: []characters.Character{{Name: "Ost"}}, Played: []string{"Ost"}, Environment: true,
	}
	d, err := arena.NewDuel(arena.DuelOptions{
		Scene: scene, Recorder: l, Stage: echo{}, Canon: arena.CanonA,
		Contestants: [2]arena.Contestant{{Name: "a", Player: echo{}, Dialect: layers.HER}, {Name: "b", Player: echo{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for range d.Events() {
		}
	}()
	for _, step := range []func() error{
		func() error { return d.SayTo(t.Context(), "Papers.", "Ost") },
		func() error { return d.GoOnAs(t.Context(), "Environment") },
		func() error { return d.GoOnAs(t.Context(), "Mara") },
		func() error { return d.GoOnAs(t.Context(), "Environment") },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		if err := d.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	knew := d.History(99)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	full, err := l.Duel(t.Context(), d.ID())
	if err != nil {
		t.Fatal(err)
	}
	kept := History(full, 0)
	if diff := cmp.Diff(append(knew, arena.PastTurn{Scenery: "Rain falls."}), kept); diff != "" {
		t.Error(diff)
	}
	if kept[0].Speaker != "Ost" || kept[1].Speaker != "Mara" || kept[1].Scenery != "Rain falls." || kept[1].Line != "" {
		t.Errorf("kept: %+v", kept)
	}
	if diff := cmp.Diff(kept, full.History(99)); diff != "" {
		t.Errorf("the ledger's own history differs: %s", diff)
	}
	all := Timeline(full, Options{})
	if e, ok := all[len(all)-1].Event.(arena.SceneryEnded); !ok || e.Text != "Rain falls." {
		t.Errorf("the replay ends with %T", all[len(all)-1].Event)
	}
	again, err := arena.NewDuel(arena.DuelOptions{
		Scene: Scene(&full.DuelRecord), Past: kept, Contestants: [2]arena.Contestant{{Name: "a", Player: echo{}}, {Name: "b", Player: echo{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if next := again.Next(); next == "" || next == characters.EnvironmentName {
		t.Errorf("the next after the rain is %q", next)
	}
	_ = again.Close()
}
