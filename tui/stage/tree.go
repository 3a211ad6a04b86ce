package stage

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/ledger"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// leaf is one row of the tree: a duel, or a turn of it.
type leaf struct {
	kin   *ledger.Kin
	depth int
	turn  int // number; 0 on the row of the duel itself
	line  string
	note  string // the director's note that went with the line
	auto  string
	vote  arena.Choice
	rule  arena.Choice
	past  bool // a turn that was there before any duel: of an imported chat
	last  int  // number of the duel's last turn
}

// treeSheet shows the duels that hang together as a tree.
type treeSheet struct {
	leaves []leaf
	at     int
	fault  string
	ready  bool
}

// grownMsg brings the family of a duel for the tree.
type grownMsg struct {
	stage *Stage
	sheet *treeSheet
	kin   []ledger.Kin
	err   error
}

func (t *treeSheet) scope() string { return branchesPanel }

// openTree lays the tree over the stage and asks for the duels of it.
func (s *Stage) openTree() tea.Cmd {
	d, ok := s.directed()
	if !ok {
		return nil
	}
	if s.o.Family == nil {
		return notice("there is no ledger here that would know of branches", false)
	}
	sheet := &treeSheet{}
	s.openSheet(sheet)
	return func() tea.Msg {
		kin, err := s.o.Family(s.ctx, d.ID())
		return grownMsg{s, sheet, kin, err}
	}
}

// grown fills the tree; it stands on the newest turn of this duel.
func (s *Stage) grown(m grownMsg) {
	if m.stage != s || s.sheet != sheet(m.sheet) {
		return
	}
	m.sheet.ready = true
	if m.err != nil {
		m.sheet.fault = m.err.Error()
	}
	if d, ok := s.directed(); ok {
		m.sheet.leaves = leaves(m.kin)
		for i, l := range m.sheet.leaves {
			if l.kin.ID == d.ID() {
				m.sheet.at = i
			}
		}
	}
	s.stale(allParts)
}

// leaves lays a family out, parents first, as Family gives it.
func leaves(family []ledger.Kin) []leaf {
	depth := map[string]int{}
	var out []leaf
	for i := range family {
		k := &family[i]
		if up, known := depth[k.Origin.DuelID]; known && k.Origin.DuelID != k.ID {
			depth[k.ID] = up + 1
		} else {
			depth[k.ID] = 0
		}
		head := leaf{kin: k, depth: depth[k.ID], last: len(k.Past)}
		if n := len(k.Turns); n > 0 {
			head.last = max(head.last, k.Turns[n-1].Number)
		}
		out = append(out, head)
		row := head
		if depth[k.ID] == 0 {
			// What lies before the first duel has no row elsewhere.
			for n, p := range k.Past {
				row.turn, row.line, row.note, row.past = n+1, p.Line, p.Note, true
				out = append(out, row)
			}
		}
		row.past = false
		for _, t := range k.Turns {
			row.turn, row.line, row.note, row.auto, row.vote, row.rule = t.Number, t.Line, t.Note, t.Auto, t.Vote, t.Ruling
			out = append(out, row)
		}
	}
	return out
}

func (t *treeSheet) move(_ *Stage, _, dy int) {
	t.at = min(max(t.at+dy, 0), max(len(t.leaves)-1, 0))
}

func (t *treeSheet) write(*Stage, string) bool { return false }

func (t *treeSheet) chosen() *leaf {
	if t.at < 0 || t.at >= len(t.leaves) {
		return nil
	}
	return &t.leaves[t.at]
}

// enter opens a branch after the turn chosen, or at the end of a duel.
func (t *treeSheet) enter(s *Stage) tea.Cmd {
	l := t.chosen()
	if l == nil {
		return nil
	}
	turn := l.turn
	if turn == 0 {
		turn = l.last
	}
	cmd := s.branch(Branch{From: arena.Origin{DuelID: l.kin.ID, Turn: turn}})
	s.shut()
	return cmd
}

// reline writes another line for the turn chosen.
func (t *treeSheet) reline(s *Stage) tea.Cmd {
	l := t.chosen()
	if l == nil || l.turn == 0 {
		return notice("choose a turn of the tree first", false)
	}
	s.shut()
	if s.replying() {
		return s.wait()
	}
	s.begin(&job{kind: relining, turn: l.turn, from: arena.Origin{DuelID: l.kin.ID, Turn: l.turn - 1}, note: l.note}, l.line)
	return nil
}

func (t *treeSheet) view(s *Stage, w, h int) []string {
	l := s.look
	width := min(w, 110)
	var rows []string
	switch {
	case t.fault != "":
		rows = append(rows, "  "+l.Truncate(l.Paint(look.Bad, sentence(t.fault)), width-6))
	case !t.ready:
		rows = append(rows, "  "+l.Paint(look.Dim, "looking the branches up"))
	case len(t.leaves) == 0:
		rows = append(rows, "  "+l.Paint(look.Dim, "nothing of this duel is in the ledger yet: write a line first"))
	default:
		from, to := window(t.at, len(t.leaves), max(h-4, 1))
		for i := from; i < to; i++ {
			rows = append(rows, t.row(s, i, width-2))
		}
	}
	rows = append(rows, "")
	return s.sheetBox("Branches", rows, width, h, s.enterTo("branch here"), s.bound("stage.branches.reline"), s.bound("stage.panel.shut"))
}

// row draws one row of the tree in w cells: what it is on the left, what came of
// it on the right.
func (t *treeSheet) row(s *Stage, i, w int) string {
	l, f := s.look, t.leaves[i]
	d, _ := s.directed()
	mark := choice(l, i == t.at, "")
	indent := strings.Repeat("   ", min(f.depth, 8))
	left, right := "", ""
	if f.turn == 0 {
		left, right = s.duelRow(&f), l.Paint(look.Dim, f.kin.Started.Format("2 Jan 15:04"))
		if d != nil && f.kin.ID == d.ID() {
			left = l.Paint(look.Accent, l.Glyphs.Bullet) + " " + left + l.Paint(look.Dim, ", on stage")
		} else {
			left = l.Paint(look.Dim, l.Glyphs.Bullet) + " " + left
		}
	} else {
		left = "  " + l.Paint(look.Dim, fmt.Sprintf("%3d ", f.turn)) + guard.Line(f.line)
		right = s.outcome(&f)
	}
	room := w - look.Width(mark) - look.Width(indent) - look.Width(right) - 3
	left = mark + indent + l.Truncate(left, max(room, 8))
	return l.Pad(left, max(w-look.Width(right)-1, 0)) + right
}

// duelRow names a duel of the tree.
func (s *Stage) duelRow(f *leaf) string {
	l := s.look
	who := guard.Line(f.kin.Contestants[0]) + l.Paint(look.Dim, " against ") + guard.Line(f.kin.Contestants[1])
	if f.depth > 0 {
		who += l.Paint(look.Dim, fmt.Sprintf(", from turn %d", f.kin.Origin.Turn))
	}
	if f.kin.Critic != s.o.Critic {
		name := guard.Line(f.kin.Critic)
		if name == "" {
			name = "no critic"
		}
		who += l.Paint(look.Dim, ", judged by "+name)
	}
	return who
}

// outcome says who was better in a turn, to the person and to the critic.
func (s *Stage) outcome(f *leaf) string {
	l := s.look
	var parts []string
	if f.past {
		return l.Paint(look.Dim, "before")
	}
	if f.auto != "" {
		parts = append(parts, l.Paint(look.Dim, "auto"))
	}
	for _, by := range []struct {
		name string
		c    arena.Choice
	}{{"you", f.vote}, {"critic", f.rule}} {
		if word := sideWord(l, by.c); word != "" {
			parts = append(parts, l.Paint(look.Dim, by.name+" ")+word)
		}
	}
	return strings.Join(parts, "  ")
}

// sideWord writes a choice between the sides, "" for none.
func sideWord(l *look.Look, c arena.Choice) string {
	switch c {
	case arena.ChoseA:
		return l.Paint(look.SideA, "A")
	case arena.ChoseB:
		return l.Paint(look.SideB, "B")
	case arena.Tie:
		return "tie"
	case arena.BothBad:
		return "both bad"
	}
	return ""
}

// family is what Options hold to ask for the duels that hang together.
type family = func(ctx context.Context, duelID string) ([]ledger.Kin, error)
