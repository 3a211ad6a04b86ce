package stage

import (
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// opening is the first block of a side: the scenario, and the character's first
// line in its layers.
type opening struct {
	scene    characters.Scene
	segments []layers.Segment
	look     *look.Look
	version  uint64
	rows     []string
	width    int
	folded   bool // the scenario shows its first lines alone
}

// foldedRows is how much of a folded scenario is seen.
const foldedRows = 2

// setFolded folds or unfolds the scenario and reports whether that changed it.
func (o *opening) setFolded(folded bool) bool {
	if o.folded == folded {
		return false
	}
	o.folded, o.rows = folded, nil
	o.version++
	return true
}

func newOpening(scene characters.Scene, segments []layers.Segment, l *look.Look) *opening {
	return &opening{scene: scene, segments: segments, look: l, version: 1}
}

// ID names the block within its pane.
func (o *opening) ID() string { return "opening" }

// Version changes with the look.
func (o *opening) Version() uint64 { return o.version }

func (o *opening) setLook(l *look.Look) {
	o.look, o.rows = l, nil
	o.version++
}

// Rows returns the block at a width.
func (o *opening) Rows(width int) []string {
	if o.rows != nil && o.width == width {
		return o.rows
	}
	o.width, o.rows = width, []string{}
	if about := guard.Text(o.scene.Scenario); about != "" {
		rows := hang(o.look, look.Dim, " ", " ", about, width)
		if o.folded && len(rows) > foldedRows+1 {
			rows = append(rows[:foldedRows:foldedRows], o.look.Truncate(" "+o.look.Paint(look.Dim, o.look.Glyphs.More), width))
		}
		o.rows = append(o.rows, rows...)
	}
	said := false
	for _, s := range o.segments {
		if s.Layer == layers.System || s.Layer == layers.Native {
			continue
		}
		if !said {
			if len(o.rows) > 0 {
				o.rows = append(o.rows, "")
			}
			o.rows = append(o.rows, o.look.Truncate(" "+o.look.Paint(look.Title, guard.Line(o.scene.Character.Name)), width))
			said = true
		}
		o.rows = append(o.rows, newPart(s, false, o.look).draw(o.look, width, true)...)
	}
	return o.rows
}
