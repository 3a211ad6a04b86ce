// Package page writes a recorded duel as a document: Markdown to be read and
// edited, or one HTML page that needs nothing from elsewhere and runs no script.
//
// Everything that models, servers, cards and people wrote is taken as hostile:
// it is cleaned as for a terminal and escaped for the format, so that it can be
// nothing but text.
package page

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
)

// Format is how a document is written.
type Format string

// The formats.
const (
	Markdown Format = "md"
	HTML     Format = "html"
)

// Options choose what a document shows.
type Options struct {
	// Visible leaves out what the characters do not perceive: plans, native
	// reasoning, thoughts, director's notes, and a critic's prose, which may
	// quote any of them.
	Visible bool
	// Reveal names who stood where in a blind duel that is finished. Without it
	// a blind duel stays blind.
	Reveal bool
	// Zone is the zone of times; nil is UTC.
	Zone *time.Location
	// CriticLabel names a critic for people; nil takes its name.
	CriticLabel func(name string) string
	// Now is the clock by which a duel left alone counts as finished; the zero
	// time is the present.
	Now time.Time
}

// Writer writes duels into one document: Add for each, then Close.
type Writer struct {
	out    io.Writer
	format Format
	title  string
	o      Options
	begun  bool
}

// New returns the writer of a document with a title.
func New(out io.Writer, format Format, title string, o Options) (*Writer, error) {
	if format != Markdown && format != HTML {
		return nil, fmt.Errorf("unknown format %q (want md or html)", format)
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	return &Writer{out: out, format: format, title: title, o: o}, nil
}

// Add writes a duel. It fails, with nothing of the duel written, where a blind
// duel is to be revealed that is not finished.
func (w *Writer) Add(d *ledger.DuelFull) error {
	if d.Blind && w.o.Reveal {
		if ok, why := Finished(d, w.o.Now); !ok {
			return fmt.Errorf("duel %s stays blind: %s", d.ID, why)
		}
	}
	if err := w.begin(); err != nil {
		return err
	}
	doc := newDoc(d, w.o)
	var err error
	if w.format == HTML {
		err = pages.ExecuteTemplate(w.out, "duel", doc)
	} else {
		_, err = io.WriteString(w.out, markdown(doc))
	}
	return told(err)
}

func (w *Writer) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	if w.format == HTML {
		return told(pages.ExecuteTemplate(w.out, "head", clean(w.title)))
	}
	return nil
}

// Close ends the document.
func (w *Writer) Close() error {
	if err := w.begin(); err != nil {
		return err
	}
	if w.format == HTML {
		return told(pages.ExecuteTemplate(w.out, "foot", nil))
	}
	return nil
}

func told(err error) error {
	if err != nil {
		return fmt.Errorf("the document cannot be written: %w", err)
	}
	return nil
}

// quiet is how long a duel must have been left alone to count as finished while
// a vote is outstanding.
const quiet = time.Hour

// Finished reports whether nothing of a duel is still to come, and if not why:
// no reply is being written, and each pair that can be voted on has a vote or
// the duel has been left alone for an hour.
func Finished(d *ledger.DuelFull, now time.Time) (ok bool, why string) {
	var last time.Time
	var waits error
	for i := range d.Turns {
		t := &d.Turns[i]
		for _, state := range t.States {
			if state == ledger.Streaming {
				return false, fmt.Sprintf("a reply of turn %d is still being written", t.Number)
			}
		}
		open := t.Vote == nil
		for c := range t.Swipes {
			r := t.Last(c)
			if r != nil && r.Started.Add(max(min(r.Total, quiet), 0)).After(last) {
				last = r.Started.Add(max(min(r.Total, quiet), 0))
			}
			valid, _ := r.Validity()
			open = open && valid
		}
		if open && waits == nil {
			waits = fmt.Errorf("turn %d has no vote yet; vote, or come back an hour after its last reply", t.Number)
		}
	}
	if waits != nil && now.Sub(last) < quiet {
		return false, waits.Error()
	}
	return true, ""
}

// FileName proposes a name for the document of a duel: lower-case letters,
// digits and dashes, with the format's ending.
func FileName(d *arena.DuelRecord, f Format) string {
	name := "duel"
	if s := slug(d.SceneTitle); s != "" {
		name = s
	}
	if id := slug(d.ID); id != "" {
		name += "-" + id[max(len(id)-8, 0):]
	}
	return name + "." + string(f)
}

func slug(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, s)
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-")
	}
	return strings.Trim(s[:min(len(s), 60)], "-")
}

// ParseFormat reads a format's word.
func ParseFormat(word string) (Format, error) {
	switch f := Format(strings.ToLower(word)); f {
	case Markdown, HTML:
		return f, nil
	case "markdown":
		return Markdown, nil
	}
	return "", errors.New("want md or html")
}
