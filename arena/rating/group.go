package rating

import "slices"

// group is a set of contestants linked by battles, the unit of a fit: between
// two groups nothing can be compared.
type group struct {
	members []int32 // contestant numbers, ascending
	pairs   []pair  // a and b are positions in members
	// prior holds, by pair, the weight of the ties added to keep the maximum
	// finite; all zero where the data themselves suffice.
	prior []float64
	// ridge pulls abilities to 0, by ½·ridge·θ² each; 0 but for composites.
	ridge float64
	// pulled is set where the ridge was asked for and stands in for the prior.
	pulled bool
	// start holds abilities to begin the fit at, by member; nil begins at 0.
	start []float64
	// startModel and startTie are the tie model whose fit start comes from, and its
	// parameter.
	startModel Model
	startTie   float64
	top        *tieSlopes // at the maximum of a tie model, nil where it is not at hand
	// epsilon is what the sandwich adds to H's diagonal.
	epsilon float64
	// class holds, by member, its class: within a class points went both ways
	// round, between two classes only one way. One class means that a finite
	// maximum of the likelihood exists (Ford 1957).
	class   []int
	classes int
}

// split finds the groups of the contestants, largest first, and prepares each
// for the fit. Contestants without a battle form groups of their own.
func split(contestants int, pairs []pair) []*group {
	parent := make([]int32, contestants)
	for i := range parent {
		parent[i] = int32(i)
	}
	root := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, p := range pairs {
		if x, y := root(p.a), root(p.b); x != y {
			parent[max(x, y)] = min(x, y)
		}
	}
	var groups []*group
	of := make(map[int32]*group)
	position := make([]int32, contestants)
	for i := range parent {
		r := root(int32(i))
		g, ok := of[r]
		if !ok {
			g = &group{}
			of[r] = g
			groups = append(groups, g)
		}
		position[i] = int32(len(g.members))
		g.members = append(g.members, int32(i))
	}
	for _, p := range pairs {
		g := of[root(p.a)]
		p.a, p.b = position[p.a], position[p.b]
		g.pairs = append(g.pairs, p)
	}
	for _, g := range groups {
		g.classify()
		g.addPrior()
	}
	for _, g := range groups {
		for i := range g.pairs {
			g.epsilon += 1e-5 * g.pairs[i].total()
		}
	}
	slices.SortStableFunc(groups, func(x, y *group) int { return len(y.members) - len(x.members) })
	return groups
}

// addPrior makes the maximum of the likelihood finite. Between two classes one
// side took every point, so that their distance would grow without end; each
// two classes that met get one tie more, spread over their pairs by weight.
// That is the half win and half loss of Haldane (1956) and Anscombe (1956) for
// the log odds, and it leaves all other pairs as they are.
func (g *group) addPrior() {
	g.prior = make([]float64, len(g.pairs))
	if g.classes == 1 {
		return
	}
	between := func(p pair) [2]int {
		x, y := g.class[p.a], g.class[p.b]
		return [2]int{min(x, y), max(x, y)}
	}
	sum := make(map[[2]int]float64)
	for _, p := range g.pairs {
		sum[between(p)] += p.total()
	}
	for i, p := range g.pairs {
		if k := between(p); k[0] != k[1] {
			g.prior[i] = p.total() / sum[k]
		}
	}
}

// classify finds the strongly connected components of the graph in which an
// edge leads from each contestant to all those it took points from (Kosaraju's
// two passes, with a stack of its own so that a long chain cannot exhaust the
// program's).
func (g *group) classify() {
	n := len(g.members)
	if n <= denseFit && newReach(n).all(g.pairs, true) {
		g.class, g.classes = make([]int, n), 1
		return
	}
	took, gave := make([][]int32, n), make([][]int32, n)
	edge := func(from, to int32) {
		took[from] = append(took[from], to)
		gave[to] = append(gave[to], from)
	}
	for _, p := range g.pairs {
		if p.square[wonByA] > 0 || p.square[shared] > 0 {
			edge(p.a, p.b)
		}
		if p.square[wonByB] > 0 || p.square[shared] > 0 {
			edge(p.b, p.a)
		}
	}
	seen := make([]bool, n)
	order := make([]int32, 0, n)
	for i := range n {
		order = finish(int32(i), took, seen, order)
	}
	g.class = make([]int, n)
	clear(seen)
	for _, i := range slices.Backward(order) {
		if seen[i] {
			continue
		}
		for _, j := range finish(i, gave, seen, nil) {
			g.class[j] = g.classes
		}
		g.classes++
	}
}

// finish walks from start over unseen nodes and appends them in the order in
// which they are done with.
func finish(start int32, edges [][]int32, seen []bool, order []int32) []int32 {
	if seen[start] {
		return order
	}
	type visit struct {
		node int32
		next int
	}
	seen[start] = true
	stack := []visit{{node: start}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(edges[top.node]) {
			order = append(order, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		to := edges[top.node][top.next]
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{node: to})
		}
	}
	return order
}

// mainClass returns the class with most members, the first of equals.
func (g *group) mainClass() int {
	size := make([]int, g.classes)
	for _, c := range g.class {
		size[c]++
	}
	largest := 0
	for c, n := range size {
		if n > size[largest] {
			largest = c
		}
	}
	return largest
}
