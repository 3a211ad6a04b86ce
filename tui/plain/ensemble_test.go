package plain

import (
	"context"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/tui/casting"
)

// lines is a stagehand that answers from a list, and tells of rain where it is
// asked for the surroundings.
type lines struct{ next []string }

func (l *lines) Play(_ context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	text := "Rain beats on\nthe windows."
	if !strings.HasPrefix(call.Messages[0].Content, "You are the surroundings") {
		text, l.next = l.next[0], l.next[1:]
	}
	on(arena.Chunk{Text: text})
	return arena.Outcome{Content: text, Finish: "stop", Complete: true}
}

// TestASceneOfSeveralIsPlayedByLines plays the ball with Jane as a second
// character, from a script, and from what was said before in a branch.
func TestASceneOfSeveralIsPlayedByLines(t *testing.T) {
	o, l := rehearsed(t, false)
	for i := range o.Scenes {
		if o.Scenes[i].ID == "ball" {
			o.Scenes[i].Played, o.Scenes[i].Environment = []string{"Jane Bennet"}, true
		}
	}
	stage := &lines{next: []string{"Next Speaker: Environment", "Next Speaker: Jane Bennet", "Next Speaker: Mr Darcy"}}
	epoch := 0
	o.StartDuel = castTo(stage, l, &epoch)
	out, err := script(t, o,
		"/next", "Good evening, Miss Bennet.", "/to jane bennet Are you well?", "/go", "/go", "/go Elizabeth Bennet",
		"/history", "/show 3", "/rewrite 3 Nobody may leave.", "/history")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	at := 0
	for _, want := range []string{
		"You play Mr Darcy opposite Elizabeth Bennet, Jane Bennet.",
		"It is likely to be your turn, as Mr Darcy.\n",
		"Turn 1. You say: Good evening, Miss Bennet.\n", "Elizabeth Bennet answers.\n", "A, rehearsal/lead, as Elizabeth Bennet, ",
		"Turn 2. You say: Are you well?\n", "Jane Bennet answers.\n", "B, rehearsal/understudy, as Jane Bennet, says: ",
		"It is being decided who goes on.\n", "Environment: Rain beats on the windows.\n", "Jane Bennet goes on.\n",
		"It is being decided who goes on.\n", "It is Mr Darcy's turn, which is yours.\n",
		"Turn 4. Elizabeth Bennet goes on.\n",
		"Turn 1. You say", "Elizabeth Bennet says: ", "Turn 2. You say", "Jane Bennet says: ", "Environment: Rain", "Turn 3. Jane Bennet goes on.", "Turn 4. Elizabeth Bennet goes on.",
		"Environment: Rain", "Turn 3. Jane Bennet goes on.", "A, rehearsal/lead, as Jane Bennet",
		"A branch, a duel of its own", "Before, turn 3. Environment: Rain", "Before, turn 3. Jane Bennet says: Nobody may leave.",
	} {
		i := strings.Index(out[at:], want)
		if i < 0 {
			t.Fatalf("%q is not said after\n%s\nin\n%s", want, out[max(0, at-200):at], out)
		}
		at += i + len(want)
	}
	for _, c := range []string{"/to Pim Hello.", "/to Jane Bennet", "/go Pim"} {
		o, l := rehearsed(t, false)
		o.StartDuel = castTo(nil, l, &epoch)
		if out, err := script(t, o, c); err == nil {
			t.Errorf("%s is taken:\n%s", c, out)
		}
	}
}

func castTo(stage arena.Player, rec arena.Recorder, epoch *int) func(context.Context, casting.Cast) (Duel, error) {
	return func(_ context.Context, c casting.Cast) (Duel, error) {
		*epoch++
		d, err := arena.NewDuel(arena.DuelOptions{
			Epoch: *epoch, Scene: c.Scene, Contestants: c.Contestants, Critic: c.Critic.Critic, Canon: c.Canon,
			Seed: int64(*epoch), Recorder: rec, Past: c.Past, Origin: c.Origin, Stage: stage,
		})
		if err != nil {
			return nil, err
		}
		return d, nil
	}
}
