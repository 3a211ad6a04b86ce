package verdict

import (
	"strings"

	"herarena/arena"
	"herarena/judge/principles"
)

// longest is more than the bytes of a dimension's name or a level.
const longest = 1024

func beginning(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "")
}

// readPrinciples reads a map or a list of principles.
func readPrinciples(n *node, final bool) (out []arena.Principle, keys []string) {
	add := func(key string, val *node) {
		if val == nil || len(out) == most {
			return
		}
		if p, ok := readPrinciple(key, val, final); ok {
			out, keys = append(out, p), append(keys, foldKey(key))
		}
	}
	switch {
	case n == nil:
	case n.kind == arrayNode:
		for _, item := range n.items {
			add("", item)
		}
	case n.kind == objectNode && has(n, "principlename"):
		add("", n)
	case n.kind == objectNode:
		for _, m := range n.members {
			add(m.key, m.val)
		}
	}
	return out, keys
}

// readPrinciple reads one principle. ok is false while nothing of it is written.
func readPrinciple(key string, n *node, final bool) (p arena.Principle, ok bool) {
	return remembered(n, key, &n.memo().principle, func() (arena.Principle, bool) { return principleOf(key, n, final) })
}

func principleOf(key string, n *node, final bool) (p arena.Principle, ok bool) {
	if n.kind == arrayNode {
		return p, false
	}
	polarity, placed := "", false
	if n.kind != objectNode {
		p.Definition = str(n)
	}
	for _, m := range n.members {
		switch m.norm {
		case "principlename", "name":
			p.Name = str(m.val)
		case "dimensionname", "dimension":
			p.Dimension = str(m.val)
			placed = done(m.val, final) != ""
		case "polarity":
			polarity = done(m.val, final)
		case "principlelevel", "level":
			p.Level = level(done(m.val, final))
		case "maincontent", "definition", "content", "description":
			p.Definition = str(m.val)
		case "reasonforchoosing", "reason":
			p.Reason = str(m.val)
		}
	}
	if p.Name == "" && key != "" && (n.closed || final) {
		p.Name = key
	}
	if placed || n.closed || final {
		p.Polarity = polarityOf(polarity, p)
	}
	return p, p.Name != "" || p.Definition != "" || p.Dimension != "" || p.Reason != ""
}

// polarityOf reads a polarity, or finds it by the dimension and the name. A text
// longer than any of these is not one: only its beginning is looked at.
func polarityOf(written string, p arena.Principle) string {
	if len(written) > longest {
		written = ""
	}
	switch w := strings.ToLower(strings.TrimSpace(written)); w {
	case principles.Negative, principles.Positive:
		return w
	}
	return principles.Polarity(beginning(p.Dimension), beginning(p.Name))
}

// level reads "sentence" or "session"; both or neither is "".
func level(text string) string {
	text = strings.ToLower(beginning(text))
	sentence := strings.Contains(text, "sentence") || strings.Contains(text, "句")
	session := strings.Contains(text, "session") || strings.Contains(text, "会话") || strings.Contains(text, "对话")
	switch {
	case sentence && !session:
		return "sentence"
	case session && !sentence:
		return "session"
	}
	return ""
}

// readComparisons reads a list of comparisons, or a map of them by name.
func readComparisons(n *node, final bool) (out []arena.Comparison) {
	add := func(key string, val *node) {
		if val == nil || val.kind != objectNode || len(out) == most {
			return
		}
		if c, ok := readComparison(key, val, final); ok {
			out = append(out, c)
		}
	}
	switch {
	case n == nil:
	case n.kind == arrayNode:
		for _, item := range n.items {
			add("", item)
		}
	case n.kind == objectNode && has(n, "winner", "comparisonreason"):
		add("", n)
	case n.kind == objectNode:
		for _, m := range n.members {
			add(m.key, m.val)
		}
	}
	return out
}

func readComparison(key string, n *node, final bool) (c arena.Comparison, ok bool) {
	return remembered(n, key, &n.memo().comparison, func() (arena.Comparison, bool) { return comparisonOf(key, n, final) })
}

func comparisonOf(key string, n *node, final bool) (c arena.Comparison, ok bool) {
	written := ""
	for _, m := range n.members {
		switch m.norm {
		case "principlename", "principle", "name":
			c.Name = done(m.val, final)
		case "cand1performance", "candidate1performance", "response1performance", "cand1", "candidate1":
			c.First = str(m.val)
		case "cand2performance", "candidate2performance", "response2performance", "cand2", "candidate2":
			c.Second = str(m.val)
		case "comparisonreason", "reason", "comparison", "reasoning":
			c.Reason = str(m.val)
			if m.val != nil && (m.val.closed || final) {
				c.Degree, _ = remembered(m.val, "", &m.val.memo().degree, func() (string, bool) { return degree(c.Reason), true })
			}
		case "winner", "betterresponse", "better":
			c.Winner, _ = choiceOf(m.val, final)
		case "degree":
			written = strings.ToLower(strings.TrimSpace(done(m.val, final)))
		}
	}
	if c.Name == "" && key != "" && (n.closed || final) {
		c.Name = key
	}
	switch written {
	case slight, clear, significant:
		c.Degree = written
	}
	if c.Winner == arena.Tie {
		c.Degree = ""
	}
	return c, c != arena.Comparison{}
}

// str is the text of a value as far as it is written.
func str(n *node) string {
	switch {
	case n == nil:
		return ""
	case n.kind == stringNode:
		return n.text.String()
	case n.kind == scalarNode:
		text := n.text.String()
		for _, nothing := range [...]string{"null", "none", "nil", "undefined", "nan"} {
			if strings.EqualFold(text, nothing) {
				return ""
			}
		}
		return text
	case n.kind == arrayNode:
		text, _ := remembered(n, "", &n.memo().joined, func() (string, bool) { return joined(n), true })
		return text
	}
	return ""
}

func joined(n *node) string {
	var parts []string
	for _, item := range n.items {
		if len(parts) == most {
			break
		}
		if item.kind == stringNode || item.kind == scalarNode {
			parts = append(parts, str(item))
		}
	}
	return strings.Join(parts, "; ")
}

// done is the text of a value once it is whole.
func done(n *node, final bool) string {
	if n == nil || !n.closed && !final {
		return ""
	}
	return str(n)
}

// choiceOf reads a label. One that was cut counts only in its exact spelling.
func choiceOf(n *node, final bool) (arena.Choice, bool) {
	if n == nil || n.kind != stringNode && n.kind != scalarNode || !n.closed && !final {
		return arena.NoChoice, false
	}
	c, exact := remembered(n, "", &n.memo().choice, func() (arena.Choice, bool) { return label(str(n)) })
	if !n.closed && !exact {
		return arena.NoChoice, false
	}
	return c, exact
}
