package stage

import (
	"fmt"
	"strings"
	"testing"

	"herarena/arena"
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
	if b.Note != "" {
		s += fmt.Sprintf(" note=%q", b.Note)
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
		{"alt+e alt+w", `composer job=line2 text="two"`},
		{"alt+n alt+w", "composer job=note"},
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
	for _, want := range []string{"‹1/2›", "your vote", "the critic chose this one of the pair", "soaked to the bone", "A better", "you A"} {
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

// TestALateVoteSaysThatItDoesNotCount: with the names shown, a second vote of the
// turn is off the board, which the verdict's row says at any width.
func TestALateVoteSaysThatItDoesNotCount(t *testing.T) {
	t.Parallel()
	for _, w := range []int{80, 120, 200} {
		p := set(t, w, 24, func(o *Options) { o.Blind = true })
		p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
		p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseA, Counted: true}})
		if s := p.screen(t); !strings.Contains(s, "you A") || strings.Contains(s, "not counted") {
			t.Errorf("%d cells, the first vote:\n%s", w, s)
		}
		p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseB, Why: "given after the names were shown"}})
		if s := p.screen(t); !strings.Contains(s, "you B, not counted") {
			t.Errorf("%d cells, the late vote:\n%s", w, s)
		}
	}
}
