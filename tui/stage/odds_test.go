package stage

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"herarena/arena"
	"herarena/tui/stage/stagetest"
)

// TestEstimates holds the formula to known values: the interval bounds are
// quantiles of the beta distribution, found by integrating its density (Simpson,
// with x = sin²t) and halving, to six places; the first are sin²(πp/2).
func TestEstimates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ won, n, at, low, high float64 }{
		{0, 0, 0.5, 0.001541, 0.998459},
		{1, 1, 0.75, 0.146746, 0.999614},
		{0, 1, 0.25, 0.000386, 0.853254},
		{5, 10, 0.5, 0.223529, 0.776471},
	} {
		got := estimate(c.won, c.n)
		for name, d := range map[string]float64{"at": got.at - c.at, "low": got.low - c.low, "high": got.high - c.high} {
			if math.Abs(d) > 2e-6 {
				t.Errorf("%v of %v: %s is off by %v: %+v", c.won, c.n, name, d, got)
			}
		}
	}
	for _, odd := range []chance{estimate(-1, -5), estimate(7, 2), estimate(math.Inf(1), 1)} {
		if math.IsNaN(odd.at) || odd.low > odd.at || odd.at > odd.high {
			t.Errorf("an impossible count gives %+v", odd)
		}
	}
}

// TestOddsFollowTheContestant over seats that change.
func TestOddsFollowTheContestant(t *testing.T) {
	p := set(t, 120, 40)
	for n := 1; n <= 4; n++ {
		events := judgedTurn(n, "line", stagetest.Agreeing()) // side A wins
		if n%2 == 0 {
			started := events[0].(arena.TurnStarted)
			started.Turn.Seats = [2]int{1, 0}
			events[0] = started
		}
		p.tell(events...)
	}
	if c := last(p.reckon().critic); c.at != 0.5 || c.n != 4 {
		t.Errorf("two wins on each seat give %+v", c)
	}
	p.tell(judgedTurn(5, "line", stagetest.Flipping())...)
	if c := last(p.reckon().critic); c.at != 0.5 || c.n != 5 {
		t.Errorf("a flip changes the estimate: %+v", c)
	}
	v := stagetest.Agreeing()
	v[1] = arena.Verdict{Status: arena.VerdictFailed}
	p.tell(judgedTurn(6, "line", v)...)
	if c := last(p.reckon().critic); c.n != 5.5 || math.Abs(c.at-3.5/6.5) > 1e-12 {
		t.Errorf("an order alone counts half: %+v", c)
	}
	p.tell(judgedTurn(7, "line", [2]arena.Verdict{})...)
	if o := p.reckon(); o.critic[6] != nil || len(o.turns) != 7 {
		t.Error("a turn without verdict brings a point")
	}
}

// TestBlindOddsTellNoSeat: what is not voted on is left out, and no name shows.
func TestBlindOddsTellNoSeat(t *testing.T) {
	p := set(t, 120, 40, func(o *Options) { o.Blind = true })
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.press("shift+tab", "%")
	if s := p.screen(t); !strings.Contains(s, "hidden: it would tell who sits where") || strings.Contains(s, "her-rl") {
		t.Errorf("a blind duel reads:\n%s", s)
	}
	p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseA, Counted: true}})
	if s := p.screen(t); !strings.Contains(s, "Chance that her-rl is better") || !strings.Contains(s, "critic 75 %") {
		t.Errorf("after the vote:\n%s", s)
	}
	second := judgedTurn(2, "two", stagetest.Agreeing())
	p.tell(second...)
	if s := p.screen(t); !strings.Contains(s, "1 hidden until you vote") || !strings.Contains(s, "critic 75 %") {
		t.Errorf("the second turn's verdict is in before the vote:\n%s", s)
	}
}

// TestRevealingShowsTheOdds also of turns without a vote.
func TestRevealingShowsTheOdds(t *testing.T) {
	p := set(t, 120, 40, func(o *Options) { o.Blind = true })
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.press("shift+tab", "%")
	if s := p.screen(t); !strings.Contains(s, "hidden: it would tell") {
		t.Fatalf("a blind duel reads:\n%s", s)
	}
	p.tell(arena.Revealed{})
	if s := p.screen(t); !strings.Contains(s, "Chance that her-rl is better") {
		t.Errorf("after the names were shown:\n%s", s)
	}
}

func TestOddsOfVeryManyTurns(t *testing.T) {
	p := set(t, 120, 40)
	for n := 1; n <= 1500; n++ {
		p.tell(judgedTurn(n, "line", stagetest.Agreeing())...)
	}
	p.press("shift+tab", "%")
	if s := p.screen(t); !strings.Contains(s, "critic 100 %") || !strings.Contains(s, "1500") {
		t.Errorf("1500 turns read:\n%s", s)
	}
}

func TestDisagreementIsToldKindly(t *testing.T) {
	for _, c := range []struct {
		name     string
		verdicts [2]arena.Verdict
		vote     arena.Choice
		want     string
	}{
		{"agreeing", stagetest.Agreeing(), arena.ChoseA, ""},
		{"with support", mixed(), arena.ChoseB, "You chose B, house critic leans to A. Both opinions are kept. For B speak: Physical logic (significant)."},
		{"without", stagetest.Agreeing(), arena.ChoseB, "You chose B, house critic leans to A. Both opinions are kept. None of its principles speaks for B, so you saw something that it did not look for."},
		{"tie", stagetest.Agreeing(), arena.Tie, "You chose a tie, house critic leans to A. Both opinions are kept. Even, as you see it: Stock phrases."},
		{"both bad", stagetest.Agreeing(), arena.BothBad, "You found neither good enough. house critic only says which is better, so that both opinions stand."},
		{"flip", stagetest.Flipping(), arena.ChoseA, "house critic could not make up its mind here; your vote is the clearer word. For A speak: Emotional authenticity (clear), Character fidelity (slight)."},
		{"no verdict", [2]arena.Verdict{}, arena.ChoseA, ""},
	} {
		p := set(t, 200, 60)
		p.tell(judgedTurn(1, "one", c.verdicts)...)
		p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: c.vote, Counted: true}})
		if got := p.differs(p.looked()); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if s := p.screen(t); c.want != "" && !strings.Contains(s, c.want[:60]) {
			t.Errorf("%s is not on the screen:\n%s", c.name, s)
		}
	}
}

func TestAgreementIsCountedOverTheDuel(t *testing.T) {
	p := set(t, 200, 60)
	for n, c := range []arena.Choice{arena.ChoseA, arena.ChoseA, arena.ChoseB, arena.BothBad, arena.ChoseA} {
		v := stagetest.Agreeing()
		if n == 4 {
			v = stagetest.Flipping() // no winner to agree with
		}
		p.tell(judgedTurn(n+1, fmt.Sprint(n), v)...)
		p.tell(arena.Voted{Turn: n + 1, Vote: arena.Vote{Choice: c, Counted: true}})
	}
	if same, of := p.accord(); same != 2 || of != 3 {
		t.Errorf("agreed on %d of %d, want 2 of 3", same, of)
	}
	if s := p.screen(t); !strings.Contains(s, "you and house critic agree on 2 of 3") {
		t.Errorf("the bar does not tell:\n%s", s)
	}
}
