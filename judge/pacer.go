package judge

import (
	"sync"
	"time"

	"herarena/arena"
)

// pacer lets a snapshot through at most once a frame. What comes sooner is not
// lost: a timer shows the newest at the end of the frame, so that a critic who
// pauses is seen as far as it has written.
type pacer struct {
	on func(arena.Verdict)

	mu    sync.Mutex
	shown time.Time
	make  func() arena.Verdict // the newest snapshot not yet shown
	timer *time.Timer
	done  bool
}

func newPacer(on func(arena.Verdict)) *pacer {
	if on == nil {
		on = func(arena.Verdict) {}
	}
	return &pacer{on: on}
}

// guard runs what changes the state that snapshots are made of.
func (p *pacer) guard(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// offer says that there is something new to show.
func (p *pacer) offer(snapshot func() arena.Verdict) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	p.make = snapshot
	wait := frame - time.Since(p.shown)
	if wait <= 0 {
		p.show()
		return
	}
	if p.timer == nil {
		p.timer = time.AfterFunc(wait, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.timer = nil
			if p.make != nil && !p.done {
				p.show()
			}
		})
	}
}

// show hands out the newest snapshot; the lock is held, which is what keeps
// calls of on apart.
func (p *pacer) show() {
	v := p.make()
	p.make = nil
	p.shown = time.Now()
	p.on(v)
}

// settle drops what has not been shown: the request has ended and its final
// verdict follows.
func (p *pacer) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.make = nil
}

// last shows the final verdict at once and ends the pacing.
func (p *pacer) last(v arena.Verdict) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.done {
		p.done = true
		p.on(v)
	}
}

// stop ends the pacing. After it on is not called any more.
func (p *pacer) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.make = true, nil
	if p.timer != nil {
		p.timer.Stop()
	}
}
