package endpoint

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// maxRecorded bounds what a record keeps of an answer.
	maxRecorded = 4 << 20
	// leastHidden is the shortest secret that is taken out of a record.
	leastHidden = 6
)

// CallRecord is one request as it went over the wire and what came back, for
// finding out what a server really said. Keys are taken out of all of it.
type CallRecord struct {
	Endpoint string      `json:"endpoint"`
	Method   string      `json:"method"`
	URL      string      `json:"url"` // without user and query
	Header   http.Header `json:"request_header"`
	// Body is the request's body.
	Body json.RawMessage `json:"request_body"`

	Status       int         `json:"status"` // 0 where no answer came
	AnswerHeader http.Header `json:"answer_header"`
	// Answer is the body as it came, before anything was put right in it; at
	// most 4 MB, and Cut says that there was more.
	Answer string `json:"answer"`
	Cut    bool   `json:"answer_cut,omitempty"`

	Started     time.Time     `json:"started"`
	HeaderAfter time.Duration `json:"header_after_ns"`
	FirstAfter  time.Duration `json:"first_byte_after_ns"` // to the first byte of the body
	Total       time.Duration `json:"total_ns"`
	// Err is how the body ended where not by its end.
	Err string `json:"error,omitempty"`
}

// recording is a record that is being made.
type recording struct {
	CallRecord
	done    func(CallRecord)
	secrets []string
	raw     []byte
	once    sync.Once
}

// newRecord starts the record of a request; nil where nobody wants it.
func (c *Client) newRecord() *recording {
	if c.cfg.Record == nil {
		return nil
	}
	// Short keys such as "none" are words.
	secrets := slices.DeleteFunc(slices.Clone(c.secrets), func(s string) bool { return len(s) < leastHidden })
	return &recording{
		CallRecord: CallRecord{Endpoint: c.cfg.Name, Started: time.Now()},
		done:       c.cfg.Record, secrets: secrets,
	}
}

func (r *recording) asked(req *http.Request, body []byte) {
	if r == nil {
		return
	}
	r.Method = req.Method
	r.URL = (&url.URL{Scheme: req.URL.Scheme, Host: req.URL.Host, Path: req.URL.Path}).String()
	r.Header = r.headers(req.Header)
	r.Body = json.RawMessage(r.hide(string(body)))
}

func (r *recording) answered(resp *http.Response) {
	if r == nil {
		return
	}
	r.Status, r.AnswerHeader = resp.StatusCode, r.headers(resp.Header)
	r.HeaderAfter = time.Since(r.Started)
}

func (r *recording) add(p []byte) {
	if r == nil || len(p) == 0 {
		return
	}
	if r.FirstAfter == 0 {
		r.FirstAfter = time.Since(r.Started)
	}
	room := maxRecorded - len(r.raw)
	r.Cut = r.Cut || len(p) > room
	r.raw = append(r.raw, p[:min(len(p), room)]...)
}

// close hands the record over, once.
func (r *recording) close(err error) {
	if r == nil {
		return
	}
	r.once.Do(func() {
		r.Total = time.Since(r.Started)
		r.Answer = r.hide(strings.ToValidUTF8(string(r.raw), "\uFFFD"))
		if r.Cut {
			r.Answer = withoutTail(r.Answer, r.secrets)
		}
		if err != nil && err.Error() != "EOF" {
			r.Err = r.hide(err.Error())
		}
		r.done(r.CallRecord)
	})
}

// headers copies headers without what gives access.
func (r *recording) headers(h http.Header) http.Header {
	out := http.Header{}
	for name, values := range h {
		switch name {
		case "Authorization", "Proxy-Authorization", "Api-Key", "X-Api-Key", "Cookie", "Set-Cookie":
			out[name] = []string{"[key]"}
			continue
		}
		out[name] = slices.Clone(values)
		for i, v := range out[name] {
			out[name][i] = r.hide(v)
		}
	}
	return out
}

func (r *recording) hide(text string) string {
	return hide(text, r.secrets)
}
