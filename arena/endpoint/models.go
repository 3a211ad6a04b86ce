package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"herarena/arena"
)

// maxList bounds the body of a model list and of what else is asked for.
const maxList = 8 << 20

// Model is a model that a server offers.
type Model struct {
	ID string `json:"id"`
	// ContextLength is the length of the context in tokens, 0 where the server
	// does not say. It is the one in use where the server tells that apart.
	ContextLength int `json:"context_length,omitempty"`
	// Trained is the longest context the model could take, 0 where the server
	// does not say.
	Trained int `json:"trained_context_length,omitempty"`
}

// Offers reports whether models holds a model of that name. Ollama takes a name
// without a tag for the one tagged latest.
func Offers(models []Model, name string) bool {
	return slices.ContainsFunc(models, func(m Model) bool {
		return m.ID == name || m.ID == name+":latest" || m.ID+":latest" == name
	})
}

// Models lists what the server offers, in its own order. The error is an
// *arena.Fault.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	models, fault := c.listModels(ctx)
	if fault != nil {
		return nil, fault
	}
	return models, nil
}

func (c *Client) listModels(ctx context.Context) ([]Model, *arena.Fault) {
	a := c.get(ctx, c.cfg.BaseURL+"/models")
	if a.fault != nil {
		return nil, c.listFault(ctx, a.fault)
	}
	models, kind, ok := readModels(a.body)
	if !ok {
		if r := refusalIn(a.body, ""); r != nil {
			f := c.refusedFault(r, "")
			f.Message = c.cfg.Name + " answered with an error instead of a model list: " + r.Message
			f.Status = max(f.Status, a.status)
			return nil, c.finish(f)
		}
		return nil, c.finish(c.noListFault(a))
	}
	if kind == "" && strings.Contains(strings.ToLower(a.header.Get("Server")), "llama.cpp") {
		kind = KindLlamaCpp
	}
	if kind != "" {
		c.noteKind(kind)
	}
	c.mu.Lock()
	c.models = models
	c.mu.Unlock()
	return models, nil
}

// listFault puts a fault on the way to the model list in terms of that list.
func (c *Client) listFault(ctx context.Context, f *arena.Fault) *arena.Fault {
	if f = c.late(ctx, f, false); f.Kind != arena.Stalled || ctx.Err() != nil {
		return f
	}
	f.Message = c.clean(fmt.Sprintf("%s takes connections, but its model list did not come within %s", c.cfg.Name, short(c.listLimit())))
	f.Hint = "the server is starting, hangs, or is not what should listen there: look at its log and check the port"
	if c.listLimit() < listTime {
		f.Hint += "; or raise first_byte_timeout"
	}
	return f
}

// noListFault is for an answer with status 200 that is no model list. Only the
// server's own words stand in quotation marks.
func (c *Client) noListFault(a answer) *arena.Fault {
	f := &arena.Fault{Kind: arena.BadRequest, Status: a.status, Hint: c.pathHint()}
	words := plainText(a.body)
	switch {
	case looksHTML(a.header.Get("Content-Type"), a.body):
		f.Message = fmt.Sprintf("%s answered with a web page instead of a model list: %s", c.cfg.Name, c.quote(words, 200))
		f.Hint += "; a login page or a proxy may stand between"
	case words == "":
		f.Message = c.cfg.Name + " answered with nothing instead of a model list"
	default:
		f.Message = fmt.Sprintf("%s answered with something that is no model list: %s", c.cfg.Name, c.quote(words, 200))
	}
	return f
}

// readModels reads a list in OpenAI's shape, and tells the kind of server by it.
// A bare array (Together) is taken too.
func readModels(body []byte) (models []Model, kind string, ok bool) {
	var list struct {
		Data []map[string]json.RawMessage `json:"data"`
	}
	if json.Unmarshal(body, &list) != nil || list.Data == nil {
		if json.Unmarshal(body, &list.Data) != nil || list.Data == nil {
			// An empty Ollama says "data": null.
			fields := object(body)
			return nil, "", word(fields["object"]) == "list"
		}
	}
	for _, m := range list.Data {
		id := firstOf(word(m["id"]), word(m["name"]))
		if id == "" {
			continue
		}
		models = append(models, Model{ID: id, ContextLength: contextLength(m), Trained: whole(object(m["meta"])["n_ctx_train"])})
		kind = firstOf(kind, kindOfOwner(word(m["owned_by"])))
	}
	return models, kind, true
}

// contextLength reads the length of the context where a server gives it. The
// length in use comes before the one the model was trained with.
func contextLength(m map[string]json.RawMessage) int {
	meta := object(m["meta"])
	for _, raw := range []json.RawMessage{
		m["max_model_len"], m["loaded_context_length"], meta["n_ctx"], m["context_length"], m["max_context_length"],
		m["context_window"], meta["n_ctx_train"],
	} {
		c := cursor{b: raw}
		if n, ok, _ := c.number(); ok && n > 0 {
			return clampInt(n)
		}
	}
	return 0
}

// answer is what a plain GET brought.
type answer struct {
	status int // where there is no fault
	body   []byte
	header http.Header
	fault  *arena.Fault
}

// listTime bounds the wait for a list: it is short and needs no model, so a
// server that does not answer within this time is not there.
const listTime = 15 * time.Second

func (c *Client) listLimit() time.Duration { return min(c.cfg.FirstByteTimeout, listTime) }

// get fetches one document of the server.
func (c *Client) get(ctx context.Context, address string) answer {
	return c.fetch(ctx, http.MethodGet, address, nil)
}

// fetch asks for one document of the server; body is JSON, nil where there is
// none.
func (c *Client) fetch(ctx context.Context, method, address string, body []byte) answer {
	ex := &exchange{firstByte: c.cfg.FirstByteTimeout, idle: c.cfg.IdleTimeout}
	fail := func(err error) answer { return answer{fault: c.faultOf(ctx, err, ex, "")} }
	limited, cancel := context.WithTimeoutCause(ctx, c.listLimit(), errFirstByte)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, method, address, bytes.NewReader(body))
	if err != nil {
		return fail(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.cfg.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
	req.Header.Set("Accept", "application/json")
	resp, err := c.http.Do(req)
	if err != nil {
		return fail(orCause(limited, err))
	}
	defer resp.Body.Close()
	ex.status = resp.StatusCode
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxList))
	if err != nil && resp.StatusCode < 400 {
		return fail(orCause(limited, err))
	}
	if resp.StatusCode >= 400 {
		ex.refused = refusalOfBody(resp.StatusCode, resp.Header.Get("Content-Type"), text)
		ex.refused.Wait = max(ex.refused.Wait, retryAfter(resp.Header, time.Now()))
		return fail(ex.refused)
	}
	return answer{status: resp.StatusCode, body: text, header: resp.Header}
}

// orCause returns why ctx ended, where that is the reason of err.
func orCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

func (c *Client) finish(f *arena.Fault) *arena.Fault {
	f.Message, f.Hint = c.clean(f.Message), c.clean(f.Hint)
	return f
}

// root is the address without the path: health and version pages live there.
func (c *Client) root() string {
	u, err := url.Parse(c.cfg.BaseURL)
	if err != nil {
		return c.cfg.BaseURL
	}
	return u.Scheme + "://" + u.Host
}

// nearHint is the next step for a model that is not there, with the names of
// like ones; the list is fetched where it is not known yet.
func (c *Client) nearHint(ctx context.Context, model string) string {
	c.mu.Lock()
	models := c.models
	c.mu.Unlock()
	if models == nil {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		models, _ = c.listModels(ctx)
	}
	hint := c.modelHint(model)
	if len(models) == 0 {
		return hint
	}
	if names := Nearest(model, models); len(names) > 0 {
		return hint + "; the server offers " + strings.Join(names, ", ")
	}
	return hint
}

func (c *Client) modelHint(model string) string {
	if c.knownKind() == KindOllama && model != "" {
		return fmt.Sprintf("get it with: ollama pull %s", model)
	}
	return "check the model's name"
}

// Nearest returns the names of models most like model, at most five; all of them
// where there are that few.
func Nearest(model string, models []Model) []string {
	type scored struct {
		id    string
		score int
	}
	want := strings.ToLower(model)
	var list []scored
	for _, m := range models[:min(len(models), 2000)] {
		have := strings.ToLower(m.ID)
		d := distance(want, have)
		if strings.Contains(have, want) || strings.Contains(want, have) {
			d = min(d, 1)
		}
		list = append(list, scored{m.ID, d})
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	var names []string
	for _, s := range list[:min(len(list), 5)] {
		if len(list) <= 5 || s.score <= max(3, len(want)/2) {
			names = append(names, s.id)
		}
	}
	return names
}

// distance is the Levenshtein distance in bytes of the first 80.
func distance(a, b string) int {
	a, b = a[:min(len(a), 80)], b[:min(len(b), 80)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(b)]
}
