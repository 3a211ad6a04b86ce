package endpoint

import (
	"bytes"
	"slices"
	"strings"

	"herarena/arena"
)

const endMark = "[DONE]"

// isEndMark takes the end mark in any case.
func isEndMark(b []byte) bool {
	return len(b) == len(endMark) && strings.EqualFold(string(b), endMark)
}

// ending is the finish reason of one choice.
type ending struct {
	index  int
	reason string
}

// decoder reads frames. Its fields hold what the last decoded value said and
// are overwritten by the next; content and reasoning are raw bytes, see joiner.
// Text of choices other than the first is dropped, their endings are not.
type decoder struct {
	content   []byte
	reasoning []byte
	endings   []ending
	usage     arena.Usage
	hasUsage  bool
	tokens    []arena.Token // with probabilities, of the first choice
	done      bool          // an end mark stood within the frame

	deltas bool   // text has come as deltas before
	field  string // name of the field the reasoning came in
}

// maxResync bounds how often a damaged frame is searched for a sound part.
const maxResync = 8

// decode reads every value in a frame, calls on after each, and returns how many
// damaged parts it had to leave out. Nothing of a damaged value is used.
func (d *decoder) decode(frame []byte, on func()) (damaged int) {
	c := cursor{b: frame}
	for c.next() != 0 {
		if hasPrefixFold(c.b[c.i:], "data:") {
			c.i += len("data:")
			continue
		}
		if rest := c.b[c.i:]; rest[0] == '[' && isEndMark(rest[:min(len(rest), len(endMark))]) {
			c.i += len(endMark)
			d.done = true
			continue
		}
		start := c.i
		d.reset()
		if d.value(&c) {
			on()
			continue
		}
		if damaged++; damaged > maxResync {
			break
		}
		next := resync(frame[start+1:])
		if next < 0 {
			break
		}
		c.i = start + 1 + next
	}
	d.reset()
	return damaged
}

// resync finds where the next value may begin behind a damaged one: at a data:
// in the middle of a line, or on a line of its own.
func resync(b []byte) int {
	for i := 0; i < len(b); {
		n := bytes.IndexAny(b[i:], "d\r")
		if n < 0 {
			return -1
		}
		i += n
		width := 1
		if bytes.HasPrefix(b[i:], []byte("data:")) {
			width = len("data:")
		} else if b[i] != '\r' {
			i++
			continue
		}
		if rest := bytes.TrimLeft(b[i+width:], " \t"); len(rest) > 0 && rest[0] == '{' {
			return len(b) - len(rest)
		}
		i += width
	}
	return -1
}

func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && (b[0]|0x20) == prefix[0] && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

func (d *decoder) reset() {
	d.content, d.reasoning, d.endings = d.content[:0], d.reasoning[:0], d.endings[:0]
	d.hasUsage, d.tokens = false, d.tokens[:0]
}

func (d *decoder) value(c *cursor) bool {
	switch c.next() {
	case '{':
		return d.chunk(c)
	case '[':
		return c.elements(func() bool {
			if c.next() == '{' {
				return d.chunk(c)
			}
			return c.skip()
		})
	}
	_, ok := c.literal()
	return ok
}

// chunk reads one streamed object: OpenAI's, or what Ollama's own API sends.
func (d *decoder) chunk(c *cursor) bool {
	var native native
	ok := c.members(func(key []byte) bool {
		switch string(key) {
		case "choices":
			if c.next() != '[' {
				return c.skip()
			}
			return c.elements(func() bool { return d.choice(c) })
		case "usage":
			return d.counts(c)
		case "x_groq":
			if c.next() != '{' {
				return c.skip()
			}
			return c.members(func(key []byte) bool {
				if string(key) == "usage" {
					return d.counts(c)
				}
				return c.skip()
			})
		}
		return native.member(c, string(key))
	})
	if ok && native.seen() {
		d.native(c.b, native)
	}
	return ok
}

// choice reads one element of choices.
func (d *decoder) choice(c *cursor) bool {
	if c.next() != '{' {
		return c.skip()
	}
	var (
		content, reasoning = len(d.content), len(d.reasoning)
		index              float64
		reason             []byte
		message            int
		hadDelta           bool
	)
	ok := c.members(func(key []byte) (ok bool) {
		switch string(key) {
		case "index":
			index, _, ok = c.number()
			return ok
		case "delta":
			if c.next() != '{' {
				return c.skip()
			}
			hadDelta = true
			return d.delta(c)
		case "message":
			c.space()
			message = c.i
		case "text":
			d.content, ok = c.text(d.content)
			return ok
		case "finish_reason":
			reason, ok = c.text(reason)
			return ok
		case "usage":
			return d.counts(c)
		case "logprobs":
			return d.readOdds(c)
		}
		return c.skip()
	})
	if !ok {
		return false
	}
	switch {
	case index != 0:
		d.tokens = d.tokens[:0]
		d.content, d.reasoning = d.content[:content], d.reasoning[:reasoning]
	case hadDelta:
		d.deltas = d.deltas || len(d.content) > content || len(d.reasoning) > reasoning
	case message > 0 && !d.deltas:
		// A last frame may repeat the whole message behind the deltas.
		at := cursor{b: c.b, i: message}
		if at.next() == '{' {
			d.delta(&at)
		}
	}
	if isReason(reason) {
		d.endings = append(d.endings, ending{clampInt(index), reasonWord(reason)})
	}
	return true
}

// isReason tells a finish reason from the words that some servers write for none.
func isReason(b []byte) bool {
	return len(b) > 0 && !strings.EqualFold(string(b), "null") && !strings.EqualFold(string(b), "none")
}

func reasonWord(b []byte) string {
	switch string(b) {
	case arena.FinishStop:
		return arena.FinishStop
	case arena.FinishLength:
		return arena.FinishLength
	}
	return strings.ToValidUTF8(string(b[:min(len(b), 64)]), "\uFFFD")
}

// delta reads the text of a delta or a message. Where one frame has the same
// reasoning under several names, it is taken once.
func (d *decoder) delta(c *cursor) bool {
	var at [4]int
	refusal, before := 0, len(d.content)
	ok := c.members(func(key []byte) (ok bool) {
		c.space()
		switch string(key) {
		case "content", "text":
			// A key that comes twice counts once, the last time.
			d.content = d.content[:before]
			if c.next() == '"' {
				d.content, ok = c.text(d.content)
				return ok
			}
			return d.parts(c)
		case "reasoning_content":
			at[0] = c.i
		case "reasoning":
			at[1] = c.i
		case "thinking":
			at[2] = c.i
		case "reasoning_details":
			at[3] = c.i
		case "refusal":
			refusal = c.i
		}
		return c.skip()
	})
	if !ok {
		return false
	}
	for i, field := range [...]string{"reasoning_content", "reasoning", "thinking", "reasoning_details"} {
		if at[i] > 0 && d.think(c.b, at[i], field) {
			break
		}
	}
	if refusal > 0 && len(d.content) == before {
		d.content, _ = (&cursor{b: c.b, i: refusal}).text(d.content)
	}
	return true
}

// think takes the text at i of b as reasoning and reports whether there was any.
func (d *decoder) think(b []byte, i int, field string) bool {
	before := len(d.reasoning)
	d.reasoning, _ = gather(&cursor{b: b, i: i}, d.reasoning, 4)
	if len(d.reasoning) == before {
		return false
	}
	d.field = field
	return true
}

// parts reads content that is a list of typed parts: thinking goes to the
// reasoning, all else to the content.
func (d *decoder) parts(c *cursor) bool {
	if c.next() != '[' {
		return c.skip()
	}
	return c.elements(func() bool {
		c.space()
		start := c.i
		thinking := false
		if c.next() == '{' {
			peek := *c
			peek.members(func(key []byte) bool {
				if string(key) == "thinking" {
					thinking = true
				}
				if string(key) == "type" && peek.next() == '"' {
					word, ok := peek.quoted()
					thinking = thinking || bytes.Contains(word, []byte("think")) || bytes.Contains(word, []byte("reason"))
					return ok
				}
				return peek.skip()
			})
		}
		if thinking {
			d.think(c.b, start, "content")
		} else {
			d.content, _ = gather(&cursor{b: c.b, i: start}, d.content, 4)
		}
		return c.skip()
	})
}

// gather appends the text of a value that is a string, or holds strings at the
// usual places of parts, at most depth levels down.
func gather(c *cursor, dst []byte, depth int) ([]byte, bool) {
	ok := true
	switch next := c.next(); {
	case next == '"':
		return c.text(dst)
	case next == '[' && depth > 0:
		ok = c.elements(func() (ok bool) {
			dst, ok = gather(c, dst, depth-1)
			return ok
		})
		return dst, ok
	case next == '{' && depth > 0:
		ok = c.members(func(key []byte) (ok bool) {
			switch string(key) {
			case "text", "thinking", "content", "summary", "reasoning":
				dst, ok = gather(c, dst, depth-1)
				return ok
			}
			return c.skip()
		})
		return dst, ok
	}
	return dst, c.skip()
}

// finishes joins the endings of all choices in the order of their index, each
// choice once: "stop", or "stop,length" where two choices were asked for.
func finishes(endings []ending) string {
	byIndex := slices.Clone(endings)
	slices.SortStableFunc(byIndex, func(a, b ending) int { return a.index - b.index })
	byIndex = slices.CompactFunc(byIndex, func(a, b ending) bool { return a.index == b.index })
	words := make([]string, len(byIndex))
	for i, e := range byIndex {
		words[i] = e.reason
	}
	return strings.Join(words, ",")
}
