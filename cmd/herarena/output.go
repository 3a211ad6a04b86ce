package main

import (
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

// readAll reads standard input up to maxInput.
func (a *app) readAll(what string) (string, error) {
	data, err := io.ReadAll(io.LimitReader(a.in, maxInput+1))
	if err != nil {
		return "", fmt.Errorf("read %s from standard input: %w", what, err)
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
