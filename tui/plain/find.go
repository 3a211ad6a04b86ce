package plain

import (
	"errors"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/tui/page"
)

// foundAtMost bounds how many places are read out, aroundFound what of each on
// either side, in bytes.
const (
	foundAtMost = 20
	aroundFound = 80
)

// find reads out where something was said, in what was read out at the start
// too.
func (s *session) find([]string) error {
	want := strings.ToLower(s.rest)
	if want == "" {
		return errors.New("say what is to be found: /find last berth")
	}
	n := 0
	look := func(lead, text string) {
		text = one(text)
		i := strings.Index(strings.ToLower(text), want)
		if i < 0 || i > len(text) {
			return
		}
		if n++; n <= foundAtMost {
			s.out.line(lead + around(text, i, len(want)))
		}
	}
	look("The scene: ", s.played.Scene.Scenario)
	for _, seg := range s.opening {
		look("The opening, "+one(s.played.Scene.Character.Name)+" "+verb(seg.Layer)+": ", seg.Text)
	}
	for i, t := range s.past() {
		s.findIn(look, "Before, turn "+itoa(i+1), t.Line, t.Reply, "")
	}
	for _, t := range s.book.turns {
		turn := "Turn " + itoa(t.number)
		look(turn+", you: ", t.line)
		for _, side := range []arena.Side{arena.A, arena.B} {
			for k, take := range t.takes[side] {
				who := turn + ", " + s.bill.who(t, side)
				if len(t.takes[side]) > 1 {
					who += " reply " + itoa(k+1) + ","
				}
				s.findIn(look, who, "", take.reply.Segments, " ")
			}
		}
	}
	switch {
	case n == 0:
		s.out.linef("%q is not found.", one(s.rest))
	case n > foundAtMost:
		s.out.linef("%s more.", count(n-foundAtMost, "place"))
	}
	return nil
}

func (s *session) findIn(look func(lead, text string), who, line string, reply []layers.Segment, gap string) {
	look(who+", said: ", line)
	if gap == "" {
		who, gap = who+", it", " "
	}
	for _, seg := range reply {
		look(who+gap+verb(seg.Layer)+": ", seg.Text)
	}
}

// around is what stands around a place in a text.
func around(text string, at, size int) string {
	from, to := max(at-aroundFound, 0), min(at+size+aroundFound, len(text))
	cut := strings.ToValidUTF8(text[from:to], "")
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(text) {
		cut += "…"
	}
	return cut
}

// export writes the duel to a file and says where that is.
func (s *session) export(args []string) error {
	d, err := s.directed()
	switch {
	case err != nil:
		return err
	case s.o.Export == nil:
		return errors.New("nothing can be exported here; herarena log export does")
	case s.book.last() == nil:
		return arena.ErrNoTurn
	}
	f := page.Markdown
	if len(args) > 0 {
		if f, err = page.ParseFormat(args[0]); err != nil {
			return err
		}
	}
	path, err := s.o.Export(s.ctx, d.ID(), f)
	if err != nil {
		return err
	}
	s.out.line("Written to " + path)
	return nil
}
