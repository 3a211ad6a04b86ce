package plain

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"herarena/arena"
	"herarena/arena/rating"
	"herarena/characters"
	"herarena/tui/casting"
	"herarena/tui/stage/stagetest"
)

// critic stands for a critic that the scripted duel plays.
type critic struct{ name string }

func (c critic) Name() string { return c.name }

func (c critic) Judge(context.Context, arena.Case, func(arena.Verdict)) arena.Verdict {
	return arena.Verdict{}
}

// options are those of a scripted duel with every choice given.
func options(duel Duel) Options {
	if d, ok := duel.(*stagetest.Duel); ok {
		duel = newExact(d)
	}
	c := stagetest.Contestants()
	return Options{
		Scenes: []characters.Scene{stagetest.Scene()}, Contestants: c[:],
		Critics:   []casting.CriticChoice{{Name: "house", Critic: critic{"house"}}, {Label: "no critic", Note: "votes alone"}},
		StartDuel: func(context.Context, casting.Cast) (Duel, error) { return duel, nil },
		Board: func(_ context.Context, source string) (rating.Board, error) {
			return rating.Board{Battles: 2, Ratings: []rating.Row{
				{Contestant: "her-rl", BT: 1040, Low: 1000, High: 1080, Rank: 1, Battles: 2, Wins: 2},
				{Contestant: "plain-8b", BT: 960, Low: 920, High: 1000, Rank: 2, Battles: 2, Losses: 2},
			}}, nil
		},
		Sources: func(context.Context) ([]string, error) { return []string{"critic:house", "vote"}, nil },
	}
}

// script plays lines as a pipe would bring them.
func script(t *testing.T, o Options, lines ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	o.In, o.Out = strings.NewReader(strings.Join(lines, "\n")), &out
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	err := Run(ctx, o)
	if ctx.Err() != nil {
		t.Fatalf("the script never ended; so far:\n%s", out.String())
	}
	return out.String(), err
}

// log is an output that can be read while it grows.
type log struct {
	mu   sync.Mutex
	text strings.Builder
	read int
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// person types at a terminal; the clock of the test is a false one.
type person struct {
	t          *testing.T
	in         *io.PipeWriter
	out        *log
	interrupts chan os.Signal
	ended      chan error
}

// sit starts a run with a person. It must be called within a synctest bubble.
func sit(t *testing.T, o Options) *person {
	t.Helper()
	r, w := io.Pipe()
	p := &person{t: t, in: w, out: &log{}, interrupts: make(chan os.Signal, 2), ended: make(chan error, 1)}
	o.In, o.Out, o.Person, o.Interrupts = r, p.out, true, p.interrupts
	t.Cleanup(func() { _ = w.Close() }) // the reader ends with the input
	go func() { p.ended <- Run(t.Context(), o) }()
	synctest.Wait()
	return p
}

// types writes a line and waits for what comes of it at once.
func (p *person) types(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatalf("%q cannot be typed: %v", line, err)
	}
	synctest.Wait()
}

// hears returns what was said since it was last called.
func (p *person) hears() string {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	all := p.out.text.String()
	news := all[p.out.read:]
	p.out.read = len(all)
	return news
}

func (p *person) passes(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// leaves closes the input and returns how the run ended.
func (p *person) leaves() error {
	p.t.Helper()
	_ = p.in.Close()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(time.Hour):
		p.t.Fatal("the run never ended")
		return errors.New("never")
	}
}

func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in:\n%s", w, text)
		}
	}
}

func lacks(t *testing.T, text string, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(text, w) {
			t.Errorf("%q stands in:\n%s", w, text)
		}
	}
}

// inOrder checks that texts stand one after the other.
func inOrder(t *testing.T, text string, want ...string) {
	t.Helper()
	rest := text
	for _, w := range want {
		i := strings.Index(rest, w)
		if i < 0 {
			t.Errorf("%q is missing, or not where it should be, in:\n%s", w, text)
			return
		}
		rest = rest[i+len(w):]
	}
}
