package replay

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"herarena/arena"
	"herarena/arena/layers"
)

// A piece of text takes this long where the ledger does not say.
const pace = 20 * time.Millisecond

// most bounds the pieces a reply is told in.
const most = 4000

// reply puts one swipe that begins at a time, and returns when it is done.
func (p *player) reply(side arena.Side, r *arena.Reply, start time.Duration) time.Duration {
	asked := arena.Reply{
		ID: r.ID, TurnID: r.TurnID, Contestant: r.Contestant, Swipe: r.Swipe, Prefill: r.Prefill,
		Sampling: r.Sampling, Started: r.Started,
	}
	p.put(start, arena.ReplyStarted{Turn: p.turn.Number, Side: side, Reply: asked})
	edits := pieces(r.Segments)
	total := max(min(r.Total, longest), 0)
	if total == 0 {
		total = time.Duration(len(edits)) * pace
	}
	first := max(min(r.FirstByte, total), 0)
	tokens := len(edits)
	if r.Usage != nil && r.Usage.CompletionTokens > 0 {
		tokens = r.Usage.CompletionTokens
	}
	for i, e := range edits {
		at := start + first + spread(total-first, i, len(edits))
		told := max(1, int(int64(tokens)*int64(i+1)/int64(len(edits))))
		p.put(at, arena.ReplyDelta{Turn: p.turn.Number, Side: side, Swipe: r.Swipe, Edits: []layers.Edit{e}, Tokens: told})
	}
	end := start + total
	p.put(end, arena.ReplyEnded{Turn: p.turn.Number, Side: side, Reply: *r})
	p.ended[r.ID] = end
	return end
}

// spread is the time of the i-th of n things that share a span, the last of them
// before its end.
func spread(span time.Duration, i, n int) time.Duration {
	return time.Duration(float64(span) * float64(i) / float64(n))
}

// pieces cuts segments into the edits in which a stream would bring them: a word
// each, a character each where a script has no spaces.
func pieces(segments []layers.Segment) []layers.Edit {
	var edits []layers.Edit
	for i, s := range segments {
		for _, piece := range words(s.Text) {
			edits = append(edits, layers.Edit{Index: i, Layer: s.Layer, Text: piece})
		}
	}
	if len(edits) <= most {
		return edits
	}
	return joined(edits, (len(edits)+most-1)/most)
}

// joined puts runs of n edits of one segment together.
func joined(edits []layers.Edit, n int) []layers.Edit {
	var out []layers.Edit
	run := 0
	for _, e := range edits {
		if k := len(out) - 1; k >= 0 && out[k].Index == e.Index && run < n {
			out[k].Text += e.Text
			run++
			continue
		}
		out, run = append(out, e), 1
	}
	return out
}

// words cuts a text behind its spaces and behind each character of a script that
// has none. Joined they are the text.
func words(text string) []string {
	var out []string
	from := 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[end:])
		cutHere := unicode.IsSpace(r) && !unicode.IsSpace(next) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
		// A mark belongs to the character before it.
		if cutHere && !unicode.In(next, unicode.M) && end > from && strings.TrimSpace(text[from:end]) != "" {
			out = append(out, text[from:end])
			from = end
		}
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}
