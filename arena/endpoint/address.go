package endpoint

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// address is the base address of an API, put right.
type address struct {
	url  string // scheme, host and path; no user, no query
	user *url.Userinfo
	// put says what was put right, in the order of doing: "added http://".
	put []string
}

// exampleURL is what messages offer instead of an address that is of no use.
const exampleURL = "http://127.0.0.1:8000/v1"

// normaliseURL puts a base address right: scheme, path, no query.
func normaliseURL(given string) (string, *url.Userinfo, error) {
	a, err := readAddress(given)
	return a.url, a.user, err
}

// Repaired says in one sentence what was put right of the address that was
// configured, and "" where it was right. It holds no key and no password.
func (c *Client) Repaired() string { return c.clean(c.repaired) }

// repairs is the sentence of Repaired for an address.
func repairs(given string) string {
	a, err := readAddress(given)
	if err != nil || len(a.put) == 0 {
		return ""
	}
	return fmt.Sprintf("the address was put right to %s: %s", a.url, strings.Join(a.put, ", "))
}

// readAddress reads a base address as people write and paste them.
func readAddress(given string) (address, error) {
	var a address
	s := strings.TrimSpace(given)
	if bare := strings.Trim(s, "\"'`<>"); bare != s {
		s = strings.TrimSpace(bare)
		a.put = append(a.put, "took off the quotes")
	}
	if s == "" {
		return a, fmt.Errorf("the address of the endpoint is empty; write one such as %s", exampleURL)
	}
	s, err := a.scheme(s)
	if err != nil {
		return a, err
	}
	u, err := url.Parse(s)
	if err != nil {
		// The parser's own text quotes the address, which may hold a password.
		return a, fmt.Errorf("the address of the endpoint, %q, cannot be read; write one such as %s", hideUserinfo(given), exampleURL)
	}
	if u.Hostname() == "" {
		return a, fmt.Errorf("the address of the endpoint, %q, names no host; write one such as %s", hideUserinfo(given), exampleURL)
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return a, fmt.Errorf("the address of the endpoint, %q, has port %s; ports go from 1 to 65535", hideUserinfo(given), p)
		}
	}
	host := u.Host
	if u.Hostname() == "0.0.0.0" {
		// Servers print the address they listen at; it is none to call.
		host = strings.Replace(host, "0.0.0.0", "127.0.0.1", 1)
		a.put = append(a.put, "took 127.0.0.1 for 0.0.0.0")
	}
	path := a.path(u.Path)
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		a.put = append(a.put, "left out what follows the path")
	}
	a.user = u.User
	a.url = (&url.URL{Scheme: strings.ToLower(u.Scheme), Host: host, Path: path}).String()
	return a, nil
}

// halfScheme repairs a scheme whose colon or slashes went wrong in typing.
func halfScheme(s string) (string, bool) {
	for _, scheme := range []string{"https", "http"} {
		if len(s) < len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) {
			continue
		}
		for _, half := range []string{":/", "//"} {
			rest, ok := strings.CutPrefix(s[len(scheme):], half)
			if ok && rest != "" && rest[0] != '/' {
				return scheme + "://" + rest, true
			}
		}
		// http:8000 may be the port of a machine called http.
		rest, ok := strings.CutPrefix(s[len(scheme):], ":")
		if host, _, _ := strings.Cut(rest, "/"); ok && host != "" && strings.Trim(host, "0123456789") != "" {
			return scheme + "://" + rest, true
		}
	}
	return s, false
}

// meantScheme is the scheme that a mistyped one was meant to be: one letter too
// many, too few or wrong, or the right letters in a wrong order; "" where it is
// right, or is another scheme.
func meantScheme(scheme string) string {
	scheme = strings.ToLower(scheme)
	if isHTTP(scheme) || len(scheme) > 7 {
		return ""
	}
	letters := func(s string) string {
		b := []byte(s)
		slices.Sort(b)
		return string(b)
	}
	for _, right := range []string{"http", "https"} {
		if letters(scheme) == letters(right) {
			return right
		}
	}
	near := ""
	for _, right := range []string{"http", "https"} {
		if distance(scheme, right) == 1 {
			near = right // an s, where there is one, was meant
		}
		if near != "" && !strings.Contains(scheme, "s") {
			break
		}
	}
	return near
}

// scheme makes sure that an address begins with http:// or https://.
func (a *address) scheme(s string) (string, error) {
	for {
		scheme, rest, _ := strings.Cut(s, "://")
		inner, _, again := strings.Cut(rest, "://")
		if !again || !isHTTP(scheme) || !isHTTP(inner) {
			break
		}
		s = rest
		a.put = append(a.put, "took off a doubled "+strings.ToLower(scheme)+"://")
	}
	if whole, ok := halfScheme(s); ok {
		a.put = append(a.put, "wrote :// behind the scheme")
		return whole, nil
	}
	if bare := strings.TrimPrefix(s, ":"); strings.HasPrefix(bare, "//") {
		s = strings.TrimLeft(bare, "/")
	}
	scheme, rest, ok := strings.Cut(s, "://")
	if meant := meantScheme(scheme); ok && meant != "" {
		a.put = append(a.put, "took "+meant+"://"+" for "+strings.ToLower(scheme)+"://")
		return meant + "://" + rest, nil
	}
	switch {
	case !ok:
		a.put = append(a.put, "added "+guessScheme(s)+"://")
		return guessScheme(s) + "://" + s, nil
	case !isHTTP(scheme):
		return "", fmt.Errorf("the address of the endpoint begins with %s://; only http:// and https:// can be used", hideUserinfo(scheme))
	}
	return s, nil
}

func isHTTP(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// path cuts from a path what requests append themselves.
func (a *address) path(given string) string {
	path := given
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	path = strings.TrimRight(path, "/")
	if slashes := given != "/" && strings.TrimRight(given, "/") != given; slashes || strings.TrimRight(given, "/") != path {
		a.put = append(a.put, "took off slashes")
	}
	for cut, tail := cutTail(path); tail != ""; cut, tail = cutTail(path) {
		path = cut
		a.put = append(a.put, "took off "+tail)
	}
	for _, own := range []string{"/api/chat", "/api/generate", "/api/tags"} {
		if cut, ok := strings.CutSuffix(path, own); ok {
			// Ollama's own API, which is another one.
			a.put = append(a.put, "took off "+own)
			path = cut
		}
	}
	if path == "" {
		a.put = append(a.put, "added /v1")
		return "/v1"
	}
	return path
}

// cutTail takes one thing off the end of a path that does not belong to the base
// of an API, and says what; "" where there is none.
func cutTail(path string) (cut, tail string) {
	for _, tail := range []string{"/chat/completions", "/completions", "/models", "/responses", "/embeddings"} {
		if cut, ok := strings.CutSuffix(path, tail); ok {
			return cut, tail
		}
	}
	for _, doubled := range []string{"/v1/v1", "/chat/completions/v1", "/completions/v1"} {
		if strings.HasSuffix(path, doubled) {
			return strings.TrimSuffix(path, "/v1"), "a second /v1"
		}
	}
	return path, ""
}

// hideUserinfo removes from an address what may be secret: what stands before an
// @, and what follows the path.
func hideUserinfo(address string) string {
	at, tail := strings.LastIndexByte(address, '@'), strings.IndexAny(address, "?#")
	if tail >= 0 && at > tail {
		return "…" // either may belong to a password or to a query
	}
	if tail >= 0 {
		address = address[:tail+1] + "…"
	}
	if at >= 0 {
		address = "…" + address[at:]
	}
	return address
}

// guessScheme takes http for machines nearby and https for names on the net.
func guessScheme(address string) string {
	host, _, _ := strings.Cut(address, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	if ip := net.ParseIP(name); ip != nil {
		return "http"
	}
	if !strings.Contains(name, ".") || strings.HasSuffix(name, ".local") || strings.HasSuffix(name, ".lan") {
		return "http"
	}
	return "https"
}
