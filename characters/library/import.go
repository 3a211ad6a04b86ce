package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"herarena/characters"
	"herarena/characters/card"
)

// Outcome is what became of one thing that was to be taken in.
type Outcome string

// The outcomes of an import.
const (
	Added     Outcome = "added"
	Renamed   Outcome = "renamed"   // added under another name, since other content had its own
	Duplicate Outcome = "duplicate" // the same content is there already
	Failed    Outcome = "failed"
)

// Imported tells what became of one thing.
type Imported struct {
	Source   string // the file; for a member of an archive or a line, "file: member"
	File     string // the file alone; "" where none of a folder's could be looked at
	Outcome  Outcome
	Kind     card.Kind
	Title    string
	To       string         // the new file, or the one that has the content already
	Repaired []card.Warning // what the reader mended
	Err      error          // why it failed: a sentence with file and field
}

// ImportOptions say how to import.
type ImportOptions struct {
	To     string // the folder to copy into
	DryRun bool   // tell what would be done and do nothing
	// Chats takes in chats as well.
	Chats bool
}

// Import copies cards, scenarios, lorebooks and scene files into a folder of
// the library. Sources are files, folders (read to the bottom), archives and
// lists of cards (ZIP, JSON, JSON Lines), of which each card becomes a file of
// its own. A file that is there is never written over: the same content is a
// duplicate, other content gets another name. What cannot be read does not
// stop the rest. told is called for each thing, in order. The error is the
// context's, or that the folder cannot be written.
func (l *Library) Import(ctx context.Context, sources []string, o ImportOptions, told func(Imported)) error {
	if _, err := l.Refresh(ctx, nil); err != nil {
		return err
	}
	in := &importer{library: l, o: o, told: told, have: map[string][]*kept{}, names: map[string]bool{}}
	for _, e := range l.Entries() {
		if e.Hash != "" {
			in.have[e.Hash] = append(in.have[e.Hash], &kept{path: e.Path, picture: e.HasPicture, unread: e.Kind == card.KindCard || e.Kind == card.KindLorebook})
		}
	}
	if !o.DryRun {
		sweepCards(o.To)
	}
	for _, source := range sources {
		if err := in.source(ctx, source); err != nil {
			return err
		}
	}
	if o.DryRun || in.written == 0 {
		return nil
	}
	_, err := l.Refresh(ctx, nil)
	return err
}

// importer is the state of one import.
type importer struct {
	library *Library
	o       ImportOptions
	told    func(Imported)
	have    map[string][]*kept // files by the hash of their content
	names   map[string]bool    // that a dry run would have taken
	written int
	current string // the file that is being taken in
}

// tell tells of one thing of the current file.
func (in *importer) tell(i Imported) {
	i.File = in.current
	in.told(i)
}

// kept is a file of the library as an import compares with it.
type kept struct {
	path    string
	picture bool
	workings
	unread bool // workings have not been looked at yet
}

// there returns the file that has all of an entry already, "" where there is
// none: the same texts, lore that works in the same way, and a picture where
// the entry has one.
func (in *importer) there(e *Entry, w workings) string {
	for _, k := range in.have[e.Hash] {
		if e.HasPicture && !k.picture {
			continue
		}
		if k.unread {
			k.unread = false
			if f, err := card.Open(k.path); err == nil {
				k.workings = workingsOf(f)
			} else {
				k.workings = "?" // gone, or another by now
			}
		}
		if k.workings == w {
			return k.path
		}
	}
	return ""
}

// fail tells of what cannot be read.
func (in *importer) fail(source string, err error) {
	var fault *card.Error
	var scene *characters.FileError
	var p *fs.PathError
	switch {
	case errors.As(err, &fault):
		fault.File = source
		err = fault
	case errors.As(err, &scene):
		scene.Path = source
		err = scene
	case errors.As(err, &p):
		err = fmt.Errorf("%s cannot be read: %w", source, p.Err)
	case !strings.Contains(err.Error(), source):
		err = fmt.Errorf("%s: %w", source, err)
	}
	in.tell(Imported{Source: source, Outcome: Failed, Err: err})
}

func (in *importer) source(ctx context.Context, path string) error {
	in.current = ""
	info, err := os.Stat(path)
	if err != nil {
		in.fail(path, err)
		return nil
	}
	if !info.IsDir() {
		return in.file(ctx, path)
	}
	w := walker{ctx: ctx, o: in.library.o, seen: map[string]bool{}}
	w.walk(path)
	for _, fault := range w.faults {
		in.tell(Imported{Source: path, Outcome: Failed, Err: fault})
	}
	if len(w.files) == 0 && len(w.faults) == 0 && ctx.Err() == nil {
		in.fail(path, errors.New("has no file in it that could be a card"))
	}
	for _, f := range w.files {
		if err := in.file(ctx, f.path); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// file takes in one file, or all that is in it.
func (in *importer) file(ctx context.Context, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	in.current = path
	data, err := allOf(path)
	if err != nil {
		in.fail(path, err)
		return nil
	}
	return in.bytes(ctx, path, filepath.Base(path), data, true)
}

// allOf reads a whole file within the bounds of a card.
func allOf(path string) ([]byte, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &card.Error{Code: card.Unreadable, Message: "is not a regular file; name a card"}
	case info.Size() > card.MaxFile:
		return nil, &card.Error{Code: card.TooLarge, Message: fmt.Sprintf("is larger than %d MiB, the most a card may have", card.MaxFile>>20)}
	}
	return wholeFile(f, info.Size(), nil)
}

// bytes takes in what a file or a member holds. source names it in messages;
// several says whether a list or an archive is taken apart.
func (in *importer) bytes(ctx context.Context, source, name string, data []byte, several bool) error {
	if scene, ok, err := sceneOf(name, data); ok {
		if err != nil {
			in.fail(source, err)
			return nil
		}
		e := describeScene(scene, Entry{})
		return in.take(thing{source: source, data: data, entry: &e, ext: strings.ToLower(filepath.Ext(name)), id: scene.ID})
	}
	f, err := card.Read(data, name)
	if several && (err != nil || f.Kind == card.KindScenario && len(f.Scenarios) == 0) {
		if parts, kind := takeApart(data, name); promising(parts, kind) {
			return in.parts(ctx, source, kind, parts)
		}
	}
	if err != nil {
		in.fail(source, err)
		return nil
	}
	if f.Kind == card.KindChat && !in.o.Chats {
		in.fail(source, &card.Error{Code: card.Unplayable, Message: "is a chat, which says nothing about its characters; herarena --chat FILE goes on from it"})
		return nil
	}
	all := describe(f, Entry{Path: name, Items: 1})
	e := &all[0]
	if len(all) > 1 {
		// A file of several scenes is one thing here.
		sum := newSum()
		for i := range all {
			sum.text(all[i].Hash)
		}
		e.Hash = sum.String()
		e.Title = stem(name)
	}
	return in.take(thing{source: source, data: data, entry: e, ext: ending(f, name), workings: workingsOf(f), warnings: f.Warnings})
}

func (in *importer) parts(ctx context.Context, source, kind string, parts []part) error {
	for _, p := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := source + ": " + p.name
		if kind != "" {
			from = source + ": " + kind + " " + p.name
		}
		if p.err != nil {
			in.fail(from, p.err)
			continue
		}
		data, err := p.load()
		if err != nil {
			in.fail(from, err)
			continue
		}
		name := p.name
		if kind != "" {
			name = kind + "-" + p.name + ".json"
		}
		if err := in.bytes(ctx, from, name, data, false); err != nil {
			return err
		}
	}
	return nil
}

// thing is what one file or member of an archive holds.
type thing struct {
	source string
	data   []byte
	entry  *Entry
	ext    string // the ending it is kept with
	id     string // of a scene file, whose name it is
	workings
	warnings []card.Warning
}

// take writes one thing, unless it is there already.
func (in *importer) take(t thing) error {
	e := t.entry
	out := Imported{Source: t.source, Kind: e.Kind, Title: e.Title, Repaired: t.warnings}
	if there := in.there(e, t.workings); there != "" {
		out.Outcome, out.To = Duplicate, there
		in.tell(out)
		return nil
	}
	base := t.id
	if base == "" {
		base = card.FileName(e.Title)
	}
	to, outcome, err := in.write(base, t.ext, t.data)
	if err != nil {
		return err
	}
	in.have[e.Hash] = append(in.have[e.Hash], &kept{path: to, picture: e.HasPicture, workings: t.workings})
	out.To, out.Outcome = to, outcome
	in.tell(out)
	return nil
}

// ending is the ending a file needs to be found again: its own where that says
// what it is, else the one of what it holds.
func ending(f *card.File, name string) string {
	ext := strings.ToLower(filepath.Ext(name))
	lead, _, _ := strings.Cut(f.Format, "/")
	switch {
	case strings.HasSuffix(lead, "+charx"):
		lead = strings.TrimSuffix(lead, "+charx")
	case lead == "byaf", lead == "charx", lead == "png", lead == "jpeg", lead == "webp", lead == "yaml":
	default:
		lead = "json"
	}
	fits := map[string][]string{
		"png": {".png", ".apng"}, "jpeg": {".jpeg", ".jpg"}, "webp": {".webp"}, "charx": {".charx", ".zip"}, "byaf": {".byaf", ".zip"},
		"yaml": {".yaml", ".yml"}, "json": {".json", ".jsonl"},
	}[lead]
	for _, fit := range fits {
		if ext == fit {
			return ext
		}
	}
	if card.Readable(name) && lead == "json" && f.Kind == card.KindChat {
		return ext
	}
	return fits[0]
}
