package plain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/arena/rehearsal"
	"herarena/characters"
	"herarena/judge/house"
	"herarena/tui/again"
	"herarena/tui/casting"
	"herarena/tui/page"
)

// players are the contestants of a rehearsal at a pace.
func players(t *testing.T, pace float64) []arena.Contestant {
	t.Helper()
	srv, err := rehearsal.Start(rehearsal.Options{Pace: pace})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	client, err := endpoint.New(endpoint.Config{Name: "rehearsal", BaseURL: srv.URL()})
	if err != nil {
		t.Fatal(err)
	}
	return []arena.Contestant{
		{
			Name: rehearsal.LeadModel, Model: rehearsal.LeadModel, Endpoint: srv.URL(), Dialect: layers.HER, Prefill: "<system_thinking>",
			Rehearsal: true, Player: client.Player(rehearsal.LeadModel),
		},
		{
			Name: rehearsal.UnderstudyModel, Model: rehearsal.UnderstudyModel, Endpoint: srv.URL(), Dialect: layers.Auto,
			Rehearsal: true, Player: client.Player(rehearsal.UnderstudyModel),
		},
	}
}

// rehearsed are options with a true duel of the rehearsal, kept in a ledger.
func rehearsed(t *testing.T, blind bool) (Options, *ledger.Ledger) {
	t.Helper()
	l, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	epoch := 0
	o := Options{
		Scenes: characters.Bundled(), Contestants: players(t, -1),
		Critics: []casting.CriticChoice{{Name: "house", Critic: house.New()}},
		Preset:  casting.Preset{SceneID: "ball", Canon: arena.CanonVote, Blind: blind},
		StartDuel: func(_ context.Context, c casting.Cast) (Duel, error) {
			epoch++
			return arena.NewDuel(arena.DuelOptions{
				Epoch: epoch, Scene: c.Scene, Contestants: c.Contestants, Critic: c.Critic.Critic, Canon: c.Canon, Blind: c.Blind,
				Seed: int64(epoch), Recorder: l, Past: c.Past, Origin: c.Origin,
			})
		},
		Export: func(ctx context.Context, id string, f page.Format) (string, error) {
			d, err := l.Duel(ctx, id)
			if err != nil {
				return "", err
			}
			return "/exports/" + page.FileName(&d.DuelRecord, f), nil
		},
		Again: func(_ context.Context, id string, turn int) (again.Options, error) {
			return again.Options{
				Critics: []string{"house"}, Before: &arena.Ruling{Critic: "house", Winner: arena.ChoseA, Agreement: arena.Agree},
				Judge: func(_ context.Context, a again.Ask, _ func(arena.Order, arena.Verdict)) (arena.Ruling, error) {
					if a.Critic == "nobody" {
						return arena.Ruling{}, fmt.Errorf("no critic is called nobody")
					}
					return arena.Ruling{Critic: a.Critic, Winner: arena.ChoseB, Agreement: arena.OneOrder, Rerun: fmt.Sprint(id, turn)}, nil
				},
			}, nil
		},
	}
	return o, l
}

// TestAWholeDuelIsDirectedByLines plays a true duel with notes, another reply, a
// model in the person's place, sampling, branches and everything else there is.
func TestAWholeDuelIsDirectedByLines(t *testing.T) {
	o, l := rehearsed(t, false)
	out, err := script(t, o,
		"/note It begins to rain.", "Good evening.", "/a", "/unvote", "/b",
		"/regen a", "/show a reply 1", "/show 1 a thoughts speech", "/show 1 b reply 7",
		"/write", "/send", "/again 1 house one", "/sampling a temperature 0.7 top_k 40", "/sampling",
		"/auto 2 b", "/find Good evening", "/export html", "/who",
		"/branch 1", "/edit 1 Good morning.", "/rewrite 1 *bows* The rain, sir, is Herefordshire's.", "What rain?", "/history",
	)
	if !strings.Contains(fmt.Sprint(err), "B has 1 reply in turn 1") {
		t.Errorf("the script ended with %v", err)
	}
	inOrder(t, out,
		"The director's note for your next line: It begins to rain.", "Turn 1. You say: Good evening.",
		"You vote: A.", "Your vote on turn 1 is taken back.", "You vote: B.", "Another reply is asked for.",
		"/show: B has 1 reply in turn 1.", "A model writes your next line.", "A line for you: ", "Turn 2. You say: ",
		"Turn 1 is judged again.", "Turn 1 again, house: B is better, one order asked. Before, house: A is better, both orders agree.",
		"temperature 0.7, top k 40", "plays you for 2 turns. /pause holds it", "Turn 3. ", "says for you: ", "Turn 4. ", "You play again: ",
		"Turn 1, you: Good evening.", "Written to /exports/", ".html", "A is ",
		"A branch, a duel of its own, goes on from the end of turn 1.", "Before, turn 1. Said: Good evening.",
		"begins at the beginning.", "note goes with the line: It begins to rain.", "Turn 1. You say: Good morning.",
		"goes on from the end of turn 1.", "Before, turn 1. ", "does: bows", "The rain, sir, is Herefordshire's.", "Turn 2. You say: What rain?",
		"The duel is kept: herarena log show ",
	)
	duels, err := l.Duels(t.Context(), ledger.Filter{})
	if err != nil || len(duels) != 4 {
		t.Fatalf("%d duels are kept: %v", len(duels), err)
	}
	first, err := l.Duel(t.Context(), duels[3].ID)
	if err != nil || len(first.Turns) != 4 || first.Turns[0].Note != "It begins to rain." {
		t.Errorf("the first duel has %d turns: %v", len(first.Turns), err)
	}
}

// TestAutoPlayIsHeldAndStepped holds a model that plays the person.
func TestAutoPlayIsHeldAndStepped(t *testing.T) {
	o, _ := rehearsed(t, false)
	out, err := script(t, o, "/pause", "Good evening.", "/auto 0", "/auto 3", "/step", "/pause", "/resume")
	if err == nil {
		t.Error("a pause of nothing is no fault")
	}
	contains(t, out, "/pause: no model plays you", "/auto: say for how many turns", "Turn 4. ", "You play again")
}

// TestWhoIsWhoIsKept asks in every way who is who in a blind duel before the
// vote, and then shows it.
func TestWhoIsWhoIsKept(t *testing.T) {
	o, _ := rehearsed(t, true)
	names := []string{o.Contestants[0].Name, o.Contestants[1].Name}
	out, err := script(t, o, "Good evening.", "/who", "/who 1", "/show", "/find evening", "/sampling", "/board", "/history")
	if err == nil {
		t.Error("the board of a blind duel is read out")
	}
	lacks(t, out, names...)
	contains(t, out, "nothing is told before your vote")
	out, _ = script(t, o, "Good evening.", "/reveal", "/who", "/reveal", "/a")
	contains(t, out, "Who is who is told from now on", "In turn 1, A is ", names[0], names[1], "/reveal: who is who is told already")
	out, _ = script(t, o, "Good evening.", "/a", "/who", "Well?", "/who 2")
	inOrder(t, out, "In turn 1, A is ", "Of 1 turn nothing is told")
}

// TestTheHelpIsCompleteAndTrue reads the help and finds every command in it with
// its words; a form that needs words says so when it gets none.
func TestTheHelpIsCompleteAndTrue(t *testing.T) {
	o, _ := rehearsed(t, false)
	out, _ := script(t, o, "/help", "/help auto", "/help nothing")
	var seen []string
	for _, c := range commands() {
		contains(t, out, c.form()+": "+c.does+".")
		if slices.Contains(seen, c.name) {
			t.Errorf("/%s is there twice", c.name)
		}
		seen = append(seen, c.name)
		if strings.HasPrefix(c.args, "[") || c.args == "" {
			continue
		}
		if got, err := script(t, o, "Good evening.", "/"+c.name); err == nil && c.name != "canon" && c.name != "stream" {
			t.Errorf("/%s without %s gave no word: %s", c.name, c.args, got)
		}
	}
	contains(t, out, "There is no command /nothing.")
}

// TestNoCommandStopsThePlay feeds every command every sort of words, in play and
// before the first turn: nothing panics, and the play goes on.
func TestNoCommandStopsThePlay(t *testing.T) {
	o, _ := rehearsed(t, false)
	var lines []string
	for _, c := range commands() {
		if c.name == "quit" {
			continue
		}
		for _, args := range []string{"", "1", "0", "-1", "99999999999999999999", "a", "c", "a b", "1 a", "x y z", "\x1b[2J", strings.Repeat("long ", 300), "temperature nan", "a temperature 9e99", "a stop x", "reply", "a reply 0", "md", "on"} {
			if c.name == "auto" && args == "1 a" {
				continue
			}
			lines = append(lines, "/"+c.name+" "+args)
		}
	}
	for _, first := range []string{"/who", "Good evening."} {
		out, err := script(t, o, append([]string{first}, append(lines, "And so we end.")...)...)
		if err == nil || !strings.Contains(out, "And so we end.") {
			t.Errorf("after %s the play ended: %v", first, err)
		}
		lacks(t, out, "\x1b")
	}
}

// TestAStopEndsWhateverRuns stops a line being written, a judgement given again
// and auto-play.
func TestAStopEndsWhateverRuns(t *testing.T) {
	o, _ := rehearsed(t, false)
	o.Contestants = players(t, 0)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out := &log{}
	o.In, o.Out, o.Person = r, out, true
	o.Given = Given{true, true, true, true, true, true}
	done := make(chan error, 1)
	go func() { done <- Run(t.Context(), o) }()
	heard := func(want string) {
		t.Helper()
		for range 600 {
			out.mu.Lock()
			text := out.text.String()
			out.mu.Unlock()
			if strings.Contains(text, want) {
				return
			}
			time.Sleep(25 * time.Millisecond)
		}
		t.Fatalf("%q is not heard:\n%s", want, out.text.String())
	}
	say := func(line string) { _, _ = w.WriteString(line + "\n") }
	heard("Your turn")
	say("/write")
	heard("A model writes")
	say("/stop")
	heard("Stopped; there is no line.")
	say("/auto 5")
	heard("plays you for 5 turns")
	say("/stop")
	heard("You play again")
	say("/quit")
	if err := <-done; err != nil {
		t.Error(err)
	}
	_ = w.Close()
	if bytes.Contains([]byte(out.text.String()), []byte("\x1b")) {
		t.Error("an escape is written")
	}
}

// TestTheSameTroubleIsToldOnce: a ledger that cannot be written any more does
// not drown the play.
func TestTheSameTroubleIsToldOnce(t *testing.T) {
	o, l := rehearsed(t, false)
	start := o.StartDuel
	o.StartDuel = func(ctx context.Context, c casting.Cast) (Duel, error) {
		d, err := start(ctx, c)
		return d, errors.Join(err, l.Close())
	}
	out, err := script(t, o, "Good evening.", "/a", "And now?")
	if err == nil || strings.Count(out, "Trouble: ") != 1 || !strings.Contains(out, "There was trouble ") || !strings.Contains(out, "Turn 2. You say: And now?") {
		t.Errorf("%v\n%s", err, out)
	}
}
