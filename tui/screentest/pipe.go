package screentest

import (
	"io"
	"sync"
)

// pipe is a pipe with room for everything, so that a key press never waits for
// a busy program.
type pipe struct {
	mu     sync.Mutex
	filled *sync.Cond
	buf    []byte
	closed bool
}

func newPipe() *pipe {
	p := &pipe{}
	p.filled = sync.NewCond(&p.mu)
	return p
}

// Write adds bytes; after Close they are dropped.
func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, io.ErrClosedPipe
	}
	p.buf = append(p.buf, b...)
	p.filled.Signal()
	return len(b), nil
}

// Read waits for bytes.
func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.buf) == 0 && !p.closed {
		p.filled.Wait()
	}
	if len(p.buf) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.buf)
	p.buf = p.buf[n:]
	return n, nil
}

// Close ends the reader once it has read what is left.
func (p *pipe) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.filled.Broadcast()
}
