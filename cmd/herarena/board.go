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
	from, source, html      string
	bootstrap, last         int
	seed                    uint64
	asJSON, asCSV, asMD     bool
	model, by, system       string
	composite               []string
	style, matrix           bool
	reweighted              bool
	agreement, next, course bool
	flips                   string
	dailyCap                int
	ridge                   float64
	narrow                  boardFilter
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
	fl.StringVar(&f.system, "rating", "", "show a rating of another kind as well: openwebui, glicko2, trueskill or am-elo")
	fl.Float64Var(&f.ridge, "ridge", 0, "pull ratings together by this much (scikit-learn's 1/C, in logarithms of odds)")
	fl.IntVar(&f.dailyCap, "daily-cap", 0, "count only so many first votes of a voter a day, in UTC (none: all)")
	fl.BoolVar(&f.agreement, "agreement", false, "show how far persons and critics agree, and what sides and orders alone are worth")
	fl.StringVar(&f.flips, "flips", "", "how --agreement takes a critic whose two orders disagree: halves, tie or out (none: halves)")
	fl.BoolVar(&f.course, "history", false, "show the ratings over time")
	fl.BoolVar(&f.next, "next", false, "draw who should meet next, log its probability, and say whether more battles matter")
	f.narrow.flags(fl)
	fl.BoolVar(&f.asCSV, "csv", false, "print the table as CSV")
	fl.BoolVar(&f.asMD, "md", false, "print the board as Markdown")
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
	if f.next {
		if err := a.drawNext(title, board.Next, f.seed); err != nil {
			return err
		}
	}
	switch {
	case f.asJSON:
		return a.printJSON(board)
	case f.asCSV:
		return writeBoardCSV(a.out, board)
	case f.asMD:
		return writeBoardMarkdown(a.out, title, board)
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
	case count(f.asJSON, f.asCSV, f.asMD, f.html != "") > 1:
		return o, by, usagef("give one of --json, --csv, --md and --html")
	case f.dailyCap < 0:
		return o, by, usagef("--daily-cap %d: give a number of votes from 1", f.dailyCap)
	case !(f.ridge >= 0) || f.ridge > 1e6:
		return o, by, usagef("--ridge %g: give a number from 0 to 1000000", f.ridge)
	case f.flips != "" && !f.agreement:
		return o, by, usagef("--flips is for --agreement")
	case f.from != "" && f.narrow.narrowed():
		return o, by, usagef("--scene, --character, --language, --dimension and --since choose from the ledger, not from a file")
	}
	if _, err := rating.ParseFlipRule(f.flips); err != nil {
		return o, by, usagef("--flips: %w", err)
	}
	system, err := rating.ParseSystem(f.system)
	if err != nil {
		return o, by, usagef("--rating: %w", err)
	}
	model, err := rating.ParseModel(f.model)
	if err != nil {
		return o, by, usagef("--model: %w", err)
	}
	if by, err = rating.ParseBy(f.by); err != nil {
		return o, by, usagef("--by: %w", err)
	}
	if f.style && (model != rating.BradleyTerry || f.bootstrap > 0 || f.reweighted || f.ridge > 0) {
		return o, by, usagef("--style makes a fit of its own; give it without --model, --bootstrap, --ridge and --reweighted")
	}
	if f.ridge > 0 && model != rating.BradleyTerry {
		return o, by, usagef("--ridge goes with Bradley–Terry; give it without --model")
	}
	if len(f.composite) > 0 && (f.from != "" || f.source != "" || model != rating.BradleyTerry || f.style || f.reweighted || f.system != "" || f.ridge > 0 || f.next || f.course) {
		return o, by, usagef("--composite joins sources of the ledger by Bradley–Terry; give it without --from, --source, --model, --style, --reweighted, --rating, --ridge, --history and --next")
	}
	return rating.Options{
		Bootstrap: f.bootstrap, Seed: f.seed, Model: model, Reweighted: f.reweighted,
		Style: f.style, Matrix: f.matrix || f.html != "", Last: f.last, System: system, Ridge: f.ridge, DailyCap: f.dailyCap,
	}, by, nil
}

func count(flags ...bool) (n int) {
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

// rate makes the board and names it.
func (a *app) rate(ctx context.Context, f *boardFlags, by rating.By, o rating.Options) (title string, b rating.Board, err error) {
	if len(f.composite) > 0 {
		return a.rateComposite(ctx, f, by, o)
	}
	to := newGathering(f, by, o)
	if f.from != "" {
		return rateFile(f, by, o, to)
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
		votes := strings.HasSuffix(f.source, string(arena.SourceVote))
		if !votes && f.dailyCap > 0 {
			return usagef("--daily-cap counts a voter's votes, and %s is no voter; give --source vote with it", f.source)
		}
		if votes && (by == rating.ByDimension || f.narrow.dimension != "") {
			return usagef("votes name no dimension; give --source critic:NAME with it")
		}
		title = f.source
		filter, err := f.narrow.filter(arena.Source(f.source))
		if err != nil {
			return err
		}
		if err := to.fromLedger(ctx, l, filter); err != nil {
			return err
		}
		if err := to.beside(ctx, l, filter); err != nil {
			return err
		}
		b = to.board()
		if b.Battles == 0 && f.narrow.narrowed() {
			b.Warnings = []string{nothingMatches(ctx, l, f)}
		}
		return nil
	})
	if err != nil {
		return "", b, err
	}
	if f.source == "" {
		b = to.board()
	}
	b.Source = f.source
	return title, b, nil
}

func (a *app) rateComposite(ctx context.Context, f *boardFlags, by rating.By, o rating.Options) (title string, b rating.Board, err error) {
	parts, err := readParts(f.composite)
	if err != nil {
		return "", b, err
	}
	to := newGathering(f, by, o)
	for i := range parts {
		heeded := o
		if !strings.HasSuffix(parts[i].Name, string(arena.SourceVote)) {
			heeded.DailyCap = 0 // a critic is no voter
		}
		parts[i].Slicer = rating.NewSlicer(by, heeded)
	}
	_, err = a.overLedger(ctx, func(l *ledger.Ledger, sources []ledger.SourceCount) error {
		for _, p := range parts {
			if !knownSource(sources, p.Name) {
				return noPart(sources, parts, p.Name)
			}
			filter, err := f.narrow.filter(arena.Source(p.Name))
			if err != nil {
				return err
			}
			each := *to
			each.slicer, each.historian = p.Slicer, nil
			if err := each.fromLedger(ctx, l, filter); err != nil {
				return err
			}
		}
		filter, err := f.narrow.filter("")
		if err != nil {
			return err
		}
		return to.beside(ctx, l, filter)
	})
	b = rating.Composite(parts, o)
	b.Source = strings.Join(f.composite, " + ")
	to.tell(&b)
	return strings.Join(f.composite, " + "), b, err
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
