package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	if kind == "" && (call.Prefill != "" || call.Schema != nil || asksByKind(call.Sampling)) {
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
	fields, _ := c.sampling(kind, call.Sampling, q)
	maps.Copy(ex.fields, fields)
	ex.record = c.newRecord()
	if call.Schema != nil && !q.noSchema {
		schemaFields(ex.fields, kind, call.Schema)
	}
	if call.TokenOdds && !q.noOdds && oddsOf(kind) {
		ex.fields["logprobs"], ex.fields["top_logprobs"] = true, topOdds
	}
	r := &request{exchange: ex}
	var options *openai.StreamOptions
	if value, set := c.cfg.ExtraBody["stream_options"]; !q.noUsage && !set || value != nil {
		options = &openai.StreamOptions{IncludeUsage: true}
	}
	messages := q.turns(call.Messages)
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
		delete(ex.fields, "prompt")
		delete(ex.fields, "stop")
		return r
	}
	r.chat = &openai.ChatCompletionRequest{
		Model: neutralModel, Stop: call.Sampling.Stop, StreamOptions: options, Seed: call.Sampling.Seed,
		Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: "-"}},
	}
	ex.fields["messages"] = withPrefill(wireMessages(messages), call.Prefill, way)
	way.flags(ex.fields, q)
	delete(ex.fields, "prompt")
	if len(call.Sampling.Stop) > 0 {
		delete(ex.fields, "stop")
	}
	return r
}

// open sends the request. What it returns closes the stream; the frames are read
// from the exchange's body.
func (r *request) open(ctx context.Context, api *openai.Client) (io.Closer, error) {
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

// refusedStatus reports whether a status says that the request itself was the
// reason. Template errors come as 500 from llama.cpp and are BadRequest as well.
func refusedStatus(f *arena.Fault) bool {
	return f.Kind == arena.BadRequest &&
		(f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity || f.Status == http.StatusInternalServerError)
}
