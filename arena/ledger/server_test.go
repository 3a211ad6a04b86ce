package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// altered returns an address with changes.
func altered(t *testing.T, place string, change func(u *url.URL, q url.Values)) string {
	t.Helper()
	u, err := url.Parse(place)
	must(t, err)
	q := u.Query()
	change(u, q)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestServersThatCannotBeUsedAreNamed(t *testing.T) {
	t.Parallel()
	place := schema(t)
	taken := schema(t)
	execute(t, taken, "CREATE TABLE duels (id INTEGER)")
	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = deaf.Close() }()
	for name, c := range map[string]struct {
		place string
		kind  Kind
		says  string
	}{
		"nobody listens":   {"postgres://me:s3cret-word@127.0.0.1:1/x", Silent, "postgres://127.0.0.1:1/x does not answer"},
		"never answers":    {"postgres://me:s3cret-word@" + deaf.Addr().String() + "/x?sslmode=disable&connect_timeout=2", Silent, "does not answer"},
		"no such database": {altered(t, place, func(u *url.URL, _ url.Values) { u.Path = "/nowhere" }), Address, "no such database"},
		"no such schema":   {altered(t, place, func(_ *url.URL, q url.Values) { q.Set("search_path", "nowhere") }), Address, "CREATE SCHEMA"},
		"no such user":     {altered(t, place, func(u *url.URL, _ url.Values) { u.User = url.UserPassword("nobody_of_that_name", "s3cret-word") }), Unreadable, "refuses the user or the password"},
		"of others":        {taken, Foreign, "tables of another program; nothing was changed"},
		"read-only":        {altered(t, place, func(_ *url.URL, q url.Values) { q.Set("default_transaction_read_only", "on") }), ReadOnly, "cannot be written"},
		"bad port":         {"postgres://me:s3cret/word@host/x", Address, "%XX"},
		"bad setting":      {"postgres://me:s3cret-word@host/x?sslmode=s3cret-word", Address, "postgres://USER@HOST"},
		"bad escape":       {"postgres://me:s3cret%zzword@host/x", Address, "%XX"},
	} {
		l, err := Open(context.Background(), c.place)
		if err == nil {
			_ = l.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		if !IsKind(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: want %s and %q, got %v", name, c.kind, c.says, err)
		}
		if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error tells the password: %v", name, err)
		}
	}
}

func TestAPasswordIsNeverShown(t *testing.T) {
	t.Parallel()
	place := altered(t, schema(t), func(u *url.URL, _ url.Values) { u.User = url.UserPassword(u.User.Username(), "s3cret-word") })
	for _, p := range []string{place, "postgres://me:s3cret/word@host/x", "postgresql://h/x?password=s3cret", "POSTGRES://me:s3cret@h/x", "postgres://%zz:s3cret"} {
		if s := Shown(p); strings.Contains(s, "s3cret") || !strings.HasPrefix(s, "postgres://") {
			t.Errorf("%q is shown as %q", p, s)
		}
	}
	if got := Shown("/home/me/ledger.db"); got != "/home/me/ledger.db" {
		t.Error(got)
	}
	l := open(t, place)
	must(t, l.RecordDuel(aDuel("d1")))
	var out bytes.Buffer
	must(t, l.Export(context.Background(), &out))
	broken := errors.New("dial with s3cret-word failed")
	for what, text := range map[string]string{"path": l.Path(), "export": out.String(), "error": l.explain(broken, "dance").Error()} {
		if strings.Contains(text, "s3cret") {
			t.Errorf("%s: %s", what, text)
		}
	}
}

func TestTextsSurviveTheServer(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "plain", "\x00", "\x1a", "\x1a00", "a\xffb", "\xed\xa0\x80", "達西\x1a", "\x1a\x1a4", "�"} {
		if got := unescape(escape(s)); got != s {
			t.Errorf("%q came back as %q", s, got)
		}
	}
	if got := unescape("\x1a\x1azz\x1a"); got != "\x1a\x1azz\x1a" {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.SampledFrom([]byte{0, 0x1a, '0', 'a', 0xff, 0xc3, 0xa9})).Draw(t, "bytes"))
		e := escape(s)
		if strings.ContainsRune(e, 0) || unescape(e) != s {
			t.Fatalf("%q is kept as %q", s, e)
		}
	})
}

func TestBytesOfEveryKindComeBack(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, on ground) {
		l := on.fresh(t)
		must(t, l.RecordDuel(aDuel("d")))
		turn := aTurn("d", 1)
		turn.Line = "sub \x1a1a, broken \xff\xfe, 達西, nul \x00."
		must(t, l.RecordTurn(turn))
		full, err := l.Duel(context.Background(), "d")
		must(t, err)
		if got := full.Turns[0].Line; got != turn.Line {
			t.Errorf("%q came back as %q", turn.Line, got)
		}
		if hits, err := l.Search(context.Background(), "sub \x1a1a, BROKEN"); err != nil || len(hits) != 1 {
			t.Errorf("%v, %v", hits, err)
		}
	})
}

func TestAServerKeepsItsConnections(t *testing.T) {
	t.Parallel()
	l := open(t, schema(t))
	must(t, l.RecordDuel(aDuel("d")))
	done := make(chan error, 4)
	for n := range 4 {
		go func() {
			var err error
			for k := range 20 {
				if err == nil {
					err = l.RecordTurn(aTurn("d", n*100+k))
				}
			}
			done <- err
		}()
	}
	for range 4 {
		must(t, <-done)
	}
	if s := l.writer.Stats(); s.MaxIdleClosed > 0 || s.OpenConnections > serverWriters {
		t.Errorf("%+v", s)
	}
}

func TestAServerThatEndsAConnectionIsUsedAgain(t *testing.T) {
	t.Parallel()
	place := altered(t, schema(t), func(_ *url.URL, q url.Values) { q.Set("application_name", fmt.Sprint("ended-", time.Now().UnixNano())) })
	l := open(t, place)
	must(t, l.RecordDuel(aDuel("d")))
	u, err := url.Parse(place)
	must(t, err)
	execute(t, schema(t), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"+u.Query().Get("application_name")+"'")
	must(t, l.RecordTurn(aTurn("d", 1)))
}
