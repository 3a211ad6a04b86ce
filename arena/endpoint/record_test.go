package endpoint

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestRecords(t *testing.T) {
	const key = "sk-verysecret123"
	s := newRawServer(t, func(n int, r *http.Request, _ []byte) answerer {
		var a answerer
		switch n {
		case 0:
			a = bodyOf(delta("you sent "+r.Header.Get("Authorization")), ": ping\n\n", stopFrame+doneFrame)
		case 1:
			a = status(401, `{"error":"wrong key `+key+`"}`)
		default:
			a = bodyOf(delta("Hel"))
			a.OmitFinal = true
		}
		a.Headers = "X-Echo: Bearer " + key + "\r\nSet-Cookie: a=b\r\n"
		return a
	})
	var mu sync.Mutex
	var records []CallRecord
	c := newClient(t, Config{BaseURL: s.url(), Key: key, Retries: -1, Headers: map[string]string{"X-Api-Key": "another-secret"}, Record: func(r CallRecord) {
		mu.Lock()
		defer mu.Unlock()
		records = append(records, r)
	}})
	call := hello()
	call.Messages[0].Content = "my key is " + key
	call.Session = "s1"
	for range 3 {
		play(t, c, "m", call)
	}
	s.listener.Close()
	play(t, c, "m", call)
	if len(records) != 4 {
		t.Fatalf("%d records", len(records))
	}
	all, err := json.Marshal(records)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{key, "another-secret", "a=b"} {
		if strings.Contains(string(all), secret) {
			t.Errorf("the records hold %q", secret)
		}
	}
	ok := records[0]
	var body map[string]any
	if json.Unmarshal(ok.Body, &body) != nil || body["model"] != "m" || ok.Method != "POST" || !strings.HasSuffix(ok.URL, "/v1/chat/completions") {
		t.Errorf("request %s %s %s", ok.Method, ok.URL, ok.Body)
	}
	if ok.Status != 200 || !strings.Contains(ok.Answer, ": ping\n\n") || !strings.Contains(ok.Answer, "[DONE]") || ok.Err != "" ||
		ok.Header.Get("X-Session-Id") != "s1" || ok.Total < ok.FirstAfter || ok.FirstAfter < ok.HeaderAfter || ok.HeaderAfter == 0 {
		t.Errorf("record %+v", ok)
	}
	if r := records[1]; r.Status != 401 || !strings.Contains(r.Answer, "wrong key [key]") {
		t.Errorf("refused: %+v", r)
	}
	if r := records[2]; r.Err == "" || !strings.Contains(r.Answer, "Hel") {
		t.Errorf("cut off: %+v", r)
	}
	if r := records[3]; r.Status != 0 || r.Err == "" {
		t.Errorf("nobody there: %+v", r)
	}
}

func TestARecordIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	s := newRawServer(t, always(stream(long, long, long, long, long)))
	var got CallRecord
	c := newClient(t, Config{BaseURL: s.url(), Record: func(r CallRecord) { got = r }})
	if out := play(t, c, "m", hello()); len(out.Content) != 5<<20 {
		t.Fatalf("%d bytes", len(out.Content))
	}
	if !got.Cut || len(got.Answer) != maxRecorded {
		t.Errorf("cut %v, %d bytes", got.Cut, len(got.Answer))
	}
}
