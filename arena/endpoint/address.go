package endpoint

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// normaliseURL puts a base address right: scheme, path, no query.
func normaliseURL(address string) (string, *url.Userinfo, error) {
	s := strings.Trim(strings.TrimSpace(address), `"'`)
	if s == "" {
		return "", nil, fmt.Errorf("the address of the endpoint is empty; write one such as http://127.0.0.1:8000/v1")
	}
	if scheme, _, ok := strings.Cut(s, "://"); !ok {
		s = guessScheme(s) + "://" + s
	} else if l := strings.ToLower(scheme); l != "http" && l != "https" {
		return "", nil, fmt.Errorf("the address of the endpoint begins with %s://; only http:// and https:// can be used", hideUserinfo(scheme))
	}
	u, err := url.Parse(s)
	if err != nil {
		// The parser's own text quotes the address, which may hold a password.
		return "", nil, fmt.Errorf("the address of the endpoint, %q, cannot be read; write one such as http://127.0.0.1:8000/v1", hideUserinfo(address))
	}
	if u.Hostname() == "" {
		return "", nil, fmt.Errorf("the address of the endpoint, %q, names no host; write one such as http://127.0.0.1:8000/v1", hideUserinfo(address))
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return "", nil, fmt.Errorf("the address of the endpoint, %q, has port %s; ports go from 1 to 65535", hideUserinfo(address), p)
		}
	}
	path := strings.TrimRight(u.Path, "/")
	for _, tail := range []string{"/chat/completions", "/completions", "/models"} {
		path = strings.TrimRight(strings.TrimSuffix(path, tail), "/")
	}
	if path == "" {
		path = "/v1"
	}
	clean := url.URL{Scheme: strings.ToLower(u.Scheme), Host: u.Host, Path: path}
	return clean.String(), u.User, nil
}

// hideUserinfo removes what stands before an @ in an address.
func hideUserinfo(address string) string {
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		return "…@" + address[i+1:]
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
