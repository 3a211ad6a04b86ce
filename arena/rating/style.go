package rating

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"herarena/arena/layers"
)

// Style is what a reply looks like, apart from what it says.
type Style struct {
	Length  float64 // what the person reads: letters of action and speech, or a file's count
	Action  float64 // share of action in that, 0 to 1
	Thought float64 // letters of role thinking
	Headers float64 // Markdown headers, list items and bold runs
	Lists   float64
	Bold    float64
}

var styleNames = [...]string{"length", "action", "thought", "headers", "lists", "bold"}

const styles = len(styleNames)

func (s Style) values() [styles]float64 {
	return [styles]float64{s.Length, s.Action, s.Thought, s.Headers, s.Lists, s.Bold}
}

// StyleOf measures a reply. Letters are counted, not words or tokens, so that
// all languages and models are measured alike; spaces do not count.
func StyleOf(segments []layers.Segment) Style {
	var s Style
	acted := 0.0
	for _, g := range segments {
		n := letters(g.Text)
		switch g.Layer {
		case layers.Act:
			acted += n
			s.Length += n
		case layers.Speech:
			s.Length += n
		case layers.Think:
			s.Thought += n
		}
		if g.Layer.Visible() {
			s.mark(g.Text)
		}
	}
	if s.Length > 0 {
		s.Action = acted / s.Length
	}
	return s
}

func letters(text string) (n float64) {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// mark counts Markdown outside of code blocks, by the rules of FastChat's
// add_markdown_info: a header is # to ###### and a space, an item -, * or + or a
// number with a point and a space, bold is **so** or __so__ within a line.
func (s *Style) mark(text string) {
	fenced := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			continue
		}
		if n := len(line) - len(strings.TrimLeft(line, "#")); n >= 1 && n <= 6 && spaceAt(line, n) {
			s.Headers++
		}
		digits := len(trimmed) - len(strings.TrimLeft(trimmed, "0123456789"))
		if digits > 0 && strings.HasPrefix(trimmed[digits:], ".") && spaceAt(trimmed, digits+1) ||
			trimmed != "" && strings.ContainsRune("-*+", rune(trimmed[0])) && spaceAt(trimmed, 1) {
			s.Lists++
		}
		s.Bold += bold(trimmed, "**") + bold(trimmed, "__")
	}
}

func spaceAt(s string, at int) bool {
	return at < len(s) && strings.ContainsRune(" \t\n\r", rune(s[at]))
}

func bold(line, mark string) (n float64) {
	for {
		_, after, ok := strings.Cut(line, mark)
		if !ok {
			return n
		}
		inner, rest, ok := strings.Cut(after, mark)
		if !ok {
			return n
		}
		if inner == "" || strings.Contains(inner, mark[:1]) {
			line = after
			continue
		}
		n++
		line = rest
	}
}

// styleRows keeps battles one by one with the style of both replies.
type styleRows struct {
	battles []styled
	missing float64 // battles without
}

type styled struct {
	indexedBattle
	side [2][styles]float32
}

func (r *styleRows) add(b indexedBattle, about *About) {
	if about == nil || !about.Styled {
		r.missing++
		return
	}
	s := styled{indexedBattle: b}
	for i := range s.side {
		for j, v := range about.Style[i].values() {
			if !(v >= 0 && v < 1<<30) {
				r.missing++
				return
			}
			s.side[i][j] = float32(v)
		}
	}
	r.battles = append(r.battles, s)
}

// features returns, for each battle, the differences of style that vary at all,
// as z-scores: (a−b)/(a+b+more), 0 where that has no value.
func (r *styleRows) features(more float64) (names []string, rows [][]float64) {
	n := float64(len(r.battles))
	var columns [][]float64
	for j := range styles {
		column := make([]float64, len(r.battles))
		sum := 0.0
		for i := range r.battles {
			a, b := float64(r.battles[i].side[0][j]), float64(r.battles[i].side[1][j])
			if d := a + b + more; d > 0 {
				column[i] = (a - b) / d
			}
			sum += column[i]
		}
		mean, square := sum/n, 0.0
		for _, v := range column {
			square += (v - mean) * (v - mean)
		}
		sd := math.Sqrt(square / n)
		if !(sd > 1e-9) {
			continue
		}
		for i, v := range column {
			column[i] = (v - mean) / sd
		}
		names, columns = append(names, styleNames[j]), append(columns, column)
	}
	rows = make([][]float64, len(r.battles))
	flat := make([]float64, len(rows)*len(columns))
	for i := range rows {
		row := flat[i*len(columns) : (i+1)*len(columns)]
		for j := range columns {
			row[j] = columns[j][i]
		}
		rows[i] = row
	}
	return names, rows
}

// styleForm is one of the two peers' forms of the same control.
type styleForm struct {
	more           float64 // added to the sum of both sides (FastChat 1, arena-rank 0)
	reweighted     bool    // 1/max(battles of the pair, 50), divided by its mean (arena-rank)
	abilitiesRidge float64 // on θ, by the sum of losses
	featuresRidge  float64 // on β, by the sum of losses, or by the mean where meanLoss is set
	meanLoss       bool
}

// control fits the battles with their style held equal.
func (r *styleRows) control(groups []*group, k int, pairCounts map[[2]int32]float64, f styleForm) (c *context, names []string) {
	names, features := r.features(f.more)
	c = &context{groups: groups, k: k, f: len(names), abilitiesRidge: f.abilitiesRidge, featuresRidge: f.featuresRidge}
	c.rows = make([]contextRow, 0, len(r.battles))
	total := 0.0
	for i := range r.battles {
		b := &r.battles[i]
		w := b.weight
		if f.reweighted {
			w /= max(pairCounts[[2]int32{min(b.a, b.b), max(b.a, b.b)}], leastReweighted)
		}
		total += w
		c.rows = append(c.rows, contextRow{a: b.a, b: b.b, y: b.outcome.score(), weight: w, features: features[i]})
	}
	scale := 1.0
	if f.reweighted && total > 0 {
		scale = float64(len(c.rows)) / total
	}
	for i := range c.rows {
		w := c.rows[i].weight * scale
		c.rows[i].weight, c.rows[i].square = w, w*w
	}
	if f.meanLoss {
		c.featuresRidge *= float64(len(c.rows))
	}
	return c, names
}

// boardStyle is arena-rank's form with all battles of one weight and a far
// weaker ridge: its 1.0 shrinks a coefficient to a seventh, and a board that
// says style is held equal must hold it equal. H has the ridge, as the loss
// does.
var boardStyle = styleForm{meanLoss: true, featuresRidge: 1e-4}

// counts returns the battles of each pair.
func (r *styleRows) counts() map[[2]int32]float64 {
	n := make(map[[2]int32]float64)
	for i := range r.battles {
		b := &r.battles[i]
		n[[2]int32{min(b.a, b.b), max(b.a, b.b)}]++
	}
	return n
}

// restyle replaces the solution by one with style held equal and returns what
// each feature is worth; warning says why it could not.
func (r *styleRows) restyle(s *solution) (effects []Effect, warning string) {
	k := len(s.theta)
	switch {
	case len(r.battles) == 0:
		return nil, "Style is not held equal: no battle has the length, action, thought or Markdown of both replies."
	case k > denseFit:
		return nil, "Style is not held equal: there are too many contestants for it."
	}
	part := newAggregate()
	for i := range r.battles {
		part.add(r.battles[i].indexedBattle)
	}
	b := part.alone(k, false)
	groups := b.split(b.pairs)
	c, names := r.control(groups, k, r.counts(), boardStyle)
	if len(names) == 0 {
		return nil, "Style is not held equal: both replies were alike in all of it."
	}
	theta, beta, converged := c.fit()
	sd := c.spread(theta, beta, 0, c.featuresRidge, 1/float64(len(c.rows)))
	if !converged || sd == nil {
		return nil, "Style is not held equal: the fit did not settle."
	}
	s.groups, s.theta = groups, slices.Clone(theta)
	for i := range theta {
		half := s.z * sd[i]
		if s.silent[i] {
			// What no battle has shown without style, none has shown with it.
			half = max(half, (s.high[i]-s.low[i])/2)
		}
		s.low[i], s.high[i] = theta[i]-half, theta[i]+half
	}
	for i, name := range names {
		effects = append(effects, effect(name, beta[i], sd[k+i], s.z))
	}
	return effects, ""
}
