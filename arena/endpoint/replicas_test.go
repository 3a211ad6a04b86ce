package endpoint

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"herarena/arena"
)

func TestRendezvousHashing(t *testing.T) {
	bases := []string{"http://a/v1", "http://b/v1", "http://c/v1", "http://d/v1"}
	all, fewer := newReplicas(bases), newReplicas(bases[:3])
	count := map[string]int{}
	for i := range 4000 {
		session := fmt.Sprintf("duel-%d", i)
		order := all.order(session)
		if !slices.Equal(order, all.order(session)) {
			t.Fatal("the order of a session changes")
		}
		count[order[0]]++
		// Without d, only d's sessions move, each to the one it liked second.
		want := slices.DeleteFunc(slices.Clone(order), func(b string) bool { return b == "http://d/v1" })
		if got := fewer.order(session); !slices.Equal(got, want) {
			t.Fatalf("%s: %v without d, %v with it", session, got, order)
		}
	}
	for base, n := range count {
		if n < 850 || n > 1150 {
			t.Errorf("%s has %d of 4000 sessions, want about 1000", base, n)
		}
	}
}

func TestADuelStaysWithItsReplicaAndMovesWhenItFails(t *testing.T) {
	var sick atomic.Int64 // index of the replica that fails, -1 for none
	sick.Store(-1)
	var servers []*rawServer
	for i := range 3 {
		servers = append(servers, newRawServer(t, func(int, *http.Request, []byte) answerer {
			if int(sick.Load()) == i {
				return status(503, `{"error":{"message":"engine died"}}`)
			}
			return stream(fmt.Sprint("from ", i))
		}))
	}
	cfg := Config{BaseURL: servers[0].url(), Key: "sk-replicated", Retries: -1}
	for _, s := range servers[1:] {
		cfg.Replicas = append(cfg.Replicas, strings.TrimSuffix(s.url(), "/v1")) // put right like any address
	}
	c := newClient(t, cfg)
	call := hello()
	used := map[string]bool{}
	for i := range 12 {
		call.Session = fmt.Sprint("duel", i)
		first := play(t, c, "m", call)
		used[first.Content] = true
		for range 3 {
			if again := play(t, c, "m", call); again.Content != first.Content || len(again.retries) != 0 {
				t.Fatalf("%s: first %q, then %q", call.Session, first.Content, again.Content)
			}
		}
	}
	if len(used) != 3 {
		t.Errorf("12 duels went to %v only", used)
	}
	for _, s := range servers {
		if got := s.seen()[0]; got.header.Get("Authorization") != "Bearer sk-replicated" || got.path != "POST /v1/chat/completions" || got.body["model"] != "m" {
			t.Errorf("request %+v", got)
		}
	}

	home := play(t, c, "m", call).Content
	var n int64
	_, _ = fmt.Sscanf(home, "from %d", &n)
	sick.Store(n)
	moved := play(t, c, "m", call)
	if moved.Fault != nil || moved.Content == home || len(moved.retries) != 1 || moved.retries[0].Wait != 0 ||
		!strings.Contains(moved.retries[0].Fault.Message, "engine died") || !strings.Contains(moved.retries[0].Fault.Hint, "asked again at 127.0.0.1:") {
		t.Fatalf("home %q, moved to %q, retries %+v, fault %v", home, moved.Content, moved.retries, moved.Fault)
	}
	if again := play(t, c, "m", call); again.Content != moved.Content || len(again.retries) != 0 {
		t.Errorf("a replica that has just failed is asked first: %+v", again)
	}
	// When it has rested it is asked again.
	sick.Store(-1)
	c.replicas.mu.Lock()
	for base := range c.replicas.down {
		c.replicas.down[base] = time.Now().Add(-restAfterFailure)
	}
	c.replicas.mu.Unlock()
	if back := play(t, c, "m", call); back.Content != home {
		t.Errorf("the duel does not come home: %q", back.Content)
	}
}

func TestDeadReplicasAreLeftAndNamed(t *testing.T) {
	alive := newRawServer(t, always(stream("ok")))
	dead := newRawServer(t, always(stream("")))
	dead.listener.Close()
	c := newClient(t, Config{BaseURL: dead.url(), Replicas: []string{alive.url()}, Retries: -1})
	for i := range 8 {
		call := hello()
		call.Session = fmt.Sprint(i)
		if out := play(t, c, "m", call); out.Content != "ok" {
			t.Fatalf("fault %v", out.Fault)
		}
	}
	alive.listener.Close()
	out := play(t, c, "m", hello())
	if out.Fault == nil || out.Fault.Kind != arena.Unreachable || !strings.Contains(out.Fault.Message, "127.0.0.1:") {
		t.Errorf("fault %v", out.Fault)
	}
}

func TestBadReplicas(t *testing.T) {
	for _, address := range []string{"", "ftp://x", "http://user:secretword@h/v1"} {
		_, err := New(Config{BaseURL: "http://h", Replicas: []string{address}})
		if err == nil || strings.Contains(err.Error(), "secretword") {
			t.Errorf("%q: error %v", address, err)
		}
	}
	c, err := New(Config{BaseURL: "h:1", Replicas: []string{"http://h:1/v1", "h:2", "http://h:2/v1/"}})
	if err != nil || len(c.replicas.bases) != 2 {
		t.Errorf("replicas %v, %v", c.replicas.bases, err)
	}
}

// TestOtherPathsOfReplicas has one server at /v1 and one at /api/v1.
func TestOtherPathsOfReplicas(t *testing.T) {
	a, b := newRawServer(t, always(stream("a"))), newRawServer(t, always(stream("b")))
	c := newClient(t, Config{BaseURL: a.url(), Replicas: []string{strings.Replace(b.url(), "/v1", "/api/v1", 1)}})
	for i := range 10 {
		call := hello()
		call.Session = fmt.Sprint(i)
		play(t, c, "m", call)
	}
	for _, r := range b.seen() {
		if r.path != "POST /api/v1/chat/completions" {
			t.Errorf("path %s", r.path)
		}
	}
	if len(a.seen()) == 0 || len(b.seen()) == 0 {
		t.Errorf("%d and %d requests", len(a.seen()), len(b.seen()))
	}
}
