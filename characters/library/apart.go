package library

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"herarena/characters"
	"herarena/characters/card"
)

// Bounds on what is taken apart.
const (
	maxParts  = 20_000
	maxUnpack = 2 << 30 // bytes of all members of an archive together

	// What an archive may grow to: texts and lorebooks shrink to a tenth, and one
	// that is small may be all of the same.
	unpackFree  = 256 << 20
	unpackTimes = 16
)

// part is one of several things in a file.
type part struct {
	name string // a member's path, or a number
	load func() ([]byte, error)
	err  error // why it is left out
}

// takeApart returns the things in an archive or a list that is no card itself,
// and what they are called by: "" for paths, "line" or "item" for numbers.
func takeApart(data []byte, name string) (parts []part, kind string) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")), " \t\r\n")
	switch {
	case bytes.HasPrefix(data, []byte("PK")):
		return members(data), ""
	case bytes.HasPrefix(trimmed, []byte("[")):
		return items(trimmed), "item"
	case bytes.HasPrefix(trimmed, []byte("{")):
		return lines(trimmed), "line"
	}
	return nil, ""
}

// sample is how many items of a list are looked at to tell whether it is one
// of cards.
const sample = 50

// promising reports whether taking a file apart is worth it: a list of which
// nothing is a card is one failure and not thousands.
func promising(parts []part, kind string) bool {
	if kind == "" {
		return len(parts) > 0
	}
	for _, p := range parts[:min(sample, len(parts))] {
		if data, err := p.load(); err == nil {
			if _, err := card.Read(data, "item.json"); err == nil {
				return true
			}
		}
	}
	return false
}

// members lists the files in an archive that may be cards.
func members(data []byte) []part {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil
	}
	var out []part
	most := min(int64(maxUnpack), unpackFree+unpackTimes*int64(len(data)))
	room := most
	for _, f := range z.File {
		base := path.Base(f.Name)
		if strings.HasSuffix(f.Name, "/") || hidden(base) || strings.HasPrefix(f.Name, "__MACOSX/") || !card.Readable(base) || strings.EqualFold(path.Ext(base), ".zip") {
			continue
		}
		p := part{name: card.CleanName(f.Name)}
		switch {
		case len(out) >= maxParts:
			return append(out, part{name: "…", err: fmt.Errorf("the archive has more than %d files; the rest was left out", maxParts)})
		case !fs.ValidPath(f.Name):
			p.err = errors.New("points outside of the archive and was left out")
		case f.Flags&1 != 0:
			p.err = errors.New("is encrypted; unpack the archive with its password and import the folder")
		case f.UncompressedSize64 > card.MaxFile:
			p.err = fmt.Errorf("is larger than %d MiB, the most a card may have", card.MaxFile>>20)
		default:
			p.load = func() ([]byte, error) { return unpack(f, &room, most) }
		}
		out = append(out, p)
	}
	return out
}

// unpack reads a member. What its header says of its size is not relied upon.
func unpack(f *zip.File, room *int64, most int64) ([]byte, error) {
	limit := min(int64(card.MaxFile), *room)
	rc, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("cannot be unpacked: %w", err)
	}
	defer rc.Close()
	data, err := io.ReadAll(io.LimitReader(rc, limit+1))
	switch {
	case int64(len(data)) > limit && limit < card.MaxFile:
		return nil, fmt.Errorf("was left out: the archive unpacks to more than %d MiB; unpack it yourself and import the folder", most>>20)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("unpacks to more than %d MiB, the most a card may have", card.MaxFile>>20)
	case err != nil:
		return nil, fmt.Errorf("cannot be unpacked (%w); get the archive again", err)
	}
	*room -= int64(len(data))
	return data, nil
}

// items splits a JSON list of objects.
func items(data []byte) []part {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	var out []part
	objects := 0
	for i, raw := range list {
		if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
			objects++
		}
		if len(out) < maxParts {
			out = append(out, part{name: strconv.Itoa(i + 1), load: func() ([]byte, error) { return raw, nil }})
		}
	}
	if objects == 0 {
		return nil
	}
	return out
}

// lines splits JSON Lines. A line that is no JSON object is a part that cannot
// be read, unless the first already is none.
func lines(data []byte) []part {
	var out []part
	n := 0
	for row := range bytes.Lines(data) {
		n++
		if row = bytes.TrimSpace(row); len(row) == 0 {
			continue
		}
		if len(out) == 0 && (row[0] != '{' || !json.Valid(row)) || len(out) >= maxParts {
			break
		}
		out = append(out, part{name: strconv.Itoa(n), load: func() ([]byte, error) { return row, nil }})
	}
	if len(out) < 2 && n < 2 {
		return nil
	}
	return out
}

// sceneOf reads a scene file of this program from bytes; ok is false where they
// are something else. Its reader wants a file, so there is one for a moment.
func sceneOf(name string, data []byte) (s characters.Scene, ok bool, err error) {
	toml := strings.EqualFold(path.Ext(name), ".toml")
	if !toml && !maybeScene(name, data) || len(data) > characters.MaxFile {
		return s, false, nil
	}
	dir, err := os.MkdirTemp("", "herarena-")
	if err != nil {
		return s, toml, err
	}
	defer os.RemoveAll(dir)
	base := card.FileName(strings.TrimSuffix(path.Base(name), path.Ext(name))) + strings.ToLower(path.Ext(name))
	file := filepath.Join(dir, base)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return s, toml, err
	}
	if !toml && !card.IsScene(file) {
		return s, false, nil
	}
	s, err = characters.Load(file)
	var fault *characters.FileError
	if errors.As(err, &fault) {
		fault.Path = name
	}
	return s, true, err
}
