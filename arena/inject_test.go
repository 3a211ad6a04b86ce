package arena_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/characters/card"
)

const cardCases = "../characters/card/testdata/cases/"

// noon is the hour at which the scenes of these tests begin.
var noon = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

// carded puts a card on stage as the program does.
func carded(t *testing.T, path string, o characters.CastOptions) characters.Scene {
	t.Helper()
	f, err := card.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := f.Scene(card.PlayOptions{User: "Wren"})
	if err != nil {
		t.Fatal(err)
	}
	if o.Now.IsZero() {
		o.Now = noon
	}
	if s, err = s.Cast(o); err != nil {
		t.Fatal(err)
	}
	return s
}

// pair are two scripted contestants, one with HER's tags and one without.
func pair() (a, b *scripted, contestants [2]arena.Contestant) {
	a = &scripted{replies: []string{
		"<system_thinking>PLANCANARY</system_thinking><role_thinking>He knows. LAMPCANARY lamp</role_thinking>The fog is early, <role_action>rings the bell</role_action>Wren.",
		"<system_thinking>p</system_thinking>The gull saw it first. Mind the rope.",
		"<system_thinking>p</system_thinking>There is no secret door here.",
		"<system_thinking>p</system_thinking>Ask the tide.",
		"<system_thinking>p</system_thinking>Look: the lamp is out.",
		"<system_thinking>p</system_thinking>Enough.",
	}}
	b = &scripted{replies: []string{"*nods* Evening.", "*waits* Well?", "No.", "Perhaps.", "Yes.", "Good."}}
	contestants = [2]arena.Contestant{
		{Name: "her", Model: "her", Dialect: layers.HER, Prefill: "<system_thinking>", Player: a},
		{Name: "plain", Model: "plain", Dialect: layers.Asterisk, Player: b},
	}
	return a, b, contestants
}

var harbourLines = []string{"Here is the chart. Is it the fog?", "What tide do we have? A gull is on the rope.", "And the chart?", "Where is the secret door? Give me an example.", "Still the tide?", "Rope, chart, gull and tide."}

// play plays lines in a duel and returns it; the caller closes it.
func play(t *testing.T, o arena.DuelOptions, lines []string) *arena.Duel {
	t.Helper()
	d, err := arena.NewDuel(o)
	if err != nil {
		t.Fatal(err)
	}
	drain(d)
	for _, line := range lines {
		if err := d.Say(t.Context(), line); err != nil {
			t.Fatal(err)
		}
		if err := d.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func drain(d *arena.Duel) {
	go func() {
		for range d.Events() {
		}
	}()
}

// script writes the messages that a player got, call by call.
func script(p *scripted, name string) string {
	var b strings.Builder
	for i, call := range p.calls {
		fmt.Fprintf(&b, "######## %s, call %d\n", name, i+1)
		for _, m := range call.Messages {
			fmt.Fprintf(&b, "[%s]\n%s\n", m.Role, m.Content)
		}
	}
	return b.String()
}

// TestACardIsPlayedAsItAsks plays whole duels and compares what each contestant
// was sent with what was looked at once, message by message.
func TestACardIsPlayedAsItAsks(t *testing.T) {
	for _, c := range []struct {
		name, path string
		cast       characters.CastOptions
		lines      []string
	}{
		{"harbour", "testdata/harbour.json", characters.CastOptions{Seed: 7}, harbourLines},
		{"harbour-turns", "testdata/harbour.json", characters.CastOptions{Seed: 7, Examples: characters.ExamplesTurns}, harbourLines[3:4]},
		{"harbour-off", "testdata/harbour.json", characters.CastOptions{Seed: 7, Examples: characters.ExamplesOff}, harbourLines[:1]},
		{"v3", cardCases + "json_v3.json", characters.CastOptions{Seed: 3}, []string{"A storm, and the bell.", "Do ships sink here?", "Is there chalk?"}},
		{"png", cardCases + "png_v2_full.png", characters.CastOptions{Seed: 3}, []string{"A storm, and the bell."}},
		{"charx", cardCases + "charx_v3.charx", characters.CastOptions{Seed: 3}, []string{"The lighthouse, please."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b, contestants := pair()
			d := play(t, arena.DuelOptions{Scene: carded(t, c.path, c.cast), Contestants: contestants, Canon: arena.CanonA}, c.lines)
			defer d.Close()
			text := script(a, "her") + script(b, "plain")
			for _, never := range []string{"NEVER", "PLANCANARY", "{{", "@@", "<START>", "<USER>"} {
				if strings.Contains(text, never) {
					t.Errorf("%q reached a contestant", never)
				}
			}
			golden.RequireEqual(t, text)
		})
	}
}

// added is what a call holds beyond the reply's own history, so that contestants
// of different dialects can be compared.
func added(c arena.Call) string {
	system := c.Messages[0].Content
	if i := strings.Index(system, "===Output Format==="); i >= 0 {
		system = system[:i]
	}
	var b strings.Builder
	b.WriteString(system)
	for _, m := range c.Messages[1:] {
		if m.Role == "assistant" {
			b.WriteString("\n[assistant]")
			continue
		}
		b.WriteString("\n" + m.Role + " " + m.Content)
	}
	return b.String()
}

func TestBothContestantsGetTheSame(t *testing.T) {
	for seed := range uint64(20) {
		a, b, contestants := pair()
		d := play(t, arena.DuelOptions{Scene: carded(t, "testdata/harbour.json", characters.CastOptions{Seed: seed + 1}), Contestants: contestants, Canon: arena.CanonA, Blind: true, Seed: 5}, harbourLines)
		_ = d.Close()
		for i := range harbourLines {
			if diff := cmp.Diff(added(a.call(i)), added(b.call(i))); diff != "" {
				t.Fatalf("seed %d, turn %d (-A +B):\n%s", seed, i+1, diff)
			}
		}
	}
}

// TestTheSameIsSentAgain asks for replies again, branches, and goes on with a
// duel as it was recorded: the messages are the very same.
func TestTheSameIsSentAgain(t *testing.T) {
	a, _, contestants := pair()
	rec := newMemory()
	d := play(t, arena.DuelOptions{Scene: carded(t, "testdata/harbour.json", characters.CastOptions{Seed: 11}), Contestants: contestants, Canon: arena.CanonA, Recorder: rec, Seed: 1}, harbourLines)
	first := append([]arena.Call(nil), a.calls...)
	last := len(harbourLines) - 1
	if err := d.Regenerate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := d.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first[last].Messages, a.call(last+1).Messages); diff != "" {
		t.Errorf("asked for again (-first +again):\n%s", diff)
	}
	var scene characters.Scene
	if err := json.Unmarshal([]byte(rec.duels[0].SceneJSON), &scene); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]characters.Scene{"branch": d.Scene(), "recorded": scene} {
		for turn := range harbourLines {
			again, _, others := pair()
			again.replies = again.replies[turn:]
			// Another seed of the duel, and another hour: what is the scene's stays.
			recast, err := s.Cast(characters.CastOptions{Seed: 99, Now: noon.Add(time.Hour), Examples: characters.ExamplesOff})
			if err != nil {
				t.Fatal(err)
			}
			b := play(t, arena.DuelOptions{
				Scene: recast, Contestants: others, Canon: arena.CanonA, Seed: 77,
				Past: d.History(turn), Origin: arena.Origin{DuelID: d.ID(), Turn: turn},
			}, harbourLines[turn:turn+1])
			_ = b.Close()
			// A branch writes the whole past in its contestants' own words, as the duel does.
			if diff := cmp.Diff(added(first[turn]), added(again.call(0))); diff != "" {
				t.Fatalf("%s at turn %d (-duel +branch):\n%s", name, turn+1, diff)
			}
		}
	}
	_ = d.Close()
}

// TestWhatIsHiddenFiresNothing plants keys where nobody but one contestant can
// perceive them.
func TestWhatIsHiddenFiresNothing(t *testing.T) {
	a, b, contestants := pair()
	a.reasoning = "a lamp, a lamp"
	a.replies = []string{"<system_thinking>the lamp</system_thinking><role_thinking>lamp</role_thinking>Hm."}
	d := play(t, arena.DuelOptions{Scene: carded(t, "testdata/harbour.json", characters.CastOptions{Seed: 1}), Contestants: contestants, Canon: arena.CanonA}, []string{"So?", "And?"})
	_ = d.Close()
	for _, p := range []*scripted{a, b} {
		if text := script(p, ""); strings.Contains(text, "trims the lamp") {
			t.Errorf("a thought brought lore:\n%s", text)
		}
	}
}

// TestOwnHistoriesHaveTheirOwnLore is the canon policy "parallel", in which the
// two do not share what was said.
func TestOwnHistoriesHaveTheirOwnLore(t *testing.T) {
	a, b, contestants := pair()
	a.replies, b.replies = []string{"<system_thinking>p</system_thinking>The lamp!"}, []string{"Nothing."}
	d := play(t, arena.DuelOptions{Scene: carded(t, "testdata/harbour.json", characters.CastOptions{Seed: 1}), Contestants: contestants, Canon: arena.CanonParallel}, []string{"So?", "And?"})
	_ = d.Close()
	if !strings.Contains(script(a, ""), "trims the lamp") || strings.Contains(script(b, ""), "trims the lamp") {
		t.Errorf("lore follows another's history:\n%s\n%s", script(a, "a"), script(b, "b"))
	}
}

// TestPromptsOnlyGrow holds for cards that ask for nothing else: what was sent
// is the beginning of what is sent next, byte by byte.
func TestPromptsOnlyGrow(t *testing.T) {
	data, err := os.ReadFile("testdata/harbour.json")
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	fields := c["data"].(map[string]any)
	delete(fields, "character_book")
	delete(fields, "extensions")
	delete(fields, "post_history_instructions")
	data, _ = json.Marshal(c)
	path := t.TempDir() + "/bare.json"
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range []characters.ExampleForm{characters.ExamplesText, characters.ExamplesTurns, characters.ExamplesOff} {
		a, _, contestants := pair()
		d := play(t, arena.DuelOptions{Scene: carded(t, path, characters.CastOptions{Seed: 2, Examples: form}), Contestants: contestants, Canon: arena.CanonA}, harbourLines)
		_ = d.Close()
		for i := 1; i < len(harbourLines); i++ {
			before, now := a.call(i-1).Messages, a.call(i).Messages
			if diff := cmp.Diff(before, now[:len(before)]); diff != "" {
				t.Fatalf("%s, turn %d (-sent +sent next):\n%s", form, i+1, diff)
			}
		}
	}
}

// TestTheCriticKnowsTheLore gives the critic what both contestants knew.
func TestTheCriticKnowsTheLore(t *testing.T) {
	_, _, contestants := pair()
	critic := &fixedCritic{name: "c", answer: func(arena.Case) arena.Choice { return arena.First }}
	d := play(t, arena.DuelOptions{Scene: carded(t, "testdata/harbour.json", characters.CastOptions{Seed: 7}), Contestants: contestants, Critic: critic, Canon: arena.CanonA}, harbourLines[:1])
	defer d.Close()
	text := critic.cases[0].Context[0].Content
	for _, want := range []string{"Saltmere has no clocks.", "Fog comes in on the ebb.", "Old Hester rings", "The chart is out of date"} {
		if !strings.Contains(text, want) {
			t.Errorf("the critic is not told %q:\n%s", want, text)
		}
	}
	for _, never := range []string{"under 60 words", "bell rope", "never guesses"} {
		if strings.Contains(text, never) {
			t.Errorf("the critic is told %q, which is for the player", never)
		}
	}
	r := arena.Rejudgement{Scene: d.Scene(), Turn: d.Turns()[0], A: d.Turns()[0].Reply(arena.A), B: d.Turns()[0].Reply(arena.B)}
	again, err := r.Case()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(critic.cases[0].Context, again.Context); diff != "" {
		t.Errorf("judged again (-first +again):\n%s", diff)
	}
}

func TestAShortContextIsTold(t *testing.T) {
	told := func(o arena.DuelOptions, lines ...string) (out []string) {
		d, err := arena.NewDuel(o)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for e := range d.Events() {
				if e, ok := e.(arena.Trouble); ok {
					out = append(out, e.Err.Error())
				}
			}
		}()
		for _, line := range lines {
			if err := errors.Join(d.Say(t.Context(), line), d.Wait(t.Context())); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(20 * time.Millisecond) // Close drops what the channel still holds
		_ = d.Close()
		<-done
		return out
	}
	_, _, contestants := pair()
	o := arena.DuelOptions{Scene: carded(t, "testdata/harbour.json", characters.CastOptions{Seed: 7}), Contestants: contestants, Canon: arena.CanonA}
	if got := told(o, "Hello."); len(got) != 0 {
		t.Errorf("of contexts that are not known it is told %q", got)
	}
	o.Contestants[0].Context, o.Contestants[1].Context = 700, 100_000
	got := told(o)
	if len(got) != 1 || !strings.HasPrefix(got[0], "her has a context of 700 tokens; this prompt takes about ") {
		t.Errorf("as the duel starts it is told %q", got)
	}
	o.Contestants[0].Context = 1400
	if got := told(o); len(got) != 0 {
		t.Errorf("of a context that holds the beginning it is told %q", got)
	}
	got = told(o, strings.Repeat("A long line of many words. ", 100), "Hello.")
	if len(got) != 1 || !strings.HasPrefix(got[0], "her has a context of 1400 tokens") {
		t.Errorf("once it is full it is told %q", got)
	}
}
