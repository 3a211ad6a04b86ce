package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"herarena/arena/ledger"
	"herarena/tui/archive"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/stage"
)

// TestALongPathIsReadWhole exports to a path of several hundred cells: all of it
// stands on the screen, and it can be copied by key and by mouse.
func TestALongPathIsReadWhole(t *testing.T) {
	t.Parallel()
	var given []string
	path := "/home/somebody" + strings.Repeat("/a-folder-with-a-name", 12) + "/the-harbour-office-01jq.html"
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		m := sit(t, size[0], size[1], func(o *Options) {
			o.Clipboard = func(_ context.Context, text string) (string, error) {
				given = append(given, text)
				return "a tool", nil
			}
		})
		m.tell(archive.Written{Path: path})
		rows := strings.Split(ansi.Strip(m.View().Content), "\n")
		p := m.toast.place
		var shown strings.Builder
		for _, row := range rows[p.y : p.y+p.h] {
			shown.WriteString(strings.TrimSpace(ansi.Cut(row, p.x, p.x+p.w)))
		}
		if got := strings.ReplaceAll(shown.String(), " ", ""); !strings.Contains(got, path) || !strings.Contains(got, "f12copies") {
			t.Errorf("at %v the path is not whole: %q", size, got)
		}
		given = nil
		m.tell(tea.MouseClickMsg{X: p.x + 2, Y: p.y, Button: tea.MouseLeft})
		m.tell(keys.Parse("f12"))
		if s := ansi.Strip(m.View().Content); !strings.Contains(s, "Notices") || !strings.Contains(s, "copies") {
			t.Fatalf("the notices are not shown:\n%s", s)
		}
		m.tell(keys.Parse("enter"))
		if len(given) != 2 || given[0] != path || given[1] != path {
			t.Errorf("copied %q", given)
		}
		if m.toast.text != "the path copied with a tool" || len(m.notices) != 1 {
			t.Errorf("said %q, kept %d", m.toast.text, len(m.notices))
		}
	}
}

// TestANoticeHidesNothingActedUpon puts notices of all lengths over the list of
// past duels, whichever is chosen: the chosen row and the last row stay whole.
func TestANoticeHidesNothingActedUpon(t *testing.T) {
	t.Parallel()
	duels := make([]ledger.DuelSummary, 80)
	for i := range duels {
		duels[i] = ledger.DuelSummary{
			ID: fmt.Sprintf("d%02d", i), SceneTitle: strings.Repeat("a long title ", 20), Contestants: [2]string{"her-rl", strings.Repeat("name", 30)},
			Critic: "house", Started: time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC), Turns: 3, Votes: 2,
		}
	}
	for _, l := range []look.Options{{Dark: true, Colour: look.Full}, {Colour: look.ANSI16}, {}, {ASCII: true}} {
		for _, size := range [][2]int{{60, 20}, {80, 24}, {140, 40}} {
			m := sit(t, size[0], size[1], func(o *Options) {
				o.Archive = &archive.Options{
					Duels: func(context.Context, ledger.Filter) ([]ledger.DuelSummary, error) { return duels, nil },
					Duel:  func(context.Context, string) (*ledger.DuelFull, error) { return nil, errors.New("unreadable") },
				}
			})
			m.setLook(func(o *look.Options) { *o = l })
			m.tell(keys.Parse("f8"))
			for step := range size[1] + 4 {
				m.toast.text = ""
				bare := strings.Split(m.View().Content, "\n")
				for n := 10; n < 900; n += 170 {
					m.Update(stage.Notice{Text: strings.Repeat("word ", n/5), Bad: n%20 == 0})
					rows := strings.Split(m.View().Content, "\n")
					if len(rows) != size[1] {
						t.Fatalf("%d rows", len(rows))
					}
					for i := range bare {
						chosen := strings.Contains(ansi.Strip(bare[i]), m.look.Glyphs.Prompt+" 2026")
						if (chosen || i == size[1]-1) && ansi.Strip(rows[i]) != ansi.Strip(bare[i]) {
							t.Fatalf("%v, step %d, %d letters: row %d is hidden\n%s", size, step, n, i, ansi.Strip(m.View().Content))
						}
					}
				}
				m.toast.text = ""
				m.tell(keys.Parse("down"))
			}
		}
	}
}
