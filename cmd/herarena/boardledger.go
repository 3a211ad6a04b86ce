package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"herarena/arena/ledger"
)

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
	err := fmt.Errorf("the ledger has no battles of source %q (it has: %s)", want, orNone(names))
	if rehearsed := "rehearsal/" + want; knownSource(sources, rehearsed) {
		err = fmt.Errorf("%w; those of rehearsals are under --source %s", err, shellWord(rehearsed))
	}
	return err
}
