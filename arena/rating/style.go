package rating

import (
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

// styleForm is one of the two peers' forms of the same control.
type styleForm struct {
	more           float64 // added to the sum of both sides (FastChat 1, arena-rank 0)
	reweighted     bool    // 1/max(battles of the pair, 50), divided by its mean (arena-rank)
	abilitiesRidge float64 // on θ, by the sum of losses
	featuresRidge  float64 // on β, by the sum of losses, or by the mean where meanLoss is set
	meanLoss       bool
}

// boardStyle is arena-rank's form with all battles of one weight and a far
// weaker ridge: its 1.0 shrinks a coefficient to a seventh, and a board that
// says style is held equal must hold it equal. H has the ridge, as the loss
// does.
var boardStyle = styleForm{meanLoss: true, featuresRidge: 1e-4}
