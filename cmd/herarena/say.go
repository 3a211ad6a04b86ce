package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/endpoint"
	"herarena/arena/layers"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/tui/guard"
)

type sayOutput struct {
	Prefill   string           `json:"prefill,omitempty"` // sent as its beginning, not part of content unless repeated
	Content   string           `json:"content"`
	Reasoning string           `json:"reasoning"`
	Segments  []layers.Segment `json:"segments"`
	Finish    string           `json:"finish"`
	Complete  bool             `json:"complete"`
	Damaged   int              `json:"damaged"`
	Usage     *arena.Usage     `json:"usage"`
	Error     *arena.Fault     `json:"error"`
	Notes     []string         `json:"notes,omitempty"`
	TTFT      int64            `json:"ttft_ms"`
	Total     int64            `json:"total_ms"`
}

type sayFlags struct {
	contestant, url, model, system, prefill string
	firstByte, idle                         time.Duration
	asJSON                                  bool
}

func (a *app) sayCmd() *cobra.Command {
	var f sayFlags
	c := &cobra.Command{
		Use:     "say LINE",
		Short:   "Say one line to one model and see its reply",
		Example: `herarena say --url http://127.0.0.1:11434/v1 --model qwen3:8b "Good evening, captain."`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.say(cmd.Context(), f, args[0])
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.contestant, "contestant", "", "a configured contestant, or rehearsal/lead, rehearsal/understudy")
	fl.StringVar(&f.url, "url", "", "base URL of an OpenAI-compatible server")
	fl.StringVar(&f.model, "model", "", "model id at --url")
	fl.StringVar(&f.system, "system", "", "system prompt")
	fl.StringVar(&f.prefill, "prefill", "", "the beginning of the reply, to be continued by the model")
	fl.DurationVar(&f.firstByte, "first-byte-timeout", 0, "give up when nothing has come for so long, e.g. 90s (0: 3 minutes)")
	fl.DurationVar(&f.idle, "idle-timeout", 0, "give up when the stream has been silent for so long, e.g. 30s (0: one minute)")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return c
}

func (a *app) say(ctx context.Context, f sayFlags, line string) error {
	who, done, err := a.sayContestant(f)
	if err != nil {
		return err
	}
	defer done()
	if f.prefill != "" {
		who.Prefill = f.prefill
	}
	call := arena.Call{Sampling: who.Sampling, Prefill: who.Prefill, Session: arena.NewID(time.Now())}
	if f.system != "" {
		call.Messages = append(call.Messages, arena.Message{Role: "system", Content: f.system})
	}
	call.Messages = append(call.Messages, arena.Message{Role: "user", Content: line})
	var clean guard.Stream
	started := false
	out := who.Player.Play(ctx, call, func(c arena.Chunk) {
		switch {
		case c.Kind == arena.ChunkRetry && c.Fault != nil:
			what := "trying again in " + c.Wait.Round(time.Millisecond).String()
			if c.Wait == 0 {
				what = c.Fault.Hint // another form, or another server
			}
			_, _ = fmt.Fprintf(a.errw, "%s; %s\n", guard.Line(c.Fault.Message), guard.Line(what))
		case c.Kind == arena.ChunkText && !f.asJSON:
			text := c.Text
			if !started && !strings.HasPrefix(text, "<") {
				// What the model continues belongs to what a person reads.
				text = who.Prefill + text
			}
			started = true
			_, _ = fmt.Fprint(a.out, clean.Clean(text))
		}
	})
	if p, ok := who.Player.(arena.PrefillRefuser); ok && p.PrefillRefused() {
		who.Prefill = ""
	}
	if f.asJSON {
		return a.sayJSON(who, out)
	}
	if started {
		_, _ = fmt.Fprintln(a.out, clean.Flush())
	}
	for _, note := range out.Notes {
		_, _ = fmt.Fprintln(a.errw, guard.Line(note))
	}
	if out.Fault != nil {
		return out.Fault
	}
	if strings.TrimSpace(out.Content) == "" && len(out.Notes) == 0 {
		_, _ = fmt.Fprintln(a.errw, "no words: the reply is empty; try another prompt or look at the model's chat template")
	}
	_, _ = fmt.Fprintf(a.errw, "%s, first token after %s, %s in all%s\n", orWord(out.Finish, "ended"),
		out.FirstByte.Round(time.Millisecond), out.Total.Round(time.Millisecond), usageNote(out.Usage))
	return nil
}

func orWord(s, word string) string {
	if s == "" {
		return word
	}
	return guard.Line(s)
}

func usageNote(u *arena.Usage) string {
	if u == nil {
		return ""
	}
	return fmt.Sprintf(", %d + %d tokens", u.PromptTokens, u.CompletionTokens)
}

func (a *app) sayJSON(who arena.Contestant, out arena.Outcome) error {
	p := layers.Parse(out.Content, layers.Options{Prefill: who.Prefill, Dialect: who.Dialect})
	err := a.printJSON(sayOutput{
		Prefill: who.Prefill, Content: out.Content, Reasoning: out.Reasoning, Segments: segmentsOrEmpty(p.Segments),
		Finish: out.Finish, Complete: out.Complete, Damaged: out.Damaged, Usage: out.Usage,
		Error: out.Fault, Notes: out.Notes, TTFT: out.FirstByte.Milliseconds(), Total: out.Total.Milliseconds(),
	})
	switch {
	case err != nil:
		return err
	case out.Fault == nil:
		return nil
	case out.Fault.Kind == arena.Cancelled:
		return context.Canceled
	}
	return errReported
}

// sayContestant finds or makes whom to talk to.
func (a *app) sayContestant(f sayFlags) (arena.Contestant, func(), error) {
	none := func() {}
	limits := func(c *endpoint.Config) {
		if f.firstByte > 0 {
			c.FirstByteTimeout = f.firstByte
		}
		if f.idle > 0 {
			c.IdleTimeout = f.idle
		}
	}
	if base, model, ok := strings.Cut(f.url, "#"); ok && f.model == "" {
		f.url, f.model = base, model
	}
	switch {
	case f.contestant != "" && f.url != "":
		return arena.Contestant{}, none, usagef("give --contestant or --url, not both")
	case f.contestant == "" && f.url == "":
		return arena.Contestant{}, none, usagef("whom? give --contestant NAME, or --url URL --model MODEL")
	case f.url != "" && f.model == "":
		return arena.Contestant{}, none, usagef("--url needs --model too (herarena doctor %s lists what it serves)", f.url)
	}
	who := f.contestant
	cfg := config.Config{}
	if f.url != "" {
		who = f.url + "#" + f.model
	} else {
		var err error
		if cfg, err = a.config(); err != nil {
			return arena.Contestant{}, none, err
		}
	}
	r, done, err := a.openRoster(cfg, roster.Options{Rehearse: f.url == "", Pace: -1, Limits: limits})
	if err != nil {
		return arena.Contestant{}, none, err
	}
	c, err := r.Contestant(who)
	if err != nil {
		done()
		return arena.Contestant{}, none, err
	}
	return c, done, nil
}
