package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/playbook"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/guard"
)

// listener is a player that keeps what it is asked and answers with a word.
type listener struct {
	mu    sync.Mutex
	heard []arena.Message
}

var _ arena.Player = (*listener)(nil)

// Play keeps the messages.
func (l *listener) Play(_ context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = call.Messages
	on(arena.Chunk{Kind: arena.ChunkText, Text: "Yes."})
	return arena.Outcome{Content: "Yes.", Finish: "stop", Complete: true}
}

// rehearsed is a prompt as a duel wrote it.
type rehearsed struct {
	messages []arena.Message
	scene    characters.Scene // as it was cast
	page     playbook.Page
}

// prompted returns what a contestant is sent for the first line in a scene. It
// is the duel itself that writes it, so it is the very same.
func prompted(ctx context.Context, s characters.Scene, c arena.Contestant, words int, line string) (rehearsed, error) {
	l := &listener{}
	c.Player = l
	other := c
	other.Name, other.Player = c.Name+", the other", &listener{}
	out := rehearsed{scene: s}
	o := arena.DuelOptions{Scene: s, Contestants: [2]arena.Contestant{c, other}, WordLimit: words}
	if in := arena.NewCardInjector(s); in != nil {
		in.Told = func(p playbook.Page) { out.page = p }
		o.Inject = in
	}
	d, err := arena.NewDuel(o)
	if err != nil {
		return out, err
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for range d.Events() {
		}
	}()
	err = d.Say(ctx, line)
	if err == nil {
		err = d.Wait(ctx)
	}
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	<-drained
	l.mu.Lock()
	defer l.mu.Unlock()
	out.messages = l.heard
	return out, err
}

// promptOutput is what cast show --prompt prints as JSON.
type promptOutput struct {
	Character  string           `json:"character"`
	User       string           `json:"user"`
	Contestant string           `json:"contestant,omitempty"`
	Dialect    string           `json:"dialect"`
	Seed       uint64           `json:"seed"`
	Messages   []promptMessage  `json:"messages"`
	Parts      []card.Part      `json:"parts"`
	Lore       []playbook.Fired `json:"lore"`
	Warnings   []card.Warning   `json:"warnings"`
	Tokens     int              `json:"tokens"`            // estimated
	Context    int              `json:"context,omitempty"` // of the contestant, 0: not known
}

type promptMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Tokens  int    `json:"tokens"`
}

// promptSeed is what is drawn by lot with where no seed is given.
const promptSeed = 1

// promptFlags are the flags that go with --prompt.
func (o *showOptions) promptFlags(f *pflag.FlagSet) {
	f.StringVar(&o.contestant, "contestant", "", "with --prompt: for this contestant, a configured `NAME` or URL#model, and whether its context holds it")
	f.StringVar(&o.examples, "examples", "", "with --prompt: example dialogue as text, turns or off")
}

// reader is who a prompt is for.
func (a *app) reader(ctx context.Context, cfg config.Config, o showOptions) (arena.Contestant, error) {
	dialect, err := layers.ParseDialect(o.dialect)
	if err != nil {
		return arena.Contestant{}, usageError{err}
	}
	if o.contestant == "" {
		return arena.Contestant{Name: "a", Model: "a", Dialect: dialect}, nil
	}
	r, done, err := a.openRoster(cfg, roster.Options{Rehearse: true})
	if err != nil {
		return arena.Contestant{}, err
	}
	defer done()
	c, err := r.Contestant(o.contestant)
	if err != nil {
		return c, usageError{err}
	}
	if dialect != layers.Auto {
		c.Dialect = dialect
	}
	both := [2]arena.Contestant{c}
	measure(ctx, &both)
	return both[0], nil
}

// promptScene is the scene of a file or an id, with what is to be said of the
// file.
func promptScene(arg string, o showOptions, out *promptOutput) (characters.Scene, error) {
	s, known, err := knownScene(arg)
	if err != nil || known {
		if o.play.User != "" && err == nil {
			s, err = s.PlayedBy(o.play.User)
		}
		if o.play.Greeting != 0 && err == nil {
			s, err = (&cardFlags{greeting: o.play.Greeting}).greeted(s)
		}
		return s, err
	}
	f, err := card.Open(arg)
	if err != nil {
		return s, missing(arg, err)
	}
	s, parts, err := f.Scene(o.play)
	if s.Play == nil {
		out.Parts = append(out.Parts, parts...)
	}
	out.Warnings = append(out.Warnings, f.Warnings...)
	return s, err
}

func (a *app) castPrompt(ctx context.Context, arg string, o showOptions) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if err := (&cardFlags{examples: o.examples}).overlay(&cfg); err != nil {
		return err
	}
	c, err := a.reader(ctx, cfg, o)
	if err != nil {
		return err
	}
	out := promptOutput{
		Contestant: o.contestant, Dialect: string(c.Dialect), Seed: cmp.Or(o.play.Seed, promptSeed), Context: c.Context,
		Messages: []promptMessage{}, Parts: []card.Part{}, Lore: []playbook.Fired{}, Warnings: []card.Warning{},
	}
	s, err := promptScene(arg, o, &out)
	if err == nil {
		s, err = dressed(s, cfg, [2]arena.Contestant{c, c}, out.Seed)
	}
	if err != nil {
		return err
	}
	told, err := prompted(ctx, s, c, cfg.WordLimit, o.line)
	if err != nil {
		return err
	}
	out.take(told, c)
	if o.json {
		return a.printJSON(out)
	}
	var b strings.Builder
	out.write(&b)
	_, err = fmt.Fprint(a.out, guard.Text(b.String()))
	return err
}

// take fills in what a duel was told.
func (p *promptOutput) take(r rehearsed, c arena.Contestant) {
	p.Character, p.User = r.scene.Character.Name, r.scene.User.Name
	for _, m := range r.messages {
		p.Messages = append(p.Messages, promptMessage{m.Role, m.Content, card.Tokens(m.Content)})
	}
	p.Parts = append(append(p.Parts, playbook.Parts(r.scene)...), r.page.Parts()...)
	p.Lore = append(p.Lore, r.page.Fired...)
	tokens, need, ok := arena.Room(r.messages, c)
	p.Tokens = tokens
	if !ok {
		p.Warnings = append(p.Warnings, card.Warning{Code: "context_too_short", Message: arena.Cramped(c, tokens, need)})
	}
	for _, pattern := range r.page.Slow {
		p.Warnings = append(p.Warnings, card.Warning{Code: "slow_pattern", Message: fmt.Sprintf("the pattern %.80q of the lorebook takes too long and was given up", pattern)})
	}
}

// write writes a prompt for people.
func (p *promptOutput) write(b *strings.Builder) {
	for _, m := range p.Messages {
		fmt.Fprintf(b, "── %s, about %d tokens ──\n%s\n\n", m.Role, m.Tokens, m.Content)
	}
	fmt.Fprintf(b, "about %d tokens in all", p.Tokens)
	if p.Context > 0 {
		fmt.Fprintf(b, ", of a context of %d", p.Context)
	}
	b.WriteString("\n")
	for i, part := range p.Parts {
		if i == 0 {
			b.WriteString("\nwhere it came from\n")
		}
		fmt.Fprintf(b, "  %6d  %-34s %s\n", part.Tokens, guard.Line(part.To), guard.Line(part.From))
	}
	for i, f := range p.Lore {
		if i == 0 {
			b.WriteString("\nlore\n")
		}
		verdict := "in "
		if !f.In {
			verdict = "out"
		}
		fmt.Fprintf(b, "  %s %6d  %s: %s  (%s)\n", verdict, f.Tokens, guard.Line(f.Entry), guard.Line(f.Why), guard.Line(f.Where))
	}
	for _, w := range p.Warnings {
		if w.Code == "context_too_short" || w.Code == "slow_pattern" {
			fmt.Fprintf(b, "\nwarning: %s\n", guard.Line(w.Message))
		}
	}
}
