// Package load measures the stage under load beside a floor: the least program
// that could show the same text with the same framework.
//
// Both run as processes of their own behind a pty of 160x48 cells and replay one
// Script: a transcript of past turns, then two replies that stream side by side,
// while a typist presses a key every 30 to 90 ms. Run reports what that cost:
// CPU seconds, bytes to the terminal, the time from a key to its glyph, memory,
// and how many of the words were ever on screen. Only a ratio within one run
// says anything; the machine decides the rest.
//
// The floor (Floor) is bare Bubble Tea: a mailbox, a wake-up per 33 ms while
// there is something, rows that are wrapped once, two plain columns with a
// border. The stage is the product itself: tui.Run with a duel (NewDuel) that
// emits the very events the engine would. docs/performance.md has the numbers
// and the command.
package load

import (
	"time"

	"herarena/arena/layers"
)

// Size of the terminal, in cells.
const (
	Width  = 160
	Height = 48
)

// FPS is the frame rate of both programs, the one that the product runs at.
const FPS = 120

// Plan is what is played. It travels to the program under test as JSON.
type Plan struct {
	Turns  int           // past turns, each with both replies
	Rate   int           // tokens per second and side; 0 streams and types nothing
	Reply  int           // tokens of a streamed reply; then the next turn begins
	Stream time.Duration // how long to stream
	Single bool          // streamed replies are in Layer alone
	Layer  layers.Layer
}

// Tokens is how many tokens each side streams.
func (p Plan) Tokens() int { return int(p.Stream.Seconds() * float64(p.Rate)) }

// pace calls send with the number of each token at its time, in order, until
// the plan is over or quit is closed. It never falls behind for good: what a
// busy machine held up follows at once, so the number of tokens is exact.
func (p Plan) pace(quit <-chan struct{}, send func(n int)) {
	if p.Rate <= 0 {
		select {
		case <-quit:
		case <-time.After(p.Stream):
		}
		return
	}
	began, gap := time.Now(), time.Second/time.Duration(p.Rate)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n := 0; n < p.Tokens(); {
		select {
		case <-quit:
			return
		case <-timer.C:
		}
		for due := int(time.Since(began)/gap) + 1; n < min(due, p.Tokens()); n++ {
			send(n)
		}
		timer.Reset(time.Until(began.Add(time.Duration(n) * gap)))
	}
}
