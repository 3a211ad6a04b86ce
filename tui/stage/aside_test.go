package stage

import (
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/tui/stage/stagetest"
)

// threeTurns is a duel of three judged turns, with votes on the first and last.
func threeTurns(t *testing.T) *prop {
	t.Helper()
	p := set(t, 140, 44)
	for n, line := range []string{"one", "two", "three"} {
		p.tell(judgedTurn(n+1, line, stagetest.Agreeing())...)
	}
	p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseA, Counted: true}}, arena.Voted{Turn: 3, Vote: arena.Vote{Choice: arena.ChoseB, Counted: true}})
	p.screen(t)
	return p
}

// twoPairs is a turn with two pairs of replies, each judged: the first for A, the
// second a flip.
func twoPairs(t *testing.T) *prop {
	t.Helper()
	p := set(t, 140, 44)
	p.tell(judgedTurn(1, "one", mixed())...)
	p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseA, Counted: true}})
	p.tell(secondPair()...)
	r := stagetest.Sum(stagetest.Flipping())
	p.tell(arena.RulingEnded{Turn: 1, Ruling: r}, arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseB, Counted: true}})
	p.screen(t)
	return p
}

// secondPair asks both sides of the first turn again, up to the critic.
func secondPair() []arena.Event {
	return []arena.Event{
		started(1, arena.A, 1), started(1, arena.B, 1), ended(1, arena.A, 1, stagetest.Bare()), ended(1, arena.B, 1, stagetest.Layered()),
		arena.RulingStarted{Turn: 1, Critic: "house"},
	}
}

func TestNothingIsSentWhileAnOlderTurnIsLookedAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want, notice string }{
		{"tab [ [ i 1", "composer verdict=1", "you are looking at turn 1; the vote goes to turn 3: } on a side goes there"},
		{"tab [ [ i 4", "composer verdict=1", "the vote goes to turn 3"},
		{"tab [ [ alt+2", "A verdict=1", "you are looking at turn 1; the vote goes to turn 3: } goes there"},
		{"tab [ alt+2", "A verdict=2", "you are looking at turn 2; the vote goes to turn 3: ] goes there"},
		{"tab [ [ } alt+2", "A calls=vote b", ""},
		{"tab [ ] alt+2", "A calls=vote b", ""},
		{"shift+tab [ alt+3", "verdict verdict=2", "the vote goes to turn 3: ] goes there"},
		{"shift+tab [ [ alt+3", "verdict verdict=1", "the vote goes to turn 3: ] goes on to it"},
		{"shift+tab [ ] alt+3", "verdict calls=vote tie", ""},
		{"f6 [ alt+1", "A verdict=2", "you are looking at turn 2; the vote goes to turn 3: ] goes there"},
		{"f6 [ i 1", "composer verdict=2", "] in the comparison goes there"},
		{"f6 [ ] alt+1", "A calls=vote a", ""},
		{"tab [ u", "A verdict=2", "you are looking at turn 2; a vote is taken back on turn 3: ] goes there"},
		{"tab [ [ u", "A verdict=1", "a vote is taken back on turn 3"},
		{"tab [ [ alt+0", "A verdict=1", "a vote is taken back on turn 3"},
		{"shift+tab [ u", "verdict verdict=2", "a vote is taken back on turn 3"},
		{"tab [ ] u", "A calls=unvote", "the vote is taken back"},
		{"tab [ ctrl+r", "A verdict=2", "you are looking at turn 2; another reply is written for turn 3: ] goes there"},
		{"tab [ i ctrl+r", "composer verdict=2", "another reply is written for turn 3: ] on a side goes there"},
		{"tab [ ] ctrl+r", "A calls=regenerate [A]", ""},
		{"tab [ ctrl+g", "A verdict=2", "you are looking at turn 2; the critic is asked again about turn 3: ] goes there"},
		{"shift+tab [ ctrl+g", "verdict verdict=2", "the critic is asked again about turn 3"},
		{"shift+tab [ ] ctrl+g", "verdict calls=rejudge", ""},
		{"tab [ alt+c", "A verdict=2", "a reply is gone on with in turn 3"},
		{"tab [ [ i 'on enter", "composer calls=say on", ""},
		{"tab [ [ i 'on enter 2", "composer calls=say on,vote b", ""},
	} {
		p := threeTurns(t)
		p.press(strings.Fields(c.keys)...)
		if got := p.state(); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, c.want)
		}
		if got := strings.Join(p.notices, "; "); !strings.Contains(got, c.notice) || c.notice == "" && strings.Contains(got, "looking at") {
			t.Errorf("%q: told %q, want %q", c.keys, got, c.notice)
		}
		p.screen(t)
	}
}

func TestNothingIsSentWhileAnOlderPairIsLookedAt(t *testing.T) {
	t.Parallel()
	const pair = "you are looking at A ‹1/2› and B ‹1/2›; "
	for _, c := range []struct{ keys, want, notice string }{
		{"tab left i 1", "composer", pair + "the vote goes to A ‹2/2› and B ‹2/2›: → on side A goes there"},
		{"tab left alt+1", "A", pair + "the vote goes to A ‹2/2› and B ‹2/2›: → goes there"},
		{"tab tab left alt+1", "B side=B", pair + "the vote goes to A ‹2/2› and B ‹2/2›: → goes there"},
		{"tab left right alt+1", "A calls=vote a", ""},
		{"tab left u", "A", pair + "a vote is taken back on A ‹2/2›"},
		{"tab left alt+0", "A", pair + "a vote is taken back on A ‹2/2›"},
		{"tab left right u", "A calls=unvote", "the vote is taken back"},
		{"tab left ctrl+r", "A", pair + "another reply is written for A ‹2/2›"},
		{"tab left ctrl+g", "A", pair + "the critic is asked again about A ‹2/2›"},
		{"tab left shift+tab shift+tab ctrl+g", "verdict", "→ on side A goes there"},
		{"tab left right ctrl+g", "A calls=rejudge", ""},
	} {
		p := twoPairs(t)
		p.press(strings.Fields(c.keys)...)
		if got := p.state(); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, c.want)
		}
		if got := strings.Join(p.notices, "; "); !strings.Contains(got, c.notice) || c.notice == "" && strings.Contains(got, "looking at") {
			t.Errorf("%q: told %q, want %q", c.keys, got, c.notice)
		}
	}
}

func TestOlderTurnsAndPairsHintNothingThatIsNotForThem(t *testing.T) {
	t.Parallel()
	about := []string{"stage.vote.a", "stage.vote.b", "stage.regenerate.side", "stage.regenerate.both", "stage.rejudge"}
	for _, c := range []struct {
		keys string
		on   func(*testing.T) *prop
		want string // of the above, those that are hinted
		lead string // the hint that leads to the newest
	}{
		{"", threeTurns, "stage.vote.a stage.vote.b", ""},
		{"tab [ i", threeTurns, "", "stage.turns"},
		{"tab", threeTurns, "stage.regenerate.side", ""},
		{"tab [", threeTurns, "", "stage.turn.last"},
		{"shift+tab", threeTurns, "stage.rejudge", ""},
		{"shift+tab [", threeTurns, "", "stage.verdict.older"},
		{"tab left", twoPairs, "", "stage.swipe.later"},
		{"tab left i", twoPairs, "", ""},
		{"tab left right", twoPairs, "stage.regenerate.side", ""},
		{"tab left shift+tab shift+tab", twoPairs, "", ""},
	} {
		p := c.on(t)
		p.press(strings.Fields(c.keys)...)
		hinted := map[string]bool{}
		for _, b := range p.hints() {
			hinted[b.Name] = true
		}
		var got []string
		for _, name := range about {
			if hinted[name] {
				got = append(got, name)
			}
		}
		if s := strings.Join(got, " "); s != c.want || c.lead != "" && !hinted[c.lead] {
			t.Errorf("%q hints %q, want %q and %q", c.keys, s, c.want, c.lead)
		}
		if tips := p.Tips(); len(tips) > 0 && !p.newest() && tips[0].Name == "stage.vote" {
			t.Errorf("%q: the tip is to vote", c.keys)
		}
	}
}

// TestAQuoteIsFollowedWithinThePairShown jumps from a card of an older pair.
func TestAQuoteIsFollowedWithinThePairShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys string
		want [2]int // the replies shown
		lit  string
	}{
		{"shift+tab . enter", [2]int{1, 1}, ""},
		{"tab left shift+tab shift+tab . enter", [2]int{0, 0}, "still counts his words"},
		{"tab tab left tab . enter", [2]int{0, 0}, "still counts his words"},
		{"tab left right shift+tab shift+tab . enter", [2]int{1, 1}, ""},
	} {
		p := twoPairs(t)
		p.press(strings.Fields(c.keys)...)
		if got := [2]int{p.play.turns[0].columns[0].at, p.play.turns[0].columns[1].at}; got != c.want {
			t.Errorf("%q shows the replies %v, want %v:\n%s", c.keys, got, c.want, p.screen(t))
		}
		if got := p.lighted(); got == "" && c.lit != "" || c.lit != "" && got != c.lit {
			t.Errorf("%q marks %q, want %q", c.keys, got, c.lit)
		}
	}
}

// TestARulingThatNamesItsRepliesTurnsBothSides has the ruling about the first
// replies while the second ones are shown.
func TestARulingThatNamesItsRepliesTurnsBothSides(t *testing.T) {
	t.Parallel()
	p := set(t, 140, 44)
	p.tell(opened(1, "one"))
	for swipe := range 2 {
		for side, k := range []stagetest.Take{stagetest.Layered(), stagetest.Bare()} {
			p.tell(started(1, arena.Side(side), swipe))
			e := ended(1, arena.Side(side), swipe, k).(arena.ReplyEnded)
			e.Reply.ID = []string{"a0", "b0", "a1", "b1"}[2*swipe+side]
			p.tell(e)
		}
	}
	r := stagetest.Sum(mixed())
	r.ReplyA, r.ReplyB = "a0", "b0"
	p.tell(arena.RulingStarted{Turn: 1, Critic: "house"}, arena.RulingEnded{Turn: 1, Ruling: r})
	p.press("shift+tab", ".", "enter")
	if got := [2]int{p.play.turns[0].columns[0].at, p.play.turns[0].columns[1].at}; got != [2]int{0, 0} {
		t.Errorf("the replies %v are shown, want both first ones", got)
	}
}

func TestAllOfTheVerdictIsAboutThePairLookedAt(t *testing.T) {
	t.Parallel()
	seconds := func(side arena.Side, swipe int, total time.Duration, tokens int) arena.Event {
		e := ended(1, side, swipe, stagetest.Layered()).(arena.ReplyEnded)
		e.Reply.Total, e.Reply.Usage = total, &arena.Usage{CompletionTokens: tokens}
		return e
	}
	p := set(t, 160, 44)
	p.tell(opened(1, "one"), started(1, arena.A, 0), started(1, arena.B, 0), seconds(arena.A, 0, 11*time.Second, 111), seconds(arena.B, 0, 12*time.Second, 112))
	r := stagetest.Sum(mixed())
	p.tell(arena.RulingStarted{Turn: 1, Critic: "house"}, arena.RulingEnded{Turn: 1, Ruling: r})
	p.tell(started(1, arena.A, 1), started(1, arena.B, 1), seconds(arena.A, 1, 21*time.Second, 221), seconds(arena.B, 1, 22*time.Second, 222))
	p.tell(arena.RulingStarted{Turn: 1, Critic: "house"})
	v := mixed()[0]
	v.Status, v.Phase, v.Comparisons = arena.VerdictPending, arena.PhaseComparing, v.Comparisons[:1]
	v.Raw = "only the newest pair"
	progress := arena.VerdictUpdated{Turn: 1, Order: arena.AFirst, Verdict: v}
	p.tell(progress)
	older := []string{"111 tok", "11.0 s", "112 tok", "12.0 s", "A first  A better", "B first  A better", "both orders agree"}
	newer := []string{"221 tok", "21.0 s", "222 tok", "22.0 s", "comparing 1 of", "judging"}
	for _, c := range []struct {
		keys          string
		want, without []string
	}{
		{"", newer, older},
		{"tab left", older, newer},
		{"right", newer, older},
		{"left shift+tab shift+tab", older, newer},
		{"s", []string{"the critic wrote nothing"}, []string{"only the newest pair", "comparing"}},
		{"s tab tab right shift+tab shift+tab s", []string{"only the newest pair", "judging"}, older},
	} {
		p.press(strings.Fields(c.keys)...)
		p.tell(progress)
		s := p.screen(t)
		for _, text := range c.want {
			if !strings.Contains(s, text) {
				t.Errorf("after %q %q is missing:\n%s", c.keys, text, s)
			}
		}
		for _, text := range c.without {
			if strings.Contains(s, text) {
				t.Errorf("after %q %q is shown:\n%s", c.keys, text, s)
			}
		}
	}
}

// TestAnOlderPairStaysWhileAnotherIsWritten looks back between the two requests
// for another pair.
func TestAnOlderPairStaysWhileAnotherIsWritten(t *testing.T) {
	t.Parallel()
	p := twoPairs(t)
	p.press("tab", "left")
	p.tell(started(1, arena.A, 2), started(1, arena.B, 2))
	at := func() [2]int { return [2]int{p.play.turns[0].columns[0].at, p.play.turns[0].columns[1].at} }
	if at() != [2]int{0, 0} {
		t.Errorf("the replies %v are shown, want the pair looked at", at())
	}
	p.press("right", "right")
	if at() != [2]int{2, 2} {
		t.Errorf("the replies %v are shown, want the newest pair", at())
	}
}

func TestAskingAgainIsHintedWhereItHolds(t *testing.T) {
	t.Parallel()
	cut := stagetest.Layered()
	cut.Finish = arena.FinishLength
	none := stagetest.Sum([2]arena.Verdict{{Status: arena.VerdictFailed}, {Status: arena.VerdictFailed}})
	p := set(t, 160, 50)
	p.tell(opened(1, "one"), started(1, arena.A, 0), started(1, arena.B, 0), ended(1, arena.A, 0, cut), ended(1, arena.B, 0, stagetest.Bare()))
	p.tell(arena.RulingStarted{Turn: 1, Critic: "house"}, arena.RulingEnded{Turn: 1, Ruling: none})
	hinted := func(want bool, when string) {
		t.Helper()
		s := p.screen(t)
		for _, key := range []string{"ctrl+r asks for", "ctrl+g asks again"} {
			if strings.Contains(s, key) != want {
				t.Errorf("%s: hinting %q is %v:\n%s", when, key, !want, s)
			}
		}
	}
	hinted(true, "on the newest turn")
	p.tell(judgedTurn(2, "two", stagetest.Agreeing())...)
	p.press("tab", "[")
	if s := p.screen(t); !strings.Contains(s, "turn 1  62 tok") {
		t.Errorf("the border does not name the turn it is about:\n%s", s)
	}
	hinted(false, "on an older turn")
}
