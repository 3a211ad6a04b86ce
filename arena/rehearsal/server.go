// Package rehearsal is the embedded default of the arena: a small
// OpenAI-compatible server inside the process, with two scripted players who
// answer whatever is typed, and room for a critic made of code.
//
// It speaks real HTTP on loopback and real server-sent events, so that a duel
// with nothing configured takes the very path that a duel against GPU
// endpoints takes. The server keeps no state: a reply follows from the
// messages of its request (and its seed) alone. What the players say stands in
// scripts/*.toml; the code only chooses.
package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Model ids of the rehearsal server.
const (
	// LeadModel speaks in HER's four layers and follows the arc of a scene.
	LeadModel = "rehearsal/lead"
	// UnderstudyModel speaks plainly, and now and then makes a mistake that
	// the house critic can prove.
	UnderstudyModel = "rehearsal/understudy"
	// CriticModel streams what Options.Critic returns. It is offered only
	// where a critic was handed in.
	CriticModel = "house-critic"
)

// CriticFunc answers the user prompt of a critic's request with the full text
// of the critic's output. It may be called from several goroutines at once.
type CriticFunc func(prompt string) string

// Options are the settings of a rehearsal server. The zero value works: natural
// pace, no critic.
type Options struct {
	// Pace is the speed of each player in tokens per second; the critic writes
	// four times as fast. Zero is the natural pace: about 45 for the lead and
	// 35 for the understudy, a breath before the first token and small pauses
	// at punctuation. A negative pace sends everything at once.
	Pace float64
	// Critic is the voice of CriticModel; nil leaves that model out.
	Critic CriticFunc
}

const (
	maxBody     = 8 << 20 // bytes of a request
	maxHeader   = 64 << 10
	maxContext  = 131072 // tokens, as /v1/models tells
	writeWithin = 30 * time.Second
)

// Server is a running rehearsal server. It listens on a free port of
// 127.0.0.1 from Start until Close.
type Server struct {
	opts    Options
	house   *house
	url     string
	http    *http.Server
	cancel  context.CancelFunc
	serving sync.WaitGroup
	busy    sync.WaitGroup
	mu      sync.Mutex
	closed  bool
}

// Start opens the server. The caller owns it and must Close it; the goroutines
// it starts end with Close.
func Start(o Options) (*Server, error) {
	h, err := loadHouse()
	if err != nil {
		return nil, fmt.Errorf("rehearsal: reading the players' scripts: %w", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("rehearsal: opening a port on 127.0.0.1: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{opts: o, house: h, url: "http://" + l.Addr().String() + "/v1", cancel: cancel}
	s.http = &http.Server{
		Handler:           s.guard(s.routes()),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeader,
	}
	s.serving.Go(func() {
		// Serve returns ErrServerClosed after Close; any other end shows
		// itself to clients as a refused connection.
		_ = s.http.Serve(l)
	})
	return s, nil
}

// URL returns the base URL of the server, ending in /v1.
func (s *Server) URL() string { return s.url }

// Close stops the server: running replies are cut off, and all its goroutines
// have ended when it returns. Closing twice is harmless.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	err := s.http.Close()
	s.serving.Wait()
	s.busy.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/chat/completions", s.only(http.MethodPost, s.chat))
	mux.HandleFunc("/v1/completions", s.only(http.MethodPost, s.completions))
	mux.HandleFunc("/v1/models", s.only(http.MethodGet, s.models))
	mux.HandleFunc("/v1/models/", s.only(http.MethodGet, s.model))
	mux.HandleFunc("/health", s.only(http.MethodGet, func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, notFound(fmt.Sprintf("There is no %s here; the paths are /v1/chat/completions, /v1/completions, /v1/models and /health.", r.URL.Path)))
	})
	return mux
}

func (s *Server) only(method string, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method && (method != http.MethodGet || r.Method != http.MethodHead) {
			w.Header().Set("Allow", method)
			writeError(w, &apiError{
				status: http.StatusMethodNotAllowed, Type: "invalid_request_error", Code: "method_not_allowed",
				Message: fmt.Sprintf("%s takes %s, not %s.", r.URL.Path, method, r.Method),
			})
			return
		}
		h(w, r)
	}
}

// guard counts running requests so that Close can wait for them, and turns a
// panic (of a critic handed in, say) into an error the client can read.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			return
		}
		s.busy.Add(1)
		s.mu.Unlock()
		defer s.busy.Done()
		defer func() {
			if v := recover(); v != nil {
				writeError(w, &apiError{
					status: http.StatusInternalServerError, Type: "server_error", Code: "internal_error",
					Message: fmt.Sprintf("The rehearsal server failed: %v. Please try again.", v),
				})
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// modelIDs lists what the server offers, in the order of /v1/models.
func (s *Server) modelIDs() []string {
	ids := []string{LeadModel, UnderstudyModel}
	if s.opts.Critic != nil {
		ids = append(ids, CriticModel)
	}
	return ids
}

func (s *Server) has(model string) bool {
	for _, id := range s.modelIDs() {
		if id == model {
			return true
		}
	}
	return false
}
