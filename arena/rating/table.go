package rating

import (
	"bytes"
	"errors"
	"io"
)

// A record may be this long: whole conversations fit, a file with a quotation
// mark that never closes is found before it fills the memory.
const longestRecord = 64 << 20

// table cuts CSV (RFC 4180, with bare line feeds as well) into records. It reads
// a record in place, without a copy of its fields, and copies only quoted fields
// that are asked for and hold doubled quotation marks.
type table struct {
	r     io.Reader
	buf   []byte
	start int // of the record in buf
	end   int // of what buf holds
	after int // of the record after it
	eof   bool
	err   error
	line  int // of the record, from 1
	lines int // line ends before after

	want   int // fields a record must have, 0 before the header
	needed int // of them, those that are asked for come before this; 0 is all
	fields []span
	beyond int // fields behind those, counted alone
	copied []byte
}

// span is a field within the record.
type span struct {
	from, to int
	doubled  bool // holds doubled quotation marks
}

func newTable(r io.Reader) *table { return &table{r: skipBOM(r), buf: make([]byte, 1<<18)} }

// next cuts the next record; false at the end or at an error.
func (t *table) next() bool {
	for t.err == nil {
		t.start, t.line = t.after, t.lines+1
		n, ok := t.lineEnd(0)
		if !ok {
			return false
		}
		line := bytes.TrimSuffix(t.buf[t.start:t.start+n], []byte{'\r'})
		if len(line) == 0 {
			t.pass(n)
			continue
		}
		t.fields, t.beyond = t.fields[:0], 0
		if bytes.IndexByte(line, '"') < 0 {
			t.split(line)
			t.pass(n)
		} else if !t.quoted() {
			return false
		}
		if t.want > 0 && len(t.fields)+t.beyond != t.want {
			t.err = &InputError{Line: t.line, Reason: "the row has more or fewer fields than the header"}
			return false
		}
		return true
	}
	return false
}

// pass goes on behind a record of n bytes and its line end.
func (t *table) pass(n int) {
	t.after = min(t.start+n+1, t.end)
	t.lines++
}

// lineEnd returns how far the line end at or after from lies behind the start of
// the record, reading on as needed; false at the end of the file or an error.
func (t *table) lineEnd(from int) (int, bool) {
	for {
		if i := bytes.IndexByte(t.buf[t.start+from:t.end], '\n'); i >= 0 {
			return from + i, true
		}
		from = t.end - t.start
		if !t.fill() {
			return from, t.err == nil && from > 0
		}
	}
}

// fill reads more behind what the buffer holds; false at the end of the file or
// an error. The start of the record may move.
func (t *table) fill() bool {
	if t.eof || t.err != nil {
		return false
	}
	if t.end-t.start > longestRecord {
		t.err = &InputError{Line: t.line, Reason: errRecordTooLong.Error()}
		return false
	}
	if t.start > 0 {
		copy(t.buf, t.buf[t.start:t.end])
		t.after -= t.start
		t.end -= t.start
		t.start = 0
	}
	if t.end == len(t.buf) {
		t.buf = append(t.buf, make([]byte, len(t.buf))...)
	}
	for range 100 {
		n, err := t.r.Read(t.buf[t.end:])
		t.end += n
		if err != nil {
			t.eof = true
			if !errors.Is(err, io.EOF) {
				t.err = err
				return false
			}
			return n > 0
		}
		if n > 0 {
			return true
		}
	}
	t.err = io.ErrNoProgress
	return false
}

var comma = []byte{','}

// split cuts a line without quotation marks.
func (t *table) split(line []byte) {
	for from := 0; ; {
		if t.needed > 0 && len(t.fields) == t.needed {
			t.beyond = 1 + bytes.Count(line[from:], comma)
			return
		}
		i := bytes.IndexByte(line[from:], ',')
		if i < 0 {
			t.fields = append(t.fields, span{from, len(line), false})
			return
		}
		t.fields = append(t.fields, span{from, from + i, false})
		from += i + 1
	}
}

// quoted cuts a record that holds quotation marks and may run over lines.
func (t *table) quoted() bool {
	at := 0
	for {
		if !t.more(at) || t.buf[t.start+at] != '"' {
			end, last, ok := t.plain(at)
			if !ok {
				return false
			}
			if last {
				t.pass(end)
				return true
			}
			at = end + 1
			continue
		}
		end, doubled, ok := t.closing(at + 1)
		if !ok {
			return false
		}
		t.fields = append(t.fields, span{at + 1, end, doubled})
		then := end + 1
		if t.more(then+1) && t.buf[t.start+then] == '\r' && t.buf[t.start+then+1] == '\n' {
			then++
		}
		switch {
		case !t.more(then):
			if t.err != nil {
				return false
			}
			t.pass(then)
			return true
		case t.buf[t.start+then] == '\n':
			t.pass(then)
			return true
		case t.buf[t.start+then] == ',':
			at = then + 1
		case t.buf[t.start+then] == '\r' && !t.more(then+1):
			t.pass(then)
			return true
		default:
			t.fail(end, "a quoted field is not closed, or holds a bare quotation mark")
			return false
		}
	}
}

// more tells whether the record's byte at a position can be had.
func (t *table) more(at int) bool {
	for t.start+at >= t.end {
		if !t.fill() {
			return false
		}
	}
	return true
}

// plain cuts a field without quotation marks that begins at a position; last is
// set where the record ends with it.
func (t *table) plain(at int) (end int, last, ok bool) {
	stop, _ := t.lineEnd(at)
	if t.err != nil {
		return 0, false, false
	}
	text := t.buf[t.start+at : t.start+stop]
	n := bytes.IndexByte(text, ',')
	if last = n < 0; last {
		n = len(text)
	}
	field := text[:n]
	if q := bytes.IndexByte(field, '"'); q >= 0 {
		t.fail(at+q, "a quotation mark inside a field that is not quoted")
		return 0, false, false
	}
	if last {
		field = bytes.TrimSuffix(field, []byte{'\r'})
	}
	t.fields = append(t.fields, span{at, at + len(field), false})
	return at + n, last, true
}

// closing returns where the quotation mark is that closes a field.
func (t *table) closing(at int) (end int, doubled, ok bool) {
	for {
		if !t.more(at) {
			if t.err == nil {
				// The row that was never finished helps more than the file's end.
				t.err = &InputError{Line: t.line, Reason: "a quoted field is not closed, or holds a bare quotation mark"}
			}
			return 0, false, false
		}
		i := bytes.IndexByte(t.buf[t.start+at:t.end], '"')
		if i < 0 {
			at = t.end - t.start
			continue
		}
		at += i
		if !t.more(at+1) || t.buf[t.start+at+1] != '"' {
			if t.err == nil {
				t.lines += bytes.Count(t.buf[t.start+t.begun():t.start+at], []byte{'\n'})
			}
			return at, doubled, t.err == nil
		}
		doubled = true
		at += 2
	}
}

// begun is where the field being cut begins.
func (t *table) begun() int {
	if n := len(t.fields); n > 0 {
		return t.fields[n-1].to
	}
	return 0
}

func (t *table) fail(at int, reason string) {
	line, column := t.position(at)
	if line != t.line {
		line, column = t.line, 0
	}
	t.err = &InputError{Line: line, Column: column, Reason: reason}
}

// position returns line and column, from 1, of a place in the record.
func (t *table) position(at int) (line, column int) {
	before := t.buf[t.start:min(t.start+at, t.end)]
	return t.line + bytes.Count(before, []byte{'\n'}), len(before) - (bytes.LastIndexByte(before, '\n') + 1) + 1
}

// place returns line and column of a field.
func (t *table) place(i int) (line, column int) {
	at := t.fields[i].from
	if at > 0 && t.buf[t.start+at-1] == '"' {
		at--
	}
	return t.position(at)
}

// field returns a field of the record; it holds until the next record, and one
// with doubled quotation marks until the next such.
func (t *table) field(i int) []byte {
	f := t.fields[i]
	text := t.buf[t.start+f.from : t.start+f.to]
	if !f.doubled {
		return text
	}
	t.copied = t.copied[:0]
	for {
		q := bytes.IndexByte(text, '"')
		if q < 0 {
			t.copied = append(t.copied, text...)
			return t.copied
		}
		t.copied = append(t.copied, text[:q+1]...)
		text = text[q+2:]
	}
}
