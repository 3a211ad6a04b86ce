package arena

import (
	"context"
	"sync"
)

// idle lets goroutines wait until nothing is being written any more.
type idle struct {
	mu     sync.Mutex
	change chan struct{} // closed at the next change
}

// changed wakes all who wait.
func (i *idle) changed() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.change != nil {
		close(i.change)
		i.change = nil
	}
}

// next is closed at the next change.
func (i *idle) next() <-chan struct{} {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.change == nil {
		i.change = make(chan struct{})
	}
	return i.change
}

// Wait blocks until no reply and no verdict is being written, or ctx ends, whose
// error it then returns; ErrClosed where the duel was closed meanwhile.
func (d *Duel) Wait(ctx context.Context) error {
	for {
		next := d.idle.next()
		d.mu.Lock()
		running, closed := d.busy() || len(d.judging) > 0 || d.staging != nil, d.closed
		d.mu.Unlock()
		switch {
		case closed:
			return ErrClosed
		case !running:
			return ctx.Err()
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
