package config

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Hidden stands where a value may be secret.
const Hidden = "(hidden)"

// harmlessHeaders are those whose values are no secrets.
func harmlessHeaders() []string {
	return []string{
		"Accept", "Accept-Language", "Anthropic-Version", "Cache-Control", "Content-Type", "Http-Referer", "Origin", "Referer",
		"User-Agent", "X-Scale-Up-Timeout", "X-Title", "X-Wait-For-Model",
	}
}

// Shown is the configuration as it may be printed: values of headers, users,
// passwords and queries of addresses, and what looks like a key are hidden.
func (c Config) Shown() Config {
	c.Endpoints = maps.Clone(c.Endpoints)
	for name, e := range c.Endpoints {
		e.URL = shownURL(e.URL)
		e.URLs = slices.Clone(e.URLs)
		for i := range e.URLs {
			e.URLs[i] = shownURL(e.URLs[i])
		}
		e.Headers = maps.Clone(e.Headers)
		for header := range e.Headers {
			if !slices.Contains(harmlessHeaders(), http.CanonicalHeaderKey(header)) {
				e.Headers[header] = Hidden
			}
		}
		e.ExtraBody, _ = shownBody(e.ExtraBody).(map[string]any)
		if e.KeyEnv != "" && !speakable(e.KeyEnv) {
			e.KeyEnv = Hidden
		}
		if looksSecret(e.KeyFile) {
			e.KeyFile = Hidden
		}
		c.Endpoints[name] = e
	}
	return c
}

// shownURL hides the user, the password and what follows the path. Where they
// cannot be told apart all is hidden.
func shownURL(address string) string {
	scheme := ""
	if !strings.Contains(address, "://") {
		scheme = "http://"
	}
	u, err := url.Parse(scheme + address)
	switch {
	case address == "":
		return ""
	case err != nil, u.User == nil && strings.Contains(address, "@"):
		return Hidden
	case u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == "":
		return address
	}
	shown := strings.TrimPrefix(u.Scheme+"://", scheme)
	if u.User != nil {
		shown += Hidden + "@"
	}
	shown += u.Host + u.EscapedPath()
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		shown += "?" + Hidden
	}
	return shown
}

// shownBody hides the values of fields whose names speak of secrets.
func shownBody(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		out := map[string]any{}
		for name, value := range v {
			if out[name] = shownBody(value); secretName(name) {
				out[name] = Hidden
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = shownBody(v[i])
		}
		return out
	}
	return v
}

// secretName reports whether a field is called as secrets are. max_tokens and
// its like count tokens.
func secretName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"api_key", "apikey", "api-key", "secret", "password", "passwd", "credential", "authorization", "bearer", "cookie"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return name == "key" || name == "token" || strings.HasSuffix(name, "_token") || strings.HasSuffix(name, "_key") || strings.HasSuffix(name, "-key")
}
