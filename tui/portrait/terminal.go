package portrait

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Setting is what a person wants of pictures.
type Setting string

// The settings. There is none for sixel: such a picture lies over the cells, and
// a screen that draws only cells which change would tear it.
const (
	Auto   Setting = "auto" // as the terminal says; the empty setting too
	Blocks Setting = "blocks"
	Kitty  Setting = "kitty"
	Off    Setting = "off"
)

// Terminal finds out what the terminal can show. It asks for the terminal's name
// first, which all know or ignore; only one that is known to place pictures
// among cells is asked whether it takes them. Until both have been answered
// pictures are drawn in cells. Make it with NewTerminal.
type Terminal struct {
	setting Setting
	tmux    bool
	asked   bool
	named   bool
	yes     bool
}

// NewTerminal takes the setting; getenv is os.Getenv.
func NewTerminal(s Setting, getenv func(string) string) *Terminal {
	t := &Terminal{setting: s, tmux: getenv("TMUX") != ""}
	// Between us and the terminal tmux answers, and it lets nothing through
	// unless it was told to: only a person can know.
	t.yes = s == Kitty
	t.asked = s != Auto && s != "" || t.tmux
	return t
}

// Shown reports whether pictures are shown at all.
func (t *Terminal) Shown() bool { return t.setting != Off }

// Places reports whether the terminal draws pictures itself.
func (t *Terminal) Places() bool { return t.yes }

// Wraps reports whether what is for the terminal must be passed through tmux.
func (t *Terminal) Wraps() bool { return t.tmux }

// query is the number of our question.
const query = 4711

// Ask asks the terminal, once; call it when there is a picture to show.
func (t *Terminal) Ask() tea.Cmd {
	if t.asked {
		return nil
	}
	t.asked = true
	return tea.RequestTerminalVersion
}

// Hear takes an answer. It reports whether pictures are drawn otherwise now; cmd
// asks on.
func (t *Terminal) Hear(msg tea.Msg) (changed bool, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		if t.asked && !t.named && !t.yes && !t.tmux && (t.setting == Auto || t.setting == "") && placing(msg.Name) {
			t.named = true
			return false, tea.Raw(ansi.KittyGraphics([]byte("AAAA"), fmt.Sprint("i=", query), "s=1", "v=1", "a=q", "t=d", "f=24"))
		}
	case uv.KittyGraphicsEvent:
		if t.named && !t.yes && msg.Options.ID == query && string(msg.Payload) == "OK" {
			t.yes = true
			return true, nil
		}
	}
	return false, nil
}

// placing reports whether a terminal of this name and version replaces
// placeholders by pictures: kitty does from 0.28 on, ghostty always did. Others
// answer that they take pictures and know no placeholders.
func placing(name string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "ghostty") {
		return true
	}
	rest, ok := strings.CutPrefix(name, "kitty")
	if !ok {
		return false
	}
	var major, minor int
	_, err := fmt.Sscanf(strings.TrimLeft(rest, " ("), "%d.%d", &major, &minor)
	return err == nil && (major > 0 || minor >= 28)
}
