package guard

import "unicode/utf8"

// held is how many bytes of an unfinished sequence are waited for; after that
// the sequence is given up and text flows again.
const held = 4096

// maxSGR bounds a colour sequence that Exit lets through, in bytes of parameters.
const maxSGR = 64

// state is where in an escape sequence the machine stands.
type state uint8

const (
	ground  state = iota
	escape        // after ESC
	inter         // after ESC and an intermediate byte
	csi           // after CSI
	str           // within OSC, DCS, APC, PM or SOS
	strTail       // within one of those, after ESC
)

// machine is the automaton behind both filters. It works on runes; a byte that
// is no UTF-8 counts as a rune of its own.
type machine struct {
	out  []byte
	exit bool // the exit filter: plain colour sequences pass

	part   [utf8.UTFMax]byte // an unfinished rune
	partN  int
	state  state
	length int  // bytes of the sequence so far
	cr     bool // the last rune was CR: a line feed now is its other half
	broken bool // the last byte was invalid: a raw C1 byte now is debris, not a control

	visible bool // a visible rune stands before, on the same line
	marks   int  // zero-width runes since then
	spacing int  // spacing marks since then

	sgr    [maxSGR]byte
	sgrN   int
	sgrBad bool
}

// idle reports whether plain text may bypass the machine.
func (m *machine) idle() bool {
	return m.state == ground && m.partN == 0 && !m.cr && !m.exit
}

// base notes that the plain run just passed ended in c.
func (m *machine) base(c byte) {
	m.visible, m.marks, m.spacing, m.broken = c != '\n' && c != '\t', 0, 0, false
}

// write runs s through the machine, appending to out.
func (m *machine) write(s string) {
	i := 0
	if m.partN > 0 {
		i = m.complete(s)
	}
	for i < len(s) {
		if m.state == ground && !m.cr {
			n := plainRun(s[i:])
			if m.exit {
				n = printableRun(s[i:])
			}
			if n > 0 {
				m.out = append(m.out, s[i:i+n]...)
				i += n
				m.base(s[i-1])
				continue
			}
		}
		if c := s[i]; c < utf8.RuneSelf {
			m.broken = false
			m.step(rune(c), 1)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			if !utf8.FullRuneInString(s[i:]) {
				m.partN = copy(m.part[:], s[i:])
				return
			}
			m.invalid(s[i : i+1])
			i++
			continue
		}
		m.broken = false
		m.step(r, n)
		i += n
	}
}

// complete joins the held-back bytes with the beginning of s and returns how
// much of s it used.
func (m *machine) complete(s string) int {
	used := 0
	for m.partN > 0 {
		if utf8.FullRune(m.part[:m.partN]) {
			r, n := utf8.DecodeRune(m.part[:m.partN])
			if r == utf8.RuneError && n == 1 {
				m.invalid(string(m.part[:1]))
			} else {
				m.broken = false
				m.step(r, n)
			}
			copy(m.part[:], m.part[n:m.partN])
			m.partN -= n
			continue
		}
		if used == len(s) {
			return used
		}
		m.part[m.partN] = s[used]
		m.partN++
		used++
	}
	return used
}

// flush ends the text.
func (m *machine) flush() {
	for i := 0; i < m.partN; i++ {
		m.invalid(string(m.part[i : i+1]))
	}
	m.partN, m.state, m.length = 0, ground, 0
}

// invalid takes a byte that is no UTF-8. Raw C1 controls are honoured only
// where they cannot be the rest of a broken rune.
func (m *machine) invalid(b string) {
	c := rune(b[0])
	debris := m.broken
	m.broken = true
	if c >= 0x80 && c <= 0x9f && !debris {
		// 0x80 to 0x8f introduce nothing and are common in the middle of
		// broken runes: what follows one may be the rest of it.
		m.broken = c < 0x90
		m.step(c, 1)
		return
	}
	m.step(utf8.RuneError, 1)
}

// step takes one rune of n bytes.
func (m *machine) step(r rune, n int) {
	if m.state == ground {
		m.text(r)
		return
	}
	m.length += n
	switch {
	case m.length > held:
		// The sequence never ended. What was swallowed is lost, the rest is text.
		m.leave()
		m.text(r)
	case r == 0x18 || r == 0x1a: // CAN and SUB cancel any sequence
		m.leave()
	case m.state == escape || m.state == inter:
		m.afterEscape(r)
	case m.state == csi:
		m.inCSI(r)
	default:
		m.inString(r)
	}
}

// leave ends a sequence without a trace.
func (m *machine) leave() { m.state, m.length = ground, 0 }

// enter begins a sequence.
func (m *machine) enter(s state) {
	m.state, m.length, m.sgrN, m.sgrBad = s, 0, 0, false
}

func (m *machine) afterEscape(r rune) {
	switch {
	case r == 0x1b:
		m.enter(escape)
	case r >= 0x20 && r <= 0x2f:
		m.state = inter
	case m.state == inter && r >= 0x30 && r <= 0x7e:
		m.leave()
	case r == '[':
		m.enter(csi)
	case r == ']' || r == 'P' || r == 'X' || r == '^' || r == '_':
		m.enter(str)
	case r >= 0x30 && r <= 0x7e:
		m.leave()
	default: // a lone ESC
		m.leave()
		m.text(r)
	}
}

func (m *machine) inCSI(r rune) {
	switch {
	case r == 0x1b:
		m.enter(escape)
	case r >= 0x30 && r <= 0x3b && r != ':':
		if m.sgrN < len(m.sgr) {
			m.sgr[m.sgrN] = byte(r)
			m.sgrN++
			return
		}
		m.sgrBad = true
	case r >= 0x20 && r <= 0x3f:
		m.sgrBad = true
	case r >= 0x40 && r <= 0x7e:
		if m.exit && r == 'm' && !m.sgrBad && !conceals(m.sgr[:m.sgrN]) {
			m.out = append(m.out, "\x1b["...)
			m.out = append(m.out, m.sgr[:m.sgrN]...)
			m.out = append(m.out, 'm')
		}
		m.leave()
	default: // no part of a CSI: it is given up and the rune is text
		m.leave()
		m.text(r)
	}
}

func (m *machine) inString(r rune) {
	switch {
	case m.state == strTail && r == '\\', r == 0x07, r == 0x9c:
		m.leave()
	case r == 0x1b:
		m.state = strTail
	case m.state == strTail:
		// ESC within a string ends it and begins a sequence of its own.
		m.enter(escape)
		m.afterEscape(r)
	case r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
		m.leave()
		m.text(r)
	}
}

// conceals reports whether colour parameters switch text to invisible (8).
func conceals(params []byte) bool {
	skip, n, digits := 0, 0, false
	var kind int // 38, 48 or 58 was seen, its colour model comes next
	check := func() bool {
		switch {
		case skip > 0:
			skip--
		case kind != 0:
			kind = 0
			if n == 5 {
				skip = 1
			} else if n == 2 {
				skip = 3
			}
		case n == 38 || n == 48 || n == 58:
			kind = n
		case n == 8 && digits:
			return true
		}
		n, digits = 0, false
		return false
	}
	for _, c := range params {
		if c == ';' {
			if check() {
				return true
			}
			continue
		}
		digits = true
		if n < 1000 {
			n = n*10 + int(c-'0')
		}
	}
	return check()
}

// printableRun is plainRun without tabs.
func printableRun(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 0x20 && c != '\n') || c >= 0x7f {
			return i
		}
	}
	return len(s)
}
