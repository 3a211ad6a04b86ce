package card

import (
	"regexp"
	"strings"
	"unicode"

	"herarena/arena"
	"herarena/judge/principles"
)

// entry is one principle as one order has it.
type entry struct {
	key       string
	alias     string // what names that mean the same share
	principle arena.Principle
	opinion   Opinion
}

// merger makes entries of verdicts. It remembers what it has worked out, since
// a growing verdict repeats nearly all of what the snapshot before it held. The
// zero value is ready.
type merger struct {
	names    map[string]named
	opinions [2][]turned
}

// named is what is known of a name.
type named struct{ key, alias string }

// turned is a comparison and the opinion it was turned to.
type turned struct {
	from arena.Comparison
	to   Opinion
}

// remembered bounds what is kept of names.
const remembered = 4096

// forget drops what is known of another ruling.
func (m *merger) forget() { *m = merger{} }

// entries lists what one order names, in its order: its principles, then
// comparisons under names of their own.
func (m *merger) entries(order arena.Order, v *arena.Verdict) []entry {
	principles, comparisons := settled(v), v.Comparisons
	out := make([]entry, 0, len(principles)+len(comparisons))
	at := make(map[string]int, len(principles)+len(comparisons))
	add := func(e entry) int {
		at[e.key] = len(out)
		out = append(out, e)
		return len(out) - 1
	}
	number := numberer{}
	for _, p := range principles {
		if n := m.name(p.Name); n.key != "" {
			add(entry{key: number.of(n.key), alias: n.alias, principle: p})
		}
	}
	// Names that fit exactly come first, so that no alias takes their place.
	number = numberer{}
	where := make([]int, len(comparisons))
	for i, c := range comparisons {
		where[i] = -1
		if n := m.name(c.Name); n.key != "" {
			if k, ok := at[number.of(n.key)]; ok {
				where[i] = k
				out[k].opinion.Given = true
			}
		}
	}
	number = numberer{}
	for i, c := range comparisons {
		n := m.name(c.Name)
		if n.key == "" {
			continue
		}
		key := number.of(n.key)
		if where[i] < 0 {
			where[i] = alike(out, n.alias)
		}
		if where[i] < 0 {
			where[i] = add(entry{key: key, alias: n.alias, principle: arena.Principle{Name: c.Name}})
		}
		out[where[i]].opinion = m.opinion(order, i, c)
	}
	return out
}

// alike finds a principle that an alias names and nothing has been said of.
func alike(entries []entry, alias string) int {
	for i := range entries {
		if entries[i].alias == alias && !entries[i].opinion.Given {
			return i
		}
	}
	return -1
}

// settled are the principles whose names are whole: the last of a growing
// verdict may still be at its name.
func settled(v *arena.Verdict) []arena.Principle {
	n := len(v.Principles)
	if n == 0 || v.Status != arena.VerdictPending || v.Phase != arena.PhasePrinciples {
		return v.Principles
	}
	if p := v.Principles[n-1]; p.Dimension == "" && p.Level == "" && p.Definition == "" && p.Reason == "" {
		return v.Principles[:n-1]
	}
	return v.Principles
}

// pair finds for each entry of the first order its like in the second, -1 for
// none: by name, else by alias in the order written.
func pair(first, second []entry) []int {
	at := make(map[string]int, len(second))
	for i := range second {
		at[second[i].key] = i
	}
	out := make([]int, len(first))
	taken := make([]bool, len(second))
	for i := range first {
		out[i] = -1
		if k, ok := at[first[i].key]; ok {
			out[i], taken[k] = k, true
		}
	}
	free := map[string][]int{}
	for k := range second {
		if !taken[k] {
			free[second[k].alias] = append(free[second[k].alias], k)
		}
	}
	for i := range first {
		if like := free[first[i].alias]; out[i] < 0 && len(like) > 0 {
			out[i], free[first[i].alias] = like[0], like[1:]
		}
	}
	return out
}

// counter matches a number before a principle's name: "Principle 3: ".
var counter = regexp.MustCompile(`(?i)^\W*(?:(?:principle|原则)\s*)?\d{1,3}\s*[:：.)、–-]\s*`)

// name works out key and alias of a name. Names for one of the known dimensions
// are aliases of each other.
func (m *merger) name(name string) named {
	if n, ok := m.names[name]; ok {
		return n
	}
	bare := counter.ReplaceAllString(name, "")
	n := named{key: fold(name), alias: "name " + fold(bare)}
	if d, known := principles.Dimension(bare); known {
		n.alias = "dimension " + d
	}
	if m.names == nil || len(m.names) >= remembered {
		m.names = map[string]named{}
	}
	m.names[name] = n
	return n
}

// opinion turns the i-th comparison of an order to sides.
func (m *merger) opinion(order arena.Order, i int, c arena.Comparison) Opinion {
	for len(m.opinions[order]) <= i {
		m.opinions[order] = append(m.opinions[order], turned{})
	}
	t := &m.opinions[order][i]
	if !t.to.Given || t.from != c {
		t.from, t.to = c, opinion(order, c)
	}
	return t.to
}

// candidate matches how critics name the shown positions in prose.
var candidate = regexp.MustCompile(`(?i)\b(?:cand(?:idate)?|response candidate|response)[_ ]?([12])\b`)

// inSides writes A and B where a critic's prose speaks of the positions it was
// shown, so that both orders read alike.
func inSides(order arena.Order, prose string) string {
	if !strings.ContainsAny(prose, "12") {
		return prose
	}
	return candidate.ReplaceAllStringFunc(prose, func(name string) string {
		position := arena.First
		if strings.HasSuffix(name, "2") {
			position = arena.Second
		}
		if order.Side(position) == arena.ChoseA {
			return "A"
		}
		return "B"
	})
}

func opinion(order arena.Order, c arena.Comparison) Opinion {
	o := Opinion{
		Given: true, A: inSides(order, c.First), B: inSides(order, c.Second), Reason: inSides(order, c.Reason),
		Winner: order.Side(c.Winner), Degree: c.Degree,
	}
	if order == arena.BFirst {
		o.A, o.B = o.B, o.A
	}
	switch o.Winner {
	case arena.ChoseA, arena.ChoseB, arena.Tie:
	default:
		o.Winner = arena.NoChoice
	}
	return o
}

// numberer gives names their keys: the second use of a name is another key, so
// that no comparison hides an earlier one.
type numberer map[string]int

func (u numberer) of(key string) string {
	u[key]++
	if n := u[key]; n > 1 {
		return key + "#" + strings.Repeat("i", n-1)
	}
	return key
}

func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
