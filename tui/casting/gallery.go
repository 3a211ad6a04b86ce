package casting

import (
	"context"
	"os"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/portrait"
)

// How many pictures are kept unpacked, drawn, and with the terminal.
const (
	mostPictures = 2
	mostDrawn    = 12
	mostPlaced   = 6
)

// gallery shows the portrait of the entry looked at. It reads one picture at a
// time, and goes on with the one that is wanted by then.
type gallery struct {
	terminal *portrait.Terminal
	profile  colorprofile.Profile // as the terminal says; Unknown until it has
	pictures []hung
	drawn    []drawing
	placed   []placement
	loading  bool
	placing  bool
	base     uint32 // ids of pictures with the terminal begin here
	next     uint32
}

// hung is an entry's picture, or why there is none.
type hung struct {
	id    string
	pic   *portrait.Picture
	fault string
}

type drawing struct {
	id   string
	o    portrait.Options
	rows []string
}

type placement struct {
	id   string
	w, h int
	portrait.Placed
	there bool // the terminal has it
}

func newGallery(s portrait.Setting) gallery {
	// Programs share a terminal's ids, so ours begin somewhere of their own.
	return gallery{terminal: portrait.NewTerminal(s, os.Getenv), base: 0x480000 + uint32(time.Now().UnixNano()>>10)&0x7fff0}
}

// handed says that the terminal was given a picture.
type handed struct{ p placement }

// hear takes answers about pictures. It reports whether something looks different.
func (g *gallery) hear(msg tea.Msg, ask func(tea.Cmd)) bool {
	switch m := msg.(type) {
	case tea.ColorProfileMsg:
		g.profile = m.Profile
		return true
	case hung:
		g.loading = false
		if g.pictures = append(g.pictures, m); len(g.pictures) > mostPictures {
			g.pictures = slices.Delete(g.pictures, 0, 1)
		}
		return true
	case placement:
		up := m.Upload
		m.Upload = "" // it is large
		ask(tea.Sequence(tea.Raw(up), func() tea.Msg { return handed{m} }))
	case handed:
		g.placing = false
		m.p.there = true
		if g.placed = append(g.placed, m.p); len(g.placed) > mostPlaced {
			g.placed = slices.Delete(g.placed, 0, 1)
		}
		return true
	default:
		changed, cmd := g.terminal.Hear(msg)
		ask(cmd)
		return changed
	}
	return false
}

func (g *gallery) find(id string) *hung {
	for i := range g.pictures {
		if g.pictures[i].id == id {
			return &g.pictures[i]
		}
	}
	return nil
}

// shows reports whether an entry has a portrait to be shown, or may have.
func (g *gallery) shows(e *Entry) bool {
	if !e.HasPicture || !g.terminal.Shown() {
		return false
	}
	h := g.find(e.ID)
	return h == nil || h.pic != nil
}

// attend asks for the picture of an entry, in w times h cells, 0 for none.
func (g *gallery) attend(ctx context.Context, shelf Shelf, e Entry, w, h int, ask func(tea.Cmd)) {
	if w <= 0 || h <= 0 || !g.shows(&e) {
		return
	}
	have := g.find(e.ID)
	if have == nil {
		if !g.loading {
			g.loading = true
			ask(g.terminal.Ask())
			ask(func() tea.Msg { return hang(ctx, shelf, e.ID) })
		}
		return
	}
	if !g.terminal.Places() || g.placing || g.placement(e.ID, w, h) != nil {
		return
	}
	g.placing = true
	g.next = (g.next + 1) % (mostPlaced + 2) // never one that is still shown
	id, pic, wrap := g.base+g.next, have.pic, g.terminal.Wraps()
	ask(func() tea.Msg {
		p, err := pic.PlaceKitty(id, w, h, wrap)
		if err != nil {
			return handed{}
		}
		return placement{id: e.ID, w: w, h: h, Placed: p}
	})
}

func hang(ctx context.Context, shelf Shelf, id string) hung {
	data, err := shelf.Picture(ctx, id)
	var pic *portrait.Picture
	switch {
	case err != nil:
	case len(data) == 0:
		return hung{id: id}
	default:
		pic, err = portrait.Decode(ctx, data)
	}
	if err != nil {
		return hung{id: id, fault: guard.Line(err.Error())}
	}
	return hung{id: id, pic: pic}
}

func (g *gallery) placement(id string, w, h int) *placement {
	for i := range g.placed {
		if p := &g.placed[i]; p.id == id && p.w == w && p.h == h {
			return p
		}
	}
	return nil
}

// rows draw an entry's portrait; nil while it is not there yet.
func (g *gallery) rows(e *Entry, w, h int, l *look.Look) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	if p := g.placement(e.ID, w, h); p != nil && g.terminal.Places() {
		return p.Rows
	}
	o := portrait.Options{W: w, H: h, Colours: g.colours(l), Dark: l.Dark, ASCII: l.ASCII}
	for _, d := range g.drawn {
		if d.id == e.ID && d.o == o {
			return d.rows
		}
	}
	have := g.find(e.ID)
	if have == nil || have.pic == nil {
		return nil
	}
	rows := have.pic.Cells(o)
	if g.drawn = append(g.drawn, drawing{e.ID, o, rows}); len(g.drawn) > mostDrawn {
		g.drawn = slices.Delete(g.drawn, 0, 1)
	}
	return rows
}

// colours are those of the terminal, where it has said; a theme of few colours
// leaves pictures theirs, and NO_COLOR holds for them too.
func (g *gallery) colours(l *look.Look) portrait.Colours {
	switch {
	case l.Colour == look.NoColour:
		return portrait.None
	case g.profile >= colorprofile.TrueColor:
		return portrait.True
	case g.profile == colorprofile.ANSI256:
		return portrait.Many
	case g.profile == colorprofile.ANSI, l.Colour == look.ANSI16:
		return portrait.Sixteen
	}
	return portrait.True
}
