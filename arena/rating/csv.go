package rating

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// ReadCSV reads battles from a table with the columns model_a, model_b and
// winner (model_a, model_b, tie, "tie (bothbad)" or both_bad), in any order;
// where winner is missing, the columns winner_model_a, winner_model_b and
// winner_tie of the 55k set serve (0 or 1). A column weight is heeded. Other
// columns are skipped. A row that cannot be read is an *InputError.
func ReadCSV(r io.Reader) ([]Battle, error) {
	return collected(func(add func(Battle)) error {
		_, err := eachCSV(r, ReadOptions{}, add)
		return err
	})
}

func collected(each func(add func(Battle)) error) ([]Battle, error) {
	var battles []Battle
	if err := each(func(b Battle) { battles = append(battles, b) }); err != nil {
		return nil, err
	}
	return battles, nil
}

func eachCSV(r io.Reader, o ReadOptions, add func(Battle)) (Found, error) {
	t := newTable(r)
	if !t.next() {
		if t.err != nil {
			return Found{}, t.err
		}
		return Found{}, &InputError{Line: 1, Reason: "the file is empty; expected a header with model_a, model_b and winner"}
	}
	header := make([]string, len(t.fields))
	for i := range header {
		header[i] = string(t.field(i))
	}
	c, err := findColumns(header, o)
	if err != nil {
		return Found{}, err
	}
	if o == (ReadOptions{Sources: true}) && c.about.source < 0 {
		return Found{}, nil
	}
	t.want, t.needed = len(header), c.needed()
	names := make(intern)
	for t.next() {
		b, bad, why := c.battle(t, names)
		if why != "" {
			line, column := t.place(bad)
			return Found{}, &InputError{Line: line, Column: column, Field: c.label(bad, header), Reason: why}
		}
		add(b)
	}
	return c.found(o), t.err
}

// columns holds the positions of the columns in use, -1 where missing.
type columns struct {
	a, b, winner      int
	wonA, wonB, drawn int
	weight            int
	about             about
	style             [2][styles]int
	describe          bool  // about or style is asked for and there
	told              About // reused from row to row
}

// about holds the positions of what a battle can be about.
type about struct{ dimension, character, scene, language, turn, voter, at, ab, ba, source int }

// styleColumns are the names a column of style may have before _a and _b, in the
// order of styleNames.
var styleColumns = [styles][]string{
	{"len", "length", "sum_assistant_tokens"},
	{"action", "action_share"},
	{"thought", "thought_len"},
	{"header", "headers", "header_count"},
	{"list", "lists", "list_count"},
	{"bold", "bold_count"},
}

func findColumns(header []string, o ReadOptions) (*columns, error) {
	seen := make(map[string]int, len(header))
	for i, h := range header {
		h = strings.ToLower(strings.TrimSpace(h))
		if _, twice := seen[h]; !twice {
			seen[h] = i
		}
	}
	at := func(names ...string) int {
		for _, name := range names {
			if i, ok := seen[name]; ok {
				return i
			}
		}
		return -1
	}
	c := &columns{
		a: at("model_a"), b: at("model_b"), winner: at("winner"), weight: at("weight"),
		wonA: at("winner_model_a"), wonB: at("winner_model_b"), drawn: at("winner_tie"),
		about: about{
			dimension: at("dimension", "category"), character: at("character"), scene: at("scene", "scene_id"),
			language: at("language"), turn: at("turn"), voter: -1, at: -1, ab: -1, ba: -1, source: -1,
		},
	}
	for i, names := range styleColumns {
		for side, suffix := range []string{"_a", "_b"} {
			c.style[side][i] = -1
			for _, name := range names {
				if p := at(name + suffix); p >= 0 && o.Style {
					c.style[side][i] = p
					break
				}
			}
		}
		if c.style[0][i] < 0 || c.style[1][i] < 0 {
			c.style[0][i], c.style[1][i] = -1, -1
		}
	}
	if o.Who {
		c.about.voter, c.about.at = at("judge", "voter"), at("tstamp", "timestamp")
	}
	if o.Orders {
		c.about.ab, c.about.ba = at("judge_ab"), at("judge_ba")
	}
	if o.Sources {
		c.about.source = at("source")
	}
	c.describe = o.describe()
	return c, c.missing(header, o)
}

// missing tells which columns are not there.
func (c *columns) missing(header []string, o ReadOptions) error {
	var missing []string
	if c.a < 0 {
		missing = append(missing, "model_a")
	}
	if c.b < 0 {
		missing = append(missing, "model_b")
	}
	if c.winner < 0 && (c.wonA < 0 || c.wonB < 0 || c.drawn < 0) {
		missing = append(missing, "winner")
	}
	if o.By != "" && c.by(o.By) < 0 {
		missing = append(missing, string(o.By))
	}
	if o.Style && !c.styled() {
		missing = append(missing, "len_a and len_b (nor another pair of style)")
	}
	if len(missing) == 0 {
		return nil
	}
	found := slices.Clone(header)
	for i := range found {
		found[i] = clip(found[i])
	}
	return &InputError{Line: 1, Reason: fmt.Sprintf("the header has no column %s; its columns are %s",
		strings.Join(missing, ", "), some(found, 12))}
}

func (c *columns) styled() bool {
	return slices.ContainsFunc(c.style[0][:], func(p int) bool { return p >= 0 })
}

func (c *columns) by(b By) int {
	switch b {
	case ByDimension:
		return c.about.dimension
	case ByCharacter:
		return c.about.character
	case ByScene:
		return c.about.scene
	case ByLanguage:
		return c.about.language
	case ByTurn:
		return c.about.turn
	}
	return -1
}

// needed is how many columns from the left hold all that is asked for.
func (c *columns) needed() int {
	last := max(c.a, c.b, c.winner, c.wonA, c.wonB, c.drawn, c.weight)
	if c.describe {
		last = max(last, c.about.dimension, c.about.character, c.about.scene, c.about.language, c.about.turn,
			c.about.voter, c.about.at, c.about.ab, c.about.ba, c.about.source)
		for _, side := range c.style {
			last = max(last, slices.Max(side[:]))
		}
	}
	return last + 1
}

func (c *columns) found(o ReadOptions) Found {
	return Found{Weighted: c.weight >= 0, Styled: o.Style && c.styled()}
}

// label names the column at a position.
func (c *columns) label(at int, header []string) string {
	switch at {
	case c.a:
		return "model_a"
	case c.b:
		return "model_b"
	case c.winner:
		return "winner"
	case c.wonA:
		if c.winner < 0 {
			return "winner_model_a, winner_model_b, winner_tie"
		}
	}
	return clip(strings.TrimSpace(header[at]))
}

// battle reads one record; why is "" where it could, else bad is the position
// of the field at fault.
func (c *columns) battle(t *table, names intern) (b Battle, bad int, why string) {
	a := names.name(bytes.TrimSpace(t.field(c.a)))
	z := names.name(bytes.TrimSpace(t.field(c.b)))
	if a == "" {
		return b, c.a, "a model without a name"
	}
	if z == "" {
		return b, c.b, "a model without a name"
	}
	b = Battle{A: a, B: z, Weight: 1}
	if c.winner >= 0 {
		outcome, ok := parseOutcome(t.field(c.winner))
		if !ok {
			return b, c.winner, badWinner(string(t.field(c.winner)))
		}
		b.Outcome = outcome
	} else if b.Outcome = c.oneOfThree(t); b.Outcome == 0 {
		return b, c.wonA, "exactly one of winner_model_a, winner_model_b and winner_tie must be 1, the others 0"
	}
	if c.weight >= 0 {
		w, ok := parseNumber(bytes.TrimSpace(t.field(c.weight)))
		if !ok || w < 0 {
			return b, c.weight, fmt.Sprintf("%q is no weight; write a number from 1e-6 to 1e6", clip(string(t.field(c.weight))))
		}
		if b.Weight = w; w == 0 {
			// 0 stands for 1 in a Battle, but not in a file.
			b.Weight = -1
		}
	}
	if c.describe {
		if bad, why = c.tell(t, names); why != "" {
			return b, bad, why
		}
		b.About = &c.told
	}
	return b, 0, ""
}

func (c *columns) oneOfThree(t *table) Outcome {
	switch a, b, drawn := string(t.field(c.wonA)), string(t.field(c.wonB)), string(t.field(c.drawn)); {
	case a == "1" && b == "0" && drawn == "0":
		return Win
	case a == "0" && b == "1" && drawn == "0":
		return Loss
	case a == "0" && b == "0" && drawn == "1":
		return Tie
	}
	return 0
}

// tell fills what the battle is about.
func (c *columns) tell(t *table, names intern) (bad int, why string) {
	text := func(at int) string {
		if at < 0 {
			return ""
		}
		return names.name(bytes.TrimSpace(t.field(at)))
	}
	c.told = About{
		Dimension: text(c.about.dimension), Character: text(c.about.character),
		Scene: text(c.about.scene), Language: text(c.about.language), Source: text(c.about.source),
	}
	if c.about.turn >= 0 {
		if n, ok := parseNumber(bytes.TrimSpace(t.field(c.about.turn))); ok && n >= 1 && n < 1e6 {
			c.told.Turn = int(n)
		}
	}
	if c.about.voter >= 0 || c.about.at >= 0 || c.about.ab >= 0 {
		if bad, why = c.tellWho(t, text(c.about.voter)); why != "" {
			return bad, why
		}
	}
	for side := range c.style {
		var v [styles]float64
		for i, at := range c.style[side] {
			if at < 0 {
				continue
			}
			n, ok := parseNumber(bytes.TrimSpace(t.field(at)))
			if !ok || n < 0 {
				return at, fmt.Sprintf("%q is no measure of style; write a number from 0", clip(string(t.field(at))))
			}
			v[i] = n
			c.told.Styled = true
		}
		c.told.Style[side] = Style{v[0], v[1], v[2], v[3], v[4], v[5]}
	}
	return 0, ""
}

// tellWho fills who voted and when, and what a critic said.
func (c *columns) tellWho(t *table, voter string) (bad int, why string) {
	c.told.Voter = voter
	if at := c.about.at; at >= 0 {
		if n, ok := parseNumber(bytes.TrimSpace(t.field(at))); ok {
			c.told.At = stamp(n)
		}
	}
	for order, at := range []int{c.about.ab, c.about.ba} {
		if at < 0 || len(bytes.TrimSpace(t.field(at))) == 0 {
			continue
		}
		o, ok := parseOutcome(t.field(at))
		if !ok {
			return at, badWinner(string(t.field(at)))
		}
		c.told.Orders[order] = o
	}
	return 0, ""
}

// stamp turns seconds since 1970, or thousandths, into a time.
func stamp(n float64) time.Time {
	switch {
	case !(n > 0) || n > 1e15:
		return time.Time{}
	case n > 1e11:
		n /= 1000
	}
	whole, rest := math.Modf(n)
	return time.Unix(int64(whole), int64(rest*1e9))
}
