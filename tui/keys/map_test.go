package keys

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// screens is a small program: something everywhere, a stage with a composer and
// a list, and a board apart from it.
func screens() []Group {
	return []Group{
		{Title: "Everywhere", Text: true, Bindings: []Binding{
			{Name: "help", Does: "help", Keys: []string{"f1", "?"}, Empty: true},
			{Name: "stop", Does: "stop", Keys: []string{"ctrl+c"}},
		}},
		{Title: "Stage", Scope: "stage", Text: true, Bindings: []Binding{
			{Name: "stage.again", Does: "again", Keys: []string{"ctrl+r"}},
			{Name: "stage.back", Does: "back", Keys: []string{"esc"}},
		}},
		{Title: "Composer", Scope: "stage.composer", Text: true, Bindings: []Binding{
			{Name: "stage.send", Does: "send", Keys: []string{"enter"}},
			{Name: "stage.vote.a", Does: "A", Keys: []string{"1"}, Empty: true},
		}},
		{Title: "List", Scope: "stage.list", Bindings: []Binding{
			{Name: "stage.again.one", Does: "again here", Keys: []string{"ctrl+r"}},
			{Name: "stage.up", Does: "up", Keys: []string{"up", "k"}},
			{Name: "stage.open", Does: "open", Keys: []string{"enter"}},
		}},
		{Title: "Board", Scope: "board", Bindings: []Binding{{Name: "board.sort", Does: "sort", Keys: []string{"s"}}, {Name: "board.back", Does: "back", Keys: []string{"esc", "q"}}}},
	}
}

func TestOwnKeysAreTaken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own  map[string][]string
		want map[string]string // action: keys in force
	}{
		"defaults":             {nil, map[string]string{"stage.again": "ctrl+r", "board.sort": "s"}},
		"several":              {map[string][]string{"stage.again": {"ctrl+r", "f5"}}, map[string]string{"stage.again": "ctrl+r f5"}},
		"unbound":              {map[string][]string{"stage.again": {""}}, map[string]string{"stage.again": ""}},
		"swapped":              {map[string][]string{"stage.again": {"f5"}, "stage.again.one": {"f5"}, "help": {"f6"}}, nil},
		"the way back stays":   {map[string][]string{"board.back": {"b"}, "stage.back": {""}}, map[string]string{"board.back": "esc b", "stage.back": "esc"}},
		"apart":                {map[string][]string{"board.sort": {"ctrl+r"}}, map[string]string{"board.sort": "ctrl+r"}},
		"a letter in a list":   {map[string][]string{"stage.up": {"u"}}, map[string]string{"stage.up": "u"}},
		"a sign while empty":   {map[string][]string{"stage.vote.a": {"!"}}, map[string]string{"stage.vote.a": "!"}},
		"names of elsewhere":   {map[string][]string{"stage.again": {"C-r", "Ctrl-T"}}, nil},
		"names are understood": {map[string][]string{"board.sort": {"PageUp", "Control-t", "meta+s"}}, map[string]string{"board.sort": "pgup ctrl+t alt+s"}},
	} {
		m, err := NewMap(screens(), nil, c.own)
		if c.want == nil {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, g := range m.In(screens()) {
			for _, b := range g.Bindings {
				if want, ok := c.want[b.Name]; ok && strings.Join(b.Keys, " ") != want {
					t.Errorf("%s: %s is on %q, want %q", name, b.Name, strings.Join(b.Keys, " "), want)
				}
			}
		}
	}
}

func TestOwnKeysAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		action string
		keys   []string
		say    []string
	}{
		{"two of one scope", "stage.send", []string{"1"}, []string{`"1" writes text`}},
		{"two of one list", "stage.open", []string{"k"}, []string{`"k"`, "stage.up", "up"}},
		{"inner and outer", "stage.up", []string{"f1"}, []string{`"f1"`, "help"}},
		{"outer and inner", "stage.again", []string{"enter"}, []string{`"enter"`, "stage.send"}},
		{"text in the composer", "stage.send", []string{"x"}, []string{`"x" writes text`, "ctrl+letter"}},
		{"space in the composer", "stage.again", []string{"space"}, []string{`"space" writes text`}},
		{"deleting in the composer", "stage.again", []string{"backspace"}, []string{`"backspace" writes text`}},
		{"a letter for a vote", "stage.vote.a", []string{"a"}, []string{`"a" writes text`}},
		{"the way back", "board.sort", []string{"esc"}, []string{`"esc" always goes back`}},
		{"the way out", "stage.send", []string{"ctrl+c"}, []string{`"ctrl+c" always stops`}},
		{"unknown action", "stage.agian", []string{"f5"}, []string{"no such action", `did you mean "stage.again"?`}},
		{"nothing like it", "zzzzzzzz", []string{"f5"}, []string{"no such action; herarena config keys"}},
		{"unknown key", "board.sort", []string{"pgupp"}, []string{`"pgupp"`, `did you mean "pgup"?`}},
		{"a key no terminal tells apart", "board.sort", []string{"ctrl+m"}, []string{"reads as enter"}},
		{"a key few terminals send", "board.sort", []string{"super+k"}, []string{"not sent alike"}},
	} {
		_, err := NewMap(screens(), nil, map[string][]string{c.action: c.keys})
		var fault *Fault
		if !errors.As(err, &fault) {
			t.Errorf("%s: error %v, want a fault", c.name, err)
			continue
		}
		if fault.Action != c.action {
			t.Errorf("%s: the fault is told of %s, want %s", c.name, fault.Action, c.action)
		}
		for _, want := range c.say {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q lacks %q", c.name, err, want)
			}
		}
	}
}

func TestOwnKeysGoOverAPreset(t *testing.T) {
	t.Parallel()
	preset := map[string][]string{"board.sort": {"o"}, "stage.up": {"ctrl+p"}}
	m, err := NewMap(screens(), preset, map[string][]string{"board.sort": {"f7"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Of(Binding{Name: "board.sort", Keys: []string{"s"}, Label: "s"}); !slices.Equal(got.Keys, []string{"f7"}) || got.Label != "" {
		t.Errorf("board.sort is %+v, want f7 and no label", got)
	}
	if got := m.Of(Binding{Name: "stage.up"}); !slices.Equal(got.Keys, []string{"ctrl+p"}) {
		t.Errorf("stage.up is %+v, want ctrl+p", got)
	}
}

// TestNoMapTakesTheWayOut tries anything at all: whatever is accepted, esc and
// ctrl+c still do what they do, and nothing panics.
func TestNoMapTakesTheWayOut(t *testing.T) {
	t.Parallel()
	actions := []string{"help", "stop", "stage.again", "stage.back", "stage.send", "stage.vote.a", "stage.up", "board.sort", "board.back", "nothing"}
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.OneOf(rapid.SampledFrom(append(names(), "", "x", "?", "esc", "ctrl+c", "é", "漢")), rapid.String())
		own := rapid.MapOfN(rapid.SampledFrom(actions), rapid.SliceOfN(key, 0, 3), 0, 4).Draw(t, "own")
		m, err := NewMap(screens(), nil, own)
		if err != nil {
			return
		}
		for _, g := range m.In(screens()) {
			for _, b := range g.Bindings {
				if (b.Name == "stop") != b.has("ctrl+c") {
					t.Fatalf("ctrl+c and %s: %v", b.Name, b.Keys)
				}
				if (b.Name == "stage.back" || b.Name == "board.back") != b.has("esc") {
					t.Fatalf("esc and %s: %v", b.Name, b.Keys)
				}
			}
		}
	})
}
