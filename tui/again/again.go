// Package again is the screen on which a logged turn is judged again: by another
// critic, under another policy of orders, with candidates changed on purpose.
// The ruling of play and the new one stand beside each other, and nothing of
// what was judged before is touched.
package again

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/card"
	"herarena/tui/guard"
	"herarena/tui/keys"
	"herarena/tui/look"
)

const scope = "again"

// Leave asks to go back.
type Leave struct{}

// Ask is what is to be judged, and by whom.
type Ask struct {
	Critic       string
	Orders       arena.OrderPolicy
	HideThoughts bool
	Equalise     bool
	// Words are changes of words by side; none where Old is empty.
	Words [2]arena.Replacement
}

// Options are what the screen is made of.
type Options struct {
	// Title says what is judged, e.g. "Meryton ball, turn 3".
	Title string
	// Critics are the names of those that can be asked, the preselected one first.
	Critics []string
	// CriticLabel names a critic as the screen does; nil takes its name.
	CriticLabel func(name string) string
	// Before is the ruling of play; nil where there is none.
	Before *arena.Ruling
	// Replies are the two replies by side, so that quotes are found in them.
	Replies [2]*arena.Reply
	// Candidates are both texts as the critic would get them for an ask, its words
	// unchanged. Nil: words cannot be changed here.
	Candidates func(a Ask) ([2]string, error)
	// Check says why a critic given by name or as URL#model cannot be asked. Nil:
	// only those in Critics can be.
	Check func(critic string) error
	// Judge asks for a ruling and keeps it. It blocks; on gets what grows, from
	// any goroutine.
	Judge func(ctx context.Context, a Ask, on func(arena.Order, arena.Verdict)) (arena.Ruling, error)
	Look  *look.Look
	Keys  *keys.Map // the keys in force; nil: the defaults
}

// Screen is the screen; New makes it. Its request ends with Close.
type Screen struct {
	o      Options
	look   *look.Look
	keys   *keys.Table[*Screen]
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when the request has ended; nil before the first

	ask    Ask
	critic int
	lists  [2]*card.List // before, now
	focus  int
	now    *arena.Ruling
	live   [2]arena.Verdict
	fault  string
	told   string // about a setting, until the next key
	edit   *editor
	w, h   int
}

type growth struct {
	screen  *Screen
	order   arena.Order
	verdict arena.Verdict
	more    <-chan growth
}

type ended struct {
	screen *Screen
	ruling arena.Ruling
	err    error
}

// New makes the screen.
func New(o Options) *Screen {
	l := o.Look
	if l == nil {
		l = look.New(look.Options{Dark: true, Colour: look.Full})
	}
	if o.CriticLabel == nil {
		o.CriticLabel = func(name string) string { return name }
	}
	s := &Screen{o: o, look: l, keys: keys.NewTable(o.Keys, sets()...), focus: 1, ask: Ask{Orders: arena.OrdersAlways}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for i := range s.lists {
		s.lists[i] = card.New(l)
		if o.Replies[0] != nil && o.Replies[1] != nil {
			s.lists[i].SetReplies(o.Replies[0].Segments, o.Replies[1].Segments)
		}
	}
	if o.Before != nil {
		s.lists[0].Set(o.Before.Verdicts, false)
	}
	s.pick(0)
	return s
}

func (s *Screen) pick(by int) {
	if n := len(s.o.Critics); n > 0 {
		s.critic = (s.critic + by + n) % n
		s.ask.Critic = s.o.Critics[s.critic]
	}
}

func (s *Screen) turnOrders() {
	next := map[arena.OrderPolicy]arena.OrderPolicy{
		arena.OrdersAlways: arena.OrdersNever, arena.OrdersNever: arena.OrdersClose, arena.OrdersClose: arena.OrdersAlways,
	}
	s.ask.Orders = next[s.ask.Orders]
}

func sets() []keys.Set[*Screen] {
	plain := func(do func(*Screen)) func(*Screen) tea.Cmd { return keys.Plain(do) }
	return []keys.Set[*Screen]{{Title: "Judging again", Scope: scope, Commands: []keys.Command[*Screen]{
		keys.Act("again.judge", "judge it", (*Screen).judge, "enter").Hinted("judge"),
		keys.Act("again.critic", "another critic", plain(func(s *Screen) { s.pick(1) }), "c").Hinted("critic"),
		keys.Act("again.critic.type", "another critic by name or URL#model", plain((*Screen).typeCritic), "C"),
		keys.Act("again.orders", "when the second order is asked", plain((*Screen).turnOrders), "o").Hinted("orders"),
		keys.Act("again.thoughts", "keep thoughts from the critic, or show them", plain(func(s *Screen) { s.ask.HideThoughts = !s.ask.HideThoughts; s.refit() }), "t").Hinted("thoughts"),
		keys.Act("again.equalise", "cut the longer reply to the length of the shorter, or not", plain(func(s *Screen) { s.ask.Equalise = !s.ask.Equalise; s.refit() }), "l").Hinted("lengths"),
		keys.Act("again.words.a", "change words of A before it is judged", func(s *Screen) tea.Cmd { return s.editWords(arena.A) }, "a").If(wordy).Hinted("words of A"),
		keys.Act("again.words.b", "change words of B before it is judged", func(s *Screen) tea.Cmd { return s.editWords(arena.B) }, "b").If(wordy).Hinted("of B"),
		keys.Act("again.side", "to the other ruling's cards", plain(func(s *Screen) { s.focus = 1 - s.focus }), "tab").Hinted("other ruling"),
		keys.Act("again.up", "the card above", plain(func(s *Screen) { s.lists[s.focus].Press("up") }), "up", "k").As("↑ k"),
		keys.Act("again.down", "the card below", plain(func(s *Screen) { s.lists[s.focus].Press("down") }), "down", "j").As("↓ j"),
		keys.Act("again.open", "open or shut the card", plain(func(s *Screen) { s.lists[s.focus].Press("enter") }), "right", "space").As("→ space"),
		keys.Act("again.leave", "stop what runs; else back", (*Screen).leave, "esc", "q").As("esc").Hinted("back"),
	}}, {Title: "Changing words, or writing a critic", Scope: editing, Text: true, Commands: []keys.Command[*Screen]{
		keys.Act("again.edit.take", "take what is written", plain((*Screen).takeEdit), "enter").If(writing).Hinted("take it"),
		keys.Act("again.edit.newline", "begin a new line", plain(func(s *Screen) { s.edit.area.InsertRune('\n') }), "shift+enter", "alt+enter", "ctrl+j").As("shift+enter, ctrl+j").If(func(s *Screen) bool { return writing(s) && !s.edit.critic }).Hinted("new line"),
		keys.Act("again.edit.restore", "put back what the model said", plain((*Screen).restore), "ctrl+r").If(func(s *Screen) bool { return writing(s) && !s.edit.critic }).Hinted("as it was said"),
		keys.Act("again.edit.leave", "back, with nothing changed", plain(func(s *Screen) { s.edit = nil }), "esc").If(writing).Hinted("leave it"),
	}}}
}

// wordy reports whether words can be changed now, writing whether something is
// being written.
func wordy(s *Screen) bool { return s.o.Candidates != nil && !s.Running() }

func writing(s *Screen) bool { return s.edit != nil }

// Groups are the bindings, for the help and the README.
func Groups() []keys.Group { return keys.GroupsOf(sets()) }

// judge starts the request; one at a time.
func (s *Screen) judge() tea.Cmd {
	if s.Running() || s.o.Judge == nil {
		return nil
	}
	s.now, s.fault, s.live = nil, "", [2]arena.Verdict{}
	s.lists[1].Reset()
	if both, ok := s.asked(); ok {
		s.lists[1].SetReplies(both[0], both[1])
	} else if s.o.Replies[0] != nil && s.o.Replies[1] != nil {
		s.lists[1].SetReplies(s.o.Replies[0].Segments, s.o.Replies[1].Segments)
	}
	s.done = make(chan struct{})
	grown := make(chan growth, 64)
	ask, done := s.ask, s.done
	return tea.Batch(waitGrowth(grown), func() tea.Msg {
		defer close(done)
		r, err := s.o.Judge(s.ctx, ask, func(o arena.Order, v arena.Verdict) {
			select {
			case grown <- growth{screen: s, order: o, verdict: v, more: grown}:
			default: // a newer snapshot comes
			}
		})
		close(grown)
		return ended{s, r, err}
	})
}

func waitGrowth(grown <-chan growth) tea.Cmd {
	return func() tea.Msg {
		g, ok := <-grown
		if !ok {
			return nil
		}
		return g
	}
}

// Running reports whether a critic is at work.
func (s *Screen) Running() bool {
	if s.done == nil {
		return false
	}
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// Stop ends the request; the screen can ask again.
func (s *Screen) Stop() tea.Cmd {
	s.cancel()
	if s.done != nil {
		<-s.done
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return nil
}

func (s *Screen) leave() tea.Cmd {
	if s.Running() {
		return s.Stop()
	}
	return func() tea.Msg { return Leave{} }
}

// Init implements the screen's contract; nothing runs before it is asked for.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case growth:
		if msg.screen != s {
			return nil
		}
		if s.Running() {
			s.live[msg.order] = msg.verdict
			s.lists[1].Set(s.live, true)
		}
		return waitGrowth(msg.more)
	case ended:
		if msg.screen != s {
			return nil
		}
		s.ended(msg)
	case tea.KeyPressMsg:
		return s.press(msg)
	case tea.PasteMsg:
		if s.edit != nil {
			s.edit.paste(msg.Content)
		}
	case tea.MouseWheelMsg:
		by := 1
		if msg.Button == tea.MouseWheelUp {
			by = -1
		}
		s.lists[s.side(msg.X, msg.Y)].Scroll(by)
	case tea.MouseClickMsg:
		s.click(msg.X, msg.Y)
	}
	return nil
}

// press takes a key; while something is written what no command means is text.
func (s *Screen) press(k tea.KeyPressMsg) tea.Cmd {
	s.told = ""
	cmd, taken := s.keys.Press(s, k, s.scope())
	if taken || s.edit == nil {
		return cmd
	}
	s.edit.fault = ""
	s.edit.area, cmd = s.edit.area.Update(k)
	return cmd
}

func (s *Screen) scope() string {
	if s.edit != nil {
		return editing
	}
	return scope
}

func (s *Screen) ended(msg ended) {
	if msg.err != nil {
		s.fault = guard.Line(msg.err.Error())
		if errors.Is(msg.err, context.Canceled) {
			s.fault = "stopped"
		}
		return
	}
	s.now = &msg.ruling
	s.lists[1].Set(msg.ruling.Verdicts, false)
	for _, v := range msg.ruling.Verdicts {
		if v.Fault != nil {
			s.fault = guard.Line(v.Fault.Error())
		}
	}
}

// Commands are the commands, for the palette.
func (s *Screen) Commands() []keys.Entry { return s.keys.Entries(s, s.scope()) }

// Means names the command that a key would run.
func (s *Screen) Means(k tea.KeyPressMsg) string { return s.keys.Meant(s, k, s.scope()).Name }

// Do carries out a command by its name.
func (s *Screen) Do(name string) tea.Cmd {
	cmd, _ := s.keys.Run(s, name)
	return cmd
}

// Keys are the bindings for the help.
func (s *Screen) Keys() []keys.Group { return s.keys.Groups() }

// Title names the screen.
func (s *Screen) Title() string { return "judging again" }

// Typing reports whether a key that writes text is text now.
func (s *Screen) Typing() bool { return s.edit != nil }

// Cursor is the cell of the text cursor while something is written.
func (s *Screen) Cursor() (x, y int, ok bool) {
	if s.edit == nil {
		return 0, 0, false
	}
	s.sizeEditor()
	c := s.edit.area.Cursor()
	if c == nil {
		return 0, 0, false
	}
	return min(c.X+1, max(s.w-2, 0)), min(c.Y+headRows+formRows+1, max(s.h-2, 0)), true
}

// SetSize sets the size in cells.
func (s *Screen) SetSize(w, h int) { s.w, s.h = w, h }

// SetLook changes theme and glyphs.
func (s *Screen) SetLook(l *look.Look) {
	s.look = l
	if s.edit != nil {
		s.edit.setLook(l)
	}
	for _, list := range s.lists {
		list.SetLook(l)
	}
}

// Close stops what runs and waits for it.
func (s *Screen) Close() error {
	s.cancel()
	if s.done != nil {
		<-s.done
	}
	return nil
}

func (s *Screen) ruled(i int) (*arena.Ruling, string) {
	if i == 0 {
		if s.o.Before == nil {
			return nil, "not judged in play"
		}
		return s.o.Before, "before: " + s.o.CriticLabel(s.o.Before.Critic)
	}
	return s.now, "now: " + s.o.CriticLabel(s.ask.Critic)
}

// outcome is a ruling in a few words.
func outcome(r *arena.Ruling) string {
	if r == nil {
		return ""
	}
	text := map[arena.Choice]string{arena.ChoseA: "A better", arena.ChoseB: "B better", arena.Tie: "tie"}[r.Winner]
	switch r.Agreement {
	case arena.Flip:
		text = "flip: the orders disagree"
	case arena.NoVerdict:
		return "no verdict"
	case arena.OneOrder:
		text += ", one order"
	case arena.OneFailed:
		text += ", one order failed"
	}
	if p, _, ok := r.Estimate(); ok {
		text += fmt.Sprintf("   A %.0f %%", 100*p)
	}
	return text
}
