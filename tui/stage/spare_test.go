package stage

import (
	"strings"
	"testing"

	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// TestTheVerdictTakesWhatRepliesLeave proves that reasons are read below short
// replies without opening anything, that nothing of the replies is lost for them,
// and that replies that need their rows keep them.
func TestTheVerdictTakesWhatRepliesLeave(t *testing.T) {
	t.Parallel()
	const reason, first, last = "Only one reply has an inner life", "Rain on the windows", "Give me a reason"
	for _, c := range []struct {
		w, h, turns int
		reasons     bool
	}{{120, 40, 1, true}, {200, 60, 1, true}, {100, 24, 1, false}, {120, 40, 4, false}, {80, 24, 1, false}} {
		p := set(t, c.w, c.h)
		for n := range c.turns {
			p.tell(judgedTurn(n+1, "one", stagetest.Agreeing())...)
		}
		screen := p.screen(t)
		if got := strings.Contains(screen, reason); got != c.reasons {
			t.Errorf("%dx%d after %d turns: reasons are shown: %v\n%s", c.w, c.h, c.turns, got, screen)
		}
		if c.reasons && (!strings.Contains(screen, first) || !strings.Contains(screen, last)) {
			t.Errorf("%dx%d: the verdict takes rows that replies need:\n%s", c.w, c.h, screen)
		}
		p.press("shift+tab")
		if screen := p.screen(t); c.w >= columnsFrom && c.h >= 40 && !strings.Contains(screen, reason) {
			t.Errorf("%dx%d after %d turns: with the focus the verdict shows no reasons:\n%s", c.w, c.h, c.turns, screen)
		}
	}
}

// TestTipsAreOfTheScreensGlyphs proves that a first step on a plain terminal names its
// key without an arrow, and that who is likely to go on is marked first.
func TestTipsAreOfTheScreensGlyphs(t *testing.T) {
	t.Parallel()
	p, _ := several(t, 120, 40)
	p.SetLook(look.New(look.Options{ASCII: true}))
	p.screen(t)
	for _, tip := range p.Tips() {
		if i := strings.IndexFunc(tip.Says, func(r rune) bool { return r > 0x7e }); i >= 0 {
			t.Errorf("%q has a sign of its own at %d", tip.Says, i)
		}
	}
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.press("alt+u")
	if m := p.menu; m == nil || m.items[m.shown[m.at]].text != "Old Ost" {
		t.Errorf("the one who is next is not marked:\n%s", p.screen(t))
	}
}
