package keys

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Map is the keys in force by the name of the action. A nil Map leaves every
// action its default keys. Make others with NewMap.
type Map struct {
	keys map[string][]string
}

// Of returns a binding with the keys in force. Its label goes when its keys
// have changed.
func (m *Map) Of(b Binding) Binding {
	if m == nil || b.Name == "" {
		return b
	}
	if keys, ok := m.keys[b.Name]; ok {
		b.Keys, b.Label = keys, ""
	}
	return b
}

// In returns groups with the keys in force.
func (m *Map) In(groups []Group) []Group {
	out := make([]Group, len(groups))
	for i, g := range groups {
		g.Bindings = append([]Binding(nil), g.Bindings...)
		for j := range g.Bindings {
			g.Bindings[j] = m.Of(g.Bindings[j])
		}
		out[i] = g
	}
	return out
}

// Fault is why a person's keys cannot be used.
type Fault struct {
	Action string // the action it is about, as written by the person
	Text   string // what is wrong, and what to do
}

// Error names the action and the fault.
func (f *Fault) Error() string { return fmt.Sprintf("%q: %s", f.Action, f.Text) }

// reserved are the keys that always work: the way back and the way out.
var reserved = map[string]string{"esc": "goes back", "ctrl+c": "stops and leaves"}

// NewMap lays keys over the defaults of all groups: first those of a preset,
// then the person's own. An empty key unbinds an action. It refuses, with a
// *Fault, an action or key that does not exist, keys that always work, a key of
// text where text is written, and one key for two actions that may be meant at
// once.
func NewMap(groups []Group, preset, own map[string][]string) (*Map, error) {
	m := &Map{keys: map[string][]string{}}
	known := map[string]Binding{}
	places := map[string]Group{}
	for _, g := range groups {
		for _, b := range g.Bindings {
			if b.Name != "" {
				known[b.Name], places[b.Name] = b, g
			}
		}
	}
	for _, layer := range []map[string][]string{preset, own} {
		for _, name := range sorted(layer) {
			b, ok := known[name]
			if !ok {
				return nil, &Fault{name, "there is no such action" + meant(name, sorted(known)) + "; herarena config keys lists them"}
			}
			keys, err := chosen(b, places[name], layer[name])
			if err != nil {
				return nil, err
			}
			m.keys[name] = keys
		}
	}
	if err := m.clash(groups, own); err != nil {
		return nil, err
	}
	return m, nil
}

// chosen checks the keys somebody wants for an action. Reserved keys that the
// action has by default stay with it.
func chosen(b Binding, place Group, want []string) ([]string, error) {
	var keys []string
	for _, key := range want {
		if key == "" {
			continue
		}
		key = canonical(key)
		if err := Allowed(key); err != nil {
			return nil, &Fault{b.Name, err.Error() + meant(key, names())}
		}
		if does, ok := reserved[key]; ok && !b.has(key) {
			return nil, &Fault{b.Name, fmt.Sprintf("%q always %s and cannot be taken", key, does)}
		}
		if place.Text && !b.has(key) && writes(key, b.Empty) {
			return nil, &Fault{b.Name, fmt.Sprintf("%q writes text where this action is meant to work; choose ctrl+letter, alt+digit or an F key", key)}
		}
		keys = append(keys, key)
	}
	for _, key := range b.Keys {
		if _, ok := reserved[key]; ok && !holds(keys, key) {
			keys = append([]string{key}, keys...)
		}
	}
	return keys, nil
}

// writes reports whether a key is text, or changes it. Where an action needs an
// empty composer signs and digits are free, since few lines begin with one.
func writes(key string, empty bool) bool {
	switch key {
	case "space", "backspace", "delete", "left", "right", "up", "down", "home", "end":
		return true
	}
	if utf8.RuneCountInString(key) != 1 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(key)
	return !empty || unicode.IsLetter(r)
}

// clash finds two actions that one key would mean at the same time. Pairs that
// share a key by default are meant to: the inner one goes first.
func (m *Map) clash(groups []Group, own map[string][]string) error {
	type holder struct {
		scope    string
		binding  Binding
		defaults Binding
	}
	var all []holder
	for _, g := range groups {
		for _, b := range g.Bindings {
			all = append(all, holder{g.Scope, m.Of(b), b})
		}
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if !together(a.scope, b.scope) {
				continue
			}
			for _, key := range a.binding.Keys {
				if !b.binding.has(key) || a.defaults.has(key) && b.defaults.has(key) {
					continue
				}
				mine, other := b, a // the fault is told of the one that was changed
				if _, changed := own[b.binding.Name]; !changed {
					mine, other = a, b
				}
				return &Fault{mine.binding.Name, fmt.Sprintf("%q is also the key of %s (%s); give one of them another key, or \"\" for none", key, other.binding.Name, other.binding.Does)}
			}
		}
	}
	return nil
}

// together reports whether keys of two scopes may be meant at the same time.
func together(a, b string) bool {
	within := func(in, out string) bool { return out == "" || in == out || strings.HasPrefix(in, out+".") }
	return within(a, b) || within(b, a)
}

// canonical writes a key the way it is compared: other programs' names for it
// are understood.
func canonical(key string) string {
	if utf8.RuneCountInString(key) == 1 {
		if key == " " {
			return "space"
		}
		return key
	}
	key = strings.ToLower(strings.ReplaceAll(key, "-", "+"))
	for old, new := range map[string]string{
		"escape": "esc", "return": "enter", "pageup": "pgup", "pagedown": "pgdown", "del": "delete", "control+": "ctrl+", "meta+": "alt+", "option+": "alt+",
	} {
		if strings.HasSuffix(old, "+") {
			if rest, ok := strings.CutPrefix(key, old); ok {
				key = new + rest
			}
		} else if key == old {
			key = new
		}
	}
	return key
}

// names are the names of the keys that have one.
func names() []string {
	all := sorted(plain)
	for i := 1; i <= 12; i++ {
		all = append(all, fmt.Sprint("f", i))
	}
	for c := 'a'; c <= 'z'; c++ {
		all = append(all, "alt+"+string(c))
		if Allowed("ctrl+"+string(c)) == nil {
			all = append(all, "ctrl+"+string(c))
		}
	}
	return all
}

// meant names the nearest known word, if one is near.
func meant(word string, known []string) string {
	best, at := max(len(word)/3, 1)+1, ""
	for _, k := range known {
		if d := Distance(word, k); d < best {
			best, at = d, k
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", at)
}

// Distance is the Levenshtein distance of two names, in bytes: how many slips of
// the finger lie between them.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, last+1)
		}
	}
	return row[len(b)]
}

func holds(keys []string, key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
