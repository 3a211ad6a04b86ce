package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/characters/card"
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

// messages returns what a contestant of a dialect is sent for the first line
// in a scene. It is the duel itself that writes them, so they are the very
// ones.
func messages(ctx context.Context, s characters.Scene, dialect layers.Dialect, line string) ([]arena.Message, error) {
	l := &listener{}
	c := arena.Contestant{Name: "a", Model: "a", Dialect: dialect, Player: l}
	other := c
	other.Name, other.Player = "b", &listener{}
	d, err := arena.NewDuel(arena.DuelOptions{Scene: s, Contestants: [2]arena.Contestant{c, other}})
	if err != nil {
		return nil, err
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
	return l.heard, err
}

// promptOutput is what cast show --prompt prints as JSON.
type promptOutput struct {
	Character string          `json:"character"`
	User      string          `json:"user"`
	Dialect   string          `json:"dialect"`
	Messages  []promptMessage `json:"messages"`
	Parts     []card.Part     `json:"parts"`
	Warnings  []card.Warning  `json:"warnings"`
	Tokens    int             `json:"tokens"` // estimated
}

type promptMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Tokens  int    `json:"tokens"`
}

func (a *app) castPrompt(ctx context.Context, arg string, o showOptions) error {
	dialect, err := layers.ParseDialect(o.dialect)
	if err != nil {
		return usageError{err}
	}
	s, known, err := knownScene(arg)
	out := promptOutput{Dialect: string(dialect), Parts: []card.Part{}, Warnings: []card.Warning{}}
	if err == nil && !known {
		var f *card.File
		if f, err = card.Open(arg); err != nil {
			return missing(arg, err)
		}
		var parts []card.Part
		s, parts, err = f.Scene(o.play)
		out.Parts, out.Warnings = append(out.Parts, parts...), f.Warnings
	}
	if err != nil {
		return err
	}
	list, err := messages(ctx, s, dialect, o.line)
	if err != nil {
		return err
	}
	out.Character, out.User = s.Character.Name, s.User.Name
	for _, m := range list {
		n := card.Tokens(m.Content)
		out.Tokens += n
		out.Messages = append(out.Messages, promptMessage{m.Role, m.Content, n})
	}
	if o.json {
		return a.printJSON(out)
	}
	var b strings.Builder
	for _, m := range out.Messages {
		fmt.Fprintf(&b, "── %s, about %d tokens ──\n%s\n\n", m.Role, m.Tokens, m.Content)
	}
	fmt.Fprintf(&b, "about %d tokens in all\n", out.Tokens)
	for i, p := range out.Parts {
		if i == 0 {
			b.WriteString("\nwhere it came from\n")
		}
		fmt.Fprintf(&b, "  %6d  %-22s %s\n", p.Tokens, p.To, guard.Line(p.From))
	}
	_, err = fmt.Fprint(a.out, guard.Text(b.String()))
	return err
}
