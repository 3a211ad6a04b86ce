package endpoint

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"herarena/arena"
)

const (
	// replyTime bounds a short reply of a probe, wakeTime the first one, for
	// which the server may have to load the model.
	replyTime = 30 * time.Second
	wakeTime  = 90 * time.Second
)

// Probe asks a server what it is and what it can do: its model list and pages
// about itself, then a few short replies of one model. It may make the server
// load that model. ctx bounds it all; the first reply takes 90 s at most, each
// other 30 s.
func (c *Client) Probe(ctx context.Context) Report { return c.ProbeModel(ctx, "") }

// ProbeModel is Probe with a model of choice; "" takes the first one listed.
func (c *Client) ProbeModel(ctx context.Context, model string) Report {
	if model == "" {
		return c.ProbeSteps(ctx, nil, nil)
	}
	return c.ProbeSteps(ctx, []string{model}, nil)
}

// ProbeSteps is Probe with a choice of models: the first one that the server
// lists is asked, where it lists none of them the first one, and where there is
// no choice the first one listed. step, which may be nil, is told what is being
// tried, from the caller's goroutine.
func (c *Client) ProbeSteps(ctx context.Context, models []string, step func(what string)) Report {
	ctx, cancel := withinDeadline(ctx)
	defer cancel()
	r := c.newReport()
	p := newProbe(c, &r, step)
	defer p.close()
	if p.look(ctx) {
		if p.chooseModel(models) {
			p.replies(ctx)
		} else {
			p.auth(ctx)
		}
	}
	if late := c.late(ctx, &arena.Fault{Kind: arena.Cancelled}, false); r.Fault == nil && late.Kind == arena.Stalled {
		p.note("the time for the examination was over before its end: what is unknown here was not tried")
	}
	if len(c.cfg.Replicas) > 0 {
		p.step("the other addresses")
		r.Replicas = c.lookAtReplicas(ctx)
	}
	p.finish()
	return r
}

// Glance asks a server what it is and which models it has, and for no reply. It
// takes a few seconds at most.
func (c *Client) Glance(ctx context.Context) Report {
	ctx, cancel := withinDeadline(ctx)
	defer cancel()
	r := c.newReport()
	p := newProbe(c, &r, nil)
	defer p.close()
	p.look(ctx)
	p.finish()
	return r
}

func (c *Client) newReport() Report {
	r := Unprobed(c.cfg.Name, nil)
	r.BaseURL, r.Repaired = c.cfg.BaseURL, c.Repaired()
	return r
}

// probe is one server being looked at.
type probe struct {
	c     *Client // asks at the address that works, as the kind that it is
	moved bool    // c is not the client that was configured
	r     *Report
	step  func(string)
	list  *arena.Fault // why there is no model list
	// patience is how long the server is given to notice that nobody listens.
	patience time.Duration
}

func newProbe(c *Client, r *Report, step func(string)) *probe {
	if step == nil {
		step = func(string) {}
	}
	return &probe{c: c, r: r, step: step, patience: freeTime}
}

func (p *probe) close() {
	if p.moved {
		p.c.Close()
	}
}

// use goes on with another client of the same server.
func (p *probe) use(c *Client) {
	p.close()
	p.c, p.moved = c, true
}

func (p *probe) note(format string, args ...any) {
	p.r.Notes = append(p.r.Notes, p.c.clean(fmt.Sprintf(format, args...)))
}

// look finds the API and reads what the server says of itself. It reports
// whether there is any use in asking for replies.
func (p *probe) look(ctx context.Context) bool {
	r := p.r
	p.step("model list")
	configured := p.unprejudiced()
	models, fault := p.c.listModels(ctx)
	r.Reachable = fault == nil || fault.Status > 0
	if fault != nil && (fault.Kind == arena.Unreachable || fault.Kind == arena.Cancelled || fault.Kind == arena.Stalled) {
		r.Fault = fault
		p.c.noteKind(configured)
		return false
	}
	if fault != nil && fault.Kind != arena.Unauthorised {
		if base := p.c.elsewhere(ctx); base != "" {
			models, fault = p.move(ctx, base)
		} else if misplaced(fault) {
			fault.Hint = p.c.clean("nothing like OpenAI's API was found at " + p.c.cfg.BaseURL + ", nor at /v1, /api/v1, /openai/v1 and /api of " +
				p.c.root() + ": check the port and the path")
		}
	}
	p.list = fault
	r.Models = append(r.Models, models...)
	p.step("its own pages")
	p.c.pages(ctx, r)
	p.compareKind(configured)
	if fault != nil && fault.Kind == arena.Unauthorised {
		r.Fault, r.Auth = fault, p.refusedAuth(fault.Status)
		return false
	}
	return true
}

// misplaced reports whether a fault is what a wrong path brings.
func misplaced(f *arena.Fault) bool {
	return f.Kind == arena.BadRequest && (f.Status == 404 || f.Status == 405 || f.Status >= 200 && f.Status < 300 || f.Status == 0)
}

// unprejudiced lets the server say what it is before the configuration does, and
// returns the kind that is configured, "" where none is. "other" is no claim that
// a server could contradict.
func (p *probe) unprejudiced() (configured string) {
	configured = p.c.cfg.Kind
	if configured == KindAuto || configured == KindOther {
		return ""
	}
	cfg := p.c.cfg
	cfg.Kind = KindAuto
	blank, err := p.c.like(cfg)
	if err != nil {
		return ""
	}
	p.use(blank)
	return configured
}

// compareKind settles the kind: what the server shows itself to be, else what is
// configured. Where the two differ, both are told.
func (p *probe) compareKind(configured string) {
	p.c.noteKind(configured)
	r := p.r
	r.Kind = firstOf(p.c.knownKind(), KindOther)
	if configured == "" || r.Kind == configured {
		return
	}
	r.ConfiguredKind = configured
	p.note("configured as kind = %q, looks like %s: what is said here was found asking it as %s. Write kind = %q, or leave kind out",
		configured, strings.TrimSpace(r.Kind+" "+r.Version), r.Kind, r.Kind)
}

// move goes on at another address of the same server.
func (p *probe) move(ctx context.Context, base string) ([]Model, *arena.Fault) {
	there, err := p.c.at(base)
	if err != nil {
		return nil, p.c.finish(&arena.Fault{Kind: arena.BadRequest, Message: err.Error()})
	}
	p.note("the API is at %s and not at %s: write url = %q into the configuration", base, p.c.cfg.BaseURL, base)
	p.use(there)
	p.r.BaseURL = base
	return there.listModels(ctx)
}

// at is a client for another address of the same server, with everything else
// as configured.
func (c *Client) at(base string) (*Client, error) {
	cfg := c.cfg
	cfg.BaseURL, cfg.Replicas = base, nil
	return c.like(cfg)
}

// like is a client for cfg, which was made of c's own, with c's secrets.
func (c *Client) like(cfg Config) (*Client, error) {
	if cfg.Retries == 0 {
		cfg.Retries = -1
	}
	there, err := New(cfg)
	if err != nil {
		return nil, err
	}
	there.secrets, there.base.Proxy = c.secrets, c.base.Proxy
	return there, nil
}

// elsewhere looks for the API where it usually is, when it is not where the
// address says; "" where it is not there either. An address that wants a key is
// taken where none answers without.
func (c *Client) elsewhere(ctx context.Context) string {
	locked := ""
	tried := map[string]bool{c.cfg.BaseURL: true}
	for _, base := range []string{c.cfg.BaseURL + "/v1", c.root() + "/v1", c.root() + "/api/v1", c.root() + "/openai/v1", c.root() + "/api"} {
		if tried[base] {
			continue
		}
		tried[base] = true
		a := c.get(ctx, base+"/models")
		if a.fault == nil {
			if models, _, ok := readModels(a.body); ok && (len(models) > 0 || strings.HasSuffix(base, "/v1")) {
				return base
			}
			continue
		}
		if a.fault.Status == 401 && locked == "" {
			locked = base
		}
		if a.fault.Kind == arena.Unreachable || a.fault.Kind == arena.Cancelled || a.fault.Kind == arena.Stalled {
			break
		}
	}
	return locked
}

// chooseModel settles which model is asked. It reports whether there is one.
func (p *probe) chooseModel(wanted []string) bool {
	r := p.r
	offered := slices.IndexFunc(wanted, func(id string) bool { return Offers(r.Models, id) })
	switch {
	case offered >= 0:
		r.Model = wanted[offered]
	case len(wanted) > 0:
		r.Model = wanted[0]
	case len(r.Models) > 0:
		r.Model = r.Models[0].ID
	case p.list != nil:
		r.Fault = p.list
	default:
		r.Fault = p.c.finish(&arena.Fault{
			Kind:    arena.NoSuchModel,
			Message: p.c.cfg.Name + " answers, but lists no models: nothing could be asked",
			Hint:    loadHint(r.Kind),
		})
	}
	return r.Model != ""
}

// loadHint is the next step where a server has no model.
func loadHint(kind string) string {
	switch kind {
	case KindOllama:
		return "get a model with: ollama pull NAME"
	case KindLMStudio:
		return "load a model in LM Studio, or with: lms load NAME"
	}
	return "load a model on the server, or start the server with one, and look again"
}

// listNote tells of a model list that could not be had, where the fault of the
// report does not tell the same.
func (p *probe) listNote() {
	switch f := p.list; {
	case f == nil, p.r.Fault == f, p.r.Fault != nil && p.r.Fault.Message == f.Message:
	default:
		p.note("the model list cannot be had: %s", f.Error())
	}
}

// replies asks for what only replies can show.
func (p *probe) replies(ctx context.Context) {
	c, r := p.c, p.r
	p.step("a first reply")
	p.chat(ctx)
	if r.Chat == Yes {
		p.step("a begun reply")
		way, found := c.tryPrefill(ctx, r)
		if r.Prefill = found; found == Yes || found == Echoed {
			r.PrefillWay = string(way)
		}
		p.step("JSON by a schema")
		c.trySchema(ctx, r)
		p.step("the connection")
		p.connection(ctx)
		p.step("stopping a reply")
		p.cancel(ctx)
	}
	p.step("the key")
	p.auth(ctx)
	if r.Kind == KindOllama && ctx.Err() == nil {
		c.ollama(ctx, r)
	}
}

// finish says what remains to be said, and takes keys out of names.
func (p *probe) finish() {
	r := p.r
	r.Kind = firstOf(p.c.knownKind(), KindOther)
	p.listNote()
	p.proxyNote()
	for i, m := range r.Models {
		r.Models[i].ID = p.c.cleanID(m.ID)
		if !Offers([]Model{m}, r.Model) {
			continue
		}
		if m.ContextLength > 0 && (r.ContextLength == 0 || r.Kind == KindOllama) {
			r.ContextLength = m.ContextLength
		}
		if note := contextNote(r.Kind, m); note != "" {
			p.note("%s", note)
		}
	}
	r.Model = p.c.cleanID(r.Model)
	if r.Service == serviceHF && r.Fault != nil && (r.Fault.Status == 502 || r.Fault.Status == 503) {
		p.note("an endpoint that is scaled to zero answers so until a machine is up; the header X-Scale-Up-Timeout = \"600\" makes it hold the request meanwhile")
	}
}

// maxID bounds a model's name in a report, in bytes.
const maxID = 200

// cleanID takes keys out of a model's name, and control characters.
func (c *Client) cleanID(id string) string {
	v := newVeil(c.secrets)
	id = v.pass(id) + v.flush()
	if len(id) > maxID {
		id = strings.ToValidUTF8(id[:maxID], "") + "…"
	}
	return id
}

// lookAtReplicas asks the further addresses for their models, all at once.
func (c *Client) lookAtReplicas(ctx context.Context) []Replica {
	replicas := make([]Replica, len(c.cfg.Replicas))
	var wg sync.WaitGroup
	for i, base := range c.cfg.Replicas {
		wg.Go(func() {
			replicas[i].BaseURL = base
			there, err := c.at(base)
			if err != nil {
				replicas[i].Fault = c.finish(&arena.Fault{Kind: arena.BadRequest, Message: err.Error()})
				return
			}
			defer there.Close()
			_, replicas[i].Fault = there.listModels(ctx)
		})
	}
	wg.Wait()
	return replicas
}
