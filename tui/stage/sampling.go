package stage

import (
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena"
	"herarena/tui/look"
)

// samplingSheet is the panel of both contestants' sampling. What is changed in
// it holds from the next reply on.
type samplingSheet struct {
	dials []dial
	at    int // row; the one behind the dials is thinking
	who   int // contestant
	draft string
	fault string
}

func newSamplingSheet() *samplingSheet { return &samplingSheet{dials: dials()} }

func (p *samplingSheet) scope() string { return samplingPanel }

// resampled reports whether a contestant plays with another sampling than its
// own.
func (s *Stage) resampled() bool {
	for i := range s.changed {
		if s.changed[i] {
			return true
		}
	}
	return false
}

func (s *Stage) openSampling() tea.Cmd {
	if s.canDirect() {
		s.openSheet(newSamplingSheet())
	}
	return nil
}

// change sets a contestant's sampling, on the duel at once.
func (p *samplingSheet) change(s *Stage, f func(*arena.Sampling)) {
	d, ok := s.directed()
	if !ok {
		return
	}
	sampling := copied(d.SamplingOf(p.who))
	f(&sampling)
	d.SetSampling(p.who, sampling)
	s.changed[p.who] = !reflect.DeepEqual(sampling, s.o.Contestants[p.who].Sampling)
	s.stale(allParts)
}

// copied is a sampling that shares nothing: the duel keeps what it was given.
func copied(s arena.Sampling) arena.Sampling {
	for _, p := range []**float64{&s.Temperature, &s.TopP, &s.MinP, &s.RepetitionPenalty, &s.PresencePenalty, &s.FrequencyPenalty} {
		if *p != nil {
			v := **p
			*p = &v
		}
	}
	for _, p := range []**int{&s.TopK, &s.Seed} {
		if *p != nil {
			v := **p
			*p = &v
		}
	}
	if s.Thinking != nil {
		v := *s.Thinking
		s.Thinking = &v
	}
	return s
}

// settle takes the number that is being typed.
func (p *samplingSheet) settle(s *Stage) {
	if p.draft == "" || p.at >= len(p.dials) {
		p.draft = ""
		return
	}
	d := &p.dials[p.at]
	v, err := d.read(p.draft)
	p.draft = ""
	if err != nil {
		p.fault = err.Error()
		return
	}
	p.change(s, func(to *arena.Sampling) { d.set(to, &v) })
}

func (p *samplingSheet) move(s *Stage, dx, dy int) {
	p.fault = ""
	p.settle(s)
	p.at = min(max(p.at+dy, 0), len(p.dials))
	if dx == 0 {
		return
	}
	p.change(s, func(to *arena.Sampling) {
		if p.at == len(p.dials) {
			on := to.Thinking == nil || !*to.Thinking
			to.Thinking = &on
			return
		}
		d := &p.dials[p.at]
		v := d.turn(to, dx)
		d.set(to, &v)
	})
}

func (p *samplingSheet) enter(s *Stage) tea.Cmd {
	p.fault = ""
	if p.draft != "" {
		p.settle(s)
		return nil
	}
	s.shut()
	return nil
}

func (p *samplingSheet) write(_ *Stage, text string) bool {
	switch {
	case p.at >= len(p.dials):
		return false
	case text == "\b":
		p.draft = p.draft[:max(len(p.draft)-1, 0)]
	case len(text) == 1 && strings.Contains("0123456789.-", text) && len(p.draft) < 12:
		p.draft += text
	default:
		return false
	}
	p.fault = ""
	return true
}

// other turns to the other contestant.
func (p *samplingSheet) other(s *Stage) tea.Cmd {
	p.settle(s)
	p.who = 1 - p.who
	return nil
}

// leave leaves a parameter to the server.
func (p *samplingSheet) leave(s *Stage) tea.Cmd {
	p.draft, p.fault = "", ""
	p.change(s, func(to *arena.Sampling) {
		if p.at == len(p.dials) {
			to.Thinking = nil
			return
		}
		p.dials[p.at].set(to, nil)
	})
	return nil
}

// reset sets a parameter as the contestant has it.
func (p *samplingSheet) reset(s *Stage) tea.Cmd {
	p.draft, p.fault = "", ""
	own := copied(s.o.Contestants[p.who].Sampling)
	p.change(s, func(to *arena.Sampling) {
		if p.at == len(p.dials) {
			to.Thinking = own.Thinking
			return
		}
		d := &p.dials[p.at]
		if v, on := d.get(&own); on {
			d.set(to, &v)
		} else {
			d.set(to, nil)
		}
	})
	return nil
}

// resetAll sets everything as the contestant has it.
func (p *samplingSheet) resetAll(s *Stage) tea.Cmd {
	p.draft, p.fault = "", ""
	own := copied(s.o.Contestants[p.who].Sampling)
	p.change(s, func(to *arena.Sampling) { *to = own })
	return nil
}

// cell is a parameter of a contestant as shown, marked where it is not its own.
func (p *samplingSheet) cell(s *Stage, d Directed, row, who int) string {
	l := s.look
	now, own := d.SamplingOf(who), s.o.Contestants[who].Sampling
	value, mine := p.value(&now, row), p.value(&own, row)
	role := look.Dim
	switch {
	case row == p.at && who == p.who && p.draft != "":
		return l.Paint(look.Accent, p.draft+"_")
	case value != mine:
		return l.Paint(look.Warn, value) + l.Paint(look.Dim, " was "+mine)
	case value != "server's":
		role = look.Input
	}
	if row == p.at && who == p.who {
		return turned(l, l.Paint(role, value))
	}
	return l.Paint(role, value)
}

func (p *samplingSheet) value(s *arena.Sampling, row int) string {
	if row == len(p.dials) {
		switch {
		case s.Thinking == nil:
			return "server's"
		case *s.Thinking:
			return "on"
		}
		return "off"
	}
	v, on := p.dials[row].get(s)
	if !on {
		return "server's"
	}
	return p.dials[row].write(v)
}

func (p *samplingSheet) view(s *Stage, w, h int) []string {
	d, ok := s.directed()
	if !ok {
		return nil
	}
	l := s.look
	width := min(w, 74)
	name, column := 21, (width-2-21-3)/2
	row := func(mark, label, a, b string) string {
		return mark + l.Pad(label, name) + l.Pad(a, column-1) + " " + l.Pad(b, column-1)
	}
	heads := [2]string{}
	for who := range heads {
		heads[who] = s.contestant(who)
		if who == p.who {
			heads[who] = l.Paint(look.Title, heads[who])
		} else {
			heads[who] = l.Paint(look.Dim, heads[who])
		}
	}
	rows := []string{row("   ", "", heads[0], heads[1])}
	for i := range len(p.dials) + 1 {
		label := thinkingName
		if i < len(p.dials) {
			label = p.dials[i].name
		}
		mark := choice(l, i == p.at, "")
		if i == p.at {
			label = l.Paint(look.Title, label)
		}
		rows = append(rows, row(mark, label, p.cell(s, d, i, 0), p.cell(s, d, i, 1)))
	}
	about := thinkingAbout
	if p.at < len(p.dials) {
		about = p.dials[p.at].about
	}
	rows = append(rows, "")
	if p.fault != "" {
		rows = append(rows, hang(l, look.Bad, "  ", "  ", p.fault, width-3)...)
	} else {
		rows = append(rows, s.told(about, width)...)
	}
	rows = append(rows, "")
	if s.resampled() {
		rows = append(rows, hang(l, look.Warn, "  ", "  ", "Turns played with what is changed here are kept and do not count.", width-3)...)
	} else {
		rows = append(rows, s.told("Changes hold from the next reply on. Turns played with them are kept and do not count.", width)...)
	}
	return s.sheetBox("Sampling", rows, width, h, s.bound("stage.sampling.other"), s.bound("stage.sampling.leave"), s.bound("stage.sampling.reset"), s.bound("stage.sampling.all"), s.bound("stage.panel.shut"))
}
