package casting

import (
	"context"
	"slices"

	"herarena/characters"
)

// Entry is one thing that the list of scenes shows. Its texts may be hostile.
type Entry struct {
	ID    string // unique among all that is shown
	Title string
	Name  string // who is played
	User  string // whom the person plays, "" where it does not say
	Kind  string // "scene", "card", "scenario", "lorebook", "chat", "" where it cannot be read
	Path  string

	Creator, Language, Blurb string
	Tags                     []string
	Greetings, Lore, Tokens  int

	Favourite, Bundled, HasPicture bool
	Duplicates                     []string // IDs of others with the same content
	Fault                          string   // why it cannot be played, "" where it can

	first int // the greeting that a scene at hand opens with
}

// Order is an order of the list.
type Order string

// The orders, in the order in which a key goes through them.
const (
	ByName   Order = "name"
	ByAdded  Order = "newest"
	ByPlayed Order = "last played"
	ByTokens Order = "longest"
)

var orders = [...]Order{ByName, ByAdded, ByPlayed, ByTokens}

// Play says how a card is put on stage.
type Play struct {
	Role     string // whom the person plays, "" for whom the card says
	Greeting int    // counted from 0
	// Seed decides what a card leaves to chance.
	Seed int64
}

// Staging is an entry put on stage.
type Staging struct {
	Scene     characters.Scene
	Greetings int      // that can be chosen from
	Roles     []string // whom the person can play, the usual one first
	AnyRole   bool     // the person may have any name
	Lore      int      // entries of the lorebook
	Tokens    int      // estimated
	Warnings  []string
}

// Shelf is where cards come from. All methods may block and are called from
// goroutines of the program, never while a frame is drawn; none is called before
// the first frame.
type Shelf interface {
	// Refresh reads what is new. Until it has ended Find gives what is known.
	// note is a sentence about what could not be read, "" for none.
	Refresh(ctx context.Context, progress func(done, total int)) (note string, err error)
	// Watch tells of what changes afterwards, until ctx ends.
	Watch(ctx context.Context, changed func()) error
	// Find lists what a query finds; the empty one finds all.
	Find(ctx context.Context, query string, order Order) ([]Entry, error)
	Stage(ctx context.Context, id string, p Play) (Staging, error)
	// Picture returns the bytes of an entry's picture.
	Picture(ctx context.Context, id string) ([]byte, error)
	Favour(id string, on bool) error
	// Import takes a file into the library, unless its content is there already,
	// and returns what stands for it. told is a sentence on what was done.
	Import(ctx context.Context, path string) (e Entry, told string, err error)
}

// bundledEntry is the entry of a scene that was handed in.
func bundledEntry(s *characters.Scene) Entry {
	e := Entry{
		ID: s.ID, Title: s.Title, Name: s.Character.Name, User: s.User.Name, Kind: "scene",
		Language: s.Language, Blurb: s.Blurb, Bundled: true,
	}
	if s.Opening != "" {
		e.Greetings = 1
	}
	if s.Play != nil {
		e.Greetings, e.first = len(s.Play.Greetings), s.Play.Greeting
	}
	return e
}

// learn takes from what is known of its file what a scene does not tell.
func (e *Entry) learn(k *Entry) {
	e.Path, e.Creator, e.Tags, e.Tokens, e.Lore, e.HasPicture = k.Path, k.Creator, k.Tags, k.Tokens, k.Lore, k.HasPicture
	if e.Language == "" {
		e.Language = k.Language
	}
}

// Stage puts a scene on stage as the person wants it: the greeting that opens,
// whom they play, and the seed of what its card draws by lot. The error says why
// that cannot be.
func Stage(s characters.Scene, p Play) (Staging, error) {
	st := Staging{Roles: append([]string{s.User.Name}, s.Speakers()...)}
	if s.Opening != "" {
		st.Greetings = 1
	}
	var err error
	if s.Play != nil {
		st.AnyRole, st.Greetings = true, len(s.Play.Greetings)
		if s.Play.Book != nil {
			st.Lore = len(s.Play.Book.Entries)
		}
		o := characters.CastOptions{Seed: uint64(p.Seed)}
		if p.Greeting > 0 || s.Play.Greeting > 0 {
			o.Greeting = &p.Greeting
		}
		if s, err = s.Cast(o); err != nil {
			return Staging{}, err
		}
	}
	switch {
	case p.Role == "" || p.Role == s.User.Name:
	case st.AnyRole && !slices.Contains(st.Roles, p.Role):
		s, err = s.As(p.Role)
	default:
		s, err = s.PlayedBy(p.Role)
	}
	st.Scene = s
	return st, err
}
