package pane

// heights is the index of block heights: a Fenwick tree, so that setting one
// height and summing those before a block both take O(log n).
type heights struct {
	tree   []int // 1-based partial sums
	values []int
	sum    int
}

// defaultGuess is the height assumed for a block before any was drawn.
const defaultGuess = 4

func (x *heights) reset() { x.tree, x.values, x.sum = x.tree[:0], x.values[:0], 0 }

// push appends a height.
func (x *heights) push(h int) {
	if len(x.tree) == 0 {
		x.tree = append(x.tree, 0)
	}
	x.values = append(x.values, h)
	x.sum += h
	i := len(x.values)
	part := h
	for j := 1; j < i&-i; j <<= 1 {
		part += x.tree[i-j]
	}
	x.tree = append(x.tree, part)
}

// set changes the height of block i.
func (x *heights) set(i, h int) {
	d := h - x.values[i]
	if d == 0 {
		return
	}
	x.values[i] = h
	x.sum += d
	for j := i + 1; j < len(x.tree); j += j & -j {
		x.tree[j] += d
	}
}

// before returns the rows of the blocks before i.
func (x *heights) before(i int) int {
	n := 0
	for ; i > 0; i -= i & -i {
		n += x.tree[i]
	}
	return n
}

// guess returns the mean height, for a block not drawn yet.
func (x *heights) guess() int {
	if len(x.values) == 0 {
		return defaultGuess
	}
	return max(x.sum/len(x.values), 1)
}
