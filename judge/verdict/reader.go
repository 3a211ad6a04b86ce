// Package verdict reads what a critic writes: HER-RM's JSON, complete or still
// arriving, well formed or not, with reasoning before it, fences around it and
// other models' text inside it.
//
// The reading is structural. Text inside <think> blocks and inside the echoed
// candidates cannot become a verdict, whatever it looks like; of several
// top-level labels the last counts. One pass reads each byte once, with a bounded
// look ahead, so that no input makes it slow; Parse and a Reader fed in pieces
// are the same pass and end with the same verdict.
package verdict

import (
	"slices"
	"strings"

	"herarena/arena"
)

// MaxInput is the most of a critic's output that is read, in bytes. HER-RM's
// verdicts have 2 to 20 thousand. What is beyond is ignored, so that a verdict
// whose label stands there is partial.
const MaxInput = 1 << 20

// Parse reads a critic's whole output. It never fails: the verdict's status says
// how well it could be read.
func Parse(raw string) arena.Verdict {
	r := NewReader()
	r.Write(raw)
	return r.Close()
}

// Reader reads a critic's output while it streams. It is used by one goroutine
// at a time. Write and Close are linear in the text, and so are all Snapshots
// together, beside a small cost of each. Make one with NewReader.
type Reader struct {
	m      machine
	raw    strings.Builder
	closed bool
	last   arena.Verdict
	seen   arena.Verdict // the last snapshot made
	seenAt int           // how much had been read then
}

// NewReader returns a reader that has read nothing.
func NewReader() *Reader { return &Reader{} }

// Write takes the next piece of output. Pieces may be cut anywhere. What is
// written after Close is ignored.
func (r *Reader) Write(text string) {
	if r.closed || text == "" {
		return
	}
	r.raw.WriteString(text)
	room := MaxInput - len(r.m.buf)
	if room <= 0 {
		return
	}
	r.m.buf = append(r.m.buf, text[:min(room, len(text))]...)
	r.m.run()
}

// Snapshot returns the verdict as far as it is written, status pending. Its
// principles only ever grow. The snapshot shares nothing with the reader.
func (r *Reader) Snapshot() arena.Verdict {
	if r.closed {
		return r.last
	}
	// What no honest critic writes, thousands of values, is looked through only
	// as often as it grows by a share of itself: the looks at a text are then
	// linear in it, however many they are.
	const free, share = 512, 8
	if cost := r.m.cost(); cost <= free || r.seen.Status == "" || len(r.m.buf)-r.seenAt >= cost/share {
		r.seen, _ = r.m.verdict(false)
		r.seen.Status = arena.VerdictPending
		r.seenAt = len(r.m.buf)
	}
	v := r.seen
	v.Principles, v.Comparisons = slices.Clone(v.Principles), slices.Clone(v.Comparisons)
	v.Phase = r.m.phase()
	v.Raw = r.raw.String()
	return v
}

// cost is about how many steps a look at the verdict takes.
func (m *machine) cost() int {
	const bytes = 8 // that are copied in the time of a step
	cost := min(m.nodes, maxNodes) + m.listed/bytes
	if m.reasoned.len() > 0 && m.reasoning.len() > 0 {
		cost += (m.reasoned.len() + m.reasoning.len()) / bytes
	}
	return cost
}

// Close ends the output and returns the final verdict. Closing again returns the
// same.
func (r *Reader) Close() arena.Verdict {
	if r.closed {
		return r.last
	}
	r.closed = true
	r.m.final = true
	r.m.run()
	r.m.finish()
	v, status := r.m.verdict(true)
	v.Status = status
	v.Phase = arena.PhaseDone
	v.Raw = r.raw.String()
	r.last = v
	r.m, r.seen = machine{}, arena.Verdict{} // no longer needed
	return v
}

// Explain says in one sentence what is missing from a verdict without a label,
// for the critic that is asked again and for the person who reads the log. It is
// "" where the verdict has one.
func Explain(v arena.Verdict) string {
	switch {
	case v.Better != arena.NoChoice:
		return ""
	case strings.TrimSpace(v.Raw) == "" && v.Reasoning == "":
		return "the critic wrote nothing"
	case v.Status == arena.VerdictPartial:
		return "the critic's output ends before better_response; raise max_tokens if it was cut"
	case v.Reasoning != "" && !strings.Contains(v.Raw, "</"):
		return "the critic was still reasoning when its output ended; raise max_tokens"
	case !strings.Contains(v.Raw, "{"):
		return "the critic's output holds no JSON object and no verdict line"
	}
	return "the critic's JSON names no better_response of cand_1, cand_2 or tie"
}

// verdict puts together what the documents and the prose say.
func (m *machine) verdict(final bool) (arena.Verdict, arena.VerdictStatus) {
	got, strict, truncated := m.pick(final)
	v := arena.Verdict{
		Better: got.label, Principles: got.principles, Comparisons: got.comparisons,
		Overall: got.overall, Summary: got.summary, Reasoning: m.thought(),
	}
	fromLine := false
	if v.Better == arena.NoChoice && final && !truncated {
		v.Better = fromProse(m.prose[m.proseFrom:])
		fromLine = v.Better != arena.NoChoice
	}
	v.Tally, v.TallyDisagrees = tally(v.Comparisons, v.Better)
	if v.Principles == nil {
		v.Principles = []arena.Principle{}
	}
	if v.Comparisons == nil {
		v.Comparisons = []arena.Comparison{}
	}
	switch {
	case v.Better == arena.NoChoice && (!got.bare() || truncated && got.says()):
		return v, arena.VerdictPartial
	case v.Better == arena.NoChoice:
		return v, arena.VerdictFailed
	case !got.structured:
		return v, arena.VerdictOnly
	case !strict || fromLine || !got.exact:
		return v, arena.VerdictRepaired
	}
	return v, arena.VerdictOK
}

// pick chooses the document that counts, the last that says anything. A label
// of an earlier one never stands in for its own; principles may.
func (m *machine) pick(final bool) (got reading, strict, truncated bool) {
	for i := len(m.docs) - 1; i >= 0; i = m.docs[i].before {
		d := &m.docs[i]
		r := d.read(final)
		if !r.says() && !(len(m.docs) == 1 && hasResult(d.root)) {
			continue
		}
		if r.structured || r.echo || r.label == arena.NoChoice {
			return r, d.strict, d.to == 0
		}
		strict = d.strict
		for k := i - 1; k >= 0 && k >= i-most; k-- {
			if e := m.docs[k].read(final); e.structured {
				e.label, e.exact = r.label, r.exact
				return e, strict && m.docs[k].strict, false
			}
		}
		return r, strict, d.to == 0
	}
	return got, true, false
}

// thought returns the native reasoning that stood in the output itself.
func (m *machine) thought() string {
	before, now := m.reasoned.String(), m.reasoning.String()
	switch {
	case before == "":
		before = now
	case now != "":
		before += now
	}
	return strings.TrimSpace(before)
}

// tally counts the winners of the comparisons and tells whether the label goes
// against them. A count without a majority cannot be gone against.
func tally(comparisons []arena.Comparison, better arena.Choice) (t arena.Tally, disagrees bool) {
	for _, c := range comparisons {
		switch c.Winner {
		case arena.First:
			t.First++
		case arena.Second:
			t.Second++
		case arena.Tie:
			t.Tie++
		}
	}
	majority := arena.NoChoice
	switch {
	case t.First > t.Second:
		majority = arena.First
	case t.Second > t.First:
		majority = arena.Second
	case t.First == 0 && t.Tie > 0:
		majority = arena.Tie
	}
	return t, better != arena.NoChoice && majority != arena.NoChoice && better != majority
}

// phase tells what the critic is doing, from where in its form it writes.
func (m *machine) phase() arena.Phase {
	switch {
	case strings.TrimSpace(string(m.buf[:min(len(m.buf), 64)])) == "":
		return arena.PhaseWaiting
	case m.place == inThink:
		return arena.PhaseThinking
	case m.place == inProse && len(m.docs) > 0:
		return arena.PhaseDeciding
	}
	if len(m.stack) == 0 {
		return arena.PhaseReading
	}
	switch m.top().at() {
	case principlePart:
		return arena.PhasePrinciples
	case analysisPart, comparisonsPart:
		return arena.PhaseComparing
	case overallPart, summaryPart, labelPart:
		return arena.PhaseDeciding
	}
	return arena.PhaseReading
}
