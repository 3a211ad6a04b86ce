package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"herarena/arena/ledger"
	"herarena/tui"
	"herarena/tui/look"
	"herarena/tui/replay"
)

// replayFlags are the flags of herarena log replay.
type replayFlags struct {
	speed         float64
	maxPause      time.Duration
	cast          string
	width, height int
	light, plain  bool
}

func (a *app) replayCmd() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use: "replay DUEL", Short: "Play a recorded duel again, at the pace at which it was played",
		Long: "replay plays a recorded duel on the screen it was played on, at the pace at which it\n" +
			"was played: space holds it, + and - change the speed, esc ends it. Pauses in which\n" +
			"nothing was written are cut to --max-pause.\n\n" +
			"--cast writes a terminal recording that asciinema plays (asciicast v2) instead, at\n" +
			"once; --plain prints the duel line by line, at its pace on a terminal.",
		Example: "herarena log replay 01JQ --speed 2\nherarena log replay 01JQ --cast duel.cast && asciinema play duel.cast",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.logReplay(cmd.Context(), args[0], f) },
	}
	c.Flags().Float64Var(&f.speed, "speed", 1, "how much faster than it was played, 0.05 to 100")
	c.Flags().DurationVar(&f.maxPause, "max-pause", replayPause, "cut pauses in which nothing was written to this; 0 leaves them")
	c.Flags().StringVar(&f.cast, "cast", "", "write an asciinema recording to this `FILE`, - for standard output")
	c.Flags().IntVar(&f.width, "width", 120, "width of the recording, in cells")
	c.Flags().IntVar(&f.height, "height", 40, "height of the recording, in cells")
	c.Flags().BoolVar(&f.light, "light", false, "record for light terminals")
	c.Flags().BoolVar(&f.plain, "plain", false, "print the duel line by line")
	return c
}

func (f *replayFlags) check() error {
	switch {
	case !(f.speed >= 0.05 && f.speed <= 100):
		return usagef("--speed %v: want 0.05 to 100", f.speed)
	case f.maxPause < 0:
		return usagef("--max-pause %v: a pause cannot be negative", f.maxPause)
	case f.width < 60 || f.width > 500 || f.height < 20 || f.height > 200:
		return usagef("--width %d --height %d: want 60x20 to 500x200", f.width, f.height)
	case f.plain && f.cast != "":
		return usagef("--plain and --cast exclude each other: choose one")
	}
	return nil
}

func (a *app) logReplay(ctx context.Context, id string, f replayFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	var duel *ledger.DuelFull
	err := a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		var err error
		duel, err = l.Duel(ctx, id)
		return err
	})
	if err != nil {
		return err
	}
	o := replay.Options{Duel: duel, Speed: f.speed, MaxPause: f.maxPause, CriticLabel: criticLabel}
	switch {
	case f.cast != "":
		o.Look = look.New(look.Options{Dark: !f.light, Colour: castColour(), ASCII: os.Getenv("HERARENA_ASCII") != ""})
		return a.castTo(f.cast, func(w io.Writer) error { return replay.Cast(ctx, w, o, f.width, f.height) })
	case f.plain:
		return replay.Tell(ctx, a.out, o, isTerminal(a.out))
	case !isTerminal(a.in) || !isTerminal(a.out):
		return errors.New("a replay needs a terminal on standard input and output; --plain prints it line by line, --cast FILE records it")
	}
	return a.showReplay(ctx, o)
}

// castColour is how much colour a recording has: NO_COLOR asks for none.
func castColour() look.Level {
	if os.Getenv("NO_COLOR") != "" {
		return look.NoColour
	}
	return look.Full
}

// castTo writes a recording to a file, or to standard output for "-". A file
// appears whole or not at all, and takes the place of an older one.
func (a *app) castTo(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(a.out)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".herarena-*.cast")
	if err != nil {
		return fmt.Errorf("the recording cannot be written: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	err = write(temp)
	if cerr := temp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, err = fmt.Fprintln(a.out, path)
	return err
}

// showReplay plays a duel on the screen.
func (a *app) showReplay(ctx context.Context, o replay.Options) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	keymap, err := keymap(cfg)
	if err != nil {
		return err
	}
	opts := tui.Options{
		ASCII: os.Getenv("HERARENA_ASCII") != "", Theme: cfg.Theme, Background: cfg.Background, Keys: keymap,
		SynchronizedOutput: cfg.SynchronizedOutput,
		First: func(l *look.Look) tui.Screen {
			o.Look, o.Keys = l, keymap
			return replay.New(o)
		},
	}
	remembering(&opts)
	opts.Remember = nil
	err = tui.Run(ctx, opts)
	if errors.Is(err, tea.ErrInterrupted) {
		return context.Canceled
	}
	return err
}
