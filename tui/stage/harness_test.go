package stage

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/clip"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// prop is a stage that is driven without a program: events are applied at once,
// commands are run where they are returned, and the clock stands still until it
// is moved.
type prop struct {
	*Stage
	duel    *stagetest.Duel
	now     time.Time
	notices []string
	asked   []tea.Msg
	t       testing.TB
	copied  []string // given to the clipboard
}

// set makes a stage of w times h cells in plain look.
func set(t testing.TB, w, h int, change ...func(*Options)) *prop {
	t.Helper()
	p := &prop{t: t, duel: stagetest.New(stagetest.Script()...), now: time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)}
	o := Options{
		Duel: p.duel, Scene: stagetest.Scene(), Contestants: stagetest.Contestants(),
		Critic: "house", CriticLabel: "house critic", Canon: arena.CanonVote,
		Look: look.New(look.Options{Dark: true}), Now: func() time.Time { return p.now },
		Clipboard: func(_ context.Context, text string) (string, error) {
			p.copied = append(p.copied, text)
			return "", clip.ErrNone
		},
	}
	for _, f := range change {
		f(&o)
	}
	p.Stage = New(o)
	p.byHand = true
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	p.SetSize(w, h)
	return p
}

// tell applies events as drain does.
func (p *prop) tell(events ...arena.Event) {
	for _, ev := range events {
		p.Stage.take(p.play.apply(ev, p.now))
	}
}

// run runs a command and gives what it returns back to the stage. There are no
// timers among them: only the clock of the test moves.
func (p *prop) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		p.hear(msg)
	case <-time.After(30 * time.Second):
		p.t.Error("a command does not return")
	}
}

func (p *prop) hear(msg tea.Msg) {
	switch m := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range m {
			p.run(c)
		}
	case Notice:
		p.notices = append(p.notices, m.Text)
	case Leave, OpenBoard, Remember, Branch:
		p.asked = append(p.asked, m)
	default:
		p.run(p.Update(msg))
	}
}

// press presses keys by name; a name in quotes is typed.
func (p *prop) press(names ...string) {
	for _, name := range names {
		if text, ok := strings.CutPrefix(name, "'"); ok {
			for _, r := range text {
				p.run(p.Update(tea.KeyPressMsg{Code: r, Text: string(r)}))
			}
			continue
		}
		p.run(p.Update(pressed(name)))
	}
}

var codes = map[string]rune{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace, "home": tea.KeyHome, "end": tea.KeyEnd, "f2": tea.KeyF2, "f4": tea.KeyF4,
	"f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7,
}

func pressed(name string) tea.KeyPressMsg {
	var k tea.Key
	for prefix, mod := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			k.Mod, name = mod, rest
		}
	}
	if code, ok := codes[name]; ok {
		k.Code = code
	} else {
		k.Code = []rune(name)[0]
		if k.Mod == 0 {
			k.Text = name
		}
	}
	if name == "space" && k.Mod == 0 {
		k.Text = " "
	}
	return tea.KeyPressMsg(k)
}

// screen returns the frame without colours and checks that it fits.
func (p *prop) screen(t testing.TB) string {
	t.Helper()
	return fits(t, p.View(), p.w, p.h)
}

// fits checks that a frame has exactly h rows of w cells.
func fits(t testing.TB, frame string, w, h int) string {
	t.Helper()
	plain := ansi.Strip(frame)
	rows := strings.Split(plain, "\n")
	if len(rows) != h {
		t.Fatalf("the frame has %d rows, the screen %d:\n%s", len(rows), h, plain)
	}
	for i, row := range rows {
		if n := ansi.StringWidth(row); n != w {
			t.Fatalf("row %d has %d cells, the screen %d: %q\n%s", i, n, w, row, plain)
		}
	}
	return plain
}

// The events of a turn, as the engine sends them.

func opened(n int, line string) arena.Event {
	return arena.TurnStarted{Turn: arena.Turn{ID: fmt.Sprint("turn-", n), Number: n, Line: line, Seats: [2]int{0, 1}, Canon: -1}}
}

func started(n int, side arena.Side, swipe int) arena.Event {
	return arena.ReplyStarted{Turn: n, Side: side, Reply: arena.Reply{Contestant: int(side), Swipe: swipe}}
}

func delta(n int, side arena.Side, swipe, tokens int, segments ...layers.Segment) arena.Event {
	d := arena.ReplyDelta{Turn: n, Side: side, Swipe: swipe, Tokens: tokens}
	for i, s := range segments {
		d.Edits = append(d.Edits, layers.Edit{Index: i, Layer: s.Layer, Text: s.Text})
	}
	return d
}

func ended(n int, side arena.Side, swipe int, take stagetest.Take) arena.Event {
	r := arena.Reply{
		Contestant: int(side), Swipe: swipe, Segments: take.Segments, Fault: take.Fault, Complete: take.Fault == nil,
		Finish: take.Finish, Truncated: take.Finish == arena.FinishLength,
		Usage: &arena.Usage{CompletionTokens: 62}, FirstByte: 400 * time.Millisecond, Total: 2 * time.Second,
	}
	return arena.ReplyEnded{Turn: n, Side: side, Reply: r}
}

// played is a whole turn up to both replies.
func played(n int, line string) []arena.Event {
	return []arena.Event{
		opened(n, line), started(n, arena.A, 0), started(n, arena.B, 0),
		ended(n, arena.A, 0, stagetest.Layered()), ended(n, arena.B, 0, stagetest.Bare()),
	}
}

// judged is a whole turn with its ruling.
func judgedTurn(n int, line string, verdicts [2]arena.Verdict) []arena.Event {
	r := stagetest.Sum(verdicts)
	r.Critic = "house"
	return append(played(n, line),
		arena.RulingStarted{Turn: n, Critic: "house"}, arena.RulingEnded{Turn: n, Ruling: r},
		arena.CanonChosen{Turn: n, Side: arena.A, By: arena.CanonCritic})
}
