package stage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// settled is a stage with two judged turns.
func settled(t testing.TB, w, h int, change ...func(*Options)) *prop {
	p := set(t, w, h, change...)
	p.duel.Know("one", "two")
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.tell(judgedTurn(2, "two", stagetest.Agreeing())...)
	p.screen(t)
	return p
}

var jobNames = [...]string{"note", "line", "reply"}

// directing writes what the keys of directing change, as one line.
func (p *prop) directing() string {
	s := focusNames[p.focus]
	if j := p.job; j != nil {
		s += " job=" + jobNames[j.kind]
		if j.turn > 0 {
			s += fmt.Sprint(j.turn)
		}
	}
	if p.sheet != nil {
		s += " " + strings.TrimPrefix(p.sheet.scope(), "panel.")
	}
	if v := p.writer.area.Value(); v != "" {
		s += fmt.Sprintf(" text=%q", v)
	}
	if calls := p.duel.Calls(); len(calls) > 0 {
		s += " calls=" + strings.Join(calls, ",")
	}
	for _, a := range p.asked {
		if b, ok := a.(Branch); ok {
			s += " branch=" + branchWord(b)
		}
	}
	return s
}

// branchWord writes a branch: where from, how much past, what of it is new.
func branchWord(b Branch) string {
	s := fmt.Sprintf("%s/%d past=%d", b.From.DuelID, b.From.Turn, len(b.Past))
	if n := len(b.Past); n > 0 && n < b.From.Turn && b.Past[n-1].Edited {
		b.Past = nil // changed in a duel before
	}
	if b.Line != "" {
		s += fmt.Sprintf(" line=%q", b.Line)
	}
	if b.Say {
		s += " say"
	}
	if n := len(b.Past); n > 0 && b.Past[n-1].Edited {
		s += " edited"
		for _, seg := range b.Past[n-1].Reply {
			s += fmt.Sprintf(" %s:%q", seg.Layer, seg.Text)
		}
		s += " by " + b.Past[n-1].By
	}
	if b.Contestants != nil {
		s += " " + b.Contestants[0].Name + "|" + b.Contestants[1].Name
	}
	if b.Critic != nil {
		s += " critic=" + *b.Critic
	}
	return s
}

func TestKeysOfDirecting(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"alt+n", "composer job=note"},
		{"alt+n 'rain enter", "composer calls=direct ,direct rain"},
		{"alt+n 'rain esc", "composer"},
		{"alt+n enter", "composer"},
		{"'draft alt+n", "composer job=note text=\"\""},
		{"'draft alt+n 'x esc", `composer text="draft"`},
		{"'draft alt+n 'x enter", `composer text="draft" calls=direct ,direct x`},
		{"tab alt+n 'p", `composer job=note text="p"`},
		{"alt+n 1", `composer job=note text="1"`},
		{"alt+e", `composer job=line2 text="two"`},
		{"alt+e '! enter", `composer branch=06duel/1 past=1 line="two!" say`},
		{"alt+e ctrl+u enter", "composer job=line2"},
		{"alt+e esc", "composer"},
		{"alt+e alt+n esc", "composer"},
		{"'draft alt+e alt+n esc", `composer text="draft"`},
		{"tab [ alt+e", `composer job=line1 text="one"`},
		{"tab [ alt+e '! enter", `composer branch=06duel/0 past=0 line="one!" say`},
		{"alt+g", "composer branch=06duel/2 past=2"},
		{"tab b", "A branch=06duel/2 past=2"},
		{"tab [ b", "A branch=06duel/1 past=1"},
		{"tab tab e", `composer job=reply2 text="Good evening, Captain Roe. We have one berth left. Would you like to book it?"`},
		{"tab tab e ctrl+u '*nods* 'No. enter", `composer branch=06duel/2 past=2 edited act:"nods" speech:"No." by plain-8b`},
		{"tab tab e ctrl+u enter", "composer job=reply2"},
		{"alt+i", "composer calls=impersonate 0"},
		{"alt+a", "composer auto"},
		{"alt+a enter", "composer calls=auto 0 5"},
		{"alt+a down right right enter", "composer calls=auto 1 7"},
		{"alt+a down up left enter", "composer calls=auto 0 4"},
		{"alt+a 1 2 enter", "composer calls=auto 0 12"},
		{"alt+a 1 2 3 enter", "composer calls=auto 0 3"},
		{"alt+a 0 enter", "composer calls=auto 0 1"},
		{"alt+a esc", "composer"},
		{"alt+a q", "composer"},
		{"alt+a tab", "composer auto"},
		{"alt+c", "composer"},
		{"alt+s", "composer sampling"},
		{"alt+k", "composer tally"},
		{"alt+k enter", "composer"},
		{"alt+w", "composer cast"},
		{"alt+w enter", "composer cast"},
		{"alt+w right enter", "composer branch=06duel/2 past=2 plain-8b|plain-8b"},
		{"alt+w down left down right enter", "composer branch=06duel/2 past=2 her-rl|her-rl critic="},
		{"alt+t", "composer"},
		{"alt+h", "composer"},
		{"alt+0", "composer"},
	} {
		p := settled(t, 120, 40, func(o *Options) {
			o.Offer = func() ([]arena.Contestant, []Critic) {
				c := stagetest.Contestants()
				return c[:], []Critic{{Name: "house", Label: "house critic"}, {}}
			}
		})
		p.press(strings.Fields(c.keys)...)
		want := strings.TrimSuffix(c.want, ` text=""`)
		if got := p.directing(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, want)
		}
		p.screen(t)
	}
}

func TestNothingIsBranchedWhileAReplyIsWritten(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"alt+g", "alt+e '! enter", "alt+w right enter", "alt+i"} {
		p := settled(t, 120, 40, func(o *Options) {
			o.Offer = func() ([]arena.Contestant, []Critic) { c := stagetest.Contestants(); return c[:], nil }
		})
		p.tell(opened(3, "three"), started(3, arena.A, 0), started(3, arena.B, 0))
		p.press(strings.Fields(keys)...)
		if got := p.directing(); strings.Contains(got, "branch") || strings.Contains(got, "impersonate") || len(p.notices) != 1 {
			t.Errorf("%s: %s, %q", keys, got, p.notices)
		}
	}
}

func TestANoteWaitsAboveTheComposer(t *testing.T) {
	t.Parallel()
	p := settled(t, 80, 24)
	p.tell(arena.Directed{Note: "It rains.\x1b]52;c;eA==\x07"})
	if s := p.screen(t); !strings.Contains(s, "note with your next line: It rains.") || strings.Contains(s, "52;c") {
		t.Errorf("the note does not wait:\n%s", s)
	}
	p.press("alt+n")
	if v := p.writer.area.Value(); v != "It rains." {
		t.Errorf("the note is written on as %q", v)
	}
	p.press("ctrl+u", "enter")
	if calls := p.duel.Calls(); len(calls) != 1 || calls[0] != "direct " {
		t.Errorf("an empty note asks for %q", calls)
	}
	p.tell(arena.TurnStarted{Turn: arena.Turn{ID: "t3", Number: 3, Line: "three", Note: "It rains.", Seats: [2]int{0, 1}, Canon: -1}})
	if s := p.screen(t); strings.Contains(s, "note with your next line") || !strings.Contains(s, "director: It rains.") {
		t.Errorf("the note does not go with its line:\n%s", s)
	}
}

func TestAModelWritesIntoTheComposer(t *testing.T) {
	t.Parallel()
	p := settled(t, 100, 30)
	p.press("'my draft")
	p.duel.Line = "I would rather wait."
	p.duel.Step = time.Hour // the words come from the test
	cmd := p.Update(pressed("alt+i"))
	if cmd == nil || p.ghost == nil {
		t.Fatal("no model writes")
	}
	p.tell(arena.LineDelta{Text: "I would"})
	if s := p.screen(t); !strings.Contains(s, "› I would") || !strings.Contains(s, "her-rl writes your line") {
		t.Errorf("the growing line is not shown:\n%s", s)
	}
	p.press("'x", "enter", "1") // nothing of this is the person's
	if calls := p.duel.Calls(); len(calls) != 0 {
		t.Errorf("keys did %q", calls)
	}
	p.tell(arena.LineDelta{Text: "I would rather wait."}, arena.LineEnded{By: "her-rl", Text: "I would rather wait."})
	if v := p.writer.area.Value(); v != "I would rather wait." || p.ghost != nil {
		t.Fatalf("composer %q", v)
	}
	p.press("' Outside.", "enter")
	if calls := p.duel.Calls(); len(calls) != 1 || calls[0] != "say I would rather wait. Outside." {
		t.Errorf("calls %q", calls)
	}
	p.press("up", "up")
	if v := p.writer.area.Value(); v != "my draft" {
		t.Errorf("the draft is gone: %q", v)
	}
}

func TestEscStopsAModelsLineAndKeepsWhatThereIs(t *testing.T) {
	t.Parallel()
	p := settled(t, 100, 30)
	p.duel.Line, p.duel.Step = "one two three", 20*time.Millisecond
	answer := make(chan tea.Msg, 1)
	cmd := p.Update(pressed("alt+i"))
	go func() { answer <- cmd() }()
	p.tell(arena.LineDelta{Text: "one "})
	p.press("esc")
	select {
	case msg := <-answer:
		p.hear(msg)
	case <-time.After(5 * time.Second):
		t.Fatal("esc does not stop the line")
	}
	if v := p.writer.area.Value(); v != "one" || p.ghost != nil || len(p.notices) > 0 {
		t.Errorf("composer %q, notices %q", v, p.notices)
	}
}

func TestTheOtherModelWritesWhenAskedAgain(t *testing.T) {
	t.Parallel()
	p := settled(t, 100, 30)
	p.duel.Line = "A line."
	for _, want := range []string{"impersonate 0", "impersonate 1", "impersonate 0"} {
		p.press("alt+i")
		p.tell(arena.LineEnded{Text: "A line."})
		calls := p.duel.Calls()
		if got := calls[len(calls)-1]; got != want {
			t.Errorf("asked for %q, want %q", got, want)
		}
	}
	p.press("'changed", "alt+i")
	if calls := p.duel.Calls(); calls[len(calls)-1] != "impersonate 0" {
		t.Errorf("a changed line is no reason to ask the other: %q", calls)
	}
}

func TestALineThatFailedSaysWhy(t *testing.T) {
	t.Parallel()
	p := settled(t, 100, 30)
	p.duel.Line = ""
	p.press("alt+i")
	p.tell(arena.LineEnded{Fault: &arena.Fault{Message: "none"}})
	if len(p.notices) != 1 || !strings.Contains(p.notices[0], "wrote no line") || p.ghost != nil {
		t.Errorf("notices %q, ghost %v", p.notices, p.ghost)
	}
}

func TestAModelPlaysThePerson(t *testing.T) {
	t.Parallel()
	p := settled(t, 120, 40)
	p.tell(arena.AutoChanged{By: "her-rl", Left: 3})
	if s := p.screen(t); !strings.Contains(s, "her-rl plays Captain Roe: 3 turns to come") || !strings.Contains(s, "thinks of a line") {
		t.Errorf("who plays is not told:\n%s", s)
	}
	p.tell(arena.LineDelta{Text: "Let me"})
	p.press("'hello", "enter")
	if s := p.screen(t); !strings.Contains(s, "› Let me") || strings.Contains(s, "hello") {
		t.Errorf("the line is not shown:\n%s", s)
	}
	p.tell(arena.AutoChanged{By: "her-rl", Left: 0}, arena.TurnStarted{Turn: arena.Turn{Number: 3, Line: "Let me in.", Auto: "her-rl", Seats: [2]int{0, 1}, Canon: -1}})
	p.tell(started(3, arena.A, 0), started(3, arena.B, 0))
	if s := p.screen(t); !strings.Contains(s, "the last turn") || !strings.Contains(s, "both sides reply") || !strings.Contains(s, "written by her-rl") {
		t.Errorf("the last turn is not told:\n%s", s)
	}
	p.tell(arena.AutoChanged{By: "her-rl", Why: "both replies failed"})
	if s := p.screen(t); strings.Contains(s, "plays Captain Roe") || p.scripted() {
		t.Errorf("the person does not play again:\n%s", s)
	}
	for _, cmd := range p.Stage.take(p.play.apply(arena.AutoChanged{By: "her-rl", Why: "both replies failed"}, p.now)) {
		p.run(cmd)
	}
	if len(p.notices) != 1 || p.notices[0] != "you play again: both replies failed" {
		t.Errorf("notices %q", p.notices)
	}
}

func TestKeysWhileAModelPlays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"p", "pause true"},
		{"space", "pause true"},
		{"s", "step"},
		{"x", "stop auto"},
		{"esc", "stop auto"},
		{"1", "vote a"},
		{"alt+2", "vote b"},
		{"alt+a right enter", "auto 0 6"},
		{"z", ""},
	} {
		p := settled(t, 120, 40)
		p.tell(arena.AutoChanged{By: "her-rl", Left: 3})
		p.press(strings.Fields(c.keys)...)
		if got := strings.Join(p.duel.Calls(), ","); got != c.want {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
		if v := p.writer.area.Value(); v != "" {
			t.Errorf("%s wrote %q", c.keys, v)
		}
	}
	p := settled(t, 120, 40)
	p.tell(arena.AutoChanged{By: "her-rl", Left: 3, Paused: true})
	p.press("p")
	if got := p.duel.Calls(); len(got) != 1 || got[0] != "pause false" {
		t.Errorf("paused, p asks for %q", got)
	}
}

func TestTheNamesAreShownWhenAskedTwice(t *testing.T) {
	t.Parallel()
	p := settled(t, 120, 40, func(o *Options) { o.Blind = true })
	p.press("alt+h")
	if len(p.duel.Calls()) != 0 || len(p.notices) != 1 || !strings.Contains(p.notices[0], "do not count") {
		t.Fatalf("asked once: %q, %q", p.duel.Calls(), p.notices)
	}
	p.press("tab", "alt+h") // another key lies between
	if len(p.duel.Calls()) != 0 {
		t.Fatal("the names are shown though another key lay between")
	}
	p.press("alt+h")
	if calls := p.duel.Calls(); len(calls) != 1 || calls[0] != "reveal" {
		t.Fatalf("calls %q", calls)
	}
	if s := p.screen(t); strings.Contains(s, "her-rl") {
		t.Errorf("shown before the duel knows:\n%s", s)
	}
	p.tell(arena.Revealed{})
	if s := p.screen(t); !strings.Contains(s, "A  her-rl") || !strings.Contains(s, "names shown") || !strings.Contains(s, "it was plain-8b") {
		t.Errorf("the names are not shown:\n%s", s)
	}
}

func TestSwipesKeepTheirVerdicts(t *testing.T) {
	t.Parallel()
	p := set(t, 140, 50)
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseA, Counted: true}})
	p.tell(started(1, arena.A, 1))
	if s := p.screen(t); !strings.Contains(s, "‹2/2›") || strings.Contains(s, "your vote") {
		t.Fatalf("a new round is not begun:\n%s", s)
	}
	p.tell(ended(1, arena.A, 1, stagetest.Bare()), arena.RulingStarted{Turn: 1, Critic: "house"})
	r := stagetest.Sum(stagetest.Flipping())
	p.tell(arena.RulingEnded{Turn: 1, Ruling: r})
	if s := p.screen(t); !strings.Contains(s, "flip") {
		t.Fatalf("the new verdict is not shown:\n%s", s)
	}
	p.press("tab", "left")
	s := p.screen(t)
	for _, want := range []string{"‹1/2›", "your vote", "the critic's choice then", "soaked to the bone", "A better", "you A"} {
		if !strings.Contains(s, want) {
			t.Errorf("the earlier reply lacks %q:\n%s", want, s)
		}
	}
	p.press("right")
	if s := p.screen(t); !strings.Contains(s, "‹2/2›") || strings.Contains(s, "your vote") || !strings.Contains(s, "flip") {
		t.Errorf("the later reply does not come back with its verdict:\n%s", s)
	}
	p.tell(started(1, arena.B, 1), ended(1, arena.B, 1, stagetest.Layered()))
	at := func() [2]int { return [2]int{p.play.turns[0].columns[0].at, p.play.turns[0].columns[1].at} }
	for _, c := range []struct {
		key  string
		want [2]int
	}{{"left", [2]int{0, 0}}, {"right", [2]int{1, 0}}, {"right", [2]int{1, 0}}, {"tab", [2]int{1, 0}}, {"right", [2]int{1, 1}}, {"left", [2]int{1, 0}}, {"shift+tab", [2]int{1, 0}}, {"left", [2]int{0, 0}}} {
		p.press(c.key)
		if at() != c.want {
			t.Errorf("%s shows the replies %v, want %v", c.key, at(), c.want)
		}
	}
	p.play.turns[0].earlier = nil // nothing came of them
	p.press("right", "left")
	if s := p.screen(t); !strings.Contains(s, apart) {
		t.Errorf("a pair of which nothing is known is given a verdict:\n%s", s)
	}
}

func TestGoingOnWithABrokenReply(t *testing.T) {
	t.Parallel()
	cut := stagetest.Layered()
	cut.Finish = arena.FinishLength
	for _, c := range []struct {
		keys string
		b    stagetest.Take
		want string
	}{
		{"alt+c", stagetest.Bare(), "continue A"},
		{"alt+c", cut, "continue A,continue B"},
		{"tab tab alt+c", cut, "continue B"},
		{"tab tab alt+c", stagetest.Bare(), ""},
	} {
		p := set(t, 120, 40)
		p.tell(opened(1, "one"), started(1, arena.A, 0), started(1, arena.B, 0), ended(1, arena.A, 0, cut), ended(1, arena.B, 0, c.b))
		if s := p.screen(t); !strings.Contains(s, "alt+c goes on with it") {
			t.Errorf("that one can go on is not told:\n%s", s)
		}
		p.press(strings.Fields(c.keys)...)
		if got := strings.Join(p.duel.Calls(), ","); got != c.want {
			t.Errorf("%s: %q, want %q", c.keys, got, c.want)
		}
	}
}

// plainDuel hides all but what Duel asks for.
type plainDuel struct{ Duel }

func TestAPlainDuelCannotBeDirected(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40, func(o *Options) { o.Duel = plainDuel{o.Duel} })
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	for _, key := range []string{"alt+n", "alt+i", "alt+a", "alt+c", "alt+e", "alt+g", "alt+t", "alt+w", "alt+s", "alt+h"} {
		p.press(key)
		if got := p.directing(); got != "composer" || p.sheet != nil {
			t.Errorf("%s: %s", key, got)
		}
	}
	for _, e := range p.Commands() {
		if e.Name == "stage.note" && e.Possible {
			t.Error("the palette offers a note")
		}
	}
}

func past() []arena.PastTurn {
	return []arena.PastTurn{
		{Line: "I come for the berth.", Note: "It is late.", Reply: stagetest.Layered().Segments, By: "her-rl"},
		{Line: "Then sell it.", Reply: []layers.Segment{{Layer: layers.Speech, Text: "No."}}, By: "plain-8b", Edited: true},
	}
}

func TestThePastStandsAboveTheFirstTurn(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 60, func(o *Options) {
		o.Duel.(*stagetest.Duel).Before = past()
		o.Origin = arena.Origin{DuelID: "06origin\x1b[2J", Turn: 2}
	})
	p.tell(judgedTurn(3, "three", stagetest.Agreeing())...)
	s := p.screen(t)
	for _, want := range []string{"history, 2 turns from duel 06origin", "director: It is late.", "I come for the berth.", "by plain-8b, changed by you", "turn 3", "from here on it is this duel"} {
		if !strings.Contains(s, want) {
			t.Errorf("the past lacks %q:\n%s", want, s)
		}
	}
	if strings.Contains(s, "stay wary") {
		t.Errorf("plans of the past are shown:\n%s", s)
	}
	p.press("up", "up")
	if v := p.writer.area.Value(); v != "I come for the berth." {
		t.Errorf("the lines of the past are not at hand: %q", v)
	}
	blind := set(t, 120, 60, func(o *Options) { o.Duel.(*stagetest.Duel).Before, o.Blind = past(), true })
	if s := blind.screen(t); strings.Contains(s, "by plain-8b") {
		t.Errorf("a blind duel tells who wrote its past:\n%s", s)
	}
	first := set(t, 120, 40, func(o *Options) { o.Duel.(*stagetest.Duel).Before = past() })
	first.press("alt+e", "'!", "enter")
	if got := first.directing(); got != `composer branch=06duel/1 past=1 line="Then sell it.!" say` {
		t.Errorf("the last line of the past: %s", got)
	}
}

func TestABranchBeginsWithItsLine(t *testing.T) {
	t.Parallel()
	p := set(t, 100, 30, func(o *Options) { o.Line, o.Say = "Again.", true })
	p.run(p.Init())
	if calls := p.duel.Calls(); len(calls) != 1 || calls[0] != "say Again." {
		t.Errorf("calls %q", calls)
	}
	q := set(t, 100, 30, func(o *Options) { o.Line = "Again." })
	if v := q.writer.area.Value(); v != "Again." || len(q.duel.Calls()) != 0 {
		t.Errorf("composer %q, calls %q", v, q.duel.Calls())
	}
}

func family2() []ledger.Kin {
	when := time.Date(2026, 3, 1, 20, 15, 0, 0, time.UTC)
	names := [2]string{"her-rl", "plain-8b"}
	return []ledger.Kin{
		{ID: "06root", Contestants: names, Critic: "house", Started: when, Past: past()[:1], Turns: []ledger.KinTurn{
			{Number: 2, Line: "Then sell it.", Seats: [2]int{0, 1}, Vote: arena.ChoseA, Ruling: arena.ChoseB}, {Number: 3, Line: "Wait.", Auto: "her-rl", Vote: arena.BothBad},
		}},
		{ID: "06duel", Origin: arena.Origin{DuelID: "06root", Turn: 2}, Contestants: names, Critic: "house", Started: when.Add(time.Hour), Past: past(), Turns: []ledger.KinTurn{
			{Number: 3, Line: "one", Ruling: arena.Tie},
		}},
		{ID: "06leaf", Origin: arena.Origin{DuelID: "06duel", Turn: 3}, Contestants: [2]string{"her-rl", "\x1b[31mother"}, Critic: "her-rm", Started: when.Add(2 * time.Hour)},
	}
}

// TestKeysInTheTree goes through the rows: root, 1 (past), 2, 3, duel, 3, leaf.
func TestKeysInTheTree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		{"", "composer branches"},
		{"enter", "composer branch=06duel/3 past=2"},
		{"up enter", "composer branch=06duel/3 past=2"},
		{"up up enter", "composer branch=06root/3 past=0"},
		{"up up up enter", "composer branch=06root/2 past=0"},
		{"up up up up enter", "composer branch=06root/1 past=0"},
		{"pgup enter", "composer branch=06root/3 past=0"},
		{"down enter", "composer branch=06leaf/0 past=0"},
		{"pgdown pgdown enter", "composer branch=06leaf/0 past=0"},
		{"e", `composer job=line3 text="one"`},
		{"e '! enter", `composer branch=06duel/2 past=2 line="one!" say edited speech:"No." by plain-8b`},
		{"up up e '! enter", `composer branch=06root/2 past=0 line="Wait.!" say`},
		{"up e", "composer branches"},
		{"esc", "composer"},
	} {
		p := set(t, 120, 40, func(o *Options) {
			o.Duel.(*stagetest.Duel).Before = past()
			o.Family = func(context.Context, string) ([]ledger.Kin, error) { return family2(), nil }
		})
		p.press("alt+t")
		p.press(strings.Fields(c.keys)...)
		if got := p.directing(); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, c.want)
		}
		p.screen(t)
	}
}

func TestATreeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	p := settled(t, 80, 24, func(o *Options) {
		o.Family = func(context.Context, string) ([]ledger.Kin, error) { return nil, errors.New("the ledger is locked") }
	})
	p.press("alt+t", "down", "enter", "e")
	if s := p.screen(t); !strings.Contains(s, "the ledger is locked") || len(p.asked) > 0 {
		t.Errorf("the fault is not told:\n%s", s)
	}
}

// directed are the faces of directing.
var directed = []struct {
	name   string
	change func(*Options)
	act    func(p *prop)
}{
	{"note", nil, func(p *prop) { p.press("alt+n", "'It begins to rain.") }},
	{"noted", nil, func(p *prop) { p.tell(arena.Directed{Note: "It begins to rain."}) }},
	{"line", nil, func(p *prop) { p.press("alt+e") }},
	{"reply", nil, func(p *prop) { p.press("tab", "e") }},
	{"ghost", nil, func(p *prop) {
		p.duel.Step = time.Hour
		p.Update(pressed("alt+i"))
		p.tell(arena.LineDelta{Text: "*sets the lantern down* I can pay for the berth, and for the name on it"})
	}},
	{"playing", nil, func(p *prop) { p.tell(arena.AutoChanged{By: "her-rl", Left: 3, Paused: true}) }},
	{"autosheet", nil, func(p *prop) { p.press("alt+a") }},
	{"sampling", nil, func(p *prop) { p.press("alt+s", "right", "down", "down", "tab", "7") }},
	{"cast", nil, func(p *prop) { p.press("alt+w") }},
	{"tally", func(o *Options) {
		o.Contestants[0].Price = &arena.Price{Input: 0.2, Output: 0.6}
	}, func(p *prop) { p.press("alt+k") }},
	{"branches", func(o *Options) {
		o.Family = func(context.Context, string) ([]ledger.Kin, error) { return family2(), nil }
	}, func(p *prop) { p.press("alt+t") }},
	{"past", func(o *Options) {
		o.Duel.(*stagetest.Duel).Before, o.Origin = past(), arena.Origin{DuelID: "06origin", Turn: 2}
	}, func(*prop) {}},
	{"swipes", nil, func(p *prop) {
		p.tell(started(2, arena.A, 1), ended(2, arena.A, 1, stagetest.Bare()))
		p.press("tab", "left")
	}},
}

// TestGoldenDirecting draws each face of directing; -update writes them anew.
func TestGoldenDirecting(t *testing.T) {
	for _, s := range directed {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%s/%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				p := settled(t, size[0], size[1], orNothing(s.change))
				s.act(p)
				golden.RequireEqual(t, trimmed(p.screen(t)))
			})
		}
	}
}

func TestDirectingInASCIIAndAnySize(t *testing.T) {
	t.Parallel()
	for _, s := range directed {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {133, 30}} {
			p := settled(t, size[0], size[1], orNothing(s.change))
			p.SetLook(look.New(look.Options{ASCII: true}))
			s.act(p)
			for i, r := range p.screen(t) {
				if r > 0x7e {
					t.Errorf("%s %v: %q at byte %d:\n%s", s.name, size, r, i, p.screen(t))
					break
				}
			}
		}
	}
}

// TestHostileWordsInDirecting proves that nothing of what others write reaches
// the terminal as a command.
func TestHostileWordsInDirecting(t *testing.T) {
	t.Parallel()
	bad := "\x1b]52;c;ZXZpbA==\x07\x1b[2J\u202eolleh\u009b31m\r\n\tlast 长"
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		p := set(t, size[0], size[1], func(o *Options) {
			o.Duel.(*stagetest.Duel).Before = []arena.PastTurn{{Line: bad, Note: bad, By: bad, Reply: []layers.Segment{{Layer: layers.Act, Text: bad}, {Layer: layers.Speech, Text: bad}}}}
			o.Origin = arena.Origin{DuelID: bad, Turn: 1}
			o.Contestants[0].Name, o.Line = bad, bad
			o.Family = func(context.Context, string) ([]ledger.Kin, error) {
				return []ledger.Kin{{ID: "06duel", Contestants: [2]string{bad, bad}, Critic: bad, Turns: []ledger.KinTurn{{Number: 2, Line: bad, Auto: bad}}}}, nil
			}
			o.Offer = func() ([]arena.Contestant, []Critic) {
				return []arena.Contestant{{Name: bad}}, []Critic{{Name: bad, Label: bad}}
			}
		})
		check := func(what string) {
			t.Helper()
			frame := p.View()
			for _, c := range []string{"\x1b]", "\x1b[2J", "\u202e", "\u009b", "\r", "\a"} {
				if strings.Contains(frame, c) {
					t.Errorf("%s lets %q through:\n%q", what, c, frame)
				}
			}
			p.screen(t)
		}
		check("past")
		p.tell(arena.Directed{Note: bad})
		check("note")
		p.press("alt+n")
		check("writing a note")
		p.press("esc")
		p.tell(arena.TurnStarted{Turn: arena.Turn{Number: 2, Line: bad, Note: bad, Auto: bad, Seats: [2]int{0, 1}, Canon: -1}})
		check("turn")
		for _, key := range []string{"alt+t", "alt+w", "alt+s", "alt+k", "alt+a"} {
			p.press(key)
			check(key)
			p.press("esc")
		}
		p.ghost = &ghost{cancel: func() {}}
		p.tell(arena.LineDelta{Text: bad})
		check("line")
		p.tell(arena.LineEnded{Text: bad, By: bad})
		check("line taken")
		p.tell(arena.AutoChanged{By: bad, Left: 1}, arena.LineDelta{Text: bad})
		check("auto")
	}
}
