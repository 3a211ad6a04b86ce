package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"herarena/arena"
)

// Ability is what a probe found out about one thing a server may be able to do.
type Ability string

// The findings of a probe.
const (
	Unknown Ability = "unknown"
	Yes     Ability = "yes"
	No      Ability = "no"
	// Echoed is said of a prefill that is continued and repeated.
	Echoed Ability = "echoed"
	// Ignored is said of what the server accepts without any effect.
	Ignored Ability = "ignored"
	// Refused is said of what the server answers with an error.
	Refused Ability = "refused"
)

// Report is what a server said of itself and showed when asked.
type Report struct {
	Name    string `json:"name"`
	BaseURL string `json:"base_url"`
	// Kind is the sort of server, as far as can be told.
	Kind    string  `json:"kind"`
	Version string  `json:"version,omitempty"`
	Models  []Model `json:"models"`
	// Model is the one that was asked; empty where none could be.
	Model string `json:"model,omitempty"`
	// ContextLength is the length in use in tokens, 0 where unknown.
	ContextLength int `json:"context_length,omitempty"`
	// Slots is how many replies the server makes at once, 0 where unknown.
	Slots int `json:"slots,omitempty"`

	Chat    Ability `json:"chat"`
	Prefill Ability `json:"prefill"`
	// Schema says whether output is held to a JSON schema.
	Schema Ability `json:"json_schema"`
	Usage  Ability `json:"usage"`
	// Reasoning is the field in which reasoning came, "" where none came.
	Reasoning string        `json:"reasoning,omitempty"`
	FirstByte time.Duration `json:"first_byte_ns"`
	// Fault is why the server, or its chat, does not work; nil where it does.
	Fault *arena.Fault `json:"fault,omitempty"`
	// Notes are sentences on what was noticed.
	Notes []string `json:"notes,omitempty"`
}

// Probe asks a server what it is and what it can do: its model list and pages
// about itself, then three short replies of one model. It may make the server
// load that model. ctx bounds it all; each reply takes 30 s at most.
func (c *Client) Probe(ctx context.Context) Report { return c.ProbeModel(ctx, "") }

// ProbeModel is Probe with a model of choice; "" takes the first one listed.
func (c *Client) ProbeModel(ctx context.Context, model string) Report {
	r := Report{
		Name: c.cfg.Name, BaseURL: c.cfg.BaseURL, Kind: KindOther, Model: model,
		Chat: Unknown, Prefill: Unknown, Schema: Unknown, Usage: Unknown, Models: []Model{},
	}
	models, fault := c.listModels(ctx)
	if fault != nil && (fault.Kind == arena.Unreachable || fault.Kind == arena.Unauthorised || fault.Kind == arena.Cancelled || fault.Kind == arena.Stalled) {
		r.Fault = fault
		return r
	}
	if fault != nil {
		r.Notes = append(r.Notes, "the model list cannot be had: "+fault.Error())
		if elsewhere := c.listedAt(ctx); elsewhere != "" {
			r.Notes = append(r.Notes, "there is a model list at "+elsewhere+"; put that address into the configuration")
		}
	}
	r.Models = append(r.Models, models...)
	c.pages(ctx, &r)
	r.Kind = firstOf(c.knownKind(), KindOther)
	if r.Model == "" && len(models) > 0 {
		r.Model = models[0].ID
	}
	for _, m := range models {
		if m.ID == r.Model && r.ContextLength == 0 {
			r.ContextLength = m.ContextLength
		}
	}
	if r.Model == "" {
		r.Fault = fault
		if fault == nil {
			r.Notes = append(r.Notes, "the server lists no models; nothing could be asked")
		}
		return r
	}
	c.tryChat(ctx, &r)
	if r.Chat == Yes {
		c.tryPrefill(ctx, &r)
		c.trySchema(ctx, &r)
	}
	return r
}

// listedAt looks for the API where it usually is, when it is not where the
// address says; "" where it is not there either.
func (c *Client) listedAt(ctx context.Context) string {
	for _, base := range []string{c.cfg.BaseURL + "/v1", c.root() + "/v1"} {
		if a := c.get(ctx, base+"/models"); a.fault == nil && base != c.cfg.BaseURL {
			if _, _, ok := readModels(a.body); ok {
				return base
			}
		}
	}
	return ""
}

// pages reads what servers say of themselves beside the API.
func (c *Client) pages(ctx context.Context, r *Report) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	paths := []string{"/props", "/version", "/api/version", "/info", "/get_model_info"}
	fields := make([]map[string]json.RawMessage, len(paths))
	var wg sync.WaitGroup
	for i, path := range paths {
		wg.Go(func() {
			if a := c.get(ctx, c.root()+path); a.fault == nil {
				fields[i] = object(a.body)
			}
		})
	}
	wg.Wait()
	props, version, ollama, info, sglang := fields[0], fields[1], fields[2], fields[3], fields[4]
	switch {
	case props["default_generation_settings"] != nil:
		c.noteKind(KindLlamaCpp)
		r.Slots = whole(props["total_slots"])
		r.ContextLength = whole(object(props["default_generation_settings"])["n_ctx"])
		r.Version = word(props["build_info"])
	case info["max_total_tokens"] != nil || info["max_input_tokens"] != nil:
		c.noteKind(KindTGI)
		r.ContextLength = max(whole(info["max_total_tokens"]), whole(info["max_input_tokens"]))
		r.Slots = whole(info["max_concurrent_requests"])
		r.Version = word(info["version"])
	case sglang["model_path"] != nil:
		c.noteKind(KindSGLang)
	case ollama["version"] != nil:
		c.noteKind(KindOllama)
		r.Version = word(ollama["version"])
	case version["version"] != nil:
		r.Version = word(version["version"])
	}
	r.Version = c.clean(r.Version)
}

func whole(raw json.RawMessage) int {
	n, _, _ := (&cursor{b: raw}).number()
	return clampInt(n)
}

// ask lets the model write a short reply, without retries.
func (c *Client) ask(ctx context.Context, model string, call arena.Call) (arena.Outcome, *exchange, *reading, quirks) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	p := c.Player(model)
	q := c.quirksOf(model)
	for range maxAdaptions {
		r := &reading{on: func(arena.Chunk) {}, start: time.Now()}
		out, ex := p.attempt(ctx, call, q, r)
		next, _, ok := quirks{}, "", false
		if out.Fault != nil && !ex.spoke {
			next, _, ok = q.adapt(out.Fault, call, c.wayOf(q))
		}
		if !ok {
			if out.Fault == nil {
				c.remember(model, q)
			}
			return out, ex, r, q
		}
		q = next
	}
	return arena.Outcome{Fault: &arena.Fault{Kind: arena.BadRequest, Message: c.cfg.Name + " refuses every form of the request"}}, &exchange{}, &reading{}, q
}

func probeSampling(tokens int) arena.Sampling {
	zero := 0.0
	return arena.Sampling{Temperature: &zero, MaxTokens: tokens}
}

func (c *Client) tryChat(ctx context.Context, r *Report) {
	out, _, read, _ := c.ask(ctx, r.Model, arena.Call{
		Messages: []arena.Message{{Role: "user", Content: "Reply with the single word: ready"}},
		Sampling: probeSampling(48),
	})
	r.FirstByte = out.FirstByte
	r.Reasoning = read.decoder.field
	if out.Fault != nil {
		r.Chat, r.Fault = No, out.Fault
		return
	}
	r.Chat, r.Usage = Yes, No
	if out.Usage != nil {
		r.Usage = Yes
	}
	if out.Content == "" {
		r.Notes = append(r.Notes, "the reply was empty within 48 tokens; a model that reasons first needs more")
	}
	if out.Damaged > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d frames of the reply were damaged and skipped", out.Damaged))
	}
}

func (c *Client) tryPrefill(ctx context.Context, r *Report) {
	const begun = "one two three"
	out, _, _, q := c.ask(ctx, r.Model, arena.Call{
		Messages: []arena.Message{{Role: "user", Content: "Count from one to seven in English words, separated by spaces. Write nothing else."}},
		Prefill:  begun,
		Sampling: probeSampling(48),
	})
	text := strings.ToLower(strings.TrimSpace(out.Content))
	switch {
	case q.noPrefill:
		r.Prefill = Refused
	case c.wayOf(q) == PrefillOff:
		r.Prefill = No
	case out.Fault != nil:
		r.Notes = append(r.Notes, "the prefill could not be tried: "+out.Fault.Error())
	case strings.HasPrefix(text, "four"), strings.HasPrefix(text, ", four"):
		r.Prefill = Yes
	case strings.HasPrefix(text, begun+" four"):
		// A model that starts over says the same as a server that echoes; both
		// give the same segments.
		r.Prefill = Echoed
	case text != "":
		r.Prefill = Ignored
	}
}

func (c *Client) trySchema(ctx context.Context, r *Report) {
	schema := map[string]any{
		"type": "object", "properties": map[string]any{"probe": map[string]any{"type": "boolean"}},
		"required": []string{"probe"}, "additionalProperties": false,
	}
	out, _, _, q := c.ask(ctx, r.Model, arena.Call{
		Messages: []arena.Message{{Role: "user", Content: "Say good morning to a friend."}},
		Schema:   schema, Sampling: probeSampling(96),
	})
	var got struct{ Probe *bool }
	switch {
	case q.noSchema:
		r.Schema = Refused
	case out.Fault != nil:
		r.Notes = append(r.Notes, "the JSON schema could not be tried: "+out.Fault.Error())
	case json.Unmarshal([]byte(out.Content), &got) == nil && got.Probe != nil:
		r.Schema = Yes
	case out.Content == "" && out.Reasoning != "":
		r.Notes = append(r.Notes, "the model reasons before it writes JSON; switch its thinking off to have the schema kept")
	default:
		r.Schema = Ignored
	}
}
