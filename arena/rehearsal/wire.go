package rehearsal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// request is what both completion paths understand of a body. Unknown fields
// are ignored, as real servers do.
type request struct {
	Model               string         `json:"model"`
	Messages            []message      `json:"messages"`
	Prompt              promptText     `json:"prompt"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options"`
	MaxTokens           *int           `json:"max_tokens"`
	MaxCompletionTokens *int           `json:"max_completion_tokens"`
	Seed                *int64         `json:"seed"`
	Stop                stopList       `json:"stop"`
	N                   *int           `json:"n"`
	Echo                bool           `json:"echo"`
	Continue            *bool          `json:"continue_final_message"`
	AddGeneration       *bool          `json:"add_generation_prompt"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// message is one chat message; content may be a string, null or text parts.
type message struct {
	Role    string      `json:"role"`
	Name    string      `json:"name"`
	Content contentText `json:"content"`
}

type contentText string

func (c *contentText) UnmarshalJSON(b []byte) error {
	var s *string
	if err := json.Unmarshal(b, &s); err == nil {
		if s != nil {
			*c = contentText(*s)
		}
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return errors.New("content must be a string or a list of text parts")
	}
	for _, p := range parts {
		if p.Type != "" && p.Type != "text" {
			return fmt.Errorf("content part of type %q: the rehearsal players only read text", p.Type)
		}
		*c += contentText(p.Text)
	}
	return nil
}

type promptText string

func (p *promptText) UnmarshalJSON(b []byte) error {
	var s *string
	if err := json.Unmarshal(b, &s); err == nil {
		if s != nil {
			*p = promptText(*s)
		}
		return nil
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil || len(list) != 1 {
		return errors.New("prompt must be a string or a list of one string; token ids are not taken")
	}
	*p = promptText(list[0])
	return nil
}

type stopList []string

func (l *stopList) UnmarshalJSON(b []byte) error {
	var s *string
	if err := json.Unmarshal(b, &s); err == nil {
		if s != nil {
			*l = stopList{*s}
		}
		return nil
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return errors.New("stop must be a string or a list of strings")
	}
	*l = list
	return nil
}

// limit returns the largest number of tokens to write, -1 for no limit.
func (r *request) limit() int {
	switch {
	case r.MaxCompletionTokens != nil:
		return *r.MaxCompletionTokens
	case r.MaxTokens != nil:
		return *r.MaxTokens
	}
	return -1
}

func (r *request) seed() int64 {
	if r.Seed == nil {
		return 0
	}
	return *r.Seed
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

// apiError is an error in the shape of OpenAI's.
type apiError struct {
	status  int
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    string  `json:"code"`
}

// Error returns the message.
func (e *apiError) Error() string { return e.Message }

func badRequest(param, text string) *apiError {
	e := &apiError{status: http.StatusBadRequest, Message: text, Type: "invalid_request_error", Code: "invalid_value"}
	if param != "" {
		e.Param = &param
	}
	return e
}

func notFound(text string) *apiError {
	return &apiError{status: http.StatusNotFound, Message: text, Type: "invalid_request_error", Code: "not_found"}
}

func writeError(w http.ResponseWriter, e *apiError) {
	writeJSON(w, e.status, map[string]*apiError{"error": e})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	b, err := encode(v)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":{"message":"The answer could not be written as JSON.","type":"server_error","param":null,"code":"internal_error"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A failed write means that the client has gone.
	_, _ = w.Write(b)
}

// encode writes JSON without HTML escapes, since tags are the matter here.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// read takes a request from the wire.
func (s *Server) read(w http.ResponseWriter, r *http.Request) (*request, *apiError) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooBig := (*http.MaxBytesError)(nil); errors.As(err, &tooBig) {
		return nil, &apiError{
			status: http.StatusRequestEntityTooLarge, Type: "invalid_request_error", Code: "request_too_large",
			Message: fmt.Sprintf("The body is larger than %d MiB; send a shorter conversation.", maxBody>>20),
		}
	}
	if err != nil {
		return nil, badRequest("", "The body could not be read: "+err.Error()+".")
	}
	req := &request{}
	if err := json.Unmarshal(body, req); err != nil {
		return nil, badRequest("", "The body is not a valid request: "+err.Error()+".")
	}
	switch {
	case req.Model == "":
		return nil, badRequest("model", "The request names no model; the models here are "+strings.Join(s.modelIDs(), ", ")+".")
	case !s.has(req.Model):
		e := notFound(fmt.Sprintf("The model %q does not exist; the models here are %s.", req.Model, strings.Join(s.modelIDs(), ", ")))
		e.Code = "model_not_found"
		return nil, e
	case req.N != nil && *req.N != 1:
		return nil, badRequest("n", "The rehearsal players give one reply per request; leave n out or set it to 1.")
	case req.limit() == 0 || req.limit() < -1:
		return nil, badRequest("max_tokens", "max_tokens must be at least 1, or -1 for no limit.")
	}
	return req, nil
}
