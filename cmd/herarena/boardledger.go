package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/rating"
)

// sliced turns battles of the ledger into a board's battles with what the flags
// ask to know of them.
type sliced struct {
	l     *ledger.Ledger
	by    rating.By
	style bool
	duel  *ledger.DuelFull // of the battle before
}

// into counts the battles of a source.
func (s *sliced) into(ctx context.Context, source arena.Source, to *rating.Slicer) error {
	if s.by == "" && !s.style {
		battles, err := ratingBattles(ctx, s.l, source)
		for _, b := range battles {
			to.Add(b)
		}
		return err
	}
	battles, err := s.l.Battles(ctx, ledger.BattleFilter{Source: source, Counted: true})
	if err != nil {
		return err
	}
	judged := make(map[string]bool) // turns whose dimensions are counted
	for _, b := range battles {
		rated := rating.Counting([]arena.Battle{b})[0]
		if s.by == rating.ByCharacter || s.by == rating.ByDimension || s.style {
			if err := s.describe(ctx, b, rated.About); err != nil {
				return err
			}
		}
		if s.by != rating.ByDimension {
			to.Add(rated)
			continue
		}
		to.Tally.Add(rated)
		if !judged[b.TurnID] {
			judged[b.TurnID] = true
			s.dimensions(b, to)
		}
	}
	return nil
}

// describe adds what only the whole duel knows.
func (s *sliced) describe(ctx context.Context, b arena.Battle, about *rating.About) error {
	if s.duel == nil || s.duel.ID != b.DuelID {
		d, err := s.l.Duel(ctx, b.DuelID)
		var missing *ledger.Error
		if errors.As(err, &missing) && missing.Kind == ledger.NotFound {
			s.duel = nil
			return nil
		}
		if err != nil {
			return err
		}
		s.duel = d
	}
	about.Character = s.duel.Character
	t := s.turn(b.TurnID)
	if t != nil && t.Speaker != "" {
		about.Character = t.Speaker
	}
	if t == nil || !s.style {
		return nil
	}
	x, y := t.Reply(arena.A), t.Reply(arena.B)
	if x != nil && y != nil {
		about.Style = [2]rating.Style{rating.StyleOf(x.Segments), rating.StyleOf(y.Segments)}
		about.Styled = true
	}
	return nil
}

func (s *sliced) turn(id string) *ledger.FullTurn {
	if s.duel == nil {
		return nil
	}
	for i := range s.duel.Turns {
		if s.duel.Turns[i].ID == id {
			return &s.duel.Turns[i]
		}
	}
	return nil
}

// dimensions counts what the ruling behind a battle says of each dimension.
func (s *sliced) dimensions(b arena.Battle, to *rating.Slicer) {
	t := s.turn(b.TurnID)
	if t == nil || t.Ruling == nil || !strings.HasSuffix(string(b.Source), ":"+t.Ruling.Critic) {
		return
	}
	for _, d := range rating.Dimensions(t.Ruling, b.A, b.B) {
		to.AddPart(d)
	}
}

// overLedger opens the ledger for reading; no ledger is no error, but tells so.
func (a *app) overLedger(ctx context.Context, do func(*ledger.Ledger, []ledger.SourceCount) error) (there bool, err error) {
	cfg, err := a.config()
	if err != nil {
		return false, err
	}
	path := a.ledgerPath(cfg)
	if _, err := os.Stat(path); !ledger.IsServer(path) && errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	l, err := ledger.Open(ctx, path)
	if err != nil {
		return false, err
	}
	defer func() { _ = l.Close() }()
	sources, err := l.Sources(ctx)
	if err != nil {
		return false, err
	}
	return true, do(l, sources)
}

// checkSource says which sources there are where the one asked for is not.
func checkSource(sources []ledger.SourceCount, want string) error {
	if knownSource(sources, want) {
		return nil
	}
	var names []string
	for _, s := range sources {
		names = append(names, string(s.Source))
	}
	return fmt.Errorf("the ledger has no battles of source %q (it has: %s)", want, orNone(names))
}
