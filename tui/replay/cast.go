package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// framesPerSecond is how often a cast shows what has changed.
const framesPerSecond = 30

// header is the first line of a cast, as asciinema's format of version 2 has it
// (https://docs.asciinema.org/manual/asciicast/v2/).
type header struct {
	Version   int               `json:"version"`
	Width     int               `json:"width"`
	Height    int               `json:"height"`
	Timestamp int64             `json:"timestamp,omitempty"`
	Duration  float64           `json:"duration"`
	Title     string            `json:"title"`
	Env       map[string]string `json:"env"`
}

// Cast writes the replay as an asciinema recording of version 2 for a terminal
// of w times h cells: the header, then a line [seconds, "o", data] for each
// change of the screen. It waits for nothing. The same duel and options always
// give the same bytes.
func Cast(ctx context.Context, out io.Writer, o Options, w, h int) error {
	if w < 1 || h < 1 {
		return errors.New("a cast needs a width and a height")
	}
	o.Bare = true
	s := New(o)
	defer func() { _ = s.Close() }()
	s.SetSize(w, h)
	c := &caster{out: bufio.NewWriter(out), rows: make([]string, h)}
	c.json = json.NewEncoder(c.out)
	c.json.SetEscapeHTML(false)
	head := header{
		Version: 2, Width: w, Height: h, Title: s.Title(), Env: map[string]string{"TERM": "xterm-256color"},
		Duration: seconds(time.Duration(float64(s.length) / s.speed)),
	}
	if !o.Duel.Started.IsZero() {
		head.Timestamp = o.Duel.Started.Unix()
	}
	if err := c.json.Encode(head); err != nil {
		return fmt.Errorf("the cast cannot be written: %w", err)
	}
	if err := c.play(ctx, s); err != nil {
		return err
	}
	if err := c.out.Flush(); err != nil {
		return fmt.Errorf("the cast cannot be written: %w", err)
	}
	return nil
}

type caster struct {
	out  *bufio.Writer
	json *json.Encoder
	rows []string // as the terminal shows them
}

// play moves the screen from frame to frame in which something changes.
func (c *caster) play(ctx context.Context, s *Screen) error {
	perFrame := float64(time.Second) / framesPerSecond * s.speed // of the recording
	s.moveTo(0)
	for n := 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.frame(float64(n)/framesPerSecond, s.View(), n == 0); err != nil {
			return fmt.Errorf("the cast cannot be written: %w", err)
		}
		if s.over() {
			return nil
		}
		n = max(n+1, int(math.Ceil(float64(s.at+s.due())/perFrame)))
		s.moveTo(time.Duration(float64(n) * perFrame))
	}
}

// frame writes the rows that differ from those shown.
func (c *caster) frame(at float64, text string, first bool) error {
	var b strings.Builder
	if first {
		b.WriteString("\x1b[?25l\x1b[2J")
	}
	for i, row := range strings.Split(text, "\n") {
		if i < len(c.rows) && c.rows[i] != row {
			fmt.Fprintf(&b, "\x1b[%d;1H%s", i+1, row)
			c.rows[i] = row
		}
	}
	if b.Len() == 0 {
		return nil
	}
	return c.json.Encode([]any{json.Number(fmt.Sprintf("%.6f", at)), "o", b.String()})
}

func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e6 }
