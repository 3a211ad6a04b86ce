package endpoint

import (
	"slices"
	"strings"

	"herarena/arena"
)

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
		if q.found != "" {
			return q.found
		}
		way = waysOfKind(kind)[0]
	}
	if q.plainPrefill && way != PrefillOff && way != PrefillCompletions {
		return PrefillTrailing
	}
	return way
}

// waysOfKind lists the ways that may work with a kind of server, the likeliest
// first.
func waysOfKind(kind string) []prefillWay {
	switch kind {
	case KindVLLM:
		return []prefillWay{PrefillFlags, PrefillCompletions}
	case KindLlamaCpp:
		return []prefillWay{PrefillFlags, PrefillTrailing, PrefillCompletions}
	case KindSGLang:
		return []prefillWay{wayContinue, PrefillCompletions}
	case KindOllama:
		// Its raw completions are none: they go through the template.
		return []prefillWay{PrefillTrailing}
	case KindTGI, KindLMStudio, KindOpenRouter:
		return []prefillWay{PrefillTrailing, PrefillCompletions}
	case KindDeepSeek, KindMistral:
		return []prefillWay{PrefillPrefix}
	case KindOpenAI, KindMiniMax:
		return []prefillWay{PrefillOff}
	}
	// vLLM and llama.cpp know both flags. Where the server is unknown they are
	// tried too, since a bare last assistant message becomes a finished turn, or
	// a user's turn, in silence; a server that refuses them gets it without.
	return []prefillWay{PrefillFlags, wayContinue, PrefillTrailing, PrefillPrefix, PrefillCompletions}
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

// speaksChatML reports whether a model is likely to know ChatML, by its name: a
// prompt rendered here must not be in a form that the model has never seen.
func speaksChatML(model string) bool {
	return says(strings.ToLower(model), []string{"qwen", "qwq", "her-", "her_", "/her", "hermes", "chatml", "dolphin", "internlm", "smollm"}) ||
		strings.HasPrefix(strings.ToLower(model), "her")
}

// checkPrefill looks in a finished reply for signs that its given beginning was
// ignored: the beginning opens a layer with a tag, and the reply neither closes
// it nor repeats the beginning. It is then asked for anew how this server takes
// a prefill, once.
func (c *Client) checkPrefill(model string, call arena.Call, q quirks, out arena.Outcome) []string {
	if call.Prefill == "" || out.Finish == arena.FinishLength || !out.Complete || c.way(c.knownKind(), q, call.Prefill) == PrefillOff {
		return nil
	}
	name := openTag(call.Prefill)
	if name == "" || tookUp(name, call.Prefill, out.Content) {
		return nil
	}
	c.doubt(model)
	return []string{"the reply never ended the layer that its beginning " + call.Prefill + " opened: " + c.cfg.Name +
		" may have ignored the beginning; herarena doctor tells, and prefill = \"off\" leaves it out"}
}

// openTag is the name of the tag that a text ends with, left open; "" if none.
func openTag(text string) string {
	i := strings.LastIndexByte(text, '<')
	if i < 0 {
		return ""
	}
	name, rest, ok := strings.Cut(text[i+1:], ">")
	if !ok || strings.TrimSpace(rest) != "" || name == "" || strings.ContainsAny(name, "/ <") {
		return ""
	}
	return name
}

// tookUp reports whether a reply goes on behind an open tag, or repeats it.
// Models mix the names of a family: <system_think> is closed by
// </system_thinking>.
func tookUp(name, prefill, content string) bool {
	if strings.HasPrefix(strings.TrimSpace(content), strings.TrimSpace(prefill)) {
		return true
	}
	family, _, _ := strings.Cut(name, "_")
	lower := strings.ToLower(content)
	return strings.Contains(lower, "</"+strings.ToLower(family)) || strings.Contains(lower, "</think")
}
