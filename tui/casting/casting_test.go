package casting

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena"
	"herarena/characters"
	"herarena/tui/keys"
	"herarena/tui/look"
)

type mute struct{ name string }

func (m mute) Name() string { return m.name }

func (mute) Judge(context.Context, arena.Case, func(arena.Verdict)) arena.Verdict {
	return arena.Verdict{}
}

func options() Options {
	scene := func(id, title string) characters.Scene {
		return characters.Scene{
			ID: id, Title: title, Language: "en", Source: "nobody's book", Blurb: "What " + title + " is about.",
			Character: characters.Character{Name: "Ines"}, User: characters.Character{Name: "Roe"},
			Opening: "The office is closed.", Scenario: "Rain.",
		}
	}
	return Options{
		Scenes:      []characters.Scene{scene("one", "The harbour"), scene("two", "The long watch"), scene("three", "海边的旅馆")},
		Contestants: []arena.Contestant{{Name: "alpha", Model: "m-a", Endpoint: "http://localhost:1/v1"}, {Name: "beta", Model: "m-b"}, {Name: "gamma", Model: "m-c", Rehearsal: true}},
		Critics:     []CriticChoice{{Name: "house", Label: "house critic", Note: "Code, no model.", Critic: mute{"house"}}, {Name: "her-rm", Critic: mute{"her-rm"}}, {Name: "none"}},
		Look:        look.New(look.Options{Dark: true}),
	}
}

// press presses keys by name and returns what the screen asked for last.
func press(c *Casting, names ...string) tea.Msg {
	var asked tea.Msg
	for _, name := range names {
		if msg := run(c, c.Update(keys.Parse(name))); msg != nil {
			asked = msg
		}
	}
	return asked
}

// run carries out a command and all it leads to, but for the clock's, and returns
// what the screen asked of others last.
func run(c *Casting, cmd tea.Cmd) tea.Msg {
	if cmd == nil {
		return nil
	}
	var asked tea.Msg
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			if m := run(c, cmd); m != nil {
				asked = m
			}
		}
	case Started, OpenBoard, Quit, keys.Run:
		return msg
	case progressed, openShelf: // the clock's, which tests turn themselves
	default:
		return run(c, c.Update(msg))
	}
	return asked
}

func state(c *Casting) string {
	s := labels[c.focus] + ":"
	for _, f := range []field{sceneField, aField, bField, criticField, canonField, blindField} {
		o, _ := c.value(f)
		s += " " + o.title
	}
	if c.text() != "" || c.typing {
		s += " /" + c.text()
	}
	return s
}

func TestKeysPutTheCastTogether(t *testing.T) {
	t.Parallel()
	const rest = " house critic vote off"
	for _, c := range []struct{ keys, want string }{
		{"", "Scene: The harbour alpha beta" + rest},
		{"down", "Scene: The long watch alpha beta" + rest},
		{"down down down up", "Scene: The long watch alpha beta" + rest},
		{"G g", "Scene: The harbour alpha beta" + rest},
		{"tab tab down", "A: The harbour beta beta" + rest},
		{"right right right down", "B: The harbour alpha gamma" + rest},
		{"shift+tab shift+tab down", "Blind: The harbour alpha beta house critic vote on"},
		{"shift+tab", "Seed: The harbour alpha beta" + rest},
		{"tab tab tab tab down", "Critic: The harbour alpha beta her-rm vote off"},
		{"left left left G", "Canon: The harbour alpha beta house critic parallel off"},
		{"x", "Scene: The harbour beta alpha" + rest},
		{"/ w a t c h", "Scene: The long watch alpha beta" + rest + " /watch"},
		{"/ w a t c h enter", "Scene: The long watch alpha beta" + rest + " /watch"},
		{"/ q q q", "Scene: The harbour alpha beta" + rest + " /qqq"},
		{"/ q backspace", "Scene: The harbour alpha beta" + rest + " /"},
		{"/ w a t c h esc", "Scene: The long watch alpha beta" + rest},
		{"/ x y tab", "You: The harbour alpha beta" + rest},
		{"/ 海", "Scene: 海边的旅馆 alpha beta" + rest + " /海"},
		{"/ 海 backspace backspace", "Scene: 海边的旅馆 alpha beta" + rest + " /"},
		{"/ t h e space l", "Scene: The long watch alpha beta" + rest + " /the l"},
		{"tab tab / g a m", "A: The harbour gamma beta" + rest + " /gam"},
		{"space space space", "Scene: The harbour alpha beta" + rest},
	} {
		s := New(options())
		press(s, strings.Fields(c.keys)...)
		if got := state(s); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, c.want)
		}
	}
}

func TestPresetIsChosenAndUnknownNamesFallBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		preset Preset
		want   string
	}{
		{Preset{SceneID: "two", A: "gamma", B: "alpha", Critic: "her-rm", Canon: arena.CanonCritic, Blind: true}, "The long watch gamma alpha her-rm critic on"},
		{Preset{SceneID: "nowhere", A: "nobody", B: "nobody", Critic: "nobody", Canon: "nothing"}, "The harbour alpha beta house critic vote off"},
		{Preset{A: "beta"}, "The harbour beta alpha house critic vote off"},
	} {
		o := options()
		o.Preset = c.preset
		if got := state(New(o)); got != "Scene: "+c.want {
			t.Errorf("%+v: %s, want %s", c.preset, got, c.want)
		}
	}
}

func TestEnterAsksForTheDuelOnce(t *testing.T) {
	t.Parallel()
	s := New(options())
	started, ok := press(s, "tab", "tab", "tab", "down", "enter").(Started)
	if !ok {
		t.Fatal("enter asks for no duel")
	}
	if c := started.Cast; c.Scene.ID != "one" || c.Contestants[0].Name != "alpha" || c.Contestants[1].Name != "gamma" || c.Critic.OnBoards() != "house" || c.Canon != arena.CanonVote || c.Blind {
		t.Errorf("cast %+v", c)
	}
	if press(s, "enter") != nil {
		t.Error("a second enter asks again while the first is under way")
	}
	s.Update(Ready{})
	if press(s, "enter") == nil {
		t.Error("after the duel came back enter asks no more")
	}
}

func TestWithoutScenesOrContestantsItSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Options){
		"scene":      func(o *Options) { o.Scenes = nil },
		"contestant": func(o *Options) { o.Contestants = nil },
		"nothing":    func(o *Options) { *o = Options{Look: o.Look} },
	} {
		o := options()
		change(&o)
		s := New(o)
		s.SetSize(120, 30)
		for f := range fields {
			s.turnTo(f)
			fits(t, s)
			press(s, "down", "up", "/", "x", "esc", "x", "space", "]", "r", "f")
		}
		if press(s, "enter") != nil {
			t.Errorf("%s: a duel is asked for", name)
		}
		if view := fits(t, s); !strings.Contains(view, "there is no ") {
			t.Errorf("%s: not told what is missing:\n%s", name, view)
		}
	}
}

func TestOffersAreAddedOnce(t *testing.T) {
	t.Parallel()
	s := New(options())
	offer := Offer{Text: "found Ollama", Contestants: []arena.Contestant{{Name: "alpha"}, {Name: "qwen"}}, Critics: []CriticChoice{{Name: "house"}, {Name: "rm", Critic: mute{"rm"}}}}
	press(s, "down")
	s.Update(offer)
	s.Update(offer)
	if len(s.o.Contestants) != 4 || len(s.o.Critics) != 4 {
		t.Errorf("%d contestants and %d critics, want 4 and 4", len(s.o.Contestants), len(s.o.Critics))
	}
	if got := state(s); got != "Scene: The long watch alpha beta house critic vote off" {
		t.Errorf("an offer changed what was chosen: %s", got)
	}
}

func TestMouseChooses(t *testing.T) {
	t.Parallel()
	for _, w := range []int{80, 120} {
		s := New(options())
		s.SetSize(w, 30)
		click := func(text string) {
			t.Helper()
			for y, row := range strings.Split(fits(t, s), "\n") {
				if i := strings.Index(row, text); i >= 0 {
					s.Update(tea.MouseClickMsg{X: ansi.StringWidth(row[:i]), Y: y, Button: tea.MouseLeft})
					return
				}
			}
			t.Fatalf("%q is not shown:\n%s", text, s.View())
		}
		click("The long watch")
		click("B  ")
		s.Update(tea.MouseWheelMsg{X: 5, Y: 12, Button: tea.MouseWheelDown})
		click("Blind o")
		click("Blind o")
		if got := state(s); got != "Blind: The long watch alpha gamma house critic vote on" {
			t.Errorf("width %d: %s", w, got)
		}
	}
}

func TestNothingHostileReachesTheScreen(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]52;c;aGk=\x07\x1b[2J\u009b31m\u202egnp\x00&#27;"
	o := options()
	o.Note = evil
	o.Scenes[0] = characters.Scene{ID: evil, Title: evil, Language: evil, Source: evil, Blurb: evil, Scenario: evil, Opening: evil, Character: characters.Character{Name: evil}, User: characters.Character{Name: evil}}
	o.Contestants[0] = arena.Contestant{Name: evil, Model: evil, Endpoint: evil, Prefill: evil}
	o.Critics[0] = CriticChoice{Name: evil, Label: evil, Note: evil, Critic: mute{evil}}
	s := New(o)
	s.Update(Offer{Text: evil})
	for _, w := range []int{60, 80, 140} {
		s.SetSize(w, 30)
		for f := range fields {
			s.turnTo(f)
			s.Update(tea.PasteMsg{Content: evil})
			view := ansi.Strip(fits(t, s))
			for _, bad := range []string{"\x1b", "\u009b", "\u202e", "\x00", "\x07"} {
				if strings.Contains(view, bad) {
					t.Errorf("%q reached the screen: %q", bad, view)
				}
			}
		}
	}
}

// fits returns the frame without colours and checks its size.
func fits(t *testing.T, s *Casting) string {
	t.Helper()
	plain := ansi.Strip(s.View())
	rows := strings.Split(plain, "\n")
	if len(rows) != s.page.h {
		t.Fatalf("%d rows of %d:\n%s", len(rows), s.page.h, plain)
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n != s.page.w {
			t.Fatalf("row %d has %d cells of %d: %q", i, n, s.page.w, row)
		}
	}
	return plain
}

func TestGoldenScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {300, 90}} {
		for f := range fields {
			t.Run(fmt.Sprintf("%s/%dx%d", labels[f], size[0], size[1]), func(t *testing.T) {
				o := options()
				o.Note = "rehearsal: scripted players, house critic, no model"
				s := New(o)
				s.SetSize(size[0], size[1])
				s.turnTo(f)
				rows := strings.Split(fits(t, s), "\n")
				for i := range rows {
					rows[i] = strings.TrimRight(rows[i], " ")
				}
				golden.RequireEqual(t, strings.Join(rows, "\n")+"\n")
			})
		}
	}
}

func TestAnySizeFits(t *testing.T) {
	t.Parallel()
	s := New(options())
	s.o.Note = strings.Repeat("a long note ", 12)
	for _, w := range []int{60, 61, 79, 99, 100, 101, 172, 173, 300} {
		for _, h := range []int{20, 21, 24, 50, 51, 90} {
			for f := range fields {
				s.SetSize(w, h)
				s.turnTo(f)
				fits(t, s)
			}
		}
	}
}

// TestALongSceneIsReadToItsEnd scrolls the description by key, by wheel and from
// the palette, and never past its ends.
func TestALongSceneIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 30}, {300, 90}} {
		o := options()
		o.Scenes[0].Scenario = strings.Repeat("Rain on the windows, and a lamp for whoever comes. ", 120) + "The end of it."
		s := New(o)
		s.SetSize(size[0], size[1])
		if first := fits(t, s); !strings.Contains(first, "What The harbour is about") || strings.Contains(first, "The end of it.") {
			t.Fatalf("%v: the beginning is not shown alone:\n%s", size, first)
		}
		for range 60 {
			press(s, "J")
			fits(t, s)
		}
		if end := fits(t, s); !strings.Contains(end, "The end of it.") {
			t.Errorf("%v: the end is not reached:\n%s", size, end)
		}
		s.Do("casting.about.up")
		if up := fits(t, s); strings.Contains(up, "The end of it.") {
			t.Errorf("%v: it does not scroll back:\n%s", size, up)
		}
		for range 60 {
			press(s, "K")
		}
		at := s.at.about
		for range 100 {
			s.Update(tea.MouseWheelMsg{X: s.page.x + at.x + 2, Y: s.page.y + at.y + 2, Button: tea.MouseWheelDown})
			fits(t, s)
		}
		if end := fits(t, s); !strings.Contains(end, "The end of it.") {
			t.Errorf("%v: the wheel does not reach the end:\n%s", size, end)
		}
		if press(s, "j"); s.aboutTop != 0 {
			t.Errorf("%v: another scene begins at row %d", size, s.aboutTop)
		}
	}
}

// TestTheLastRowCanBeClicked presses every hint with the mouse.
func TestTheLastRowCanBeClicked(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 20}, {120, 30}, {300, 90}} {
		s := New(options())
		s.SetSize(size[0], size[1])
		fits(t, s)
		if n := len(s.at.hints); n < 4 || s.at.hints[n-1].Name != "app.help" {
			t.Fatalf("%v: hints %v, want several, the help last", size, s.at.hints)
		}
		for _, spot := range s.at.hints {
			cmd := s.Update(tea.MouseClickMsg{X: s.page.x + spot.From, Y: s.page.y + s.h - 1, Button: tea.MouseLeft})
			if cmd == nil || cmd() != (keys.Run{Name: spot.Name}) {
				t.Errorf("%v: a click on %s does not run it", size, spot.Name)
			}
		}
		if cmd := s.Update(tea.MouseClickMsg{X: s.page.x, Y: s.page.y + s.h - 1, Button: tea.MouseLeft}); cmd != nil {
			t.Errorf("%v: a click beside the hints runs %v", size, cmd())
		}
	}
}

func TestOwnKeysAreOnTheScreen(t *testing.T) {
	t.Parallel()
	m, err := keys.NewMap(Groups(), nil, map[string][]string{"casting.start": {"f5"}, "casting.swap": {""}})
	if err != nil {
		t.Fatal(err)
	}
	o := options()
	o.Keys = m
	s := New(o)
	s.SetSize(120, 30)
	if view := fits(t, s); !strings.Contains(view, "f5 start") || strings.Contains(view, "swap") {
		t.Errorf("the hints are not those in force:\n%s", view)
	}
	if press(s, "enter", "x") != nil || s.chosen[aField] != 0 {
		t.Error("keys that were given away still work")
	}
	if _, ok := press(s, "f5").(Started); !ok {
		t.Error("f5 does not start")
	}
}

func TestEveryCommandRunsFromThePalette(t *testing.T) {
	t.Parallel()
	s := New(options())
	s.SetSize(80, 24)
	for _, e := range s.Commands() {
		s.busy = false
		s.Do(e.Name)
		fits(t, s)
	}
	s.Do("no such command")
}

func TestBindingsAreSound(t *testing.T) {
	t.Parallel()
	if err := keys.Check(Groups()); err != nil {
		t.Error(err)
	}
}
