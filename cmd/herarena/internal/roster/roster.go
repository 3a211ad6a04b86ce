// Package roster turns a configuration into who can play and who can judge:
// contestants and critics with live endpoints behind them, the scripted
// rehearsal among them.
package roster

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/arena/layers"
	"herarena/arena/rehearsal"
	"herarena/cmd/herarena/internal/config"
	"herarena/judge"
	"herarena/judge/house"
	"herarena/judge/prompt"
)

// Options are the settings of a roster.
type Options struct {
	// Rehearse starts the scripted players and their server.
	Rehearse bool
	// Pace is the rehearsal's tokens per second; 0 is natural, negative instant.
	Pace float64
	// Limits changes an endpoint's configuration before it is used; may be nil.
	Limits func(*endpoint.Config)
	// Record gets a record of each request; may be nil.
	Record func(endpoint.CallRecord)
}

// Roster holds the contestants and critics that can be cast. Close stops the
// rehearsal server.
type Roster struct {
	cfg         config.Config
	opts        Options
	memory      *endpoint.FileMemory
	clients     map[string]*endpoint.Client // by endpoint
	broken      map[string]error            // why a contestant or critic cannot be used
	server      *rehearsal.Server
	contestants []arena.Contestant
	critics     []arena.Critic
}

// keyEnv is the variable that holds the key of an endpoint named by URL#model.
const keyEnv = "HERARENA_API_KEY"

// HouseCritic is the name of the critic made of code.
const HouseCritic = "house"

// New builds the roster. The error names the setting at fault.
func New(cfg config.Config, o Options) (*Roster, error) {
	r := &Roster{cfg: cfg, opts: o, memory: endpoint.NewFileMemory(config.FindingsPath()), clients: map[string]*endpoint.Client{}, broken: map[string]error{}}
	for _, name := range config.Names(cfg.Contestants) {
		c, err := r.contestant(name, cfg.Contestants[name])
		if err != nil {
			// It fails those alone who ask for it.
			r.broken["contestants."+name] = fmt.Errorf("contestants.%s: %w", name, err)
			continue
		}
		r.contestants = append(r.contestants, c)
	}
	r.critics = append(r.critics, house.New())
	for _, name := range config.Names(cfg.Critics) {
		c, err := r.critic(name, cfg.Critics[name])
		if err != nil {
			r.broken["critics."+name] = fmt.Errorf("critics.%s: %w", name, err)
			continue
		}
		r.critics = append(r.critics, c)
	}
	if o.Rehearse {
		if err := r.rehearse(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Broken returns why contestants and critics of the configuration cannot be used,
// in the order of their names.
func (r *Roster) Broken() []error {
	var out []error
	for _, name := range config.Names(r.broken) {
		out = append(out, r.broken[name])
	}
	return out
}

// Close stops what the roster started. It is safe to call twice.
func (r *Roster) Close() {
	if r.server != nil {
		_ = r.server.Close()
		r.server = nil
	}
}

// Contestants returns all that can play, configured ones first.
func (r *Roster) Contestants() []arena.Contestant { return r.contestants }

// Critics returns all that can judge, the house critic first.
func (r *Roster) Critics() []arena.Critic { return r.critics }

// Contestant finds a contestant by name, or makes one from URL#model.
func (r *Roster) Contestant(name string) (arena.Contestant, error) {
	if strings.Contains(name, "://") || strings.Contains(name, "#") {
		return Quick(name, r.limited)
	}
	var known []string
	for _, c := range r.contestants {
		if c.Name == name {
			return c, nil
		}
		known = append(known, c.Name)
	}
	if err := r.broken["contestants."+name]; err != nil {
		return arena.Contestant{}, err
	}
	return arena.Contestant{}, fmt.Errorf("no contestant is called %q (known: %s; or give URL#model)", name, strings.Join(known, ", "))
}

// Critic finds a critic by name, or makes one from URL#model.
func (r *Roster) Critic(name string) (arena.Critic, error) {
	if strings.Contains(name, "://") || strings.Contains(name, "#") {
		base, model, err := split(name)
		if err != nil {
			return nil, err
		}
		c, err := Address(base)
		if err != nil {
			return nil, err
		}
		client, err := endpoint.New(r.limited(c))
		if err != nil {
			return nil, err
		}
		return r.reward(at(model, client.BaseURL()), model, client.Player(model), config.Critic{})
	}
	var known []string
	for _, c := range r.critics {
		if c.Name() == name {
			return c, nil
		}
		known = append(known, c.Name())
	}
	if err := r.broken["critics."+name]; err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("no critic is called %q (known: %s; or give URL#model)", name, strings.Join(known, ", "))
}

// Rehearsed returns the house critic as the rehearsal serves it: over HTTP, in
// HER-RM's form, token by token. It is nil without a rehearsal.
func (r *Roster) Rehearsed() arena.Critic {
	if r.server == nil {
		return nil
	}
	client, err := endpoint.New(endpoint.Config{Name: "rehearsal", BaseURL: r.server.URL()})
	if err != nil {
		return nil
	}
	return judge.NewRewardModel(judge.Options{
		Name: HouseCritic, Model: rehearsal.CriticModel, Player: client.Player(rehearsal.CriticModel),
		Template: prompt.Default(), EchoPrefill: true, RetryParse: true,
	})
}

func (r *Roster) rehearse() error {
	template := prompt.Default()
	server, err := rehearsal.Start(rehearsal.Options{
		Pace:   r.opts.Pace,
		Critic: func(p string) string { return house.FromPrompt(template, p) },
	})
	if err != nil {
		return fmt.Errorf("the rehearsal cannot start: %w", err)
	}
	client, err := endpoint.New(endpoint.Config{Name: "rehearsal", BaseURL: server.URL()})
	if err != nil {
		_ = server.Close()
		return fmt.Errorf("the rehearsal cannot start: %w", err)
	}
	r.server = server
	r.contestants = append(
		r.contestants,
		arena.Contestant{
			Name: rehearsal.LeadModel, Model: rehearsal.LeadModel, Endpoint: server.URL(),
			Dialect: layers.HER, Prefill: "<system_thinking>", Rehearsal: true, Player: client.Player(rehearsal.LeadModel),
		},
		arena.Contestant{
			Name: rehearsal.UnderstudyModel, Model: rehearsal.UnderstudyModel, Endpoint: server.URL(),
			Dialect: layers.Auto, Rehearsal: true, Player: client.Player(rehearsal.UnderstudyModel),
		},
	)
	return nil
}

// Quick makes a contestant from URL#model. A key is taken from the environment
// variable HERARENA_API_KEY. with finishes the endpoint's configuration; it may
// be nil.
func Quick(spec string, with func(endpoint.Config) endpoint.Config) (arena.Contestant, error) {
	base, model, err := split(spec)
	if err != nil {
		return arena.Contestant{}, err
	}
	c, err := Address(base)
	if err != nil {
		return arena.Contestant{}, err
	}
	if with != nil {
		c = with(c)
	}
	client, err := endpoint.New(c)
	if err != nil {
		return arena.Contestant{}, err
	}
	return arena.Contestant{
		Name: at(model, client.BaseURL()), Model: model, Endpoint: client.BaseURL(), Dialect: layers.Auto, Player: client.Player(model),
	}, nil
}

// limited finishes an endpoint's configuration: what the program remembers of
// the server, and what the command line asks for.
func (r *Roster) limited(c endpoint.Config) endpoint.Config {
	c.ProbePrefill, c.Memory, c.Record = true, r.memory, r.opts.Record
	if r.opts.Limits != nil {
		r.opts.Limits(&c)
	}
	return c
}

// Address turns an address given on the command line into a client's settings.
// The key is that of the environment variable HERARENA_API_KEY, if it is set.
func Address(base string) (endpoint.Config, error) {
	key, err := config.Endpoint{KeyEnv: optionalEnv(keyEnv)}.Key()
	return endpoint.Config{Name: Shown(base), BaseURL: base, Key: key, KeyEnv: keyEnv}, err
}

// split takes URL#model apart.
func split(spec string) (base, model string, err error) {
	i := strings.LastIndex(spec, "#")
	if i <= 0 || i == len(spec)-1 {
		return "", "", fmt.Errorf("%q is not of the form URL#model, such as http://127.0.0.1:8000/v1#her-32b", spec)
	}
	return spec[:i], spec[i+1:], nil
}

// Shown is an address as it may stand in messages: without user, password and
// query, which may hold secrets.
func Shown(address string) string {
	address, _, _ = strings.Cut(address, "?")
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		scheme, rest = "", address
	} else {
		scheme += "://"
	}
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		rest = rest[i+1:]
	}
	return scheme + rest
}

// at names a model of an address: the same model id at two servers, as two
// checkpoints under test often have, must be two names, and the same ones in the
// next run. This machine is left out of them.
func at(model, base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return short(model) + "@" + base
	}
	host := u.Host
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		host = ":" + u.Port()
	}
	name := short(model)
	if i := strings.LastIndex(model, "/"); i > 0 {
		// Two makers may give their models one name.
		maker := model[:i]
		name = maker[strings.LastIndex(maker, "/")+1:] + "/" + name
	}
	return name + "@" + host
}

// short is the last part of a model id: boards and columns have little room.
func short(model string) string {
	if i := strings.LastIndex(model, "/"); i >= 0 && i < len(model)-1 {
		return model[i+1:]
	}
	return model
}

// client is the client of a configured endpoint. Contestants at one endpoint
// share it, and with it what was found out about the server.
func (r *Roster) client(name string) (*endpoint.Client, error) {
	if c, ok := r.clients[name]; ok {
		return c, nil
	}
	c, err := Endpoint(name, r.cfg.Endpoints[name])
	if err != nil {
		return nil, err
	}
	client, err := endpoint.New(r.limited(c))
	if err != nil {
		return nil, err // names the endpoint itself
	}
	r.clients[name] = client
	return client, nil
}

// Endpoint turns the settings of an endpoint into a client's. The error names
// the setting at fault.
func Endpoint(name string, e config.Endpoint) (endpoint.Config, error) {
	key, err := e.Key()
	if err != nil {
		return endpoint.Config{}, fmt.Errorf("endpoints.%s: %w", name, err)
	}
	all := e.Addresses()
	c := endpoint.Config{
		Name: name, BaseURL: all[0], Replicas: all[1:], Key: key, KeyEnv: e.KeyEnv, KeyFile: e.KeyFile, Headers: e.Headers, Kind: e.Kind, API: e.API,
		ExtraBody: e.ExtraBody, PrefillMode: e.Prefill, MaxTokensField: e.MaxTokensField, SessionHeader: e.SessionHeader,
		CAFile: e.CAFile, InsecureTLS: e.InsecureTLS,
	}
	if e.Retries != nil {
		if c.Retries = *e.Retries; c.Retries == 0 {
			c.Retries = -1
		}
	}
	for _, d := range []struct {
		key, text string
		to        *time.Duration
	}{
		{"first_byte_timeout", e.FirstByteTimeout, &c.FirstByteTimeout},
		{"idle_timeout", e.IdleTimeout, &c.IdleTimeout},
	} {
		if d.text == "" {
			continue
		}
		if *d.to, err = time.ParseDuration(d.text); err != nil || *d.to <= 0 {
			return c, fmt.Errorf("endpoints.%s.%s = %q is not a time such as \"90s\" or \"2m\"", name, d.key, d.text)
		}
	}
	return c, nil
}

func (r *Roster) contestant(name string, c config.Contestant) (arena.Contestant, error) {
	client, err := r.client(c.Endpoint)
	if err != nil {
		return arena.Contestant{}, err
	}
	d, err := layers.ParseDialect(c.Dialect)
	if err != nil {
		return arena.Contestant{}, err
	}
	return arena.Contestant{
		Name: name, Model: c.Model, Endpoint: client.BaseURL(), Dialect: d,
		Prefill: c.Prefill, Sampling: c.Sampling, KeepSystem: c.KeepSystem, Price: c.Price, Context: c.Context, Player: client.Player(c.Model),
	}, nil
}

func (r *Roster) critic(name string, c config.Critic) (arena.Critic, error) {
	client, err := r.client(c.Endpoint)
	if err != nil {
		return nil, err
	}
	return r.reward(name, c.Model, client.Player(c.Model), c)
}

func (r *Roster) reward(name, model string, player arena.Player, c config.Critic) (arena.Critic, error) {
	t, err := Template(c.Template, c.Principles)
	if err != nil {
		return nil, err
	}
	orders, err := arena.ParseOrderPolicy(c.Orders)
	if err != nil {
		return nil, err
	}
	form := prompt.FormRoles
	if c.ContextForm == "ids" {
		form = prompt.FormIDs
	}
	return judge.NewRewardModel(judge.Options{
		Name: name, Model: model, Player: player, Template: t, Form: form,
		Sampling: c.Sampling, EchoPrefill: c.EchoPrefill, RetryParse: true, Orders: orders,
	}), nil
}
