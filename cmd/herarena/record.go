package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"herarena/arena/endpoint"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/guard"
)

// recordFile writes each request and its answer to a file, one JSON document a
// line. Keys are taken out before; the rest of a file like this is what people
// and models said, so only its owner may read it.
type recordFile struct {
	mu   sync.Mutex
	file *os.File
	err  error
}

// recorder opens the file of --record; nil where none is asked for.
func (a *app) recorder() (record func(endpoint.CallRecord), done func() error, err error) {
	if a.record == "" {
		return nil, func() error { return nil }, nil
	}
	file, err := os.OpenFile(a.record, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("--record: %w", err)
	}
	r := &recordFile{file: file}
	return r.add, r.close, nil
}

// openRoster makes the roster of a configuration, with --record where asked for.
// done closes both and reports what could not be written.
func (a *app) openRoster(cfg config.Config, o roster.Options) (r *roster.Roster, done func(), err error) {
	record, stop, err := a.recorder()
	if err != nil {
		return nil, nil, err
	}
	o.Record = record
	if r, err = roster.New(cfg, o); err != nil {
		_ = stop()
		return nil, nil, err
	}
	return r, func() {
		r.Close()
		if err := stop(); err != nil {
			_, _ = fmt.Fprintln(a.errw, "herarena: "+guard.Line(err.Error()))
		}
	}, nil
}

func (r *recordFile) add(c endpoint.CallRecord) {
	line, err := json.Marshal(c)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		_, err = r.file.Write(append(line, '\n'))
	}
	if r.err == nil {
		r.err = err
	}
}

func (r *recordFile) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.file.Close(); r.err == nil {
		r.err = err
	}
	if r.err != nil {
		return fmt.Errorf("--record: %w", r.err)
	}
	return nil
}
