// Package endpoint is the client for OpenAI-compatible servers: vLLM,
// llama.cpp, Ollama, SGLang, TGI, LM Studio and what speaks like them.
//
// Requests are built by go-openai. Below it lies Transport, which adds the
// fields that go-openai drops, chooses the replica, makes one clean frame a line
// of whatever framing a server sends, keeps the timers, records the call and
// refuses redirects; above it a tolerant decoder of our own reads the frames. A
// reply is complete when a finish reason or the end mark was seen, and by
// nothing else: a body that merely ends was cut off.
package endpoint

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// Client talks to one server. It is safe for use by several goroutines; Close
// ends its idle connections.
type Client struct {
	cfg      Config
	replicas *replicas
	base     *http.Transport
	http     *http.Client
	api      *openai.Client
	secrets  []string // never shown in a message
	// repaired says what was put right of the address that was configured.
	repaired string

	mu     sync.Mutex
	kind   string    // as found out, "" while unknown
	asked  time.Time // when the kind was last asked for in vain
	models []Model   // as last listed
	// lengths are those of contexts, by model.
	lengths map[string]int
	quirks  map[string]quirks        // by model
	gates   map[string]chan struct{} // one seeker of a model's ways at a time
}

// New returns a client for the server of cfg. It sends nothing. The error of a
// bad configuration is a sentence that names the field and what to write there.
func New(cfg Config) (*Client, error) {
	given := cfg.BaseURL
	cfg, secrets, err := cfg.normalise()
	if err != nil {
		return nil, err
	}
	base, err := newTransport(cfg)
	if err != nil {
		return nil, err
	}
	c := &Client{cfg: cfg, base: base, secrets: secrets, repaired: repairs(given), quirks: map[string]quirks{}, gates: map[string]chan struct{}{}}
	c.replicas = newReplicas(append([]string{cfg.BaseURL}, cfg.Replicas...))
	if cfg.Kind != KindAuto {
		c.kind = cfg.Kind
	} else {
		c.kind = kindOfHost(cfg.BaseURL)
	}
	c.http = &http.Client{
		Transport: &Transport{base: base, headers: cfg.Headers, say: c.clean},
		// Transport makes an error of every redirect already; this guards
		// against a key being carried elsewhere should that ever change.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	api := openai.DefaultConfig(cfg.Key)
	api.BaseURL = cfg.BaseURL
	api.HTTPClient = c.http
	api.EmptyMessagesLimit = math.MaxUint32
	c.api = openai.NewClientWithConfig(api)
	return c, nil
}

// BaseURL returns the address requests go to, as normalised from the one that
// was configured. It holds no key.
func (c *Client) BaseURL() string { return c.cfg.BaseURL }

// Name returns the name that messages use for the server.
func (c *Client) Name() string { return c.cfg.Name }

// Close ends the idle connections. Requests under way are not touched.
func (c *Client) Close() { c.base.CloseIdleConnections() }

func newTransport(cfg Config) (*http.Transport, error) {
	t := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		// The default of two makes the fan-out of a battle reconnect each time.
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     90 * time.Second,
		// A TLS configuration of our own would switch HTTP/2 off.
		ForceAttemptHTTP2: true,
		// Many streams share one HTTP/2 connection: find out when it is dead.
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 20 * time.Second, PingTimeout: 15 * time.Second},
		MaxResponseHeaderBytes: 1 << 20,
	}
	if cfg.CAFile == "" && !cfg.InsecureTLS {
		return t, nil
	}
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: cfg.InsecureTLS} //nolint:gosec // asked for by name in the configuration
	if cfg.CAFile != "" {
		pem, err := os.ReadFile(cfg.CAFile)
		if err != nil {
			return nil, fmt.Errorf("endpoint %s: ca_file cannot be read: %w", cfg.Name, err)
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("endpoint %s: ca_file %s holds no certificate in PEM form", cfg.Name, cfg.CAFile)
		}
		t.TLSClientConfig.RootCAs = pool
	}
	return t, nil
}
