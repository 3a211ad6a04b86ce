package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/judge/prompt"
	"herarena/judge/verdict"
	"herarena/tui/guard"
)

// verdictOutput is a verdict in HER-RM's own words.
type verdictOutput struct {
	Status         arena.VerdictStatus `json:"status"`
	Better         *arena.Choice       `json:"better_response"`
	Principles     []arena.Principle   `json:"principles"`
	Comparisons    []arena.Comparison  `json:"comparisons"`
	Tally          arena.Tally         `json:"tally"`
	TallyDisagrees bool                `json:"tally_disagrees"`
}

func newVerdictOutput(v arena.Verdict) verdictOutput {
	out := verdictOutput{
		Status: v.Status, Principles: v.Principles, Comparisons: v.Comparisons,
		Tally: v.Tally, TallyDisagrees: v.TallyDisagrees,
	}
	if v.Better != arena.NoChoice {
		out.Better = &v.Better
	}
	if out.Principles == nil {
		out.Principles = []arena.Principle{}
	}
	if out.Comparisons == nil {
		out.Comparisons = []arena.Comparison{}
	}
	return out
}

func (a *app) judgeCmd() *cobra.Command {
	c := &cobra.Command{Use: "judge", Short: "Read verdicts, judge a pair, or see the judge's prompt", RunE: group}
	c.AddCommand(a.judgeParseCmd(), a.judgePairCmd(), a.judgeRerunCmd(), a.judgeTemplateCmd())
	return c
}

func (a *app) judgeParseCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "parse", Short: "Read one raw critic output on standard input", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			raw, err := a.readAll(cmd.Context(), "the critic's output")
			if err != nil {
				return err
			}
			v := verdict.Parse(raw)
			if asJSON {
				return a.printJSON(newVerdictOutput(v))
			}
			if v.Status == arena.VerdictFailed {
				_, _ = fmt.Fprintln(a.errw, guard.Line(verdict.Explain(v)))
			}
			return a.printVerdict(v, "")
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// printVerdict writes a verdict for a person.
func (a *app) printVerdict(v arena.Verdict, note string) error {
	var b strings.Builder
	better := string(v.Better)
	if v.Better == arena.NoChoice {
		better = "no verdict"
	}
	fmt.Fprintf(&b, "%s   %d for cand_1, %d for cand_2, %d tied   (%s)%s\n", better, v.Tally.First, v.Tally.Second, v.Tally.Tie, v.Status, note)
	if v.TallyDisagrees {
		b.WriteString("the label and the tally of principles disagree\n")
	}
	for _, c := range v.Comparisons {
		fmt.Fprintf(&b, "\n%s   %s %s\n  cand_1  %s\n  cand_2  %s\n  %s\n", c.Name, c.Winner, c.Degree, c.First, c.Second, c.Reason)
	}
	_, err := fmt.Fprint(a.out, guard.Text(b.String()))
	return err
}

func (a *app) judgePairCmd() *cobra.Command {
	var critic string
	var asJSON bool
	c := &cobra.Command{
		Use: "pair", Short: "Judge a pair given as JSON on standard input, in both orders", Args: cobra.NoArgs,
		Long: "Reads {\"context\":[{\"role\",\"name\",\"content\"}],\"character\":\"…\",\"cand_1\":\"…\",\"cand_2\":\"…\"}\n" +
			"and judges it in both orders at once.\n\n" +
			"The context is the scene so far, the oldest line first. A line's role is system (what was asked of the character), user (whom the person plays) or assistant (the character); any other counts as user. name says who spoke and may be left out. character is whose reply the candidates are; user, the name of whom the person plays, and language, such as en, may be given beside it.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.judgePair(cmd.Context(), critic, asJSON) },
	}
	c.Flags().StringVar(&critic, "critic", roster.HouseCritic, "who judges: house, a configured critic, or URL#model")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// pairOutput is a ruling over cand_1 and cand_2 as given; better_response is
// null without a verdict or on a flip.
type pairOutput struct {
	verdictOutput
	Critic    string          `json:"critic"`
	Agreement arena.Agreement `json:"agreement"`
	// Estimate is the probability that cand_1 is the better one, the critic's
	// preference for a place taken out; null without a verdict.
	Estimate *float64                 `json:"p_cand_1"`
	Policy   arena.OrderPolicy        `json:"order_policy"`
	Orders   map[string]verdictOutput `json:"orders"`
	Error    *arena.Fault             `json:"error"`
}

func (a *app) judgePair(ctx context.Context, name string, asJSON bool) error {
	raw, err := a.readAll(ctx, "the pair, as JSON,")
	if err != nil {
		return err
	}
	pair, err := readPair(raw)
	if err != nil {
		return err
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	r, done, err := a.openRoster(cfg, roster.Options{})
	if err != nil {
		return err
	}
	defer done()
	critic, err := r.Critic(name)
	if err != nil {
		return err
	}
	ruling := arena.Deliberate(ctx, critic, pair, nil)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !asJSON {
		return a.printRuling(ruling)
	}
	if err := a.printJSON(newPairOutput(ruling)); err != nil {
		return err
	}
	if ruling.Agreement == arena.NoVerdict {
		return errReported
	}
	return nil
}

func newPairOutput(r arena.Ruling) pairOutput {
	first, second := r.Verdicts[arena.AFirst], r.Verdicts[arena.BFirst]
	out := pairOutput{
		verdictOutput: newVerdictOutput(first), Critic: r.Critic, Agreement: r.Agreement,
		Orders: map[string]verdictOutput{"cand_1_first": newVerdictOutput(first), "cand_2_first": newVerdictOutput(second)},
		Error:  first.Fault, Policy: r.Orders,
	}
	if p, _, ok := r.Estimate(); ok {
		out.Estimate = &p
	}
	if out.Error == nil {
		out.Error = second.Fault
	}
	if out.Error == nil && r.Agreement == arena.NoVerdict {
		out.Error = noVerdict(r)
	}
	out.Better = nil
	switch r.Winner {
	case arena.ChoseA:
		w := arena.First
		out.Better = &w
	case arena.ChoseB:
		w := arena.Second
		out.Better = &w
	case arena.Tie:
		w := arena.Tie
		out.Better = &w
	}
	return out
}

func (a *app) printRuling(r arena.Ruling) error {
	head := map[arena.Agreement]string{
		arena.Agree: "both orders agree", arena.Flip: "no winner: the orders disagree (a flip)",
		arena.OneFailed: "only one order gave a verdict", arena.NoVerdict: "neither order gave a verdict",
		arena.OneOrder: "one order asked",
	}[r.Agreement]
	winner := map[arena.Choice]string{arena.ChoseA: "cand_1 better, ", arena.ChoseB: "cand_2 better, ", arena.Tie: "a tie, "}[r.Winner]
	if _, err := fmt.Fprintf(a.out, "%s%s   %s\n", winner, head, guard.Line(r.Critic)); err != nil {
		return err
	}
	for order, v := range r.Verdicts {
		if v.Status == "" {
			continue
		}
		shown := "\ncand_1 shown first: "
		if arena.Order(order) == arena.BFirst {
			v, shown = asGiven(v), "\ncand_2 shown first: "
		}
		if r.Agreement == arena.Agree && arena.Order(order) == arena.BFirst {
			continue
		}
		_, _ = fmt.Fprint(a.out, shown)
		if err := a.printVerdict(v, ""); err != nil {
			return err
		}
	}
	if r.Agreement != arena.NoVerdict {
		return nil
	}
	return noVerdict(r)
}

// asGiven turns a verdict that was asked with the candidates in the other order
// back to the order in which they were given.
func asGiven(v arena.Verdict) arena.Verdict {
	swap := func(c arena.Choice) arena.Choice {
		switch c {
		case arena.First:
			return arena.Second
		case arena.Second:
			return arena.First
		}
		return c
	}
	v.Better = swap(v.Better)
	v.Tally.First, v.Tally.Second = v.Tally.Second, v.Tally.First
	v.Comparisons = slices.Clone(v.Comparisons)
	for i := range v.Comparisons {
		c := &v.Comparisons[i]
		c.First, c.Second, c.Winner = c.Second, c.First, swap(c.Winner)
	}
	return v
}

// noVerdict says why a critic gave none, and what to do.
func noVerdict(r arena.Ruling) *arena.Fault {
	for _, v := range r.Verdicts {
		if v.Fault != nil {
			return v.Fault
		}
	}
	v := r.Verdicts[arena.AFirst]
	if v.Status == "" {
		v = r.Verdicts[arena.BFirst]
	}
	return &arena.Fault{
		Kind: arena.BadRequest, Message: fmt.Sprintf("%s gave no verdict: %s", r.Critic, verdict.Explain(v)),
		Hint: "--record FILE keeps what it wrote, and herarena judge parse reads it again",
	}
}

func readPair(raw string) (arena.Case, error) {
	var c arena.Case
	if err := json.Unmarshal([]byte(raw), &c); err != nil {
		return c, fmt.Errorf("the pair on standard input is not the JSON asked for: %w (see herarena judge pair --help)", err)
	}
	for field, text := range map[string]string{"cand_1": c.Cand1, "cand_2": c.Cand2} {
		if strings.TrimSpace(text) == "" {
			return c, fmt.Errorf("the pair's %s is empty: an empty reply is invalid and not judged", field)
		}
	}
	return c, nil
}

func (a *app) templateShowCmd() *cobra.Command {
	var general bool
	var list string
	c := &cobra.Command{
		Use: "show", Short: "Print the template in force", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			name := ""
			if general || list != "" {
				name = roster.General
			}
			t, err := roster.Template(name, list)
			if err != nil {
				return err
			}
			_, _ = fmt.Fprintf(a.errw, "%s, sha256 %s\n", t.Name, t.Hash)
			_, err = fmt.Fprintln(a.out, strings.TrimRight(t.Text, "\n"))
			return err
		},
	}
	c.Flags().BoolVar(&general, "general", false, "the one for models that were not trained to judge, with its list of principles")
	c.Flags().StringVar(&list, "principles", "", "a TOML file of principles instead of the arena's own 107 (with --general)")
	return c
}

func (a *app) judgeTemplateCmd() *cobra.Command {
	c := &cobra.Command{Use: "template", Short: "Show the judge's prompt, or take one from a model card", RunE: group}
	c.AddCommand(
		a.templateShowCmd(),
		&cobra.Command{
			Use: "import FILE", Short: "Take the trained prompt out of HER-RM's model card", Args: cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error { return a.importTemplate(args[0]) },
		},
	)
	return c
}

func (a *app) importTemplate(file string) error {
	t, err := prompt.Import(file)
	if err != nil {
		return err
	}
	path := config.TemplatePath()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("the data folder cannot be made: %w", err)
	}
	if err := os.WriteFile(path, []byte(t.Text), 0o600); err != nil {
		return fmt.Errorf("the template cannot be kept: %w", err)
	}
	_, err = fmt.Fprintf(a.out, "%s\nsha256 %s\n", path, t.Hash)
	return err
}
