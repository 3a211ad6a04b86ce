package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/arena/ledger"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/guard"
)

const (
	// doctorTime bounds the examination of one endpoint, doctorWidth how many are
	// examined at once.
	doctorTime  = 4 * time.Minute
	doctorWidth = 8
)

func (a *app) doctorCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "doctor [URL]", Short: "See what is configured, what answers and what it can do", Args: cobra.MaximumNArgs(1),
		Long: "doctor asks every configured endpoint, or the one at URL, what it is and what it can\n" +
			"do: a few short replies of one model. Servers at the usual ports of this machine are\n" +
			"listed too. URL may be the name of a configured endpoint; for any other the key is\n" +
			"taken from HERARENA_API_KEY.",
		RunE: func(cmd *cobra.Command, args []string) error { return a.doctor(cmd.Context(), args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

type doctorOutput struct {
	Config    string        `json:"config"`
	Ledger    string        `json:"ledger"`
	Endpoints []checkup     `json:"endpoints"`
	Found     []foundServer `json:"found"` // and not configured
}

// checkup is what was found of one endpoint.
type checkup struct {
	endpoint.Report
	// Used are the models that contestants and critics want of it.
	Used []usedModel `json:"used"`
}

// fails reports whether the endpoint, or one of its further addresses, cannot be
// used as it is configured.
func (c checkup) fails() bool { return c.Fault != nil || c.partly() }

// partly reports whether some of its further addresses do not answer.
func (c checkup) partly() bool {
	return slices.ContainsFunc(c.Replicas, func(r endpoint.Replica) bool { return r.Fault != nil })
}

// usedModel is a model that the configuration names.
type usedModel struct {
	Model string `json:"model"`
	// By names who wants it: "contestant her", "critic her-rm".
	By []string `json:"by"`
	// Offered says whether the server lists it.
	Offered endpoint.Ability `json:"offered"`
	// Nearest are the listed names most like it, where it is not offered.
	Nearest []string `json:"nearest,omitempty"`
}

// foundServer is a server on this machine that is not configured.
type foundServer struct {
	endpoint.Found
	Version   string `json:"version,omitempty"`
	Reachable bool   `json:"reachable"`
}

// patient is an endpoint that waits for its examination.
type patient struct {
	name string
	cfg  endpoint.Config
	used []usedModel
	err  error // of its settings
	note string
}

func (a *app) doctor(ctx context.Context, args []string, asJSON bool) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	record, stop, err := a.recorder()
	if err != nil {
		return err
	}
	out := doctorOutput{Config: cfg.Path, Ledger: ledger.Shown(a.ledgerPath(cfg)), Found: []foundServer{}}
	patients, err := patientsOf(cfg, args)
	if err != nil {
		return errors.Join(err, stop())
	}
	for i := range patients {
		patients[i].cfg.Record = record
	}
	progress := newProgress(a.errw)
	out.Endpoints = examine(ctx, patients, progress)
	if len(args) == 0 {
		progress.say("", "this machine")
		out.Found = findServers(ctx, out.Endpoints)
	}
	progress.end()
	if err := stop(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if asJSON {
		err = a.printJSON(out)
	} else {
		_, err = io.WriteString(a.out, doctorPage(out))
	}
	if err == nil && slices.ContainsFunc(out.Endpoints, checkup.fails) {
		err = errReported
	}
	return err
}

// patientsOf lists the endpoints to examine: all that are configured, or the one
// that is asked for by name or address.
func patientsOf(cfg config.Config, args []string) ([]patient, error) {
	var all []patient
	for _, name := range config.Names(cfg.Endpoints) {
		c, err := roster.Endpoint(name, cfg.Endpoints[name])
		if c.KeyEnv == "" {
			c.KeyFile = cfg.Endpoints[name].KeyFile
		}
		all = append(all, patient{name: name, cfg: c, used: usedOf(cfg, name), err: err})
	}
	if len(args) == 0 {
		return all, nil
	}
	for _, p := range all {
		if p.name == args[0] {
			return []patient{p}, nil
		}
	}
	c, err := roster.Address(args[0])
	if err != nil {
		return nil, err
	}
	// Without the key, whose faults are no misuse of the command.
	one, err := endpoint.New(endpoint.Config{Name: c.Name, BaseURL: c.BaseURL})
	if err != nil {
		return nil, usageError{fmt.Errorf("%w%s", err, orName(all))}
	}
	for _, p := range all {
		if p.err != nil {
			continue
		}
		if known, bad := endpoint.New(p.cfg); bad == nil && known.BaseURL() == one.BaseURL() {
			return []patient{p}, nil
		}
	}
	stranger := patient{name: c.Name, cfg: c}
	if !strings.ContainsAny(args[0], ".:/") && args[0] != "localhost" {
		stranger.note = fmt.Sprintf("no endpoint is called %q; it was taken for the name of a machine%s", args[0], orName(all))
	}
	return []patient{stranger}, nil
}

// orName offers the names of the configured endpoints.
func orName(all []patient) string {
	if len(all) == 0 {
		return ""
	}
	var names []string
	for _, p := range all {
		names = append(names, p.name)
	}
	return " (or name a configured endpoint: " + strings.Join(names, ", ") + ")"
}

// usedOf lists the models that the configuration wants of an endpoint, those of
// contestants first.
func usedOf(cfg config.Config, name string) []usedModel {
	var used []usedModel
	add := func(model, by string) {
		i := slices.IndexFunc(used, func(u usedModel) bool { return u.Model == model })
		if i < 0 {
			used = append(used, usedModel{Model: model, Offered: endpoint.Unknown})
			i = len(used) - 1
		}
		used[i].By = append(used[i].By, by)
	}
	for _, who := range config.Names(cfg.Contestants) {
		if c := cfg.Contestants[who]; c.Endpoint == name {
			add(c.Model, "contestant "+who)
		}
	}
	for _, who := range config.Names(cfg.Critics) {
		if c := cfg.Critics[who]; c.Endpoint == name {
			add(c.Model, "critic "+who)
		}
	}
	return used
}

// examine probes all endpoints, several at once, and keeps their order.
func examine(ctx context.Context, patients []patient, progress *progress) []checkup {
	out := make([]checkup, len(patients))
	room := make(chan struct{}, doctorWidth)
	var wg sync.WaitGroup
	for i, p := range patients {
		wg.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			out[i] = p.examine(ctx, func(step string) { progress.say(p.name, step) })
			progress.say(p.name, "")
		})
	}
	wg.Wait()
	return out
}

func (p patient) examine(ctx context.Context, step func(string)) checkup {
	c := checkup{Used: p.used}
	if c.Used == nil {
		c.Used = []usedModel{}
	}
	client, err := p.client()
	if err != nil {
		c.Report = endpoint.Unprobed(p.name, &arena.Fault{
			Kind: arena.BadRequest, Message: err.Error(), Hint: "put it right in the configuration",
		})
		return c
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	c.Report = client.ProbeSteps(ctx, p.models(), step)
	if p.note != "" {
		c.Notes = append(c.Notes, p.note)
	}
	if len(c.Models) > 0 {
		for i := range c.Used {
			u := &c.Used[i]
			if u.Offered = endpoint.Yes; !endpoint.Offers(c.Models, u.Model) {
				u.Offered, u.Nearest = endpoint.No, endpoint.Nearest(u.Model, c.Models)
			}
		}
	}
	return c
}

func (p patient) client() (*endpoint.Client, error) {
	if p.err != nil {
		return nil, p.err
	}
	client, err := endpoint.New(p.cfg)
	if err != nil {
		// The client names the endpoint too, in its own way.
		return nil, fmt.Errorf("endpoints.%s: %s", p.name, strings.TrimPrefix(err.Error(), "endpoint "+p.name+": "))
	}
	return client, nil
}

func (p patient) models() []string {
	var ids []string
	for _, u := range p.used {
		ids = append(ids, u.Model)
	}
	return ids
}

// findServers looks for servers on this machine that are not configured, and
// asks each what it is.
func findServers(ctx context.Context, configured []checkup) []foundServer {
	known := map[string]bool{}
	local := strings.NewReplacer("//localhost:", "//127.0.0.1:", "//[::1]:", "//127.0.0.1:")
	for _, c := range configured {
		known[local.Replace(c.BaseURL)] = true
		for _, r := range c.Replicas {
			known[local.Replace(r.BaseURL)] = true
		}
	}
	servers := endpoint.Discover(ctx, nil)
	servers = slices.DeleteFunc(servers, func(f endpoint.Found) bool { return known[f.BaseURL] })
	out := make([]foundServer, len(servers))
	var wg sync.WaitGroup
	for i, f := range servers {
		wg.Go(func() {
			out[i] = foundServer{Found: f, Reachable: true}
			client, err := endpoint.New(endpoint.Config{BaseURL: f.BaseURL})
			if err != nil {
				return
			}
			defer client.Close()
			r := client.Glance(ctx)
			out[i].Reachable, out[i].Version, out[i].Kind = r.Reachable, r.Version, r.Kind
			out[i].Fault, out[i].Models = r.Fault, r.Models
		})
	}
	wg.Wait()
	return out
}

// progress is one line on a terminal that says what is being tried; it writes
// nothing anywhere else.
type progress struct {
	to    io.Writer // nil where nobody looks
	mu    sync.Mutex
	steps map[string]string // by endpoint
}

// progressColumns is how wide the line is at most, so that it does not wrap.
const progressColumns = 78

func newProgress(w io.Writer) *progress {
	p := &progress{steps: map[string]string{}}
	if f, ok := w.(*os.File); ok && os.Getenv("TERM") != "dumb" {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.to = w
		}
	}
	return p
}

// say sets what is being tried of an endpoint; "" says that it is done.
func (p *progress) say(name, step string) {
	if p.to == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if step == "" {
		delete(p.steps, name)
	} else {
		p.steps[name] = step
	}
	var parts []string
	for _, n := range config.Names(p.steps) {
		parts = append(parts, strings.TrimPrefix(guard.Line(n)+": "+p.steps[n], ": "))
	}
	_, _ = io.WriteString(p.to, "\r\x1b[K"+ansi.Truncate(strings.Join(parts, " · "), progressColumns, "…"))
}

// end takes the line away.
func (p *progress) end() {
	if p.to != nil {
		_, _ = io.WriteString(p.to, "\r\x1b[K")
	}
}

// plural counts a thing in words.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// shortTime writes a time in at most six columns.
func shortTime(d time.Duration) string {
	switch {
	case d <= 0:
		return "-"
	case d < time.Second:
		return fmt.Sprintf("%d ms", max(1, cmp.Or(d.Round(time.Millisecond).Milliseconds(), 1)))
	case d < 99*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d s", min(int64(d.Seconds()), 9999))
}
