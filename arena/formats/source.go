package formats

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// What a file may hold at most, so that a hostile one fills no memory.
const (
	maxRow      = 16 << 20 // bytes
	maxDepth    = 64       // brackets within brackets
	maxName     = 512      // bytes
	maxMessages = 4000     // in one conversation
	maxColumns  = 500
)

// RowError is a row that cannot be read. Nothing of its file is imported.
type RowError struct {
	Line   int    // of the file, from 1; of a Parquet file the row
	Field  string // "" where it is the row as a whole
	Reason string
}

// Error names the line, the field and the reason.
func (e *RowError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("line %d: %s; nothing was imported", e.Line, e.Reason)
	}
	return fmt.Sprintf("line %d, field %s: %s; nothing was imported", e.Line, e.Field, e.Reason)
}

// row is one row of a file as a JSON object.
type row struct {
	line int
	raw  []byte
}

func (r *row) fault(field, format string, args ...any) error {
	return &RowError{Line: r.line, Field: field, Reason: fmt.Sprintf(format, args...)}
}

// into decodes the row; a field of the wrong kind is a RowError.
func (r *row) into(to any) error {
	if err := checkDepth(r.raw); err != nil {
		return r.fault("", "%v", err)
	}
	err := json.Unmarshal(r.raw, to)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return r.fault(kind.Field, "a %s stands where a %s belongs", kind.Value, kind.Type)
	case err != nil:
		return r.fault("", "the row is no JSON object: %v", err)
	}
	return nil
}

// checkDepth counts brackets outside strings.
func checkDepth(raw []byte) error { return checkDepthOf(raw, maxDepth) }

func checkDepthOf(raw []byte, most int) error {
	depth, quoted, escaped := 0, false, false
	for _, c := range raw {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped = c == '\\'
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == '{', c == '[':
			if depth++; depth > most {
				return fmt.Errorf("more than %d brackets stand within each other", most)
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return nil
}

// meter is a reader that fails when too much is read between two rows, and
// counts lines.
type meter struct {
	in   io.Reader
	read int // since the last row
	free bool
}

var errLong = fmt.Errorf("the row is longer than %d MiB", maxRow>>20)

func (m *meter) Read(p []byte) (int, error) {
	if m.read > maxRow && !m.free {
		return 0, errLong
	}
	n, err := m.in.Read(p)
	m.read += n
	return n, err
}

// source gives the rows of a file, whatever their layout.
type source struct {
	meter *meter
	buf   *bufio.Reader
	next  func() (*row, error) // io.EOF after the last
	line  int
	table *csv.Reader
}

const peek = 256 << 10

// newSource looks at the beginning of a file and chooses the layout.
func newSource(r io.Reader) (*source, error) {
	s := &source{meter: &meter{in: r}}
	s.buf = bufio.NewReaderSize(s.meter, peek)
	head, err := s.buf.Peek(512)
	if len(head) == 0 {
		if err == nil || errors.Is(err, io.EOF) {
			return nil, errors.New("the file is empty")
		}
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	if what := foreign(head); what != "" {
		return nil, errors.New(what)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, _ = s.buf.Discard(3)
		head = head[3:]
	}
	s.next = s.nextTable
	switch first := bytes.TrimLeft(head, " \t\r\n"); {
	case len(first) == 0:
		return nil, errors.New("the file begins with nothing but white space")
	case first[0] == '{':
		s.next = s.nextLine
	case first[0] == '[':
		s.next = s.elements()
	default:
		s.table = csv.NewReader(s.buf)
		s.table.FieldsPerRecord = -1
		s.table.LazyQuotes = false
	}
	return s, nil
}

// foreign says what a file is that is no text, "" where it is text.
func foreign(head []byte) string {
	for _, m := range [][2]string{
		{"\x1f\x8b", "the file is gzip-compressed; unpack it first"},
		{"PK\x03\x04", "the file is a zip archive or a spreadsheet; unpack it or save it as CSV first"},
		{"\x28\xb5\x2f\xfd", "the file is zstd-compressed; unpack it first"},
		{"PAR1", "the file is Parquet; name it as a file, it cannot come from standard input"},
		{"SQLite format 3\x00", "the file is a SQLite database; export it as JSON Lines first"},
		{"\xff\xfe", "the file is UTF-16 text; save it as UTF-8 first"},
		{"\xfe\xff", "the file is UTF-16 text; save it as UTF-8 first"},
	} {
		if bytes.HasPrefix(head, []byte(m[0])) {
			return m[1]
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "the file is not text; expected JSON Lines, a JSON array or CSV"
	}
	return ""
}

// nextLine gives the next line that holds something.
func (s *source) nextLine() (*row, error) {
	for {
		s.meter.read = 0
		var line []byte
		for {
			part, err := s.buf.ReadSlice('\n')
			line = append(line, part...)
			if len(line) > maxRow {
				return nil, &RowError{Line: s.line + 1, Reason: errLong.Error()}
			}
			if err == nil {
				break
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if errors.Is(err, io.EOF) {
				if len(bytes.TrimSpace(line)) == 0 {
					return nil, io.EOF
				}
				break
			}
			return nil, fmt.Errorf("the file cannot be read after line %d: %w", s.line, err)
		}
		s.line++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return &row{line: s.line, raw: line}, nil
		}
	}
}

// lines counts the line breaks that pass.
type lines struct {
	in io.Reader
	n  int
}

func (l *lines) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	l.n += bytes.Count(p[:n], []byte{'\n'})
	return n, err
}

// elements gives the elements of one JSON array. A line is told as near as the
// decoder's reading ahead allows.
func (s *source) elements() func() (*row, error) {
	count := &lines{in: s.buf}
	d := json.NewDecoder(count)
	begun := false
	at := func() int {
		rest, _ := io.ReadAll(io.LimitReader(d.Buffered(), maxRow))
		return max(count.n+1-bytes.Count(rest, []byte{'\n'}), 1)
	}
	return func() (*row, error) {
		s.meter.read = 0
		if !begun {
			begun = true
			if _, err := d.Token(); err != nil {
				return nil, &RowError{Line: 1, Reason: "the file is no JSON array: " + err.Error()}
			}
		}
		if !d.More() {
			if _, err := d.Token(); err != nil {
				return nil, &RowError{Line: at(), Reason: "the array is not closed: the file is cut off"}
			}
			return nil, io.EOF
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			if errors.Is(err, errLong) {
				return nil, &RowError{Line: at(), Reason: errLong.Error()}
			}
			return nil, &RowError{Line: at(), Reason: "not a row of the array: " + err.Error()}
		}
		s.line = at()
		return &row{line: s.line, raw: raw}, nil
	}
}

// nextTable gives the next record of a table as an object of strings.
func (s *source) nextTable() (*row, error) {
	if s.line == 0 {
		header, err := s.record()
		if err != nil {
			return nil, err
		}
		if len(header) > maxColumns {
			return nil, &RowError{Line: 1, Reason: fmt.Sprintf("the table has %d columns; at most %d are read", len(header), maxColumns)}
		}
		names := make([]string, len(header))
		for i, h := range header {
			h = strings.TrimSpace(strings.ToValidUTF8(h, "\ufffd"))
			if h != "" && slices.Contains(names, h) {
				return nil, &RowError{Line: 1, Field: clip(h), Reason: "two columns have this name"}
			}
			names[i] = h
		}
		s.line = 1
		read := s.record
		s.next = func() (*row, error) { return s.object(names, read) }
		return s.next()
	}
	return nil, io.EOF
}

func (s *source) record() ([]string, error) {
	s.meter.read = 0
	record, err := s.table.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case err != nil && s.meter.read > maxRow:
		return nil, &RowError{Line: s.line + 1, Reason: errLong.Error() + ", or a quotation mark is not closed"}
	case err != nil:
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return nil, &RowError{Line: bad.StartLine, Reason: "the table cannot be read: " + bad.Err.Error()}
		}
		return nil, fmt.Errorf("the file cannot be read after line %d: %w", s.line, err)
	}
	return record, nil
}

func (s *source) object(names []string, read func() ([]string, error)) (*row, error) {
	record, err := read()
	if err != nil {
		return nil, err
	}
	s.line, _ = s.table.FieldPos(0)
	if len(record) != len(names) {
		return nil, &RowError{Line: s.line, Reason: fmt.Sprintf("the row has %d fields, the header %d", len(record), len(names))}
	}
	fields := make(map[string]string, len(names))
	for i, name := range names {
		if name != "" {
			fields[name] = strings.ToValidUTF8(record[i], "\ufffd")
		}
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return nil, &RowError{Line: s.line, Reason: err.Error()}
	}
	return &row{line: s.line, raw: raw}, nil
}

// keys returns the keys of a row, as far as it can be read.
func keys(raw []byte) []string {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []string
	for d.More() && len(out) < maxColumns {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			break
		}
		out = append(out, name)
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			break
		}
	}
	return out
}

// detect finds the format of a file by its first row.
func detect(first *row, table bool) (Format, error) {
	found := keys(first.raw)
	for _, f := range All() {
		if (f.codec.layout == asTable) == table && f.codec.fits(found) {
			return f, nil
		}
	}
	shown := make([]string, 0, 12)
	for _, k := range found[:min(len(found), 12)] {
		shown = append(shown, clip(k))
	}
	slices.Sort(shown)
	return Format{}, fmt.Errorf("the format is not known by its first row, whose fields are %s; name the format", strings.Join(shown, ", "))
}

func clip(s string) string {
	const most = 60
	r := []rune(s)
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
