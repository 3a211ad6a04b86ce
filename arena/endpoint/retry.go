package endpoint

import (
	"context"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"time"

	"herarena/arena"
)

const (
	// maxWait is the longest wait a server can ask for; beyond it the request
	// fails and the fault says when to come back.
	maxWait = 2 * time.Minute
	// backoffOverload and backoffLoading are the first waits; they double.
	backoffOverload = 500 * time.Millisecond
	backoffLoading  = 2 * time.Second
)

// worthRetrying reports whether the same request may succeed a little later. It
// is asked only while no text has come.
func worthRetrying(f *arena.Fault, ex *exchange) bool {
	switch f.Kind {
	case arena.Overloaded:
		return f.Wait <= maxWait && !says(strings.ToLower(f.Message), textsQuota)
	case arena.Loading:
		return f.Wait <= maxWait
	case arena.ServerFault, arena.CutOff:
		return true
	case arena.Unreachable:
		return ex.transient
	}
	return false
}

// loopback reports whether the server of an address runs on this machine.
func loopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// backoff is the wait before try n (from 0): what the server asked for, never
// less, or a doubling one; with jitter, so that a crowd does not return at once.
func backoff(f *arena.Fault, n int) time.Duration {
	if f.Wait > 0 {
		return f.Wait + time.Duration(rand.Int64N(int64(f.Wait/10)+1))
	}
	first := backoffOverload
	if f.Kind == arena.Loading {
		first = backoffLoading
	}
	d := min(first<<min(n, 16), maxWait)
	return d/2 + time.Duration(rand.Int64N(int64(d/2)+1))
}

// sleep waits for d and reports whether ctx is still alive then.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return ctx.Err() == nil
	}
}
