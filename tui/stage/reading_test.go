package stage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/clip"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// story plays n turns with words of their own.
func story(p *prop, n int) {
	for i := 1; i <= n; i++ {
		a, b := stagetest.Layered(), stagetest.Bare()
		a.Segments = append(slices.Clone(a.Segments), layers.Segment{Layer: layers.Speech, Text: fmt.Sprintf("The lantern of night %d is lit.", i)})
		p.tell(opened(i, fmt.Sprintf("Line of turn %d.", i)), started(i, arena.A, 0), started(i, arena.B, 0),
			ended(i, arena.A, 0, a), ended(i, arena.B, 0, b))
	}
	p.screen(p.t)
}

// reads writes what keys of reading change as one line.
func (p *prop) reads() string {
	s := focusNames[p.focus]
	if p.search != nil {
		s += fmt.Sprintf(" /%s %d/%d", p.search.query, p.search.at+1, len(p.search.found))
		if p.search.writing {
			s += " writing"
		}
		if p.search.sides != [2]bool{true, true} {
			s += " in " + map[bool]string{true: "A", false: "B"}[p.search.sides[0]]
		}
	}
	if p.menu != nil {
		s += " menu=" + p.menu.title
	}
	if p.compare != nil {
		s += fmt.Sprintf(" compare=%d", p.compare.turn+1)
	}
	if n := len(p.play.turns); n > 0 && p.judged != n-1 {
		s += fmt.Sprintf(" turn=%d", p.judged+1)
	}
	if !p.panes[0].Following() {
		s += " back"
	}
	for l, state := range p.panels {
		if state != usual()[l] {
			s += " " + layerWords[l] + "=" + state.String()
		}
	}
	if v := p.writer.area.Value(); v != "" {
		s += fmt.Sprintf(" text=%q", v)
	}
	return s
}

func TestKeysOfReading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, want string }{
		// Search.
		{"/", "composer / 0/0 writing"},
		{"ctrl+f", "composer / 0/0 writing"},
		{"/ esc", "composer"},
		{"/ backspace", "composer"},
		{"'ab /", `composer text="ab/"`},
		{"'ab ctrl+f", `composer / 0/0 writing text="ab"`},
		{"/ 'lantern", "composer /lantern 9/9 writing"},
		{"/ 'LANTERN", "composer /LANTERN 9/9 writing"},
		{"/ 'lantern up", "composer /lantern 8/9 writing"},
		{"/ 'lantern down", "composer /lantern 1/9 writing back"},
		{"/ 'lantern enter", "A /lantern 9/9"},
		{"/ 'lantern enter n", "A /lantern 1/9 back"},
		{"/ 'lantern enter n n", "A /lantern 2/9 back"},
		{"/ 'lantern enter N N", "A /lantern 7/9"},
		{"/ 'lantern up esc", "composer"},
		{"/ 'lantern enter n esc", "A back"},
		{"/ 'lantern enter n esc esc", "composer back"},
		{"/ 'lantern backspace 'x", "composer /lanterx 0/0 writing"},
		{"/ 'zzz enter", "composer"},
		{"/ 'lantern ctrl+u", "composer / 0/0 writing"},
		{"/ 'a ctrl+w", "composer / 0/0 writing"},
		{"/ '?", "composer /? 9/9 writing"},
		{"tab / 'lantern", "A /lantern 9/9 writing in A"},
		{"tab tab / 'lantern", "B /lantern 0/0 writing in B"},
		{"/ 'lantern tab", "composer /lantern 9/9 writing in A"},
		{"/ 'lantern tab tab", "composer /lantern 0/0 writing in B"},
		{"/ 'lantern tab tab tab", "composer /lantern 9/9 writing"},
		{"n", `composer text="n"`},
		// Jumps.
		{"tab [", "A turn=8"},
		{"tab [ [", "A turn=7"},
		{"tab [ [ ]", "A turn=8"},
		{"tab {", "A turn=1 back"},
		{"tab { ]", "A turn=2 back"},
		{"tab { [", "A turn=1 back"},
		{"tab { }", "A"},
		{"tab ] ]", "A"},
		{"ctrl+t", "composer menu=Turns (9)"},
		{"ctrl+t esc", "composer"},
		{"ctrl+t enter", "composer"},
		{"ctrl+t up up enter", "composer turn=7"},
		{"ctrl+t home enter", "composer turn=1 back"},
		{"ctrl+t '3 enter", "composer turn=3 back"},
		{"ctrl+t 'nobody enter", "composer menu=Turns (9)"},
		// Panels.
		{"f5", "composer menu=Panels of both sides"},
		{"f5 t", "composer menu=Panels of both sides thought=dimmed"},
		{"f5 t t", "composer menu=Panels of both sides thought=collapsed"},
		{"f5 t t t", "composer menu=Panels of both sides thought=hidden"},
		{"f5 t t t t", "composer menu=Panels of both sides"},
		{"f5 p esc", "composer plan=hidden"},
		{"f5 down down enter esc", "composer thought=dimmed"},
		{"f5 left", "composer menu=Panels of both sides plan=dimmed"},
		{"f5 s s s u esc", "composer"},
		{"tab v a esc", "A action=dimmed"},
		// Comparing.
		{"f6", "A compare=9"},
		{"f6 f6", "A"},
		{"f6 c", "A"},
		{"f6 esc", "A"},
		{"f6 esc esc", "composer"},
		{"f6 [", "A compare=8 turn=8"},
		{"f6 [ [ ]", "A compare=8 turn=8"},
		{"tab { c", "A compare=1 turn=1 back"},
		{"f6 i 'x", `composer compare=9 text="x"`},
		{"f6 / 'lantern enter", "A /lantern 9/9"},
		// Copying.
		{"f7", "composer menu=Copy"},
		{"tab Y esc", "A menu=Copy"},
	} {
		p := set(t, 120, 30)
		story(p, 9)
		p.press(strings.Fields(c.keys)...)
		want := c.want
		if c.keys == "tab Y esc" {
			want = "A"
		}
		if got := p.reads(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", c.keys, got, want)
		}
		p.screen(t)
	}
}

func TestASearchOpensTheFoldedPanelAndShutsItAgain(t *testing.T) {
	t.Parallel()
	for _, hide := range []bool{false, true} {
		p := set(t, 120, 30)
		story(p, 6)
		if hide {
			p.press("f5", "p", "esc") // collapsed to hidden
		}
		p.press("/", "'stay wary", "up", "up")
		if s := p.screen(t); !strings.Contains(s, "She should stay wary") || !strings.Contains(s, "4 of 6") {
			t.Errorf("the plan is not opened (hidden %v):\n%s", hide, s)
		}
		p.press("enter", "n")
		open := 0
		for _, b := range p.blocks[0] {
			if b.isOpen(0, layers.System) {
				open++
			}
		}
		if open != 1 {
			t.Errorf("%d plans stand open, want the one at hand", open)
		}
		p.press("/", "'stay wary", "esc", "esc")
		for i, b := range p.blocks[0] {
			if b.isOpen(0, layers.System) {
				t.Errorf("the plan of turn %d stays open", i+1)
			}
		}
	}
}

func TestEscBringsTheSearchBackToWhereItBegan(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 30)
	story(p, 12)
	p.press("tab", "pgup", "pgup", "up")
	before := p.screen(t)
	p.press("/", "'night 2", "up", "down", "tab", "tab", "'x", "esc")
	if got := p.screen(t); got != before {
		t.Errorf("the screen is another:\n%s\nwas\n%s", got, before)
	}
}

func TestASearchFindsWhatIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 30)
	story(p, 3)
	p.press("/", "'lantern", "enter")
	p.tell(opened(4, "more"), started(4, arena.A, 0), delta(4, arena.A, 0, 3, layers.Segment{Layer: layers.Speech, Text: "A lantern and "}))
	if s := p.screen(t); !strings.Contains(s, "3 of 4") {
		t.Errorf("what came is not counted:\n%s", s)
	}
	p.tell(delta(4, arena.A, 0, 4, layers.Segment{Text: "another lantern"}))
	p.press("n", "n")
	if s := p.screen(t); !strings.Contains(s, "5 of 5") {
		t.Errorf("what came is not gone through:\n%s", s)
	}
}

func TestMatchesReadAsOnePhrase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, text string
		want        []string
	}{
		{"pale hand", "her *pale* hand, Pale\n  Hand; pale-hand", []string{"pale* hand", "Pale\n  Hand"}},
		{"cafe", "CAFE cafe\u0301 caf", []string{"CAFE", "cafe\u0301"}},
		{"雨", "雨の雨", []string{"雨", "雨"}},
		{"שלום", "אמר שלום לו", []string{"שלום"}},
		{"σας", "ΣΑΣ σας", []string{"ΣΑΣ", "σας"}},
		{"aa", "aaaa", []string{"aa", "aa"}},
		{" ", "a b", nil},
		{"", "a b", nil},
		{"**", "a **b** c", []string{"**", "**"}},
		{"a  b", "a b", []string{"a b"}},
		{"\xff", "a\xff", []string{"\xff"}},
	} {
		var got []string
		for _, m := range newNeedle(c.query).all(c.text, 100) {
			got = append(got, c.text[m[0]:m[1]])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

func TestPanelsAreRemembered(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 30, func(o *Options) {
		o.Reading.Panels = map[string]string{"system": "shown", "think": "hidden", "speech": "no such word", "nobody": "hidden"}
	})
	story(p, 1)
	s := p.screen(t)
	if !strings.Contains(s, "She should stay wary") || strings.Contains(s, "soaked to the bone") || !strings.Contains(s, "One berth is left") {
		t.Errorf("the panels are not as remembered:\n%s", s)
	}
	p.press("f5", "t")
	var kept Reading
	for _, m := range p.asked {
		if r, ok := m.(Remember); ok {
			kept = r.Stage.Reading()
		}
	}
	want := map[string]string{"system": "shown", "native": "collapsed", "think": "shown", "act": "shown", "speech": "shown"}
	if fmt.Sprint(kept.Panels) != fmt.Sprint(want) {
		t.Errorf("to be remembered: %v, want %v", kept.Panels, want)
	}
	if panelsOf(kept.Panels) != p.panels {
		t.Error("what is remembered is not what is shown")
	}
}

func TestWhatIsHiddenIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hide string // layers by their key in the menu
		want string // "" for nothing to be said
	}{
		{"p", ""},
		{"t", ""},
		{"pt", ""},
		{"s", "speech hidden"},
		{"as", "action, speech hidden"},
		{"ptas", "plan, thought, action, speech hidden"},
	} {
		p := set(t, 120, 40)
		for i, key := range []string{"p", "n", "t", "a", "s"} {
			if strings.Contains(c.hide, key) {
				p.setPanel(layers.Layer(i), panelHidden)
			}
		}
		story(p, 1)
		s := p.screen(t)
		if c.want == "" && strings.Contains(s, "hidden") || !strings.Contains(s, c.want) {
			t.Errorf("hiding %s says not %q:\n%s", c.hide, c.want, s)
		}
	}
}

func TestEveryStateOfEveryPanelFitsAndComesBack(t *testing.T) {
	t.Parallel()
	p := set(t, 80, 24)
	story(p, 3)
	before := p.screen(t)
	for l := range layerCount {
		for state := range panelStates {
			p.setPanel(layers.Layer(l), state)
			p.screen(t)
		}
		p.setPanel(layers.Layer(l), usual()[l])
	}
	if got := p.screen(t); got != before {
		t.Errorf("as usual again the screen is another:\n%s\nwas\n%s", got, before)
	}
}

func TestWhatIsBelowIsMarked(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 24)
	story(p, 6)
	p.press("tab", "pgup")
	if s := p.screen(t); !strings.Contains(s, "↓ ") || strings.Contains(s, "new") {
		t.Errorf("nothing new, yet:\n%s", s)
	}
	top := strings.Split(p.screen(t), "\n")[2:12]
	for i := range 30 {
		if i == 0 {
			p.tell(opened(7, "more"), started(7, arena.A, 0))
		}
		p.tell(delta(7, arena.A, 0, i+1, layers.Segment{Layer: layers.Speech, Text: fmt.Sprintf("word%d and more words of it. ", i)}))
		now := strings.Split(p.screen(t), "\n")
		for y, row := range top { // A's half of the rows read does not move
			if a, b := []rune(row)[:60], []rune(now[2+y])[:60]; string(a) != string(b) {
				t.Fatalf("row %d moved while reading back: %q was %q", y, string(b), string(a))
			}
		}
	}
	if s := p.screen(t); !strings.Contains(s, ", new ") {
		t.Errorf("what came is not marked:\n%s", s)
	}
	p.press("end")
	if s := p.screen(t); strings.Contains(s, "↓") {
		t.Errorf("at the end the mark stays:\n%s", s)
	}
}

func TestCopying(t *testing.T) {
	t.Parallel()
	layered := stagetest.Layered()
	speech := ""
	for _, s := range layered.Segments {
		if s.Layer == layers.Speech {
			speech = s.Text
		}
	}
	for _, c := range []struct {
		keys, has, not, notice string
	}{
		{"tab y", "*turns the ledger", "She should stay wary", "reply A sent to the terminal's clipboard"},
		{"tab tab y", "Good evening", "The user wants", "reply B sent to the terminal's clipboard"},
		{"tab { y", "*turns the ledger", "night 2", "reply A of turn 1 sent to the terminal's clipboard"},
		{"f7 w", "She should stay wary", "", "reply A as written, with its marks sent to the terminal's clipboard"},
		{"f7 p", "She should stay wary", "ledger", "plan of reply A sent"},
		{"f7 t", "soaked to the bone", "ledger", "thought of reply A sent"},
		{"f7 a", "turns the ledger", "berth", "action of reply A sent"},
		{"f7 s", speech, "ledger", "speech of reply A sent"},
		{"f7 v", "Character fidelity", "Line of turn", "verdict on turn 1 sent"},
		{"f7 u", "Line of turn", "", "turn 1 whole: line, both replies, verdict sent"},
		{"f7 u", "house on turn 1: A (her-rl), both orders agree", "", ""},
		{"f7 n", "", "", ""}, // A does not reason
	} {
		p := set(t, 120, 30)
		p.tell(judgedTurn(1, "Line of turn 1.", stagetest.Agreeing())...)
		if strings.Contains(c.keys, "{") {
			p.tell(played(2, "Line of turn 2.")...)
			p.screen(t)
			p.panes[0].Top()
		}
		p.screen(t)
		p.press(strings.Fields(c.keys)...)
		if c.has == "" {
			if len(p.copied) != 0 {
				t.Errorf("%q copies %q", c.keys, p.copied)
			}
			continue
		}
		if len(p.copied) != 1 || !strings.Contains(p.copied[0], c.has) || c.not != "" && strings.Contains(p.copied[0], c.not) {
			t.Errorf("%q copies %q, want %q and not %q", c.keys, p.copied, c.has, c.not)
		}
		if !strings.Contains(strings.Join(p.notices, ";"), c.notice) {
			t.Errorf("%q tells %q, want %q", c.keys, p.notices, c.notice)
		}
	}
}

func TestCopiesAreHonestAboutWhatIsKnown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from clipped
		want string
	}{
		{clipped{what: "reply A", by: "wl-copy"}, "reply A copied with wl-copy"},
		{clipped{what: "reply A", err: errNone()}, "reply A sent to the terminal's clipboard"},
		{clipped{what: "reply A", err: errNone(), size: 200 << 10}, "reply A sent to the terminal's clipboard; it has 200 kB, and many terminals take no more than 73"},
		{clipped{what: "reply A", err: errNone(), file: "f writes it to a file"}, "reply A sent to the terminal's clipboard; should nothing arrive there, f writes it to a file"},
		{clipped{what: "reply A", by: "xclip", file: "f writes it to a file"}, "reply A copied with xclip"},
		{clipped{what: "reply A", err: fmt.Errorf("xclip did not take the text: no display")}, "reply A sent to the terminal's clipboard; xclip did not take the text: no display"},
	} {
		if got := c.from.notice(); got.Text != c.want || got.Bad {
			t.Errorf("%+v: %q", c.from, got.Text)
		}
	}
}

func TestBlindCopiesTellNoNames(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 30, func(o *Options) { o.Blind = true })
	p.tell(judgedTurn(1, "one", stagetest.Agreeing())...)
	p.press("f7", "u")
	if len(p.copied) != 1 || strings.Contains(p.copied[0], "her-rl") || strings.Contains(p.copied[0], "plain-8b") {
		t.Errorf("a turn that is not voted on is copied as %q", p.copied)
	}
}

func TestWhatIsCopiedIsClean(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 30)
	take := stagetest.Take{Segments: []layers.Segment{{Layer: layers.Speech, Text: "x" + evil + "y"}, {Layer: layers.Act, Text: "a" + evil}}}
	p.tell(opened(1, "l"+evil), started(1, arena.A, 0), started(1, arena.B, 0), ended(1, arena.A, 0, take), ended(1, arena.B, 0, take))
	for _, key := range []string{"r", "w", "s", "a", "u"} {
		p.press("f7", key)
	}
	if len(p.copied) != 5 {
		t.Fatalf("%d copies", len(p.copied))
	}
	for _, text := range p.copied {
		clean(t, text)
		if strings.ContainsRune(text, 0x1b) {
			t.Errorf("a sequence is copied: %q", text)
		}
	}
}

func TestReadingDrawsInEverySizeAndLook(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 20}, {72, 22}, {80, 24}, {99, 30}, {100, 24}, {120, 40}, {200, 60}} {
		for _, o := range []look.Options{{Dark: true, Colour: look.Full}, {Colour: look.Full}, {}, {ASCII: true}} {
			p := set(t, size[0], size[1], func(opt *Options) { opt.Look = look.New(o) })
			story(p, 5)
			for _, keys := range []string{"/ 'lantern up", "enter n", "esc", "f5 t", "esc ctrl+t", "down 'tu", "esc f6", "down [", "y", "esc c z /", "'berth", "esc"} {
				p.press(strings.Fields(keys)...)
				s := p.screen(t)
				if o.ASCII {
					for _, r := range s {
						if r > 0x7e {
							t.Fatalf("%v %q: %q is drawn in ASCII:\n%s", size, keys, r, s)
						}
					}
				}
				clean(t, p.View())
			}
		}
	}
}

func TestHostileTextIsSearchedComparedAndListed(t *testing.T) {
	t.Parallel()
	p := set(t, 120, 30, func(o *Options) { o.Look = look.New(look.Options{Dark: true, Colour: look.Full}) })
	take := stagetest.Take{Segments: []layers.Segment{{Layer: layers.Think, Text: "t" + evil}, {Layer: layers.Speech, Text: "x" + evil + "y"}}}
	p.tell(opened(1, "l"+evil), started(1, arena.A, 0), started(1, arena.B, 0), ended(1, arena.A, 0, take), ended(1, arena.B, 0, stagetest.Bare()))
	for _, keys := range []string{"/ 'x", "'o", "enter n", "esc ctrl+t", "'l", "esc f6", "down", "esc"} {
		p.press(strings.Fields(keys)...)
		clean(t, p.View())
		p.screen(t)
	}
	p.run(p.Update(tea.PasteMsg{Content: "p" + evil}))
	p.press("ctrl+f")
	p.run(p.Update(tea.PasteMsg{Content: "q" + evil}))
	clean(t, p.View())
	p.screen(t)
}

// TestANothingFrameStaysFreeWhileReading: with a search, a selection or the
// comparison on screen a frame with nothing new still allocates nothing.
func TestANothingFrameStaysFreeWhileReading(t *testing.T) { // not parallel: it counts allocations
	for _, keys := range []string{"/ 'lantern", "/ 'lantern enter", "f6", "f5", "ctrl+t"} {
		p := set(t, 120, 30)
		story(p, 20)
		p.press(strings.Fields(keys)...)
		p.View()
		if n := testing.AllocsPerRun(100, func() { p.View() }); n > 0 {
			t.Errorf("%q: a frame with nothing new allocates %v times", keys, n)
		}
	}
}

func TestASearchInALongTranscriptIsQuick(t *testing.T) {
	p := set(t, 160, 48)
	for n := 1; n <= 2000; n++ {
		p.tell(played(n, fmt.Sprint("line ", n))...)
	}
	p.View()
	begin := time.Now()
	p.press("ctrl+f", "'berth")
	p.View()
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("five letters in 2,000 turns take %v", took)
	}
}

func TestACopyGoesToAFile(t *testing.T) {
	t.Parallel()
	var saved [][2]string
	p := settled(t, 120, 40, func(o *Options) {
		o.Save = func(name, text string) (string, error) {
			saved = append(saved, [2]string{name, text})
			return "/home/roe/herarena-reply-a.txt", nil
		}
	})
	p.press("tab", "y", "f", "f7", "p", "f7", "f")
	if len(saved) != 2 || saved[0] != [2]string{"reply A", p.copied[0]} || saved[1][1] != p.copied[1] || saved[1][0] != "plan of reply A" {
		t.Fatalf("saved %q, copied %q", saved, p.copied)
	}
	told := strings.Join(p.notices, "\n")
	for _, want := range []string{"should nothing arrive there, f writes it to a file", "f7 f writes it to a file", "reply A is written to /home/roe/herarena-reply-a.txt"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not told:\n%s", want, told)
		}
	}
}

func errNone() error { return clip.ErrNone }
