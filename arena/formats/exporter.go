package formats

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/ledger"
)

// Layers says which layers of a reply stand in an export.
type Layers string

// The choices. Native reasoning and plans are nobody's but the operator's, so
// they go out only when asked for.
const (
	LayersVisible  Layers = "visible"  // action and speech
	LayersThoughts Layers = "thoughts" // role thinking too; the zero value means it
	LayersAll      Layers = "all"      // plans and native reasoning too
)

// ParseLayers reads the word of a choice; "" is LayersThoughts.
func ParseLayers(word string) (Layers, error) {
	switch l := Layers(word); l {
	case "":
		return LayersThoughts, nil
	case LayersVisible, LayersThoughts, LayersAll:
		return l, nil
	}
	return "", fmt.Errorf("unknown layers %.40q (want visible, thoughts or all)", word)
}

// ExportOptions choose what is written.
type ExportOptions struct {
	// Source is the only source to write; "" is all of them.
	Source arena.Source
	// All writes comparisons that do not count too.
	All bool
	// Rehearsal writes what scripted players said. A Source of the rehearsal
	// asks for it as well.
	Rehearsal bool
	// Reveal names who stood where in blind duels that are over. Finished says
	// whether one is; nil takes each as over.
	Reveal   bool
	Finished func(d *ledger.DuelFull, now time.Time) (ok bool, why string)
	// Redact takes identities and keys out.
	Redact Redaction
	// Layers are the layers of replies that are written; "" is LayersThoughts.
	Layers Layers
	// Prompt writes what a reward model is asked about a case. HER-RM's training
	// rows cannot be written without it.
	Prompt func(arena.Case) string
	// Branch is whose replies a chat shows; it goes with chats alone.
	Branch Branch
	// Parquet writes a Parquet file in place of the format's usual layout.
	Parquet bool
	// Now is the clock; the zero time is the present.
	Now time.Time
}

// Writer writes duels in a format: Add for each, then Close.
type Writer struct{ ex *exporter }

// NewWriter returns the writer of a format. The error says which option does not
// go with it.
func NewWriter(w io.Writer, f Format, o ExportOptions) (*Writer, error) {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	var err error
	if o.Layers, err = ParseLayers(string(o.Layers)); err != nil {
		return nil, err
	}
	if o.Branch != BranchCanon && f.Name != "sillytavern" {
		return nil, fmt.Errorf("a branch is for chats (sillytavern), not for %s, which holds both sides", f.Name)
	}
	if f.codec.write == nil && f.codec.duel == nil {
		return nil, fmt.Errorf("%s is read only", f.Name)
	}
	ex := &exporter{f: f, o: o, w: w, report: Report{Format: f.Name}, redact: newRedactor(o.Redact), voters: map[string]int{}}
	if o.Parquet {
		if !f.Parquet {
			return nil, fmt.Errorf("%s does not stand in Parquet files; leave --parquet out", f.Name)
		}
		ex.parquet = newParquetWriter(w, f.codec.blank())
	}
	return &Writer{ex}, nil
}

// Add writes what a duel has for the format.
func (w *Writer) Add(d *ledger.DuelFull) error { return w.ex.add(d) }

// Close ends the file and says what was written.
func (w *Writer) Close() (Report, error) { return w.ex.report, w.ex.close() }

type exporter struct {
	f       Format
	o       ExportOptions
	w       io.Writer
	report  Report
	redact  *redactor
	voters  map[string]int // numbers that stand for addresses
	begun   bool
	table   *csv.Writer
	parquet *parquetWriter
}

// hidden reports whether the contestants of a duel stay without names.
func (ex *exporter) hidden(d *ledger.DuelFull) bool {
	if !d.Blind {
		return false
	}
	over := true
	if ex.o.Finished != nil {
		over, _ = ex.o.Finished(d, ex.o.Now)
	}
	if ex.f.codec.layout == asDuels && ex.f.Name == Own {
		// The ledger's own form is a copy of it: only a duel in play is veiled.
		return !over && !ex.o.Reveal
	}
	return !over || !ex.o.Reveal
}

func (ex *exporter) add(d *ledger.DuelFull) error {
	hidden := ex.hidden(d)
	if hidden {
		ex.report.Blind++
		d = veiled(d)
	}
	d = ex.redact.duel(d)
	ex.report.Duels++
	e := newExport(d, hidden || ex.redact.on())
	if ex.f.codec.duel != nil {
		lines, why := ex.f.codec.duel(ex, e)
		if why != "" {
			ex.report.skip(why)
		}
		return ex.rows(lines)
	}
	for _, p := range e.pairs() {
		if why := ex.leaveOut(p); why != "" {
			ex.report.skip(why)
			continue
		}
		rows, why := ex.f.codec.write(ex, p)
		if why != "" {
			ex.report.skip(why)
		}
		if err := ex.rows(rows); err != nil {
			return err
		}
	}
	return nil
}

// leaveOut says why a comparison is not written, "" where it is.
func (ex *exporter) leaveOut(p *pair) string {
	rehearsal := strings.HasPrefix(string(p.source), "rehearsal/")
	switch {
	case ex.o.Source != "" && p.source != ex.o.Source:
		return "of another source"
	case rehearsal && !ex.o.Rehearsal && ex.o.Source == "":
		return "of the rehearsal's scripted players (--rehearsal writes them)"
	case !p.counted && !ex.o.All && !(ex.f.Preference && p.why == whyNoName):
		return "does not count for a board (--all writes them)"
	}
	return ""
}

func (ex *exporter) rows(rows []any) error {
	for _, r := range rows {
		if err := ex.row(r); err != nil {
			return fmt.Errorf("the export cannot be written: %w", err)
		}
		ex.report.Rows++
	}
	return nil
}

func (ex *exporter) row(r any) error {
	switch {
	case ex.parquet != nil:
		return ex.parquet.write(r)
	case ex.f.codec.layout == asTable:
		return ex.tableRow(r)
	}
	line, err := encode(r)
	if err != nil {
		return err
	}
	if ex.f.codec.layout == asArray {
		sep := ",\n"
		if !ex.begun {
			sep = "[\n"
		}
		line = append([]byte(sep), line...)
	} else {
		line = append(line, '\n')
	}
	ex.begun = true
	_, err = ex.w.Write(line)
	return err
}

// kept is a row that carries fields of its origin on.
type kept struct {
	row  any
	rest map[string]json.RawMessage
}

// encode writes a row as JSON; fields that were kept of the origin replace those
// of the same name, others follow.
func encode(r any) ([]byte, error) {
	k, ok := r.(kept)
	if !ok {
		return marshal(r)
	}
	line, err := marshal(k.row)
	if err != nil || len(k.rest) == 0 {
		return line, err
	}
	var out bytes.Buffer
	out.WriteByte('{')
	d := json.NewDecoder(bytes.NewReader(line))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	done := map[string]bool{}
	field := func(name string, value []byte) error {
		quoted, err := marshal(name)
		if err != nil {
			return err
		}
		if len(done) > 0 {
			out.WriteByte(',')
		}
		done[name] = true
		out.Write(quoted)
		out.WriteByte(':')
		return json.Compact(&out, value)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if old, ok := k.rest[fmt.Sprint(name)]; ok {
			value = old
		}
		if err := field(fmt.Sprint(name), value); err != nil {
			return nil, err
		}
	}
	for _, name := range sorted(k.rest) {
		if !done[name] {
			if err := field(name, k.rest[name]); err != nil {
				return nil, err
			}
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// tableRow writes a struct as a record; its JSON names are the header.
func (ex *exporter) tableRow(r any) error {
	if k, ok := r.(kept); ok {
		r = k.row
	}
	if ex.table == nil {
		ex.table = csv.NewWriter(ex.w)
	}
	v := reflect.Indirect(reflect.ValueOf(r))
	if !ex.begun {
		ex.begun = true
		if err := ex.table.Write(columnsOf(v.Type())); err != nil {
			return err
		}
	}
	record := make([]string, v.NumField())
	for i := range record {
		record[i] = fmt.Sprint(v.Field(i).Interface())
	}
	if err := ex.table.Write(record); err != nil {
		return err
	}
	// To the caller's buffer, row by row, so that a full disk is told at once.
	ex.table.Flush()
	return ex.table.Error()
}

func columnsOf(t reflect.Type) []string {
	out := make([]string, t.NumField())
	for i := range out {
		out[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	return out
}

func (ex *exporter) close() error {
	var err error
	switch {
	case ex.parquet != nil:
		err = ex.parquet.close()
	case ex.f.codec.layout == asArray && ex.begun:
		_, err = io.WriteString(ex.w, "\n]\n")
	case ex.f.codec.layout == asArray:
		_, err = io.WriteString(ex.w, "[]\n")
	case ex.f.codec.layout == asTable && !ex.begun && ex.f.codec.blank != nil:
		// A table without rows still says what it is.
		t := csv.NewWriter(ex.w)
		err = t.Write(columnsOf(reflect.TypeOf(ex.f.codec.blank()).Elem()))
		t.Flush()
		err = errors.Join(err, t.Error())
	case ex.f.Name == Own && !ex.begun:
		err = ex.row(ownHeader(ex.o.Now))
	}
	if err != nil {
		return fmt.Errorf("the export cannot be written: %w", err)
	}
	return nil
}
