// Package tui is the arena in the terminal: a stack of screens, the keys that
// hold everywhere, and the one program that runs them.
//
// The root model only sizes and routes. A screen owns its state, takes messages
// and returns its frame; what it wants of others (a duel to be opened, the
// board, the way back) it asks for with a message. Everything a screen needs
// from below comes in Options, so this package reads no configuration and opens
// no connection.
package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/rating"
	"herarena/characters"
	"herarena/tui/again"
	"herarena/tui/archive"
	"herarena/tui/board"
	"herarena/tui/casting"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/portrait"
	"herarena/tui/replay"
	"herarena/tui/stage"
)

// Screen is one full page. All its methods are called from the program's own
// goroutine, but for Close.
type Screen interface {
	// Init is called once, when the screen is put on the stack.
	Init() tea.Cmd
	// Update takes a message. Keys, pastes and the mouse go to the screen on
	// top alone, everything else to all.
	Update(msg tea.Msg) tea.Cmd
	// View returns the frame: as many rows as the screen is high, each exactly
	// as wide as it is.
	View() string
	SetSize(w, h int)
	SetLook(l *look.Look)
	Keys() []keys.Group
	// Title names the screen in the title of the window.
	Title() string
	// Cursor is the cell of the text cursor, if the screen has one.
	Cursor() (x, y int, ok bool)
	// Close ends what the screen has started and waits for it.
	Close() error
}

// typist is a screen in which "?" may be text; the help then opens with F1 alone.
type typist interface{ Typing() bool }

// runner is a screen in which something may run that ctrl+c stops.
type runner interface {
	Running() bool
	Stop() tea.Cmd
}

var (
	_ Screen = (*stage.Stage)(nil)
	_ Screen = (*casting.Casting)(nil)
	_ Screen = (*board.Screen)(nil)
	_ typist = (*stage.Stage)(nil)
	_ typist = (*casting.Casting)(nil)
	_ runner = (*stage.Stage)(nil)

	_ commander = (*stage.Stage)(nil)
	_ commander = (*casting.Casting)(nil)
	_ commander = (*board.Screen)(nil)
	_ knower    = (*stage.Stage)(nil)
	_ knower    = (*casting.Casting)(nil)
	_ knower    = (*board.Screen)(nil)
	_ tipper    = (*stage.Stage)(nil)
	_ tipper    = (*casting.Casting)(nil)

	_ Screen    = (*archive.Screen)(nil)
	_ Screen    = (*archive.Reader)(nil)
	_ Screen    = (*replay.Screen)(nil)
	_ typist    = (*archive.Screen)(nil)
	_ typist    = (*archive.Reader)(nil)
	_ typist    = (*replay.Screen)(nil)
	_ runner    = (*replay.Screen)(nil)
	_ commander = (*archive.Screen)(nil)
	_ commander = (*archive.Reader)(nil)
	_ commander = (*replay.Screen)(nil)
	_ knower    = (*archive.Screen)(nil)
	_ knower    = (*archive.Reader)(nil)
	_ knower    = (*replay.Screen)(nil)

	_ Screen    = (*again.Screen)(nil)
	_ runner    = (*again.Screen)(nil)
	_ typist    = (*again.Screen)(nil)
	_ commander = (*again.Screen)(nil)
	_ knower    = (*again.Screen)(nil)

	_ stage.Duel = (*arena.Duel)(nil)
)

// Options hand in everything that the screens need.
type Options struct {
	Scenes      []characters.Scene
	Contestants []arena.Contestant
	Critics     []casting.CriticChoice
	// Preset is what the casting screen opens with; names that are not known
	// fall back to the first of the list.
	Preset casting.Preset
	// Shelf is the library of cards. Nil: there is none.
	Shelf casting.Shelf
	// Portraits says how pictures of cards are shown; "" is portrait.Auto.
	Portraits portrait.Setting
	// Open starts the duel of the preset at once; the casting screen lies below.
	Open bool
	// StartDuel makes the duel of a casting. It may block; ctx ends with the program.
	StartDuel func(ctx context.Context, c casting.Cast) (stage.Duel, error)
	// Sources lists the sources that have boards. Nil: there are none.
	Sources func(ctx context.Context) ([]string, error)
	// Board returns the ratings of a source. Nil: there are none.
	Board func(ctx context.Context, source string) (rating.Board, error)
	// BoardView makes all pages of the board screen; DrawPair draws who should meet
	// next. Nil: ratings are all there is.
	BoardView board.Maker
	DrawPair  func(ctx context.Context, source string, n rating.Next) (board.Drawn, error)
	// Archive is what the archive is made of, its looks and keys aside. Nil:
	// there is none.
	Archive *archive.Options
	// Continue puts together the duel that goes on from a past one. It may
	// block. Nil: none can be gone on with.
	Continue func(ctx context.Context, c archive.Continue) (casting.Cast, error)
	// Again puts together a turn of the ledger that is to be judged again, its
	// look and keys aside. It may block. Nil: none can be.
	Again func(ctx context.Context, duelID string, turn int) (again.Options, error)
	// First makes the first screen in place of the casting. The program ends
	// when it is left.
	First func(l *look.Look) Screen
	// Family returns the duels that hang together with one; History what was said
	// in a duel of the ledger up to a turn. Nil: nothing is known of other duels.
	Family  func(ctx context.Context, duelID string) ([]ledger.Kin, error)
	History func(ctx context.Context, from arena.Origin) ([]arena.PastTurn, error)
	// Offers brings contestants found on this machine while the program runs;
	// the channel may be closed. Nil: none are looked for.
	Offers <-chan casting.Offer
	// Note stands in the header of the first screen and of the boards.
	Note string
	// NoteOn is what stands in the header of a duel, e.g. that it is a
	// rehearsal. Nil: Note.
	NoteOn func(c casting.Cast) string
	// ASCII draws with ASCII alone.
	ASCII bool
	// Theme is the theme that is set; "" takes the one remembered, else the default.
	Theme string
	// Background is dark, light, or "" and auto: the terminal is asked, and dark
	// is assumed until it answers.
	Background string
	// KeepBackground leaves the terminal's own background under every theme.
	KeepBackground bool
	// Keys are the keys in force; nil are the defaults.
	Keys *keys.Map
	// Clipboard gives text to the system's clipboard and returns by what; nil is
	// the one of this session.
	Clipboard func(ctx context.Context, text string) (by string, err error)
	// Hints tells first steps until they are known.
	Hints bool
	// Memory is what was remembered of earlier runs; Remember keeps what is to
	// be remembered. It may block and is never called twice at once.
	Memory   Memory
	Remember func(Memory) error
	// SynchronizedOutput is on, off, or "" and auto: as the terminal says.
	SynchronizedOutput string
	// Program are further options of the Bubble Tea program.
	Program []tea.ProgramOption
}
