package endpoint

import (
	"fmt"
	"net/http"
	"strings"

	"herarena/arena"
)

// Texts by which servers say the same things, in lower case. Sources: the
// servers' own code and public reports.
var (
	textsTooLong = []string{
		"maximum context length", "context_length_exceeded", "exceeds the available context size",
		"exceed_context_size_error", "longer than the model's context length", "exceeds the model's maximum context length",
		"`max_new_tokens` must be <=", "max_new_tokens must be <=", "`inputs` must have less than", "max_tokens must be at least 1",
		"prompt is too long", "input is too long", "context window", "too many tokens", "exceeds context length", "n_ctx",
	}
	textsLoading = []string{
		"loading model", "currently loading", "model is loading", "still loading", "is being loaded", "warming up", "unavailable_error",
	}
	textsNoModel = []string{
		"model_not_found", "does not exist", "not found", "no such model", "unknown model", "not a valid model",
		"invalid model", "is not loaded", "not supported model", "no model named", "no models loaded",
	}
	textsTemplate = []string{"jinja", "parse error", "syntax error", "peg-native", "template", "failed to parse"}
	textsPath     = []string{"unexpected endpoint or method"}
	textsQuota    = []string{"insufficient_quota", "insufficient balance", "insufficient credits", "exceeded your current quota", "billing"}
)

func says(text string, any []string) bool {
	for _, s := range any {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// kindOf puts a refusal into the taxonomy by its status and its words.
func kindOf(r *refusal) arena.FaultKind {
	text := strings.ToLower(r.Message + " " + r.Type + " " + r.Code)
	switch {
	case r.Status == http.StatusUnauthorized, r.Status == http.StatusForbidden, r.Status == http.StatusPaymentRequired,
		r.Status == http.StatusProxyAuthRequired:
		return arena.Unauthorised
	case says(text, textsTooLong), r.Status == http.StatusRequestEntityTooLarge:
		return arena.TooLong
	case says(text, textsLoading):
		return arena.Loading
	case r.Status < 500 && r.Status != http.StatusTooManyRequests && strings.Contains(text, "model") && says(text, textsNoModel) && !r.HTML:
		return arena.NoSuchModel
	case r.Status == http.StatusTooManyRequests, r.Status == http.StatusServiceUnavailable, r.Status == 529,
		r.Status == http.StatusRequestTimeout, r.Status == http.StatusConflict, r.Status == http.StatusTooEarly:
		return arena.Overloaded
	case r.Status == http.StatusInternalServerError && says(text, textsTemplate):
		return arena.BadRequest
	case r.Status >= 500:
		return arena.ServerFault
	case r.Status >= 400, says(text, textsPath):
		return arena.BadRequest
	case strings.Contains(text, "overload"), strings.Contains(text, "rate limit"), strings.Contains(text, "rate_limit"), strings.Contains(text, "queue is full"):
		return arena.Overloaded
	case strings.Contains(text, "unauthorized"), strings.Contains(text, "api key"):
		return arena.Unauthorised
	case strings.Contains(text, "validation"), strings.Contains(text, "invalid_request"), strings.Contains(text, "badrequest"):
		return arena.BadRequest
	}
	return arena.ServerFault
}

// refusedFault explains an error that the server reported.
func (c *Client) refusedFault(r *refusal, model string) *arena.Fault {
	f := &arena.Fault{Kind: kindOf(r), Status: r.Status, Wait: r.Wait}
	f.Message = c.cfg.Name + " sent an error in the stream: " + r.Message
	if r.Status > 0 && r.AsStatus {
		f.Message = fmt.Sprintf("%s answered with status %d: %s", c.cfg.Name, r.Status, r.Message)
	}
	if r.HTML {
		f.Message = fmt.Sprintf("%s answered with status %d and a web page: %s", c.cfg.Name, r.Status, withoutTail(head(c.clean(r.Message), 120), c.secrets))
	}
	f.Hint = c.hintFor(f.Kind, r, model)
	return f
}

func (c *Client) hintFor(kind arena.FaultKind, r *refusal, model string) string {
	text := strings.ToLower(r.Message + " " + r.Type + " " + r.Code)
	switch kind {
	case arena.Unauthorised:
		return c.keyHint(r.Status)
	case arena.TooLong:
		return "shorten the scene or its history, lower max_tokens, or serve the model with a longer context"
	case arena.Loading:
		if r.Wait > 0 {
			return "the model is being loaded; the server reckons with " + short(r.Wait)
		}
		return "the model is being loaded; wait a little and try again"
	case arena.Overloaded:
		switch {
		case says(text, textsQuota):
			return "the account's quota is used up; look at its billing page"
		case r.Wait > 0:
			return "try again in " + short(r.Wait)
		}
		return "the server is busy; try again later, or send fewer requests at once"
	case arena.NoSuchModel:
		return c.modelHint(model)
	case arena.ServerFault:
		return "look at the server's log; try again"
	case arena.BadRequest:
		return c.requestHint(r, text)
	}
	return ""
}

func (c *Client) keyHint(status int) string {
	switch {
	case status == http.StatusPaymentRequired:
		return "the account has no credit; look at its billing page"
	case status == http.StatusProxyAuthRequired:
		return "a proxy stands between and wants a user and a password: write them into http_proxy or https_proxy"
	case !c.keyed():
		return "no key was sent; set it in " + c.keyPlace()
	}
	return "the key was refused; check the one in " + c.keyPlace()
}

// keyPlace says where the key is, or is to be put.
func (c *Client) keyPlace() string {
	switch {
	case c.cfg.KeyEnv != "":
		return "$" + c.cfg.KeyEnv
	case c.cfg.KeyFile != "":
		return "the file " + c.cfg.KeyFile
	case c.cfg.Key == "" && strings.HasPrefix(c.cfg.Headers["Authorization"], "Basic "):
		return "the address or the header Authorization"
	case c.cfg.Key == "":
		for _, name := range keyHeaders() {
			if c.cfg.Headers[name] != "" {
				return "the header " + name
			}
		}
	}
	return "the environment variable named by key_env, or the file named by key_file"
}

func (c *Client) requestHint(r *refusal, text string) string {
	switch {
	case r.Status == http.StatusNotFound, r.Status == http.StatusMethodNotAllowed, says(text, textsPath):
		return c.pathHint()
	case strings.Contains(text, "alternate"):
		return "the model's chat template wants user and assistant in turns"
	case strings.Contains(text, "temperature"), strings.Contains(text, "top_p"), strings.Contains(text, "top_k"),
		strings.Contains(text, "min_p"), strings.Contains(text, "penalty"), strings.Contains(text, "unrecognized"),
		strings.Contains(text, "extra inputs"), strings.Contains(text, "unsupported parameter"):
		return "take the parameter it names out of the contestant's sampling or the endpoint's extra_body"
	case says(text, textsTemplate):
		return "the server's chat template refused the messages; look at its log, or set api to completions"
	}
	return "the server refused the request; the message says why"
}
