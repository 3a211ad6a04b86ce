package archive

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"herarena/arena/ledger"
)

// Words are looked for one after the other, the first a moment after the last
// key; a further key ends the search under way. What was found is kept.

// textLimit bounds what is typed into the search, in bytes: nobody searches for
// more.
const textLimit = 500

// retype changes what is typed into the search. What goes beyond its limit is
// left out.
func (s *Screen) retype(text string) tea.Cmd {
	if len(text) > textLimit {
		text = strings.ToValidUTF8(text[:textLimit], "")
	}
	s.text, s.fresh = text, false
	s.query = parseQuery(text, s.o.Now().Location())
	s.stopFind()
	s.stopFind = func() {}
	s.round++
	s.pending = len(s.missing())
	cmd := s.choose()
	if s.pending == 0 {
		return cmd
	}
	return tea.Batch(cmd, s.after(typing, pauseMsg{s, s.round}))
}

// missing are the words of the search that were not looked for yet.
func (s *Screen) missing() []string {
	var out []string
	if s.o.Search == nil {
		return nil
	}
	for _, word := range s.query.words {
		if _, known := s.found[word]; !known && searched(word) {
			out = append(out, word)
		}
	}
	return out
}

// find looks for the next word.
func (s *Screen) find() tea.Cmd {
	missing := s.missing()
	s.pending = len(missing)
	if len(missing) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.stopFind = cancel
	round, word := s.round, missing[0]
	return func() tea.Msg {
		defer cancel()
		hits, err := s.o.Search(ctx, word)
		return foundMsg{s, round, word, hits, err}
	}
}

// finding takes in what was found of a word.
func (s *Screen) finding(m foundMsg) tea.Cmd {
	if m.err != nil {
		if m.round != s.round || s.ctx.Err() != nil {
			return nil // it was stopped for another
		}
		s.pending, s.fresh = 0, false
		return notice("the search failed: "+m.err.Error(), true)
	}
	s.found[m.word] = turns(m.hits)
	if m.round != s.round {
		return nil
	}
	return tea.Batch(s.choose(), s.find())
}

func turns(hits []ledger.Hit) map[string]int {
	out := make(map[string]int, len(hits))
	for _, h := range hits {
		out[h.DuelID] = h.Turn
	}
	return out
}
