package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"herarena/arena/ledger"
	"herarena/tui/guard"
)

func (a *app) backupCmd() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Write all that the ledger holds into one new file",
		Long: "backup copies the ledger as it is at one moment, also while duels are played. Of a\n" +
			"ledger in a file it makes a copy that is a ledger itself; of one in PostgreSQL an\n" +
			"export as JSON Lines (pg_dump keeps the tables as they are, the chain of log verify\n" +
			"among them). herarena log import takes either back in.",
		Example: "herarena log backup ledger-2026-03-01.db\nherarena --ledger new.db log import ledger-2026-03-01.db",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.logBackup(cmd.Context(), args[0]) },
	}
}

func (a *app) logBackup(ctx context.Context, path string) error {
	return a.withLedger(ctx, true, func(l *ledger.Ledger) error {
		whole, err := l.Backup(ctx, path)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(a.out, path); err != nil {
			return err
		}
		word := "a whole ledger: put it in the place of the old one, or take it in with herarena log import"
		if !whole {
			word = "an export of the PostgreSQL ledger: herarena log import takes it in; pg_dump keeps the tables themselves"
		}
		_, err = fmt.Fprintf(a.errw, "%s is %s\n", guard.Line(path), word)
		return err
	})
}
