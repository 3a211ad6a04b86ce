package endpoint

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"herarena/arena"
)

// told plays a call and writes its events one a line.
func told(t *testing.T, a answerer, cfg Config) (string, arena.Outcome) {
	t.Helper()
	s := newRawServer(t, always(a))
	cfg.BaseURL = s.url()
	cfg.Retries = -1
	var lines []string
	out := newClient(t, cfg).Player("m").Stream(context.Background(), hello(), func(e Event) {
		line := e.Kind.String()
		switch e.Kind {
		case EventText, EventReasoning:
			line += " " + e.Text
		case EventDamage:
			line += fmt.Sprint(" ", e.Damaged)
		case EventUsage:
			line += fmt.Sprint(" ", e.Usage.TotalTokens)
		case EventFinish:
			line += " " + e.Finish
		case EventEnd:
			line += fmt.Sprint(" ", e.Complete, " ", e.Why)
		}
		lines = append(lines, line)
	})
	return strings.Join(lines, "\n"), out
}

func TestEvents(t *testing.T) {
	think := `data: {"choices":[{"index":0,"delta":{"reasoning":"hmm"}}]}` + "\n\n"
	for name, tt := range map[string]struct {
		answer answerer
		cfg    Config
		want   string
	}{
		"a whole reply": {bodyOf(think, delta("Hel")+"data: {\"choi\n\n"+delta("lo"), stopFrame, usageFrame+doneFrame), Config{}, `
reasoning hmm
text Hel
damage 1
text lo
finish stop
usage 9
end true finish reason`},
		"an end mark alone": {bodyOf(delta("Hello"), doneFrame), Config{}, "\ntext Hello\nend true end mark"},
		"a finish alone":    {bodyOf(delta("Hello"), stopFrame), Config{}, "\ntext Hello\nfinish stop\nend true finish reason"},
		"neither":           {bodyOf(delta("Hello")), Config{}, "\ntext Hello\nend false cut_off"},
		"an error":          {bodyOf(delta("Hello"), `data: {"error":{"message":"CUDA out of memory"}}`+"\n\n"), Config{}, "\ntext Hello\nend false server_fault"},
		"an error and then the mark": {
			bodyOf(delta("Hello"), `data: {"error":{"message":"CUDA out of memory"}}`+"\n\n", doneFrame),
			Config{},
			"\ntext Hello\nend false server_fault",
		},
		"refused": {status(401, `{"error":"Unauthorized"}`), Config{}, "\nend false unauthorised"},
		"a stall": {answerer{Chunked: true, Hold: true, Steps: []step{{Bytes: []byte(delta("Hel"))}}}, Config{IdleTimeout: 50 * time.Millisecond}, "\ntext Hel\nend false stalled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, out := told(t, tt.answer, tt.cfg)
			if "\n"+got != tt.want {
				t.Errorf("events:\n%s\nwant:%s", got, tt.want)
			}
			if strings.Contains(got, "end true") != out.Complete {
				t.Errorf("the outcome says complete %v", out.Complete)
			}
		})
	}
}

func TestARetryIsAnEvent(t *testing.T) {
	s := newRawServer(t, func(n int, _ *http.Request, _ []byte) answerer {
		if n == 0 {
			a := status(429, `{"error":{"message":"slow down"}}`)
			a.Headers = "Retry-After-Ms: 1\r\n"
			return a
		}
		return stream("ok")
	})
	var kinds []string
	newClient(t, Config{BaseURL: s.url()}).Player("m").Stream(context.Background(), hello(), func(e Event) {
		if e.Kind == EventRetry && (e.Fault == nil || e.Fault.Kind != arena.Overloaded || e.Wait <= 0) {
			t.Errorf("retry %+v", e)
		}
		kinds = append(kinds, e.Kind.String())
	})
	if got := strings.Join(kinds, " "); got != "retry text finish end" {
		t.Errorf("events %s", got)
	}
}

func TestEndIsTheLastEventAlways(t *testing.T) {
	c := newClient(t, Config{BaseURL: "http://127.0.0.1:1", Retries: -1})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, tt := range map[string]struct {
		ctx  context.Context
		call arena.Call
		why  string
	}{
		"cancelled before": {ctx, hello(), "cancelled"},
		"unwritable":       {context.Background(), arena.Call{}, "bad_request"},
		"nobody there":     {context.Background(), hello(), "unreachable"},
	} {
		var last []Event
		c.Player("m").Stream(tt.ctx, tt.call, func(e Event) { last = append(last, e) })
		if len(last) != 1 || last[0].Kind != EventEnd || last[0].Why != tt.why || last[0].Complete || last[0].Fault == nil {
			t.Errorf("%s: events %+v", name, last)
		}
	}
}
