package tui

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"herarena/tui/casting"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/stage"
	"herarena/tui/stage/stagetest"
)

// model is the root without a program: messages go in, commands are run at once.
type model struct {
	*Model
	t testing.TB
}

func sit(t testing.TB, w, h int, change ...func(*Options)) *model {
	t.Helper()
	o := open().Options
	o.Hints = false
	for _, f := range change {
		f(&o)
	}
	m := &model{New(o), t}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	m.tell(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// tell gives a message in, and whatever comes of it at once. Timers of toasts
// and the pump of a duel are left alone.
func (m *model) tell(msg tea.Msg) {
	_, cmd := m.Update(msg)
	m.after(cmd)
}

func (m *model) after(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		m.hear(msg)
	case <-soon():
	}
}

func (m *model) hear(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			m.after(c)
		}
	default:
		m.tell(msg)
	}
}

// press presses keys by name; what begins with a quote is typed.
func (m *model) press(names ...string) {
	for _, name := range names {
		if text, ok := strings.CutPrefix(name, "'"); ok {
			for _, r := range text {
				m.tell(keys.Parse(string(r)))
			}
			continue
		}
		m.tell(keys.Parse(name))
	}
}

// screen returns the frame and checks that it fits.
func (m *model) screen() string {
	m.t.Helper()
	rows := strings.Split(ansi.Strip(m.View().Content), "\n")
	if len(rows) != m.h {
		m.t.Fatalf("%d rows of %d", len(rows), m.h)
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n != m.w {
			m.t.Fatalf("row %d has %d cells of %d: %q", i, n, m.w, row)
		}
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.Join(rows, "\n") + "\n"
}

func (m *model) shows(want ...string) {
	m.t.Helper()
	s := m.screen()
	for _, w := range want {
		if !strings.Contains(s, w) {
			m.t.Errorf("the screen lacks %q:\n%s", w, s)
		}
	}
}

func (m *model) lacks(not string) {
	m.t.Helper()
	if s := m.screen(); strings.Contains(s, not) {
		m.t.Errorf("the screen shows %q:\n%s", not, s)
	}
}

// place finds the cell of a text.
func (m *model) place(text string) (x, y int) {
	m.t.Helper()
	for y, row := range strings.Split(m.screen(), "\n") {
		if before, _, ok := strings.Cut(row, text); ok {
			return ansi.StringWidth(before), y
		}
	}
	m.t.Fatalf("%q is not on the screen:\n%s", text, m.screen())
	return 0, 0
}

func (m *model) click(text string) {
	m.t.Helper()
	x, y := m.place(text)
	m.tell(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
}

func TestThePaletteFindsAndRuns(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 40}, {300, 90}} {
		m := sit(t, size[0], size[1])
		m.press("ctrl+p")
		m.shows("Commands", "type to search", "Here and now", "start the duel")
		m.press("'swap a")
		m.shows("› swap a", "swap A and B")
		m.lacks("start the duel")
		m.press("enter")
		m.lacks("Commands")
		m.shows("A       plain-8b", "B       her-rl")
		m.press(":", "'zzz")
		m.shows("nothing is called that")
		m.press("enter") // runs nothing, and stays
		m.shows("Commands")
		m.press("backspace", "backspace", "backspace", "'swap")
		m.click("swap A and B") // the mouse runs what it clicks
		m.shows("A       her-rl")
		m.press("ctrl+p")
		m.tell(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
		m.lacks("Commands")
	}
}

func TestThePaletteShowsWhatIsPossibleFirst(t *testing.T) {
	m := sit(t, 120, 90)
	d := stagetest.New(stagetest.Script()...)
	m.tell(duelStarted{cast: casting.Cast{Scene: m.o.Scenes[0], Contestants: stagetest.Contestants(), Critic: m.o.Critics[0]}, duel: d})
	m.press("ctrl+p")
	_, here := m.place("Here and now")
	_, elsewhere := m.place("Elsewhere on this screen")
	_, send := m.place("stage.send")
	if !(here < send && send < elsewhere) {
		t.Errorf("rows %d %d %d: sending is possible here and now", here, send, elsewhere)
	}
	m.press("'A is better")
	for i, at := range m.over.shown {
		if it := m.over.items[at]; it.note == "stage.vote.a" && it.possible {
			t.Errorf("row %d: a vote is possible before the first reply", i)
		}
	}
}

func TestHelpIsOnEveryScreenAndIsSearched(t *testing.T) {
	for name, enter := range map[string]func(m *model){
		"casting": func(*model) {},
		"stage": func(m *model) {
			m.tell(duelStarted{cast: casting.Cast{Scene: m.o.Scenes[0], Contestants: stagetest.Contestants(), Critic: m.o.Critics[0]}, duel: stagetest.New(stagetest.Script()...)})
		},
		"board": func(m *model) { m.tell(stage.OpenBoard{Source: "vote"}) },
	} {
		for _, key := range []string{"?", "f1"} {
			m := sit(t, 60, 20)
			enter(m)
			m.press(key)
			m.shows("Keys", "type to search")
			for range 250 { // all of it can be reached at the smallest size
				m.press("down")
				m.screen()
			}
			m.shows("leave the program")
			m.press("'redraw")
			m.lacks("leave the program")
			m.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace", "'draw the")
			m.shows("draw the screen anew")
			m.press("esc")
			m.lacks("Keys ──")
			if t.Failed() {
				t.Fatalf("on %s with %s", name, key)
			}
		}
	}
}

func TestALetterOfAFinderNeverReachesTheScreenBehind(t *testing.T) {
	m := sit(t, 80, 24)
	before := m.screen()
	m.press("?", "'xqb/jk", "esc")
	if after := m.screen(); after != before {
		t.Errorf("what was typed into the help changed the screen:\n%s", after)
	}
}

func TestAThemeIsPreviewedTakenAndRemembered(t *testing.T) {
	var kept []Memory
	m := sit(t, 100, 30, func(o *Options) {
		o.Remember = func(k Memory) error { kept = append(kept, k); return nil }
		o.Memory = Memory{Theme: "harbour"}
	})
	if m.look.Theme != "harbour" {
		t.Fatalf("the theme is %s, want the one remembered", m.look.Theme)
	}
	m.press("f9")
	m.shows("Theme", "velvet", "muted: ink, sepia and pencil")
	m.press("down")
	if m.look.Theme != "contrast" {
		t.Errorf("the choice stands on contrast, the look is %s", m.look.Theme)
	}
	m.press("esc")
	if m.look.Theme != "harbour" || len(kept) > 0 {
		t.Errorf("left without a choice: %s, kept %v", m.look.Theme, kept)
	}
	m.press("ctrl+p", "'choose the theme", "enter", "'paper", "enter")
	if m.look.Theme != "paper" || len(kept) != 1 || kept[0].Theme != "paper" {
		t.Errorf("chosen: %s, kept %v", m.look.Theme, kept)
	}
	if v := m.View(); v.BackgroundColor == nil || v.ForegroundColor == nil {
		t.Error("paper leaves the terminal's background")
	}
	m.tell(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	if v := m.View(); v.BackgroundColor != nil {
		t.Error("paper paints a background with sixteen colours")
	}
}

func TestAThemeThatIsSetGoesBeforeTheOneRemembered(t *testing.T) {
	m := sit(t, 80, 24, func(o *Options) { o.Theme, o.Memory.Theme = "velvet", "paper" })
	if m.look.Theme != "velvet" {
		t.Errorf("the theme is %s", m.look.Theme)
	}
	m = sit(t, 80, 24, func(o *Options) { o.Memory.Theme = "no longer there" })
	if m.look.Theme != look.DefaultTheme {
		t.Errorf("an unknown theme gives %s", m.look.Theme)
	}
}

func TestTheTerminalThemeComesBackToFullColour(t *testing.T) {
	m := sit(t, 80, 24, func(o *Options) { o.Theme = "terminal" })
	if m.look.Colour != look.ANSI16 {
		t.Fatalf("colour %v", m.look.Colour)
	}
	m.setLook(func(o *look.Options) { o.Theme = "paper" })
	if m.look.Colour != look.Full {
		t.Errorf("behind the terminal's theme the colours stay at %v", m.look.Colour)
	}
}

func TestTheBackgroundIsAskedForUnlessItIsSet(t *testing.T) {
	m := sit(t, 80, 24)
	m.tell(tea.BackgroundColorMsg{Color: ansi.HexColor("#ffffff")})
	if m.look.Dark {
		t.Error("a white background is taken for dark")
	}
	m = sit(t, 80, 24, func(o *Options) { o.Background = "light" })
	if m.look.Dark {
		t.Error("background = light is dark")
	}
}

func TestMatchRanksTheNearest(t *testing.T) {
	t.Parallel()
	texts := []string{"ask the critic again", "another reply of both sides", "the board", "both are bad", "scroll to the beginning"}
	for query, want := range map[string]string{
		"": "ask the critic again", "both": "both are bad", "crit": "ask the critic again", "reply both": "another reply of both sides",
		"brd": "the board", "begin": "scroll to the beginning", "BOARD": "the board",
	} {
		var found ranked
		for i, text := range texts {
			if score, ok := match(query, text, ""); ok {
				found = append(found, hit{i, score})
			}
		}
		found.sort()
		if len(found) == 0 || texts[found[0].at] != want {
			t.Errorf("%q finds %v, want %q first", query, found, want)
		}
	}
	if _, ok := match("vote", "the next value of the field", "casting.cycle"); ok {
		t.Error("letters strewn over a sentence match")
	}
	rapid.Check(t, func(t *rapid.T) {
		query, text := rapid.String().Draw(t, "query"), rapid.String().Draw(t, "text")
		match(query, text, "")
		if _, ok := match(text, text, ""); !ok {
			t.Fatalf("%q is not found in itself", text)
		}
	})
}

func TestAFinderTakesAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := newFinder(look.New(look.Options{ASCII: rapid.Bool().Draw(t, "ascii")}), "Anything")
		f.grouped, f.keysLeft = rapid.Bool().Draw(t, "grouped"), rapid.Bool().Draw(t, "left")
		for i := range rapid.IntRange(0, 30).Draw(t, "items") {
			f.items = append(f.items, item{group: fmt.Sprint(i / 7), key: "ctrl+x", text: rapid.SampledFrom([]string{"a", "一二三四五六七八九十", strings.Repeat("long words ", 30), ""}).Draw(t, "text"), note: "note", possible: i%3 > 0, do: func() tea.Cmd { return nil }})
		}
		f.seek("")
		for range 20 {
			key := rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "home", "end", "a", "l", "backspace", "space", "一", "ctrl+u"}).Draw(t, "key")
			f.press(keys.Parse(key))
			w, h := rapid.IntRange(leastWidth, 300).Draw(t, "w"), rapid.IntRange(leastHeight, 90).Draw(t, "h")
			box := f.view(w, h)
			if len(box) > h || f.box.y+len(box) > h || f.box.x+f.box.w > w {
				t.Fatalf("a box of %v in a window of %d x %d", f.box, w, h)
			}
			for _, row := range box {
				if look.Width(row) != f.box.w {
					t.Fatalf("a row of %d cells in a box of %d: %q", look.Width(row), f.box.w, row)
				}
			}
			f.click(tea.MouseClickMsg{X: rapid.IntRange(-1, w).Draw(t, "x"), Y: rapid.IntRange(-1, h).Draw(t, "y"), Button: tea.MouseLeft})
		}
	})
}

// TestGoldenOverlays draws palette, help and themes over the casting in the
// looks people have.
func TestGoldenOverlays(t *testing.T) {
	looks := map[string]func(*model){
		"dark":  func(m *model) {},
		"light": func(m *model) { m.setLook(func(o *look.Options) { o.Dark = false }) },
		"16":    func(m *model) { m.tell(tea.ColorProfileMsg{Profile: colorprofile.ANSI}) },
		"mono":  func(m *model) { m.tell(tea.ColorProfileMsg{Profile: colorprofile.NoTTY}) },
	}
	states := map[string][]string{"casting": nil, "palette": {"ctrl+p", "'b", "down"}, "help": {"?", "down", "down"}, "themes": {"f9", "down"}}
	for state, press := range states {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {160, 48}, {300, 90}} {
			for name, set := range looks {
				if size[0] == 300 && name != "mono" {
					continue // the same colours on more of the same
				}
				t.Run(fmt.Sprintf("%s/%dx%d-%s", state, size[0], size[1], name), func(t *testing.T) {
					m := sit(t, size[0], size[1], func(o *Options) { o.Hints = true })
					m.press(press...)
					set(m)
					m.screen()
					golden.RequireEqual(t, m.View().Content+"\n")
				})
			}
		}
	}
}

func TestSynchronisedOutput(t *testing.T) {
	for _, c := range []struct {
		set, ssh, tmux string
		want           string
	}{
		{"", "", "", "nothing"},
		{"auto", "", "", "nothing"},           // Bubble Tea asks by itself
		{"auto", "/dev/pts/1", "", "nothing"}, // nobody knows what is at the other end
		{"auto", "/dev/pts/1", "/tmp/tmux", "asked"},
		{"on", "/dev/pts/1", "", "taken"},
		{"on", "", "", "taken"},
		{"off", "/dev/pts/1", "/tmp/tmux", "nothing"},
	} {
		t.Setenv("SSH_TTY", c.ssh)
		t.Setenv("TMUX", c.tmux)
		got := "nothing"
		if cmd := (&Options{SynchronizedOutput: c.set}).synchronise(); cmd != nil {
			switch msg := cmd().(type) {
			case tea.ModeReportMsg:
				if got = "taken"; msg.Mode != ansi.ModeSynchronizedOutput || msg.Value != ansi.ModeReset {
					t.Errorf("%+v: report %+v", c, msg)
				}
			case tea.RawMsg:
				if got = "asked"; msg.Msg != ansi.RequestModeSynchronizedOutput {
					t.Errorf("%+v: asks %+v", c, msg)
				}
			}
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	report := tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset}
	if unsynchronised(nil, report) != nil || unsynchronised(nil, tea.FocusMsg{}) == nil {
		t.Error("off keeps the terminal's report, or drops another message")
	}
}

func TestWhatCannotBeRememberedIsTold(t *testing.T) {
	m := sit(t, 100, 30, func(o *Options) { o.Remember = func(Memory) error { return errors.New("the disk is full") } })
	m.press("f9", "'paper", "enter")
	m.tell(rememberFailed{os.ErrPermission})
	m.shows("permission denied")
}

// TestThePaletteHasACommandOnce: what several parts of a screen can do is one row.
func TestThePaletteHasACommandOnce(t *testing.T) {
	t.Parallel()
	m := sit(t, 120, 40)
	m.press("enter")
	m.press("ctrl+p")
	f := m.over
	if f == nil || len(f.items) < 40 {
		t.Fatalf("there is no palette: %v", f)
	}
	seen := map[string]bool{}
	for _, it := range f.items {
		if seen[it.text] {
			t.Errorf("%q is there twice", it.text)
		}
		seen[it.text] = true
	}
	for _, name := range []string{"stage.branch", "stage.side.branch", "stage.unvote", "stage.side.undo"} {
		if f.seek(name); len(f.shown) == 0 {
			t.Errorf("%s is not found", name)
		}
	}
}
