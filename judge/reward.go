// Package judge holds the critics of HER Arena. The RewardModel here asks a
// model, HER-RM or any other that answers in HER-RM's form; the house critic in
// judge/house is made of code. Both are arena.Critics and write the same
// verdicts.
package judge

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"herarena/arena"
	"herarena/judge/prompt"
	"herarena/judge/verdict"
)

// Sampling that HER-RM's card recommends. Its 2048 tokens are doubled, since
// the model repeats both candidates before it says anything.
const (
	defaultTemperature = 0.7
	defaultTopP        = 0.9
	defaultMaxTokens   = 4096
)

// frame is the least time between two snapshots.
const frame = 30 * time.Millisecond

// Options say which model judges, and how it is asked.
type Options struct {
	// Name is the critic's name on boards; empty is "her-rm".
	Name string
	// Model is the model's id, for the record.
	Model  string
	Player arena.Player
	// Template is what is asked; the zero one is prompt.Default().
	Template prompt.Template
	// Form is how the context is written; empty is prompt.FormRoles.
	Form prompt.Form
	// Sampling fills what is unset with temperature 0.7, top_p 0.9 and 4096 tokens.
	Sampling arena.Sampling
	// EchoPrefill sends the echo of both candidates as the beginning of the
	// answer, so that the first principle comes at once. It needs an endpoint
	// that continues a given prefix, and a model that does not think first.
	EchoPrefill bool
	// Orders says when the second order is asked; empty is always.
	Orders arena.OrderPolicy
	// RetryParse asks once more, with the reason, where an answer held no verdict
	// at all.
	RetryParse bool
}

// RewardModel is a critic that asks a model. It holds no state: Judge may be
// called any number of times at once.
type RewardModel struct {
	o Options
}

var _ arena.Critic = (*RewardModel)(nil)

// NewRewardModel returns a critic over a player, with the defaults filled in.
// The player must not be nil.
func NewRewardModel(o Options) *RewardModel {
	if o.Name == "" {
		o.Name = "her-rm"
	}
	if o.Template.Text == "" {
		o.Template = prompt.Default()
	}
	if o.Form == "" {
		o.Form = prompt.FormRoles
	}
	if o.Sampling.Temperature == nil {
		o.Sampling.Temperature = new(defaultTemperature)
	}
	if o.Sampling.TopP == nil {
		o.Sampling.TopP = new(defaultTopP)
	}
	if o.Sampling.MaxTokens == 0 {
		o.Sampling.MaxTokens = defaultMaxTokens
	}
	return &RewardModel{o: o}
}

// Name returns the critic's name on boards.
func (r *RewardModel) Name() string { return r.o.Name }

var _ arena.OrderChooser = (*RewardModel)(nil)

// Orders implements arena.OrderChooser.
func (r *RewardModel) Orders() arena.OrderPolicy { return r.o.Orders }

// Judge asks the model about one case in the order shown. on gets a snapshot at
// most every 30 ms, from one goroutine at a time, and the last one always; it is
// not called after Judge has returned. A fault of the endpoint ends up in the
// verdict's Fault with what arrived before it; an answer that cannot be read is
// asked for once more (Options.RetryParse) and is then a failed verdict, never a
// tie.
func (r *RewardModel) Judge(ctx context.Context, c arena.Case, on func(arena.Verdict)) arena.Verdict {
	start := time.Now()
	pace := newPacer(on)
	defer pace.stop()

	asked := []arena.Message{{Role: "user", Content: r.o.Template.Fill(c, r.o.Form)}}
	v := r.ask(ctx, c, asked, pace)
	if r.o.RetryParse && v.Status == arena.VerdictFailed && v.Fault == nil && ctx.Err() == nil {
		first := v
		v = r.ask(ctx, c, append(asked, again(first)...), pace)
		v.Usage = sum(first.Usage, v.Usage)
		v.FirstByte = first.FirstByte
		if v.Raw == "" {
			v.Raw = first.Raw // what failed is kept, so that it can be looked at
		}
	}
	v.Total = time.Since(start)
	pace.last(v)
	return v
}

// again tells the model why its answer could not be read.
func again(v arena.Verdict) []arena.Message {
	const most = 4000 // bytes of the unreadable answer that are shown again
	said := strings.ToValidUTF8(v.Raw[:min(most, len(v.Raw))], "")
	if strings.TrimSpace(said) == "" {
		said = "(no answer)"
	}
	return []arena.Message{
		{Role: "assistant", Content: said},
		{Role: "user", Content: "That could not be read: " + verdict.Explain(v) + ". Judge the same two candidates once more and " +
			"answer with the one JSON object of the output format and nothing else. It must end with better_response: cand_1, cand_2 or tie."},
	}
}

// ask sends one request and reads its answer while it streams.
func (r *RewardModel) ask(ctx context.Context, c arena.Case, messages []arena.Message, pace *pacer) arena.Verdict {
	a := &answer{reader: verdict.NewReader(), model: r.o.Model, hash: r.o.Template.Hash}
	call := arena.Call{Messages: messages, Sampling: r.o.Sampling, Session: c.Session, TokenOdds: true}
	if r.o.EchoPrefill {
		call.Prefill = Echo(c)
		a.prefill, a.pending = call.Prefill, call.Prefill
		a.reader.Write(call.Prefill)
	}
	pace.offer(a.snapshot)
	out := r.o.Player.Play(ctx, call, func(chunk arena.Chunk) {
		pace.guard(func() { a.take(chunk) })
		pace.offer(a.snapshot)
	})
	pace.settle()
	return a.end(out)
}

// Echo is the beginning of HER-RM's answer up to the first principle: the fence,
// and both candidates word for word.
func Echo(c arena.Case) string {
	return "```json\n{\n  \"result\": [\n    {\n      \"cand_1\": " + quoted(c.Cand1) +
		",\n      \"cand_2\": " + quoted(c.Cand2) + ",\n      \"principle\": {"
}

// quoted writes a JSON string as models do, without escapes for < and >.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func sum(a, b *arena.Usage) *arena.Usage {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &arena.Usage{
		PromptTokens:     a.PromptTokens + b.PromptTokens,
		CompletionTokens: a.CompletionTokens + b.CompletionTokens,
		TotalTokens:      a.TotalTokens + b.TotalTokens,
	}
}
