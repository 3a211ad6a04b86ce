package judge

import (
	"strings"

	"herarena/arena"
	"herarena/judge/verdict"
)

// answer is a critic's output while it arrives. Raw text is the prefill, where
// one was sent, and what followed it, so that the stored text can be read again.
type answer struct {
	reader    *verdict.Reader
	reasoning strings.Builder
	text      strings.Builder // content as it arrived
	prefill   string
	pending   string // of the prefill: what a repeating server would send next
	held      string // content held back while it may be the prefill repeated
	settled   bool   // it is known whether the server repeats the prefill
	model     string
	hash      string
}

// take adds one chunk. A retry starts the answer afresh.
func (a *answer) take(c arena.Chunk) {
	switch c.Kind {
	case arena.ChunkReasoning:
		a.reasoning.WriteString(c.Text)
	case arena.ChunkText:
		a.text.WriteString(c.Text)
		a.read(c.Text)
	case arena.ChunkRetry:
		if a.text.Len() == 0 && a.reasoning.Len() == 0 {
			return
		}
		a.text.Reset()
		a.reasoning.Reset()
		a.reader = verdict.NewReader()
		a.reader.Write(a.prefill)
		a.pending, a.held, a.settled = a.prefill, "", false
	}
}

// read hands text to the reader, less a repeated prefill.
func (a *answer) read(text string) {
	if a.settled || a.prefill == "" {
		a.reader.Write(text)
		return
	}
	a.held += text
	switch n := min(len(a.held), len(a.pending)); {
	case a.held[:n] != a.pending[:n]:
		a.settled = true // it goes on instead of repeating
		text = a.held
	case n < len(a.pending):
		return
	default:
		a.settled = true
		text = a.held[n:]
	}
	a.held = ""
	a.reader.Write(text)
}

// snapshot is the verdict so far.
func (a *answer) snapshot() arena.Verdict {
	v := a.reader.Snapshot()
	a.sign(&v)
	switch {
	case a.text.Len() > 0:
	case a.reasoning.Len() > 0:
		v.Phase = arena.PhaseThinking
	default:
		v.Phase = arena.PhaseWaiting
	}
	return v
}

// end closes the answer with how the request ended.
func (a *answer) end(out arena.Outcome) arena.Verdict {
	var v arena.Verdict
	if a.text.String() == out.Content || out.Content == "" {
		if a.held != "" { // cut inside what looked like the prefill repeated
			a.reader.Write(strings.TrimPrefix(a.held, a.pending))
		}
		v = a.reader.Close()
	} else {
		v = verdict.Parse(a.prefill + strings.TrimPrefix(out.Content, a.prefill))
	}
	if out.Reasoning != "" {
		a.reasoning.Reset()
		a.reasoning.WriteString(out.Reasoning)
	}
	if a.text.Len() == 0 && out.Content == "" {
		v.Raw = "" // a prefill nobody went on with is no answer
		v.Status = arena.VerdictFailed
	}
	a.sign(&v)
	if v.Better != arena.NoChoice {
		v.Label = verdict.Odds(out.Tail)
	}
	if v.Status == arena.VerdictFailed && out.Fault == nil && out.Finish == arena.FinishLength {
		out.Fault = &arena.Fault{
			Kind: arena.CutOff, Message: "the critic's answer was cut by its token limit before the verdict",
			Hint: "raise max_tokens in the critic's sampling, or set thinking = false there",
		}
	}
	v.Usage, v.Fault, v.FirstByte, v.Total = out.Usage, out.Fault, out.FirstByte, out.Total
	return v
}

// sign adds what the text itself does not hold.
func (a *answer) sign(v *arena.Verdict) {
	v.Model, v.PromptHash = a.model, a.hash
	if a.reasoning.Len() == 0 {
		return
	}
	if v.Reasoning == "" {
		v.Reasoning = a.reasoning.String()
		return
	}
	v.Reasoning = a.reasoning.String() + "\n" + v.Reasoning
}
