package portrait

import (
	"context"
	"image"
	"image/draw"
	"math"
)

// Averages are taken of light, not of the numbers that stand for it: those are
// denser in the dark, and an average of them comes out too dark.

// light is what each value of a channel stands for, from 0 to 1.
func light() *[256]float32 {
	var t [256]float32
	for i := range t {
		v := float64(i) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		t[i] = float32(v)
	}
	return &t
}

// channel is the value for an amount of light.
func channel(v float64) float64 {
	v = min(max(v, 0), 1)
	if v <= 0.0031308 {
		return 255 * 12.92 * v
	}
	return 255 * (1.055*math.Pow(v, 1/2.4) - 0.055)
}

// span is which pixels of a line one pixel of a shorter or longer line covers,
// and how much of each.
type span struct {
	from    int
	weights []float32
}

// spans cuts the stretch from a to b of a line of n pixels into m pixels. The
// weights of each add up to one.
func spans(a, b float64, n, m int) []span {
	out := make([]span, m)
	step := (b - a) / float64(m)
	for i := range out {
		lo := a + float64(i)*step
		hi := lo + step
		first := min(max(int(lo), 0), n-1)
		last := min(max(int(math.Ceil(hi))-1, first), n-1)
		s := span{from: first}
		sum := float32(0)
		for x := first; x <= last; x++ {
			w := float32(max(min(hi, float64(x+1))-max(lo, float64(x)), 1e-6))
			s.weights = append(s.weights, w)
			sum += w
		}
		for j := range s.weights {
			s.weights[j] /= sum
		}
		out[i] = s
	}
	return out
}

// shrink averages a whole picture down to w times h pixels of light. It holds a
// few rows of the picture at a time and ends with ctx.
func shrink(ctx context.Context, src image.Image, w, h int) ([]uint16, error) {
	const rows = 32
	b := src.Bounds()
	lights := light()
	across := spans(0, float64(b.Dx()), b.Dx(), w)
	down := spans(0, float64(b.Dy()), b.Dy(), h)
	band := image.NewRGBA(image.Rect(0, 0, b.Dx(), rows))
	sums := make([]float32, w*h*4)
	line := make([]float32, w*4)
	next := 0 // first row that may still be added to
	for y := range b.Dy() {
		if y%rows == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			draw.Draw(band, band.Bounds(), src, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		}
		row := band.Pix[y%rows*band.Stride:]
		for x, s := range across {
			var c [4]float32
			for i, weight := range s.weights {
				px := row[(s.from+i)*4 : (s.from+i)*4+4 : (s.from+i)*4+4]
				a := float32(px[3]) / 255
				switch px[3] {
				case 255:
					c[0], c[1], c[2] = c[0]+weight*lights[px[0]], c[1]+weight*lights[px[1]], c[2]+weight*lights[px[2]]
				case 0:
				default: // numbers that were multiplied, not light: undo and redo
					for k := range 3 {
						c[k] += weight * a * lights[min(int(px[k])*255/int(px[3]), 255)]
					}
				}
				c[3] += weight * a
			}
			copy(line[x*4:], c[:])
		}
		for next < h && down[next].from+len(down[next].weights) <= y {
			next++
		}
		for r := next; r < h && down[r].from <= y; r++ {
			i := y - down[r].from
			if i >= len(down[r].weights) {
				continue
			}
			weight := down[r].weights[i]
			sum := sums[r*w*4 : (r+1)*w*4]
			for k, v := range line {
				sum[k] += weight * v
			}
		}
	}
	out := make([]uint16, len(sums))
	for i, v := range sums {
		out[i] = uint16(min(v*65535+0.5, 65535))
	}
	return out, nil
}

// crop is the largest part of the picture with the shape of w to h: the middle
// of its width, and of its height rather the top, where faces are.
func (p *Picture) crop(w, h float64) (x0, y0, x1, y1 float64) {
	pw, ph := float64(p.w), float64(p.h)
	if pw*h > ph*w {
		cut := (pw - ph*w/h) / 2
		return cut, 0, pw - cut, ph
	}
	cut := ph - pw*h/w
	return 0, cut / 6, pw, ph - cut*5/6
}

// pixel is one pixel of what is shown: channels from 0 to 255, and whether there
// is anything at all.
type pixel struct {
	r, g, b float64
	there   bool
}

// sample averages the part of the picture that has the shape of shapeW to shapeH
// to w times h pixels.
func (p *Picture) sample(w, h int, shapeW, shapeH float64) []pixel {
	x0, y0, x1, y1 := p.crop(shapeW, shapeH)
	across, down := spans(x0, x1, p.w, w), spans(y0, y1, p.h, h)
	out := make([]pixel, w*h)
	for y, sy := range down {
		for x, sx := range across {
			var c [4]float64
			for j, wy := range sy.weights {
				row := p.pix[((sy.from+j)*p.w+sx.from)*4:]
				for i, wx := range sx.weights {
					for k := range c {
						c[k] += float64(wx*wy) * float64(row[i*4+k])
					}
				}
			}
			if c[3] >= 65535/2 {
				out[y*w+x] = pixel{channel(c[0] / c[3]), channel(c[1] / c[3]), channel(c[2] / c[3]), true}
			}
		}
	}
	return out
}
