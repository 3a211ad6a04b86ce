package endpoint

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// maxSentence is how deep a message may lie in lists and objects. Each level
	// is decoded again, so depth must not be the server's choice.
	maxSentence = 3
	// maxDecoded bounds a value of unknown shape that is shown as JSON.
	maxDecoded = 4 << 10
)

// refusal is an error as a server reported it, whatever shape it had.
type refusal struct {
	Status int // HTTP status, or the one named within a stream; 0 where none
	// AsStatus is set where it was the HTTP status of the answer.
	AsStatus bool
	Message  string
	Type     string
	Code     string
	HTML     bool          // the body was a web page
	Wait     time.Duration // asked for by a header or the body
}

// Error returns the server's own words.
func (r *refusal) Error() string { return r.Message }

// canonical writes the refusal in OpenAI's shape, the one go-openai reads.
func (r *refusal) canonical() []byte {
	body, _ := json.Marshal(map[string]any{"error": map[string]any{
		"message": r.Message, "type": r.Type, "code": r.Code,
	}})
	return body
}

// refusalIn reads a frame, or a whole body, that may report an error. event is
// the name of the event, "" where none.
func refusalIn(frame []byte, event string) *refusal {
	named := event == "error"
	if !named && !bytes.Contains(frame, []byte(`"error`)) && !bytes.Contains(frame, []byte(`"base_resp"`)) {
		return nil
	}
	fields := object(frame)
	if fields == nil {
		if named {
			return &refusal{Message: plainText(frame)}
		}
		return nil
	}
	return readRefusal(fields, named)
}

// wordsIn reads what a server said in a frame that is neither a chunk nor an
// error in any known shape, nil where it has no words. It is asked only where
// nothing else came.
func wordsIn(frame []byte) *refusal {
	text := bytes.TrimSpace(frame)
	var list []json.RawMessage
	if len(text) > 0 && text[0] == '[' && json.Unmarshal(text, &list) == nil && len(list) > 0 {
		text = list[0]
	}
	fields := object(text)
	if fields == nil || fields["choices"] != nil {
		return nil
	}
	r := &refusal{}
	if !empty(fields["error"]) {
		r.from(fields["error"])
	}
	r.fromFields(fields)
	if r.Message == "" {
		return nil
	}
	return r
}

// readRefusal looks for an error among the fields of an object. sure says that
// there must be one, as in the body of a status 500.
func readRefusal(fields map[string]json.RawMessage, sure bool) *refusal {
	r := &refusal{}
	switch {
	case !empty(fields["error"]):
		r.from(fields["error"])
	case word(fields["object"]) == "error", word(fields["type"]) == "error", sure:
	case !empty(fields["error_msg"]), !empty(fields["error_message"]):
	case r.fromBaseResp(fields["base_resp"]):
		return r
	default:
		return nil
	}
	r.fromFields(fields)
	if r.Message == "" {
		r.Message = firstOf(r.Type, r.Code, "an error without a message")
	}
	return r
}

// from reads the value of the field error: a string, an object, or true.
func (r *refusal) from(raw json.RawMessage) {
	if raw[0] == '{' {
		r.fromFields(object(raw))
		if r.Message == "" {
			r.Message = strings.TrimSpace(firstOf(r.Type, r.Code))
		}
		return
	}
	if text := word(raw); text != "" {
		r.Message = text
	}
}

// fromFields fills what is still missing from the usual fields.
func (r *refusal) fromFields(fields map[string]json.RawMessage) {
	for _, key := range []string{"message", "detail", "msg", "error_msg", "error_message", "description", "errors"} {
		if r.Message == "" {
			r.Message = sentence(fields[key], maxSentence)
		}
	}
	if t := firstOf(word(fields["type"]), word(fields["error_type"])); r.Type == "" && t != "error" {
		r.Type = t
	}
	if r.Code == "" {
		r.Code = word(fields["code"])
	}
	for _, key := range []string{"http_status_code", "status_code", "status", "code"} {
		if n, err := strconv.ParseFloat(word(fields[key]), 64); err == nil && n >= 400 && n < 600 && r.Status == 0 {
			r.Status = int(n)
		}
	}
	if n, err := strconv.ParseFloat(word(fields["estimated_time"]), 64); err == nil {
		r.Wait = seconds(n)
	}
	// OpenRouter says only "Provider returned error" and keeps the reason here.
	if meta := object(fields["metadata"]); meta != nil {
		if raw := sentence(meta["raw"], maxSentence); raw != "" {
			r.Message = strings.TrimSpace(r.Message + ": " + raw)
		}
	}
}

// fromBaseResp reads MiniMax's status, which comes with HTTP 200.
func (r *refusal) fromBaseResp(raw json.RawMessage) bool {
	fields := object(raw)
	code := word(fields["status_code"])
	if code == "" || code == "0" {
		return false
	}
	r.Code = code
	r.Message = firstOf(word(fields["status_msg"]), "status "+code)
	switch code {
	case "1002", "1039":
		r.Status = http.StatusTooManyRequests
	case "1004", "2049":
		r.Status = http.StatusUnauthorized
	case "2013":
		r.Status = http.StatusBadRequest
	}
	return true
}

// refusalOfBody reads the body of an error status.
func refusalOfBody(status int, contentType string, body []byte) *refusal {
	r := &refusal{}
	text := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(body), []byte(byteOrderMark)))
	if len(text) > 0 && text[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(text, &list) == nil && len(list) > 0 {
			text = list[0]
		}
	}
	if fields := object(stripData(text)); fields != nil {
		r = readRefusal(fields, true)
	} else {
		r.HTML = looksHTML(contentType, text)
		r.Message = plainText(text)
	}
	r.Status, r.AsStatus = status, true
	if r.Message == "" {
		r.Message = strings.ToLower(http.StatusText(status))
	}
	return r
}

// stripData takes the event stream framing off an error sent as a stream.
func stripData(text []byte) []byte {
	if hasPrefixFold(text, "data:") {
		text, _, _ = bytes.Cut(text[len("data:"):], []byte("\n"))
	}
	return text
}

func looksHTML(contentType string, body []byte) bool {
	return strings.Contains(strings.ToLower(contentType), "text/html") ||
		hasPrefixFold(body, "<!doctype") || hasPrefixFold(body, "<html")
}

// object reads a JSON object, nil where it is none.
func object(raw []byte) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

// empty reports whether a value says nothing: absent, null, false, "" or {}.
func empty(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "{}", "[]", "0":
		return true
	}
	return false
}

// word reads a string or a number as text; "" for anything else.
func word(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	if raw[0] == '"' {
		var s string
		_ = json.Unmarshal(raw, &s)
		return strings.TrimSpace(s)
	}
	if raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' {
		return string(raw)
	}
	return ""
}

// sentence reads what a message field holds: text, a list of messages as
// FastAPI sends, or an object with a message within.
func sentence(raw json.RawMessage, depth int) string {
	if len(raw) == 0 || string(raw) == "null" || depth == 0 {
		return ""
	}
	switch raw[0] {
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return ""
		}
		var all []string
		for _, item := range list[:min(len(list), 8)] {
			if s := sentence(item, depth-1); s != "" {
				all = append(all, s)
			}
		}
		return strings.Join(all, "; ")
	case '{':
		fields := object(raw)
		text := firstOf(word(fields["message"]), word(fields["msg"]), word(fields["detail"]), word(fields["error"]))
		if text == "" {
			return decoded(raw)
		}
		if at := place(fields["loc"]); at != "" {
			text = at + ": " + text
		}
		return text
	}
	return word(raw)
}

// decoded writes a value of unknown shape as JSON without escapes, so that a key
// within it can be recognised; "" where it is too long to be words.
func decoded(raw json.RawMessage) string {
	var v any
	if len(raw) > maxDecoded || json.Unmarshal(raw, &v) != nil {
		return ""
	}
	text, _ := marshal(v)
	return string(text)
}

// place reads FastAPI's loc, ["body","messages",0].
func place(raw json.RawMessage) string {
	var list []any
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var parts []string
	for _, p := range list {
		switch p := p.(type) {
		case string:
			parts = append(parts, p)
		case float64:
			parts = append(parts, strconv.Itoa(int(p)))
		}
	}
	return strings.Join(parts, ".")
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// plainText takes the words out of a page or a plain body.
func plainText(body []byte) string {
	s := string(body[:min(len(body), 4<<10)])
	for _, tag := range []string{"style", "script"} {
		for {
			start := strings.Index(s, "<"+tag)
			if start < 0 {
				break
			}
			end := strings.Index(s[start:], "</"+tag)
			if end < 0 {
				s = s[:start]
				break
			}
			s = s[:start] + s[start+end+len(tag)+2:]
		}
	}
	var out strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '<':
			depth++
			out.WriteByte(' ')
		case r == '>' && depth > 0:
			depth--
		case depth == 0:
			out.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// retryAfter reads the headers by which servers ask to wait.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms >= 0 {
		return seconds(ms / 1000)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(strings.TrimSuffix(value, "s"), 64); err == nil {
		return seconds(s)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// seconds turns a number of seconds into a duration, at most a day.
func seconds(s float64) time.Duration {
	if math.IsNaN(s) || s <= 0 {
		return 0
	}
	return time.Duration(min(s, 86400) * float64(time.Second))
}
