package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"herarena/characters/library"
	"herarena/tui/guard"
)

func (a *app) castFavCmd() *cobra.Command {
	var off, asJSON bool
	c := &cobra.Command{
		Use: "fav NAME...", Short: "Make cards of the library favourites", Args: cobra.MinimumNArgs(1),
		Long: "Makes cards favourites, or none with --off. Favourites and tags of your own are kept beside the ledger and not in the cards; they follow a card that is moved or renamed.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.mark(cmd.Context(), args, asJSON, func(lib *library.Library, e library.Entry) error { return lib.SetFavourite(e, !off) })
		},
	}
	c.Flags().BoolVar(&off, "off", false, "make them none")
	c.Flags().BoolVar(&asJSON, "json", false, "print the cards as JSON")
	return c
}

func (a *app) castTagCmd() *cobra.Command {
	return &cobra.Command{
		Use: "tag NAME +TAG -TAG...", Short: "Give a card of the library tags of your own, or take some away",
		Long:    "Gives a card tags of your own (+TAG) and takes some away (-TAG); without any it shows what there is. They are not written into the card.",
		Example: "herarena cast tag marrow-vane +sea -slow",
		// A tag to take away looks like a flag.
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, add, remove, asJSON, err := tagArgs(args)
			if err != nil {
				return err
			}
			if name == "" {
				return cmd.Help()
			}
			return a.mark(cmd.Context(), []string{name}, asJSON, func(lib *library.Library, e library.Entry) error { return lib.Tag(e, add, remove) })
		},
	}
}

// tagArgs splits the arguments of cast tag. The name is "" where help is asked
// for.
func tagArgs(args []string) (name string, add, remove []string, asJSON bool, err error) {
	plain := false // behind --
	for _, arg := range args {
		switch {
		case !plain && arg == "--":
			plain = true
		case !plain && arg == "--json":
			asJSON = true
		case !plain && (arg == "-h" || arg == "--help"):
			return "", nil, nil, false, nil
		case !plain && strings.HasPrefix(arg, "--"):
			return "", nil, nil, false, usagef("unknown flag: %s (a tag that begins with a dash goes behind --, as in -- NAME ---tag)", arg)
		case name == "" && (plain || !strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "+")):
			name = arg
		case len(arg) > 1 && arg[0] == '+':
			add = append(add, arg[1:])
		case len(arg) > 1 && arg[0] == '-':
			remove = append(remove, arg[1:])
		default:
			return "", nil, nil, false, usagef("%q is neither +TAG nor -TAG: the form is herarena cast tag NAME +TAG -TAG", arg)
		}
	}
	if name == "" {
		return "", nil, nil, false, usagef("which card is missing: the form is herarena cast tag NAME +TAG -TAG")
	}
	return name, add, remove, asJSON, nil
}

// onlyCards says of a bundled scene that what was asked for is for the library
// alone; of any other name it returns the error there was.
func onlyCards(name, can string, err error) error {
	if _, ok := bundledScene(name); !ok {
		return err
	}
	return fmt.Errorf("%q is one of the program's own scenes, and only what is in the library %s (herarena cast list kind:card shows its cards, herarena cast import FILE adds one)", name, can)
}

// mark changes cards and tells how they stand.
func (a *app) mark(ctx context.Context, names []string, asJSON bool, change func(*library.Library, library.Entry) error) error {
	lib := openLibrary()
	var ids []string
	for _, name := range names {
		e, err := findEntry(ctx, lib, name)
		if err != nil {
			return onlyCards(name, "can be a favourite or have tags of your own", err)
		}
		if err := change(lib, e); err != nil {
			return err
		}
		ids = append(ids, e.ID)
	}
	rows := []cardRow{}
	for _, id := range ids {
		e, err := lib.Find(id)
		if err != nil {
			return err
		}
		if rows = append(rows, rowOf(e)); asJSON {
			continue
		}
		said := []string{}
		if e.Favourite {
			said = append(said, "a favourite")
		}
		if len(e.OwnTags) > 0 {
			said = append(said, "tagged "+strings.Join(e.OwnTags, ", "))
		}
		if len(said) == 0 {
			said = append(said, "no favourite, no tags of your own")
		}
		if _, err := fmt.Fprintf(a.out, "%s\n", guard.Line(e.ID+": "+strings.Join(said, ", "))); err != nil {
			return err
		}
	}
	if asJSON {
		return a.printJSON(rows)
	}
	return nil
}
