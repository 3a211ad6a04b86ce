package stage

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/look"
	"herarena/tui/stage/stagetest"
)

// evil is what no terminal should be given: a clipboard write, a screen clear, a
// title, C1 controls as UTF-8 and raw, a bidi override, hidden text, a bell, and
// an entity that Markdown would turn into ESC.
const evil = "\x1b]52;c;aGFjaw==\x07\x1b[2J\x1b[8mhidden\x1b]0;owned\x1b\\\u009b31m\u009d52;c;x\u009c\x9b5m\u202egnp\u2066\u200b\x00\x08\x7f\rover&#27;]52;c;aGk=&#7;\x1bP+q\x1b\\\x1b_Gx\x1b\\"

// clean checks that a frame holds no sequence but plain colours, and no
// character that hides or reorders text.
func clean(t *testing.T, frame string) {
	t.Helper()
	for rest := frame; ; {
		i := strings.IndexByte(rest, 0x1b)
		if i < 0 {
			break
		}
		seq := rest[i:]
		end := strings.IndexFunc(seq[1:], func(r rune) bool { return r >= 'A' && r <= 'z' && r != '[' })
		if !strings.HasPrefix(seq, "\x1b[") || end < 0 || seq[1+end] != 'm' || strings.Trim(seq[2:1+end], "0123456789;") != "" {
			t.Fatalf("a sequence reached the screen: %q", seq[:min(len(seq), 20)])
		}
		for _, code := range strings.Split(seq[2:1+end], ";") {
			if code == "8" {
				t.Fatalf("hidden text reached the screen: %q", seq[:min(len(seq), 40)])
			}
		}
		rest = seq[2:]
	}
	for _, r := range ansi.Strip(frame) {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b {
			t.Fatalf("%U reached the screen", r)
		}
	}
	for _, s := range []string{"]52", "aGFjaw", "owned"} {
		if strings.Contains(frame, "\x1b"+s) || s == "owned" && strings.Contains(frame, s) {
			t.Fatalf("%q reached the screen", s)
		}
	}
}

func TestHostileTextNeverReachesTheScreen(t *testing.T) {
	t.Parallel()
	all := func(l layers.Layer) layers.Segment { return layers.Segment{Layer: l, Text: "x" + evil + "y"} }
	segments := []layers.Segment{all(layers.System), all(layers.Native), all(layers.Think), all(layers.Act), all(layers.Speech)}
	scene := stagetest.Scene()
	scene.Title, scene.Scenario, scene.Opening = evil, evil, evil
	scene.Character.Name, scene.User.Name, scene.Suggestions = "N"+evil, "U"+evil, []string{"s" + evil}
	for _, size := range [][2]int{{60, 20}, {80, 24}, {140, 50}} {
		p := set(t, size[0], size[1], func(o *Options) {
			o.Scene, o.Note, o.CriticLabel = scene, evil, "c"+evil
			o.Look = look.New(look.Options{Dark: true, Colour: look.Full})
			o.Contestants[0].Name, o.Contestants[1].Name = "a"+evil, "b"+evil
		})
		clean(t, p.View())
		p.tell(opened(1, "line"+evil), started(1, arena.A, 0), started(1, arena.B, 0))
		for i, s := range segments { // piece by piece, sequences cut in two
			for j := 0; j < len(s.Text); j += 3 {
				p.tell(arena.ReplyDelta{Turn: 1, Side: arena.A, Edits: []layers.Edit{{Index: i, Layer: s.Layer, Text: s.Text[j:min(j+3, len(s.Text))]}}})
				clean(t, p.View())
			}
		}
		p.press("tab", "p")
		clean(t, p.View())
		take := stagetest.Take{Segments: segments}
		fault := &arena.Fault{Kind: arena.FaultKind("k" + evil), Message: "m" + evil, Hint: "h" + evil}
		p.tell(ended(1, arena.A, 0, take), ended(1, arena.B, 0, stagetest.Take{Segments: segments, Fault: fault}))
		clean(t, p.View())
		v := arena.Verdict{
			Better: arena.First, Status: arena.VerdictOK, Phase: arena.Phase(evil), Fault: fault, Overall: evil,
			Principles:  []arena.Principle{{Name: "p" + evil, Dimension: evil, Polarity: evil, Level: evil, Definition: evil, Reason: evil}},
			Comparisons: []arena.Comparison{{Name: "p" + evil, First: evil, Second: evil, Reason: evil, Winner: arena.First, Degree: evil}},
		}
		p.tell(arena.RulingStarted{Turn: 1, Critic: evil}, arena.VerdictUpdated{Turn: 1, Verdict: v})
		clean(t, p.View())
		p.tell(arena.RulingEnded{Turn: 1, Ruling: arena.Ruling{Critic: evil, Verdicts: [2]arena.Verdict{v, v}, Agreement: arena.Flip, Why: evil}})
		p.press("tab", "tab", "o")
		clean(t, p.View())
		p.tell(arena.RulingSkipped{Turn: 1, Why: evil}, arena.Voted{Turn: 1, Vote: arena.Vote{Choice: arena.ChoseA, Why: evil}})
		clean(t, p.View())
		p.screen(t)
		for _, cmd := range p.Stage.take(p.play.apply(arena.Trouble{Err: errors.New("t" + evil)}, p.now)) {
			p.run(cmd)
		}
		for _, n := range p.notices {
			clean(t, n)
		}
		if title := p.Title(); strings.ContainsAny(title, "\x1b\u009d\n") {
			t.Errorf("the window's title is %q", title)
		}
	}
}
