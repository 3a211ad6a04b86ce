package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/library"
	"herarena/tui/guard"
)

// listOptions are the flags of cast list.
type listOptions struct {
	json, fav, dup bool
	tags           []string
	sort           string
}

func (a *app) castListCmd() *cobra.Command {
	var o listOptions
	c := &cobra.Command{
		Use: "list [DIR|FILE|QUERY]", Short: "List the scenes and cards that can be played", Args: cobra.ArbitraryArgs,
		Long: "Lists the scenes of the program and the library, a folder of cards, the scenes in a file of several, or what a query finds.\n\n" +
			"A query is words that name, title, tags, creator or blurb begin a word with; all must be found. tag:, by:, lang:, name:, kind:, file: and spec: look at one thing; is: takes fav, dup, broken, repaired, played, unplayed and playable, has: takes lore, alternates, examples, picture and tags. A dash before a term excludes, double quotes keep words together.",
		Example: "herarena cast list lighthouse\nherarena cast list 'tag:fantasy -lang:en has:lore'\nherarena cast list ~/Downloads/cards --dup\nherarena cast list -lang:en",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.castList(cmd.Context(), args, o) },
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.fav, "fav", false, "only favourites")
	f.BoolVar(&o.dup, "dup", false, "only what is there more than once")
	f.StringArrayVar(&o.tags, "tag", nil, "only what has the tag; may be given several times")
	f.StringVar(&o.sort, "sort", "", "name, added, modified, played or tokens; by default how well it answers, or the name")
	return c
}

// dashedTerms moves the terms of a query of cast list that begin with a dash, as
// in -lang:en, behind --, where they are not taken for flags. Other commands'
// arguments stay as they are.
func dashedTerms(args []string) []string {
	if len(args) < 3 || args[0] != "cast" || args[1] != "list" || slices.Contains(args, "--") {
		return args
	}
	var kept, terms []string
	value := false // the next is a flag's
	for _, arg := range args {
		if !value && len(arg) > 2 && arg[0] == '-' && arg[1] != '-' {
			terms = append(terms, arg)
			continue
		}
		kept = append(kept, arg)
		value = !value && slices.Contains([]string{"--tag", "--sort", "--config", "--ledger", "--record"}, arg)
	}
	if len(terms) == 0 {
		return args
	}
	return append(append(kept, "--"), terms...)
}

// sceneRow is what every list tells of a scene.
type sceneRow struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Character string `json:"character"`
	User      string `json:"user"`
	Language  string `json:"language"`
	Bundled   bool   `json:"bundled"`
}

// cardRow is what a list tells of a card, whatever it comes from.
type cardRow struct {
	sceneRow
	Kind       string   `json:"kind,omitempty"`
	Spec       string   `json:"spec,omitempty"`
	Creator    string   `json:"creator,omitempty"`
	Tags       []string `json:"tags"`
	OwnTags    []string `json:"own_tags"`
	Blurb      string   `json:"blurb,omitempty"`
	Greetings  int      `json:"greetings"`
	Examples   int      `json:"examples"`
	Lore       int      `json:"book_entries"`
	Messages   int      `json:"messages,omitempty"`
	Tokens     int      `json:"tokens"` // estimated
	Picture    bool     `json:"picture"`
	Favourite  bool     `json:"favourite"`
	Path       string   `json:"path,omitempty"`
	Item       int      `json:"item,omitempty"` // from 1, where a file has several
	Size       int64    `json:"size,omitempty"`
	Modified   string   `json:"modified,omitempty"`
	Added      string   `json:"added,omitempty"`
	Played     string   `json:"played,omitempty"`
	Duplicates []string `json:"duplicates"`
	Repaired   int      `json:"repaired,omitempty"` // what the reader mended
	Error      string   `json:"error,omitempty"`
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func rowOf(e library.Entry) cardRow {
	r := cardRow{
		sceneRow: sceneRow{ID: e.ID, Title: e.Title, Character: e.Name, User: e.User, Language: e.Language, Bundled: e.Path == ""},
		Kind:     string(e.Kind), Spec: e.Spec, Creator: e.Creator, Tags: e.Tags, OwnTags: e.OwnTags, Blurb: e.Blurb,
		Greetings: e.Greetings, Examples: e.Examples, Lore: e.Lore, Messages: e.Messages, Tokens: e.Tokens,
		Picture: e.HasPicture, Favourite: e.Favourite, Path: e.Path, Size: e.Size,
		Modified: stamp(e.Modified), Added: stamp(e.Added), Played: stamp(e.Played), Duplicates: e.Duplicates, Repaired: e.Repaired, Error: e.Err,
	}
	if e.Items > 1 {
		r.Item = e.Item + 1
	}
	if r.User == "" && e.Playable() {
		r.User = "User"
	}
	for _, list := range []*[]string{&r.Tags, &r.OwnTags, &r.Duplicates} {
		if *list == nil {
			*list = []string{}
		}
	}
	return r
}

// order reads --sort.
func (o listOptions) order() (library.Order, error) {
	if o.sort == "" {
		return library.ByRank, nil
	}
	if by := library.Order(o.sort); slices.Contains(library.Orders(), by) {
		return by, nil
	}
	return "", usagef("--sort %q is unknown (want name, added, modified, played or tokens)", o.sort)
}

// query is what the arguments and flags ask for.
func (o listOptions) query(words []string) string {
	terms := slices.Clone(words)
	if o.fav {
		terms = append(terms, "is:fav")
	}
	if o.dup {
		terms = append(terms, "is:dup")
	}
	for _, tag := range o.tags {
		terms = append(terms, `tag:"`+strings.ReplaceAll(tag, `"`, "")+`"`)
	}
	return strings.Join(terms, " ")
}

func (a *app) castList(ctx context.Context, args []string, o listOptions) error {
	by, err := o.order()
	if err != nil {
		return err
	}
	lib, bundled := openLibrary(), true
	if len(args) > 0 {
		info, err := os.Stat(args[0])
		switch {
		case err == nil && info.IsDir():
			lib, bundled, args = openLibrary(args[0]), false, args[1:]
		case err == nil && len(args) == 1:
			return a.listSet(args[0], o.json)
		case err != nil && strings.ContainsRune(args[0], filepath.Separator) && !strings.ContainsRune(args[0], ':'):
			return fmt.Errorf("%s is no folder and no file: %w", args[0], errors.Unwrap(err))
		}
	}
	if unknown := library.Unknown(o.query(args)); len(unknown) > 0 {
		return usagef("the query's %s is unknown: is: takes fav, dup, broken, repaired, played, unplayed and playable; has: takes lore, alternates, examples, picture and tags; kind: takes card, scenario, lorebook, chat and scene", unknown[0])
	}
	if err := a.readCards(ctx, lib); err != nil {
		return err
	}
	query := o.query(args)
	found := lib.Search(query, by)
	if bundled {
		found = withBundled(found, query)
	}
	return a.printEntries(found, o.json)
}

// readCards brings a library up to date, and says on a terminal how far it is
// where that takes a while.
func (a *app) readCards(ctx context.Context, lib *library.Library) error {
	began, shown := time.Now(), time.Time{}
	show := isTerminal(a.errw)
	report, err := lib.Refresh(ctx, func(p library.Progress) {
		if now := time.Now(); show && now.Sub(began) > time.Second && now.Sub(shown) > 100*time.Millisecond {
			_, _ = fmt.Fprintf(a.errw, "\rreading cards: %d of %d", p.Done, p.Total)
			shown = now
		}
	})
	if !shown.IsZero() {
		_, _ = fmt.Fprint(a.errw, "\r                                        \r")
	}
	for _, fault := range report.Faults {
		_, _ = fmt.Fprintln(a.errw, "note: "+guard.Line(fault.Error()))
	}
	return err
}

// withBundled puts the program's own scenes that a query finds behind the
// person's scene files and before the cards, unless a file stands in for one.
func withBundled(found []library.Entry, query string) []library.Entry {
	taken := map[string]bool{}
	for _, e := range found {
		if e.Kind == library.KindScene {
			taken[e.ID] = true
		}
	}
	var scenes []library.Entry
	for _, s := range characters.Bundled() {
		if e := library.Describe(s); !taken[s.ID] && library.Matches(query, e) {
			scenes = append(scenes, e)
		}
	}
	own := slices.IndexFunc(found, func(e library.Entry) bool { return e.Kind != library.KindScene })
	if own < 0 {
		own = len(found)
	}
	return slices.Insert(found, own, scenes...)
}

func (a *app) printEntries(found []library.Entry, asJSON bool) error {
	if asJSON {
		rows := make([]cardRow, 0, len(found))
		for _, e := range found {
			rows = append(rows, rowOf(e))
		}
		return a.printJSON(rows)
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(a.errw, "nothing is found; herarena cast list shows all there is")
		return err
	}
	width := 14
	for _, e := range found {
		width = max(width, min(len(e.ID), 28))
	}
	var b, broken strings.Builder
	for _, e := range found {
		if e.Err != "" {
			fmt.Fprintf(&broken, "left out: %s: %s\n", guard.Line(e.Path), guard.Line(e.Err))
			continue
		}
		fmt.Fprintf(&b, "%-*s %s\n", width, guard.Line(e.ID), entryLine(e))
	}
	if _, err := fmt.Fprint(a.out, b.String()); err != nil {
		return err
	}
	_, err := fmt.Fprint(a.errw, broken.String())
	return err
}

// entryLine tells of an entry in a line.
func entryLine(e library.Entry) string {
	var text string
	switch e.Kind {
	case card.KindLorebook:
		text = fmt.Sprintf("%s: a lorebook of %s", e.Title, entriesWord(e.Lore))
	case card.KindChat:
		text = fmt.Sprintf("%s: a chat of %d messages", e.Title, e.Messages)
	default:
		text = fmt.Sprintf("%s: %s, with you as %s", e.Title, e.Name, cmp.Or(e.User, "User"))
	}
	if e.Favourite {
		text += "  *"
	}
	for _, tag := range e.OwnTags {
		text += "  #" + tag
	}
	if n := len(e.Duplicates); n > 0 {
		text += "  = " + strings.Join(e.Duplicates[:min(3, n)], ", ")
	}
	return guard.Line(text)
}

func entriesWord(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
