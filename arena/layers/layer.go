// Package layers cuts a role-play reply into its layers while it streams, and
// writes layered replies back in each dialect.
//
// The grammar is that of the HER paper (arXiv 2601.21459): system thinking,
// role thinking, role action and speech. Native reasoning (<think> blocks and
// what a server sends apart from the content) is kept as a fifth layer that is
// none of the four.
package layers

import "fmt"

// Layer is the kind of a run of text within a reply.
type Layer uint8

// The layers of a reply, in the order of the design's table.
const (
	// System is third-person planning of the portrayal, seen by the operator alone.
	System Layer = iota
	// Native is the model's own reasoning, none of HER's layers.
	Native
	// Think is role thinking: the character's first-person thought.
	Think
	// Act is role action: what the character does, seen by all.
	Act
	// Speech is what the character says, seen by all.
	Speech
)

var names = [...]string{"system", "native", "think", "act", "speech"}

// String returns the layer's word in the command contract: system, native,
// think, act or speech.
func (l Layer) String() string {
	if int(l) < len(names) {
		return names[l]
	}
	return fmt.Sprintf("layer(%d)", uint8(l))
}

// MarshalText writes the layer as its word.
func (l Layer) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads a layer's word; an unknown word is an error.
func (l *Layer) UnmarshalText(text []byte) error {
	for i, name := range names {
		if name == string(text) {
			*l = Layer(i)
			return nil
		}
	}
	return fmt.Errorf("layers: unknown layer %q (want system, native, think, act or speech)", text)
}

// Visible reports whether the layer is part of what others in the scene
// perceive: role action and speech.
func (l Layer) Visible() bool { return l == Act || l == Speech }

// Segment is a run of text in one layer, in the order written. Text is trimmed
// of surrounding white space and holds no tags.
type Segment struct {
	Layer Layer  `json:"layer"`
	Text  string `json:"text"`
}

// Dialect is how a model writes layers.
type Dialect string

// The dialects; Auto asks the parser to find out from the reply itself.
const (
	Auto     Dialect = "auto"
	HER      Dialect = "her"      // <system_thinking>, <role_thinking>, <role_action>, bare speech
	CoSER    Dialect = "coser"    // [thought] (action) speech
	Asterisk Dialect = "asterisk" // *action* speech
	Plain    Dialect = "plain"    // speech only
)

// ParseDialect reads a dialect's word; an unknown word is an error that lists
// the known ones. The empty word is Auto.
func ParseDialect(word string) (Dialect, error) {
	switch d := Dialect(word); d {
	case "":
		return Auto, nil
	case Auto, HER, CoSER, Asterisk, Plain:
		return d, nil
	}
	return "", fmt.Errorf("unknown dialect %q (want auto, her, coser, asterisk or plain)", word)
}

// HasSpeech reports whether any segment holds words spoken or acted, that is,
// whether the reply has a visible part. A reply without one is invalid, not a loss.
func HasSpeech(segments []Segment) bool {
	for _, s := range segments {
		if s.Layer == Speech && s.Text != "" {
			return true
		}
	}
	return false
}

// Options tell a parser what is known of a reply before it arrives.
type Options struct {
	// Name is the character who replies; a leading "Name:" is removed once.
	Name string
	// Others are the further names in the scene, the person's included; a line
	// that begins with one of them and a colon counts as speaking for the other.
	Others []string
	// Prefill is what was sent as the beginning of the reply. A server may
	// repeat it or not: both give the same segments.
	Prefill string
	// Dialect is the dialect to expect; Auto (or empty) detects it.
	Dialect Dialect
}

// Edit is one change to the growing list of segments, as Apply carries it out.
type Edit struct {
	// Index is the segment the edit is about; at most the current length.
	Index int
	// Reset drops the segments from Index on before anything else, which
	// happens when later text shows that earlier text was of another layer.
	Reset bool
	// Layer and Text are appended: to segment Index where it exists, else as a
	// new segment. An Edit with Reset and an empty Text only drops.
	Layer Layer
	Text  string
}

// Apply carries out one edit on a list of segments and returns the new list.
func Apply(segments []Segment, e Edit) []Segment {
	if e.Reset && e.Index <= len(segments) {
		segments = segments[:e.Index]
		if e.Text == "" {
			return segments
		}
	}
	if e.Index < len(segments) {
		segments[e.Index].Text += e.Text
		return segments
	}
	return append(segments, Segment{Layer: e.Layer, Text: e.Text})
}
