package stage

import (
	"slices"
	"testing"

	"herarena/tui/keys"
)

// TestALineIsOfferedOnlyWhereOneIsProposed: a scene without suggestions has no
// line that a key could take.
func TestALineIsOfferedOnlyWhereOneIsProposed(t *testing.T) {
	t.Parallel()
	offers := func(p *prop) bool {
		p.View()
		return slices.ContainsFunc(p.Tips(), func(tip keys.Tip) bool { return tip.Name == "stage.suggest" })
	}
	if p := set(t, 120, 40); !offers(p) {
		t.Error("the line that is proposed is not offered")
	}
	p := set(t, 120, 40, func(o *Options) { o.Scene.Suggestions = nil })
	if offers(p) {
		t.Errorf("a line is offered where none is proposed:\n%s", p.screen(t))
	}
	p = set(t, 120, 40)
	if p.press("'Mine"); offers(p) {
		t.Error("a line is offered while another is written")
	}
}
