package stage

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/look"
)

// panelState is how a layer of the replies is shown.
type panelState uint8

const (
	panelShown panelState = iota
	panelDimmed
	panelCollapsed // one row that says how much there is
	panelHidden
	panelStates
)

var panelWords = [panelStates]string{"shown", "dimmed", "collapsed", "hidden"}

func (p panelState) String() string { return panelWords[p%panelStates] }

// open reports whether the text itself is on screen.
func (p panelState) open() bool { return p == panelShown || p == panelDimmed }

// layerCount is how many layers there are.
const layerCount = int(layers.Speech) + 1

// layerWords are the layers as the screen calls them.
var layerWords = [layerCount]string{"plan", "reasoning", "thought", "action", "speech"}

// panelSet is the state of each layer's panels.
type panelSet [layerCount]panelState

// usual is what a first run shows: what is planned and reasoned is folded.
func usual() panelSet {
	var p panelSet
	p[layers.System], p[layers.Native] = panelCollapsed, panelCollapsed
	return p
}

// panelsOf reads panels from their words; what is unknown is as usual.
func panelsOf(words map[string]string) panelSet {
	p := usual()
	for l := range p {
		for state, word := range panelWords {
			if words[layers.Layer(l).String()] == word {
				p[l] = panelState(state)
			}
		}
	}
	return p
}

// words writes panels so that panelsOf reads them.
func (p panelSet) words() map[string]string {
	out := map[string]string{}
	for l, state := range p {
		out[layers.Layer(l).String()] = state.String()
	}
	return out
}

// Reading is how someone reads, as it is remembered between runs.
type Reading struct {
	// Panels says for each layer, by the layer's word (system, native, think,
	// act, speech), whether it is shown, dimmed, collapsed or hidden. What is
	// missing or unknown is as usual: plans and reasoning collapsed, all else
	// shown.
	Panels map[string]string
	// CopySelected copies what was selected with the mouse as soon as the button
	// is released.
	CopySelected bool
	// Apart scrolls each side alone. Else the other side goes along, turn by turn,
	// while no reply is being written.
	Apart bool
}

// Remember asks for a stage's way of reading to be remembered. It holds no copy:
// messages may overtake each other, and the newest way is to be kept.
type Remember struct{ Stage *Stage }

// Reading is how the person reads now.
func (s *Stage) Reading() Reading {
	return Reading{Panels: s.panels.words(), CopySelected: s.o.Reading.CopySelected, Apart: s.o.Reading.Apart}
}

// remember asks for the way of reading to be kept.
func (s *Stage) remember() tea.Cmd { return func() tea.Msg { return Remember{s} } }

// folds is what a side shows of the layers. Blocks share their side's folds;
// version moves all of them at once.
type folds struct {
	panels  panelSet
	version uint64
}

// flip folds layers if any of them is open, and opens them otherwise.
func (f *folds) flip(which ...layers.Layer) {
	to := panelShown
	for _, l := range which {
		if f.panels[l].open() {
			to = panelCollapsed
		}
	}
	for _, l := range which {
		f.panels[l] = to
	}
}

// fold folds layers of a side or opens them; single segments that were folded
// by hand follow along.
func (s *Stage) fold(side arena.Side, which ...layers.Layer) {
	s.folds[side].flip(which...)
	s.refold(side)
}

// refold draws a side anew after its folds have changed.
func (s *Stage) refold(side arena.Side) {
	s.folds[side].version++
	for _, b := range s.past[side] {
		clear(b.flipped)
	}
	for _, b := range s.blocks[side] {
		clear(b.flipped)
	}
	s.opening[side].setPanels(s.folds[side].panels)
	s.panes[side].Upsert(s.opening[side])
	s.foldScenario(side)
	s.stale(sidePart(side))
}

// setPanel sets how a layer is shown on both sides.
func (s *Stage) setPanel(l layers.Layer, to panelState) tea.Cmd {
	s.panels[l] = to
	for side := range s.folds {
		s.folds[side].panels = s.panels
		s.refold(arena.Side(side))
	}
	return s.remember()
}

// openPanels opens the menu of panels: a row for each layer, its state goes
// round with enter, and left and right.
func (s *Stage) openPanels() tea.Cmd {
	foot := "a letter or ← → changes   esc shuts"
	if s.look.ASCII {
		foot = "a letter, left, right change   esc shuts"
	}
	m := &menu{title: "Panels of both sides", foot: foot}
	for i, l := range []layers.Layer{layers.System, layers.Native, layers.Think, layers.Act, layers.Speech} {
		turn := func(by int) tea.Cmd {
			next := (int(s.panels[l]) + by + int(panelStates)) % int(panelStates)
			return s.setPanel(l, panelState(next))
		}
		m.items = append(m.items, menuItem{
			key: "pntas"[i : i+1], text: layerWords[l], possible: true, stays: true,
			note: func() string { return s.panelNote(l) },
			do:   func() tea.Cmd { return turn(1) }, turn: turn,
		})
	}
	m.items = append(m.items, menuItem{key: "u", text: "as usual", possible: true, stays: true, do: func() tea.Cmd {
		var cmd tea.Cmd
		for l, state := range usual() {
			cmd = s.setPanel(layers.Layer(l), state)
		}
		return cmd
	}})
	return s.open(m)
}

// panelNote writes all states of a layer, the one in force set off.
func (s *Stage) panelNote(l layers.Layer) string {
	var words []string
	for state, word := range panelWords {
		if s.panels[l] == panelState(state) {
			word = s.look.Paint(look.Selected, " "+word+" ")
		} else {
			word = s.look.Paint(look.Dim, " "+word+" ")
		}
		words = append(words, word)
	}
	note := strings.Join(words, "")
	for side := range s.folds {
		if own := s.folds[side].panels[l]; own != s.panels[l] {
			note += s.look.Paint(look.Dim, "  "+arena.Side(side).String()+" "+own.String())
		}
	}
	return note
}
