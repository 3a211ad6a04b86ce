package stage

import (
	"context"
	"time"

	"herarena/arena"
	"herarena/arena/rating"
	"herarena/characters"
	"herarena/tui/keys"
	"herarena/tui/look"
)

// Options are what a stage is made of.
type Options struct {
	Duel        Duel
	Scene       characters.Scene
	Contestants [2]arena.Contestant
	Critic      string // the critic's name on boards; "" where nothing judges
	CriticLabel string // as the verdict bar names it; "" is Critic
	Canon       arena.CanonPolicy
	Blind       bool
	Note        string // shown in the header, e.g. that this is a rehearsal
	Look        *look.Look
	// Board returns the ratings of a source; nil shows no standings.
	Board func(ctx context.Context, source string) (rating.Board, error)
	// Keys are the keys in force; nil are the defaults.
	Keys *keys.Map
	// Reading is how the person reads, as remembered; changes are told with
	// Remember.
	Reading Reading
	// Clipboard gives text to the system's clipboard and returns by what; nil is
	// the session's own (tui/clip). It may block.
	Clipboard func(ctx context.Context, text string) (by string, err error)
	// Save writes a text into a file of its own and returns the full path; nil is
	// the folder the program was started in (tui/clip). It may block.
	Save func(name, text string) (path string, err error)
	// Now is the clock; nil is time.Now.
	Now func() time.Time

	// Origin says where the duel came from; its past is the duel's own to tell.
	Origin arena.Origin
	// Line is put into the composer, and with Say sent as the screen opens.
	Line string
	Say  bool
	// Family returns the duels that hang together with one, as the ledger knows
	// them; nil: there is none to ask.
	Family family
	// Offer returns who can play and who can judge; nil: only who does.
	Offer func() ([]arena.Contestant, []Critic)
}
