package endpoint

import (
	"context"
	"crypto/rand"
	"maps"
	"net/http"

	"herarena/arena"
)

// Auth is what a server wants for a key, in words.
type Auth string

// The findings on keys.
const (
	AuthUnknown Auth = "unknown"
	// AuthNone: the server answers without a key.
	AuthNone Auth = "none needed"
	// AuthNeeded: the server refuses to answer without a key, and none is
	// configured.
	AuthNeeded Auth = "key needed"
	// AuthAccepted: the configured key is taken and a wrong one is not.
	AuthAccepted Auth = "key accepted"
	// AuthRefused: the configured key is not taken.
	AuthRefused Auth = "key refused"
	// AuthAny: a wrong key is taken as well as the configured one.
	AuthAny Auth = "any key accepted"
)

// keyHeaders are the headers besides Key in which a configuration may hold one.
func keyHeaders() []string { return []string{"Authorization", "Api-Key", "X-Api-Key"} }

// keyed reports whether requests carry a key.
func (c *Client) keyed() bool {
	if c.cfg.Key != "" {
		return true
	}
	for _, name := range keyHeaders() {
		if c.cfg.Headers[name] != "" {
			return true
		}
	}
	return false
}

// refusedAuth is what a status of refusal says of the key. 402 is about money,
// and 407 about the key of a proxy.
func (p *probe) refusedAuth(status int) Auth {
	switch {
	case status == http.StatusPaymentRequired, status == http.StatusProxyAuthRequired:
		return AuthUnknown
	case p.c.keyed():
		return AuthRefused
	}
	return AuthNeeded
}

// auth finds out what becomes of keys. A wrong key is sent only where a right
// one is configured and works, and the right one only where it always goes.
func (p *probe) auth(ctx context.Context) {
	r := p.r
	switch {
	case r.Chat == No && r.Fault.Kind == arena.Unauthorised:
		r.Auth = p.refusedAuth(r.Fault.Status)
	case ctx.Err() != nil || p.list != nil && r.Chat != Yes:
	case !p.c.keyed():
		// Where a chat failed, a list that is open to all says nothing.
		if r.Chat != No {
			r.Auth = AuthNone
		}
	default:
		r.Auth = p.wrongKey(ctx)
	}
}

// wrongKey sends a key that cannot be right: first for the model list, and where
// that is open to everybody, for a reply of one token if replies can be had.
func (p *probe) wrongKey(ctx context.Context) Auth {
	wrong := "wrong-" + rand.Text()
	cfg := p.c.cfg
	cfg.Replicas, cfg.Headers = nil, maps.Clone(cfg.Headers)
	if cfg.Key != "" {
		cfg.Key = wrong
	}
	for _, name := range keyHeaders() {
		if cfg.Headers[name] != "" {
			cfg.Headers[name] = "Bearer " + wrong
		}
	}
	thief, err := New(cfg)
	if err != nil {
		return AuthUnknown
	}
	defer thief.Close()
	thief.secrets = p.c.secrets
	thief.noteKind(p.c.knownKind())
	_, fault := thief.listModels(ctx)
	if fault == nil && p.r.Chat != Yes {
		return AuthUnknown // the list is open, and nothing else could be tried
	}
	if fault == nil {
		out, _, _, _ := thief.ask(ctx, p.r.Model, arena.Call{
			Messages: []arena.Message{{Role: "user", Content: "Say yes."}}, Sampling: probeSampling(1),
		})
		fault = out.Fault
	}
	switch {
	case fault == nil:
		p.note("any key is accepted: whoever reaches the server can use it")
		return AuthAny
	case fault.Kind == arena.Unauthorised:
		return AuthAccepted
	}
	return AuthUnknown
}
