package endpoint

import "slices"

// prefillWay is how the beginning of a reply is sent: one of the Prefill words,
// with PrefillAuto resolved.
type prefillWay string

// wayContinue is SGLang's: the flag that makes it continue and no other.
const wayContinue prefillWay = "continue"

// way resolves how a prefill is sent to a kind of server.
func (c *Client) way(kind string, q quirks, prefill string) prefillWay {
	if prefill == "" {
		return PrefillOff
	}
	if c.cfg.API == APICompletions {
		return PrefillCompletions
	}
	if q.noPrefill {
		return PrefillOff
	}
	way := prefillWay(c.cfg.PrefillMode)
	if way == PrefillAuto {
		way = wayOfKind(kind)
	}
	if q.plainPrefill && way != PrefillOff && way != PrefillCompletions {
		return PrefillTrailing
	}
	return way
}

func wayOfKind(kind string) prefillWay {
	switch kind {
	case KindSGLang:
		return wayContinue
	case KindTGI, KindOllama, KindLMStudio, KindOpenRouter:
		return PrefillTrailing
	case KindDeepSeek, KindMistral:
		return PrefillPrefix
	case KindOpenAI, KindMiniMax:
		return PrefillOff
	}
	// vLLM and llama.cpp know both flags. Where the server is unknown they are
	// tried too, since a bare last assistant message becomes a finished turn, or
	// a user's turn, in silence; a server that refuses them gets it without.
	return PrefillFlags
}

// wayOf is way for what is known of the server without asking.
func (c *Client) wayOf(q quirks) prefillWay { return c.way(c.knownKind(), q, "-") }

// withPrefill appends the beginning of the reply as the way wants it.
func withPrefill(wire []map[string]any, prefill string, way prefillWay) []map[string]any {
	if prefill == "" || way == PrefillOff {
		return wire
	}
	last := map[string]any{"role": "assistant", "content": prefill}
	if way == PrefillPrefix {
		last["prefix"] = true
	}
	return append(slices.Clip(wire), last)
}

// flags adds the fields by which the server is told to continue.
func (w prefillWay) flags(fields map[string]any, q quirks) {
	switch w {
	case PrefillFlags:
		fields["add_generation_prompt"] = false
		fields["continue_final_message"] = true
	case wayContinue:
		fields["continue_final_message"] = true
	}
	if q.thinkOff {
		kwargs, _ := fields["chat_template_kwargs"].(map[string]any)
		merged := map[string]any{"enable_thinking": false}
		for k, v := range kwargs {
			merged[k] = v
		}
		fields["chat_template_kwargs"] = merged
	}
}
