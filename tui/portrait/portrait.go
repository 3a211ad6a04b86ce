// Package portrait shows a picture in a terminal: as cells of half blocks in as
// many colours as there are, as shades where there are none, and as the picture
// itself where the terminal has said that it can place one among its cells.
//
// Pictures come from files that others made. Decode looks at a picture's size
// before it is unpacked, bounds bytes, memory and time, and keeps no more of it
// than a terminal can show.
package portrait

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"golang.org/x/image/webp"
)

// The bounds of a picture.
const (
	maxBytes  = 32 << 20  // of the file
	maxMemory = 128 << 20 // of what unpacking it takes
	maxSide   = 16384     // pixels
	maxTime   = 5 * time.Second
)

// The most pixels that are kept: more than a terminal gives a portrait.
const keptW, keptH = 512, 768

// Why a picture is not shown.
var (
	ErrKind  = errors.New("the picture is neither PNG, JPEG, WEBP nor GIF")
	ErrLarge = errors.New("the picture is too large to be shown")
	ErrSlow  = errors.New("the picture takes too long to unpack")
)

// Picture is a picture made small: light, premultiplied, four values a pixel.
type Picture struct {
	w, h int
	pix  []uint16
}

// Size is how many pixels are kept.
func (p *Picture) Size() (w, h int) { return p.w, p.h }

// kind is a form of pictures: how it begins, how it is read, and how many bytes
// unpacking takes for each pixel at most.
type kind struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	bytes  int
}

func kindOf(data []byte) (k kind, ok bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return kind{png.DecodeConfig, png.Decode, 8}, true
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		// A progressive one keeps all its coefficients beside the pixels.
		return kind{jpeg.DecodeConfig, jpeg.Decode, 15}, true
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return kind{webp.DecodeConfig, webp.Decode, 8}, true
	case bytes.HasPrefix(data, []byte("GIF8")):
		return kind{gif.DecodeConfig, gif.Decode, 4}, true
	}
	return kind{}, false
}

// Decode reads a picture. It takes as long as it takes, up to five seconds or
// the end of ctx, so it belongs into a goroutine. Of a moving picture it is the
// first frame. The error is a sentence.
func Decode(ctx context.Context, data []byte) (p *Picture, err error) {
	// Those who wrote the decoders did their best; the file may have done more.
	defer func() {
		if fault := recover(); fault != nil {
			p, err = nil, fmt.Errorf("the picture cannot be read: %v", fault)
		}
	}()
	k, ok := kindOf(data)
	switch {
	case !ok:
		return nil, ErrKind
	case len(data) > maxBytes:
		return nil, fmt.Errorf("%w: %d MB, of %d at most", ErrLarge, len(data)>>20, maxBytes>>20)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, ErrSlow)
	defer cancel()
	c, err := k.config(&patient{ctx: ctx, r: bytes.NewReader(data)})
	if err != nil {
		return nil, unread(ctx, err)
	}
	if c.Width <= 0 || c.Height <= 0 {
		return nil, errors.New("the picture has no pixels")
	}
	if c.Width > maxSide || c.Height > maxSide || c.Width*c.Height > maxMemory/k.bytes {
		return nil, fmt.Errorf("%w: %d × %d pixels", ErrLarge, c.Width, c.Height)
	}
	img, err := k.decode(&patient{ctx: ctx, r: bytes.NewReader(data)})
	if err != nil {
		return nil, unread(ctx, err)
	}
	b := img.Bounds()
	if b.Empty() || b.Dx() > maxSide || b.Dy() > maxSide {
		return nil, errors.New("the picture has no pixels")
	}
	w, h := b.Dx(), b.Dy()
	if over := max(float64(w)/keptW, float64(h)/keptH); over > 1 {
		w, h = max(int(float64(w)/over), 1), max(int(float64(h)/over), 1)
	}
	p = &Picture{w: w, h: h}
	p.pix, err = shrink(ctx, img, w, h)
	if err != nil {
		return nil, unread(ctx, err)
	}
	return p, nil
}

func unread(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("the picture is cut off")
	}
	return fmt.Errorf("the picture cannot be read: %w", err)
}

// patient is a reader that ends with its context. It gives a little at a time,
// so that a decoder which makes much of a little is stopped too.
type patient struct {
	ctx context.Context
	r   *bytes.Reader
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b[:min(len(b), 512)])
}
