package stage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"herarena/arena"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// mixed are verdicts that agree on the winner and differ in what they look at;
// the second order knows one principle by another name.
func mixed() [2]arena.Verdict {
	v := stagetest.Agreeing()
	v[0].Principles = append(v[0].Principles[:3:3], arena.Principle{Name: "Physical logic", Dimension: "Logic", Polarity: "negative", Level: "sentence", Definition: "Nothing happens that cannot."})
	v[0].Comparisons = append(v[0].Comparisons[:3:3], arena.Comparison{
		Name: "Physical logic", First: "“turns the ledger so that he cannot read it” with both hands full.", Second: "Nothing moves.", Reason: "cand_2 is significantly safer.", Winner: arena.Second, Degree: "significant",
	})
	second := v[1]
	second.Principles = append([]arena.Principle(nil), second.Principles...)
	second.Principles[1].Name = "Character consistency"
	second.Comparisons = append([]arena.Comparison(nil), second.Comparisons...)
	second.Comparisons[1].Name = "Character consistency"
	second.Comparisons[1].First, second.Comparisons[1].Second = "Anyone could stand here.", "Bargains: “Give me a reason to forget the name.”"
	second.Raw = `{"result": [{"cand_1": "Good evening, Captain Roe.", "principle": {"Principle 1": {"principle_name": "Emotional authenticity"}}, "better_response": "cand_2"}]}`
	second.Reasoning = "The first reply is a counter clerk. The second has a pulse."
	v[1] = second
	return v
}

// verdictScenes are the faces of the verdict.
var verdictScenes = []struct {
	name   string
	change func(*Options)
	act    func(p *prop)
}{
	{"growing", nil, func(p *prop) {
		p.tell(played(1, "I need a berth tonight.")...)
		p.tell(arena.RulingStarted{Turn: 1, Critic: "house"})
		v := mixed()
		v[0].Status, v[0].Phase, v[0].Comparisons = arena.VerdictPending, arena.PhaseComparing, v[0].Comparisons[:3]
		v[0].Comparisons[2].Winner, v[0].Comparisons[2].Reason = "", ""
		v[1].Status, v[1].Phase, v[1].Comparisons, v[1].Principles = arena.VerdictPending, arena.PhasePrinciples, nil, v[1].Principles[:3]
		v[1].Principles[2] = arena.Principle{Name: "Stock phr"}
		p.now = p.now.Add(4 * time.Second)
		p.tell(arena.VerdictUpdated{Turn: 1, Order: arena.AFirst, Verdict: v[0]}, arena.VerdictUpdated{Turn: 1, Order: arena.BFirst, Verdict: v[1]})
	}},
	{"thinking", nil, func(p *prop) {
		p.tell(played(1, "I need a berth tonight.")...)
		p.tell(arena.RulingStarted{Turn: 1, Critic: "house"})
		p.now = p.now.Add(7 * time.Second)
		p.tell(arena.VerdictUpdated{Turn: 1, Order: arena.AFirst, Verdict: arena.Verdict{Status: arena.VerdictPending, Phase: arena.PhaseThinking, Reasoning: "Both replies stay in the scene."}})
		p.hear(tickMsg{p.Stage})
	}},
	{"quote", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", mixed())...)
		p.press("shift+tab", ".")
	}},
	{"oneorder", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", mixed())...)
		p.press("shift+tab", "down", "enter", "x", "x")
	}},
	{"differ", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", mixed())...)
		p.tell(arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseB, Counted: true}})
		p.tell(judgedTurn(2, "And now?", mixed())...)
		p.tell(arena.Voted{Turn: 2, Vote: arena.Vote{Choice: arena.ChoseB, Counted: true}})
	}},
	{"flip", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", stagetest.Flipping())...)
		p.press("shift+tab")
	}},
	{"odds", nil, func(p *prop) {
		p.tell(season()...)
		p.press("shift+tab", "%")
	}},
	{"output", nil, func(p *prop) {
		p.tell(judgedTurn(1, "I need a berth tonight.", mixed())...)
		p.press("shift+tab", "s", "x")
	}},
}

// season is a duel of six turns with votes on some.
func season() []arena.Event {
	var events []arena.Event
	for n, v := range [][2]arena.Verdict{mixed(), mixed(), stagetest.Flipping(), mixed(), reversed(), mixed()} {
		events = append(events, judgedTurn(n+1, fmt.Sprint("line ", n+1), v)...)
		if n%2 == 1 {
			events = append(events, arena.Voted{Turn: n + 1, Vote: arena.Vote{Choice: []arena.Choice{arena.ChoseA, arena.ChoseB, arena.Tie}[n/2], Counted: true}})
		}
	}
	return events
}

// reversed are verdicts in which both orders prefer side B.
func reversed() [2]arena.Verdict {
	v := stagetest.Agreeing()
	v[0], v[1] = v[1], v[0]
	return v
}

// verdictRows are the rows from the bar down to the composer.
func (p *prop) verdictRows(t testing.TB) string {
	t.Helper()
	frame := p.View()
	fits(t, frame, p.w, p.h)
	rows := strings.Split(frame, "\n")
	return strings.Join(rows[p.layout.bar:p.layout.composer.y], "\n") + "\n"
}

// TestGoldenVerdict draws the faces of the verdict in every look.
func TestGoldenVerdict(t *testing.T) {
	for name, o := range map[string]look.Options{
		"dark": {Dark: true, Colour: look.Full}, "light": {Colour: look.Full}, "mono": {Dark: true}, "ascii": {ASCII: true},
	} {
		for _, s := range verdictScenes {
			for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
				t.Run(fmt.Sprintf("%s/%s/%dx%d", name, s.name, size[0], size[1]), func(t *testing.T) {
					p := set(t, size[0], size[1], orNothing(s.change))
					p.SetLook(look.New(o))
					s.act(p)
					rows := p.verdictRows(t)
					if o.ASCII && strings.IndexFunc(strings.NewReplacer("“", "", "”", "").Replace(ansi.Strip(rows)), func(r rune) bool { return r > 0x7e }) >= 0 {
						t.Errorf("not ASCII:\n%s", rows)
					}
					golden.RequireEqual(t, rows)
				})
			}
		}
	}
}

func TestFollowingAQuoteShowsAndMarksIt(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		p := set(t, size[0], size[1])
		p.tell(judgedTurn(1, "I need a berth tonight.", mixed())...)
		p.View()
		p.press("shift+tab", ".", "enter")
		if got := p.lighted(); got != "still counts his words" {
			t.Errorf("%v: %q is marked:\n%s", size, got, p.screen(t))
		}
		p.press(".", "enter") // the second order quotes the same
		p.press(".", "enter")
		if got := p.lighted(); got != "Would you like to book it" && got != "Give me a reason to forget the name" {
			t.Errorf("%v: %q is marked:\n%s", size, got, p.screen(t))
		}
		p.now = p.now.Add(markTime + time.Second)
		p.hear(tickMsg{p.Stage})
		if got := p.lighted(); got != "" {
			t.Errorf("%v: %q is still marked", size, got)
		}
	}
}

// lighted is the text that is marked in the sides, rows joined.
func (p *prop) lighted() string {
	var out []string
	for _, row := range strings.Split(p.View(), "\n")[1:p.layout.bar] {
		for {
			i := strings.Index(row, "\x1b[1;7m")
			if i < 0 {
				break
			}
			row = row[i+len("\x1b[1;7m"):]
			end := max(strings.Index(row, "\x1b"), 0)
			if text := row[:end]; !strings.HasPrefix(text, " "+p.look.Glyphs.Down) { // the rows below
				out = append(out, text)
			}
			row = row[end:]
		}
	}
	return strings.Join(out, " ")
}

func TestAClickOnAQuoteInTheVerdictFollowsIt(t *testing.T) {
	p := set(t, 120, 40)
	p.tell(judgedTurn(1, "I need a berth tonight.", mixed())...)
	p.press("shift+tab", "o")
	rows := strings.Split(p.screen(t), "\n")
	for y := p.layout.cards.y; y < len(rows); y++ {
		if i := strings.Index(rows[y], "counts his words"); i >= 0 {
			p.run(p.Update(tea.MouseClickMsg{X: ansi.StringWidth(rows[y][:i]), Y: y, Button: tea.MouseLeft}))
			break
		}
	}
	if p.mark == nil || p.mark.side != arena.A {
		t.Fatalf("nothing is marked:\n%s", p.screen(t))
	}
}

func TestAQuoteInAFoldedThoughtOpensIt(t *testing.T) {
	p := set(t, 100, 40)
	p.tell(judgedTurn(1, "I need a berth tonight.", mixed())...)
	p.press("tab", "t") // thoughts of A folded
	if strings.Contains(p.screen(t), "He is soaked") {
		t.Fatal("thoughts are not folded")
	}
	p.press("shift+tab", "shift+tab", ".", "enter")
	if !strings.Contains(p.screen(t), "He is soaked") {
		t.Errorf("the quoted thought is not shown:\n%s", p.screen(t))
	}
}

func TestThePanelsOfTheVerdict(t *testing.T) {
	p := set(t, 100, 30)
	p.press("shift+tab", "s")
	if len(p.notices) != 1 || !strings.Contains(p.notices[0], "nothing has been judged") {
		t.Errorf("notices %q", p.notices)
	}
	p.tell(judgedTurn(1, "I need a berth tonight.", mixed())...)
	for _, c := range []struct{ keys, want string }{
		{"s", "the critic wrote nothing, or its output was not kept"},
		{"x", `"better_response": "cand_2"`},
		{"t", "has a pulse"},
		{"%", "Chance that A is better"},
		{"%", "Emotional authenticity"},
		{"s enter", "Emotional authenticity"},
		{"s esc", "Emotional authenticity"},
	} {
		p.press(strings.Fields(c.keys)...)
		if !strings.Contains(p.screen(t), c.want) {
			t.Errorf("after %q %q is missing:\n%s", c.keys, c.want, p.screen(t))
		}
	}
	if p.focus != onVerdict {
		t.Error("esc from the output left the verdict")
	}
}

func TestALongOutputScrolls(t *testing.T) {
	v := mixed()
	var lines []string
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf("row %d \x1b[2J\x1b]52;c;eA==\a 漢字", i))
	}
	v[0].Raw = strings.Join(lines, "\n")
	p := set(t, 100, 40)
	p.tell(judgedTurn(1, "one", v)...)
	p.press("shift+tab", "s", "end")
	if !strings.Contains(p.screen(t), "row 2999") {
		t.Errorf("the end is not shown:\n%s", p.screen(t))
	}
	p.press("home", "down", "down")
	if s := p.screen(t); strings.Contains(s, "row 1 ") || !strings.Contains(s, "row 2 ") {
		t.Errorf("two rows down:\n%s", s)
	}
	p.press("pgdown", "pgup")
	if s := p.screen(t); !strings.Contains(s, "row 2 ") {
		t.Errorf("a page down and up:\n%s", s)
	}
	p.run(p.Update(tea.MouseWheelMsg{X: 5, Y: p.layout.cards.y + 3, Button: tea.MouseWheelDown}))
	if s := p.screen(t); strings.Contains(s, "row 4 ") || !strings.Contains(s, "row 5 ") {
		t.Errorf("a turn of the wheel:\n%s", s)
	}
	if strings.Contains(p.View(), "]52") {
		t.Error("the output reached the terminal uncleaned")
	}
}
