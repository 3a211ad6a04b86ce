package endpoint

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"herarena/arena"
)

// KeepAlive is what becomes of a connection between two requests, in words.
type KeepAlive string

// The findings on connections.
const (
	KeepAliveUnknown KeepAlive = "unknown"
	// KeepAliveKept: the second request went over the same connection.
	KeepAliveKept KeepAlive = "kept"
	// KeepAliveClosed: the server closes after each reply, and says so.
	KeepAliveClosed KeepAlive = "closed"
	// KeepAliveBroken: the server promises to keep the connection and closes it.
	KeepAliveBroken KeepAlive = "promised and closed"
)

const (
	// maxStream bounds what is read of the stream that the connection is tried with.
	maxStream = 1 << 20
	// settleTime is given to a server to close a connection it promised to keep.
	settleTime = 50 * time.Millisecond
)

// connection sends two requests in a row over connections of its own and looks
// whether the second finds the first one's open.
func (p *probe) connection(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, replyTime)
	defer cancel()
	c, err := p.c.at(p.c.cfg.BaseURL)
	if err != nil {
		return
	}
	defer c.Close()
	c.noteKind(p.c.knownKind())
	c.remember(p.r.Model, p.c.quirksOf(p.r.Model))
	resp, err := c.bareStream(ctx, p.r.Model)
	if err != nil {
		return
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxStream))
	_ = resp.Body.Close()
	p.r.Pings = max(p.r.Pings, countPings(raw))
	if err != nil || len(raw) == maxStream || resp.StatusCode != http.StatusOK {
		return
	}
	if resp.Close || resp.ProtoMajor == 1 && resp.ProtoMinor == 0 {
		p.r.KeepAlive = KeepAliveClosed
		return
	}
	if !sleep(ctx, settleTime) {
		return
	}
	var (
		mu  sync.Mutex
		got []bool // whether each connection that was tried was an old one
	)
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, info.Reused)
	}})
	if a := c.get(traced, c.cfg.BaseURL+"/models"); a.fault != nil && a.fault.Status == 0 {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	switch {
	case len(got) == 1 && got[0]:
		p.r.KeepAlive = KeepAliveKept
	case len(got) > 0:
		p.r.KeepAlive = KeepAliveBroken
	}
}

// bareStream asks for a short stream and returns the answer as it is.
func (c *Client) bareStream(ctx context.Context, model string) (*http.Response, error) {
	messages := []arena.Message{{Role: "user", Content: "Say good morning."}}
	fields := map[string]any{}
	maps.Copy(fields, c.cfg.ExtraBody)
	maps.DeleteFunc(fields, func(_ string, v any) bool { return v == nil })
	q := c.quirksOf(model)
	fields["model"], fields["stream"] = model, true
	fields[c.maxField(c.knownKind(), q)] = 8
	path := "/chat/completions"
	if c.cfg.API == APICompletions {
		path = "/completions"
		fields["prompt"] = chatML(messages, "")
	} else {
		fields["messages"] = wireMessages(messages)
	}
	body, err := marshal(fields)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if c.cfg.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
	return c.http.Do(req)
}

// countPings counts the signs of life before the first frame of a stream.
func countPings(raw []byte) int {
	n := 0
	for line := range bytes.Lines(raw) {
		line = bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(line, []byte(":")):
			n++
		case bytes.HasPrefix(line, []byte("data:")) && len(line) > len("data:"):
			return n
		}
	}
	return n
}
