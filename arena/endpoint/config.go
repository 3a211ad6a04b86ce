package endpoint

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Config says how to reach a server and how to speak with it. Only BaseURL is
// needed; the zero value of every other field means its default.
type Config struct {
	// Name is what messages call the server; the host where empty.
	Name string
	// BaseURL is the address up to and including /v1. A missing scheme, a bare
	// host and a pasted /chat/completions are put right.
	BaseURL string
	// Replicas are further addresses of servers with the same models. A session
	// stays at one of them, chosen by rendezvous hashing, and moves only when it
	// fails; the key goes to each.
	Replicas []string
	// Key is sent as a bearer token; empty sends none.
	Key string
	// KeyEnv is the environment variable that Key came from, for hints.
	KeyEnv string
	// KeyFile is the file that Key came from, for hints.
	KeyFile string
	// Headers are sent with every request.
	Headers map[string]string
	// Kind is the sort of server (see Kinds); "auto", the default, finds out.
	Kind string
	// API is "chat" (default) or "completions": raw completions of a prompt in
	// ChatML that is rendered here, the same bytes for every server.
	API string
	// ExtraBody is merged into every request body. A nil value keeps the field
	// of that name from being sent. Parameters of a call win over it.
	ExtraBody map[string]any
	// PrefillMode says how a reply's given beginning is sent: "auto" (default),
	// "off", "flags" (vLLM, llama.cpp), "trailing" (a last assistant message and
	// nothing more), "prefix" (DeepSeek, Mistral) or "completions".
	PrefillMode string
	// MaxTokensField is "max_tokens" or "max_completion_tokens"; empty chooses.
	MaxTokensField string
	// SessionHeader carries the session id; "X-Session-Id" where empty.
	SessionHeader string
	// FirstByteTimeout is the longest silence before the first text; 3 minutes
	// where 0. Comments and pings of the server count as signs of life.
	FirstByteTimeout time.Duration
	// IdleTimeout is the longest silence after the first text; 1 minute where 0.
	IdleTimeout time.Duration
	// Retries is how often a request that failed before its first text is sent
	// again; 2 where 0, none where negative.
	Retries int
	// ProbePrefill asks a server once for each model, with two or three short
	// replies, how the beginning of a reply is to be sent, where PrefillMode is
	// "auto". Without it the kind of server decides.
	ProbePrefill bool
	// Memory keeps what was found out between runs; may be nil.
	Memory Memory
	// Record gets a record of each request when it has ended, from whichever
	// goroutine ends it; may be nil.
	Record func(CallRecord)
	// CAFile is a PEM file with a certificate to trust beside the system's.
	CAFile string
	// InsecureTLS accepts any certificate.
	InsecureTLS bool
}

// The APIs and prefill modes a configuration can name.
const (
	APIChat        = "chat"
	APICompletions = "completions"

	PrefillAuto        = "auto"
	PrefillOff         = "off"
	PrefillFlags       = "flags"
	PrefillTrailing    = "trailing"
	PrefillPrefix      = "prefix"
	PrefillCompletions = "completions"
)

const (
	fieldMaxTokens           = "max_tokens"
	fieldMaxCompletionTokens = "max_completion_tokens"

	defaultFirstByte = 3 * time.Minute
	defaultIdle      = time.Minute
	defaultRetries   = 2
)

// normalise returns the configuration with its defaults filled in, and the
// strings that no message may hold.
func (c Config) normalise() (Config, []string, error) {
	base, user, err := normaliseURL(c.BaseURL)
	if err != nil {
		return c, nil, err
	}
	c.BaseURL = base
	if c.Name == "" {
		u, _ := url.Parse(base)
		c.Name = u.Host
	}
	if c.Replicas, err = c.normaliseReplicas(); err != nil {
		return c, nil, err
	}
	if err := c.words(); err != nil {
		return c, nil, fmt.Errorf("endpoint %s: %w", c.Name, err)
	}
	secrets, err := c.credentials(user)
	if err != nil {
		return c, nil, fmt.Errorf("endpoint %s: %w", c.Name, err)
	}
	if _, err := json.Marshal(c.ExtraBody); err != nil {
		return c, nil, fmt.Errorf("endpoint %s: extra_body cannot be written as JSON: %w", c.Name, err)
	}
	if c.FirstByteTimeout <= 0 {
		c.FirstByteTimeout = defaultFirstByte
	}
	if c.IdleTimeout <= 0 {
		c.IdleTimeout = defaultIdle
	}
	switch {
	case c.Retries == 0:
		c.Retries = defaultRetries
	case c.Retries < 0:
		c.Retries = 0
	}
	return c, secrets, nil
}

// normaliseReplicas puts the further addresses right and drops doubles.
func (c *Config) normaliseReplicas() ([]string, error) {
	var out []string
	for _, address := range c.Replicas {
		base, user, err := normaliseURL(address)
		switch {
		case err != nil:
			return nil, err
		case user != nil:
			return nil, fmt.Errorf("endpoint %s: the address of a replica holds a user or password; put it into headers or key_env", c.Name)
		case base != c.BaseURL && !slices.Contains(out, base):
			out = append(out, base)
		}
	}
	return out, nil
}

// words checks the fields that hold one of a few words.
func (c *Config) words() error {
	kind, err := parseKind(c.Kind)
	if err != nil {
		return err
	}
	c.Kind = kind
	if err := oneOf("api", &c.API, APIChat, APICompletions); err != nil {
		return err
	}
	if err := oneOf("prefill", &c.PrefillMode, PrefillAuto, PrefillOff, PrefillFlags,
		PrefillTrailing, PrefillPrefix, PrefillCompletions); err != nil {
		return err
	}
	if c.MaxTokensField != "" {
		if err := oneOf("max_tokens_field", &c.MaxTokensField, fieldMaxTokens, fieldMaxCompletionTokens); err != nil {
			return err
		}
	}
	return nil
}

// oneOf checks that *word is one of the words; the first is the default.
func oneOf(field string, word *string, words ...string) error {
	if *word == "" {
		*word = words[0]
	}
	if !slices.Contains(words, *word) {
		return fmt.Errorf("%s is %q; want %s", field, *word, strings.Join(words, ", "))
	}
	return nil
}

// credentials tidies the key and the headers and returns what is secret in them.
func (c *Config) credentials(user *url.Userinfo) (secrets []string, err error) {
	c.Key = strings.TrimSpace(c.Key)
	if !printable(c.Key) {
		return nil, fmt.Errorf("the key holds a line break or a character that is not ASCII; copy it again")
	}
	if c.SessionHeader == "" {
		c.SessionHeader = "X-Session-Id"
	}
	headers := map[string]string{}
	for name, value := range c.Headers {
		value = strings.TrimSpace(value)
		if !token(name) || !printable(value) {
			return nil, fmt.Errorf("header %q cannot be sent: its name or value holds a character HTTP does not allow", name)
		}
		headers[http.CanonicalHeaderKey(name)] = value
		secrets = append(secrets, value, strings.TrimPrefix(value, "Bearer "))
	}
	if !token(c.SessionHeader) {
		return nil, fmt.Errorf("session_header %q is no header name", c.SessionHeader)
	}
	if user != nil {
		password, _ := user.Password()
		basic := base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
		secrets = append(secrets, password, basic)
		if c.Key == "" && headers["Authorization"] == "" {
			headers["Authorization"] = "Basic " + basic
		}
	}
	c.Headers = headers
	secrets = append(secrets, c.Key)
	// Short header values are words like "1" or "herarena"; hiding those would
	// only make holes in messages.
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return len(s) < 6 && s != c.Key || s == "" })
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	c.ExtraBody = maps.Clone(c.ExtraBody)
	return slices.Compact(secrets), nil
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func token(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || strings.IndexByte("()<>@,;:\\\"/[]?={}", s[i]) >= 0 {
			return false
		}
	}
	return s != ""
}
