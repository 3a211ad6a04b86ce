package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/characters"
	"herarena/characters/card"
	"herarena/tui/archive"
	"herarena/tui/casting"
)

const harbourCard = "../../arena/testdata/harbour.json"

// begun is a duel as the program starts it.
func begun(t *testing.T, th *theatre, c casting.Cast) *arena.Duel {
	t.Helper()
	d, err := th.startDuel(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	duel := d.(*arena.Duel)
	go func() {
		for range duel.Events() {
		}
	}()
	return duel
}

// TestACardGoesOnFromTheLedger plays a turn of a card and goes on with the duel
// as it was kept, elsewhere and with another seed: what the card brings is
// still there, and drawn as it was.
func TestACardGoesOnFromTheLedger(t *testing.T) {
	home(t)
	th := openTheatre(t)
	s, err := card.Load(harbourCard)
	if err != nil {
		t.Fatal(err)
	}
	all := th.roster.Contestants()
	c := casting.Cast{Scene: s, Contestants: [2]arena.Contestant{all[0], all[1]}, Canon: arena.CanonA}
	d := begun(t, th, c)
	if err := errors.Join(d.Say(t.Context(), "Is it the fog?"), d.Wait(t.Context()), d.Close()); err != nil {
		t.Fatal(err)
	}
	played := d.Scene()
	if played.Play == nil || played.Play.Seed == 0 || played.Play.Started.IsZero() || played.Play.ExampleForm != characters.ExamplesText {
		t.Fatalf("the scene was played without its lots: %+v", played.Play)
	}
	cast, err := th.goOn(context.Background(), archive.Continue{DuelID: d.ID()})
	if err != nil {
		t.Fatal(err)
	}
	th.app.cards.seed = 99
	on := begun(t, th, cast)
	defer on.Close()
	if diff := cmp.Diff(played, on.Scene()); diff != "" {
		t.Errorf("gone on with (-was +is):\n%s", diff)
	}
	if again := begun(t, th, c); again.Close() != nil || again.Scene().Play.Seed != 99 {
		t.Errorf("another duel has the seed %d", again.Scene().Play.Seed)
	}
}

func TestCardFlags(t *testing.T) {
	home(t)
	for args, want := range map[string]string{
		"--greeting 9 --scene " + harbourCard:                      "greeting must be from 0 to 1, not 9",
		"--greeting 1 --scene ball":                                "can be chosen for cards alone",
		"--greeting 1":                                             "wants a card: add --scene",
		"--examples some":                                          `--examples "some" is unknown (want text, turns or off)`,
		"cast show --prompt --examples x " + harbourCard:           `--examples "x" is unknown`,
		"cast show --prompt --contestant nobody " + harbourCard:    `no contestant is called "nobody"`,
		"cast show --prompt --as Ines --greeting 7 " + harbourCard: "greeting 7",
		"cast show --greeting 1 " + harbourCard:                    "--greeting is about the prompt: add --prompt",
		"cast show --line Hello. " + harbourCard:                   "--line is about the prompt: add --prompt",
		"cast export nobody.png":                                   `"nobody.png" is neither a file nor a scene`,
		"cast list is:favorit":                                     "the query's is:favorit is unknown: is: takes fav",
		"cast list ./nothing/here":                                 "./nothing/here is no folder and no file",
		"--as Ines --scene " + harbourCard:                         "Ines is whom the contestants play",
		"--greeting 1 --chat x.jsonl --scene " + harbourCard:       "leave one of them out",
	} {
		r := call(t, "Hello.\n", append([]string{"--plain"}, strings.Fields(args)...)...)
		if strings.HasPrefix(args, "cast") {
			r = call(t, "", strings.Fields(args)...)
		}
		if r.code == 0 || !strings.Contains(r.err, want) {
			t.Errorf("%s: code %d, %s\nwant %s", args, r.code, r.err, want)
		}
	}
	r := call(t, "Here is the chart.\n", "--plain", "--pace", "-1", "--scene", harbourCard, "--as", "Wren", "--greeting", "1", "--seed", "7")
	for _, want := range []string{"You play Wren opposite Ines", "does: The office is dark.", `says: "Mind the step, Wren."`} {
		if !strings.Contains(r.out, want) {
			t.Errorf("plain mode does not say %q:\n%s", want, r.out)
		}
	}
}

// TestPromptTellsOfLoreAndRoom is cast show --prompt for a contestant.
func TestPromptTellsOfLoreAndRoom(t *testing.T) {
	dir := home(t)
	cfg := dir + "/c.toml"
	if err := os.WriteFile(cfg, []byte("lore_share = 10\n[endpoints.e]\nurl = \"http://127.0.0.1:9\"\n[contestants.tiny]\nendpoint = \"e\"\nmodel = \"m\"\ndialect = \"her\"\ncontext = 200\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	doc := document(t, call(t, "", "--config", cfg, "cast", "show", "--prompt", "--json", "--contestant", "tiny", "--seed", "7", "--line", "A gull in the fog, and the chart.", harbourCard))
	if doc["dialect"] != "her" || doc["context"] != float64(200) || doc["seed"] != float64(7) {
		t.Errorf("it is for %v, %v, %v", doc["dialect"], doc["context"], doc["seed"])
	}
	in, why := 0, ""
	for _, l := range doc["lore"].([]any) {
		l := l.(map[string]any)
		if l["in"] == true {
			in += int(l["tokens"].(float64))
		}
		why += l["entry"].(string) + ": " + l["why"].(string) + "\n"
	}
	if in == 0 || in > 20 || !strings.Contains(why, "over the budget") || !strings.Contains(why, "its group chose") {
		t.Errorf("a tenth of 200 tokens holds %d tokens of lore:\n%s", in, why)
	}
	warned := false
	for _, w := range doc["warnings"].([]any) {
		warned = warned || w.(map[string]any)["code"] == "context_too_short"
	}
	if !warned {
		t.Error("nobody is warned of a context of 200 tokens")
	}
	plain := call(t, "", "--config", cfg, "cast", "show", "--prompt", "--contestant", "tiny", "--line", "A gull.", harbourCard)
	for _, want := range []string{"of a context of 200", "where it came from", "data.post_history_instructions", "\nlore\n", "warning: tiny has a context of 200 tokens"} {
		if !strings.Contains(plain.out, want) {
			t.Errorf("%q is not in\n%s", want, plain.out)
		}
	}
}
