package casting

import (
	"context"

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
	return e
}

// stage puts a scene that was handed in on stage.
func stage(s characters.Scene, p Play) (Staging, error) {
	st := Staging{Roles: append([]string{s.User.Name}, s.Speakers()...), Greetings: 1}
	if s.Opening == "" {
		st.Greetings = 0
	}
	var err error
	if p.Role != "" {
		s, err = s.PlayedBy(p.Role)
	}
	st.Scene = s
	return st, err
}
