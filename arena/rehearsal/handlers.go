package rehearsal

import (
	"fmt"
	"net/http"
	"strings"
)

// created is a fixed birth date: the server keeps no clock in its answers, so
// that the same request gives the same bytes.
const created = 1767225600

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	list := []any{}
	for _, id := range s.modelIDs() {
		list = append(list, modelCard(id))
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": list})
}

func (s *Server) model(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, "/v1/models/")
	if !s.has(id) {
		writeError(w, notFound(fmt.Sprintf("The model %q does not exist; the models here are %s.", id, strings.Join(s.modelIDs(), ", "))))
		return
	}
	writeJSON(w, http.StatusOK, modelCard(id))
}

func modelCard(id string) map[string]any {
	return map[string]any{
		"id": id, "object": "model", "created": created, "owned_by": "herarena",
		"max_model_len": maxContext,
	}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	req, e := s.read(w, r)
	if e == nil {
		e = checkMessages(req)
	}
	if e != nil {
		writeError(w, e)
		return
	}
	msgs, prefill := splitPrefill(req.Messages)
	if req.AddGeneration != nil && *req.AddGeneration && req.Continue != nil && *req.Continue {
		writeError(w, badRequest("continue_final_message", "Cannot set both add_generation_prompt and continue_final_message."))
		return
	}
	s.answer(w, r, req, msgs, prefill, chatForm{})
}

func (s *Server) completions(w http.ResponseWriter, r *http.Request) {
	req, e := s.read(w, r)
	if e == nil && strings.TrimSpace(string(req.Prompt)) == "" {
		e = badRequest("prompt", "The request has no prompt.")
	}
	if e != nil {
		writeError(w, e)
		return
	}
	msgs, prefill := readChatML(string(req.Prompt))
	s.answer(w, r, req, msgs, prefill, textForm{})
}

func checkMessages(req *request) *apiError {
	if len(req.Messages) == 0 {
		return badRequest("messages", "The request has no messages; send at least one.")
	}
	for i, m := range req.Messages {
		switch m.Role {
		case "system", "developer", "user", "assistant", "tool":
		default:
			return badRequest(fmt.Sprintf("messages[%d].role", i),
				fmt.Sprintf("Message %d has the unknown role %q; use system, user or assistant.", i, m.Role))
		}
	}
	return nil
}

// splitPrefill takes a trailing assistant message as the beginning of the reply.
func splitPrefill(msgs []message) ([]message, string) {
	if n := len(msgs); msgs[n-1].Role == "assistant" {
		return msgs[:n-1], string(msgs[n-1].Content)
	}
	return msgs, ""
}

// answer writes the reply of the asked model in the asked form.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, req *request, msgs []message, prefill string, form form) {
	prompt := promptTokens(msgs) + len(pieces(prefill))
	if prompt > maxContext {
		e := badRequest("messages", fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please shorten the conversation.", maxContext, prompt))
		e.Code = "context_length_exceeded"
		writeError(w, e)
		return
	}
	text := s.compose(req, msgs, prefill)
	if req.Echo {
		text = string(req.Prompt) + text
	}
	toks, finish := cut(text, req.Stop, req.limit())
	p := performance{
		id:     fmt.Sprintf("rehearsal-%016x", hashMessages(req.Model, msgs, prefill, req.seed())),
		model:  req.Model,
		tokens: toks,
		finish: finish,
		usage:  usage{PromptTokens: prompt, CompletionTokens: len(toks), TotalTokens: prompt + len(toks)},
		tempo:  s.tempo(req.Model, hashMessages("tempo", msgs, prefill, req.seed())),
	}
	if req.Stream {
		p.stream(w, r, form, req.StreamOptions != nil && req.StreamOptions.IncludeUsage)
		return
	}
	p.whole(w, r, form)
}

// compose makes the full text of a reply, without the prefill.
func (s *Server) compose(req *request, msgs []message, prefill string) string {
	if req.Model == CriticModel {
		return afterJSON(s.opts.Critic(lastUser(msgs)), prefill)
	}
	return s.house.play(req.Model, msgs, prefill, req.seed())
}

func lastUser(msgs []message) string {
	for i := len(msgs) - 1; i >= 0; i-- {
		if msgs[i].Role == "user" {
			return string(msgs[i].Content)
		}
	}
	return ""
}

func promptTokens(msgs []message) int {
	n := 0
	for _, m := range msgs {
		n += len(pieces(string(m.Content))) + 4
	}
	return n
}
