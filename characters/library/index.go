package library

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"herarena/characters/card"
)

// The index is one file: a line that names format and version, a checksum of
// all that follows, when the folders were walked, and the entries. Numbers are
// varints, texts have their length before them; times are Unix nanoseconds.
// It is written beside and renamed, so that readers in other processes see the
// old or the new one. What is damaged or of another version is as if absent:
// the folders have all that is in it but the dates of entry.
const (
	indexHead  = "herarena cards 1\n"
	maxIndex   = 512 << 20
	maxEntries = 1 << 20
)

var errIndex = errors.New("damaged index")

// readIndex reads the index; ok is false where there is none to be used.
func readIndex(path string) (entries []Entry, at time.Time, ok bool) {
	if path == "" {
		return nil, at, false
	}
	f, err := openFile(path)
	if err != nil {
		return nil, at, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return nil, at, false
	}
	data, err := wholeFile(f, info.Size(), nil)
	if err != nil {
		return nil, at, false
	}
	entries, at, err = decodeIndex(data)
	return entries, at, err == nil
}

// writeIndex writes the index and renames it into place.
func writeIndex(path string, entries []*Entry, at time.Time) error {
	return replaceFile(path, encodeIndex(entries, at))
}

// replaceFile writes a file beside another and renames it over it.
func replaceFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	sweep(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+".*"+partial)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// partial is the ending of files that are not whole yet.
const partial = ".partial"

// sweep removes what processes left that were killed while writing.
func sweep(path string) {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), filepath.Base(path)+".*"+partial))
	for _, p := range left {
		if info, err := os.Lstat(p); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(p)
		}
	}
}

func encodeIndex(entries []*Entry, at time.Time) []byte {
	b := make([]byte, 0, 64+512*len(entries))
	b = append(b, indexHead...)
	b = append(b, 0, 0, 0, 0)
	b = binary.AppendVarint(b, nanos(at))
	b = binary.AppendUvarint(b, uint64(len(entries)))
	for _, e := range entries {
		b = encodeEntry(b, e)
	}
	seal(b)
	return b
}

// seal puts the checksum of an index where it belongs.
func seal(b []byte) {
	binary.LittleEndian.PutUint32(b[len(indexHead):], crc32.Checksum(b[len(indexHead)+4:], castagnoli()))
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func nanos(t time.Time) int64 {
	if t.IsZero() || t.Year() < 1700 || t.Year() > 2250 {
		return math.MinInt64
	}
	return t.UnixNano()
}

func encodeEntry(b []byte, e *Entry) []byte {
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	for _, s := range [...]string{e.ID, e.Path, string(e.Kind), e.Spec, e.Name, e.Title, e.User, e.Creator, e.Language, e.Blurb, e.Hash, e.Err} {
		text(s)
	}
	b = binary.AppendUvarint(b, uint64(len(e.Tags)))
	for _, tag := range e.Tags {
		text(tag)
	}
	picture := 0
	if e.HasPicture {
		picture = 1
	}
	for _, n := range [...]int64{
		int64(e.Item), int64(e.Items), int64(e.Greetings), int64(e.Examples), int64(e.Lore), int64(e.Messages), int64(e.Tokens),
		e.Size, nanos(e.Modified), nanos(e.Added), int64(e.Repaired), int64(picture),
	} {
		b = binary.AppendVarint(b, n)
	}
	return b
}

// indexReader takes values off the front of an index; the first fault stays.
type indexReader struct {
	data []byte
	text string // the same bytes, so that texts share one piece of memory
	at   int
	bad  bool
}

func decodeIndex(data []byte) (entries []Entry, at time.Time, err error) {
	if len(data) < len(indexHead)+4 || string(data[:len(indexHead)]) != indexHead {
		return nil, at, errIndex
	}
	body := data[len(indexHead)+4:]
	if crc32.Checksum(body, castagnoli()) != binary.LittleEndian.Uint32(data[len(indexHead):]) {
		return nil, at, errIndex
	}
	r := indexReader{data: body, text: string(body)}
	at = r.time()
	n := r.length(maxEntries)
	entries = make([]Entry, n)
	for i := range entries {
		r.entry(&entries[i])
		if r.bad {
			return nil, at, errIndex
		}
	}
	if r.bad || r.at != len(body) {
		return nil, at, errIndex
	}
	return entries, at, nil
}

func (r *indexReader) int() int64 {
	n, size := binary.Varint(r.data[r.at:])
	if size <= 0 {
		r.bad = true
		return 0
	}
	r.at += size
	return n
}

// length takes a count of things that have a byte each at least.
func (r *indexReader) length(limit int) int {
	n, size := binary.Uvarint(r.data[r.at:])
	if size <= 0 || n > uint64(limit) || n > uint64(len(r.data)-r.at-size) {
		r.bad = true
		return 0
	}
	r.at += size
	return int(n)
}

func (r *indexReader) string() string {
	n := r.length(math.MaxInt32)
	s := r.text[r.at : r.at+n]
	r.at += n
	return s
}

func (r *indexReader) time() time.Time {
	n := r.int()
	if n == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(0, n)
}

func (r *indexReader) entry(e *Entry) {
	var kind string
	for _, s := range [...]*string{&e.ID, &e.Path, &kind, &e.Spec, &e.Name, &e.Title, &e.User, &e.Creator, &e.Language, &e.Blurb, &e.Hash, &e.Err} {
		*s = r.string()
	}
	e.Kind = card.Kind(kind)
	if n := r.length(maxTags); n > 0 {
		e.Tags = make([]string, n)
		for i := range e.Tags {
			e.Tags[i] = r.string()
		}
	}
	for _, n := range [...]*int{&e.Item, &e.Items, &e.Greetings, &e.Examples, &e.Lore, &e.Messages, &e.Tokens} {
		*n = int(r.int())
	}
	e.Size, e.Modified, e.Added = r.int(), r.time(), r.time()
	e.Repaired = int(r.int())
	e.HasPicture = r.int() == 1
	if !filepath.IsAbs(e.Path) || strings.ContainsRune(e.Path, 0) {
		r.bad = true
	}
}
