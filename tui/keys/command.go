package keys

import tea "charm.land/bubbletea/v2"

// Command is an action of a screen S: a binding and what it does.
type Command[S any] struct {
	Binding
	// Do carries the action out.
	Do func(S) tea.Cmd
	// When reports whether the action is possible now; nil: it always is. A key
	// whose action is not possible is left to the next scope, and in the end to
	// the text.
	When func(S) bool
}

// Act returns a command: its stable name, the help in a few words, what it
// does, and its default keys.
func Act[S any](name, does string, do func(S) tea.Cmd, keys ...string) Command[S] {
	return Command[S]{Binding: Binding{Name: name, Does: does, Keys: keys}, Do: do}
}

// Plain is for actions that need no command of Bubble Tea.
func Plain[S any](do func(S)) func(S) tea.Cmd {
	return func(s S) tea.Cmd {
		do(s)
		return nil
	}
}

// As returns the command with the label its default keys are shown under.
func (c Command[S]) As(label string) Command[S] { c.Label = label; return c }

// Hinted returns the command with a word for the line of hints.
func (c Command[S]) Hinted(word string) Command[S] { c.Hint = word; return c }

// If returns the command with the condition under which it is possible.
func (c Command[S]) If(when func(S) bool) Command[S] { c.When = when; return c }

// InEmpty says that the command's condition includes an empty composer, so that
// digits and signs may be its keys.
func (c Command[S]) InEmpty() Command[S] { c.Empty = true; return c }

// Set is the commands of one scope under one title of the help.
type Set[S any] struct {
	Title string
	// Scope is where the keys hold, dotted: keys of "stage" hold in
	// "stage.side" too, those of "" everywhere.
	Scope string
	// Text says that letters are text in this scope.
	Text     bool
	Commands []Command[S]
}

// Table is a screen's commands with the keys in force.
type Table[S any] struct {
	sets []Set[S]
	m    *Map
}

// NewTable applies a map to the commands of a screen. A nil map leaves the
// default keys. The table may be shared and does not change.
func NewTable[S any](m *Map, sets ...Set[S]) *Table[S] {
	t := &Table[S]{m: m, sets: make([]Set[S], len(sets))}
	for i, set := range sets {
		set.Commands = append([]Command[S](nil), set.Commands...)
		for j := range set.Commands {
			set.Commands[j].Binding = m.Of(set.Commands[j].Binding)
		}
		t.sets[i] = set
	}
	return t
}

// Press runs the command of a key in the scopes given, the innermost first. It
// reports whether there was one that is possible now.
func (t *Table[S]) Press(s S, k tea.KeyPressMsg, scopes ...string) (cmd tea.Cmd, taken bool) {
	if c := t.meant(s, k, scopes); c != nil {
		return c.Do(s), true
	}
	return nil, false
}

// Meant returns the binding that Press would run, the zero Binding if none.
func (t *Table[S]) Meant(s S, k tea.KeyPressMsg, scopes ...string) Binding {
	if c := t.meant(s, k, scopes); c != nil {
		return c.Binding
	}
	return Binding{}
}

func (t *Table[S]) meant(s S, k tea.KeyPressMsg, scopes []string) *Command[S] {
	name := Name(k)
	for _, scope := range scopes {
		for i := range t.sets {
			if t.sets[i].Scope != scope {
				continue
			}
			for j := range t.sets[i].Commands {
				if c := &t.sets[i].Commands[j]; c.has(name) && (c.When == nil || c.When(s)) {
					return c
				}
			}
		}
	}
	return nil
}

// Run runs a command by name, as the palette does. It reports whether the
// screen has it and it is possible now.
func (t *Table[S]) Run(s S, name string) (cmd tea.Cmd, ran bool) {
	c := t.find(name)
	if c == nil || c.When != nil && !c.When(s) {
		return nil, false
	}
	return c.Do(s), true
}

// Get returns a command's binding with the keys in force; the zero Binding when
// there is none of that name.
func (t *Table[S]) Get(name string) Binding {
	if c := t.find(name); c != nil {
		return c.Binding
	}
	return Binding{}
}

func (t *Table[S]) find(name string) *Command[S] {
	for i := range t.sets {
		for j := range t.sets[i].Commands {
			if t.sets[i].Commands[j].Name == name {
				return &t.sets[i].Commands[j]
			}
		}
	}
	return nil
}

// Entry is a command as the palette lists it.
type Entry struct {
	Binding
	Title    string // of the group it stands in
	Possible bool   // now
	Here     bool   // its scope has the keys now
}

// Entries lists all commands and whether they are possible now; scopes are
// those that have the keys.
func (t *Table[S]) Entries(s S, scopes ...string) []Entry {
	var out []Entry
	for _, set := range t.sets {
		here := false
		for _, scope := range scopes {
			here = here || scope == set.Scope
		}
		for _, c := range set.Commands {
			out = append(out, Entry{Binding: c.Binding, Title: set.Title, Here: here, Possible: c.When == nil || c.When(s)})
		}
	}
	return out
}

// Groups returns the bindings in force as the help shows them.
func (t *Table[S]) Groups() []Group { return GroupsOf(t.sets) }

// GroupsOf returns the bindings of sets.
func GroupsOf[S any](sets []Set[S]) []Group {
	groups := make([]Group, len(sets))
	for i, set := range sets {
		groups[i] = Group{Title: set.Title, Scope: set.Scope, Text: set.Text}
		for _, c := range set.Commands {
			groups[i].Bindings = append(groups[i].Bindings, c.Binding)
		}
	}
	return groups
}

// Run asks for a command to be carried out by its name, as a click on a hint
// does.
type Run struct{ Name string }

// Tip is a first step, told where it is of use until it is known.
type Tip struct {
	Name    string   // under which it is remembered
	Says    string   // one short line
	Actions []string // following any of them ends the tip for good
	Row     int      // of the screen, on which it is laid at the right
	Right   int      // cells kept free behind it
}
