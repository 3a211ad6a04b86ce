package verdict

import "herarena/arena"

// known is what has been read out of a node. It is kept once the node is closed,
// so that each look at a growing verdict reads only what is still growing.
type known struct {
	principle  memo[arena.Principle]
	comparison memo[arena.Comparison]
	choice     memo[arena.Choice]
	degree     memo[string]
	joined     memo[string]
}

type memo[T any] struct {
	made  bool
	key   string
	value T
	ok    bool
}

func (n *node) memo() *known {
	if n.known == nil {
		n.known = &known{}
	}
	return n.known
}

// remembered returns what read returns and, for a closed node, reads it once for
// each key it is found under.
func remembered[T any](n *node, key string, m *memo[T], read func() (T, bool)) (T, bool) {
	if m.made && m.key == key {
		return m.value, m.ok
	}
	value, ok := read()
	if n.closed {
		*m = memo[T]{made: true, key: key, value: value, ok: ok}
	}
	return value, ok
}
