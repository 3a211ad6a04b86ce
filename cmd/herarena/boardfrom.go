package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"herarena/arena/rating"
)

// fileSource is a source that a file names, with its battles.
type fileSource struct {
	name    string
	battles int
}

// mostFileSources bounds what is kept of a file that names a source a row.
const mostFileSources = 1000

// sourcesIn lists the sources that a file names, most battles first; none where it
// does not name any.
func sourcesIn(path string) ([]fileSource, error) {
	counts := make(map[string]int)
	_, err := rating.Each(path, rating.ReadOptions{Sources: true}, func(b rating.Battle) {
		if b.About == nil || b.About.Source == "" {
			return
		}
		if _, known := counts[b.About.Source]; known || len(counts) < mostFileSources {
			counts[b.About.Source]++
		}
	})
	if err != nil && isExport(path) {
		return nil, fmt.Errorf("%s is a ledger's own export: herarena log import %s takes it in, and herarena board rates it then", path, path)
	}
	if err != nil {
		return nil, err
	}
	var list []fileSource
	for name, n := range counts {
		list = append(list, fileSource{name, n})
	}
	slices.SortFunc(list, func(x, y fileSource) int {
		return cmp.Or(-cmp.Compare(x.battles, y.battles), cmp.Compare(x.name, y.name))
	})
	return list, nil
}

// isExport tells whether a file begins as herarena log export writes a ledger.
func isExport(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 200)
	n, _ := io.ReadFull(f, head)
	return bytes.Contains(head[:n], []byte(`"herarena-ledger"`))
}

// choose sets the source of a file's battles: the one asked for, else the one with
// most battles, since persons and critics never share a board. The note says what
// else there is.
func (f *boardFlags) choose(sources []fileSource) (note string, err error) {
	var names []string
	for _, s := range sources[:min(len(sources), 8)] {
		names = append(names, fmt.Sprintf("%s (%d)", s.name, s.battles))
	}
	listed := strings.Join(names, ", ")
	if more := len(sources) - len(names); more > 0 {
		listed += fmt.Sprintf(" and %d more", more)
	}
	switch {
	case f.source != "" && len(sources) == 0:
		return "", usagef("--source %s: %s does not say whose judgements it holds (a column source would)", f.source, f.from)
	case f.source != "" && !slices.ContainsFunc(sources, func(s fileSource) bool { return s.name == f.source }):
		return "", fmt.Errorf("%s has no battles of source %q (it has: %s)", f.from, f.source, listed)
	case f.source != "" || len(sources) < 2:
		return "", nil
	}
	f.source = sources[0].name
	return fmt.Sprintf("The file holds several sources, which share no board: %s. This is %s; --source chooses another.", listed, f.source), nil
}

// rateFile makes the board of a file.
func rateFile(f *boardFlags, by rating.By, o rating.Options, to *gathering) (title string, b rating.Board, err error) {
	sources, err := sourcesIn(f.from)
	if err != nil {
		return "", b, err
	}
	note, err := f.choose(sources)
	if err != nil {
		return "", b, err
	}
	who := f.dailyCap > 0 || o.System == rating.AmElo || f.course || f.html != ""
	read := rating.ReadOptions{By: by, Style: f.style, Who: who, Orders: f.agreement || f.html != "", Sources: f.source != ""}
	found, err := rating.Each(f.from, read, func(b rating.Battle) {
		if f.source == "" || b.About != nil && b.About.Source == f.source {
			to.fromFile(b)
		}
	})
	if err != nil {
		return "", b, err
	}
	b = to.board()
	if note != "" {
		b.Warnings = append([]string{note}, b.Warnings...)
	}
	if found.Weighted {
		b.Warnings = append(b.Warnings, "Battles count by the weight given in the file.")
	}
	b.Source = f.from
	if f.source != "" {
		b.Source = f.source
	}
	if title = f.from; f.source != "" {
		title += ": " + f.source
	}
	return title, b, nil
}
