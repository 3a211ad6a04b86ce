package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"herarena/arena/ledger"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/casting"
	"herarena/tui/plain"
)

// errNoTerminal is told where there is neither a terminal nor a script.
var errNoTerminal = errors.New("the arena needs a terminal on standard input and output, or lines on standard input: printf 'Good evening.\\n/a\\n' | herarena --plain; herarena say, judge and board work without one (herarena --help)")

// runPlain plays in the plain mode. Without the flag it stands in for the
// screen where lines come from a pipe or a file.
func (a *app) runPlain(ctx context.Context, cfg config.Config) error {
	in := a.in
	if !a.plain {
		if isTerminal(a.in) {
			return errNoTerminal
		}
		_, _ = fmt.Fprintln(a.errw, "herarena: no terminal, so each line of standard input is played in plain mode (herarena --plain)")
		lines := bufio.NewReader(a.in)
		if _, err := lines.Peek(1); err != nil {
			return errNoTerminal
		}
		in = lines
	}
	ctx, interrupts, release := heedInterrupts(ctx)
	defer release()
	r, done, err := a.openRoster(cfg, roster.Options{Rehearse: true, Pace: a.pace})
	if err != nil {
		return err
	}
	defer done()
	th := &theatre{app: a, cfg: cfg, roster: r}
	preset, err := th.preset(scenes())
	if err != nil {
		return err
	}
	l, err := ledger.Open(ctx, a.ledgerPath(cfg))
	if err != nil {
		return err
	}
	th.ledger = l
	defer func() { _ = l.Close() }()
	o := plain.Options{
		In: in, Out: a.out, Person: a.plain && isPerson(a.in), Interrupts: interrupts,
		Scenes: preset.scenes, Contestants: preset.contestants, Critics: preset.critics, Preset: preset.choice,
		Given: plain.Given{
			Scene: a.scene != "" || a.chat != "", A: a.quickA != "", B: a.quickB != "", Critic: a.critic != "", Canon: a.canon != "", Blind: a.blind,
		},
		Note: preset.chat,
		NoteOn: func(c casting.Cast) string {
			return noteOn(c.Contestants[0], c.Contestants[1], c.Critic.OnBoards())
		},
		StartDuel: func(ctx context.Context, c casting.Cast) (plain.Duel, error) { return th.startDuel(ctx, c) },
		Board:     th.board, Sources: th.sources, Again: th.judgeAgain, Export: th.exportDuel,
	}
	if o.Person {
		offers, stop := lookAround(ctx)
		defer stop()
		o.Offers = offers
	}
	return plain.Run(ctx, o)
}

// lookAround looks for servers on this machine; stop ends the search and waits
// for it.
func lookAround(ctx context.Context) (offers <-chan casting.Offer, stop func()) {
	found := make(chan casting.Offer, 1)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(found)
		if o, ok := discover(ctx); ok {
			found <- o
		}
	})
	return found, func() { cancel(); wg.Wait() }
}

// heedInterrupts hands signals to the plain mode, where the first ctrl+c stops
// what runs and the second leaves; where none is taken any more, as when the
// output blocks, the third ends the program as usual. The returned context ends with the given one, but not
// because of a signal. A broken pipe is an error of the write from then on
// instead of the end of the program.
func heedInterrupts(parent context.Context) (ctx context.Context, interrupts <-chan os.Signal, release func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	signals, to := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	ended := parent.Done()
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case sig := <-signals:
				select {
				case to <- sig:
				default: // the last one has not been taken yet
					signal.Stop(signals)
				}
			case <-ended:
				// A signal's cause is an error of its own that is context.Canceled too.
				cause := context.Cause(parent)
				if bySignal := cause != context.Canceled && errors.Is(cause, context.Canceled); !bySignal { //nolint:errorlint // see above
					cancel()
				}
				ended = nil
			case <-ctx.Done():
				return
			}
		}
	})
	return ctx, to, func() {
		cancel()
		wg.Wait()
		signal.Stop(signals)
		signal.Stop(pipe)
	}
}

// isPerson reports whether somebody may type on a stream: a terminal, and not
// the empty device.
func isPerson(stream io.Reader) bool {
	f, ok := stream.(*os.File)
	if !ok || !isTerminal(f) {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
