// Package keys holds key bindings as data: what is pressed, what it does, and
// how it is written in hints, in the help overlay and in the README.
//
// A screen declares its commands once, in Sets. From that one declaration the
// screen finds the command of a key (Table), the palette lists and runs the
// commands by name, the help and the README write their tables (Group), and a
// person's own keys are checked and applied (Map).
//
// Only keys that every terminal sends alike may be bound (see Allowed), so that
// no binding depends on a keyboard protocol.
package keys

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Binding is one action and the keys that trigger it.
type Binding struct {
	// Name is the stable dotted name of the action, as config.toml and the
	// palette know it: "stage.vote.a". Empty for what cannot be bound anew.
	Name string
	// Keys are names as Bubble Tea writes them: "enter", "ctrl+r", "alt+1", "?".
	Keys []string
	// Label is how the keys are shown; empty joins Keys with a slash.
	Label string
	// Does says what happens, in a few words.
	Does string
	// Hint is the still shorter word for the line of hints; empty keeps the
	// binding out of it.
	Hint string
	// Empty says that the action needs an empty composer, so that a digit or a
	// sign may be its key where letters are text.
	Empty bool
}

// New returns a binding of keys to what they do.
func New(does string, keys ...string) Binding { return Binding{Keys: keys, Does: does} }

// As returns the binding with the label under which it is shown.
func (b Binding) As(label string) Binding { b.Label = label; return b }

// Hinted returns the binding with a word for the line of hints.
func (b Binding) Hinted(word string) Binding { b.Hint = word; return b }

// Is reports whether the pressed key is one of the binding's.
func (b Binding) Is(k tea.KeyPressMsg) bool {
	return b.has(Name(k))
}

func (b *Binding) has(name string) bool {
	for _, key := range b.Keys {
		if key == name {
			return true
		}
	}
	return false
}

// Shown returns how the binding's keys are written for people.
func (b Binding) Shown() string {
	if b.Label != "" {
		return b.Label
	}
	shown := make([]string, len(b.Keys))
	for i, key := range b.Keys {
		shown[i] = Show(key)
	}
	return strings.Join(shown, " ")
}

// Show writes a key for people: arrows as arrows, everything else by its name.
func Show(key string) string {
	switch key {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	}
	return key
}

// ShownIn is Shown, in ASCII alone where that is asked for.
func (b Binding) ShownIn(ascii bool) string {
	if !ascii {
		return b.Shown()
	}
	return strings.NewReplacer("↑", "up", "↓", "down", "←", "left", "→", "right", "…", "-").Replace(b.Shown())
}

// Name returns the name of a pressed key. Keys that write text are named by
// that text, so that "?" is found on every keyboard layout.
func Name(k tea.KeyPressMsg) string {
	if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		if k.Text == " " {
			return "space"
		}
		return k.Text
	}
	// Caps lock and num lock are states of the keyboard, not part of a binding.
	k.Mod &^= tea.ModCapsLock | tea.ModNumLock | tea.ModScrollLock
	return tea.Key(k).Keystroke()
}

// Group is a set of bindings under a title, as the help shows it. Scope and
// Text are as in Set.
type Group struct {
	Title    string
	Scope    string
	Text     bool
	Bindings []Binding
}

var plain = map[string]bool{
	"enter": true, "esc": true, "tab": true, "space": true, "backspace": true, "delete": true,
	"up": true, "down": true, "left": true, "right": true,
	"home": true, "end": true, "pgup": true, "pgdown": true,
	"shift+enter": true, "alt+enter": true, "shift+tab": true,
}

// Allowed reports, as an error, why a key must not be bound: other modifiers
// arrive differently from terminal to terminal, and ctrl+m, ctrl+i and ctrl+h
// cannot be told from enter, tab and backspace.
func Allowed(key string) error {
	if plain[key] {
		return nil
	}
	if utf8.RuneCountInString(key) == 1 {
		return nil
	}
	if rest, ok := strings.CutPrefix(key, "ctrl+"); ok && len(rest) == 1 && rest[0] >= 'a' && rest[0] <= 'z' {
		if strings.ContainsAny(rest, "mih") {
			return fmt.Errorf("key %q reads as enter, tab or backspace in many terminals", key)
		}
		return nil
	}
	if rest, ok := strings.CutPrefix(key, "alt+"); ok && len(rest) == 1 && (rest[0] >= '0' && rest[0] <= '9' || rest[0] >= 'a' && rest[0] <= 'z') {
		return nil
	}
	if rest, ok := strings.CutPrefix(key, "f"); ok {
		var n int
		if _, err := fmt.Sscanf(rest, "%d", &n); err == nil && n >= 1 && n <= 12 && rest == fmt.Sprint(n) {
			return nil
		}
	}
	return fmt.Errorf("key %q is not sent alike by all terminals; bind a plain key, ctrl+letter, alt+letter, alt+digit or an F key", key)
}

// Check returns the first fault of a set of groups: a key that is not allowed,
// a binding without keys or words, or one key bound twice within a group.
func Check(groups []Group) error {
	for _, g := range groups {
		seen := map[string]string{}
		for _, b := range g.Bindings {
			if len(b.Keys) == 0 && b.Name == "" || b.Does == "" {
				return fmt.Errorf("%s: a binding lacks keys or words: %+v", g.Title, b)
			}
			for _, key := range b.Keys {
				if err := Allowed(key); err != nil {
					return fmt.Errorf("%s: %w", g.Title, err)
				}
				if other, ok := seen[key]; ok {
					return fmt.Errorf("%s: %q is bound to both %q and %q", g.Title, key, other, b.Does)
				}
				seen[key] = b.Does
			}
		}
	}
	return nil
}

// Markdown writes the groups as tables, for the README. Actions without keys,
// which the palette alone runs, are left out.
func Markdown(groups []Group) string {
	return markdown(groups, "| key | does |\n|---|---|\n", func(b Binding) string {
		if len(b.Keys) == 0 {
			return ""
		}
		return fmt.Sprintf("| `%s` | %s |\n", cell(b.Shown()), cell(b.Does))
	})
}

// MarkdownNamed writes all actions by name with their keys, for the reference.
func MarkdownNamed(groups []Group) string {
	return markdown(groups, "| action | keys | does |\n|---|---|---|\n", func(b Binding) string {
		shown := make([]string, len(b.Keys))
		for i, key := range b.Keys {
			shown[i] = "`" + cell(key) + "`"
		}
		return fmt.Sprintf("| `%s` | %s | %s |\n", b.Name, strings.Join(shown, " "), cell(b.Does))
	})
}

func markdown(groups []Group, head string, row func(Binding) string) string {
	var s strings.Builder
	for i, g := range groups {
		if i > 0 {
			s.WriteByte('\n')
		}
		fmt.Fprintf(&s, "**%s**\n\n%s", g.Title, head)
		for _, b := range g.Bindings {
			s.WriteString(row(b))
		}
	}
	return s.String()
}

// cell is a text within a cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
