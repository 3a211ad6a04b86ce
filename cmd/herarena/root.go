package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"herarena/cmd/herarena/internal/config"
	"herarena/tui/guard"
)

// Exit codes of the command contract.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// usageError marks errors in how the command was called.
type usageError struct{ err error }

func (u usageError) Error() string { return u.err.Error() }
func (u usageError) Unwrap() error { return u.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errReported ends a command that has already told its failure in its output.
var errReported = errors.New("reported")

// app holds what commands share: the streams and the flags of the root.
type app struct {
	in      io.Reader
	out     io.Writer
	errw    io.Writer
	cfgPath string
	ledger  string
	quickA  string
	quickB  string
	critic  string
	scene   string
	chat    string
	as      string
	rounds  int

	stagehand string
	canon     string
	blind     bool
	pace      float64
	record    string
	plain     bool
	cards     cardFlags
	played    error // how the arena itself ended
}

func (a *app) config() (config.Config, error) { return config.Load(a.cfgPath) }

// ledgerPath is the flag, else the setting, else the standard place.
func (a *app) ledgerPath(c config.Config) string {
	switch {
	case a.ledger != "":
		return a.ledger
	case c.Ledger != "":
		return c.Ledger
	}
	return config.DefaultLedger()
}

func run(ctx context.Context, args []string, in io.Reader, out, errw io.Writer) int {
	args = dashedTerms(args)
	a := &app{in: in, out: out, errw: errw}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errw)
	err := a.misuse(args)
	if err == nil {
		a.keepErrors(root)
		if err = fang.Execute(ctx, root, fang.WithVersion(version()), fang.WithErrorHandler(a.report)); err != nil {
			return exitCode(ctx, err)
		}
		err = a.played
	}
	if err != nil {
		a.report(errw, fang.Styles{}, err)
	}
	return exitCode(ctx, err)
}

// keepErrors has every command put its error aside, where run finds it. An error
// that reaches fang makes it ask the terminal for its colours, in sequences, wait
// for seconds where the terminal is mute, and take what is typed for the answer.
func (a *app) keepErrors(c *cobra.Command) {
	if do := c.RunE; do != nil {
		c.RunE = func(cmd *cobra.Command, args []string) error {
			a.played = do(cmd, args)
			return nil
		}
	}
	for _, sub := range c.Commands() {
		a.keepErrors(sub)
	}
}

// misuse finds errors in how the command is called, on a copy of the commands,
// for the same reason: they too would reach fang.
func (a *app) misuse(args []string) error {
	for _, arg := range args {
		switch arg {
		case "-h", "--help", "--version", "-v", "help", "man", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
			return nil
		case "--":
			return nil
		}
	}
	root := (&app{in: a.in, out: io.Discard, errw: io.Discard}).root()
	cmd, rest, err := root.Find(args)
	if err != nil {
		return usageError{err}
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return usageError{err}
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

func exitCode(ctx context.Context, err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage), isCobraUsage(err):
		return exitUsage
	case errors.Is(err, context.Canceled) || ctx.Err() != nil:
		return exitInterrupted
	}
	return exitFailure
}

// isCobraUsage recognises the errors cobra itself makes for unknown commands,
// for which it has no type.
func isCobraUsage(err error) bool {
	return strings.HasPrefix(err.Error(), "unknown command ")
}

func (a *app) report(w io.Writer, _ fang.Styles, err error) {
	if errors.Is(err, errReported) {
		return
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	_, _ = fmt.Fprintln(w, "herarena: "+guard.Text(err.Error()))
	var usage usageError
	if errors.As(err, &usage) || isCobraUsage(err) {
		_, _ = fmt.Fprintln(w, "Try herarena --help.")
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "herarena",
		Short: "A terminal arena for role-play language models",
		Long: "herarena plays a scene with two role-play models at once, shows what each plans,\n" +
			"thinks, does and says, has a critic weigh the two replies principle by principle,\n" +
			"takes your vote, and keeps ratings. With nothing configured it opens on a\n" +
			"rehearsal: scripted players, house critic, no model.",
		Example: "herarena\n" +
			"herarena --a http://127.0.0.1:8000/v1#her-32b --b http://127.0.0.1:8001/v1#qwen3-32b",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runTUI(cmd.Context()) },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	p := root.PersistentFlags()
	p.StringVar(&a.cfgPath, "config", "", "read this config.toml instead of the standard one")
	p.StringVar(&a.ledger, "ledger", "", "keep the ledger in this file, or on PostgreSQL at this postgres:// address")
	p.StringVar(&a.record, "record", "", "append every request to a model and its answer to this file, as JSON lines without keys")
	f := root.Flags()
	f.StringVar(&a.quickA, "a", "", "contestant A: a configured name or URL#model")
	f.StringVar(&a.quickB, "b", "", "contestant B: a configured name or URL#model")
	f.StringVar(&a.critic, "critic", "", "critic: house, a configured name, or URL#model")
	f.StringVar(&a.scene, "scene", "", "scene: an id from `herarena cast list`, or a file; FILE#3 or FILE#ID where it has several")
	f.StringVar(&a.as, "as", "", "whom you play in the scene of --scene; the others are the contestants'")
	f.IntVar(&a.rounds, "rounds", 0, "go on from so many lines of the dialogue that the scene of a test set has")
	f.StringVar(&a.stagehand, "stagehand", "", "who says who goes on in a scene of several, and tells of its surroundings: a configured name or URL#model")
	f.StringVar(&a.chat, "chat", "", "go on from a chat `FILE` of SillyTavern or another program; --scene names its character's card")
	f.StringVar(&a.canon, "canon", "", "whose reply becomes history: vote, critic, a, b or parallel")
	f.BoolVar(&a.blind, "blind", false, "shuffle the sides each turn and hide who is who")
	f.Float64Var(&a.pace, "pace", 0, "speed of the rehearsal's players in tokens per second (0: natural, negative: at once)")
	f.BoolVar(&a.plain, "plain", false, "play line by line in plain words, for screen readers, logs and scripts")
	a.cards.add(f)
	root.AddCommand(a.layersCmd(), a.sayCmd(), a.judgeCmd(), a.boardCmd(), a.castCmd(), a.logCmd(), a.doctorCmd(), a.configCmd())
	for _, c := range root.Commands() {
		wrapArgs(c)
	}
	return root
}

// wrapArgs makes every complaint about positional arguments a usage error.
func wrapArgs(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usageError{fmt.Errorf("%w: the form is %s", err, cmd.UseLine())}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		wrapArgs(sub)
	}
}

// noArgs refuses positional arguments, with a hint where one looks like a
// mistyped command.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	msg := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		msg += fmt.Sprintf(": did you mean %s?", strings.Join(near, " or "))
	}
	return usageError{errors.New(msg)}
}

// group is the RunE of commands that only hold others.
func group(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return noArgs(cmd, args)
	}
	return cmd.Help()
}

// version is the release this source belongs to.
func version() string { return "0.1.0" }
