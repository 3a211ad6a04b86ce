package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/rating"
	"herarena/tui/guard"
)

// maxBootstrap bounds the memory and time a typing mistake can cost.
const maxBootstrap = 100_000

type boardFlags struct {
	from, source, html string
	bootstrap          int
	seed               uint64
	asJSON             bool
}

func (a *app) boardCmd() *cobra.Command {
	var f boardFlags
	c := &cobra.Command{
		Use: "board", Short: "Print the ratings made from a source's battles", Args: cobra.NoArgs,
		Example: "herarena board --source vote\nherarena board --from battles.csv --bootstrap 1000 --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.board(cmd.Context(), f) },
	}
	fl := c.Flags()
	fl.StringVar(&f.from, "from", "", "rate the battles of this CSV or JSONL file (model_a, model_b, winner) instead of the ledger's")
	fl.StringVar(&f.source, "source", "", "one of vote, critic:NAME, rehearsal/vote, rehearsal/critic:NAME (none: the source with most battles)")
	fl.IntVar(&f.bootstrap, "bootstrap", 0, "take intervals from so many bootstraps instead of the sandwich formula")
	fl.Uint64Var(&f.seed, "seed", 0, "seed of the bootstrap")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	fl.StringVar(&f.html, "html", "", "write a page to this file")
	return c
}

func (a *app) board(ctx context.Context, f boardFlags) error {
	if f.bootstrap < 0 {
		return usagef("--bootstrap %d: a number of rounds cannot be negative", f.bootstrap)
	}
	if f.bootstrap > maxBootstrap {
		return usagef("--bootstrap %d: more than %d rounds only cost time; 1000 is plenty", f.bootstrap, maxBootstrap)
	}
	if f.asJSON && f.html != "" {
		return usagef("give --json or --html, not both")
	}
	title := f.from
	battles, err := a.boardBattles(ctx, &f, &title)
	if err != nil {
		return err
	}
	board := rating.NewBoard(battles, rating.Options{Bootstrap: f.bootstrap, Seed: f.seed})
	switch {
	case f.asJSON:
		return a.printJSON(board)
	case f.html != "":
		if err := writeBoardPage(f.html, title, board); err != nil {
			return err
		}
		_, err := fmt.Fprintln(a.out, f.html)
		return err
	}
	return a.printBoard(title, board)
}

func (a *app) boardBattles(ctx context.Context, f *boardFlags, title *string) ([]rating.Battle, error) {
	if f.from != "" {
		return rating.ReadFile(f.from)
	}
	cfg, err := a.config()
	if err != nil {
		return nil, err
	}
	path := a.ledgerPath(cfg)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		*title = "no battle yet"
		return nil, nil
	}
	l, err := ledger.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }()
	sources, err := l.Sources(ctx)
	if err != nil {
		return nil, err
	}
	if f.source == "" {
		f.source = defaultSource(sources)
	} else if !knownSource(sources, f.source) {
		var names []string
		for _, s := range sources {
			names = append(names, string(s.Source))
		}
		return nil, fmt.Errorf("the ledger has no battles of source %q (it has: %s)", f.source, orNone(names))
	}
	*title = f.source
	if f.source == "" {
		*title = "no battle yet"
		return nil, nil
	}
	return ratingBattles(ctx, l, arena.Source(f.source))
}

// ratingBattles reads the battles of a source that count.
func ratingBattles(ctx context.Context, l *ledger.Ledger, source arena.Source) ([]rating.Battle, error) {
	return l.Rated(ctx, ledger.BattleFilter{Source: source})
}

// defaultSource prefers real battles over rehearsals, then the largest source.
func defaultSource(sources []ledger.SourceCount) string {
	best, n, rehearsal := "", -1, true
	for _, s := range sources {
		r := strings.HasPrefix(string(s.Source), "rehearsal/")
		if (rehearsal && !r) || (r == rehearsal && s.Counted > n) {
			best, n, rehearsal = string(s.Source), s.Counted, r
		}
	}
	return best
}

func knownSource(sources []ledger.SourceCount, want string) bool {
	for _, s := range sources {
		if string(s.Source) == want {
			return true
		}
	}
	return false
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none yet"
	}
	return strings.Join(names, ", ")
}

func (a *app) printBoard(title string, b rating.Board) error {
	_, _ = fmt.Fprintf(a.out, "%s   %d battles\n\n", guard.Line(title), b.Battles)
	if len(b.Ratings) == 0 {
		_, err := fmt.Fprintln(a.out, "Play a duel (herarena) and vote: the table begins with the first battle.")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "rank\tcontestant\tBT\t95 %\tElo\tbattles\twon\tlost\ttied\tboth bad\t")
	for _, r := range b.Ratings {
		_, _ = fmt.Fprintf(w, "%d\t%s\t%.0f\t%.0f–%.0f\t%.0f\t%g\t%g\t%g\t%g\t%g\t\n", r.Rank, guard.Line(r.Contestant), r.BT,
			r.Low, r.High, r.Elo, r.Battles, r.Wins, r.Losses, r.Ties, r.BothBad)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, note := range b.Warnings {
		_, _ = fmt.Fprintln(a.out, "\n! "+guard.Line(note))
	}
	return nil
}
