// Package feed is a mailbox from goroutines to a Bubble Tea program.
//
// Streams put events in as fast as they come and never wait; the program is
// woken at most once per frame and takes everything at once. Neighbours that
// mean "more of the same" are merged on the way in, endings never are. Nothing
// ticks while nothing comes.
package feed

import (
	"sync"
	"time"
)

// Frame is the least time between two wake-ups unless SetFrame says otherwise.
const Frame = 33 * time.Millisecond

// Box is a mailbox of events of type T. All methods may be called from any
// goroutine. It owns no goroutine; a timer lives only while a wake-up is due.
type Box[T any] struct {
	merge func(last, next T) (T, bool)
	wake  func()

	mu     sync.Mutex
	items  []T
	spare  []T
	frame  time.Duration
	last   time.Time   // of the last wake-up
	timer  *time.Timer // of the wake-up that is due
	due    bool        // a wake-up is scheduled or was sent and not yet answered by Drain
	round  uint64      // counts drains, so that a wake-up overtaken by one is dropped
	closed bool
}

// New makes a mailbox. merge, when not nil, may join an event to the one before
// it and reports whether it did; it must report false for endings. wake is
// called from a timer's goroutine when there is something to drain, usually
// func() { program.Send(Ready{}) }, and may block.
func New[T any](merge func(last, next T) (T, bool), wake func()) *Box[T] {
	return &Box[T]{merge: merge, wake: wake, frame: Frame}
}

// SetFrame sets the least time between two wake-ups; zero wakes at once.
func (b *Box[T]) SetFrame(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.frame = max(d, 0)
}

// Put adds an event. It never blocks on the program. After Close it does nothing.
func (b *Box[T]) Put(event T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.add(event)
	if b.due {
		return
	}
	b.due = true
	wait := time.Duration(0)
	if !b.last.IsZero() {
		wait = max(b.frame-time.Since(b.last), 0)
	}
	round := b.round
	b.timer = time.AfterFunc(wait, func() { b.ring(round) })
}

// add appends or merges.
func (b *Box[T]) add(event T) {
	if n := len(b.items); n > 0 && b.merge != nil {
		if joined, ok := b.merge(b.items[n-1], event); ok {
			b.items[n-1] = joined
			return
		}
	}
	b.items = append(b.items, event)
}

// ring wakes the program, outside of the lock since wake may block.
func (b *Box[T]) ring(round uint64) {
	b.mu.Lock()
	if b.closed || b.round != round {
		b.mu.Unlock()
		return
	}
	b.last = time.Now()
	b.mu.Unlock()
	if b.wake != nil {
		b.wake()
	}
}

// Drain takes all events, in the order they were put, and allows the next
// wake-up. It returns nil when there are none. The slice belongs to the caller
// until the call of Drain after the next.
func (b *Box[T]) Drain() []T {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer != nil {
		b.timer.Stop()
	}
	b.due = false
	b.round++
	if len(b.items) == 0 {
		return nil
	}
	out := b.items
	clear(b.spare[:cap(b.spare)])
	b.items = b.spare[:0]
	b.spare = out
	return out
}

// Close stops wake-ups and refuses further events. What is in the box can still
// be drained. A wake that is under way is not waited for.
func (b *Box[T]) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	if b.timer != nil {
		b.timer.Stop()
	}
}
