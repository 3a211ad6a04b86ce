package stage

import (
	"strings"
	"testing"

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
