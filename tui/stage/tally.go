package stage

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/look"
)

// sum is what replies took: tokens, time, and money where it is known.
type sum struct {
	replies   int
	tokens    int
	estimated bool // some of the tokens are counted in pieces of the stream
	prompt    int
	writing   time.Duration // behind the first token
	total     time.Duration
	first     time.Duration // of all first tokens
	firsts    int
	paced     int     // tokens that writing is about
	cost      float64 // US dollars
	priced    int     // replies whose cost is known
}

// tokensOf are the tokens of a reply; counted is false where they are estimated
// by the pieces of its stream.
func tokensOf(t *take) (n int, counted bool) {
	if u := t.reply.Usage; u != nil && u.CompletionTokens > 0 {
		return u.CompletionTokens, true
	}
	return t.tokens, false
}

func (s *sum) add(t *take, who *arena.Contestant) {
	n, counted := tokensOf(t)
	if n == 0 && t.reply.Total == 0 {
		return
	}
	s.replies++
	s.tokens += n
	s.estimated = s.estimated || !counted && n > 0
	s.total += t.reply.Total
	if u := t.reply.Usage; u != nil {
		s.prompt += u.PromptTokens
	}
	if t.reply.FirstByte > 0 {
		s.first += t.reply.FirstByte
		s.firsts++
		if t.reply.Total > t.reply.FirstByte {
			s.writing += t.reply.Total - t.reply.FirstByte
			s.paced += n
		}
	}
	if dollars, known := who.Cost(&t.reply); known {
		s.cost += dollars
		s.priced++
	}
}

// count writes the tokens, with a sign in front where they are estimated.
func (s *sum) count() string { return about(s.tokens, !s.estimated) }

// money writes the cost, "" where none of it is known; where only a part is, it
// is at least so much.
func (s *sum) money() string {
	switch {
	case s.priced == 0:
		return ""
	case s.priced < s.replies:
		return "from " + dollars(s.cost)
	}
	return dollars(s.cost)
}

func (s *sum) speed() string {
	if s.writing < 50*time.Millisecond || s.paced == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f tok/s", float64(s.paced)/s.writing.Seconds())
}

func about(n int, counted bool) string {
	if !counted {
		return fmt.Sprintf("~%d", n)
	}
	return fmt.Sprint(n)
}

// dollars writes an amount so that small ones are not lost.
func dollars(v float64) string {
	switch {
	case v == 0:
		return "$0"
	case v < 0.0001:
		return "<$0.0001"
	case v < 0.1:
		return fmt.Sprintf("$%.4f", v)
	}
	return fmt.Sprintf("$%.2f", v)
}

// sumOf adds up the replies of a side, all swipes included.
func (s *Stage) sumOf(side arena.Side) sum {
	var out sum
	for _, t := range s.play.turns {
		for _, k := range t.columns[side].takes {
			if !k.live {
				out.add(k, &s.o.Contestants[t.seats[side]&1])
			}
		}
	}
	return out
}

// sumOfLines adds up the lines that a contestant's model wrote for the person.
func (s *Stage) sumOfLines(contestant int) sum {
	var out sum
	for i := range s.play.lines {
		if e := &s.play.lines[i]; e.Contestant == contestant {
			k := take{tokens: e.Tokens, reply: arena.Reply{Usage: e.Usage, FirstByte: e.FirstByte, Total: e.Total}}
			out.add(&k, &s.o.Contestants[contestant&1])
		}
	}
	return out
}

// and is two sums together; what is measured for each reply is left out.
func (s sum) and(other sum) sum {
	return sum{
		replies: s.replies + other.replies, tokens: s.tokens + other.tokens, estimated: s.estimated || other.estimated,
		total: s.total + other.total, cost: s.cost + other.cost, priced: s.priced + other.priced,
	}
}

// hushed reports whether sums of money would tell who stands where.
func (s *Stage) hushed() bool { return s.o.Blind && !s.bill.revealed }

// total is what both sides took together, for the header; "" before there is
// anything.
func (s *Stage) total() string {
	both := s.sumOf(arena.A).and(s.sumOf(arena.B)).and(s.sumOfLines(0)).and(s.sumOfLines(1))
	if both.replies < 3 {
		return "" // one reply of a side: its border says it all
	}
	text := both.count() + " tok"
	if money := both.money(); money != "" {
		text += " " + money
	}
	return text
}

// spent is what a reply of a side took, in as many cells as there are:
// the sums of the side, then the cost go first.
func (s *Stage) spent(t *turn, side arena.Side, k *take, room int) string {
	l := s.look
	text := done(l, k)
	add := func(more string) {
		if more != "" && look.Width(text)+look.Width(more)+2 <= room {
			text += l.Paint(look.Dim, "  "+more)
		}
	}
	if s.hushed() {
		return text
	}
	if c, known := s.o.Contestants[t.seats[side]&1].Cost(&k.reply); known {
		add(dollars(c))
	}
	if all := s.sumOf(side); all.replies > 1 {
		add(strings.TrimSpace("all " + all.count() + " tok " + all.money()))
	}
	return text
}

// tallySheet shows what the duel took so far.
type tallySheet struct{}

func (*tallySheet) scope() string             { return tallyPanel }
func (*tallySheet) move(*Stage, int, int)     {}
func (*tallySheet) write(*Stage, string) bool { return false }
func (*tallySheet) enter(s *Stage) tea.Cmd    { s.shut(); return nil }
func (s *Stage) openTally()                   { s.openSheet(&tallySheet{}) }
func dash(s string) string                    { return map[bool]string{true: "-", false: s}[s == ""] }

func cellRight(l *look.Look, s string) string {
	return strings.Repeat(" ", max(12-look.Width(s), 0)) + s
}

func (*tallySheet) view(s *Stage, w, h int) []string {
	l := s.look
	width := min(w, 60)
	row := func(label string, cells ...string) string {
		text := "  " + l.Pad(label, 18)
		for _, c := range cells {
			text += " " + cellRight(l, c)
		}
		return text
	}
	a, b := s.sumOf(arena.A), s.sumOf(arena.B)
	both := func(of func(*sum) string) []string { return []string{of(&a), of(&b)} }
	rows := []string{"", row("", l.Paint(look.SideA, "A"), l.Paint(look.SideB, "B"))}
	if !s.o.Blind {
		rows = append(rows, row("", l.Truncate(s.contestant(0), 12), l.Truncate(s.contestant(1), 12)))
	}
	rows = append(rows,
		row("replies", both(func(s *sum) string { return fmt.Sprint(s.replies) })...),
		row("tokens written", both((*sum).count)...),
		row("tokens read", both(func(s *sum) string { return dash(map[bool]string{false: fmt.Sprint(s.prompt)}[s.prompt == 0]) })...),
		row("speed", both(func(s *sum) string { return dash(s.speed()) })...),
		row("to the first token", both(func(s *sum) string {
			if s.firsts == 0 {
				return "-"
			}
			return tenths(s.first / time.Duration(s.firsts))
		})...),
		row("time in all", both(func(s *sum) string { return tenths(s.total) })...),
	)
	if !s.hushed() {
		rows = append(rows, row("cost", both(func(s *sum) string { return dash(s.money()) })...))
	}
	rows = append(rows, s.linesRows(row)...)
	if n, d := s.judgedTime(); n > 0 {
		rows = append(rows, "", row("the critic", fmt.Sprintf("%d tok", n), tenths(d)))
	}
	rows = append(rows, "")
	if all := s.sumOfLines(0).and(s.sumOfLines(1)); a.estimated || b.estimated || all.estimated {
		rows = append(rows, "  "+l.Paint(look.Dim, "~ is estimated: the server counted no tokens"), "")
	}
	return s.sheetBox("What it took", rows, width, h, s.bound("stage.panel.shut"))
}

// linesRows are the rows of what the lines took that models wrote for the person:
// by model, or while the names are hidden all of them together. There are none
// where the person wrote all lines.
func (s *Stage) linesRows(row func(label string, cells ...string) string) []string {
	a, b := s.sumOfLines(0), s.sumOfLines(1)
	sums := []*sum{&a, &b}
	if s.hushed() {
		both := a.and(b)
		sums = []*sum{&both}
	}
	if a.replies+b.replies == 0 {
		return nil
	}
	cells := func(of func(*sum) string) (out []string) {
		for _, x := range sums {
			out = append(out, of(x))
		}
		return out
	}
	who := s.look.Truncate("for "+s.me(), 18)
	rows := []string{"", row(who, cells(func(x *sum) string {
		if x.replies == 1 {
			return "1 line"
		}
		return fmt.Sprintf("%d lines", x.replies)
	})...), row("tokens written", cells((*sum).count)...), row("time in all", cells(func(x *sum) string { return tenths(x.total) })...)}
	if !s.hushed() {
		rows = append(rows, row("cost", cells(func(x *sum) string { return dash(x.money()) })...))
	}
	return rows
}

// judgedTime is what the critic took: tokens in both orders, and seconds.
func (s *Stage) judgedTime() (tokens int, total time.Duration) {
	add := func(r *round) {
		if r.ruling == nil {
			return
		}
		total += r.ruling.Total
		for _, v := range r.ruling.Verdicts {
			if v.Usage != nil {
				tokens += v.Usage.CompletionTokens
			}
		}
	}
	for _, t := range s.play.turns {
		add(&t.round)
		for i := range t.earlier {
			add(&t.earlier[i])
		}
	}
	return tokens, total
}
