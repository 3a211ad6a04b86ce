package formats

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/arena/ledger"
)

// Redaction says what is taken out of an export.
type Redaction struct {
	// Names gives contestants and their models other names, the same throughout
	// one export.
	Names bool
	// Voters does so with who voted.
	Voters bool
	// Endpoints takes addresses out.
	Endpoints bool
	// Keys takes out what looks like a key, a token or a password, wherever it
	// stands.
	Keys bool
}

// ParseRedaction reads words of a redaction.
func ParseRedaction(words []string) (Redaction, error) {
	var r Redaction
	for _, list := range words {
		for word := range strings.SplitSeq(list, ",") {
			switch strings.TrimSpace(word) {
			case "names":
				r.Names = true
			case "voters":
				r.Voters = true
			case "endpoints":
				r.Endpoints = true
			case "keys":
				r.Keys = true
			case "all":
				r = Redaction{true, true, true, true}
			case "":
			default:
				return Redaction{}, fmt.Errorf("unknown redaction %.40q (want names, voters, endpoints, keys or all)", word)
			}
		}
	}
	return r, nil
}

type redactor struct {
	Redaction
	names, voters map[string]string
	keys          []*regexp.Regexp
}

func newRedactor(r Redaction) *redactor {
	x := &redactor{Redaction: r, names: map[string]string{}, voters: map[string]string{}}
	if r.Keys {
		for _, expr := range []string{
			`(?i)\b(?:sk|pk|rk|hf|gsk|xai|gh[opsu]|glpat|xox[abp])[-_][A-Za-z0-9_\-]{12,}`,
			`\bAKIA[A-Z0-9]{12,}`,
			`\bAIza[A-Za-z0-9_\-]{20,}`,
			`\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]+`,
			`(?i)\bbearer\s+[A-Za-z0-9._~+/=\-]{8,}`,
			`(?i)\b(?:api[_\- ]?key|access[_\- ]?token|secret|password|passwd)["']?\s*[:=]\s*["']?[^\s"',;]{6,}`,
		} {
			x.keys = append(x.keys, regexp.MustCompile(expr))
		}
	}
	return x
}

func (x *redactor) on() bool { return x.Redaction != Redaction{} }

// alias is the name that stands for another.
func alias(known map[string]string, prefix, name string) string {
	if name == "" {
		return ""
	}
	a, ok := known[name]
	if !ok {
		a = fmt.Sprintf("%s-%d", prefix, len(known)+1)
		known[name] = a
	}
	return a
}

// said takes keys out of what was said.
func (x *redactor) said(text string) string {
	for _, k := range x.keys {
		text = k.ReplaceAllString(text, "[key]")
	}
	return text
}

// duel returns a copy of a duel with what is asked for taken out.
func (x *redactor) duel(d *ledger.DuelFull) *ledger.DuelFull {
	if !x.on() {
		return d
	}
	out := copyDuel(d)
	veil := x.veil(out)
	message := func(s string) string { return x.said(veil.Replace(s)) }
	rename := func(s string) string {
		if x.Names {
			return alias(x.names, "contestant", s)
		}
		return s
	}
	for i := range out.Contestants {
		c := &out.Contestants[i]
		c.Name = rename(c.Name)
		if x.Names {
			c.Model = ""
		}
		if x.Endpoints {
			c.Endpoint = ""
		}
		c.Prefill = x.said(c.Prefill)
	}
	out.SceneJSON = x.said(bareScene(&d.DuelRecord))
	for i := range out.Past {
		p := &out.Past[i]
		p.By, p.Line, p.Note, p.Reply = rename(p.By), x.said(p.Line), x.said(p.Note), x.segments(p.Reply)
		p.Speaker, p.Scenery = x.said(p.Speaker), x.said(p.Scenery)
		p.Kept = nil // nobody has looked through it
	}
	for i := range out.Turns {
		x.turn(&out.Turns[i], message, rename)
	}
	for i := range out.Battles {
		b := &out.Battles[i]
		b.A, b.B, b.Why = rename(b.A), rename(b.B), message(b.Why)
		if x.Voters && strings.HasSuffix(string(b.Source), string(arena.SourceVote)) {
			b.Judge = alias(x.voters, "voter", b.Judge)
		}
	}
	return out
}

func (x *redactor) turn(t *ledger.FullTurn, message, rename func(string) string) {
	t.Line, t.Note, t.Auto = x.said(t.Line), x.said(t.Note), rename(t.Auto)
	t.Speaker, t.Scenery = x.said(t.Speaker), x.said(t.Scenery)
	for _, swipes := range t.Swipes {
		for _, r := range swipes {
			r.Raw, r.Reasoning, r.Prefill, r.Segments = x.said(r.Raw), x.said(r.Reasoning), x.said(r.Prefill), x.segments(r.Segments)
			r.Fault = faultOf(r.Fault, message)
			for i := range r.Notes {
				r.Notes[i] = message(r.Notes[i])
			}
		}
	}
	for i := range t.Votes {
		v := &t.Votes[i]
		v.Why = message(v.Why)
		if x.Voters {
			v.Voter = alias(x.voters, "voter", v.Voter)
		}
	}
	for _, list := range [][]arena.Ruling{t.Rulings, t.Reruns} {
		for i := range list {
			list[i].Why = message(list[i].Why)
			for o := range list[i].Verdicts {
				x.verdict(&list[i].Verdicts[o], message)
			}
		}
	}
	relink(t)
}

func (x *redactor) verdict(v *arena.Verdict, message func(string) string) {
	v.Raw, v.Reasoning, v.Overall, v.Summary = x.said(v.Raw), x.said(v.Reasoning), x.said(v.Overall), x.said(v.Summary)
	v.Fault = faultOf(v.Fault, message)
	if !x.Keys {
		return
	}
	v.Comparisons = slices.Clone(v.Comparisons)
	for i := range v.Comparisons {
		c := &v.Comparisons[i]
		c.First, c.Second, c.Reason = x.said(c.First), x.said(c.Second), x.said(c.Reason)
	}
	v.Principles = slices.Clone(v.Principles)
	for i := range v.Principles {
		p := &v.Principles[i]
		p.Definition, p.Reason = x.said(p.Definition), x.said(p.Reason)
	}
}

func faultOf(f *arena.Fault, message func(string) string) *arena.Fault {
	if f == nil {
		return nil
	}
	out := *f
	out.Message, out.Hint = message(f.Message), message(f.Hint)
	return &out
}

func (x *redactor) segments(all []layers.Segment) []layers.Segment {
	if !x.Keys {
		return all
	}
	out := slices.Clone(all)
	for i := range out {
		out[i].Text = x.said(out[i].Text)
	}
	return out
}

// veil takes names and addresses out of what servers say.
func (x *redactor) veil(d *ledger.DuelFull) *strings.Replacer {
	var names, places []string
	for _, c := range d.Contestants {
		names = append(names, c.Name, c.Model)
		places = append(places, c.Endpoint, hostOf(c.Endpoint))
	}
	var pairs [][2]string
	if x.Names {
		for _, n := range names {
			pairs = append(pairs, [2]string{n, "the model"})
		}
	}
	if x.Endpoints {
		for _, p := range places {
			pairs = append(pairs, [2]string{p, "the endpoint"})
		}
	}
	return replacer(pairs)
}

// replacer replaces the longest first: a name may be part of an address.
func replacer(pairs [][2]string) *strings.Replacer {
	sort.SliceStable(pairs, func(i, j int) bool { return len(pairs[i][0]) > len(pairs[j][0]) })
	var flat []string
	for _, p := range pairs {
		if len(p[0]) > 1 {
			flat = append(flat, p[0], p[1])
		}
	}
	return strings.NewReplacer(flat...)
}

func hostOf(endpoint string) string {
	_, rest, ok := strings.Cut(endpoint, "://")
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	return host
}
