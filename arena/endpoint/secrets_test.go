package endpoint

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestAHostileServerShowsNoKey repeats the key wherever a server's words can get
// into what a person is shown.
func TestAHostileServerShowsNoKey(t *testing.T) {
	const key = "sk-CANARY-0123456789"
	refused := func(status, headers, body string) wire {
		return raw("HTTP/1.1 "+status+"\r\nConnection: close\r\n"+headers+"\r\n", body)
	}
	for name, w := range map[string]wire{
		"content":             sse(say("your key is "+key) + stopFrame),
		"content in pieces":   sse(say("your key is "+key[:9]) + say(key[9:]+".") + stopFrame),
		"content escaped":     sse(say(`sk\u002dCANARY\u002d0123456789`) + stopFrame),
		"content by the byte": {writes: append([]string{headClose}, strings.Split(say(key)+stopFrame, "")...)},
		"reasoning":           sse(data(`{"choices":[{"delta":{"reasoning":"`+key+`"}}]}`) + stopFrame),
		"an error":            sse(data(`{"error":{"message":"` + key + `","type":"` + key + `","code":"` + key + `"}}`)),
		"an error's type":     sse(data(`{"error":{"type":"` + key + `"}}`)),
		"an event's error":    sse("event: error\ndata: " + key + "\n\n"),
		"a provider's error":  sse(data(`{"error":{"message":"x","metadata":{"raw":"` + key + `"}}}`)),
		"a page":              sse("<html>" + key + "</html>"),
		"plain text":          sse(key),
		"an error's page":     refused("502 x", "Content-Type: text/html\r\n", "<html><p>"+key+"</p></html>"),
		"a broken status":     raw("HTTP/1.1 " + key + "\r\n\r\n"),
		"no HTTP":             raw(key + "\r\n\r\n"),
		"a broken header":     raw("HTTP/1.1 200 OK\r\n" + key + "\r\n\r\n"),
		"a broken length":     raw("HTTP/1.1 200 OK\r\nContent-Length: " + key + "\r\n\r\n"),
		"a redirect's path":   refused("302 x", "Location: /"+key+"/\r\n", ""),
		"a redirect's user":   refused("307 x", "Location: http://"+key+":"+key+"@127.0.0.1:1/?k="+key+"#"+key+"\r\n", ""),
		"a redirect's host":   refused("308 x", "Location: http://"+key+".example/\r\n", ""),
		"a status of its own": refused("400 "+key, "WWW-Authenticate: "+key+"\r\nX-A: "+key+"\r\n", ""),
		"a field's place":     refused("422 x", "", `{"detail":[{"loc":["`+key+`"],"msg":"`+key+`"}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, Config{BaseURL: serveWire(t, w), Key: key, Retries: -1, FirstByteTimeout: 5 * time.Second})
			out := play(t, c, "m", hello())
			shown := fmt.Sprintf("%+v %v %q %q", out.Outcome, out.Fault, out.text, out.reasoning)
			if strings.Contains(strings.ToLower(shown), "canary") {
				t.Errorf("the key shows: %s", shown)
			}
			if out.Fault == nil && !out.Complete {
				t.Errorf("outcome %+v", out.Outcome)
			}
		})
	}
}
