package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"herarena/arena/endpoint"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/guard"
)

func (a *app) doctorCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "doctor [URL]", Short: "See what is configured, what answers and what it can do", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.doctor(cmd.Context(), args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

type doctorOutput struct {
	Config    string            `json:"config"`
	Ledger    string            `json:"ledger"`
	Endpoints []endpoint.Report `json:"endpoints"`
	Found     []endpoint.Found  `json:"found"`
}

func (a *app) doctor(ctx context.Context, args []string, asJSON bool) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	out := doctorOutput{Config: cfg.Path, Ledger: a.ledgerPath(cfg), Endpoints: []endpoint.Report{}, Found: []endpoint.Found{}}
	if len(args) == 1 {
		out.Endpoints, err = probe(ctx, out.Endpoints, endpoint.Config{Name: roster.Shown(args[0]), BaseURL: args[0]})
		if err != nil {
			return err
		}
	} else {
		for _, name := range config.Names(cfg.Endpoints) {
			e := cfg.Endpoints[name]
			key, err := e.Key()
			if err != nil {
				return fmt.Errorf("endpoints.%s: %w", name, err)
			}
			out.Endpoints, err = probe(ctx, out.Endpoints, endpoint.Config{
				Name: name, BaseURL: e.URL, Key: key, KeyEnv: e.KeyEnv, Headers: e.Headers, Kind: e.Kind,
				CAFile: e.CAFile, InsecureTLS: e.InsecureTLS,
			})
			if err != nil {
				return fmt.Errorf("endpoints.%s: %w", name, err)
			}
		}
		out.Found = append(out.Found, endpoint.Discover(ctx, nil)...)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if asJSON {
		err = a.printJSON(out)
	} else {
		err = a.printDoctor(out)
	}
	for _, r := range out.Endpoints {
		if err == nil && r.Fault != nil {
			err = errReported
		}
	}
	return err
}

func probe(ctx context.Context, to []endpoint.Report, c endpoint.Config) ([]endpoint.Report, error) {
	client, err := endpoint.New(c)
	if err != nil {
		return to, err
	}
	return append(to, client.Probe(ctx)), nil
}

func (a *app) printDoctor(d doctorOutput) error {
	if d.Config == "" {
		d.Config = "none (herarena config init writes one)"
	}
	text := fmt.Sprintf("config  %s\nledger  %s\n", d.Config, d.Ledger)
	for _, r := range d.Endpoints {
		text += "\n" + reportText(r)
	}
	for _, f := range d.Found {
		text += fmt.Sprintf("\nfound %s, not configured: %s\n", f.BaseURL, plural(len(f.Models), "model"))
	}
	if len(d.Endpoints) == 0 && len(d.Found) == 0 {
		text += "\nno endpoint is configured and none was found on this machine: the rehearsal plays\n"
	}
	_, err := fmt.Fprint(a.out, guard.Text(text))
	return err
}

// reportText writes what was found of one endpoint.
func reportText(r endpoint.Report) string {
	text := fmt.Sprintf("%s   %s   %s\n", r.Name, r.BaseURL, strings.TrimSpace(r.Kind+" "+r.Version))
	if len(r.Models) > 0 {
		ids := make([]string, 0, len(r.Models))
		for _, m := range r.Models {
			ids = append(ids, m.ID)
		}
		text += "  models     " + strings.Join(ids, ", ") + "\n"
	}
	if r.ContextLength > 0 {
		text += fmt.Sprintf("  context    %d tokens\n", r.ContextLength)
	}
	text += fmt.Sprintf("  chat %s, prefill %s, JSON schema %s, usage %s\n", r.Chat, r.Prefill, r.Schema, r.Usage)
	if r.Reasoning != "" {
		text += "  reasoning  in the field " + r.Reasoning + "\n"
	}
	for _, note := range r.Notes {
		text += "  " + note + "\n"
	}
	if r.Fault != nil {
		text += "  " + r.Fault.Error() + "\n"
	}
	return text
}

// plural counts a thing in words.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
