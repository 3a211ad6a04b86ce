package arena

import "sync"

// emitter is an unbounded queue in front of one channel, so that no stream
// ever waits for a slow consumer. Its goroutine ends after close once the queue
// has been read, or at once when the consumer is gone.
type emitter struct {
	mu     sync.Mutex
	queue  []Event
	wake   chan struct{}
	out    chan Event
	quit   chan struct{}
	closed bool
	done   chan struct{}
}

func newEmitter() *emitter {
	e := &emitter{
		wake: make(chan struct{}, 1),
		out:  make(chan Event, 64),
		quit: make(chan struct{}),
		done: make(chan struct{}),
	}
	go e.pump()
	return e
}

func (e *emitter) put(ev Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.queue = append(e.queue, ev)
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

func (e *emitter) pump() {
	defer close(e.done)
	defer close(e.out)
	for {
		e.mu.Lock()
		batch, closed := e.queue, e.closed
		e.queue = nil
		e.mu.Unlock()
		for _, ev := range batch {
			select {
			case e.out <- ev:
			case <-e.quit:
				return
			}
		}
		if closed && len(batch) == 0 {
			return
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-e.wake:
		case <-e.quit:
			return
		}
	}
}

// close ends the queue; what the consumer has not taken is dropped.
func (e *emitter) close() {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return
	}
	e.closed = true
	e.mu.Unlock()
	close(e.quit)
	<-e.done
}
