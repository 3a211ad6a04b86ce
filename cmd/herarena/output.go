package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"herarena/arena/layers"
)

// maxInput bounds what commands read from standard input.
const maxInput = 64 << 20

// printJSON writes one JSON document and a newline, and nothing else.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(escaping{a.out})
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// readAll reads standard input up to maxInput. It returns when ctx ends; the
// reader it leaves behind ends with the program.
func (a *app) readAll(ctx context.Context, what string) (string, error) {
	if isTerminal(a.in) {
		_, _ = fmt.Fprintf(a.errw, "reading %s from standard input; end it with ctrl+d\n", what)
	}
	type result struct {
		data []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(a.in, maxInput+1))
		read <- result{data, err}
	}()
	var data []byte
	select {
	case <-ctx.Done():
		return "", context.Canceled
	case r := <-read:
		if r.err != nil {
			return "", fmt.Errorf("read %s from standard input: %w", what, r.err)
		}
		data = r.data
	}
	if len(data) > maxInput {
		return "", fmt.Errorf("%s on standard input is larger than %d MiB", what, maxInput>>20)
	}
	return string(data), nil
}

// segmentsOrEmpty keeps JSON arrays from being null.
func segmentsOrEmpty(s []layers.Segment) []layers.Segment {
	if s == nil {
		return []layers.Segment{}
	}
	return s
}

func stringsOrEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
