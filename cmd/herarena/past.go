package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/replay"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/archive"
	"herarena/tui/casting"
	"herarena/tui/page"
)

// replayPause is what pauses of a replay are cut to unless told otherwise.
const replayPause = 3 * time.Second

// criticLabel names a critic as the screens do.
func criticLabel(name string) string {
	if name == roster.HouseCritic {
		return "house critic"
	}
	return name
}

// archive is what the screens of past duels are made of.
func (th *theatre) archive() *archive.Options {
	return &archive.Options{
		Duels: th.ledger.Duels, Search: th.ledger.Search, Duel: th.ledger.Duel,
		Export: exportHere, CriticLabel: criticLabel, MaxPause: replayPause,
	}
}

// exportDuel writes a duel of the ledger as a document into the folder the
// program was started in.
func (th *theatre) exportDuel(ctx context.Context, id string, f page.Format) (string, error) {
	d, err := th.ledger.Duel(ctx, id)
	if err != nil {
		return "", err
	}
	return exportHere(ctx, d, f)
}

// exportHere writes a duel as a document into the folder the program was started
// in and returns its full path. A file that is there stays as it is: another
// name is taken.
func exportHere(_ context.Context, d *ledger.DuelFull, f page.Format) (string, error) {
	name := page.FileName(&d.DuelRecord, f)
	base := name[:len(name)-len(f)-1]
	for n := 1; n <= 99; n++ {
		if n > 1 {
			name = fmt.Sprintf("%s-%d.%s", base, n, f)
		}
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		err = writePage(file, f, d)
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if full, aerr := filepath.Abs(name); aerr == nil {
			name = full
		}
		return name, err
	}
	return "", fmt.Errorf("%s and 98 more of that name are there already; move some away", name)
}

func writePage(file *os.File, f page.Format, d *ledger.DuelFull) error {
	w, err := page.New(file, f, d.SceneTitle, page.Options{Zone: time.Local, CriticLabel: criticLabel})
	if err != nil {
		return err
	}
	if err := w.Add(d); err != nil {
		return err
	}
	return w.Close()
}

// goOn puts together the duel that goes on from a past one: its scene, its terms
// and its contestants, as they are configured now.
func (th *theatre) goOn(ctx context.Context, c archive.Continue) (casting.Cast, error) {
	d, err := th.ledger.Duel(ctx, c.DuelID)
	if err != nil {
		return casting.Cast{}, err
	}
	past := replay.History(d, c.Turn)
	turn := c.Turn
	if n := len(past); turn <= 0 || turn > n {
		turn = n
	}
	cast := casting.Cast{
		Scene: replay.Scene(&d.DuelRecord), Canon: d.Canon, Blind: d.Blind, Past: past, Origin: arena.Origin{DuelID: d.ID, Turn: turn},
	}
	if err := cast.Scene.Validate(); err != nil {
		return cast, fmt.Errorf("its scene cannot be played: %w", err)
	}
	for i, was := range d.Contestants {
		if cast.Contestants[i], err = th.again(was); err != nil {
			return cast, err
		}
	}
	if d.Critic == "" {
		cast.Critic = casting.CriticChoice{Label: "no critic", Note: "votes alone"}
		return cast, nil
	}
	critic, err := th.roster.Critic(d.Critic)
	if err != nil {
		return cast, err
	}
	cast.Critic = criticChoice(critic)
	return cast, nil
}

// again finds a contestant of a past duel among those there are now: by name, or
// at the address it had, where that is on this machine. Elsewhere nothing is
// sent because a ledger says so: it may have been imported.
func (th *theatre) again(was arena.Contestant) (arena.Contestant, error) {
	for _, c := range append(th.roster.Contestants(), th.quick...) {
		if c.Name == was.Name {
			return c, nil
		}
	}
	gone := fmt.Errorf("%s is not here any more; configure a contestant of that name, or start with --a URL#MODEL", was.Name)
	if was.Rehearsal || was.Model == "" || !onThisMachine(was.Endpoint) {
		return arena.Contestant{}, gone
	}
	c, err := th.roster.Contestant(was.Endpoint + "#" + was.Model)
	if err != nil {
		return c, gone
	}
	c.Name, c.Dialect, c.Prefill, c.Sampling, c.KeepSystem = was.Name, was.Dialect, was.Prefill, was.Sampling, was.KeepSystem
	return c, nil
}

// onThisMachine reports whether an address is a loopback one.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
