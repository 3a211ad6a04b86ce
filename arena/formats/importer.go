package formats

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"herarena/arena"
)

// ImportOptions are the settings of reading a file.
type ImportOptions struct {
	// File is the file's name for the record; "" is standard input.
	File string
	// Source puts what is read under another source than the format's own,
	// which is "vote", or "critic:NAME" for judgments.
	Source arena.Source
	// Now is the time of rows that carry none; the zero time is the present.
	Now time.Time
}

// Import reads a file in the format of a name ("auto" finds out) and writes it
// to to as JSON Lines of the ledger, for ledger.Import. Reading the same file
// again gives the same ids, so that importing twice changes nothing. A row that
// cannot be read is a *RowError.
func Import(ctx context.Context, name string, r io.Reader, to io.Writer, o ImportOptions) (Report, error) {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	im := &importer{o: o, ctx: ctx, to: to, out: json.NewEncoder(to), pairs: map[[2]string]string{}}
	im.out.SetEscapeHTML(false)
	var err error
	if at, ok := r.(readerAt); ok && isParquet(at) {
		err = im.parquet(name, at)
	} else {
		err = im.text(name, r)
	}
	return im.report, err
}

// importer turns rows into lines of the ledger.
type importer struct {
	ctx    context.Context //nolint:containedctx // one call's, asked between rows
	f      Format
	o      ImportOptions
	to     io.Writer
	out    *json.Encoder
	begun  bool
	report Report
	pairs  map[[2]string]string // duels that hold battles without text
	row    *row
}

func (im *importer) text(name string, r io.Reader) error {
	s, err := newSource(r)
	if err != nil {
		return err
	}
	var first *row
	if name == "auto" {
		if im.f, first, err = s.detect(); err != nil {
			return err
		}
	} else if im.f, err = Find(name); err != nil {
		return err
	}
	im.report.Format = im.f.Name
	if im.f.codec.open != nil {
		return im.f.codec.open(im, s)
	}
	if im.f.codec.layout == asTable != (s.table != nil) && first == nil {
		return im.otherLayout(s)
	}
	return im.rows(s, first)
}

// otherLayout takes a table's format from JSON Lines, which many keep it in,
// and refuses a table for the others.
func (im *importer) otherLayout(s *source) error {
	if s.table != nil {
		return fmt.Errorf("the file is a table or plain text, %s is JSON Lines or a JSON array; name another format", im.f.Name)
	}
	return im.rows(s, nil)
}

func (im *importer) rows(s *source, first *row) error {
	for {
		r := first
		if first = nil; r == nil {
			var err error
			if r, err = s.next(); errors.Is(err, io.EOF) {
				return im.begin() // a file without rows is an import of nothing
			} else if err != nil {
				return err
			}
		}
		if err := im.one(r); err != nil {
			return err
		}
	}
}

func (im *importer) one(r *row) error {
	if err := im.ctx.Err(); err != nil {
		return err
	}
	im.row = r
	im.report.Rows++
	return im.f.codec.read(im, r)
}

// detect finds the format of the file, and returns the row read for it.
func (s *source) detect() (Format, *row, error) {
	if s.table == nil {
		// A ledger's header and a chat's are looked at and left in place.
		head, _ := s.buf.Peek(peek)
		found := keys(bytes.TrimSpace(firstLine(head)))
		for _, f := range All() {
			if f.codec.open != nil && f.codec.fits(found) {
				return f, nil, nil
			}
		}
	}
	first, err := s.next()
	if errors.Is(err, io.EOF) {
		return Format{}, nil, errors.New("the file has no row")
	}
	if err != nil {
		return Format{}, nil, err
	}
	f, err := detect(first, s.table != nil)
	return f, first, err
}

func firstLine(head []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte{'\n'})
	return line
}

func (im *importer) begin() error {
	if im.begun {
		return nil
	}
	im.begun = true
	return im.put(ownHeader(im.o.Now))
}

func (im *importer) put(l ownLine) error {
	if err := im.out.Encode(l); err != nil {
		return fmt.Errorf("what was read cannot be passed on: %w", err)
	}
	return nil
}

// add passes a duel on.
func (im *importer) add(d *draft) error {
	if err := im.begin(); err != nil {
		return err
	}
	full, err := d.done()
	if err != nil {
		return err
	}
	im.report.Duels++
	for _, l := range ownLines(full) {
		if err := im.put(l); err != nil {
			return err
		}
	}
	return nil
}

var alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// id makes an id that depends on nothing but its parts.
func id(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	const size = 20
	enc := base32.NewEncoding(alphabet).WithPadding(base32.NoPadding)
	return "i" + enc.EncodeToString(h.Sum(nil))[:size-1]
}

// rowID is the id of what a row makes. key is the row's own id; where it has
// none, its place in the file tells it from another just like it.
func (im *importer) rowID(key string) string {
	if key == "" {
		key = fmt.Sprint("line ", im.row.line)
	}
	return id(im.f.Name, key, string(im.row.raw))
}

// name checks the name of a contestant.
func (im *importer) name(field, value string) (string, error) {
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		return "", im.row.fault(field, "a name is missing")
	case len(value) > maxName:
		return "", im.row.fault(field, "the name is longer than %d bytes", maxName)
	}
	return value, nil
}

// names checks both.
func (im *importer) names(fields [2]string, values [2]string) (out [2]string, err error) {
	for i := range fields {
		if out[i], err = im.name(fields[i], values[i]); err != nil {
			return out, err
		}
	}
	return out, nil
}

// source is where a battle belongs.
func (im *importer) source(own arena.Source) arena.Source {
	if im.o.Source != "" {
		return im.o.Source
	}
	return own
}

// when reads seconds since 1970, or the time of the import for 0.
func (im *importer) when(seconds float64) time.Time {
	const furthest = 4e9 // the year 2096; beyond it is no time in seconds
	if !(seconds > 0 && seconds < furthest) {
		return im.o.Now
	}
	return time.UnixMilli(int64(seconds*1000 + 0.5))
}

// battle passes on a battle without text. All of one pair of contestants stand
// in one duel, since a duel of its own for each would bury the played ones.
func (im *importer) battle(b arena.Battle) error {
	if err := im.begin(); err != nil {
		return err
	}
	pair := [2]string{min(b.A, b.B), max(b.A, b.B)}
	duel, known := im.pairs[pair]
	if !known {
		duel = id("pair", im.f.Name, im.o.File, pair[0], pair[1])
		im.pairs[pair] = duel
		im.report.Duels++
		d := im.newDraft(duel, pair, b.At)
		full, err := d.done()
		if err != nil {
			return err
		}
		if err := im.put(ownLine{Type: "duel", Duel: newOwnDuel(&full.DuelRecord)}); err != nil {
			return err
		}
	}
	b.DuelID, b.SceneID = duel, im.sceneID()
	if b.TurnID == "" {
		b.TurnID = b.ID
	}
	return im.put(ownBattleLine(b))
}

func (im *importer) sceneID() string { return "imported-" + im.f.Name }
