package portrait

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// Colours is how many colours the terminal has.
type Colours uint8

// The colours of terminals.
const (
	None    Colours = iota
	Sixteen         // as the terminal's theme has them
	Many            // 256
	True            // 24 bit
)

// Options say how a picture is drawn.
type Options struct {
	W, H    int // cells
	Colours Colours
	Dark    bool // the background, which counts where there are no colours
	ASCII   bool
}

// reset ends all colours.
const reset = "\x1b[m"

// Cells draws the picture into H rows of W cells each. What does not have the
// shape of the place is cut off at the sides or, rather below than above, at the
// height. A cell counts as twice as high as wide.
func (p *Picture) Cells(o Options) []string {
	switch {
	case o.W <= 0 || o.H <= 0:
		return nil
	case o.ASCII:
		return p.letters(o, " .:-=+*#%@", o.Colours)
	case o.Colours <= Sixteen:
		// Sixteen colours are too far apart to mix: they give the hue, and the
		// shades the light.
		return p.letters(o, " ░▒▓█", o.Colours)
	}
	px := p.sample(o.W, o.H*2, float64(o.W), float64(o.H*2))
	code := codes(px, o.W, o.Colours)
	rows := make([]string, o.H)
	for y := range rows {
		var b strings.Builder
		last := ""
		for x := range o.W {
			i, j := 2*y*o.W+x, (2*y+1)*o.W+x
			style, glyph := "", " "
			switch {
			case px[i].there && px[j].there:
				style, glyph = "\x1b[0;"+code[i]+";"+ground(code[j])+"m", "▀"
			case px[i].there:
				style, glyph = "\x1b[0;"+code[i]+"m", "▀"
			case px[j].there:
				style, glyph = "\x1b[0;"+code[j]+"m", "▄"
			default:
				style = reset
			}
			if style != last {
				b.WriteString(style)
				last = style
			}
			b.WriteString(glyph)
		}
		rows[y] = b.String() + reset
	}
	return rows
}

// ground makes a foreground's SGR parameters those of the background.
func ground(code string) string {
	return "4" + code[1:]
}

// codes are the SGR parameters of each pixel as a foreground. Where there are
// few colours what one pixel lacks its neighbours make up for.
func codes(px []pixel, w int, c Colours) []string {
	out := make([]string, len(px))
	if c == True {
		for i, p := range px {
			out[i] = "38;2;" + strconv.Itoa(round(p.r)) + ";" + strconv.Itoa(round(p.g)) + ";" + strconv.Itoa(round(p.b))
		}
		return out
	}
	nearest, share := near256, 0.45
	if c == Sixteen {
		nearest, share = near16, 0
	}
	diffuse(px, w, share, func(i int, v pixel) pixel {
		n, took := nearest(v)
		switch {
		case c == Many:
			out[i] = "38;5;" + strconv.Itoa(n)
		case n == 7:
			out[i] = "39" // the terminal's own, on any ground
		default:
			out[i] = strconv.Itoa(30 + n)
		}
		return took
	})
	return out
}

func round(v float64) int { return int(min(max(math.Round(v), 0), 255)) }

// diffuse goes through the pixels row by row, to and fro, and passes on what
// take left over of each: Floyd and Steinberg's weights, of which share is kept.
func diffuse(px []pixel, w int, share float64, take func(i int, v pixel) pixel) {
	left := make([]pixel, len(px))
	h := len(px) / w
	for y := range h {
		ahead := 1 - 2*(y%2)
		for n := range w {
			x := n
			if ahead < 0 {
				x = w - 1 - n
			}
			i := y*w + x
			if !px[i].there {
				continue
			}
			v := px[i]
			v.r, v.g, v.b = v.r+left[i].r, v.g+left[i].g, v.b+left[i].b
			took := take(i, v)
			dr, dg, db := v.r-took.r, v.g-took.g, v.b-took.b
			for _, to := range [...]struct {
				dx, dy int
				part   float64
			}{{ahead, 0, 7}, {-ahead, 1, 3}, {0, 1, 5}, {ahead, 1, 1}} {
				tx, ty := x+to.dx, y+to.dy
				if tx < 0 || tx >= w || ty >= h {
					continue
				}
				f, l := share*to.part/16, &left[ty*w+tx]
				l.r, l.g, l.b = l.r+f*dr, l.g+f*dg, l.b+f*db
			}
		}
	}
}

// apart is how far two colours are from each other, as eyes see it, about.
func apart(a, b pixel) float64 {
	dr, dg, db := a.r-b.r, a.g-b.g, a.b-b.b
	return 2*dr*dr + 4*dg*dg + 3*db*db
}

// near256 is the nearest of the 240 colours that are the same everywhere.
func near256(v pixel) (int, pixel) {
	level := func(c float64) (int, float64) {
		best, at := math.Inf(1), 0
		for i := range 6 {
			if d := math.Abs(c - step(i)); d < best {
				best, at = d, i
			}
		}
		return at, step(at)
	}
	r, rv := level(v.r)
	g, gv := level(v.g)
	b, bv := level(v.b)
	n, took := 16+36*r+6*g+b, pixel{rv, gv, bv, true}
	grey := min(max(math.Round(((0.30*v.r+0.59*v.g+0.11*v.b)-8)/10), 0), 23)
	if p := (pixel{8 + 10*grey, 8 + 10*grey, 8 + 10*grey, true}); apart(v, p) < apart(v, took) {
		n, took = 232+int(grey), p
	}
	return n, took
}

// step is a level of the colour cube.
func step(i int) float64 {
	if i == 0 {
		return 0
	}
	return float64(55 + 40*i)
}

// near16 is the nearest of the sixteen colours in hue, as xterm has them.
func near16(v pixel) (int, pixel) {
	top, low := max(v.r, v.g, v.b, 1), min(v.r, v.g, v.b)
	if top-low < 0.25*top { // grey enough
		return 7, v
	}
	// As saturated and bright as it gets, so that the hue decides.
	stretch := func(c float64) float64 { return (c - low) / (top - low) * 255 }
	v = pixel{stretch(v.r), stretch(v.g), stretch(v.b), true}
	best, at, took := math.Inf(1), 0, pixel{}
	for i := 1; i < 7; i++ {
		p := sixteen(i)
		if d := apart(v, p); d < best {
			best, at, took = d, i, p
		}
	}
	return at, took
}

// sixteen are the six colours of the sixteen that have a hue, at their brightest.
func sixteen(i int) pixel {
	p := pixel{there: true}
	for k, c := range []*float64{&p.r, &p.g, &p.b} {
		if i>>k&1 == 1 {
			*c = 255
		}
	}
	return p
}

// letters draws by how much of a cell a glyph fills, from nothing to all of it.
func (p *Picture) letters(o Options, ramp string, c Colours) []string {
	glyphs := []rune(ramp)
	px := p.sample(o.W, o.H, float64(o.W), float64(2*o.H))
	var code []string
	if c != None {
		code = codes(px, o.W, c)
	}
	low, high := contrast(px)
	grey := make([]pixel, len(px))
	for i, v := range px {
		l := min(max((luma(v)-low)/(high-low), 0), 1)
		if !o.Dark {
			l = 1 - l
		}
		grey[i] = pixel{l, l, l, v.there}
	}
	at := make([]int, len(px))
	top := float64(len(glyphs) - 1)
	diffuse(grey, o.W, 1, func(i int, v pixel) pixel {
		n := min(max(math.Round(v.r*top), 0), top)
		at[i] = int(n)
		return pixel{n / top, n / top, n / top, true}
	})
	rows := make([]string, o.H)
	for y := range rows {
		var b strings.Builder
		last := ""
		for x := range o.W {
			i := y*o.W + x
			if c != None && px[i].there && code[i] != last {
				b.WriteString("\x1b[0;" + code[i] + "m")
				last = code[i]
			}
			b.WriteRune(glyphs[at[i]])
		}
		if last != "" {
			b.WriteString(reset)
		}
		rows[y] = b.String()
	}
	return rows
}

func luma(p pixel) float64 { return 0.30*p.r + 0.59*p.g + 0.11*p.b }

// contrast is between which lumas most of the picture lies.
func contrast(px []pixel) (low, high float64) {
	var all []float64
	for _, p := range px {
		if p.there {
			all = append(all, luma(p))
		}
	}
	if len(all) == 0 {
		return 0, 255
	}
	sort.Float64s(all)
	low, high = all[len(all)/50], all[len(all)-1-len(all)/50]
	if high-low < 32 {
		return 0, 255
	}
	return low, high
}
