package endpoint

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"herarena/arena"
)

// neutralModel stands in for the model id while go-openai looks at a request: it
// refuses parameters by the beginning of the name (o1, o3, o4, gpt-5), which a
// local model may share. Transport puts the real id in its place.
const neutralModel = "local"

// request is a call in the form of one of go-openai's two requests. What these
// drop or refuse (a temperature of 0, an empty content, fields of their own for
// each server) travels in the exchange.
type request struct {
	chat       *openai.ChatCompletionRequest
	completion *openai.CompletionRequest
	exchange   *exchange
}

// request builds the request for a call. ctx bounds the question to the server
// what kind it is, which is asked at most once and only where it matters.
func (c *Client) request(ctx context.Context, model string, call arena.Call, q quirks) *request {
	kind := c.knownKind()
	if kind == "" && (call.Prefill != "" || call.Schema != nil || call.Sampling.RepetitionPenalty != nil) {
		kind = c.resolveKind(ctx)
	}
	ex := &exchange{
		fields:    map[string]any{},
		headers:   map[string]string{},
		firstByte: c.cfg.FirstByteTimeout,
		idle:      c.cfg.IdleTimeout,
	}
	if call.Session != "" {
		ex.headers[c.cfg.SessionHeader] = headerText(call.Session)
	}
	maps.Copy(ex.fields, c.cfg.ExtraBody)
	ex.fields["model"] = nil
	if model != "" {
		ex.fields["model"] = model
	}
	for name, value := range c.sampling(kind, call.Sampling, q) {
		ex.fields[name] = value
	}
	if call.Schema != nil && !q.noSchema {
		schemaFields(ex.fields, kind, call.Schema)
	}
	r := &request{exchange: ex}
	var options *openai.StreamOptions
	if value, set := c.cfg.ExtraBody["stream_options"]; !q.noUsage && !set || value != nil {
		options = &openai.StreamOptions{IncludeUsage: true}
	}
	messages := call.Messages
	if q.merged {
		messages = mergeTurns(messages)
	}
	way := c.way(kind, q, call.Prefill)
	if c.cfg.API == APICompletions || way == PrefillCompletions {
		r.completion = &openai.CompletionRequest{
			Model: neutralModel, Prompt: chatML(messages, call.Prefill),
			Stop: append([]string{chatEnd}, call.Sampling.Stop...), StreamOptions: options,
		}
		if kind == KindVLLM {
			ex.fields["add_special_tokens"] = false
		}
		delete(ex.fields, "messages")
		return r
	}
	r.chat = &openai.ChatCompletionRequest{
		Model: neutralModel, Stop: call.Sampling.Stop, StreamOptions: options, Seed: call.Sampling.Seed,
		Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: "-"}},
	}
	ex.fields["messages"] = withPrefill(wireMessages(messages), call.Prefill, way)
	way.flags(ex.fields, q)
	delete(ex.fields, "prompt")
	return r
}

// open sends the request.
func (r *request) open(ctx context.Context, api *openai.Client) (frames, error) {
	if r.completion != nil {
		stream, err := api.CreateCompletionStream(ctx, *r.completion)
		if err != nil {
			return nil, err
		}
		return stream, nil
	}
	stream, err := api.CreateChatCompletionStream(ctx, *r.chat)
	if err != nil {
		return nil, err
	}
	return stream, nil
}

// sampling names the parameters as the kind of server knows them.
func (c *Client) sampling(kind string, s arena.Sampling, q quirks) map[string]any {
	fields := map[string]any{}
	number := func(name string, v *float64) {
		if v != nil {
			fields[name] = *v
		}
	}
	number("temperature", s.Temperature)
	number("top_p", s.TopP)
	number("min_p", s.MinP)
	number("presence_penalty", s.PresencePenalty)
	number("frequency_penalty", s.FrequencyPenalty)
	if kind == KindLlamaCpp {
		number("repeat_penalty", s.RepetitionPenalty)
	} else {
		number("repetition_penalty", s.RepetitionPenalty)
	}
	if s.TopK != nil {
		fields["top_k"] = *s.TopK
	}
	if s.Seed != nil {
		fields["seed"] = *s.Seed
	}
	if s.MaxTokens > 0 {
		fields[c.maxField(kind, q)] = s.MaxTokens
	}
	return fields
}

// maxField chooses the name of the token limit. Ollama, Mistral and DeepSeek
// know only the old one, OpenAI's newer models only the new.
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

// schemaFields asks for output by a JSON schema. TGI's form is its own.
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

// wireMessages writes messages with their content always present: servers refuse
// a message without the key, and go-openai drops an empty one.
func wireMessages(messages []arena.Message) []map[string]any {
	wire := make([]map[string]any, 0, len(messages)+1)
	for _, m := range messages {
		w := map[string]any{"role": m.Role, "content": m.Content}
		if name := wireName(m.Name); name != "" {
			w["name"] = name
		}
		wire = append(wire, w)
	}
	return wire
}

// wireName puts a name into the form OpenAI allows: no white space, none of
// <|\/>, at most 64 characters.
func wireName(name string) string {
	runes := []rune(strings.TrimSpace(name))
	for i, r := range runes {
		if r <= ' ' || strings.ContainsRune(`<|\/>`, r) {
			runes[i] = '_'
		}
	}
	return string(runes[:min(len(runes), 64)])
}

// headerText keeps what may stand in a header.
func headerText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '-'
		}
		return r
	}, head(s, 200))
}

// errUnwritable is the error of a call that cannot be put into JSON.
var errUnwritable = errors.New("the request cannot be written")

// checkCall looks for what no server could read.
func checkCall(call arena.Call) error {
	s := call.Sampling
	for name, v := range map[string]*float64{
		"temperature": s.Temperature, "top_p": s.TopP, "min_p": s.MinP, "repetition_penalty": s.RepetitionPenalty,
		"presence_penalty": s.PresencePenalty, "frequency_penalty": s.FrequencyPenalty,
	} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
			return fmt.Errorf("%w: %s is no number", errUnwritable, name)
		}
	}
	if len(call.Messages) == 0 && call.Prefill == "" {
		return fmt.Errorf("%w: it has no messages", errUnwritable)
	}
	if _, err := marshal(call.Schema); err != nil {
		return fmt.Errorf("%w: the schema is no JSON", errUnwritable)
	}
	return nil
}

// chatEnd ends a message of ChatML.
const chatEnd = "<|im_end|>"

// chatML renders messages as the template of HER's models and of Qwen does,
// without a think block, and leaves the reply open behind prefill.
func chatML(messages []arena.Message, prefill string) string {
	// The marks of the form must not come from within a message.
	plain := strings.NewReplacer("<|im_start|>", "", chatEnd, "")
	var b strings.Builder
	for _, m := range messages {
		b.WriteString("<|im_start|>" + m.Role + "\n" + plain.Replace(m.Content) + chatEnd + "\n")
	}
	b.WriteString("<|im_start|>assistant\n" + prefill)
	return b.String()
}

// mergeTurns makes the roles alternate: a system message goes into the first
// user message, and messages of one role in a row become one.
func mergeTurns(messages []arena.Message) []arena.Message {
	var out []arena.Message
	for _, m := range messages {
		if m.Role != "assistant" {
			m.Role = openai.ChatMessageRoleUser
		}
		if n := len(out); n > 0 && out[n-1].Role == m.Role {
			out[n-1].Content = strings.TrimSpace(out[n-1].Content + "\n\n" + m.Content)
			continue
		}
		m.Name = ""
		out = append(out, m)
	}
	if len(out) > 0 && out[0].Role == "assistant" {
		// Such templates want a user to begin; the opening line stays the
		// character's.
		out = append([]arena.Message{{Role: openai.ChatMessageRoleUser, Content: "(The scene begins.)"}}, out...)
	}
	return out
}

// refusedStatus reports whether a status says that the request itself was the
// reason. Template errors come as 500 from llama.cpp and are BadRequest as well.
func refusedStatus(f *arena.Fault) bool {
	return f.Kind == arena.BadRequest &&
		(f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity || f.Status == http.StatusInternalServerError)
}
