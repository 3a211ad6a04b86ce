package layers

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Parsed is a whole reply cut into layers.
type Parsed struct {
	// Dialect is the one expected or, with Auto, the one found.
	Dialect Dialect `json:"dialect"`
	// Segments is never nil. A pair of tags gives a segment even when it is empty.
	Segments []Segment `json:"segments"`
	// Truncated is true if the reply ended inside an open layer or within a tag.
	Truncated bool `json:"truncated"`
	// SpokeFor lists the others whose lines the reply wrote, each once, in the
	// order met. It is never nil.
	SpokeFor []string `json:"spoke_for"`
}

// Parser cuts one reply into segments while it streams. The segments depend on
// the text alone and not on how it was cut into chunks. It is not safe for use
// by several goroutines.
//
// Text is shown as soon as its layer is known: what may be the beginning of a
// tag, of the character's own name or of an echoed prefill is held back until
// decided. Where a later tag shows that earlier text was of another layer (a
// plan whose opening tag was in the prompt, brackets in a reply that turns out
// to be written in HER tags) the edits take it back with Reset.
type Parser struct {
	opts    Options
	machine machine
	shown   view
	head    []byte // text before it is known whether the prefill was echoed
	decided bool
	broken  []byte // bytes of a rune still incomplete
	closed  bool
	parsed  Parsed
}

// NewParser returns a parser for one reply.
func NewParser(o Options) *Parser {
	if o.Dialect == "" {
		o.Dialect = Auto
	}
	p := &Parser{opts: o, decided: strings.TrimSpace(o.Prefill) == ""}
	p.machine = newMachine(strings.TrimSpace(o.Name), o.Dialect)
	return p
}

func newMachine(name string, d Dialect) machine {
	return machine{name: name, fixed: d != Auto, ticksEnd: -1, marks: newMarks(d)}
}

// Parse cuts a whole reply.
func Parse(raw string, o Options) Parsed {
	p := NewParser(o)
	p.Write(raw, nil)
	return p.Close(nil)
}

// Write takes the next piece of the reply, cut anywhere, even inside a rune,
// and emits what it changes in the list of segments. emit may be nil. Text
// after Close is ignored.
func (p *Parser) Write(text string, emit func(Edit)) {
	if p.closed || text == "" {
		return
	}
	p.take(text, false)
	p.work(false)
	p.shown.settle(&p.machine.draft, emit)
}

// Close ends the reply, emits the last changes and returns the whole. Called
// again it returns the same.
func (p *Parser) Close(emit func(Edit)) Parsed {
	if p.closed {
		return p.parsed
	}
	p.take("", true)
	p.work(true)
	p.shown.settle(&p.machine.draft, emit)
	p.closed = true
	segments := p.machine.segments()
	p.parsed = Parsed{
		Dialect:   p.dialect(),
		Segments:  segments,
		Truncated: p.machine.cut || len(p.machine.stack) > 0,
		SpokeFor:  spokeFor(segments, p.opts.Name, p.opts.Others),
	}
	return p.parsed
}

// Segments returns the present list.
func (p *Parser) Segments() []Segment { return p.machine.segments() }

func (p *Parser) dialect() Dialect {
	m := &p.machine
	switch {
	case p.opts.Dialect != Auto:
		return p.opts.Dialect
	case m.her:
		return HER
	case m.coser:
		return CoSER
	case m.acted:
		return Asterisk
	}
	return Plain
}

// work decides about the prefill and lets the machine run.
func (p *Parser) work(eof bool) {
	if !p.decided {
		switch echoed(p.head, p.opts.Prefill) {
		case isTag:
			p.machine.src = p.head
		case maybeTag:
			if !eof {
				return
			}
			fallthrough
		case notTag:
			prefill := strings.ToValidUTF8(p.opts.Prefill, "\uFFFD")
			p.machine.src = append([]byte(prefill), p.head...)
		}
		p.decided, p.head = true, nil
	}
	p.machine.run(eof)
}

// maxEchoBlank is the most white space before an echoed prefill.
const maxEchoBlank = 64

// echoed reports whether a reply begins with its prefill: isTag if it does,
// maybeTag if it is too short to tell. White space around the prefill may be
// lost or added, and an empty reasoning block may stand before it.
func echoed(head []byte, prefill string) lexed {
	prefill = strings.TrimSpace(prefill)
	rest, ok := skipBlank(head)
	if !ok {
		return notTag
	}
	if st := begins(rest, prefill); st != notTag {
		return st
	}
	rest, st := skipEmptyReasoning(rest)
	if st != isTag {
		return st
	}
	return begins(rest, prefill)
}

func begins(b []byte, prefix string) lexed {
	switch {
	case len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix:
		return isTag
	case len(b) < len(prefix) && string(b) == prefix[:len(b)]:
		return maybeTag
	}
	return notTag
}

func skipBlank(b []byte) (rest []byte, ok bool) {
	rest = bytes.TrimLeftFunc(b, isSpace)
	return rest, len(b)-len(rest) <= maxEchoBlank
}

func skipEmptyReasoning(b []byte) ([]byte, lexed) {
	for _, closing := range [...]bool{false, true} {
		if len(b) == 0 {
			return b, maybeTag
		}
		if b[0] != '<' {
			return b, notTag
		}
		t, n, st := lexTag(b)
		if st != isTag {
			return b, st
		}
		if t.layer != Native || t.empty || t.close != closing {
			return b, notTag
		}
		var ok bool
		if b, ok = skipBlank(b[n:]); !ok {
			return b, notTag
		}
	}
	return b, isTag
}

// take appends text to what is to be worked on, as valid UTF-8: a rune that is
// incomplete at the end waits for the rest, one that is broken for good
// becomes U+FFFD.
func (p *Parser) take(text string, final bool) {
	dst := &p.machine.src
	if !p.decided {
		dst = &p.head
	}
	if len(p.broken) == 0 && utf8.ValidString(text) {
		*dst = append(*dst, text...)
	} else {
		b := append(p.broken, text...)
		out, left := repair(*dst, b, final)
		*dst = out
		p.broken = b[:copy(b, left)]
	}
}

// repair appends b to dst with its broken runes replaced and returns the bytes
// of an incomplete one at the end. The longest beginning of a rune counts as one.
func repair(dst, b []byte, final bool) (out, left []byte) {
	for len(b) > 0 {
		valid := 0
		for valid < len(b) {
			r, size := utf8.DecodeRune(b[valid:])
			if r == utf8.RuneError && size <= 1 {
				break
			}
			valid += size
		}
		dst, b = append(dst, b[:valid]...), b[valid:]
		if len(b) == 0 {
			break
		}
		if !utf8.FullRune(b) && !final {
			return dst, b
		}
		n := 1
		for n < len(b) && !utf8.FullRune(b[:n+1]) {
			n++
		}
		dst, b = append(dst, "\uFFFD"...), b[n:]
	}
	return dst, nil
}
