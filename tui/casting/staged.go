package casting

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"herarena/tui/guard"
)

// mostStaged is how many entries on stage are kept, so that going back and forth
// reads nothing again.
const mostStaged = 24

// stageKey is an entry put on stage in one way.
type stageKey struct {
	id      string
	bundled bool
	play    Play
}

// stages are what was put on stage.
type stages struct {
	kept    []staged // the newest last
	loading bool
}

// staged is the answer to putting an entry on stage; started says that a duel
// was to begin with it.
type staged struct {
	key     stageKey
	staging Staging
	err     error
	started bool
}

// wanted is what is to be on stage.
func (c *Casting) wanted() stageKey {
	p := c.play
	p.Seed = c.seed()
	return stageKey{c.entry.ID, c.entry.Bundled, p}
}

func (s *stages) get(key stageKey) *staged {
	for i := range s.kept {
		if s.kept[i].key == key {
			return &s.kept[i]
		}
	}
	return nil
}

func (s *stages) put(st staged) {
	s.kept = slices.DeleteFunc(s.kept, func(k staged) bool { return k.key == st.key })
	if len(s.kept) >= mostStaged {
		s.kept = s.kept[1:]
	}
	s.kept = append(s.kept, st)
}

// staged is what is wanted on stage, nil where it is not there.
func (c *Casting) staged() *Staging {
	if st := c.stages.get(c.wanted()); st != nil && st.err == nil {
		return &st.staging
	}
	return nil
}

// take chooses an entry. It opens with its first greeting, and the person plays
// whom it says.
func (c *Casting) take(e Entry) {
	if e.ID == c.entry.ID && e.Bundled == c.entry.Bundled && e.Path == c.entry.Path {
		c.entry, c.fresh = e, false
		return
	}
	c.entry, c.play, c.aboutTop, c.fresh = e, Play{Greeting: e.first}, 0, false
	c.restage()
}

// restage puts what is wanted on stage where it is at hand, and shows what can
// be chosen of it.
func (c *Casting) restage() {
	c.fresh = false
	key := c.wanted()
	if c.entry.Bundled && c.stages.get(key) == nil {
		for _, s := range c.o.Scenes {
			if s.ID == c.entry.ID {
				st, err := Stage(s, key.play)
				if err != nil {
					c.tell(err.Error(), true)
					c.play = Play{Greeting: c.entry.first}
					key = c.wanted()
					st, err = Stage(s, key.play)
				}
				c.stages.put(staged{key: key, staging: st, err: err})
				break
			}
		}
	}
	c.roles()
}

// roles lists whom the person can play and what can open.
func (c *Casting) roles() {
	st := c.staged()
	if st == nil {
		if c.play == (Play{Greeting: c.entry.first}) { // another entry: nothing is known of it
			c.lists[roleField], c.lists[greetingField] = nil, nil
			if name := guard.Line(c.entry.User); name != "" {
				c.lists[roleField] = []option{{title: name}}
			}
			c.greetings(c.entry.Greetings)
			c.chosen[roleField], c.chosen[greetingField] = 0, 0
		}
		return
	}
	c.lists[roleField], c.chosen[roleField] = nil, 0
	names := st.Roles
	if c.play.Role != "" && !slices.Contains(names, c.play.Role) {
		names = append(slices.Clone(names), c.play.Role)
	}
	for i, name := range names {
		o := option{title: guard.Line(name)}
		switch {
		case i == 0:
			o.meta = "as the scene has it"
		case slices.Contains(st.Roles, name):
			o.meta = "you change places"
		default:
			o.meta = "yours"
		}
		if name == c.play.Role {
			c.chosen[roleField] = i
		}
		c.lists[roleField] = append(c.lists[roleField], o)
	}
	c.greetings(st.Greetings)
}

func (c *Casting) greetings(n int) {
	c.lists[greetingField] = nil
	for i := range min(n, 999) {
		c.lists[greetingField] = append(c.lists[greetingField], option{title: fmt.Sprintf("%d of %d", i+1, n)})
	}
	c.chosen[greetingField] = min(c.play.Greeting, max(n-1, 0))
}

// greet goes on to another greeting, around at the end.
func (c *Casting) greet(by int) {
	n := len(c.lists[greetingField])
	if n < 2 {
		return
	}
	c.play.Greeting = (c.play.Greeting + by + n) % n
	c.chosen[greetingField], c.aboutTop = c.play.Greeting, 0
	c.restage()
}

// greets reports whether there is another greeting.
func (c *Casting) greets() bool { return len(c.lists[greetingField]) > 1 }

// attendStage has what is wanted put on stage, unless something is being already:
// then its answer comes here again.
func (c *Casting) attendStage() {
	key := c.wanted()
	if c.stages.loading || c.entry.ID == "" || c.entry.Bundled || c.entry.Fault != "" || c.stages.get(key) != nil {
		return
	}
	c.stages.loading = true
	ctx, shelf := c.ctx, c.o.Shelf
	c.ask(func() tea.Msg {
		st, err := shelf.Stage(ctx, key.id, key.play)
		return staged{key: key, staging: st, err: err}
	})
}

func (c *Casting) onStage(m staged) {
	c.fresh = false
	if m.started {
		c.busy = false
		c.tell(m.err.Error(), true)
		return
	}
	c.stages.loading = false
	c.stages.put(m)
	if m.key == c.wanted() {
		c.roles()
	}
}
