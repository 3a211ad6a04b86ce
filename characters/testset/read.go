package testset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Read reads a set from the bytes of a file; name is what messages call it. An
// item that cannot be read is a fault of the set and does not stop the rest; a
// file without a scene is an error.
func Read(data []byte, name string) (Set, error) {
	r := &reader{set: Set{Name: name}, seeds: map[string]int{}, ids: map[string]bool{}}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	switch {
	case len(data) > MaxFile:
		return r.set, r.fault("", fmt.Errorf("is larger than %d MiB, the most a file of scenes may have", MaxFile>>20))
	case !utf8.Valid(data):
		return r.set, r.fault("", errors.New("is not valid UTF-8; save the file as UTF-8"))
	}
	if text := bytes.TrimLeft(data, " \t\r\n"); len(text) == 0 {
		return r.set, r.fault("", errors.New("is empty"))
	} else if text[0] == '[' {
		r.list(data)
	} else {
		r.lines(data)
	}
	r.join()
	switch {
	case len(r.set.Items) > 0:
		return r.set, nil
	case len(r.set.Faults) > 0:
		return r.set, r.set.Faults[0]
	}
	return r.set, &ItemError{File: name, Err: ErrNotASet}
}

// reader is the state of reading one file.
type reader struct {
	set   Set
	n     int // items so far
	line  int // where the item begins
	notes []string
	seeds map[string]int // place of an item among set.Items by its seed
	rows  []row          // dialogues that belong to seeds
	ids   map[string]bool
	full  bool // no more is taken
}

// fault is an error about the item being read.
func (r *reader) fault(field string, err error) error {
	return &ItemError{File: r.set.Name, Item: r.n, Line: r.line, Field: field, Err: err}
}

func (r *reader) keepFault(err error) {
	if len(r.set.Faults) < maxFault {
		r.set.Faults = append(r.set.Faults, err)
	}
}

func (r *reader) note(format string, args ...any) {
	if len(r.notes) < maxFault {
		r.notes = append(r.notes, fmt.Sprintf(format, args...))
	}
}

// list reads a JSON list item by item, so that of a list which is cut off all
// that came before stays.
func (r *reader) list(data []byte) {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		r.keepFault(r.fault("", err))
		return
	}
	for d.More() && !r.full {
		r.line = 0
		var item json.RawMessage
		if err := d.Decode(&item); err != nil {
			r.n++
			r.line = lineAt(data, d.InputOffset())
			r.keepFault(r.fault("", unreadable(err)))
			return
		}
		r.item(item)
	}
	if r.full {
		return
	}
	if _, err := d.Token(); err != nil {
		r.n++
		r.keepFault(r.fault("", unreadable(err)))
		return
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		r.n, r.line = 0, lineAt(data, int64(len(data)-len(rest)))
		r.keepFault(r.fault("", errors.New("there is text after the end of the list; it was not read")))
	}
}

// lines reads objects one after the other: one of them, or JSON lines. After one
// that is broken it goes on with the next line that begins an object.
func (r *reader) lines(data []byte) {
	at, counted, line := 0, 0, 1
	for at < len(data) && !r.full {
		gap := len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
		if at += gap; at >= len(data) {
			return
		}
		d := json.NewDecoder(bytes.NewReader(data[at:]))
		var item json.RawMessage
		line += bytes.Count(data[counted:at], []byte("\n"))
		counted, r.line = at, line
		if err := d.Decode(&item); err != nil {
			r.n++
			r.keepFault(r.fault("", unreadable(err)))
			next := bytes.Index(data[at:], []byte("\n{"))
			if next < 0 || len(r.set.Faults) >= maxFault {
				return
			}
			at += next + 1
			continue
		}
		r.item(item)
		at += int(d.InputOffset())
	}
}

func unreadable(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the JSON ends too early; the file may be cut off")
	}
	return fmt.Errorf("is not JSON: %w", err)
}

// item takes one item of the file.
func (r *reader) item(text json.RawMessage) {
	r.n++
	r.notes = nil
	if len(r.set.Items) >= MaxScenes || r.n > 4*MaxScenes {
		r.full = true
		r.keepFault(r.fault("", fmt.Errorf("a file may have %d scenes; the rest was left out", MaxScenes)))
		return
	}
	if deep(text) {
		r.keepFault(r.fault("", fmt.Errorf("nests more than %d deep; no scene does", maxDepth)))
		return
	}
	o, err := r.object(text, "")
	if err != nil {
		r.keepFault(err)
		return
	}
	if err := r.understand(o); err != nil {
		r.keepFault(err)
	}
}

// deep reports whether a JSON text nests beyond what any scene does.
func deep(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// lineAt returns the line, from 1, of a byte offset.
func lineAt(data []byte, offset int64) int {
	offset = max(0, min(offset, int64(len(data))))
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}
