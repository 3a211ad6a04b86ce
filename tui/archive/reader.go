package archive

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena/ledger"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/page"
	"herarena/tui/replay"
	"herarena/tui/stage"
)

// Reader shows one past duel whole, on the stage it was played on: layers,
// swipes, verdict cards and votes of every turn. Make it through the list or
// with NewReader.
type Reader struct {
	o      Options
	look   *look.Look
	keys   *keys.Table[*Reader]
	duel   *ledger.DuelFull
	find   keys.Binding // that begins a search, for the hints
	stage  *stage.Stage
	ctx    context.Context
	cancel context.CancelFunc

	w, h  int
	first int // index of the turn to open at; -1 once it is open
	shown string
	row   string
	text  string
}

type rereadMsg struct {
	reader *Reader
	msg    exportedMsg
}

// NewReader makes the reading view of a duel, opened at the turn of a number; 0
// is the first.
func NewReader(o Options, d *ledger.DuelFull, turn int) *Reader {
	l := o.Look
	if l == nil {
		l = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	return newReader(o, l, d, turn)
}

func newReader(o Options, l *look.Look, d *ledger.DuelFull, turn int) *Reader {
	r := &Reader{o: o, look: l, keys: keys.NewTable(o.Keys, readerSets()...), duel: d}
	r.find = replay.StageKey("stage.search.empty", o.Keys)
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.stage = replay.Still(d, replay.Options{Look: l, Keys: o.Keys, CriticLabel: o.CriticLabel, Word: "past duel", Reading: o.reading()})
	for i := range d.Turns {
		if d.Turns[i].Number == turn {
			r.first = i
		}
	}
	r.stage.LookAt(r.first)
	return r
}

func readerSets() []keys.Set[*Reader] {
	return []keys.Set[*Reader]{{Title: "Reading a past duel", Scope: "reader", Commands: []keys.Command[*Reader]{
		keys.Act("reader.turn.next", "the next turn, with its verdict", keys.Plain(func(r *Reader) { r.stage.LookAt(r.stage.LookedAt() + 1) }), "]").Hinted("next turn"),
		keys.Act("reader.turn.previous", "the turn before, with its verdict", keys.Plain(func(r *Reader) { r.stage.LookAt(r.stage.LookedAt() - 1) }), "[").Hinted("turn before"),
		keys.Act("reader.replay", "replay the duel at its own pace", func(r *Reader) tea.Cmd { return ask(Replay{newReplay(r.o, r.look, r.duel)}) }, "r").Hinted("replay"),
		keys.Act("reader.continue", "go on from this turn, as a new duel", (*Reader).goOn, "w").Hinted("go on from here"),
		keys.Act("reader.rejudge", "judge this turn again, by another critic or with changes", (*Reader).rejudge, "ctrl+g").Hinted("judge again"),
		keys.Act("reader.export.html", "export it as an HTML page", func(r *Reader) tea.Cmd { return r.export(page.HTML) }, "e").Hinted("export"),
		keys.Act("reader.export.markdown", "export it as Markdown", func(r *Reader) tea.Cmd { return r.export(page.Markdown) }, "m"),
		keys.Act("reader.leave", "shut a search or a panel; else back to the list", (*Reader).back, "esc", "q").As("esc").Hinted("back"),
	}}}
}

// back shuts what lies over the sides; with nothing there it leaves.
func (r *Reader) back() tea.Cmd {
	if r.stage.StepBack() {
		return nil
	}
	return ask(Leave{})
}

// rejudge asks for the turn looked at to be judged again.
func (r *Reader) rejudge() tea.Cmd {
	if i := r.stage.LookedAt(); i >= 0 && i < len(r.duel.Turns) {
		return ask(Rejudge{DuelID: r.duel.ID, Turn: r.duel.Turns[i].Number})
	}
	return nil
}

// goOn asks to continue from the turn looked at.
func (r *Reader) goOn() tea.Cmd {
	turn := 0
	if i := r.stage.LookedAt(); i >= 0 && i < len(r.duel.Turns) {
		turn = r.duel.Turns[i].Number
	}
	return ask(Continue{DuelID: r.duel.ID, Turn: turn})
}

func (r *Reader) export(f page.Format) tea.Cmd {
	cmd := export(r.ctx, r.o, r.duel, f)
	return func() tea.Msg {
		if m, ok := cmd().(exportedMsg); ok {
			return rereadMsg{r, m}
		}
		return cmd()
	}
}

// Init has nothing to start.
func (r *Reader) Init() tea.Cmd { return nil }

// Close ends an export under way.
func (r *Reader) Close() error {
	r.cancel()
	return r.stage.Close()
}

// Update takes a message in.
func (r *Reader) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case rereadMsg:
		if m.reader == r {
			return m.msg.tell()
		}
	case tea.KeyPressMsg:
		if !r.stage.Typing() {
			if cmd, taken := r.keys.Press(r, m, "reader"); taken {
				return cmd
			}
		}
		return r.stage.Watch(m)
	case tea.PasteMsg:
		r.stage.WatchPaste(m.Content)
	case tea.MouseClickMsg:
		if m.Y == r.h-1 {
			return nil
		}
		return r.stage.WatchMouse(m)
	case tea.MouseMsg:
		return r.stage.WatchMouse(m)
	}
	return nil
}

// View returns the stage with the reader's own row in place of the composer's.
// While nothing has changed it is the very same string.
func (r *Reader) View() string {
	if r.first >= 0 && r.w > 0 && r.h > 0 {
		r.stage.View() // gives the sides their sizes, without which they cannot be scrolled
		r.stage.LookAt(r.first)
		r.first = -1
	}
	frame, row := r.stage.View(), ""
	if r.stage.Searching() {
		return frame // its last row is the search's
	}
	row = r.control()
	if r.text != "" && frame == r.shown && row == r.row {
		return r.text
	}
	r.shown, r.row = frame, row
	i := strings.LastIndexByte(frame, '\n')
	r.text = frame[:i+1] + row
	return r.text
}

func (r *Reader) control() string {
	l := r.look
	left := " " + l.Paint(look.Dim, "nothing was said")
	if n := r.stage.TurnCount(); n > 0 {
		left = fmt.Sprintf(" turn %d of %d", r.stage.LookedAt()+1, n)
	}
	help := "   " + l.Paint(look.Key, "?") + l.Paint(look.Dim, " help ")
	text := ""
	names := []string{"reader.leave", "", "reader.turn.next", "reader.turn.previous", "reader.replay", "reader.continue", "reader.export.html"}
	for _, name := range names {
		b := r.find
		if name != "" {
			b = r.keys.Get(name)
		}
		next := text + "   " + l.Paint(look.Key, b.ShownIn(l.ASCII)) + l.Paint(look.Dim, " "+b.Hint)
		if look.Width(left)+look.Width(next)+look.Width(help) > r.w {
			break
		}
		text = next
	}
	text += help
	return l.Pad(left+strings.Repeat(" ", max(r.w-look.Width(left)-look.Width(text), 0))+text, r.w)
}

// Title is the window's title.
func (r *Reader) Title() string { return guard.Line(r.duel.SceneTitle) + " (past duel)" }

// Cursor is the cell of the text cursor while a search is written.
func (r *Reader) Cursor() (x, y int, ok bool) { return r.stage.Cursor() }

// Typing reports whether a key that writes text would be text now.
func (r *Reader) Typing() bool { return r.stage.Typing() }

// SetLook changes palette and glyphs.
func (r *Reader) SetLook(l *look.Look) {
	r.look, r.text = l, ""
	r.stage.SetLook(l)
}

// SetSize sets the size of the screen, in cells.
func (r *Reader) SetSize(w, h int) {
	r.w, r.h, r.text = w, h, ""
	r.stage.SetSize(w, h)
}

// Keys returns the screen's bindings and those of the stage for looking.
func (r *Reader) Keys() []keys.Group { return replay.WithStage(r.keys.Groups(), r.o.Keys) }

// Commands lists what the palette can run here.
func (r *Reader) Commands() []keys.Entry {
	return append(r.keys.Entries(r, "reader"), r.stage.WatchCommands()...)
}

// Do runs a command by its name.
func (r *Reader) Do(name string) tea.Cmd {
	if cmd, ran := r.keys.Run(r, name); ran {
		return cmd
	}
	return r.stage.WatchDo(name)
}

// Means names the command that a key would run.
func (r *Reader) Means(k tea.KeyPressMsg) string {
	if r.stage.Typing() {
		return ""
	}
	return r.keys.Meant(r, k, "reader").Name
}
