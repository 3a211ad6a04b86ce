package stage

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/card"
	"herarena/tui/keys"
	"herarena/tui/look"
	"herarena/tui/prose"
)

// panel is what the rows of the verdict show.
type panel int

const (
	cardsPanel   panel = iota
	oddsPanel          // the chance over the turns
	outputPanel        // the critic's output as it came
	thoughtPanel       // the critic's own reasoning
)

// Sizes of the verdict, in rows.
const (
	headFrom  = 22 // lower screens have no room for what stands above the cards
	leastCard = 3  // rows of cards that nothing above them takes
	oddsWant  = 13 // rows of the chart
	kindMost  = 3  // rows of a sentence above the cards
)

// verdictView is the state of the verdict beside its cards.
type verdictView struct {
	panel  panel
	order  arena.Order // whose text is read
	scroll int         // first row of the text; -1 keeps to its end
	rows   []string    // what stands above the panel, all of it
	width  int         // that the rows were made for
	head   int         // rows above the panel in the last frame
	shown  int         // rows of the panel in the last frame
	most   int         // rows the verdict has asked for since its critic began
	text   wrapped
	oddsOf *odds
	// revealed says whether the names were shown when the odds were reckoned.
	revealed bool
}

// setCards puts the verdicts of a turn as seen and the replies that were judged on the cards.
func (s *Stage) setCards(t *turn) {
	s.cards.Set(t.verdicts, t.judging)
	var judged [2][]layers.Segment
	for side := range judged {
		if i := t.judgedTake(arena.Side(side)); i >= 0 && !t.columns[side].takes[i].live {
			judged[side] = t.columns[side].takes[i].reply.Segments
		}
	}
	s.cards.SetReplies(judged[0], judged[1])
}

// headed reports whether the orders have rows of their own above the cards.
func (s *Stage) headed() bool {
	t := s.looked().asSeen()
	if t == nil || s.h < headFrom || t.ruling == nil && !t.judging {
		return false
	}
	return s.w >= card.SideBySide || t.judging || s.focus == onVerdict || t.ruling.Agreement == arena.Flip
}

// verdictHead are the rows above the panel: what each order does or came to,
// what a flip means, and where the person sees it otherwise.
func (s *Stage) verdictHead() []string {
	t := s.looked().asSeen()
	if !s.headed() {
		return nil
	}
	rows := card.Orders(s.look, t.verdicts, t.judging, s.o.Now().Sub(t.asked), s.w)
	rows = append(rows, s.saying(look.Warn, s.flipWords(t))...)
	return append(rows, s.saying(look.Text, s.differs(t))...)
}

// saying sets a sentence in a few rows.
func (s *Stage) saying(role look.Role, text string) []string {
	if text == "" {
		return nil
	}
	room := max(s.w-2, 1)
	said := prose.Wrap(text, room)
	if len(said) > kindMost {
		said[kindMost-1] = s.look.Truncate(said[kindMost-1]+" "+said[kindMost], room)
		said = said[:kindMost]
	}
	for i, row := range said {
		said[i] = s.look.Pad(" "+s.look.Paint(role, strings.TrimSpace(row)), s.w)
	}
	return said
}

// spare is how many rows both replies leave to a verdict that stands below them.
func (s *Stage) spare(n *want) int {
	if s.cards.Len() == 0 || n.mode() != columns {
		return 0
	}
	l := layout{mode: columns}
	_, room := n.rows()
	l.place(*n, room)
	taken := 0
	for side, p := range s.panes {
		w, _ := l.inner(arena.Side(side))
		if was, h := p.Size(); was != w {
			p.SetSize(w, max(h, 1))
		}
		taken = max(taken, p.Height())
	}
	return max(room-taken-2, 0)
}

// verdictWants is how many rows the verdict would like, where so many are to be had
// without taking any from what is read.
// It makes what stands above the panel, for drawVerdict to use. While the critic
// writes the verdict never takes fewer rows than before, and its cards are opened
// further only when it is done: what is being read must not jump.
func (s *Stage) verdictWants(room int) int {
	v := &s.verdict
	if s.frame.stale&(barPart|cardsPart) != 0 || v.width != s.w {
		v.rows, v.width = s.verdictHead(), s.w
	}
	n := len(v.rows)
	t := s.looked().asSeen()
	if t == nil || t.judging {
		s.cards.Fit(s.w, 0)
		v.most = max(v.most, n+s.cards.Height(s.w, s.focus == onVerdict))
	} else {
		s.cards.Fit(s.w, room-n)
		v.most = 0
	}
	if s.cards.Len() == 0 {
		v.most = 0
	}
	switch v.panel {
	case oddsPanel:
		return n + oddsWant
	case outputPanel, thoughtPanel:
		return n + 1 + len(s.reading())
	}
	return max(n+s.cards.Height(s.w, s.focus == onVerdict), v.most)
}

// drawVerdict draws the rows of the verdict.
func (s *Stage) drawVerdict() []string {
	h := s.layout.cards.h
	v := &s.verdict
	head := v.rows[:len(v.rows):len(v.rows)]
	least := leastCard
	if v.panel == cardsPanel {
		least = min(least, s.cards.Height(s.w, s.focus == onVerdict))
	}
	if room := max(h-least, 0); len(head) > room {
		head = head[:room]
	}
	v.head, v.shown = len(head), h-len(head)
	switch v.panel {
	case oddsPanel:
		rows := s.oddsRows(s.w, v.shown)
		return append(head, rows[:min(len(rows), v.shown)]...)
	case outputPanel, thoughtPanel:
		return append(head, s.readingRows(v.shown)...)
	}
	return append(head, s.cards.View(s.w, v.shown, s.focus == onVerdict)...)
}

// show turns to a panel; turning to the one that is shown goes back to the cards.
func (s *Stage) show(p panel) tea.Cmd {
	v := &s.verdict
	if v.panel == p {
		p = cardsPanel
	}
	if t := s.looked().asSeen(); p == outputPanel || p == thoughtPanel {
		if t == nil {
			return notice("nothing has been judged yet: write a line first", false)
		}
		if only, alone := s.cards.Only(); alone {
			v.order = only
		}
		v.scroll = 0
		if t.judging {
			v.scroll = -1
		}
	}
	v.panel = p
	s.setFocus(onVerdict)
	s.stale(cardsPart | barPart)
	return nil
}

// pressCards gives a key to what the verdict shows.
func (s *Stage) pressCards(key string) {
	s.stale(cardsPart | barPart)
	switch v := &s.verdict; v.panel {
	case cardsPanel:
		s.cards.Press(key)
	case outputPanel, thoughtPanel:
		switch key {
		case "up":
			s.scrollText(-1)
		case "down":
			s.scrollText(1)
		case "pgup":
			s.scrollText(-max(v.shown-2, 1))
		case "pgdown":
			s.scrollText(max(v.shown-2, 1))
		case "home":
			v.scroll = 0
		case "end":
			v.scroll = -1
		case "x":
			v.order, v.scroll = 1-v.order, 0
		}
	}
}

// enterCard follows the chosen quote, else opens or shuts the card.
func (s *Stage) enterCard() tea.Cmd {
	if s.verdict.panel != cardsPanel {
		return s.show(cardsPanel)
	}
	if e, ok := s.cards.Chosen(); ok {
		return s.follow(e)
	}
	s.pressCards("enter")
	return nil
}

// walkQuotes chooses the next or former quote that stands in a reply.
func walkQuotes(key string) func(*Stage) tea.Cmd {
	return func(s *Stage) tea.Cmd { return s.walkQuotes(key) }
}

func (s *Stage) walkQuotes(key string) tea.Cmd {
	s.verdict.panel = cardsPanel
	s.setFocus(onVerdict)
	s.stale(cardsPart | barPart)
	if s.cards.Press(key) {
		return nil
	}
	if t := s.looked().asSeen(); t != nil && t.judging {
		return notice("quotes are followed once a principle is decided", false)
	}
	return notice("this verdict quotes nothing that stands in the replies", false)
}

// clickVerdict takes a click on a cell of the verdict: on a quote it jumps.
func (s *Stage) clickVerdict(x, y int) tea.Cmd {
	s.stale(cardsPart | barPart)
	if s.verdict.panel != cardsPanel {
		return nil
	}
	if e, jump, _ := s.cards.ClickAt(x, y-s.verdict.head); jump {
		return s.follow(e)
	}
	return nil
}

// scrollVerdict scrolls what the verdict shows.
func (s *Stage) scrollVerdict(by int) {
	s.stale(cardsPart | barPart)
	switch s.verdict.panel {
	case cardsPanel:
		s.cards.Scroll(by)
	case outputPanel, thoughtPanel:
		s.scrollText(by)
	}
}

// verdictHidden is how many rows lie above and below what is shown.
func (s *Stage) verdictHidden() (above, below int) {
	switch v := &s.verdict; v.panel {
	case cardsPanel:
		return s.cards.Hidden()
	case outputPanel, thoughtPanel:
		n := len(s.reading())
		from := s.textTop()
		return from, max(n-from-max(v.shown-1, 0), 0)
	}
	return 0, 0
}

// showing turns to a panel, or back from it.
func showing(p panel) func(*Stage) tea.Cmd {
	return func(s *Stage) tea.Cmd { return s.show(p) }
}

// cardHints are the bindings that matter in the verdict.
func (s *Stage) cardHints() []keys.Binding {
	bound := func(names ...string) []keys.Binding {
		var out []keys.Binding
		for _, name := range names {
			out = append(out, s.bound(name))
		}
		return out
	}
	switch s.verdict.panel {
	case oddsPanel:
		return []keys.Binding{s.bound("stage.verdict.odds").Hinted("cards")}
	case outputPanel, thoughtPanel:
		return append([]keys.Binding{s.bound("stage.card.toggle").Hinted("cards")}, bound("stage.card.order")...)
	}
	if _, ok := s.cards.Chosen(); ok {
		return append([]keys.Binding{s.bound("stage.card.toggle").Hinted("jump to it")}, bound("stage.quote.next", "stage.card.order", "stage.verdict.odds")...)
	}
	return bound("stage.card.toggle", "stage.card.all", "stage.quote.next", "stage.card.order", "stage.verdict.odds")
}

// textTitle is the row above a text of the critic.
func (s *Stage) textTitle() string {
	l, v := s.look, &s.verdict
	what := "The critic's output as it came"
	if v.panel == thoughtPanel {
		what = "The critic's own reasoning"
	}
	text := " " + l.Paint(look.Title, what) + l.Paint(look.Dim, ", "+v.order.String())
	if n := len(s.reading()); n > 0 {
		from := s.textTop()
		text += l.Paint(look.Dim, fmt.Sprintf("   rows %d to %d of %d", from+1, min(from+max(v.shown-1, 1), n), n))
	}
	return l.Pad(text, s.w)
}
