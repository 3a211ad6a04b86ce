package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/arena/rating"
)

// Bounds on the memory and time a typing mistake can cost.
const (
	maxBootstrap = 100_000
	maxLast      = 10_000_000
)

type boardFlags struct {
	from, source, html string
	bootstrap, last    int
	seed               uint64
	asJSON             bool
	model, by          string
	composite          []string
	style, matrix      bool
	reweighted         bool
}

func (a *app) boardCmd() *cobra.Command {
	var f boardFlags
	c := &cobra.Command{
		Use: "board", Short: "Print the ratings made from a source's battles", Args: cobra.NoArgs,
		Example: "herarena board --source vote\nherarena board --from battles.csv --bootstrap 1000 --json\nherarena board --composite vote=1,critic:her-rm=0.5\nherarena board --by language --model davidson --html board.html",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.board(cmd.Context(), f) },
	}
	fl := c.Flags()
	fl.StringVar(&f.from, "from", "", "rate the battles of this CSV or JSONL file (model_a, model_b, winner, weight if there) instead of the ledger's")
	fl.StringVar(&f.source, "source", "", "one of vote, critic:NAME, rehearsal/vote, rehearsal/critic:NAME (none: the source with most battles)")
	fl.StringSliceVar(&f.composite, "composite", nil, "rate several sources at once, each with its weight: vote=1,critic:NAME=0.5")
	fl.StringVar(&f.model, "model", "", "how ties are taken: bt (half a win each), davidson or rao-kupper (none: bt)")
	fl.BoolVar(&f.style, "style", false, "hold the style of the replies equal (length, action, thought, Markdown) and show what it is worth")
	fl.StringVar(&f.by, "by", "", "a board for each dimension, character, scene, language or turn as well")
	fl.IntVar(&f.last, "last", 0, "rate only so many of the last battles (none: all)")
	fl.BoolVar(&f.reweighted, "reweighted", false, "give each pair of contestants the same say, however often it met")
	fl.IntVar(&f.bootstrap, "bootstrap", 0, "take intervals from so many bootstraps instead of the sandwich formula")
	fl.Uint64Var(&f.seed, "seed", 0, "seed of the bootstrap")
	fl.BoolVar(&f.matrix, "matrix", false, "show who won how often against whom")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	fl.StringVar(&f.html, "html", "", "write a page to this file")
	return c
}

func (a *app) board(ctx context.Context, f boardFlags) error {
	o, by, err := f.options()
	if err != nil {
		return err
	}
	title, board, err := a.rate(ctx, &f, by, o)
	if err != nil {
		return err
	}
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

// options checks the flags.
func (f *boardFlags) options() (o rating.Options, by rating.By, err error) {
	switch {
	case f.bootstrap < 0:
		return o, by, usagef("--bootstrap %d: a number of rounds cannot be negative", f.bootstrap)
	case f.bootstrap > maxBootstrap:
		return o, by, usagef("--bootstrap %d: more than %d rounds only cost time; 1000 is plenty", f.bootstrap, maxBootstrap)
	case f.last < 0 || f.last > maxLast:
		return o, by, usagef("--last %d: give a number of battles from 1 to %d", f.last, maxLast)
	case f.asJSON && f.html != "":
		return o, by, usagef("give --json or --html, not both")
	}
	model, err := rating.ParseModel(f.model)
	if err != nil {
		return o, by, usagef("--model: %w", err)
	}
	if by, err = rating.ParseBy(f.by); err != nil {
		return o, by, usagef("--by: %w", err)
	}
	if f.style && (model != rating.BradleyTerry || f.bootstrap > 0 || f.reweighted) {
		return o, by, usagef("--style makes a fit of its own; give it without --model, --bootstrap and --reweighted")
	}
	if len(f.composite) > 0 && (f.from != "" || f.source != "" || model != rating.BradleyTerry || f.style || f.reweighted || by != "") {
		return o, by, usagef("--composite joins sources of the ledger by Bradley–Terry; give it without --from, --source, --model, --style, --reweighted and --by")
	}
	return rating.Options{
		Bootstrap: f.bootstrap, Seed: f.seed, Model: model, Reweighted: f.reweighted,
		Style: f.style, Matrix: f.matrix, Last: f.last,
	}, by, nil
}

// rate makes the board and names it.
func (a *app) rate(ctx context.Context, f *boardFlags, by rating.By, o rating.Options) (title string, b rating.Board, err error) {
	if len(f.composite) > 0 {
		return a.rateComposite(ctx, f.composite, o)
	}
	to := rating.NewSlicer(by, o)
	if f.from != "" {
		found, err := rating.Each(f.from, rating.ReadOptions{By: by, Style: f.style}, to.Add)
		if err != nil {
			return "", b, err
		}
		b = to.Board(o)
		if found.Weighted {
			b.Warnings = append(b.Warnings, "Battles count by the weight given in the file.")
		}
		return f.from, b, nil
	}
	title = "no battle yet"
	_, err = a.overLedger(ctx, func(l *ledger.Ledger, sources []ledger.SourceCount) error {
		if f.source == "" {
			f.source = defaultSource(sources)
		} else if err := checkSource(sources, f.source); err != nil {
			return err
		}
		if f.source == "" {
			return nil
		}
		if by == rating.ByDimension && strings.HasSuffix(f.source, string(arena.SourceVote)) {
			return usagef("votes name no dimension; give --source critic:NAME with --by dimension")
		}
		title = f.source
		s := &sliced{l: l, by: by, style: f.style}
		return s.into(ctx, arena.Source(f.source), to)
	})
	if err != nil {
		return "", b, err
	}
	return title, to.Board(o), nil
}

func (a *app) rateComposite(ctx context.Context, words []string, o rating.Options) (title string, b rating.Board, err error) {
	parts, err := readParts(words)
	if err != nil {
		return "", b, err
	}
	for i := range parts {
		parts[i].Tally = rating.NewTally(o)
	}
	_, err = a.overLedger(ctx, func(l *ledger.Ledger, sources []ledger.SourceCount) error {
		for _, p := range parts {
			if err := checkSource(sources, p.Name); err != nil {
				return err
			}
			battles, err := ratingBattles(ctx, l, arena.Source(p.Name))
			if err != nil {
				return err
			}
			for _, b := range battles {
				p.Tally.Add(b)
			}
		}
		return nil
	})
	return strings.Join(words, " + "), rating.Composite(parts, o), err
}

// readParts reads SOURCE=WEIGHT words.
func readParts(words []string) ([]rating.Part, error) {
	var parts []rating.Part
	seen := make(map[string]bool)
	for _, word := range words {
		at := strings.LastIndexByte(word, '=')
		if at <= 0 {
			return nil, usagef("--composite %q: write SOURCE=WEIGHT, such as vote=1", word)
		}
		name, number := strings.TrimSpace(word[:at]), strings.TrimSpace(word[at+1:])
		w, err := strconv.ParseFloat(number, 64)
		if err != nil || !(w > 0) || w > 1e6 || w < 1e-6 || math.IsNaN(w) {
			return nil, usagef("--composite %q: the weight must be a number from 1e-6 to 1e6", word)
		}
		if seen[name] {
			return nil, usagef("--composite: the source %q is named twice", name)
		}
		seen[name] = true
		parts = append(parts, rating.Part{Name: name, Weight: w})
	}
	rehearsed := 0
	for name := range seen {
		if strings.HasPrefix(name, "rehearsal/") {
			rehearsed++
		}
	}
	if rehearsed > 0 && rehearsed < len(parts) {
		return nil, usagef("--composite: battles of rehearsals never mix with others")
	}
	return parts, nil
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
