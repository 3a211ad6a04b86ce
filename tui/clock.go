package tui

import (
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Where nothing happens for so long, frames are looked for seldom.
const (
	quietAfter = 500 * time.Millisecond
	quietFrame = 100 * time.Millisecond
)

// clock slows the renderer's ticker down while no message arrives. A frame can
// only change by a message, but Bubble Tea wakes up for each of its frames all
// the same, which at 120 a second is most of what an idle screen takes of a
// processor. It has no way of its own to change the rate of a running program
// (v2.0), so the ticker is reached by reflection; where the field is missing the
// rate stays as it is.
type clock struct {
	mu      sync.Mutex
	program *tea.Program
	ticker  *time.Ticker
	sought  bool
	last    time.Time
	slow    bool
	armed   bool
}

// woken is called by the program for each message, before it is handled.
func (c *clock) woken() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sought {
		c.ticker, c.sought = tickerOf(c.program), true
	}
	if c.ticker == nil {
		return
	}
	c.last = time.Now()
	if c.slow {
		c.slow = false
		c.ticker.Reset(time.Second / framesPerSecond)
	}
	if !c.armed {
		c.armed = true
		time.AfterFunc(quietAfter, c.rest)
	}
}

// rest slows the ticker down unless a message has come meanwhile.
func (c *clock) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if left := quietAfter - time.Since(c.last); left > 0 {
		time.AfterFunc(left, c.rest)
		return
	}
	c.armed, c.slow = false, true
	c.ticker.Reset(quietFrame)
}

// tickerOf returns the ticker of a running program's renderer, nil where it has
// none under the name known here. It is to be called from the program's own
// goroutine, which sets the field before the first message.
func tickerOf(p *tea.Program) *time.Ticker {
	if p == nil {
		return nil
	}
	f := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !f.IsValid() || f.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(f.UnsafePointer())
}
