package stage

import (
	"strings"
	"testing"

	"herarena/arena"
	"herarena/arena/layers"
)

func TestACollapsedLayerSaysHowManyWordsItHas(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.tell(played(1, "one")...)
	p.setPanel(layers.Speech, panelCollapsed)
	s := p.screen(t)
	if strings.Contains(s, "0 words") || strings.Count(s, "speech  15 words") != 1 {
		t.Errorf("collapsed speech is not counted:\n%s", s)
	}
	// The words of a reply that grows are those of the whole of it, and what a
	// terminal would act on is no word.
	p.tell(opened(2, "two"), started(2, arena.A, 0), started(2, arena.B, 0))
	for i, more := range []string{"One \x1b[31mtwo\x1b[0m th", "ree **four** 漢字"} {
		p.tell(delta(2, arena.A, 0, i+1, layers.Segment{Layer: layers.Speech, Text: more}))
	}
	p.setPanel(layers.Speech, panelShown)
	p.setPanel(layers.Speech, panelCollapsed)
	if s := p.screen(t); !strings.Contains(s, "speech  6 words") {
		t.Errorf("speech that grows is not counted:\n%s", s)
	}
}

func TestTheOpeningIsHiddenLikeTheReplies(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 40)
	p.setPanel(layers.Speech, panelCollapsed)
	if s := p.screen(t); !strings.Contains(s, "speech  ") || strings.Contains(s, "speech  0") {
		t.Fatalf("the opening is not collapsed:\n%s", s)
	}
	p.setPanel(layers.Speech, panelHidden)
	if s := p.screen(t); strings.Contains(s, "speech  ") || strings.Count(s, "speech hidden") != 2 {
		t.Errorf("the opening does not say what is hidden:\n%s", s)
	}
}
