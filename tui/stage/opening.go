package stage

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"herarena/arena/layers"
	"herarena/characters"
	"herarena/tui/guard"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// opening is the first block of a side: the scenario, and the character's first
// line in its layers.
type opening struct {
	scene    characters.Scene
	segments []layers.Segment
	look     *look.Look
	version  uint64
	folded   bool // the scenario shows its first lines alone
	panels   panelSet
	flipped  map[int]bool

	parts []*part // the segments that are shown
	rows  []string
	hits  hits
	width int
	about [][]prose.Cell // of the scenario's rows, nil until asked for
}

// foldedRows is how much of a folded scenario is seen.
const foldedRows = 2

// setFolded folds or unfolds the scenario and reports whether that changed it.
func (o *opening) setFolded(folded bool) bool {
	if o.folded == folded {
		return false
	}
	o.folded = folded
	o.touch()
	return true
}

func (o *opening) setPanels(p panelSet) {
	o.panels = p
	clear(o.flipped)
	o.touch()
}

func newOpening(scene characters.Scene, segments []layers.Segment, l *look.Look) *opening {
	return &opening{scene: scene, segments: segments, look: l, version: 1, panels: usual(), flipped: map[int]bool{}}
}

// ID names the block within its pane.
func (o *opening) ID() string { return "opening" }

// Version changes with look, folds and panels.
func (o *opening) Version() uint64 { return o.version }

func (o *opening) touch() {
	o.rows = nil
	o.version++
}

func (o *opening) setLook(l *look.Look) {
	o.look, o.parts = l, nil
	o.touch()
}

// state is how the i-th part is shown.
func (o *opening) state(i int) panelState {
	usual := o.panels[o.parts[i].layer]
	switch {
	case o.flipped[i] && usual.open():
		return panelCollapsed
	case o.flipped[i]:
		return panelShown
	}
	return usual
}

// Rows returns the block at a width.
func (o *opening) Rows(width int) []string {
	if o.rows != nil && o.width == width {
		return o.rows
	}
	o.width, o.rows, o.hits, o.about = width, []string{}, o.hits[:0], nil
	if about := guard.Text(o.scene.Scenario); about != "" {
		rows := hang(o.look, look.Dim, " ", " ", about, width)
		if o.folded && len(rows) > foldedRows {
			rows = rows[:foldedRows:foldedRows]
			rows[foldedRows-1] = o.goesOn(rows[foldedRows-1], width)
		}
		o.add(said, rows...)
	}
	if o.parts == nil {
		for _, s := range o.segments {
			if s.Layer != layers.System && s.Layer != layers.Native {
				o.parts = append(o.parts, newPart(s, false, o.look))
			}
		}
	}
	for i, p := range o.parts {
		if i == 0 {
			if len(o.rows) > 0 {
				o.add(none, "")
			}
			o.add(none, o.look.Truncate(" "+o.look.Paint(look.Title, guard.Line(o.scene.Character.Name)), width))
		}
		o.add(i, p.rowsIn(o.look, width, o.state(i))...)
	}
	if hidden := unseen(o.parts); hidden != "" {
		o.add(none, o.look.Truncate(" "+o.look.Paint(look.Dim, o.look.Glyphs.Dot+" "+hidden), width))
	}
	return o.rows
}

// goesOn marks a row as the last that is shown of more; for the mark a word may
// have to go.
func (o *opening) goesOn(row string, width int) string {
	words := strings.TrimRight(ansi.Strip(row), " ")
	if at := strings.LastIndexByte(words, ' '); look.Width(words) > width-2 && at > width/2 {
		words = words[:at]
	}
	words = strings.TrimRight(ansi.Truncate(words, max(width-2, 0), ""), " ")
	return o.look.Paint(look.Dim, words+o.look.Glyphs.More)
}

func (o *opening) add(segment int, rows ...string) {
	for _, row := range rows {
		o.rows = append(o.rows, row)
		o.hits = append(o.hits, segment)
	}
}
