package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"herarena/arena"
	"herarena/characters"
	"herarena/cmd/herarena/internal/config"
	"herarena/tui/casting"
)

// cardFlags say how cards are played.
type cardFlags struct {
	greeting int
	examples string
	seed     uint64
}

func (c *cardFlags) add(f *pflag.FlagSet) {
	f.IntVar(&c.greeting, "greeting", 0, "which greeting of the card of --scene opens, counted from 0")
	f.StringVar(&c.examples, "examples", "", "a card's example dialogue: text, turns or off")
	f.Uint64Var(&c.seed, "seed", 0, "the seed of what cards draw by lot; 0 draws one for each duel")
}

// overlay puts the flags over the configuration.
func (c *cardFlags) overlay(cfg *config.Config) error {
	switch form := characters.ExampleForm(c.examples); form {
	case "":
	case characters.ExamplesText, characters.ExamplesTurns, characters.ExamplesOff:
		cfg.Examples = form
	default:
		return usagef("--examples %q is unknown (want text, turns or off)", c.examples)
	}
	if c.greeting != 0 && cfg.Scene == "" {
		return usagef("--greeting %d chooses a greeting and wants a card: add --scene", c.greeting)
	}
	return nil
}

// greeted is the scene of --scene with the greeting that was asked for.
func (c *cardFlags) greeted(s characters.Scene) (characters.Scene, error) {
	if c.greeting == 0 {
		return s, nil
	}
	s, err := s.Cast(characters.CastOptions{Greeting: &c.greeting})
	if err != nil {
		return s, usagef("--greeting: %w", err)
	}
	return s, nil
}

// lot is a seed for what a card draws by lot.
func (c *cardFlags) lot() uint64 {
	if c.seed != 0 {
		return c.seed
	}
	return 1 + rand.Uint64N(1<<53-1) // other programs read it as a floating-point number
}

// measured is a player that can tell how long its model's context is.
type measured interface {
	ContextLength(ctx context.Context) int
}

// cast makes a pairing ready to be played: how long the contexts are is found
// out, and the scene's card is given its lots and what it may take.
func (th *theatre) cast(ctx context.Context, c casting.Cast) (casting.Cast, error) {
	measure(ctx, &c.Contestants)
	seed := th.app.cards.lot()
	if c.Play.Seed != 0 {
		seed = uint64(c.Play.Seed)
	}
	var err error
	c.Scene, err = dressed(c.Scene, th.cfg, c.Contestants, seed)
	return c, err
}

// measure asks for the lengths of the contexts that are not known, both at once.
func measure(ctx context.Context, contestants *[2]arena.Contestant) {
	var wg sync.WaitGroup
	for i := range contestants {
		c := &contestants[i]
		if p, ok := c.Player.(measured); ok && c.Context == 0 && !c.Rehearsal {
			wg.Go(func() { c.Context = p.ContextLength(ctx) })
		}
	}
	wg.Wait()
}

// dressed is the scene as a duel of the contestants plays it. Both get the same
// lore, so the shorter context bounds it.
func dressed(s characters.Scene, cfg config.Config, contestants [2]arena.Contestant, seed uint64) (characters.Scene, error) {
	shorter := 0
	for _, c := range contestants {
		if c.Context > 0 && (shorter == 0 || c.Context < shorter) {
			shorter = c.Context
		}
	}
	return s.Cast(characters.CastOptions{
		Seed: seed, Now: time.Now().Truncate(time.Second), Examples: cfg.Examples, LoreBudget: shorter * cfg.Share() / 100,
	})
}
