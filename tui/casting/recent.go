package casting

import (
	"fmt"
	"slices"
	"strings"

	"herarena/arena"
	"herarena/tui/guard"
)

// MostRecent is how many pairings are kept.
const MostRecent = 9

// Pairing is a cast as it is remembered between runs: by names.
type Pairing struct {
	Scene    string            `json:"scene"`
	Title    string            `json:"title,omitempty"`
	Card     bool              `json:"card,omitempty"` // Scene is of the library
	A        string            `json:"a"`
	B        string            `json:"b"`
	Critic   string            `json:"critic,omitempty"`
	Canon    arena.CanonPolicy `json:"canon,omitempty"`
	Blind    bool              `json:"blind,omitempty"`
	Role     string            `json:"role,omitempty"`
	Greeting int               `json:"greeting,omitempty"`
}

// Pairing is what of the cast is remembered.
func (c Cast) Pairing() Pairing {
	p := Pairing{
		Scene: c.Scene.ID, Title: c.Scene.Title, A: c.Contestants[0].Name, B: c.Contestants[1].Name,
		Critic: c.Critic.Name, Canon: c.Canon, Blind: c.Blind, Role: c.Play.Role, Greeting: c.Play.Greeting,
	}
	if c.Card != "" {
		p.Scene, p.Card = c.Card, true
	}
	return p
}

// Remembered puts a pairing before those remembered, each once.
func Remembered(all []Pairing, p Pairing) []Pairing {
	out := []Pairing{p}
	for _, old := range all {
		if old != p && len(out) < MostRecent {
			out = append(out, old)
		}
	}
	return out
}

// before is what was chosen when the list of recent casts was opened.
type before struct {
	chosen   [lists]int
	entry    Entry
	role     string
	greeting int
	focus    field
}

// openRecent turns to the casts played last and takes the last of them; pressed
// again it takes the one before.
func (c *Casting) openRecent() {
	if c.focus == recentField {
		c.choose((c.chosen[recentField] + 1) % len(c.o.Recent))
		return
	}
	c.was = before{c.chosen, c.entry, c.play.Role, c.play.Greeting, c.focus}
	c.turnTo(recentField)
	c.choose(0)
}

// leaveRecent takes back what was chosen among the recent casts.
func (c *Casting) leaveRecent() {
	c.chosen = c.was.chosen
	c.take(c.was.entry)
	c.play.Role, c.play.Greeting = c.was.role, c.was.greeting
	c.restage()
	c.turnTo(c.was.focus)
}

// apply takes a remembered cast as far as it is still there.
func (c *Casting) apply(p Pairing) {
	var gone []string
	if e, ok := c.known(p); ok {
		c.take(e)
		c.play.Role, c.play.Greeting = p.Role, p.Greeting
		c.restage()
	} else {
		gone = append(gone, p.Title)
	}
	for _, side := range []struct {
		f    field
		name string
	}{{aField, p.A}, {bField, p.B}} {
		if i := c.contestant(side.name); i >= 0 {
			c.chosen[side.f] = i
		} else {
			gone = append(gone, side.name)
		}
	}
	if i := index(len(c.o.Critics), func(i int) bool { return c.o.Critics[i].Name == p.Critic }); i >= 0 {
		c.chosen[criticField] = i
	} else {
		gone = append(gone, p.Critic)
	}
	c.chosen[canonField] = max(index(len(policies), func(i int) bool { return policies[i].policy == p.Canon }), 0)
	c.chosen[blindField] = 0
	if p.Blind {
		c.chosen[blindField] = 1
	}
	c.offer, c.bad = "", false
	if len(gone) > 0 {
		c.tell(guard.Line(strings.Join(gone, " and "))+" is not here any more", true)
	}
}

// known is what a pairing's scene is called now. What is of the library may
// not have been read yet: then it is taken by its name.
func (c *Casting) known(p Pairing) (Entry, bool) {
	if !p.Card {
		for i := range c.o.Scenes {
			if c.o.Scenes[i].ID == p.Scene {
				return bundledEntry(&c.o.Scenes[i]), true
			}
		}
		return Entry{}, false
	}
	if i := slices.IndexFunc(c.browse.all, func(e Entry) bool { return e.ID == p.Scene }); i >= 0 {
		return c.browse.all[i], true
	}
	return Entry{ID: p.Scene, Title: p.Title, Name: p.Title, Kind: "card", HasPicture: true}, c.o.Shelf != nil
}

// recentOptions are the rows of the list of recent casts.
func recentOptions(all []Pairing) []option {
	var out []option
	for _, p := range all {
		o := option{title: titled(p.Title), meta: guard.Line(p.A) + " – " + guard.Line(p.B)}
		if p.Greeting > 0 {
			o.title += fmt.Sprintf(" (greeting %d)", p.Greeting+1)
		}
		out = append(out, o)
	}
	return out
}
