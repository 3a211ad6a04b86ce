package casting

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/characters"
	"herarena/tui/guard"
)

// browse is the list of scenes: those at hand that the query finds, then those
// that the library found.
type browse struct {
	query   string
	order   int
	bundled []Entry
	all     []Entry
	// asked and answered count searches; while they differ one is under way.
	asked, answered int
	follow          bool // the choice moves to a row that is shown
	start           bool // begin once it is found

	changes  chan struct{} // in the library's folders, nil until they are watched
	progress *progress     // of the reading under way, nil while there is none
	seen     int64         // files read when the list was last asked for
	note     string
}

// progress is how far the library has been read; written by its goroutine.
type progress struct{ done, total atomic.Int64 }

type (
	found struct {
		asked int
		rows  []Entry
		err   error
	}
	progressed struct{}
	changed    struct{}
	refreshed  struct {
		note string
		err  error
	}
	favoured struct{ err error }
	imported struct {
		last Entry
		told []string
		errs []error
	}
)

// rows is how many rows the list of scenes has.
func (b *browse) rows() int { return len(b.bundled) + len(b.all) }

// row is a row of it.
func (b *browse) row(i int) *Entry {
	if i < len(b.bundled) {
		return &b.bundled[i]
	}
	return &b.all[i-len(b.bundled)]
}

// now is the row of an entry, -1 where it is not shown.
func (b *browse) now(e *Entry) int {
	return index(b.rows(), func(i int) bool { r := b.row(i); return r.ID == e.ID && r.Bundled == e.Bundled })
}

// bundled are the scenes at hand that a query finds: all its words, anywhere. One
// that the library has a scene of the same name for gives way to it.
func (c *Casting) bundled(query string) []Entry {
	words := strings.Fields(strings.ToLower(query))
	var out []Entry
next:
	for i := range c.o.Scenes {
		s := &c.o.Scenes[i]
		known := slices.IndexFunc(c.browse.all, func(e Entry) bool { return e.ID == s.ID })
		if known >= 0 && c.gives(&c.browse.all[known]) {
			continue
		}
		text := strings.ToLower(strings.Join([]string{s.Title, s.Language, s.Character.Name, s.User.Name, s.Source, s.Blurb}, " "))
		for _, w := range words {
			if lang, ok := strings.CutPrefix(w, "lang:"); ok && strings.HasPrefix(strings.ToLower(s.Language), lang) {
				continue
			}
			if !strings.Contains(text, w) {
				continue next
			}
		}
		e := bundledEntry(s)
		switch given := c.o.Preset.Given; {
		case given != nil && given.ID == s.ID:
			e.learn(given)
		case known >= 0: // of the library, and handed in as somebody asked for it
			e.learn(&c.browse.all[known])
		}
		out = append(out, e)
	}
	return out
}

// find asks the library what the query finds now.
func (c *Casting) find() {
	if c.o.Shelf == nil {
		return
	}
	c.browse.asked++
	ctx, shelf, n, query, order := c.ctx, c.o.Shelf, c.browse.asked, c.browse.query, orders[c.browse.order]
	c.ask(func() tea.Msg {
		rows, err := shelf.Find(ctx, query, order)
		return found{n, rows, err}
	})
}

// search changes the query of the list of scenes.
func (c *Casting) search(query string) {
	c.browse.query, c.top, c.fresh = query, 0, false
	c.browse.follow = true
	if c.o.Shelf == nil {
		c.browse.bundled = c.bundled(query)
		c.followRows()
		return
	}
	c.find()
}

// followRows moves the choice to a row that is shown, where the query has changed.
func (c *Casting) followRows() {
	if c.browse.follow && c.browse.rows() > 0 && c.browse.now(&c.entry) < 0 {
		c.take(*c.browse.row(0))
	}
	c.browse.follow = false
}

// found takes what a search found.
func (c *Casting) found(m found) tea.Cmd {
	if m.asked != c.browse.asked {
		return nil // a newer search is under way
	}
	b := &c.browse
	b.answered, c.fresh = m.asked, false
	if m.err != nil {
		b.follow, b.start = false, false
		c.tell("the library cannot be searched: "+m.err.Error(), true)
		return nil
	}
	b.all = m.rows
	b.bundled = c.bundled(b.query)
	b.all = slices.DeleteFunc(b.all, func(e Entry) bool { // shown among those at hand
		return slices.ContainsFunc(c.o.Scenes, func(s characters.Scene) bool { return s.ID == e.ID && !s.Bundled })
	})
	c.renew()
	c.followRows()
	if b.start {
		b.start = false
		return c.Start()
	}
	return nil
}

// renew takes what the library knows of the choice now.
func (c *Casting) renew() {
	for _, e := range c.browse.all {
		if e.ID != c.entry.ID || c.entry.Bundled && !c.gives(&e) {
			continue
		}
		same := e.Path == c.entry.Path && !c.entry.Bundled
		if c.entry = e; !same {
			c.restage()
		}
		return
	}
	if i := index(len(c.browse.bundled), func(i int) bool { return c.browse.bundled[i].ID == c.entry.ID }); i >= 0 && c.entry.Bundled {
		c.entry = c.browse.bundled[i]
	}
}

// gives reports whether an entry of the library takes the place of the scene that
// ships with the program under the same name.
func (c *Casting) gives(e *Entry) bool {
	return e.Kind == "scene" && slices.ContainsFunc(c.o.Scenes, func(s characters.Scene) bool { return s.ID == e.ID && s.Bundled })
}

// refresh has the library read what is new.
func (c *Casting) refresh() {
	if c.browse.progress != nil {
		return
	}
	p := &progress{}
	c.browse.progress, c.browse.seen = p, 0
	ctx, shelf := c.ctx, c.o.Shelf
	c.ask(func() tea.Msg {
		note, err := shelf.Refresh(ctx, func(done, total int) {
			p.done.Store(int64(done))
			p.total.Store(int64(total))
		})
		return refreshed{note, err}
	})
	c.ask(watch())
}

func watch() tea.Cmd {
	return tea.Tick(300*time.Millisecond, func(time.Time) tea.Msg { return progressed{} })
}

// progressed shows what has been read so far, and looks again a little later.
func (c *Casting) progressed() {
	b := &c.browse
	if b.progress == nil {
		return
	}
	if n := b.progress.done.Load(); n != b.seen {
		b.seen, c.fresh = n, false
		if b.asked == b.answered {
			c.find()
		}
	}
	c.ask(watch())
}

func (c *Casting) refreshed(m refreshed) {
	c.browse.progress, c.browse.note, c.fresh = nil, guard.Line(m.note), false
	if m.err != nil && c.ctx.Err() == nil {
		c.tell("the library cannot be read: "+m.err.Error(), true)
	} else if m.note != "" {
		c.tell(m.note, true)
	}
	c.find()
	if c.browse.changes == nil {
		c.watchFolders()
	}
}

// watchFolders has the library tell of cards that come and go while the screen is
// open.
func (c *Casting) watchFolders() {
	changes := make(chan struct{}, 1)
	c.browse.changes = changes
	ctx, shelf := c.ctx, c.o.Shelf
	c.ask(func() tea.Msg {
		defer close(changes)
		_ = shelf.Watch(ctx, func() {
			select {
			case changes <- struct{}{}:
			default: // one is waiting already
			}
		})
		return nil
	})
	c.await()
}

// await waits for the next change in the library's folders.
func (c *Casting) await() {
	ctx, changes := c.ctx, c.browse.changes
	c.ask(func() tea.Msg {
		select {
		case _, ok := <-changes:
			if ok {
				return changed{}
			}
			return nil
		case <-ctx.Done():
			return nil
		}
	})
}

// reads tells how far the reading under way is, "" where there is none.
func (b *browse) reads() string {
	if b.progress == nil {
		return ""
	}
	done, total := b.progress.done.Load(), b.progress.total.Load()
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("reading %d of %d", done, total)
}

// sortOn takes the next order.
func (c *Casting) sortOn() {
	c.browse.order = (c.browse.order + 1) % len(orders)
	c.top = 0
	c.find()
	c.tell("sorted by "+string(orders[c.browse.order]), false)
}

// favours reports whether the choice can be made a favourite.
func (c *Casting) favours() bool {
	return c.o.Shelf != nil && c.focus == sceneField && c.entry.ID != "" && !c.entry.Bundled
}

func (c *Casting) favour() {
	on := !c.entry.Favourite
	c.entry.Favourite, c.fresh = on, false
	if i := c.browse.now(&c.entry); i >= 0 {
		c.browse.row(i).Favourite = on
	}
	shelf, id := c.o.Shelf, c.entry.ID
	c.ask(func() tea.Msg { return favoured{shelf.Favour(id, on)} })
}

// unfavoured says why the choice cannot be a favourite.
func (c *Casting) unfavoured() string {
	switch {
	case c.o.Shelf == nil:
		return "no favourite: there is no library here"
	case c.entry.Path != "":
		return "no favourite until imported: drop the file here"
	}
	return "no favourite: it ships with the program"
}

// importing takes files into the library, one after the other.
func (c *Casting) importing(files [][]string) {
	c.tell("reading what was dropped here"+c.look.Glyphs.More, false)
	ctx, shelf := c.ctx, c.o.Shelf
	c.ask(func() tea.Msg { return importAll(ctx, shelf, files) })
}

func importAll(ctx context.Context, shelf Shelf, files [][]string) imported {
	var m imported
	for _, readings := range files {
		e, told, err := importOne(ctx, shelf, readings)
		if err != nil {
			m.errs = append(m.errs, err)
			continue
		}
		m.last = e
		m.told = append(m.told, told)
	}
	return m
}

// importOne takes the first reading of a path that there is.
func importOne(ctx context.Context, shelf Shelf, readings []string) (Entry, string, error) {
	path := readings[0]
	for _, r := range readings {
		if exists(r) {
			path = r
			break
		}
	}
	return shelf.Import(ctx, home(path))
}

func (c *Casting) imported(m imported) tea.Cmd {
	switch {
	case len(m.errs) > 0 && len(m.told) == 0:
		c.tell(m.errs[0].Error(), true)
		return nil
	case len(m.errs) > 0:
		c.tell(fmt.Sprintf("%d taken in, %d not: %v", len(m.told), len(m.errs), m.errs[0]), true)
	case len(m.told) > 1:
		c.tell(fmt.Sprintf("%d cards taken in", len(m.told)), false)
	default:
		c.tell(m.told[0], false)
	}
	c.turnTo(sceneField)
	c.browse.query, c.typing = "", false
	c.take(m.last)
	c.find()
	return nil
}
