package portrait

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// Placed is a picture that the terminal itself draws. It stands where its rows
// stand: they are made of a character that the terminal replaces by a part of
// the picture, one a cell, so that whatever moves or covers cells moves or covers
// the picture.
type Placed struct {
	Upload string   // gives the terminal the picture; to be written before Rows
	Rows   []string // H rows of W cells
	Remove string   // takes the picture back
}

// mostCells is how many rows and columns the marks of placeholders can count.
const mostCells = 200

// PlaceKitty makes the picture one of the kitty graphics protocol under an id of
// the caller's, at most 24 bit and not 0. wrap passes the picture through tmux,
// which must allow that.
func (p *Picture) PlaceKitty(id uint32, w, h int, wrap bool) (Placed, error) {
	if w <= 0 || h <= 0 || w > mostCells || h > mostCells {
		return Placed{}, fmt.Errorf("a picture of %d × %d cells cannot be placed", w, h)
	}
	data, err := p.png(w, h)
	if err != nil {
		return Placed{}, err
	}
	send := func(s string) string {
		if wrap {
			return ansi.TmuxPassthrough(s)
		}
		return s
	}
	text := base64.StdEncoding.EncodeToString(data)
	var up strings.Builder
	for first := true; len(text) > 0; first = false {
		n := min(len(text), kitty.MaxChunkSize)
		more := "m=0"
		if n < len(text) {
			more = "m=1"
		}
		keys := []string{"q=2", more}
		if first {
			keys = []string{"a=T", "U=1", fmt.Sprint("i=", id), fmt.Sprint("c=", w), fmt.Sprint("r=", h), "f=100", "q=2", more}
		}
		up.WriteString(send(ansi.KittyGraphics([]byte(text[:n]), keys...)))
		text = text[n:]
	}
	rows := make([]string, h)
	for y := range rows {
		var b strings.Builder
		fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dm", id>>16&255, id>>8&255, id&255)
		for x := range w {
			b.WriteRune(kitty.Placeholder)
			b.WriteRune(kitty.Diacritic(y))
			b.WriteRune(kitty.Diacritic(x))
		}
		rows[y] = b.String() + reset
	}
	return Placed{Upload: up.String(), Rows: rows, Remove: send(ansi.KittyGraphics(nil, "a=d", "d=I", fmt.Sprint("i=", id), "q=2"))}, nil
}

// png is the part of the picture that is shown, at a size fit for its cells.
func (p *Picture) png(w, h int) ([]byte, error) {
	pw, ph := w*12, h*24
	x0, y0, x1, y1 := p.crop(float64(w), float64(2*h))
	if f := min((x1-x0)/float64(pw), (y1-y0)/float64(ph)); f < 1 { // the terminal enlarges it better
		pw, ph = max(int(float64(pw)*f), w), max(int(float64(ph)*f), h)
	}
	img := image.NewNRGBA(image.Rect(0, 0, pw, ph))
	for i, v := range p.sample(pw, ph, float64(w), float64(2*h)) {
		if v.there {
			img.SetNRGBA(i%pw, i/pw, color.NRGBA{uint8(round(v.r)), uint8(round(v.g)), uint8(round(v.b)), 255})
		}
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img)
	return b.Bytes(), err
}
