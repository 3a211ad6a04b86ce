package endpoint

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"herarena/arena"
)

// restAfterFailure is how long a replica that failed is asked last.
const restAfterFailure = 30 * time.Second

// replicas are the servers behind one endpoint: the same models at several
// addresses. A session stays with one of them, so that its prompt's prefix stays
// in that server's cache, and moves only when the server fails.
type replicas struct {
	bases []string

	mu   sync.Mutex
	down map[string]time.Time // when a replica last failed
}

func newReplicas(bases []string) *replicas {
	return &replicas{bases: bases, down: map[string]time.Time{}}
}

// order returns the replicas as a session prefers them, by rendezvous hashing:
// each gets the score hash(address, session) and the highest goes first (Thaler
// and Ravishankar, "Using name-based mappings to increase hit rates", 1998).
// When a replica goes, only its own sessions move, and they spread evenly.
// Those that failed within the last half minute come last.
func (r *replicas) order(session string) []string {
	if len(r.bases) == 1 {
		return r.bases
	}
	score := func(base string) uint64 {
		sum := sha256.Sum256([]byte(base + "\x00" + session))
		return binary.BigEndian.Uint64(sum[:8])
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	resting := func(base string) int {
		if at, ok := r.down[base]; ok && time.Since(at) < restAfterFailure {
			return 1
		}
		return 0
	}
	order := slices.Clone(r.bases)
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(resting(a), resting(b)), cmp.Compare(score(b), score(a)))
	})
	return order
}

// failed notes that a replica could not serve a request, answered that it could.
func (r *replicas) failed(base string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down[base] = time.Now()
}

func (r *replicas) answered(base string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.down, base)
}

// worthMoving reports whether another replica may do better with a request that
// got no text.
func worthMoving(f *arena.Fault) bool {
	switch f.Kind {
	case arena.Unreachable, arena.Overloaded, arena.Loading, arena.ServerFault, arena.CutOff, arena.Stalled:
		return true
	}
	return false
}

// rebase moves an address of one base to another.
func rebase(u *url.URL, from, to string) (*url.URL, error) {
	base, err := url.Parse(to)
	if err != nil {
		return nil, err
	}
	old, err := url.Parse(from)
	if err != nil {
		return nil, err
	}
	moved := *u
	moved.Scheme, moved.Host = base.Scheme, base.Host
	moved.Path = base.Path + strings.TrimPrefix(u.Path, old.Path)
	return &moved, nil
}

// hostOf is the host and port of a base address.
func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return u.Host
}
