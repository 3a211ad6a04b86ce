package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"herarena/arena/layers"
	"herarena/tui/guard"
)

type layersOutput struct {
	Dialect   layers.Dialect   `json:"dialect"`
	Segments  []layers.Segment `json:"segments"`
	Truncated bool             `json:"truncated"`
	SpokeFor  []string         `json:"spoke_for"`
}

func (a *app) layersCmd() *cobra.Command {
	var name, prefill, dialect string
	var others []string
	var asJSON bool
	c := &cobra.Command{
		Use:     "layers",
		Short:   "Split one reply on standard input into its layers",
		Example: `echo '<role_thinking>He lies</role_thinking>Good evening.' | herarena layers --json`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := layers.ParseDialect(dialect)
			if err != nil {
				return usagef("--dialect: %w", err)
			}
			raw, err := a.readAll(cmd.Context(), "the reply")
			if err != nil {
				return err
			}
			p := layers.Parse(raw, layers.Options{Name: name, Others: others, Prefill: prefill, Dialect: d})
			if asJSON {
				return a.printJSON(layersOutput{p.Dialect, segmentsOrEmpty(p.Segments), p.Truncated, stringsOrEmpty(p.SpokeFor)})
			}
			for _, s := range p.Segments {
				if _, err := fmt.Fprintf(a.out, "%-7s %s\n", s.Layer, guard.Text(s.Text)); err != nil {
					return err
				}
			}
			if p.Truncated {
				_, _ = fmt.Fprintln(a.errw, "the reply ends inside a layer: it was cut off")
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&name, "name", "", "the character who replies; a leading \"NAME:\" is removed")
	f.StringSliceVar(&others, "other", nil, "another name in the scene, to tell when the reply speaks for it")
	f.StringVar(&prefill, "prefill", "", "what was sent as the beginning of the reply")
	f.StringVar(&dialect, "dialect", "auto", "how layers are written: auto, her, coser, asterisk or plain")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}
