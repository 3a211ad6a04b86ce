package library

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"herarena/characters/card"
)

// The marks are a person's own: favourites, tags, when something was played.
// Their file is a journal, one JSON object a line, to which each change is
// appended in one write, so that several processes can write at once and a
// kill loses at most the line being written. A mark belongs to content, and
// follows it to another file; where the content of a file was changed, it
// belongs to what has its path and name now.
const maxMarks = 64 << 20

// mark is one change, and also what all changes to one thing came to.
type mark struct {
	Hash   string   `json:"hash,omitempty"`
	Path   string   `json:"path,omitempty"`
	Item   int      `json:"item,omitempty"`
	Title  string   `json:"title,omitempty"`
	Fav    *bool    `json:"fav,omitempty"`
	Tag    []string `json:"tag,omitempty"`
	Untag  []string `json:"untag,omitempty"`
	Played int64    `json:"played,omitempty"` // Unix seconds
}

type place struct {
	path  string
	item  int
	title string
}

// marks are all that is known.
type marks struct {
	file    string
	size    int64 // bytes of the journal that were read
	lines   int
	byHash  map[string]*mark
	byPlace map[place]*mark
}

func newMarks(file string) *marks {
	return &marks{file: file, byHash: map[string]*mark{}, byPlace: map[place]*mark{}}
}

// readMarks reads the journal. Lines that are none are passed over.
func readMarks(file string) *marks {
	m := newMarks(file)
	if file == "" {
		return m
	}
	f, err := openFile(file)
	if err != nil {
		return m
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxMarks {
		return m
	}
	data, err := wholeFile(f, info.Size(), nil)
	if err != nil {
		return m
	}
	m.size = int64(len(data))
	for row := range bytes.Lines(data) {
		var c mark
		if json.Unmarshal(row, &c) == nil && (c.Hash != "" || c.Path != "") {
			m.apply(c)
		}
	}
	return m
}

// stale reports whether another process wrote the journal since.
func (m *marks) stale() bool {
	if m.file == "" {
		return false
	}
	info, err := os.Stat(m.file)
	return err == nil && info.Size() != m.size
}

func (m *marks) find(hash string, at place) *mark {
	if hash != "" {
		if c := m.byHash[hash]; c != nil {
			return c
		}
	}
	return m.byPlace[at]
}

// apply adds a change to what is known.
func (m *marks) apply(c mark) {
	m.lines++
	at := place{c.Path, c.Item, c.Title}
	known := m.find(c.Hash, at)
	if known == nil {
		known = &mark{}
	}
	known.Hash, known.Path, known.Item, known.Title = c.Hash, c.Path, c.Item, c.Title
	if c.Hash != "" {
		m.byHash[c.Hash] = known
	}
	m.byPlace[at] = known
	if c.Fav != nil {
		known.Fav = c.Fav
	}
	known.Played = max(known.Played, c.Played)
	for _, tag := range c.Tag {
		if !hasTag(known.Tag, tag) {
			known.Tag = append(known.Tag, tag)
		}
	}
	known.Tag = slices.DeleteFunc(known.Tag, func(tag string) bool { return hasTag(c.Untag, tag) })
	sort.Slice(known.Tag, func(i, j int) bool { return strings.ToLower(known.Tag[i]) < strings.ToLower(known.Tag[j]) })
}

func hasTag(tags []string, tag string) bool {
	return slices.ContainsFunc(tags, func(have string) bool { return fold(have) == fold(tag) })
}

// put sets an entry's marks.
func (m *marks) put(e *Entry) {
	e.Favourite, e.OwnTags, e.Played = false, nil, time.Time{}
	if len(m.byPlace) == 0 {
		return
	}
	c := m.find(e.Hash, placeOf(e))
	if c == nil {
		return
	}
	e.Favourite = c.Fav != nil && *c.Fav
	e.OwnTags = slices.Clone(c.Tag)
	if c.Played > 0 {
		e.Played = time.Unix(c.Played, 0)
	}
}

func placeOf(e *Entry) place { return place{pathKey(e.Path), e.Item, e.Title} }

// pathKey is a path as the journal has it, where every text is UTF-8.
func pathKey(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return fmt.Sprintf("%q", path)
}

// write appends a change to the journal.
func (m *marks) write(c mark) error {
	if m.file == "" {
		return nil
	}
	row, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(m.file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	// The line break before ends a line that a kill cut off.
	_, err = f.Write(append(append([]byte{'\n'}, row...), '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// SetFavourite makes an entry a favourite, or none.
func (l *Library) SetFavourite(e Entry, on bool) error { return l.change(e, mark{Fav: &on}) }

// Tag gives an entry tags of the person's own and takes some away. Tags are
// compared without case and accents.
func (l *Library) Tag(e Entry, add, remove []string) error {
	c := mark{Untag: tidy(remove)}
	for _, tag := range tidy(add) {
		if !hasTag(c.Untag, tag) && !hasTag(c.Tag, tag) {
			c.Tag = append(c.Tag, tag)
		}
	}
	if len(e.OwnTags)+len(c.Tag) > maxTags {
		return fmt.Errorf("%s would have more than %d tags of your own; take some away first", e.ID, maxTags)
	}
	if len(c.Tag)+len(c.Untag) == 0 {
		return nil
	}
	return l.change(e, c)
}

func tidy(tags []string) []string {
	var out []string
	for _, tag := range tags {
		if tag = line(strings.ReplaceAll(card.CleanText(tag), ",", " "), 60); tag != "" {
			out = append(out, tag)
		}
	}
	return out
}

// Play notes that an entry is played now.
func (l *Library) Play(e Entry, now time.Time) error { return l.change(e, mark{Played: now.Unix()}) }

// change writes a change and shows it. Changes of other processes come in with
// it.
func (l *Library) change(e Entry, c mark) error {
	l.load()
	at := placeOf(&e)
	c.Hash, c.Path, c.Item, c.Title = e.Hash, at.path, at.item, at.title
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.marks.write(c); err != nil {
		return fmt.Errorf("favourites, tags and times of play cannot be kept: %w", err)
	}
	if l.marks.file == "" {
		l.marks.apply(c)
	} else {
		l.marks = readMarks(l.marks.file)
	}
	l.publish(slices.Clone(l.entries))
	return nil
}
