package stage

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/tui/stage/stagetest"
)

// branched is a stage whose duel has a past of two turns, and a turn of its own.
func branched(t *testing.T, w, h int) *prop {
	t.Helper()
	p := set(t, w, h, func(o *Options) {
		o.Duel.(*stagetest.Duel).Before = past()
		o.Origin = arena.Origin{DuelID: "06origin", Turn: 2}
	})
	p.tell(judgedTurn(3, "three", stagetest.Agreeing())...)
	p.View()
	return p
}

func TestThePastIsSearched(t *testing.T) {
	t.Parallel()
	p := branched(t, 120, 24)
	p.press("ctrl+f", "'sell it")
	s := p.screen(t)
	if !strings.Contains(s, "1 of 1 in both sides: A 0, B 0, shared 1") || !strings.Contains(s, "Then sell it.") {
		t.Errorf("a line of the past is not found:\n%s", s)
	}
	if st := p.reachesOf(arena.B, -1, said); len(st) != 1 || p.past[arena.B][1].words(said)[st[0].from:st[0].to] != "sell it" {
		t.Errorf("what is found is not marked on the other side: %v", st)
	}
	p.press("esc", "ctrl+f", "'wary") // a plan of the past is not shown
	if s := p.screen(t); !strings.Contains(s, "1 of 1 in both sides: A 1, B 0") {
		t.Errorf("what is hidden is found:\n%s", s)
	}
}

func (p *prop) reachesOf(side arena.Side, turn, segment int) []reach {
	p.View()
	return p.search.reaches(p.Stage, side, turn, segment)
}

func TestThePastIsJumpedToAndCopied(t *testing.T) {
	t.Parallel()
	p := branched(t, 120, 24)
	p.press("tab", "{")
	if got := p.readAt(); got != -2 {
		t.Errorf("the first turn is %d, want the first of the past", got)
	}
	if s := p.screen(t); !strings.Contains(s, "I come for the berth.") {
		t.Errorf("it is not shown:\n%s", s)
	}
	p.press("Y")
	if s := p.screen(t); !strings.Contains(s, "thought of the reply of turn 1") || !strings.Contains(s, "turn 1 whole: line and reply") {
		t.Errorf("the menu is about another turn:\n%s", s)
	}
	p.press("t")
	if want := layerText(p.past[0][0].turn.columns[0].shown(), layers.Think); len(p.copied) != 1 || p.copied[0] != want || want == "" {
		t.Errorf("copied %q, want %q", p.copied, want)
	}
	p.press("Y", "u")
	if got := p.copied[len(p.copied)-1]; strings.Count(got, "her-rl") != 1 || !strings.Contains(got, "I come for the berth.") {
		t.Errorf("the turn whole is %q", got)
	}
	p.press("]")
	if got := p.readAt(); got != -1 {
		t.Errorf("the turn after is %d", got)
	}
	p.press("]")
	if got := p.readAt(); got != 0 {
		t.Errorf("behind the past comes %d", got)
	}
	p.press("ctrl+t")
	if s := p.screen(t); !strings.Contains(s, "Turns (3)") || strings.Count(s, "history") < 2 {
		t.Errorf("the list of turns:\n%s", s)
	}
	p.press("up", "enter")
	if got := p.readAt(); got != -1 {
		t.Errorf("the list went to %d", got)
	}
}

func TestThePastIsFoldedAndSelected(t *testing.T) {
	t.Parallel()
	p := branched(t, 120, 60)
	p.View()
	thought := layerText(p.past[0][0].turn.columns[0].shown(), layers.Think)
	word := strings.Fields(thought)[0]
	if n := strings.Count(p.screen(t), word); n < 2 {
		t.Fatalf("%q is %d times on the screen", word, n)
	}
	p.press("tab", "t")
	if rows := strings.Join(p.past[arena.A][0].Rows(58), "\n"); strings.Contains(rows, word) || !strings.Contains(rows, "11 words") {
		t.Errorf("thoughts of the past stay open:\n%s", rows)
	}
	// A word of the past, chosen with the mouse.
	ox, oy := p.layout.origin(arena.B)
	for y := range p.panes[arena.B].View() {
		turn, segment, cells, ok := p.textAt(arena.B, y)
		if !ok || turn != -1 || segment != said {
			continue
		}
		p.grab(arena.B, cells[0].Col, y)
		p.grab(arena.B, cells[0].Col, y)
		if got := p.selected(); got != "Then" {
			t.Errorf("selected %q", got)
		}
		_, _ = ox, oy
		return
	}
	t.Error("the line of the past is out of sight")
}

// TestALineOfAnotherIsNotThePersons: in a chat of a group another character's
// line begins a turn; it stands under that one's name.
func TestALineOfAnotherIsNotThePersons(t *testing.T) {
	t.Parallel()
	kept := func(text string) []json.RawMessage { return []json.RawMessage{json.RawMessage(text)} }
	p := set(t, 120, 60, func(o *Options) {
		o.Scene.Others = append(o.Scene.Others, characters.Character{Name: "Odd"})
		o.Duel.(*stagetest.Duel).Before = []arena.PastTurn{
			{Line: "Tilde: Tea is there.", Kept: kept(`{"name":"Tilde","is_user":false,"mes":"Tea is there."}`)},
			{Line: "Odd: So it is."},
			{Line: "Tilde: she said that.", Kept: kept(`{"name":"Wren","is_user":true,"mes":"Tilde: she said that."}`)},
			{Line: "Note: mine.", Kept: kept(`broken`)},
		}
	})
	var rows []string
	for _, b := range p.past[arena.A] {
		for _, row := range b.Rows(56) {
			rows = append(rows, strings.TrimRight(ansi.Strip(row), " "))
		}
	}
	text := strings.Join(rows, "\n")
	quote := p.look.Glyphs.Quote
	mine := quote + " " + p.look.Glyphs.Prompt + " "
	for _, want := range []string{quote + " Tilde\n" + quote + "   Tea is there.", quote + " Odd\n" + quote + "   So it is.", mine + "Tilde: she said that.", mine + "Note: mine."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown:\n%s", want, text)
		}
	}
	if strings.Contains(text, mine+"Tea") || strings.Contains(text, mine+"Tilde: Tea") {
		t.Errorf("Tilde's line has the person's mark:\n%s", text)
	}
	if got := p.past[arena.A][0].words(said); got != "Tea is there." {
		t.Errorf("the words are %q", got)
	}
	if got := p.writer.history; !slices.Equal(got, []string{"Tilde: she said that.", "Note: mine."}) {
		t.Errorf("the lines sent before are %q", got)
	}
}
