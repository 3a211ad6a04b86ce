package endpoint

import (
	"bytes"
	"strings"
)

const (
	// maxFrame bounds a frame, and so the memory a stream can take. Frames of
	// 2 MB have been seen (whole answers in one piece).
	maxFrame = 8 << 20
	// maxNoise is how much is kept of what is no event stream, for the message.
	maxNoise = 2 << 10
)

const byteOrderMark = "\xef\xbb\xbf"

// framer cuts a body into frames. It takes event streams in every legal form
// (line ends LF, CRLF, CR; a byte order mark; data: with or without a space;
// data over several lines) and the illegal ones that occur: JSON lines without
// data:, a JSON document instead of a stream, indented or shouted field names.
//
// A frame is handed on as soon as its JSON is whole, without waiting for the
// blank line, since a server may hold the connection open after it. Lines of one
// frame are joined by a carriage return, which is white space to JSON, cannot
// occur within a line, and is no line end to go-openai.
type framer struct {
	// emit gets each frame and the name of its event. The frame is only valid
	// during the call.
	emit func(frame []byte, event string)

	line    []byte // an unfinished line
	data    []byte // the frame so far
	event   string
	shape   shape
	noise   []byte // the beginning of what is neither field nor JSON
	mark    []byte // what may be the beginning of a byte order mark
	bare    bool   // the frame came without data:
	skipLF  bool   // a CR ended the last line; a LF now belongs to it
	dropped bool   // the rest of the unfinished line is thrown away
	begun   bool   // something was read
	tooLong bool   // a frame was longer than maxFrame; nothing more is read
}

// feed reads the next piece of the body.
func (f *framer) feed(p []byte) {
	lf := bytes.IndexByte(p, '\n')
	for len(p) > 0 && !f.tooLong {
		if f.skipLF {
			f.skipLF = false
			if p[0] == '\n' {
				p = p[1:]
				lf = bytes.IndexByte(p, '\n')
				continue
			}
		}
		end := lf
		if lf < 0 {
			end = len(p)
		}
		if cr := bytes.IndexByte(p[:end], '\r'); cr >= 0 {
			f.take(p[:cr])
			f.endLine()
			f.skipLF = true
			p, lf = p[cr+1:], max(lf-cr-1, -1)
			continue
		}
		f.take(p[:end])
		if lf < 0 {
			return
		}
		f.endLine()
		p = p[end+1:]
		lf = bytes.IndexByte(p, '\n')
	}
}

// finish reads what the last line holds although no line end came.
func (f *framer) finish() {
	if len(f.line)+len(f.mark) > 0 && !f.dropped {
		f.endLine()
	}
	if len(f.data) > 0 && f.shape.foreign {
		f.dispatch()
	}
}

// partial reports whether the body ended within a frame.
func (f *framer) partial() bool { return len(f.data) > 0 }

// take adds to the unfinished line. Long lines that carry no data are not kept.
func (f *framer) take(p []byte) {
	if f.dropped || len(p) == 0 {
		return
	}
	if !f.begun && len(f.line) == 0 {
		p = f.trimMark(p)
	}
	if len(f.line)+len(f.data)+len(p) <= maxFrame {
		f.line = append(f.line, p...)
		return
	}
	if head := f.line; len(head) > 0 && (head[0] == ':' || len(f.data) == 0 && !carriesData(head)) {
		f.note(head)
		f.line, f.dropped = f.line[:0], true
		return
	}
	f.tooLong = true
	f.line, f.data = nil, nil
}

// trimMark removes a byte order mark; it may come in pieces, so the beginning
// is put aside until it is clear.
func (f *framer) trimMark(p []byte) []byte {
	const mark = byteOrderMark
	f.mark = append(f.mark, p...)
	if len(f.mark) < len(mark) && strings.HasPrefix(mark, string(f.mark)) {
		return nil
	}
	f.begun = true
	p = bytes.TrimPrefix(f.mark, []byte(mark))
	f.mark = nil
	return p
}

// endLine reads the line that is complete now.
func (f *framer) endLine() {
	f.line, f.mark = append(f.line, f.mark...), nil
	f.begun = true
	if !f.dropped {
		f.read(f.line)
	}
	f.dropped = false
	if cap(f.line) > 64<<10 {
		f.line = nil
	} else {
		f.line = f.line[:0]
	}
}

func (f *framer) read(line []byte) {
	// A mark or a NUL in front of a line would hide its field.
	line = bytes.TrimPrefix(bytes.TrimLeft(line, "\x00"), []byte(byteOrderMark))
	text := bytes.Trim(line, " \t")
	switch {
	case len(line) > 0 && line[0] == ':':
		return
	case len(text) == 0:
		f.blank()
		return
	}
	name, value, colon := bytes.Cut(text, []byte(":"))
	switch field := fieldName(bytes.TrimRight(name, " \t")); {
	case field == "data":
		if f.bare && len(f.data) > 0 {
			f.dispatch()
		}
		if value = bytes.TrimSpace(value); len(value) > 0 {
			f.add(value)
		}
	case field == "event" && colon:
		f.event = string(bytes.ToLower(bytes.TrimSpace(value[:min(len(value), 64)])))
	case field != "" && colon:
		// id and retry mean nothing here.
	case len(f.data) > 0:
		f.add(text)
	case (text[0] == '{' || text[0] == '[') && len(f.noise) == 0:
		f.bare = true
		f.add(text)
	default:
		f.note(text)
	}
}

// fieldName returns the field of the standard that name is, in any case.
func fieldName(name []byte) string {
	for _, field := range [...]string{"data", "event", "id", "retry"} {
		if len(name) == len(field) && strings.EqualFold(string(name), field) {
			return field
		}
	}
	return ""
}

// carriesData reports whether a line that begins so belongs to a frame.
func carriesData(head []byte) bool {
	text := bytes.TrimLeft(head[:min(len(head), 64)], " \t")
	if len(text) == 0 {
		return false
	}
	name, _, _ := bytes.Cut(text, []byte(":"))
	return fieldName(name) == "data" || text[0] == '{' || text[0] == '['
}

// add joins a line to the frame and hands the frame on if it is whole.
func (f *framer) add(line []byte) {
	if len(f.data) > 0 {
		f.data = append(f.data, '\r')
	}
	start := len(f.data)
	f.data = append(f.data, line...)
	f.shape.scan(f.data[start:], start == 0)
	if f.shape.whole() || isEndMark(f.data) {
		f.dispatch()
	}
}

// blank ends an event. A document that is not an event stream may hold blank
// lines; its frame ends with its last bracket.
func (f *framer) blank() {
	if f.bare {
		return
	}
	if len(f.data) > 0 {
		f.dispatch()
	}
	f.event = ""
}

func (f *framer) dispatch() {
	f.emit(f.data, f.event)
	f.shape, f.bare = shape{}, false
	if cap(f.data) > 64<<10 {
		f.data = nil
	} else {
		f.data = f.data[:0]
	}
}

func (f *framer) note(text []byte) {
	if room := maxNoise - len(f.noise); room > 0 {
		f.noise = append(f.noise, text[:min(room, len(text))]...)
		f.noise = append(f.noise, '\n')
	}
}

// shape follows the brackets of a frame to tell when its JSON is whole.
type shape struct {
	depth   int
	quoted  bool
	escaped bool
	foreign bool // does not begin as JSON does
	started bool
}

func (s *shape) whole() bool { return s.started && !s.foreign && !s.quoted && s.depth <= 0 }

func (s *shape) scan(b []byte, first bool) {
	if first {
		s.started = true
		s.foreign = b[0] != '{' && b[0] != '['
	}
	if s.foreign {
		return
	}
	for i := 0; i < len(b); i++ {
		if s.quoted {
			if s.escaped {
				s.escaped = false
				continue
			}
			n := bytes.IndexByte(b[i:], '"')
			if n < 0 {
				n = len(b) - i
			}
			run := b[i : i+n]
			if e := bytes.IndexByte(run, '\\'); e >= 0 {
				i += e
				s.escaped = true
				continue
			}
			if i += n; i < len(b) {
				s.quoted = false
			}
			continue
		}
		switch b[i] {
		case '"':
			s.quoted = true
		case '{', '[':
			s.depth++
		case '}', ']':
			s.depth--
		}
	}
}
