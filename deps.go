//go:build deps

package deps

import (
	_ "charm.land/bubbles/v2/textarea"
	_ "charm.land/bubbletea/v2"
	_ "charm.land/fang/v2"
	_ "charm.land/glamour/v2"
	_ "charm.land/lipgloss/v2"
	_ "github.com/BurntSushi/toml"
	_ "github.com/adrg/xdg"
	_ "github.com/charmbracelet/x/ansi"
	_ "github.com/charmbracelet/x/exp/golden"
	_ "github.com/charmbracelet/x/vt"
	_ "github.com/creack/pty"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/kaptinlin/jsonrepair"
	_ "github.com/pressly/goose/v3"
	_ "github.com/sashabaranov/go-openai"
	_ "github.com/spf13/cobra"
	_ "go.uber.org/goleak"
	_ "gonum.org/v1/gonum/mat"
	_ "modernc.org/sqlite"
	_ "pgregory.net/rapid"
	_ "github.com/mattn/go-runewidth"
	_ "github.com/clipperhouse/uax29/v2/graphemes"
)
