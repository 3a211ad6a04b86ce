package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/replay"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/judge/principles"
	"herarena/tui/guard"
)

type rerunFlags struct {
	turn                             int
	critic, template, list, orders   string
	thoughts, equalise, drop, asJSON bool
	replaceA, replaceB               []string
}

func (a *app) judgeRerunCmd() *cobra.Command {
	var f rerunFlags
	c := &cobra.Command{
		Use: "rerun DUEL", Short: "Judge a logged turn again, as it was or with changes", Args: cobra.ExactArgs(1),
		Long: "Judges a turn of a duel in the ledger again: with another critic, template or policy of\n" +
			"orders, or with candidates changed on purpose, to see whether the verdict follows.\n" +
			"What was judged before stays, and the new ruling counts for no board.",
		Example: "herarena judge rerun 06h2j --turn 3 --critic her-rm\n" +
			"herarena judge rerun 06h2j --strip-thoughts --equalise\n" +
			"herarena judge rerun 06h2j --replace-b 'I am sorry=>I am glad'",
		RunE: func(cmd *cobra.Command, args []string) error { return a.rerun(cmd.Context(), args[0], f) },
	}
	fl := c.Flags()
	fl.IntVar(&f.turn, "turn", 0, "the turn's number; 0 is the last with two replies")
	fl.StringVar(&f.critic, "critic", "", "who judges: house, a configured critic, or URL#model (default: who judged before)")
	fl.StringVar(&f.template, "template", "", "a file with {context}, {cand_1} and {cand_2}, or general")
	fl.StringVar(&f.list, "principles", "", "the list that --template general gives: ours or a TOML file")
	fl.StringVar(&f.orders, "orders", "", "ask the second order: always, never or close")
	fl.BoolVar(&f.thoughts, "strip-thoughts", false, "keep role thinking from the critic")
	fl.BoolVar(&f.equalise, "equalise", false, "cut the longer candidate to about the length of the shorter")
	fl.StringArrayVar(&f.replaceA, "replace-a", nil, "change words of A's candidate: 'old=>new'; may be repeated")
	fl.StringArrayVar(&f.replaceB, "replace-b", nil, "change words of B's candidate: 'old=>new'; may be repeated")
	fl.BoolVar(&f.drop, "dry", false, "do not keep the new ruling")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	return c
}

// rerunOutput is a turn judged again beside what was said before.
type rerunOutput struct {
	Duel    string      `json:"duel"`
	Turn    int         `json:"turn"`
	Changes string      `json:"changes"`
	Before  *pairOutput `json:"before"`
	Now     pairOutput  `json:"now"`
}

func (a *app) rerun(ctx context.Context, id string, f rerunFlags) error {
	policy := arena.OrderPolicy(f.orders)
	if f.orders != "" {
		var err error
		if policy, err = arena.ParseOrderPolicy(f.orders); err != nil {
			return usageError{err}
		}
	}
	edits, err := replacements(f)
	if err != nil {
		return err
	}
	return a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		full, err := l.Duel(ctx, id)
		if err != nil {
			return err
		}
		j, before, err := rejudgement(full, f.turn)
		if err != nil {
			return err
		}
		j.HideThoughts, j.Equalise, j.Replace = f.thoughts, f.equalise, edits
		critic, done, err := a.rerunCritic(f, before)
		if err != nil {
			return err
		}
		defer done()
		now, err := j.Judge(ctx, critic, policy, nil)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if !f.drop {
			if err := l.RecordRuling(now); err != nil {
				return err
			}
		}
		return a.tellRerun(full.ID, j, before, now, f.asJSON)
	})
}

func replacements(f rerunFlags) ([]arena.Replacement, error) {
	var out []arena.Replacement
	for side, list := range [][]string{f.replaceA, f.replaceB} {
		for _, text := range list {
			from, to, ok := strings.Cut(text, "=>")
			if !ok || from == "" {
				return nil, usagef("%q is not of the form 'old=>new'", text)
			}
			out = append(out, arena.Replacement{Side: arena.Side(side), Old: from, New: to})
		}
	}
	return out, nil
}

// rejudgement finds a turn of a recorded duel and what was ruled on it.
func rejudgement(full *ledger.DuelFull, number int) (*arena.Rejudgement, *arena.Ruling, error) {
	turns := replay.Turns(full)
	for i := len(turns) - 1; i >= 0; i-- {
		t := &turns[i]
		ra, rb := t.Reply(arena.A), t.Reply(arena.B)
		if number != 0 && t.Number != number || number == 0 && (ra == nil || rb == nil) {
			continue
		}
		if ra == nil || rb == nil {
			return nil, nil, fmt.Errorf("turn %d of duel %s has no two replies to judge", number, full.ID)
		}
		var history []arena.PastTurn
		if t.Number > 1 {
			history = replay.History(full, t.Number-1)
		}
		return &arena.Rejudgement{
			Scene: replay.Scene(&full.DuelRecord), Past: history, Turn: *t, A: ra, B: rb, Session: full.ID + "-again",
		}, t.Ruling, nil
	}
	if number != 0 {
		return nil, nil, fmt.Errorf("duel %s has no turn %d", full.ID, number)
	}
	return nil, nil, fmt.Errorf("duel %s has no turn with two replies", full.ID)
}

// rerunCritic finds who is asked: the one named, else the one who judged before.
func (a *app) rerunCritic(f rerunFlags, before *arena.Ruling) (arena.Critic, func(), error) {
	name := f.critic
	if name == "" {
		name = roster.HouseCritic
		if before != nil {
			name = before.Critic
		}
	}
	cfg, err := a.config()
	if err != nil {
		return nil, nil, err
	}
	if f.template != "" || f.list != "" {
		if err := withTemplate(&cfg, name, f); err != nil {
			return nil, nil, err
		}
	}
	r, done, err := a.openRoster(cfg, roster.Options{})
	if err != nil {
		return nil, nil, err
	}
	critic, err := r.Critic(name)
	if err != nil {
		done()
		return nil, nil, err
	}
	return critic, done, nil
}

// withTemplate gives a configured critic another template for this once.
func withTemplate(cfg *config.Config, name string, f rerunFlags) error {
	c, ok := cfg.Critics[name]
	if !ok {
		return fmt.Errorf("--template is for a critic of the configuration; %s is none", name)
	}
	if f.template != "" {
		c.Template = f.template
	}
	if f.list != "" {
		c.Template, c.Principles = roster.General, f.list
	}
	cfg.Critics[name] = c
	return nil
}

func (a *app) tellRerun(id string, j *arena.Rejudgement, before *arena.Ruling, now arena.Ruling, asJSON bool) error {
	if asJSON {
		out := rerunOutput{Duel: id, Turn: j.Turn.Number, Changes: j.Changes(), Now: newPairOutput(now)}
		if before != nil {
			b := newPairOutput(*before)
			out.Before = &b
		}
		if err := a.printJSON(out); err != nil {
			return err
		}
	} else if _, err := fmt.Fprint(a.out, guard.Text(sideBySide(j, before, now))); err != nil {
		return err
	}
	for _, v := range now.Verdicts {
		if now.Agreement == arena.NoVerdict && v.Fault != nil {
			return v.Fault
		}
	}
	if now.Agreement == arena.NoVerdict {
		return errReported
	}
	return nil
}

// sideBySide writes the ruling of play beside the new one, principle by
// principle.
func sideBySide(j *arena.Rejudgement, before *arena.Ruling, now arena.Ruling) string {
	var b strings.Builder
	row := func(name, was, is string) {
		fmt.Fprintf(&b, "%-34s  %-28s  %s\n", clip(name, 34), clip(was, 28), clip(is, 28))
	}
	fmt.Fprintf(&b, "turn %d, %s\n\n", j.Turn.Number, j.Changes())
	if before == nil {
		before = &arena.Ruling{Critic: "not judged", Agreement: arena.NoVerdict}
	}
	row("", "before: "+before.Critic, "now: "+now.Critic)
	row("ruling", rulingWords(*before), rulingWords(now))
	row("chance of A", chanceWords(*before), chanceWords(now))
	for _, order := range []arena.Order{arena.AFirst, arena.BFirst} {
		was, is := before.Verdicts[order], now.Verdicts[order]
		fmt.Fprintf(&b, "\n")
		row(order.String(), sideWords(order, was.Better), sideWords(order, is.Better))
		for _, name := range names(was, is) {
			row("  "+name, principleWords(order, was, name), principleWords(order, is, name))
		}
	}
	return b.String()
}

func clip(s string, n int) string {
	r := []rune(guard.Line(s))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}

func rulingWords(r arena.Ruling) string {
	switch r.Agreement {
	case arena.Flip:
		return "flip"
	case arena.NoVerdict:
		return "no verdict"
	}
	words := map[arena.Choice]string{arena.ChoseA: "A better", arena.ChoseB: "B better", arena.Tie: "tie"}[r.Winner]
	switch r.Agreement {
	case arena.OneOrder:
		words += ", one order"
	case arena.OneFailed:
		words += ", one failed"
	}
	return words
}

func chanceWords(r arena.Ruling) string {
	p, _, ok := r.Estimate()
	if !ok {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*p)
}

func sideWords(o arena.Order, c arena.Choice) string {
	switch o.Side(c) {
	case arena.ChoseA:
		return "A"
	case arena.ChoseB:
		return "B"
	case arena.Tie:
		return "tie"
	}
	return "–"
}

// names lists the principles of two verdicts, those of the first one first; one
// principle under two names is one.
func names(verdicts ...arena.Verdict) []string {
	var out []string
	seen := map[string]bool{}
	for _, v := range verdicts {
		for _, c := range v.Comparisons {
			if key := principles.Key(c.Name); !seen[key] {
				seen[key] = true
				out = append(out, c.Name)
			}
		}
	}
	return out
}

func principleWords(o arena.Order, v arena.Verdict, name string) string {
	for _, c := range v.Comparisons {
		if principles.Key(c.Name) == principles.Key(name) {
			return strings.TrimSpace(sideWords(o, c.Winner) + " " + c.Degree)
		}
	}
	return ""
}
