package endpoint

import (
	"slices"

	"herarena/arena"
)

// asksByKind reports whether a parameter is set whose name or fate depends on
// the kind of server.
func asksByKind(s arena.Sampling) bool {
	return s.RepetitionPenalty != nil || s.TopK != nil || s.MinP != nil || s.Thinking != nil || s.MaxTokens > 0
}

// sampling names the parameters as the kind of server knows them. unsent are
// those it refuses or drops without a word: they are left out, so that nobody
// believes them to be in force. The endpoint's extra_body can still send them.
func (c *Client) sampling(kind string, s arena.Sampling, q quirks) (fields map[string]any, unsent []string) {
	fields = map[string]any{}
	no := unknownTo(kind)
	set := func(name string, value any) {
		switch {
		case slices.Contains(no, name):
			unsent = append(unsent, name)
		case kind == KindMistral && name == "seed":
			fields["random_seed"] = value
		case (kind == KindLlamaCpp || kind == KindLMStudio) && name == "repetition_penalty":
			fields["repeat_penalty"] = value
		default:
			fields[name] = value
		}
	}
	for _, p := range []struct {
		name  string
		value *float64
	}{
		{"temperature", s.Temperature},
		{"top_p", s.TopP},
		{"min_p", s.MinP},
		{"repetition_penalty", s.RepetitionPenalty},
		{"presence_penalty", s.PresencePenalty},
		{"frequency_penalty", s.FrequencyPenalty},
	} {
		if p.value != nil {
			set(p.name, *p.value)
		}
	}
	if s.TopK != nil {
		set("top_k", *s.TopK)
	}
	if s.Seed != nil {
		set("seed", *s.Seed)
	}
	if s.MaxTokens > 0 {
		fields[c.maxField(kind, q)] = s.MaxTokens
	}
	if s.Thinking != nil && !c.setThinking(fields, kind, *s.Thinking) {
		unsent = append(unsent, "thinking")
	}
	return fields, unsent
}

// unknownTo lists the parameters that a kind of server refuses or ignores.
func unknownTo(kind string) []string {
	switch kind {
	case KindOpenAI, KindDeepSeek, KindMistral, KindMiniMax, KindOllama:
		return []string{"top_k", "min_p", "repetition_penalty"}
	case KindTGI:
		// Its presence_penalty is a repetition_penalty less 2, which fits neither
		// name: rather none than a wrong one.
		return []string{"top_k", "min_p", "repetition_penalty", "presence_penalty"}
	}
	return nil
}

// setThinking switches a model's own reasoning on or off, in the words of the
// kind of server. It reports whether there is a way.
func (c *Client) setThinking(fields map[string]any, kind string, on bool) bool {
	effort := map[bool]string{true: "medium", false: "none"}[on]
	switch kind {
	case KindOllama, KindOpenAI:
		fields["reasoning_effort"] = effort
	case KindOpenRouter:
		fields["reasoning"] = map[string]any{"enabled": on}
	case KindDeepSeek:
		fields["thinking"] = map[string]any{"type": map[bool]string{true: "enabled", false: "disabled"}[on]}
	case KindTGI, KindMistral, KindMiniMax, KindLMStudio:
		return false
	default:
		kwargs := map[string]any{}
		if given, ok := c.cfg.ExtraBody["chat_template_kwargs"].(map[string]any); ok {
			for k, v := range given {
				kwargs[k] = v
			}
		}
		kwargs["enable_thinking"] = on
		fields["chat_template_kwargs"] = kwargs
	}
	return true
}

// maxField chooses the name of the token limit. Ollama, Mistral and DeepSeek
// know only the old one, OpenAI's newer models and MiniMax's only the new.
func (c *Client) maxField(kind string, q quirks) string {
	field := fieldMaxTokens
	switch {
	case c.cfg.MaxTokensField != "":
		field = c.cfg.MaxTokensField
	case kind == KindOpenAI, kind == KindMiniMax:
		field = fieldMaxCompletionTokens
	}
	if q.otherMax {
		if field == fieldMaxTokens {
			return fieldMaxCompletionTokens
		}
		return fieldMaxTokens
	}
	return field
}

// schemaFields asks for output by a JSON schema. TGI's form is its own, and
// DeepSeek knows only that it shall be JSON.
func schemaFields(fields map[string]any, kind string, schema map[string]any) {
	switch kind {
	case KindTGI:
		fields["response_format"] = map[string]any{"type": "json", "value": schema}
	case KindDeepSeek:
		fields["response_format"] = map[string]any{"type": "json_object"}
	default:
		fields["response_format"] = map[string]any{
			"type":        "json_schema",
			"json_schema": map[string]any{"name": "reply", "schema": schema},
		}
	}
}
