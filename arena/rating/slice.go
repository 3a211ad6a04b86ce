package rating

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Slice is a board of those battles that have one value in common.
type Slice struct {
	By    string `json:"by"`
	Value string `json:"value"`
	Board
}

// By names what battles can be parted by.
type By string

// What battles can be parted by. The zero value parts nothing.
const (
	ByDimension By = "dimension"
	ByCharacter By = "character"
	ByScene     By = "scene"
	ByLanguage  By = "language"
	ByTurn      By = "turn"
)

// ParseBy reads a word; an unknown one is an error that lists the known ones.
func ParseBy(word string) (By, error) {
	switch b := By(word); b {
	case "", ByDimension, ByCharacter, ByScene, ByLanguage, ByTurn:
		return b, nil
	}
	return "", fmt.Errorf("%q is nothing to part a board by; choose dimension, character, scene, language or turn", word)
}

// value returns what a battle has in this respect, "" where that is not known.
func (b By) value(a *About) string {
	if a == nil {
		return ""
	}
	switch b {
	case ByDimension:
		return a.Dimension
	case ByCharacter:
		return a.Character
	case ByScene:
		return a.Scene
	case ByLanguage:
		return a.Language
	case ByTurn:
		if a.Turn > 0 {
			return strconv.Itoa(a.Turn)
		}
	}
	return ""
}

// mostSlices bounds the boards of one respect; a file with a value of its own on
// every row would otherwise fill the memory.
const mostSlices = 200

// Slicer is a Tally that keeps the parts as well. Make it with NewSlicer.
type Slicer struct {
	*Tally
	by      By
	parts   map[string]*Tally
	o       Options
	unknown int // battles without a value
	beyond  int // battles of further values
}

// NewSlicer makes an empty slicer.
func NewSlicer(by By, o Options) *Slicer {
	return &Slicer{Tally: NewTally(o), by: by, parts: make(map[string]*Tally), o: o}
}

// Add counts a battle, as Tally.Add does.
func (s *Slicer) Add(b Battle) {
	s.Tally.Add(b)
	s.part(b)
}

func (s *Slicer) part(b Battle) {
	if s.by == "" {
		return
	}
	value := s.by.value(b.About)
	if value == "" {
		s.unknown++
		return
	}
	t, ok := s.parts[value]
	if !ok {
		if len(s.parts) == mostSlices {
			s.beyond++
			return
		}
		t = NewTally(s.o)
		s.parts[value] = t
	}
	t.Add(b)
}

// AddPart counts a battle in its part alone: of the dimensions that one verdict
// speaks of, each has a winner of its own, while the whole has one.
func (s *Slicer) AddPart(b Battle) { s.part(b) }

// Board rates the whole and each part, the largest first.
func (s *Slicer) Board(o Options) Board {
	b := s.Tally.Board(o)
	if s.by == "" {
		return b
	}
	for value, t := range s.parts {
		b.Slices = append(b.Slices, Slice{By: string(s.by), Value: value, Board: t.Board(o)})
	}
	sortSlices(b.Slices, s.by)
	b.Warnings = append(b.Warnings, s.notes()...)
	return b
}

// sortSlices puts turns in their order and others by size, the largest first.
func sortSlices(list []Slice, by By) {
	slices.SortFunc(list, func(x, y Slice) int {
		if by == ByTurn {
			n, _ := strconv.Atoi(x.Value)
			m, _ := strconv.Atoi(y.Value)
			return cmp.Compare(n, m)
		}
		return cmp.Or(cmp.Compare(y.Battles, x.Battles), cmp.Compare(x.Value, y.Value))
	})
}

// notes say which battles are in no part.
func (s *Slicer) notes() (notes []string) {
	if s.unknown > 0 {
		notes = append(notes, fmt.Sprintf("%s without a %s: in the whole board, in none of its parts.", amount(float64(s.unknown), "battle"), s.by))
	}
	if s.beyond > 0 {
		notes = append(notes, fmt.Sprintf("More than %d values of %s: %s in the whole board alone.", mostSlices, s.by, amount(float64(s.beyond), "battle")))
	}
	return notes
}
