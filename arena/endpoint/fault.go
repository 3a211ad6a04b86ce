package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	openai "github.com/sashabaranov/go-openai"

	"herarena/arena"
)

// maxWords bounds what a message quotes of a server, in runes.
const maxWords = 600

// clean makes a server's words safe to show: no keys, no control characters,
// one line, at most maxWords runes.
func (c *Client) clean(words string) string {
	words = hide(words, c.secrets)
	n := 0
	words = strings.Map(func(r rune) rune {
		if n++; n > 8*maxWords {
			return -1
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		if unicode.In(r, unicode.Cf, unicode.Co) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(words, "\uFFFD"))
	runes := []rune(strings.Join(strings.Fields(words), " "))
	if len(runes) > maxWords {
		return withoutTail(string(runes[:maxWords]), c.secrets) + "…"
	}
	return withoutTail(string(runes), c.secrets)
}

// quote is a server's text in quotation marks, at most n runes of it. It is
// cleaned before it is cut: half a key is no longer recognised as one.
func (c *Client) quote(text string, n int) string {
	return strconv.Quote(withoutTail(head(c.clean(text), n), c.secrets))
}

// faultOf puts an error of a request into the taxonomy.
func (c *Client) faultOf(ctx context.Context, err error, ex *exchange, model string) *arena.Fault {
	f := c.classify(ctx, err, ex, model)
	f.Message, f.Hint = c.clean(f.Message), c.clean(f.Hint)
	if f.Status == 0 {
		f.Status = ex.status
	}
	return f
}

func (c *Client) classify(ctx context.Context, err error, ex *exchange, model string) *arena.Fault {
	var (
		to   *redirect
		page *notStream
	)
	name := c.cfg.Name
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &arena.Fault{Kind: arena.Cancelled, Message: "stopped"}
	case ctx.Err() != nil:
		return &arena.Fault{Kind: arena.Cancelled, Message: "stopped: the time allowed for the reply is over"}
	case ex.refused != nil:
		return c.refusedFault(ex.refused, model)
	case errors.As(err, &to):
		return &arena.Fault{
			Kind: arena.BadRequest, Status: to.status,
			Message: fmt.Sprintf("%s answered that its address is %s (status %d); redirects are not followed, so that the key goes nowhere else", name, to.to, to.status),
			Hint:    "put the address it names into the configuration, if it is the server you mean",
		}
	case errors.As(err, &page):
		return c.pageFault(page)
	case errors.Is(err, errFirstByte):
		return &arena.Fault{
			Kind:    arena.Stalled,
			Message: fmt.Sprintf("%s sent no text within %s", name, short(ex.firstByte)),
			Hint:    "the server may be queueing, reading a long prompt or loading the model; try again, or raise first_byte_timeout",
		}
	case errors.Is(err, errIdle):
		return &arena.Fault{
			Kind:    arena.Stalled,
			Message: fmt.Sprintf("%s stopped sending in the middle of the reply; nothing came for %s", name, short(ex.idle)),
			Hint:    "what arrived is kept; try again, or raise idle_timeout",
		}
	case errors.Is(err, errLong):
		return &arena.Fault{
			Kind:    arena.ServerFault,
			Message: fmt.Sprintf("%s sent a single line of more than %d MB, which is no reply; the rest was not read", name, maxFrame>>20),
			Hint:    "check that the address is that of an OpenAI-compatible server",
		}
	case errors.Is(err, errFlood):
		return &arena.Fault{
			Kind:    arena.ServerFault,
			Message: fmt.Sprintf("%s sent more than %d MB of text in one reply; the rest was not read", name, maxReply>>20),
			Hint:    "set max_tokens",
		}
	case errors.Is(err, errEmpty):
		return &arena.Fault{
			Kind:    arena.CutOff,
			Message: name + " accepted the request and sent nothing",
			Hint:    "look at the server's log; the model may have crashed",
		}
	case ex.status >= 200 && ex.status < 300:
		return cutOff(name, err)
	}
	return c.networkFault(err, ex)
}

func cutOff(name string, err error) *arena.Fault {
	f := &arena.Fault{
		Kind:    arena.CutOff,
		Message: name + " closed the stream before the reply was finished",
		Hint:    "what arrived is kept; try again, and look at the server's log if it happens often",
	}
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		f.Message = fmt.Sprintf("the connection to %s broke before the reply was finished: %s", name, rootText(err))
	}
	return f
}

// pageFault is for a body that is no stream: most often a wrong address.
func (c *Client) pageFault(p *notStream) *arena.Fault {
	f := &arena.Fault{
		Kind:    arena.BadRequest,
		Message: fmt.Sprintf("%s answered with something that is no event stream: %s", c.cfg.Name, c.quote(p.text, 200)),
		Hint:    c.pathHint(),
	}
	if p.html {
		f.Message = fmt.Sprintf("%s answered with a web page instead of a reply: %s", c.cfg.Name, c.quote(p.text, 200))
		f.Hint = c.pathHint() + "; a login page or a proxy may stand between"
	}
	return f
}

// networkFault explains why no answer came at all, and notes in ex whether a
// second try may help: not where nothing listens on this machine, nor against a
// wrong name, certificate or protocol.
func (c *Client) networkFault(err error, ex *exchange) *arena.Fault {
	f := &arena.Fault{Kind: arena.Unreachable}
	host := hostOf(firstOf(ex.base, c.cfg.BaseURL))
	var (
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
		auth x509.UnknownAuthorityError
		name x509.HostnameError
	)
	text := rootText(err)
	switch {
	case errors.As(err, &dns):
		ex.transient = dns.IsTemporary
		f.Message = fmt.Sprintf("the name %s is not known", dns.Name)
		f.Hint = "check the spelling of the address and the network connection"
	case c.proxied(err, f):
		ex.transient = true
	case errors.Is(err, syscall.ECONNREFUSED):
		ex.transient = !loopback(firstOf(ex.base, c.cfg.BaseURL))
		f.Message = fmt.Sprintf("nothing answers at %s: connection refused", host)
		f.Hint = "start the server, or check the port in the address"
	case errors.As(err, &cert), errors.As(err, &auth), errors.As(err, &name), strings.Contains(text, "x509:"):
		f.Message = fmt.Sprintf("the certificate of %s cannot be trusted: %s", host, text)
		f.Hint = "set ca_file to its certificate, or insecure_skip_verify for this endpoint only"
	case strings.Contains(text, "server gave HTTP response to HTTPS client"), strings.Contains(text, "first record does not look like a TLS handshake"):
		f.Message = fmt.Sprintf("%s speaks plain HTTP, not HTTPS", host)
		f.Hint = "write http:// instead of https:// in the address"
	case says(text, []string{"malformed HTTP", "malformed MIME header", "unsupported transfer encoding", "malformed chunked"}):
		f.Message = fmt.Sprintf("what answers at %s does not speak HTTP: %s", host, text)
		f.Hint = "check the port in the address; a server with TLS needs https://"
	case isTimeout(err):
		ex.transient = true
		f.Message = fmt.Sprintf("%s cannot be reached: %s", host, text)
		f.Hint = "check the address, the firewall and the VPN"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		ex.transient = true
		f.Message = fmt.Sprintf("%s closed the connection without an answer", host)
		f.Hint = "look at the server's log; it may be restarting"
		if strings.HasPrefix(c.cfg.BaseURL, "https:") {
			f.Hint = "if it speaks plain HTTP, write http:// in the address; else look at its log"
		}
	default:
		ex.transient = true
		f.Message = fmt.Sprintf("%s cannot be reached: %s", host, text)
		f.Hint = "check the address and that the server is running"
	}
	return f
}

// proxied tells of a proxy that cannot be reached: the address that was dialled
// is then not the server's.
func (c *Client) proxied(err error, f *arena.Fault) bool {
	var op *net.OpError
	base, parseErr := url.Parse(c.cfg.BaseURL)
	if parseErr != nil || !errors.As(err, &op) || op.Op != "dial" && op.Op != "proxyconnect" {
		return false
	}
	proxy, proxyErr := http.ProxyFromEnvironment(&http.Request{URL: base})
	if proxyErr != nil || proxy == nil {
		return false
	}
	f.Message = fmt.Sprintf("the proxy %s, which the environment names for %s, cannot be reached: %s", proxy.Host, base.Host, op.Err)
	f.Hint = "check http_proxy and https_proxy; no_proxy lists hosts that are reached without"
	return true
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// rootText is the text of the innermost error that says something of its own.
func rootText(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var r *openai.RequestError
	if errors.As(err, &r) {
		return http.StatusText(r.HTTPStatusCode)
	}
	return err.Error()
}

// pathHint is the next step where the path looks wrong.
func (c *Client) pathHint() string {
	u, err := url.Parse(c.cfg.BaseURL)
	if err != nil || strings.HasSuffix(u.Path, "/v1") {
		return "check that the server speaks OpenAI's API at " + c.cfg.BaseURL
	}
	return "add /v1 to the address: most servers answer at " + u.Scheme + "://" + u.Host + "/v1"
}

func head(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

// short writes a duration without needless digits: "3 min", "45 s", "300 ms".
func short(d time.Duration) string {
	switch {
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d >= time.Second:
		return fmt.Sprintf("%.3g s", d.Seconds())
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}
