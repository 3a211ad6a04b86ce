// Package testset reads the scene files that people of this field have, and
// makes scenes of them: CoSER's test sets in both their forms, HER's scenarios,
// and the seeds of MiniMax's Role-Play Bench; as a list, as JSON lines, or as
// one object.
//
// It takes what is damaged as far as it can be understood and says what it
// repaired. The dialogue of the book that a file may hold is the answer that
// models are measured against: it is kept apart as the reference, and nothing
// of it goes into a scene.
package testset

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"herarena/characters"
)

// Bounds on a set. What is beyond them is left out, and said to be.
const (
	// MaxFile is the most bytes a file may have.
	MaxFile = 64 << 20
	// MaxScenes is the most scenes of a file that are read.
	MaxScenes = 5000
	// MaxLines is the most lines of a reference dialogue that are read.
	MaxLines = 2000
	maxDepth = 32
	maxCast  = 30 // beside the character and the person
	maxFault = 200
)

// ErrNotASet says that a file holds none of the forms this package knows.
var ErrNotASet = errors.New("is no scene file: neither CoSER's, nor HER's, nor Role-Play Bench's")

// Kind is the form of an item.
type Kind string

// The forms.
const (
	CoSER   Kind = "coser"
	HER     Kind = "her" // CoSER's form without a dialogue
	MiniMax Kind = "minimax"
)

// Item is one scene of a set.
type Item struct {
	Number int    // place in the file, from 1
	Key    string // the file's own name for it: book-plot-conversation, or a seed's id
	Kind   Kind
	Scene  characters.Scene
	// Reference is the dialogue as the book or the file has it, the surroundings'
	// lines too, in CoSER's dialect where it is CoSER's. It must not be shown to
	// who is tested, except as the first rounds to go on from.
	Reference []characters.Line
	// Notes are sentences on what was missing or repaired.
	Notes []string
}

// Set is what was read of a file.
type Set struct {
	Name  string // of the file, for messages
	Items []Item
	// Faults are the items that could not be read, as *ItemError.
	Faults []error
}

// ItemError is what is wrong with one item of a file.
type ItemError struct {
	File  string
	Item  int    // from 1; 0 where it is the file as a whole
	Line  int    // from 1; 0 where it is not known
	Field string // e.g. "dialogues[3].message"; "" where it is the item as a whole
	Err   error
}

// Error returns "file, item 3, field: what is wrong".
func (e *ItemError) Error() string {
	where := e.File
	if e.Item > 0 {
		where += fmt.Sprintf(", scene %d", e.Item)
	}
	if e.Line > 0 {
		where += fmt.Sprintf(", line %d", e.Line)
	}
	if e.Field != "" {
		where += ", " + e.Field
	}
	return where + ": " + e.Err.Error()
}

// Unwrap returns the fault itself.
func (e *ItemError) Unwrap() error { return e.Err }

// Load reads a file. Errors are *ItemError; one that wraps ErrNotASet says that
// it is some other kind of file.
func Load(path string) (Set, error) {
	fault := func(err error) (Set, error) { return Set{}, &ItemError{File: path, Err: err} }
	info, err := os.Stat(path)
	if err != nil {
		return fault(withoutPath(err))
	}
	if !info.Mode().IsRegular() {
		// A pipe or a device could block for ever.
		return fault(errors.New("is not a regular file; name a file of scenes"))
	}
	f, err := os.Open(path)
	if err != nil {
		return fault(withoutPath(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return fault(withoutPath(err))
	}
	return Read(data, path)
}

// Readable reports whether a file's name has an ending that a set may have.
func Readable(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json", ".jsonl", ".ndjson":
		return true
	}
	return false
}

// withoutPath takes the path out of a file error, since ItemError names it.
func withoutPath(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Find returns an item by its number from 1, its key, or its scene's id. The
// error says what there is.
func (s *Set) Find(which string) (Item, error) {
	which = strings.TrimSpace(which)
	for _, it := range s.Items {
		if which == it.Key && it.Key != "" || which == it.Scene.ID {
			return it, nil
		}
	}
	n, err := strconv.Atoi(which)
	if err == nil {
		for _, it := range s.Items {
			if it.Number == n {
				return it, nil
			}
		}
		for _, fault := range s.Faults {
			var e *ItemError
			if errors.As(fault, &e) && e.Item == n {
				return Item{}, fault
			}
		}
	}
	known := make([]string, 0, 4)
	for _, it := range s.Items[:min(3, len(s.Items))] {
		known = append(known, fmt.Sprintf("%d or %s", it.Number, it.Scene.ID))
	}
	if len(s.Items) > 3 {
		known = append(known, "…")
	}
	return Item{}, fmt.Errorf("%s has no scene %q (scenes: %s)", s.Name, which, strings.Join(known, ", "))
}
