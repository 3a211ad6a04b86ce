package prose

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// pen is the style in force while rows are cut: colour parameters as written,
// attributes as bits 1 to 9.
type pen struct {
	fg, bg string
	attrs  uint16
}

// visibleBlank are the attributes that show on a space: underline, reverse,
// strike-through.
const visibleBlank = 1<<4 | 1<<7 | 1<<9

// shows reports whether a space drawn with the pen can be seen.
func (p pen) shows() bool { return p.bg != "" || p.attrs&visibleBlank != 0 }

// sgr writes the sequence that takes up the pen from a reset state.
func (p pen) sgr() string {
	if p == (pen{}) {
		return reset
	}
	var b strings.Builder
	b.WriteString("\x1b[")
	sep := ""
	put := func(s string) {
		b.WriteString(sep)
		b.WriteString(s)
		sep = ";"
	}
	for i := 1; i <= 9; i++ {
		if p.attrs&(1<<i) != 0 {
			put(string(rune('0' + i)))
		}
	}
	if p.fg != "" {
		put(p.fg)
	}
	if p.bg != "" {
		put(p.bg)
	}
	b.WriteByte('m')
	return b.String()
}

const reset = "\x1b[m"

// apply changes the pen by SGR parameters.
func (p *pen) apply(params string) {
	fields := strings.Split(params, ";")
	for i := 0; i < len(fields); i++ {
		switch f := fields[i]; f {
		case "", "0":
			*p = pen{}
		case "1", "2", "3", "4", "5", "6", "7", "9":
			p.attrs |= 1 << (f[0] - '0')
		case "22":
			p.attrs &^= 1<<1 | 1<<2
		case "23", "24", "27", "29":
			p.attrs &^= 1 << (f[1] - '0')
		case "25":
			p.attrs &^= 1<<5 | 1<<6
		case "39":
			p.fg = ""
		case "49":
			p.bg = ""
		case "38", "48", "58":
			n := 0
			if i+1 < len(fields) && fields[i+1] == "5" {
				n = 2
			} else if i+1 < len(fields) && fields[i+1] == "2" {
				n = 4
			}
			end := min(i+n, len(fields)-1)
			if f == "38" {
				p.fg = strings.Join(fields[i:end+1], ";")
			} else if f == "48" {
				p.bg = strings.Join(fields[i:end+1], ";")
			}
			i = end
		default:
			switch {
			case len(f) == 2 && f[0] == '3' || len(f) == 2 && f[0] == '9':
				p.fg = f
			case len(f) == 2 && f[0] == '4' || len(f) == 3 && f[:2] == "10":
				p.bg = f
			}
		}
	}
}

// cutter makes rows of rendered text.
type cutter struct {
	width  int
	rows   []string
	row    []byte
	cells  int
	pen    pen // in force in the text
	drawn  pen // in force in the row
	blanks int // invisible spaces not yet written
}

// cut makes rows of what a renderer wrote (filtered by guard.Exit): each stands
// alone, is at most width cells, has no padding at its end and one sequence per
// change of style. Blank rows at both ends are left out.
func cut(rendered string, width int) []string {
	c := &cutter{width: max(width, 1)}
	for i := 0; i < len(rendered); {
		b := rendered[i]
		switch {
		case b == '\n':
			c.end()
			i++
		case b == 0x1b:
			end := strings.IndexByte(rendered[i:], 'm')
			if end < 2 { // guard.Exit leaves no other sequence
				i++
				continue
			}
			c.pen.apply(rendered[i+2 : i+end])
			i += end + 1
		case b < 0x80 && (i+1 == len(rendered) || rendered[i+1] < 0x80):
			c.put(rendered[i:i+1], 1)
			i++
		default:
			cluster, w := ansi.FirstGraphemeCluster(rendered[i:], ansi.GraphemeWidth)
			if len(cluster) == 0 {
				cluster, w = rendered[i:i+1], 1
			}
			c.put(cluster, w)
			i += len(cluster)
		}
	}
	c.end()
	first, last := 0, len(c.rows)
	for first < last && c.rows[first] == "" {
		first++
	}
	for last > first && c.rows[last-1] == "" {
		last--
	}
	return c.rows[first:last]
}

// put adds one cluster.
func (c *cutter) put(s string, w int) {
	if s == " " && !c.pen.shows() {
		c.blanks++
		return
	}
	if w > c.width {
		s, w = tooWide, 1
	}
	if c.cells+c.blanks+w > c.width {
		c.end()
	}
	for ; c.blanks > 0; c.blanks-- {
		if c.drawn.shows() {
			c.row = append(c.row, reset...)
			c.drawn = pen{}
		}
		c.row = append(c.row, ' ')
		c.cells++
	}
	if c.drawn != c.pen {
		if c.drawn != (pen{}) {
			c.row = append(c.row, reset...)
		}
		if c.pen != (pen{}) {
			c.row = append(c.row, c.pen.sgr()...)
		}
		c.drawn = c.pen
	}
	c.row = append(c.row, s...)
	c.cells += w
}

// end closes the row.
func (c *cutter) end() {
	if c.drawn != (pen{}) {
		c.row = append(c.row, reset...)
	}
	c.rows = append(c.rows, string(c.row))
	c.row, c.cells, c.blanks, c.drawn = c.row[:0], 0, 0, pen{}
}
