package endpoint

import (
	"strings"

	"herarena/arena"
)

const (
	// topOdds is how many rivals of each token are asked for.
	topOdds = 8
	// keptTokens is how many of the last tokens are kept.
	keptTokens = 96
)

// oddsOf reports whether a kind of server may give token probabilities. Ollama,
// MiniMax and TGI's chat refuse or ignore the request.
func oddsOf(kind string) bool {
	switch kind {
	case KindMiniMax, KindMistral:
		return false
	}
	return true
}

// readOdds reads logprobs of one choice, {"content":[{"token","logprob",
// "top_logprobs":[{"token","logprob"}]}]}, and keeps the last tokens.
func (d *decoder) readOdds(c *cursor) bool {
	if c.next() != '{' {
		return c.skip()
	}
	return c.members(func(key []byte) bool {
		if string(key) != "content" || c.next() != '[' {
			return c.skip()
		}
		return c.elements(func() bool {
			if c.next() != '{' {
				return c.skip()
			}
			t, ok := readToken(c)
			if ok {
				d.tokens = append(d.tokens, t)
			}
			return ok
		})
	})
}

func readToken(c *cursor) (t arena.Token, ok bool) {
	ok = c.members(func(key []byte) (ok bool) {
		switch string(key) {
		case "token":
			t.Text, ok = tokenText(c)
			return ok
		case "logprob":
			t.LogProb, _, ok = c.number()
			return ok
		case "top_logprobs":
			if c.next() != '[' {
				return c.skip()
			}
			return c.elements(func() bool {
				if c.next() != '{' {
					return c.skip()
				}
				var o arena.TokenOdds
				ok := c.members(func(key []byte) (ok bool) {
					switch string(key) {
					case "token":
						o.Text, ok = tokenText(c)
						return ok
					case "logprob":
						o.LogProb, _, ok = c.number()
						return ok
					}
					return c.skip()
				})
				if ok && len(t.Top) < 2*topOdds {
					t.Top = append(t.Top, o)
				}
				return ok
			})
		}
		return c.skip()
	})
	return t, ok
}

func tokenText(c *cursor) (string, bool) {
	b, ok := c.text(nil)
	return strings.ToValidUTF8(string(b), "\uFFFD"), ok
}

// keepTokens adds the tokens of a frame to those kept, oldest first.
func keepTokens(kept, more []arena.Token) []arena.Token {
	kept = append(kept, more...)
	if over := len(kept) - keptTokens; over > 0 {
		kept = append(kept[:0], kept[over:]...)
	}
	return kept
}
