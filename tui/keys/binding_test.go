package keys

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestOnlyPortableKeysAreAllowed(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"enter", "esc", "?", "1", "p", "G", "ctrl+r", "ctrl+j", "alt+1", "alt+4", "f1", "f12", "shift+enter", "alt+enter", "pgup", "/"} {
		if err := Allowed(key); err != nil {
			t.Errorf("Allowed(%q) = %v", key, err)
		}
	}
	for _, key := range []string{"", "ctrl+m", "ctrl+i", "ctrl+h", "alt+?", "alt+shift+1", "ctrl+1", "ctrl+shift+a", "f0", "f13", "f1x", "super+k", "alt+up", "foo"} {
		if Allowed(key) == nil {
			t.Errorf("Allowed(%q) is nil, want a fault", key)
		}
	}
}

func TestAKeyIsNamedByWhatItWrites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key  tea.Key
		want string
	}{
		{tea.Key{Code: '/', Mod: tea.ModShift, Text: "?"}, "?"},
		{tea.Key{Code: 'g', Mod: tea.ModShift, Text: "G", ShiftedCode: 'G'}, "G"},
		{tea.Key{Code: '1', Mod: tea.ModAlt}, "alt+1"},
		{tea.Key{Code: 'r', Mod: tea.ModCtrl}, "ctrl+r"},
		{tea.Key{Code: 'r', Mod: tea.ModCtrl | tea.ModCapsLock}, "ctrl+r"},
		{tea.Key{Code: tea.KeyEnter, Mod: tea.ModShift}, "shift+enter"},
		{tea.Key{Code: tea.KeyEnter, Mod: tea.ModNumLock}, "enter"},
		{tea.Key{Code: tea.KeySpace, Text: " "}, "space"},
	} {
		if got := Name(tea.KeyPressMsg(c.key)); got != c.want {
			t.Errorf("Name(%+v) = %q, want %q", c.key, got, c.want)
		}
	}
}

func TestCheckFindsClashes(t *testing.T) {
	t.Parallel()
	good := []Group{{Title: "one", Bindings: []Binding{New("goes", "a"), New("stays", "b", "ctrl+b")}}, {Title: "two", Bindings: []Binding{New("comes", "a")}}}
	if err := Check(good); err != nil {
		t.Errorf("Check(good) = %v", err)
	}
	for name, bad := range map[string][]Group{
		"clash":    {{Title: "one", Bindings: []Binding{New("goes", "a"), New("stays", "a")}}},
		"wordless": {{Title: "one", Bindings: []Binding{New("", "a")}}},
		"keyless":  {{Title: "one", Bindings: []Binding{New("goes")}}},
		"ctrl+m":   {{Title: "one", Bindings: []Binding{New("goes", "ctrl+m")}}},
	} {
		if Check(bad) == nil {
			t.Errorf("Check(%s) is nil, want a fault", name)
		}
	}
}

func TestMarkdownListsEveryBinding(t *testing.T) {
	t.Parallel()
	got := Markdown([]Group{{Title: "Stage", Bindings: []Binding{New("sends the line", "enter"), New("votes", "1", "2").As("1…2"), New("splits", "|")}}})
	for _, want := range []string{"**Stage**", "| `enter` | sends the line |", "| `1…2` | votes |", "| `\\|` | splits |"} {
		if !strings.Contains(got, want) {
			t.Errorf("Markdown lacks %q:\n%s", want, got)
		}
	}
}
