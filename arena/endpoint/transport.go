package endpoint

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxErrorBody is how much is read of the body of an error status.
const maxErrorBody = 64 << 10

// Transport is the layer between go-openai and the network. Per request that
// carries an exchange in its context it merges fields into the body, starts the
// timers, turns error bodies of any shape into OpenAI's, and the stream into one
// clean frame a line. It follows no redirect.
//
// It starts no goroutine; the timers of a request end when its body is closed.
type Transport struct {
	base    http.RoundTripper
	headers map[string]string
	say     func(string) string // makes text safe to show
}

var _ http.RoundTripper = (*Transport)(nil)

// redirect is the error of a server that points elsewhere.
type redirect struct {
	status int
	to     string // without user and query
}

func (e *redirect) Error() string { return fmt.Sprintf("status %d points to %s", e.status, e.to) }

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ex, _ := req.Context().Value(exchangeKey{}).(*exchange)
	if ex == nil {
		return t.plain(req)
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	w := newWatch(cancel)
	out, err := t.prepare(req.Clone(ctx), ex)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	w.set(ex.firstByte, errFirstByte)
	resp, err := t.base.RoundTrip(out)
	if err == nil {
		err = redirected(resp)
	}
	if err != nil {
		w.stop()
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		cancel(nil)
		ex.record.close(err)
		return nil, err
	}
	ex.status = resp.StatusCode
	ex.record.answered(resp)
	html := strings.Contains(strings.ToLower(resp.Header.Get("Content-Type")), "text/html")
	b := newBody(ctx, resp.Body, w, ex, html)
	if resp.StatusCode >= http.StatusBadRequest {
		return t.refuse(resp, b), nil
	}
	resp.Body, ex.body = b, b
	resp.ContentLength = -1
	resp.Header.Del("Content-Length")
	return resp, nil
}

// plain sends a request without an exchange: the model list and such.
func (t *Transport) plain(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	t.setHeaders(out.Header)
	resp, err := t.base.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	if err := redirected(resp); err != nil {
		return nil, err
	}
	return resp, nil
}

func (t *Transport) setHeaders(h http.Header) {
	h.Set("User-Agent", "herarena")
	for name, value := range t.headers {
		h.Set(name, value)
	}
}

// prepare merges the fields and headers of the exchange into the request.
func (t *Transport) prepare(req *http.Request, ex *exchange) (*http.Request, error) {
	t.setHeaders(req.Header)
	for name, value := range ex.headers {
		req.Header.Set(name, value)
	}
	// net/http sends a POST again on a connection that turns out to be closed
	// only where it carries this header. llama-server promises to keep its
	// connections open and closes them.
	req.Header.Set("Idempotency-Key", rand.Text())
	raw, err := io.ReadAll(req.Body)
	_ = req.Body.Close()
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, fmt.Errorf("the request is no JSON object: %w", err)
	}
	for key, value := range ex.fields {
		if value == nil {
			delete(fields, key)
			continue
		}
		if fields[key], err = marshal(value); err != nil {
			return nil, fmt.Errorf("the field %s cannot be written as JSON: %w", key, err)
		}
	}
	if raw, err = marshal(fields); err != nil {
		return nil, err
	}
	if ex.base != "" && ex.base != ex.origin {
		if req.URL, err = rebase(req.URL, ex.origin, ex.base); err != nil {
			return nil, err
		}
		req.Host = req.URL.Host
	}
	ex.record.asked(req, raw)
	req.ContentLength = int64(len(raw))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	req.Body, _ = req.GetBody()
	return req, nil
}

// marshal writes JSON with < and > as they are: prompts are full of tags.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// redirected makes an error of a status 3xx: the key must go nowhere else, and a
// POST that is turned into a GET comes back with a web page.
func redirected(resp *http.Response) error {
	if resp.StatusCode < 300 || resp.StatusCode >= 400 {
		return nil
	}
	_ = resp.Body.Close()
	to := "nowhere"
	if resp.Request != nil {
		if u, err := resp.Request.URL.Parse(resp.Header.Get("Location")); err == nil && resp.Header.Get("Location") != "" {
			to = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
		}
	}
	return &redirect{status: resp.StatusCode, to: to}
}

// refuse reads the body of an error status and puts OpenAI's shape in its place.
func (t *Transport) refuse(resp *http.Response, b *body) *http.Response {
	// The status is known; the words must not be waited for as long as a reply.
	b.watch.set(min(b.ex.firstByte, 10*time.Second), errFirstByte)
	raw, err := io.ReadAll(io.LimitReader(b.src, maxErrorBody))
	b.ex.record.add(raw)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && len(raw) == 0 {
		raw = nil
	}
	_ = b.Close()
	r := refusalOfBody(resp.StatusCode, resp.Header.Get("Content-Type"), raw)
	if wait := retryAfter(resp.Header, time.Now()); wait > 0 {
		r.Wait = wait
	}
	r.Message = t.say(r.Message)
	b.ex.refused = r
	clean := r.canonical()
	resp.Body = io.NopCloser(bytes.NewReader(clean))
	resp.ContentLength = int64(len(clean))
	resp.Header.Del("Content-Length")
	resp.Header.Set("Content-Type", "application/json")
	return resp
}
