package casting

import (
	"strings"
	"testing"

	"herarena/tui/keys"
)

// TestACardGivenByItsPathIsToldInFull shows of a card from outside the library
// what is shown of those within, and why it is no favourite.
func TestACardGivenByItsPathIsToldInFull(t *testing.T) {
	t.Parallel()
	o := options()
	o.Shelf = library(t)
	o.Preset = Preset{SceneID: "two", Given: &Entry{
		ID: "two", Path: "cards/two.png", Creator: "saltmarsh", Tags: []string{"night", "watch"}, Tokens: 383, Lore: 4, HasPicture: true,
	}}
	s := New(o)
	s.SetSize(120, 40)
	if view := fits(t, s); !strings.Contains(view, "about 383 tokens") || strings.Contains(s.View(), "▒") {
		t.Errorf("the first frame:\n%s", view)
	}
	run(s, s.Update(openShelf{}))
	view := fits(t, s)
	for _, want := range []string{"The long watch", "by saltmarsh", "night · watch", "about 383 tokens", "4 entries", "cards/two.png", "▒"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not shown:\n%s", want, view)
		}
	}
	press(s, "f")
	if view := fits(t, s); s.entry.Favourite || !strings.Contains(s.offer, "drop the file here") || !strings.Contains(view, "no favourite until imported") {
		t.Errorf("f says %q:\n%s", s.offer, view)
	}
	press(s, "k")
	if press(s, "f"); !strings.Contains(s.offer, "ships with the program") {
		t.Errorf("f says %q of %s", s.offer, s.entry.Title)
	}
	for s.entry.ID != "maren" {
		press(s, "j")
	}
	if press(s, "f"); s.offer != "" || !s.entry.Favourite {
		t.Errorf("f says %q of a card of the library", s.offer)
	}
	s.Update(keys.Parse("tab"))
}

func TestWordsAreCutWhole(t *testing.T) {
	t.Parallel()
	c := New(options())
	for _, k := range []struct {
		text string
		w    int
		want string
	}{
		{"you change places", 17, "you change places"},
		{"you change places", 16, "you change…"},
		{"you change places", 11, "you change…"},
		{"you change places", 10, "you…"},
		{"changed", 4, "cha…"},
		{"slow burn, sea", 12, "slow burn…"},
		{"", 3, ""},
	} {
		if got := c.cut(k.text, k.w); got != k.want {
			t.Errorf("%q in %d cells is %q, want %q", k.text, k.w, got, k.want)
		}
	}
}
