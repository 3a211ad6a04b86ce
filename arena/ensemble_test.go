package arena_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
)

// trio is a scene of three played characters, two of whose names are each
// other's beginnings.
func trio() characters.Scene {
	s := scene()
	s.Opening = ""
	s.Others = []characters.Character{
		{Name: "Ost", Profile: "Her brother.", Thoughts: "CANARYOSTMOTIVE"},
		{Name: "Ost the Elder", Profile: "Their father.", Thoughts: "CANARYELDERMOTIVE"},
		{Name: "Pim", Profile: "A dog."},
	}
	s.Played = []string{"Ost", "Ost the Elder"}
	s.Environment = true
	return s
}

// ensemble answers as whomever it is asked to be, with a thought and a plan of
// that one.
type ensemble struct {
	mu    sync.Mutex
	calls map[string][]arena.Call // by character
	order []string
	fail  bool
}

func (p *ensemble) Play(_ context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	who, _, _ := strings.Cut(strings.TrimPrefix(call.Messages[0].Content, "You are "), ".")
	p.mu.Lock()
	if p.calls == nil {
		p.calls = map[string][]arena.Call{}
	}
	p.calls[who] = append(p.calls[who], call)
	p.order = append(p.order, who)
	n, fail := len(p.order), p.fail
	p.mu.Unlock()
	if fail {
		return arena.Outcome{Fault: &arena.Fault{Kind: arena.Stalled, Message: "stalled"}}
	}
	mark := strings.ToUpper(strings.ReplaceAll(who, " ", ""))
	text := fmt.Sprintf("<system_thinking>CANARYPLAN%s</system_thinking>%s: <role_thinking>CANARYTHOUGHT%s</role_thinking><role_action>nods</role_action>Line %d.", mark, who, mark, n)
	on(arena.Chunk{Text: text})
	return arena.Outcome{Content: text, Finish: "stop", Complete: true}
}

// director is a stagehand that answers from lists.
type director struct {
	mu      sync.Mutex
	next    []string
	scenery []string
	asked   []arena.Call
	hold    chan struct{} // when not nil, an answer waits for it
	held    chan struct{}
	fault   *arena.Fault
}

func (p *director) Play(ctx context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	p.mu.Lock()
	p.asked = append(p.asked, call)
	list := &p.next
	if strings.HasPrefix(call.Messages[0].Content, "You are the surroundings") {
		list = &p.scenery
	}
	text := ""
	if len(*list) > 0 {
		text, *list = (*list)[0], (*list)[1:]
	}
	fault := p.fault
	p.mu.Unlock()
	if p.hold != nil {
		p.held <- struct{}{}
		select {
		case <-p.hold:
		case <-ctx.Done():
			return arena.Outcome{Fault: &arena.Fault{Kind: arena.Cancelled, Message: "stopped"}}
		}
	}
	if fault != nil {
		return arena.Outcome{Fault: fault}
	}
	on(arena.Chunk{Text: text})
	return arena.Outcome{Content: text, Finish: "stop", Complete: true}
}

func playing(t *testing.T, s characters.Scene, stage arena.Player, change func(*arena.DuelOptions)) (*heard, *ensemble) {
	t.Helper()
	p := &ensemble{}
	o := arena.DuelOptions{
		Scene: s, Seed: 5, Stage: stage, Critic: &fixedCritic{name: "rm", answer: firstIsBetter}, Recorder: newMemory(),
		Contestants: [2]arena.Contestant{contestant("a", p, layers.HER), contestant("b", &ensemble{}, layers.Asterisk)},
	}
	if change != nil {
		change(&o)
	}
	return start(t, o), p
}

// goOn lets the scene go on and returns what was chosen, once all is done.
func (h *heard) goOn() arena.NextChosen {
	h.t.Helper()
	if err := h.duel.GoOn(context.Background()); err != nil {
		h.t.Fatal(err)
	}
	return h.settled()
}

func (h *heard) settled() arena.NextChosen {
	h.t.Helper()
	c := h.until("choice", is[arena.NextChosen]).(arena.NextChosen)
	if !c.Person {
		h.over()
	}
	return c
}

// over waits for the end of the turn in play.
func (h *heard) over() {
	h.t.Helper()
	h.until("end of the turn", func(ev arena.Event) bool { return is[arena.RulingEnded](ev) || is[arena.RulingSkipped](ev) })
}

func (h *heard) line(text, to string) {
	h.t.Helper()
	if err := h.duel.SayTo(context.Background(), text, to); err != nil {
		h.t.Fatal(err)
	}
	h.over()
}

// TestEachCharacterSeesOnlyWhatItCan plays a scene and looks, for each character
// on each side, for words that only some of them may find.
func TestEachCharacterSeesOnlyWhatItCan(t *testing.T) {
	stage := &director{next: []string{"Next Speaker: Environment", "Next Speaker: Mara"}, scenery: []string{"A gull screams."}}
	h, a := playing(t, trio(), stage, func(o *arena.DuelOptions) { o.Canon = arena.CanonA })
	h.line("Papers, please.", "Mara")
	h.line("And you?", "ost")
	h.line("Father?", "Ost the Elder")
	if c := h.goOn(); c.Name != "Mara" || c.By != arena.NextByModel {
		t.Errorf("chosen: %+v", c)
	}
	if err := h.duel.GoOnAs(context.Background(), "Ost"); err != nil {
		t.Fatal(err)
	}
	h.settled()
	marks := map[string]string{"Mara": "MARA", "Ost": "OST", "Ost the Elder": "OSTTHEELDER"}
	motives := map[string]string{"Mara": "CANARYMOTIVE", "Ost": "CANARYOSTMOTIVE", "Ost the Elder": "CANARYELDERMOTIVE"}
	for who := range marks {
		last := a.calls[who][len(a.calls[who])-1]
		for of, mark := range marks {
			text := prompts(last)
			if strings.Contains(text, "CANARYPLAN") || strings.Contains(text, "CANARYUSERTHOUGHT") {
				t.Errorf("%s is told a plan or what the person thinks:\n%s", who, text)
			}
			spoke := slices.Contains(a.order[:len(a.order)-1], of) && (who != of || len(a.calls[who]) > 1)
			if got, want := strings.Contains(text, "CANARYTHOUGHT"+mark+"<"), who == of && spoke; got != want {
				t.Errorf("what %s thought is told to %s: %v, want %v:\n%s", of, who, got, want, text)
			}
			if got, want := strings.Contains(last.Messages[0].Content, motives[of]), who == of; got != want {
				t.Errorf("what moves %s is told to %s: %v", of, who, got)
			}
		}
	}
	want := "user: ===Conversation Start===\n\nTeller: Papers, please.\n" +
		"assistant: Mara: <role_thinking>CANARYTHOUGHTMARA</role_thinking><role_action>nods</role_action>Line 1.\n" +
		"user: Teller: And you?\n\nOst: <role_action>nods</role_action>Line 2.\n\nTeller: Father?\n\nOst the Elder: <role_action>nods</role_action>Line 3.\n\nEnvironment: A gull screams.\n"
	if got := prompts(a.calls["Mara"][1]); got != want {
		t.Errorf("Mara's second prompt:\n%s\nwant\n%s", got, want)
	}
}

// TestPromptsOfACharacterOnlyGrow plays on for a while in any order and compares
// the prompts of each character with the one before.
func TestPromptsOfACharacterOnlyGrow(t *testing.T) {
	b := &ensemble{}
	h, a := playing(t, trio(), nil, func(o *arena.DuelOptions) {
		o.Contestants[1].Player, o.Contestants[1].Dialect = b, layers.Auto
	})
	for i := range 14 {
		switch i % 5 {
		case 0:
			h.line(fmt.Sprintf("Line of the person %d.", i), "Mara")
		case 1:
			if err := h.duel.GoOnAs(context.Background(), "Mara"); err != nil { // twice running
				t.Fatal(err)
			}
			h.settled()
		default:
			h.goOn()
		}
	}
	for _, p := range []*ensemble{a, b} {
		for who, calls := range p.calls {
			for i := 1; i < len(calls); i++ {
				before, after := calls[i-1].Messages, calls[i].Messages
				if len(after) <= len(before) || cmp.Diff(before, after[:len(before)]) != "" {
					t.Errorf("prompt %d of %s does not extend the one before: %s", i, who, cmp.Diff(before, after[:min(len(before), len(after))]))
				}
			}
			for _, c := range calls {
				for i, m := range c.Messages {
					if i > 0 && m.Role == c.Messages[i-1].Role {
						t.Errorf("two %s messages in a row for %s", m.Role, who)
					}
				}
				if c.Messages[len(c.Messages)-1].Role != "user" {
					t.Errorf("%s is asked nothing", who)
				}
			}
		}
	}
}

func TestBothSidesAnswerAsTheSameCharacterAndTheCriticIsToldWho(t *testing.T) {
	rec, critic := newMemory(), &fixedCritic{name: "rm", answer: firstIsBetter}
	b := &ensemble{}
	h, a := playing(t, trio(), nil, func(o *arena.DuelOptions) {
		o.Recorder, o.Critic, o.Contestants[1].Player = rec, critic, b
	})
	h.line("And you, Ost?", "Ost")
	h.line("Hm.", "Mara")
	if diff := cmp.Diff(a.order, b.order); diff != "" {
		t.Errorf("the sides answered as different characters: %s", diff)
	}
	last := critic.cases[len(critic.cases)-1]
	if last.Character != "Mara" {
		t.Errorf("the critic judges %s", last.Character)
	}
	var got []string
	for _, l := range last.Context[1:] {
		got = append(got, l.Role+" "+l.Name)
	}
	if diff := cmp.Diff([]string{"user Teller", "user Ost", "user Teller"}, got); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(last.Context[0].Content, "You are Mara.") || strings.Contains(last.Context[0].Content, "OSTMOTIVE") {
		t.Errorf("the critic's setting:\n%s", last.Context[0].Content)
	}
	if n := len(rec.turns); rec.turns[0].Speaker != "Ost" || rec.turns[n-1].Speaker != "Mara" {
		t.Errorf("recorded: %+v", rec.turns)
	}
	for _, r := range rec.replies {
		if len(r.SpokeFor) > 0 {
			t.Errorf("a reply is said to speak for %v", r.SpokeFor)
		}
	}
}

func TestWhoIsAddressedAnswers(t *testing.T) {
	h, a := playing(t, trio(), nil, nil)
	for _, c := range []struct{ line, want string }{
		{"Papers, please.", "Mara"},                        // nobody has spoken: the scene's character
		{"Ost the Elder, is this yours?", "Ost the Elder"}, // not Ost
		{"Well?", "Ost the Elder"},                         // who spoke last
		{"Where is Mara, Ost?", "Ost"},                     // called, not mentioned
		{"Ost, have you seen Mara?", "Ost"},                // called first
		{"I was told of Mara.", "Mara"},                    // mentioned
		{"Ostrich feathers, Pim?", "Mara"},                 // neither a part of a word nor who is not played
		{"Say something, Elder.", "Ost the Elder"},         // a word that is one's alone
		{"This is Ost the Elder's hat. Mara!", "Mara"},     // nobody is called by what is theirs
		{"Teller has spoken.", "Mara"},                     // the person's own name
		{"*turns to Ost* Open it.", "Ost"},                 // in an action
	} {
		if err := h.duel.Say(context.Background(), c.line); err != nil {
			t.Fatal(err)
		}
		h.over()
		if got := a.order[len(a.order)-1]; got != c.want {
			t.Errorf("%q is answered by %s, want %s", c.line, got, c.want)
		}
	}
	if err := h.duel.SayTo(context.Background(), "Come here.", "Pim"); err == nil || !strings.Contains(err.Error(), "Mara, Ost, Ost the Elder") {
		t.Errorf("to who is not played: %v", err)
	}
}

func TestAnswersOfTheStagehand(t *testing.T) {
	long := strings.Repeat("Ost is the one. ", 200)
	for _, c := range []struct {
		name, answer, want string
		by                 arena.NextBy
	}{
		{"a line", "Next Speaker: Ost", "Ost", arena.NextByModel},
		{"the longest name", "next speaker: **Ost the Elder**", "Ost the Elder", arena.NextByModel},
		{"the last line counts", "Next Speaker: Ost\nNo: Next Speaker: Ost the Elder.", "Ost the Elder", arena.NextByModel},
		{"before a colon", "Ost: he was asked.", "Ost", arena.NextByModel},
		{"a bare name, in another case", "\"ost the elder\"", "Ost the Elder", arena.NextByModel},
		{"within a sentence", "It should be Ost the Elder who answers.", "Ost the Elder", arena.NextByModel},
		{"after thinking", "<think>Next Speaker: Ost</think>Next Speaker: Ost the Elder", "Ost the Elder", arena.NextByModel},
		{"the person", "Next Speaker: Teller", "Teller", arena.NextByModel},
		{"chance", "Next Speaker: random", "", arena.NextByChance},
		{"the one who spoke last", "Next Speaker: Mara", "", arena.NextByChance},
		{"nobody of the scene", "Next Speaker: Pim", "", arena.NextByChance},
		{"nothing", "", "", arena.NextByChance},
		{"too long", long, "", arena.NextByChance},
		{"an end too early", "<END CHAT>", "", arena.NextByChance},
	} {
		h, _ := playing(t, trio(), &director{next: []string{c.answer}, scenery: []string{"Rain."}}, nil)
		h.line("Papers.", "Mara")
		got := h.goOn()
		if got.By != c.by || c.want != "" && got.Name != c.want || got.Name == "Mara" || got.Over {
			t.Errorf("%s: %+v", c.name, got)
		}
		if (c.by == arena.NextByChance) != (got.Why != "") && c.name != "chance" {
			t.Errorf("%s: why is %q", c.name, got.Why)
		}
	}
}

func TestASceneEndsOnlyAfterItHasBegun(t *testing.T) {
	stage := &director{}
	h, _ := playing(t, trio(), stage, nil)
	for heardLines := 2; heardLines <= 8; heardLines += 2 {
		h.line("Go on.", "Mara")
		stage.mu.Lock()
		stage.next = []string{"<END CHAT>"}
		stage.mu.Unlock()
		c := h.goOn()
		if c.Over != (heardLines > 5) || c.Over && !c.Person {
			t.Errorf("with %d lines heard: %+v", heardLines, c)
		}
		if !c.Over && !c.Person {
			heardLines++
		}
	}
	if err := h.duel.Say(context.Background(), "Not yet."); err != nil {
		t.Errorf("the person cannot go on after the end: %v", err)
	}
}

func TestChanceIsTheSameForTheSameSeed(t *testing.T) {
	order := func(seed int64) []string {
		h, _ := playing(t, trio(), nil, func(o *arena.DuelOptions) { o.Seed = seed })
		h.line("Papers.", "Mara")
		var out []string
		for range 8 {
			next := h.duel.Next()
			c := h.goOn()
			if c.Name != next {
				t.Errorf("%s was to be next, and %s was", next, c.Name)
			}
			if c.Person {
				h.line("Hm.", "Ost")
			}
			out = append(out, c.Name)
		}
		return out
	}
	one := order(7)
	if diff := cmp.Diff(one, order(7)); diff != "" {
		t.Error(diff)
	}
	seen := map[string]bool{}
	for seed := range int64(6) {
		seen[strings.Join(order(seed), ",")] = true
	}
	if len(seen) < 4 {
		t.Errorf("six seeds give %d orders", len(seen))
	}
}

func TestASceneOfOneDoesNotHang(t *testing.T) {
	s := scene()
	s.Environment = true
	for name, stage := range map[string]arena.Player{
		"rule": nil, "stagehand": &director{}, "surroundings": &director{next: []string{"Environment", "Environment"}, scenery: []string{"Rain falls."}},
	} {
		h, a := playing(t, s, stage, nil)
		c := h.goOn()
		if !c.Person || c.Name != "Teller" && name != "surroundings" {
			// After rain it can be Mara's turn again.
			if name != "surroundings" || c.Name != "Mara" {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if name == "rule" && len(a.order) != 0 {
			t.Errorf("%s: %v was played", name, a.order)
		}
	}
	s.Opening, s.Environment = "", false
	h, a := playing(t, s, nil, nil)
	if c := h.goOn(); c.Name != "Mara" || len(a.order) != 1 {
		t.Errorf("the first to speak: %+v", c)
	}
	if got := prompts(a.calls["Mara"][0]); got != "user: ===Conversation Start===\n" {
		t.Errorf("the prompt:\n%s", got)
	}
}

func TestTheSurroundingsMayBeFirstAndAreKept(t *testing.T) {
	rec, critic := newMemory(), &fixedCritic{name: "rm", answer: firstIsBetter}
	stage := &director{
		next:    []string{"Next Speaker: Environment", "Next Speaker: Ost", "Next Speaker: Environment", "Next Speaker: Teller"},
		scenery: []string{"Environment: The tide turns.\nMara: Ha!", "<system_thinking>CANARYPLAN</system_thinking>A bell."},
	}
	h, a := playing(t, trio(), stage, func(o *arena.DuelOptions) { o.Recorder, o.Critic = rec, critic })
	if err := h.duel.GoOn(context.Background()); err != nil {
		t.Fatal(err)
	}
	ended := h.until("scenery", is[arena.SceneryEnded]).(arena.SceneryEnded)
	if ended.Text != "The tide turns." || ended.Fault != nil {
		t.Errorf("the surroundings: %+v", ended)
	}
	h.until("choice", is[arena.NextChosen])
	h.over()
	if got, want := prompts(a.calls["Ost"][0]), "user: ===Conversation Start===\n\nEnvironment: The tide turns.\n"; got != want {
		t.Errorf("Ost is told:\n%s", got)
	}
	if l := critic.cases[0].Context[1]; l.Name != "Environment" || l.Content != "The tide turns." {
		t.Errorf("the critic is told %+v", l)
	}
	if c := h.goOn(); !c.Person {
		t.Errorf("chosen: %+v", c)
	}
	if err := h.duel.Close(); err != nil {
		t.Fatal(err)
	}
	first, last := rec.turns[0], rec.turns[len(rec.turns)-1]
	if first.Scenery != "The tide turns." || first.Speaker != "Ost" || first.Line != "" {
		t.Errorf("the first turn is kept as %+v", first)
	}
	if last.Number != 2 || last.Scenery != "A bell." || last.Line != "" {
		t.Errorf("what the surroundings did last is kept as %+v", last)
	}
}

func TestAFailingStagehandStopsNobody(t *testing.T) {
	stage := &director{fault: &arena.Fault{Kind: arena.Unreachable, Message: "connection refused"}}
	h, _ := playing(t, trio(), stage, nil)
	h.line("Papers.", "Mara")
	if c := h.goOn(); !strings.Contains(c.Why, "connection refused") || c.By == arena.NextByModel {
		t.Errorf("chosen: %+v", c)
	}
	if err := h.duel.GoOnAs(context.Background(), "environment"); err != nil {
		t.Fatal(err)
	}
	if e := h.until("scenery", is[arena.SceneryEnded]).(arena.SceneryEnded); e.Fault == nil || e.Text != "" {
		t.Errorf("%+v", e)
	}
	if c := h.until("choice", is[arena.NextChosen]).(arena.NextChosen); !c.Person {
		t.Errorf("%+v", c)
	}
	none, _ := playing(t, trio(), nil, nil)
	if err := none.duel.GoOnAs(context.Background(), "Environment"); !errors.Is(err, arena.ErrNoStage) {
		t.Errorf("without a stagehand: %v", err)
	}
}

// TestAChoiceBeingMadeCanBeStopped stops, overtakes and closes a choice that the
// stagehand does not answer, and looks for goroutines left behind.
func TestAChoiceBeingMadeCanBeStopped(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	hung := func() (*heard, *director) {
		stage := &director{hold: make(chan struct{}), held: make(chan struct{}, 1)}
		h, _ := playing(t, trio(), stage, nil)
		h.line("Papers.", "Mara")
		if err := h.duel.GoOn(context.Background()); err != nil {
			t.Fatal(err)
		}
		<-stage.held
		if err := h.duel.GoOn(context.Background()); !errors.Is(err, arena.ErrChoosing) || !h.duel.Running() {
			t.Errorf("while it is being chosen: %v", err)
		}
		return h, stage
	}
	h, _ := hung()
	h.duel.Cancel()
	if c := h.settled(); !c.Person || c.Why != "stopped" || h.duel.Running() {
		t.Errorf("stopped: %+v", c)
	}
	_ = h.duel.Close()

	h, _ = hung()
	if err := h.duel.SayTo(context.Background(), "Never mind.", "Ost"); err != nil {
		t.Fatal(err)
	}
	started := h.until("turn", is[arena.TurnStarted]).(arena.TurnStarted)
	if started.Turn.Speaker != "Ost" || started.Turn.Line != "Never mind." {
		t.Errorf("overtaken by %+v", started.Turn)
	}
	h.over()
	_ = h.duel.Close()

	h, _ = hung()
	if err := h.duel.Regenerate(context.Background()); err != nil {
		t.Fatal(err)
	}
	if c := h.settled(); !c.Person {
		t.Errorf("asked again: %+v", c)
	}
	_ = h.duel.Close()

	h, _ = hung()
	done := make(chan struct{})
	go func() { defer close(done); _ = h.duel.Close() }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("the duel does not close")
	}
}

// TestAReplyAskedForAgainAfterTheSurroundingsIsHistory settles a turn early and
// takes it out again.
func TestAReplyAskedForAgainAfterTheSurroundingsIsHistory(t *testing.T) {
	stage := &director{scenery: []string{"A bell."}}
	h, a := playing(t, trio(), stage, func(o *arena.DuelOptions) { o.Canon = arena.CanonA })
	h.line("Papers.", "Mara")
	if err := h.duel.GoOnAs(context.Background(), "Environment"); err != nil {
		t.Fatal(err)
	}
	h.settled()
	if err := h.duel.Regenerate(context.Background(), arena.A); err != nil {
		t.Fatal(err)
	}
	h.over()
	h.line("And?", "Ost")
	got := prompts(a.calls["Ost"][0])
	if want := "user: ===Conversation Start===\n\nTeller: Papers.\n\nMara: <role_action>nods</role_action>Line 2.\n\nEnvironment: A bell.\n\nTeller: And?\n"; got != want {
		t.Errorf("Ost is told:\n%s\nwant\n%s", got, want)
	}
}

func TestAutoPlayGoesOnWhereItIsNotThePersonsTurn(t *testing.T) {
	stage := &director{next: []string{"Mara", "Teller", "Ost the Elder", "Ost"}}
	a := &actor{lines: []string{"Hm."}, scripted: scripted{replies: []string{plainReply}}}
	h, _ := playing(t, trio(), stage, func(o *arena.DuelOptions) { o.Contestants[0].Player = a })
	if err := h.duel.Auto(context.Background(), 0, 4); err != nil {
		t.Fatal(err)
	}
	h.until("end", func(ev arena.Event) bool { e, ok := ev.(arena.AutoChanged); return ok && e.Left == 0 })
	type played struct{ Line, Auto, Speaker string }
	var got []played
	for _, turn := range h.duel.Turns() {
		got = append(got, played{turn.Line, turn.Auto, turn.Speaker})
	}
	want := []played{{"", "", "Mara"}, {"Hm.", "a", "Mara"}, {"", "", "Ost the Elder"}, {"", "", "Ost"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestADuelGoesOnFromWhatWasKept branches a scene of several and compares what
// the new duel's players are told with what the old one's would have been.
func TestADuelGoesOnFromWhatWasKept(t *testing.T) {
	stage := &director{next: []string{"Environment", "Ost"}, scenery: []string{"A bell."}}
	h, a := playing(t, trio(), stage, func(o *arena.DuelOptions) { o.Canon = arena.CanonA })
	h.line("Papers.", "Mara")
	h.goOn()
	past := h.duel.History(99)
	want := []arena.PastTurn{
		{Line: "Papers.", Speaker: "Mara", By: "a", Dialect: layers.HER},
		{Speaker: "Ost", Scenery: "A bell.", By: "a", Dialect: layers.HER},
	}
	for i := range want {
		want[i].Reply = past[i].Reply
	}
	if diff := cmp.Diff(want, past); diff != "" {
		t.Error(diff)
	}
	h.line("Go on.", "Mara")
	b, again := playing(t, trio(), stage, func(o *arena.DuelOptions) { o.Past = past; o.Origin = arena.Origin{DuelID: h.duel.ID(), Turn: 2} })
	if next := b.duel.Next(); next == "Ost" {
		t.Error("who spoke last in the past is next")
	}
	b.line("Go on.", "Mara")
	if diff := cmp.Diff(prompts(a.calls["Mara"][1]), prompts(again.calls["Mara"][0])); diff != "" {
		t.Error(diff)
	}
}

func TestBothRepliesFailingLeavesTheSceneWhereItWas(t *testing.T) {
	h, a := playing(t, trio(), nil, func(o *arena.DuelOptions) { o.Contestants[1].Player = &ensemble{fail: true} })
	a.fail = true
	h.line("Papers.", "Mara")
	a.mu.Lock()
	a.fail = false
	a.mu.Unlock()
	if c := h.goOn(); c.Person {
		t.Errorf("after a line that nobody answered: %+v", c)
	}
}
