package rating

// Matrix tells who won how often against whom.
type Matrix struct {
	// Contestants are in the order of the board.
	Contestants []string `json:"contestants"`
	// Share is the row's share of the battles it won against the column, ties
	// of both kinds left out; null where neither won any.
	Share [][]*float64 `json:"share"`
	// Battles is the weight of all battles of the two, ties included.
	Battles [][]float64 `json:"battles"`
}

// matrix counts wins between the contestants named by order.
func (g *aggregate) matrix(names []string, order []int32) *Matrix {
	k := len(order)
	place := make([]int, len(names))
	m := &Matrix{}
	for i, c := range order {
		place[c] = i
		m.Contestants = append(m.Contestants, names[c])
		m.Share = append(m.Share, make([]*float64, k))
		m.Battles = append(m.Battles, make([]float64, k))
	}
	for i := range g.pairs {
		p := &g.pairs[i]
		a, b := place[p.a], place[p.b]
		m.Battles[a][b] = p.total()
		m.Battles[b][a] = p.total()
		if won, lost := p.sum[wonByA], p.sum[wonByB]; won+lost > 0 {
			x, y := won/(won+lost), lost/(won+lost)
			m.Share[a][b], m.Share[b][a] = &x, &y
		}
	}
	return m
}

// winRates returns each contestant's mean share of wins over its opponents, each
// opponent counted alike (FastChat's average win rate); nil where it has none.
func (g *aggregate) winRates(contestants int) []*float64 {
	sum, n := make([]float64, contestants), make([]float64, contestants)
	for i := range g.pairs {
		p := &g.pairs[i]
		won, lost := p.sum[wonByA], p.sum[wonByB]
		if won+lost == 0 {
			continue
		}
		sum[p.a] += won / (won + lost)
		sum[p.b] += lost / (won + lost)
		n[p.a]++
		n[p.b]++
	}
	rates := make([]*float64, contestants)
	for i := range rates {
		if n[i] > 0 {
			r := sum[i] / n[i]
			rates[i] = &r
		}
	}
	return rates
}

// mostSquare is the number of contestants up to which a matrix is made.
const mostSquare = 500
