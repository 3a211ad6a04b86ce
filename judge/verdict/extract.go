package verdict

import (
	"regexp"
	"slices"
	"strings"

	"herarena/arena"
)

// most principles or comparisons kept of one verdict; HER-RM writes 3 to 5.
const most = 64

// reading is what one object says.
type reading struct {
	principles  []arena.Principle
	keys        []string // of the principles, folded
	comparisons []arena.Comparison
	overall     string
	summary     string
	label       arena.Choice
	exact       bool
	echo        bool // repeats the candidates
	structured  bool // has a place for principles or comparisons
}

func (r *reading) says() bool {
	return r.structured || r.echo || r.label != arena.NoChoice || r.overall != "" || r.summary != ""
}

func (r *reading) bare() bool { return len(r.principles) == 0 && len(r.comparisons) == 0 }

// relevant reports whether a document says anything a verdict could hold.
func (d *document) relevant() bool {
	r := d.extract(false)
	return r.says() || hasResult(d.root)
}

func hasResult(n *node) bool {
	for _, m := range n.members {
		if m.part == resultPart {
			return true
		}
	}
	return false
}

// read is what a document says. A closed one is read once.
func (d *document) read(final bool) reading {
	if d.said != nil {
		r := *d.said
		r.principles, r.comparisons = slices.Clone(r.principles), slices.Clone(r.comparisons)
		return r
	}
	return d.extract(final)
}

// extract finds what a document says: of several results the last that has a
// label, else the last that has anything.
func (d *document) extract(final bool) reading {
	open := d.to == 0
	trust := d.strict
	best := reading{}
	for _, m := range d.root.members {
		if m.part != resultPart || m.val == nil {
			continue
		}
		items := []*node{m.val}
		if m.val.kind == arrayNode {
			items = m.val.items
		}
		for _, n := range items {
			if n.kind != objectNode {
				continue
			}
			r := readItem(n, trust, open, final)
			if r.says() && (r.label != arena.NoChoice || best.label == arena.NoChoice) {
				best = r
			}
		}
	}
	outer := readItem(d.root, trust, open, final)
	if !best.says() {
		return outer
	}
	if best.label == arena.NoChoice {
		best.label, best.exact = outer.label, outer.exact
	}
	if best.bare() {
		best.principles, best.comparisons = outer.principles, outer.comparisons
	}
	best.structured = best.structured || outer.structured
	return best
}

// readItem reads one result. Where the JSON is not valid, quotes may have gone
// astray, and what looks like a member may be a candidate's text; so what stands
// before an echoed candidate is dropped, and a label behind an echo counts only
// if nothing but the end follows it.
func readItem(n *node, trust, open, final bool) reading {
	var r reading
	labelled := -1
	for i, m := range n.members {
		switch m.part {
		case firstEcho, secondEcho:
			if m.val != nil && m.val.kind != stringNode {
				continue
			}
			if !trust {
				r, labelled = reading{}, -1
			}
			r.echo = true
		case principlePart:
			r.structured = true
			r.principles, r.keys = readPrinciples(m.val, final)
		case analysisPart:
			r.structured = true
			r.readAnalysis(m.val, final)
		case comparisonsPart:
			r.structured = true
			r.comparisons = readComparisons(m.val, final)
		case overallPart:
			r.overall = str(m.val)
		case summaryPart:
			r.summary = str(m.val)
		case labelPart:
			if c, exact := choiceOf(m.val, final); c != arena.NoChoice {
				r.label, r.exact, labelled = c, exact, i
			}
		}
	}
	if labelled >= 0 && r.echo && !trust {
		for _, m := range n.members[labelled+1:] {
			if p := m.part; p == principlePart || p == analysisPart || p == comparisonsPart {
				r.label = arena.NoChoice
			}
		}
		if open && r.bare() {
			r.label = arena.NoChoice
		}
	}
	if r.principles == nil && !r.echo {
		r.principles, r.keys = looseEntries(n, final)
		r.structured = r.structured || len(r.principles) > 0
	}
	r.link()
	return r
}

// readAnalysis reads the analysis: an object, or the comparisons themselves.
func (r *reading) readAnalysis(n *node, final bool) {
	if n == nil {
		return
	}
	if n.kind == arrayNode {
		r.comparisons = readComparisons(n, final)
		return
	}
	var entry *node
	for _, m := range n.members {
		switch m.part {
		case comparisonsPart:
			r.comparisons = readComparisons(m.val, final)
			if m.val != nil && len(m.val.items) > 0 {
				entry = m.val.items[len(m.val.items)-1]
			}
		case principlePart:
			r.principles, r.keys = readPrinciples(m.val, final)
		case overallPart:
			r.overall = str(m.val)
		case summaryPart:
			r.summary = str(m.val)
		case labelPart:
			r.misplaced(m.val, final)
		}
	}
	if entry == nil {
		return
	}
	for _, m := range entry.members { // closers were forgotten
		switch m.part {
		case overallPart:
			r.overall = str(m.val)
		case summaryPart:
			r.summary = str(m.val)
		case labelPart:
			r.misplaced(m.val, final)
		}
	}
}

// misplaced takes a label one level too deep, until a proper one comes.
func (r *reading) misplaced(n *node, final bool) {
	if c, _ := choiceOf(n, final); c != arena.NoChoice {
		r.label, r.exact = c, false
	}
}

// looseEntries finds principles in an object that is itself the map of them.
func looseEntries(n *node, final bool) (out []arena.Principle, keys []string) {
	for _, m := range n.members {
		if m.val == nil || m.val.kind != objectNode || len(out) == most || !has(m.val, "principlename", "maincontent") {
			continue
		}
		if p, ok := readPrinciple(m.key, m.val, final); ok {
			out, keys = append(out, p), append(keys, m.norm)
		}
	}
	return out, keys
}

func has(n *node, norms ...string) bool {
	for _, m := range n.members {
		for _, want := range norms {
			if m.norm == want {
				return true
			}
		}
	}
	return false
}

var numbered = regexp.MustCompile(`(?i)^(?:principle|原则)[ _]*\d+$`)

// link gives comparisons the names of their principles where they only say
// "Principle 2", or nothing.
func (r *reading) link() {
	for i := range r.comparisons {
		c := &r.comparisons[i]
		if c.Name == "" {
			if i < len(r.principles) && c.Winner != arena.NoChoice {
				c.Name = r.principles[i].Name
			}
			continue
		}
		const longest = 64
		if len(c.Name) > longest || !numbered.MatchString(strings.TrimSpace(c.Name)) {
			continue
		}
		name := foldKey(c.Name)
		for k, key := range r.keys {
			if key == name && r.principles[k].Name != "" {
				c.Name = r.principles[k].Name
				break
			}
		}
	}
}
