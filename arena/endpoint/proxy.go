package endpoint

import (
	"net/http"
	"net/url"
	"strings"
)

// proxyOf is the host of the proxy that requests to an address go through, ""
// where they go straight. It holds no user and no password.
func (c *Client) proxyOf(address string) string {
	if c.base.Proxy == nil {
		return ""
	}
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return ""
	}
	u, err := c.base.Proxy(req)
	if err != nil || u == nil {
		return ""
	}
	return u.Host
}

func proxyVariable(address string) string {
	if strings.HasPrefix(address, "https:") {
		return "https_proxy"
	}
	return "http_proxy"
}

func bareHost(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Hostname()
}

// proxyNote says that a proxy stands between, for a server with a fault.
func (p *probe) proxyNote() {
	proxy := p.c.proxyOf(p.c.cfg.BaseURL)
	if p.r.Fault == nil || proxy == "" || strings.Contains(p.r.Fault.Message, "the proxy ") {
		return
	}
	p.note("requests go through the proxy %s, as %s says, and the fault may be its own; %s in no_proxy keeps them from it",
		proxy, proxyVariable(p.c.cfg.BaseURL), bareHost(p.c.cfg.BaseURL))
}
