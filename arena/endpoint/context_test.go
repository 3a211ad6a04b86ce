package endpoint_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"herarena/arena/endpoint"
)

// TestContextLengthIsLearned asks servers of several kinds how long a model's
// context is.
func TestContextLengthIsLearned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pages map[string]string
		want  int
	}{
		"vllm":           {map[string]string{"/v1/models": `{"object":"list","data":[{"id":"m","owned_by":"vllm","max_model_len":8192}]}`}, 8192},
		"llama.cpp":      {map[string]string{"/v1/models": `{"object":"list","data":[{"id":"m","owned_by":"llamacpp","meta":{"n_ctx_train":131072}}]}`, "/props": `{"default_generation_settings":{"n_ctx":4096}}`}, 4096},
		"tgi":            {map[string]string{"/v1/models": `{"object":"list","data":[{"id":"m"}]}`, "/info": `{"max_total_tokens":2048}`}, 2048},
		"says nothing":   {map[string]string{"/v1/models": `{"object":"list","data":[{"id":"m"}]}`}, 0},
		"another model":  {map[string]string{"/v1/models": `{"object":"list","data":[{"id":"x","max_model_len":8192}]}`}, 0},
		"nothing at all": {nil, 0},
		"nonsense":       {map[string]string{"/v1/models": `{"data":[{"id":"m","max_model_len":"long"}]}`, "/props": `[1]`, "/info": `{"max_total_tokens":-5}`}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				body, ok := c.pages[r.URL.Path]
				if !ok {
					http.NotFound(w, r)
					return
				}
				_, _ = w.Write([]byte(body))
			}))
			defer s.Close()
			client, err := endpoint.New(endpoint.Config{Name: "s", BaseURL: s.URL + "/v1"})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			p := client.Player("m")
			if got := p.ContextLength(t.Context()); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
			before := asked.Load()
			if got := p.ContextLength(t.Context()); got != c.want || c.want > 0 && asked.Load() != before {
				t.Errorf("the second time it is %d after %d requests", got, asked.Load()-before)
			}
		})
	}
}

func TestContextLengthDoesNotHoldADuelUp(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer s.Close()
	client, err := endpoint.New(endpoint.Config{Name: "s", BaseURL: s.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if got := client.Player("m").ContextLength(ctx); got != 0 || time.Since(began) > 2*time.Second {
		t.Errorf("a silent server has a context of %d after %v", got, time.Since(began))
	}
}
