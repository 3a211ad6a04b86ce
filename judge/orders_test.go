package judge_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/judge"
)

// labelServer is a model server whose critic always names what stands first,
// with token probabilities: p for the first place.
func labelServer(t *testing.T, p float64, odds bool) (*endpoint.Client, *atomic.Int64) {
	t.Helper()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "text/event-stream")
		tokens := []string{`{"result":[{"better_response": "`, "cand", "_", "1", `"}]}`}
		for _, tok := range tokens {
			logprobs := "null"
			if odds {
				logprobs = fmt.Sprintf(`{"content":[{"token":%q,"logprob":0,"top_logprobs":[{"token":%q,"logprob":0}]}]}`, tok, tok)
				if tok == "1" {
					logprobs = fmt.Sprintf(`{"content":[{"token":"1","logprob":%v,"top_logprobs":[{"token":"1","logprob":%v},{"token":"2","logprob":%v}]}]}`,
						math.Log(p), math.Log(p), math.Log(1-p))
				}
			}
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"logprobs\":%s}]}\n\n", tok, logprobs)
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	c, err := endpoint.New(endpoint.Config{BaseURL: s.URL, Kind: endpoint.KindVLLM})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, &asked
}

func TestLabelOddsComeFromTheTokens(t *testing.T) {
	c, _ := labelServer(t, 0.8, true)
	r := arena.Deliberate(context.Background(), judge.NewRewardModel(judge.Options{Player: c.Player("rm")}), pair, nil)
	for order, v := range r.Verdicts {
		if v.Label == nil || math.Abs(v.Label.First-0.8) > 1e-9 || math.Abs(v.Label.Second-0.2) > 1e-9 {
			t.Errorf("order %d: label %+v, status %s, fault %v", order, v.Label, v.Status, v.Fault)
		}
	}
	// It prefers the first place and nothing else: the estimate knows no winner.
	if p, debiased, ok := r.Estimate(); !ok || !debiased || math.Abs(p-0.5) > 1e-9 || r.Agreement != arena.Flip {
		t.Errorf("p %v, debiased %v, %s", p, debiased, r.Agreement)
	}
}

func TestNoOddsWhereTheServerGivesNone(t *testing.T) {
	c, _ := labelServer(t, 0.8, false)
	v := judge.NewRewardModel(judge.Options{Player: c.Player("rm")}).Judge(context.Background(), pair, nil)
	if v.Label != nil || v.Better != arena.First {
		t.Errorf("label %+v, better %q", v.Label, v.Better)
	}
}

func TestTheSecondOrderByPolicy(t *testing.T) {
	for _, tt := range []struct {
		policy arena.OrderPolicy
		p      float64
		asked  int64
		want   arena.Agreement
	}{
		{arena.OrdersAlways, 0.95, 2, arena.Flip},
		{arena.OrdersNever, 0.55, 1, arena.OneOrder},
		{arena.OrdersClose, 0.95, 1, arena.OneOrder},
		{arena.OrdersClose, 0.6, 2, arena.Flip},
	} {
		c, asked := labelServer(t, tt.p, true)
		critic := judge.NewRewardModel(judge.Options{Player: c.Player("rm"), Orders: tt.policy})
		r := arena.Deliberate(context.Background(), critic, pair, nil)
		if asked.Load() != tt.asked || r.Agreement != tt.want || r.Orders != tt.policy {
			t.Errorf("%s at %v: %d asked, %s by policy %q", tt.policy, tt.p, asked.Load(), r.Agreement, r.Orders)
		}
	}
}

func TestAServerThatRefusesTokenOddsIsAskedWithout(t *testing.T) {
	var bodies []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b strings.Builder
		buf := make([]byte, 1<<16)
		for {
			n, err := r.Body.Read(buf)
			b.Write(buf[:n])
			if err != nil {
				break
			}
		}
		bodies = append(bodies, b.String())
		if strings.Contains(b.String(), "logprobs") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"logprobs is not supported by this model"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", `{"better_response":"cand_2"}`)
	}))
	defer s.Close()
	c, err := endpoint.New(endpoint.Config{BaseURL: s.URL, Kind: endpoint.KindOther})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	critic := judge.NewRewardModel(judge.Options{Player: c.Player("rm")})
	for range 2 {
		if v := critic.Judge(context.Background(), pair, nil); v.Better != arena.Second || v.Fault != nil {
			t.Errorf("better %q, fault %v", v.Better, v.Fault)
		}
	}
	if len(bodies) != 3 {
		t.Errorf("%d requests, want 3: the refusal is remembered", len(bodies))
	}
}
