package archive

import (
	"fmt"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
	"herarena/arena/replay"
	"herarena/tui/guard"
	"herarena/tui/look"
)

// fewRows bounds what is shown of one reply in the description of a duel.
const fewRows = 3

// about describes a duel: its terms, then each turn in a few rows.
func (s *Screen) about(r *row, w int) []string {
	l := s.look
	var rows []string
	add := func(role look.Role, text string) { rows = append(rows, wrapped(l, role, "", text, w)...) }
	terms := s.critic(r.Critic)
	if r.Blind {
		terms += ", blind"
	}
	if r.Rehearsal {
		terms += ", rehearsal"
	}
	add(look.Text, s.versus(r, w))
	add(look.Dim, guard.Line(r.Started.In(s.o.Now().Location()).Format("2006-01-02 15:04")+", "+terms))
	add(look.Dim, guard.Line(plural(r.Turns, "turn")+", "+plural(r.Votes, "vote")+", "+plural(r.Rulings, "ruling")+"   "+r.ID))
	d := s.duels[r.ID]
	switch {
	case s.refused[r.ID] != "":
		return append(rows, wrapped(l, look.Bad, "", "this duel could not be read: "+guard.Line(s.refused[r.ID]), w)...)
	case d == nil:
		return append(rows, "", l.Paint(look.Dim, "reading it"+l.Glyphs.More))
	}
	if d.Origin.DuelID != "" {
		add(look.Dim, "goes on from duel "+guard.Line(d.Origin.DuelID))
	}
	rows = append(rows, s.excerpts(d, w)...)
	turns := replay.Turns(d)
	for i := range turns {
		rows = append(rows, s.aboutTurn(d, &turns[i], w)...)
	}
	if len(turns) == 0 {
		rows = append(rows, "", l.Paint(look.Dim, "nothing was said"))
	}
	return rows
}

// aboutTurn is one turn in a few rows: the line, what became canon, and what was
// decided.
func (s *Screen) aboutTurn(d *ledger.DuelFull, t *arena.Turn, w int) []string {
	l := s.look
	rows := []string{""}
	rows = append(rows, few(wrapped(l, look.Title, l.Paint(look.Accent, l.Glyphs.Prompt)+" ", guard.Text(t.Line), w), l)...)
	seat := t.Canon
	if seat < 0 {
		seat = t.Seats[arena.A]
	}
	if r := t.Last(seat); r != nil {
		var said []string
		for _, seg := range r.Segments {
			if seg.Layer == layers.Speech || seg.Layer == layers.Act {
				said = append(said, strings.Join(strings.Fields(guard.Text(seg.Text)), " "))
			}
		}
		rows = append(rows, few(wrapped(l, look.Text, "  ", strings.Join(said, " "), w), l)...)
	}
	if verdict := s.decided(t); verdict != "" {
		rows = append(rows, l.Truncate("  "+l.Paint(look.Dim, verdict), w))
	}
	return rows
}

// few keeps the first rows.
func few(rows []string, l *look.Look) []string {
	if len(rows) <= fewRows {
		return rows
	}
	return append(rows[:fewRows:fewRows], "  "+l.Paint(look.Dim, l.Glyphs.More))
}

// decided says what the critic and the person thought of a turn.
func (s *Screen) decided(t *arena.Turn) string {
	var parts []string
	if t.Ruling != nil {
		parts = append(parts, guard.Line(s.critic(t.Ruling.Critic))+": "+answer(t.Ruling.Winner, t.Ruling.Agreement))
	}
	if t.Vote != nil {
		parts = append(parts, "you: "+answer(t.Vote.Choice, arena.Agree))
	}
	if n := len(t.Swipes[0]) + len(t.Swipes[1]); n > 2 {
		parts = append(parts, fmt.Sprintf("%d replies", n))
	}
	return strings.Join(parts, "   ")
}

func answer(c arena.Choice, a arena.Agreement) string {
	switch {
	case a == arena.Flip:
		return "a flip"
	case c == arena.ChoseA:
		return "A"
	case c == arena.ChoseB:
		return "B"
	case c == arena.Tie:
		return "tie"
	case c == arena.BothBad:
		return "both bad"
	}
	return "no verdict"
}

// excerpts show where the words of the search stand in a duel.
func (s *Screen) excerpts(d *ledger.DuelFull, w int) []string {
	l := s.look
	var rows []string
	for _, word := range s.query.words {
		if _, said := s.found[word][d.ID]; !said {
			continue
		}
		if text, where := excerpt(d, word); text != "" {
			if len(rows) == 0 {
				rows = append(rows, "")
			}
			rows = append(rows, few(wrapped(l, look.Text, l.Paint(look.Badge, " "+where+" ")+" ", text, w), l)...)
		}
	}
	return rows
}

// excerpt is the text around the first place of a word, and in which turn it is.
func excerpt(d *ledger.DuelFull, word string) (text, where string) {
	for i := range d.Turns {
		t := &d.Turns[i]
		texts := []string{t.Line, t.Note}
		for _, swipes := range t.Swipes {
			for _, r := range swipes {
				texts = append(texts, r.Raw, r.Reasoning)
			}
		}
		for _, text := range texts {
			if around := around(text, word); around != "" {
				return around, fmt.Sprintf("turn %d", t.Number)
			}
		}
	}
	return "", ""
}

// around cuts the surroundings of a word out of a text, as one line.
func around(text, word string) string {
	const before, behind = 60, 120 // bytes
	lower := strings.ToLower(text)
	i := strings.Index(lower, word)
	if i < 0 || len(lower) != len(text) && i > len(text) {
		return ""
	}
	if len(lower) != len(text) { // folding has moved the bytes: cut from the folded text
		text = lower
	}
	from, to := max(i-before, 0), min(i+len(word)+behind, len(text))
	cut := strings.ToValidUTF8(text[from:to], "")
	if from > 0 {
		if _, rest, ok := strings.Cut(cut, " "); ok && len(rest) >= len(word) && strings.Contains(strings.ToLower(rest), word) {
			cut = rest
		}
		cut = "…" + cut
	}
	if to < len(text) {
		cut += "…"
	}
	return guard.Line(cut)
}
