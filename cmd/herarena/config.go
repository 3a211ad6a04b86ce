package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/cmd/herarena/internal/config"
	"herarena/cmd/herarena/internal/roster"
	"herarena/cmd/herarena/internal/state"
)

func (a *app) configCmd() *cobra.Command {
	c := &cobra.Command{Use: "config", Short: "Write, show or find the configuration", RunE: group}
	c.AddCommand(
		a.configKeysCmd(),
		&cobra.Command{
			Use: "sample", Short: "Print a commented config.toml that holds every key", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := io.WriteString(a.out, config.Sample)
				return err
			},
		},
		&cobra.Command{
			Use: "init", Short: "Write a commented config.toml to start from", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.configInit() },
		},
		&cobra.Command{
			Use: "show", Short: "Print the settings in force, without what may be secret", Args: cobra.NoArgs,
			Long: "Prints the settings in force. Values of headers that may be secret, users, passwords and\n" +
				"queries of addresses, and fields of extra_body that are called as keys are, are hidden.",
			RunE: func(*cobra.Command, []string) error {
				cfg, err := a.config()
				if err != nil {
					return err
				}
				if cfg.Path == "" {
					_, _ = fmt.Fprintf(a.errw, "no file at %s: the defaults are in force\n", config.DefaultPath())
				}
				if cfg.Canon == "" {
					cfg.Canon = arena.CanonVote
				}
				if cfg.Critic == "" {
					cfg.Critic = roster.HouseCritic
				}
				if _, err := keymap(cfg); err != nil {
					return err
				}
				cfg.Voter, cfg.Ledger = voter(cfg), ledger.Shown(a.ledgerPath(cfg))
				return toml.NewEncoder(a.out).Encode(cfg.Shown())
			},
		},
		&cobra.Command{
			Use: "path", Short: "Print where the configuration, ledger and scenes are", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				cfg, err := a.config()
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.out, "config  %s\nledger  %s\nscenes  %s\njudge   %s\nstate   %s\n",
					a.configPath(), ledger.Shown(a.ledgerPath(cfg)), config.CharactersDir(), config.TemplatePath(), state.Path())
				return err
			},
		},
	)
	return c
}

func (a *app) configPath() string {
	if a.cfgPath != "" {
		return a.cfgPath
	}
	return config.DefaultPath()
}

func (a *app) configInit() error {
	path := a.configPath()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("the configuration folder cannot be made: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s is there already and stays as it is (herarena config show prints what is in force, herarena config sample every key)", path)
	case err != nil:
		return fmt.Errorf("the configuration cannot be written: %w", err)
	}
	if _, err := f.WriteString(config.Sample); err != nil {
		_ = f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, err = fmt.Fprintln(a.out, path)
	return err
}
