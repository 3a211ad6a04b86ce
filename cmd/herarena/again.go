package main

import (
	"context"
	"fmt"

	"herarena/arena"
	"herarena/arena/replay"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/again"
)

// judgeAgain puts together a turn of the ledger that is to be judged again.
func (th *theatre) judgeAgain(ctx context.Context, duelID string, turn int) (again.Options, error) {
	full, err := th.ledger.Duel(ctx, duelID)
	if err != nil {
		return again.Options{}, err
	}
	j, before, err := rejudgement(full, turn)
	if err != nil {
		return again.Options{}, err
	}
	names := []string{}
	if before != nil {
		names = append(names, before.Critic)
	}
	for _, c := range th.roster.Critics() {
		if before == nil || c.Name() != before.Critic {
			names = append(names, c.Name())
		}
	}
	if before != nil {
		if _, err := th.roster.Critic(before.Critic); err != nil {
			names = names[1:] // it is no longer there
		}
	}
	if len(names) == 0 {
		names = append(names, roster.HouseCritic)
	}
	return again.Options{
		Title: fmt.Sprintf("%s, turn %d", replay.Scene(&full.DuelRecord).Title, j.Turn.Number), Critics: names,
		CriticLabel: criticLabel, Before: before, Replies: [2]*arena.Reply{j.A, j.B},
		Candidates: func(a again.Ask) ([2]string, error) {
			asked := *j
			asked.HideThoughts, asked.Equalise = a.HideThoughts, a.Equalise
			c, err := asked.Case()
			return [2]string{c.Cand1, c.Cand2}, err
		},
		Check: func(name string) error {
			_, err := th.roster.Critic(name)
			return err
		},
		Judge: func(ctx context.Context, a again.Ask, on func(arena.Order, arena.Verdict)) (arena.Ruling, error) {
			critic, err := th.roster.Critic(a.Critic)
			if err != nil {
				return arena.Ruling{}, err
			}
			asked := *j
			asked.HideThoughts, asked.Equalise = a.HideThoughts, a.Equalise
			for _, w := range a.Words {
				if w.Old != "" {
					asked.Replace = append(asked.Replace, w)
				}
			}
			r, err := asked.Judge(ctx, critic, a.Orders, on)
			switch {
			case err != nil:
				return r, err
			case ctx.Err() != nil:
				return r, ctx.Err()
			}
			return r, th.ledger.RecordRuling(r)
		},
	}, nil
}
