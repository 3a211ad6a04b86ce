package endpoint

import (
	"slices"
	"strings"

	"herarena/arena"
)

// maxAdaptions bounds how often one request is put differently.
const maxAdaptions = 5

// quirks is what a server has refused for a model, remembered so that the next
// request is right at once.
type quirks struct {
	noUsage      bool // stream_options
	noPrefill    bool
	plainPrefill bool // a prefill without flags
	thinkOff     bool // a prefill only with enable_thinking false
	otherMax     bool // the other name of the token limit
	foldNotes    bool // no system message but the first
	merged       bool // roles that alternate
	noSystem     bool // no system message at all
	wantsUser    bool // at least one user's turn
	noNames      bool // no field name in messages
	noSchema     bool
	noOdds       bool // token probabilities

	found  prefillWay // the way a prefill goes, as found by asking; "" where not asked
	doubts int        // replies that seemed to ignore it since
}

func (c *Client) quirksOf(model string) quirks {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.quirks[model]
}

func (c *Client) remember(model string, q quirks) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quirks[model] = q
}

// adapt says how to put a refused request differently: the new quirks, and a
// sentence on what is being changed. ok is false where there is no other way.
func (q quirks) adapt(f *arena.Fault, call arena.Call, way prefillWay) (next quirks, why string, ok bool) {
	if !refusedStatus(f) {
		return q, "", false
	}
	text := strings.ToLower(f.Message)
	has := func(words ...string) bool { return says(text, words) }
	if next, why, ok := q.adaptTurns(has); ok {
		return next, why, true
	}
	prefilled := call.Prefill != "" && way != PrefillOff && way != PrefillCompletions
	switch {
	case !q.noUsage && has("stream_options", "include_usage", "stream options"):
		q.noUsage = true
		return q, "asked again without token counts", true
	case !q.otherMax && call.Sampling.MaxTokens > 0 && has(fieldMaxCompletionTokens, "unsupported parameter: 'max_tokens'", "unexpected field max_tokens"):
		q.otherMax = true
		return q, "asked again with the token limit under its other name", true
	case prefilled && !q.thinkOff && has("enable_thinking"):
		q.thinkOff = true
		return q, "asked again with the template's thinking off, so that the reply can be begun", true
	case prefilled && !q.plainPrefill && way != PrefillTrailing && has("continue_final_message", "add_generation_prompt", "prefix", "extra inputs", "unrecognized", "unknown field", "not permitted"):
		q.plainPrefill = true
		return q, "asked again with the beginning of the reply as a plain message", true
	case !q.noNames && named(call.Messages) && has("'name'", "`name`", ".name:", "field name", "name is not"):
		q.noNames = true
		return q, "asked again with the names within the messages", true
	case !q.noOdds && call.TokenOdds && has("logprobs", "top_logprobs"):
		q.noOdds = true
		return q, "asked again without token probabilities", true
	case !q.noSchema && call.Schema != nil && has("response_format", "json_schema", "schema", "grammar", "structured"):
		q.noSchema = true
		return q, "asked again without the JSON schema", true
	case prefilled && !q.noPrefill:
		q.noPrefill = true
		return q, "asked again without the given beginning of the reply", true
	}
	return q, "", false
}

// adaptTurns is adapt for what chat templates demand of the roles.
func (q quirks) adaptTurns(has func(...string) bool) (next quirks, why string, ok bool) {
	switch {
	case !q.noSystem && has("system role not supported", "system role is not supported", "only user and assistant roles",
		"system messages are not supported", "does not support system", "unexpected role system", "invalid role: system"):
		q.noSystem, q.merged = true, true
		return q, "asked again with the system prompt in the first turn", true
	case !q.foldNotes && !q.merged && has("system message must be", "system message should be", "system prompt must be",
		"only the first message can be", "system message can only", "system messages must", "multiple system"):
		q.foldNotes = true
		return q, "asked again with later notes folded into the turns", true
	case !q.wantsUser && has("no user query", "at least one user", "must contain a user", "user message is required"):
		q.wantsUser = true
		return q, "asked again with a user's turn to begin", true
	case !q.merged && has("alternate", "consecutive", "same role", "must start with a user", "first message must be"):
		q.merged = true
		return q, "asked again with messages of one role joined", true
	case q.merged && !q.noSystem && has("alternate", "must start with a user", "first message must be"):
		q.noSystem = true
		return q, "asked again with the system prompt in the first turn", true
	}
	return q, "", false
}

// named reports whether a message has a name.
func named(messages []arena.Message) bool {
	return slices.ContainsFunc(messages, func(m arena.Message) bool { return m.Name != "" })
}
