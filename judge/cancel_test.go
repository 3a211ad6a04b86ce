package judge_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/judge"
	"herarena/judge/house"
)

// cancelGuard is how late a cancel may be seen at most: far above what is
// measured, below every timer that would end a request by itself.
const cancelGuard = 2 * time.Second

// bench is a server on which verdicts are written and never finished.
type bench struct {
	url   string
	began chan string    // the prompt of each request
	seen  chan time.Time // one for each connection the client closed
}

// newBench answers each request with what say returns for its prompt, then holds
// the connection open.
func newBench(t *testing.T, say func(prompt string) string) *bench {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{url: "http://" + l.Addr().String() + "/v1", began: make(chan string, 64), seen: make(chan time.Time, 64)}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { b.serve(conn, say) })
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return b
}

func (b *bench) serve(conn net.Conn, say func(string) string) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	req, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	var body struct{ Messages []arena.Message }
	raw, _ := io.ReadAll(req.Body)
	if json.Unmarshal(raw, &body) != nil || len(body.Messages) == 0 {
		return
	}
	prompt := body.Messages[0].Content
	if text := say(prompt); text != "" {
		delta, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": map[string]any{"content": text}}}})
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: %s\n\n", delta)
	}
	b.began <- prompt
	_, _ = io.Copy(io.Discard, in)
	b.seen <- time.Now()
}

// TestCancelOfARulingIsSeenInBothOrders stops a ruling while both of its orders
// are being answered, and while one is answered and one waits for its first
// byte.
func TestCancelOfARulingIsSeenInBothOrders(t *testing.T) {
	whole := house.Text(pair)
	half := whole[:len(whole)/2]
	first := func(prompt string) bool {
		return strings.Index(prompt, pair.Cand1) < strings.Index(prompt, pair.Cand2)
	}
	for name, say := range map[string]func(string) string{
		"both waiting for headers": func(string) string { return "" },
		"both in the middle":       func(string) string { return half },
		"A first in the middle, B first waiting": func(prompt string) string {
			if first(prompt) {
				return half
			}
			return ""
		},
		"B first in the middle, A first waiting": func(prompt string) string {
			if first(prompt) {
				return ""
			}
			return half
		},
	} {
		for _, retry := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, retry %v", name, retry), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, say)
				c, err := endpoint.New(endpoint.Config{BaseURL: b.url, Kind: endpoint.KindOther})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(c.Close)
				critic := judge.NewRewardModel(judge.Options{Model: "m", Player: c.Player("m"), RetryParse: retry})
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				at := make(chan time.Time, 1)
				orders := map[bool]int{}
				go func() {
					orders[first(<-b.began)]++
					orders[first(<-b.began)]++
					time.Sleep(20 * time.Millisecond) // the client has read what came
					at <- time.Now()
					cancel()
				}()
				ruling := arena.Deliberate(ctx, critic, pair, nil)
				back, when := time.Now(), <-at
				var seen time.Duration
				for i := range 2 {
					select {
					case s := <-b.seen:
						seen = max(seen, s.Sub(when))
					case <-time.After(cancelGuard):
						t.Fatalf("%d of 2 requests were given up within %s", i, cancelGuard)
					}
				}
				t.Logf("the ruling returned after %s, the server saw both closed after %s", back.Sub(when), seen)
				if back.Sub(when) > cancelGuard {
					t.Errorf("the ruling returned only after %s", back.Sub(when))
				}
				if orders[true] != 1 || orders[false] != 1 {
					t.Errorf("orders asked: %v", orders)
				}
				if ruling.Agreement != arena.NoVerdict || ruling.Winner != arena.NoChoice || len(ruling.Outcomes()) != 0 {
					t.Errorf("a stopped ruling counts: %q, winner %v", ruling.Agreement, ruling.Winner)
				}
				for order, v := range ruling.Verdicts {
					if v.Fault == nil || v.Fault.Kind != arena.Cancelled || v.Better != arena.NoChoice || v.Phase != arena.PhaseDone {
						t.Errorf("order %d: fault %v, better %v, phase %v", order, v.Fault, v.Better, v.Phase)
					}
				}
				select {
				case <-b.began:
					t.Error("a stopped verdict was asked for again")
				default:
				}
			})
		}
	}
}
