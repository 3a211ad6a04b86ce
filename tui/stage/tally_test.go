package stage

import (
	"math"
	"strings"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/stage/stagetest"
)

func TestDollarsAreNotLost(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0: "$0", 0.000001: "<$0.0001", 0.0001: "$0.0001", 0.01234: "$0.0123", 0.1: "$0.10", 12.345: "$12.35"} {
		if got := dollars(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}

// spending is a reply that ended with the usage given.
func spending(n int, side arena.Side, swipe int, u *arena.Usage) arena.Event {
	e := ended(n, side, swipe, stagetest.Bare()).(arena.ReplyEnded)
	e.Reply.Usage = u
	return e
}

func TestTokensAndCostOfASide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		price  *arena.Price
		first  *arena.Usage
		second *arena.Usage
		want   []string
		not    string
	}{
		{"no price", nil, &arena.Usage{CompletionTokens: 100}, &arena.Usage{CompletionTokens: 50}, []string{"50 tok", "all 150 tok"}, "$"},
		{"a price", &arena.Price{Input: 1, Output: 1000}, &arena.Usage{PromptTokens: 1000, CompletionTokens: 100}, &arena.Usage{PromptTokens: 1000, CompletionTokens: 50}, []string{"$0.0510", "all 150 tok $0.15"}, "from"},
		{"the server's word", &arena.Price{Output: 1}, &arena.Usage{CompletionTokens: 100, Cost: 0.5}, &arena.Usage{CompletionTokens: 50, Cost: 0.25}, []string{"$0.25", "$0.75"}, "from"},
		{"half of it", &arena.Price{Output: 1000}, nil, &arena.Usage{CompletionTokens: 50}, []string{"all ~57 tok from $0.0500"}, ""},
		{"estimated", nil, nil, nil, []string{"~7 tok", "all ~14 tok"}, "$"},
	} {
		p := set(t, 200, 40, func(o *Options) { o.Contestants[0].Price = c.price })
		p.tell(opened(1, "one"), started(1, arena.A, 0), started(1, arena.B, 0), ended(1, arena.B, 0, stagetest.Bare()))
		for swipe, u := range []*arena.Usage{c.first, c.second} {
			if swipe > 0 {
				p.tell(started(1, arena.A, swipe))
			}
			p.tell(delta(1, arena.A, swipe, 7, layers.Segment{Layer: layers.Speech, Text: "Good evening"}), spending(1, arena.A, swipe, u))
		}
		border := strings.Split(p.screen(t), "\n")[1]
		a, _, _ := strings.Cut(border, "B  plain")
		for _, want := range c.want {
			if !strings.Contains(a, want) {
				t.Errorf("%s: %q is missing in %q", c.name, want, a)
			}
		}
		if c.not != "" && strings.Contains(a, c.not) {
			t.Errorf("%s: %q in %q", c.name, c.not, a)
		}
		p.press("alt+k")
		p.screen(t)
	}
}

func TestABlindDuelTellsNoCosts(t *testing.T) {
	t.Parallel()
	p := set(t, 200, 60, func(o *Options) { o.Blind, o.Contestants[0].Price = true, &arena.Price{Output: 1e5} })
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.tell(judgedTurn(2, "two", stagetest.Agreeing())...)
	p.press("alt+k")
	border := strings.Split(p.screen(t), "\n")[1]
	if strings.Contains(border, "$") || strings.Contains(p.screen(t), "cost") {
		t.Errorf("what a side costs tells who it is:\n%s", p.screen(t))
	}
	p.tell(arena.Revealed{})
	if !strings.Contains(p.screen(t), "cost") {
		t.Errorf("with the names shown costs are too:\n%s", p.screen(t))
	}
}

func TestLinesForThePersonAreCounted(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 60, func(o *Options) { o.Contestants[1].Price = &arena.Price{Output: 1e5} })
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	before := p.total()
	p.tell(
		arena.LineEnded{By: "plain-8b", Contestant: 1, Text: "I go.", Usage: &arena.Usage{CompletionTokens: 30}, Total: 2 * time.Second},
		arena.LineEnded{By: "plain-8b", Contestant: 1, Text: "I stay.", Tokens: 4, Fault: &arena.Fault{Kind: arena.Cancelled}},
	)
	if got := p.total(); got == before || !strings.Contains(got, "~158 tok") {
		t.Errorf("the header counts %q, before %q", got, before)
	}
	p.press("alt+k")
	s := p.screen(t)
	for _, want := range []string{"for Captain Roe         0 lines      2 lines", "~34", "$3.00"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not in the table:\n%s", want, s)
		}
	}
	blind := set(t, 120, 60, func(o *Options) { o.Blind = true })
	blind.tell(arena.LineEnded{By: "plain-8b", Contestant: 1, Text: "I go.", Tokens: 4})
	blind.press("alt+k")
	if s := blind.screen(t); !strings.Contains(s, "1 line") || strings.Contains(s, "0 lines") {
		t.Errorf("a blind duel tells whose model wrote:\n%s", s)
	}
}

func TestDials(t *testing.T) {
	t.Parallel()
	for _, d := range dials() {
		var s arena.Sampling
		if _, on := d.get(&s); on {
			t.Errorf("%s: on in an empty sampling", d.name)
		}
		v := d.turn(&s, 1)
		if v != d.start || v < d.low || v > d.high {
			t.Errorf("%s begins at %v", d.name, v)
		}
		d.set(&s, &v)
		for range 5000 {
			v = d.turn(&s, -1)
			d.set(&s, &v)
		}
		if got, on := d.get(&s); !on || got < d.low || got > d.low+d.step*5000 && d.name == "seed" {
			t.Errorf("%s turned down is %v", d.name, got)
		}
		for _, bad := range []string{"", "x", "1e999", "NaN", "--1", "1.5.5", d.write(d.high + 1), d.write(d.low - 1)} {
			if v, err := d.read(bad); err == nil {
				t.Errorf("%s takes %q as %v", d.name, bad, v)
			}
		}
		for _, good := range []float64{d.low, d.high} {
			if v, err := d.read(d.write(good)); err != nil || v != good {
				t.Errorf("%s: %q is %v, %v", d.name, d.write(good), v, err)
			}
		}
		d.set(&s, nil)
		if _, on := d.get(&s); on {
			t.Errorf("%s cannot be left to the server", d.name)
		}
	}
	s := arena.Sampling{}
	d := dials()[0]
	for range 3 { // steps of a tenth stay tenths
		v := d.turn(&s, 1)
		d.set(&s, &v)
	}
	if v, _ := d.get(&s); math.Abs(v-1.2) > 1e-12 || d.write(v) != "1.2" {
		t.Errorf("three turns up: %v", v)
	}
}

func TestKeysInTheSamplingPanel(t *testing.T) {
	t.Parallel()
	temperature, k := 0.7, 20
	own := arena.Sampling{Temperature: &temperature, TopK: &k}
	// Rows: temperature, top_p, top_k, min_p, three penalties, max_tokens, seed, thinking.
	for _, c := range []struct{ keys, a, b string }{
		{"", "t=0.7 k=20", ""},
		{"right", "t=0.8 k=20", ""},
		{"left left", "t=0.5 k=20", ""},
		{"1 . 2 5 enter", "t=1.25 k=20", ""},
		{"1 . 2 5 down", "t=1.25 k=20", ""},
		{"1 . 2 5 backspace backspace enter", "t=1 k=20", ""},
		{"9 enter", "t=0.7 k=20", ""},
		{"x", "k=20", ""},
		{"delete", "k=20", ""},
		{"x r", "t=0.7 k=20", ""},
		{"right down down 5 enter R", "t=0.7 k=20", ""},
		{"down down 5 tab 7 enter", "t=0.7 k=5", "k=7"},
		{"tab right", "t=0.7 k=20", "t=1"},
		{"tab right tab x", "k=20", "t=1"},
		{"down down down down down down down 3 0 0 enter", "t=0.7 k=20 max=300", ""},
		{"pgdown pgdown right", "t=0.7 k=20 think=true", ""},
		{"pgdown right right", "t=0.7 k=20 think=false", ""},
		{"pgdown right x", "t=0.7 k=20", ""},
		{"pgdown 7 enter", "t=0.7 k=20", ""},
	} {
		p := set(t, 120, 40, func(o *Options) { o.Contestants[0].Sampling = own })
		p.duel.SetSampling(0, own)
		p.press("alt+s")
		p.press(strings.Fields(c.keys)...)
		if a, b := written(p.duel.SamplingOf(0)), written(p.duel.SamplingOf(1)); a != c.a || b != c.b {
			t.Errorf("%q: %q and %q, want %q and %q", c.keys, a, b, c.a, c.b)
		}
		if changed := c.a != "t=0.7 k=20" || c.b != ""; p.resampled() != changed {
			t.Errorf("%q: changed is %v", c.keys, p.resampled())
		}
		p.screen(t)
	}
	if *own.Temperature != 0.7 || *own.TopK != 20 {
		t.Error("the contestant's own sampling was changed")
	}
}

// written writes what a sampling sets.
func written(s arena.Sampling) string {
	var out []string
	words := map[string]string{"temperature": "t", "top_k": "k", "max_tokens": "max"}
	for _, d := range dials() {
		if v, on := d.get(&s); on {
			name := d.name
			if w := words[name]; w != "" {
				name = w
			}
			out = append(out, name+"="+d.write(v))
		}
	}
	if s.Thinking != nil {
		out = append(out, map[bool]string{true: "think=true", false: "think=false"}[*s.Thinking])
	}
	return strings.Join(out, " ")
}

func TestEventsOfThePersonsPart(t *testing.T) {
	t.Parallel()
	state := func(p *play) string {
		s := p.note
		if p.line.text != "" || p.line.live {
			s += " line=" + p.line.text
			if p.line.live {
				s += "~"
			}
		}
		if p.playing() {
			s += " auto=" + p.auto.By
		}
		if p.revealed {
			s += " revealed"
		}
		return strings.TrimSpace(s)
	}
	p := &play{}
	for _, c := range []struct {
		ev   arena.Event
		want string
	}{
		{arena.Directed{Epoch: 2, Note: "Rain."}, "Rain."},
		{arena.Directed{Epoch: 1, Note: "late"}, "Rain."},
		{arena.LineDelta{Epoch: 2, Text: "I"}, "Rain. line=I~"},
		{arena.LineDelta{Epoch: 1, Text: "late"}, "Rain. line=I~"},
		{arena.LineEnded{Epoch: 2, Text: "I go."}, "Rain. line=I go."},
		{arena.AutoChanged{Epoch: 1, By: "late", Left: 9}, "Rain. line=I go."},
		{arena.AutoChanged{Epoch: 2, By: "her", Left: 1}, "Rain. line=I go. auto=her"},
		{arena.AutoChanged{Epoch: 2, By: "her", Left: 0}, "Rain. line=I go. auto=her"},
		{arena.TurnStarted{Epoch: 2, Turn: arena.Turn{Number: 1, Canon: -1}}, "auto=her"},
		{arena.LineDelta{Epoch: 2, Text: "And"}, "line=And~ auto=her"},
		{arena.AutoChanged{Epoch: 2, By: "her", Why: "stopped"}, ""},
		{arena.Revealed{Epoch: 1}, ""},
		{arena.Revealed{Epoch: 2}, "revealed"},
		{arena.Unvoted{Epoch: 2, Turn: 7}, "revealed"},
	} {
		p.apply(c.ev, time.Time{})
		if got := state(p); got != c.want {
			t.Errorf("after %T: %q, want %q", c.ev, got, c.want)
		}
	}
}
