package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"herarena/arena"
	"herarena/arena/formats"
	"herarena/arena/ledger"
	"herarena/characters"
	"herarena/characters/card"
	"herarena/characters/card/cardtest"
	"herarena/characters/library"
	"herarena/characters/testset"
	"herarena/tui/guard"
)

const (
	// hostileInputs is how many hostile files are taken the whole way.
	hostileInputs = 10_000
	// hangs is after how long an input is said to hang. It is no measure of
	// speed: a machine would have to be thousands of times too slow.
	hangs = 30 * time.Second
	// maxAllocated bounds what one input may have allocated in all on the whole
	// way, beside 500 times its own size: archives unpack up to 32 MiB.
	maxAllocated = 400 << 20
)

// allocated is how many bytes have been allocated since the start.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// TestHostileFilesGoTheWholeWay takes ten thousand hostile files from their
// bytes to the screen: read, put on stage, a line said, so that lore is looked
// through and macros are filled in, prompts made, all of it cleaned for a
// terminal, and back out as a file. Nothing may panic, hang, fill the memory,
// give a word of an error that names nothing, or let a control character by.
func TestHostileFilesGoTheWholeWay(t *testing.T) {
	way := hostileWay{dir: t.TempDir(), kinds: map[string]int{}}
	var at atomic.Int64
	watch := time.AfterFunc(hangs, func() {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		panic(fmt.Sprintf("cardtest.Hostile(%d) hangs\n%s", at.Load(), stacks))
	})
	defer watch.Stop()
	step := 1
	if testing.Short() {
		step = 10
	}
	for n := 0; n < hostileInputs; n += step {
		at.Store(int64(n))
		watch.Reset(hangs)
		in := cardtest.Hostile(n)
		before := allocated()
		way.take(t, n, in)
		if used := allocated() - before; used > maxAllocated+500*uint64(len(in.Data)) {
			t.Errorf("Hostile(%d), %s %q of %d bytes: %d MB are allocated", n, in.Kind, in.Name, len(in.Data), used>>20)
		}
		if t.Failed() && n > 0 && way.faults > 20 {
			t.Fatal("and so on")
		}
	}
	for _, kind := range []string{"card", "lorebook", "chat", "scenario", "scene file", "set"} {
		if way.kinds[kind] < 100/step {
			t.Errorf("only %d of the files could be read as a %s: the generator makes too little sense", way.kinds[kind], kind)
		}
	}
	t.Logf("read and played: %v", way.kinds)
}

// hostileWay is the way of a file.
type hostileWay struct {
	dir    string
	kinds  map[string]int
	faults int
}

func (w *hostileWay) take(t *testing.T, n int, in cardtest.Input) {
	t.Helper()
	say := func(format string, args ...any) {
		w.faults++
		t.Errorf("Hostile(%d), %s %q: %s", n, in.Kind, in.Name, fmt.Sprintf(format, args...))
	}
	defer func() {
		if r := recover(); r != nil {
			stack := make([]byte, 8<<10)
			say("panics: %v\n%s", r, stack[:runtime.Stack(stack, false)])
		}
	}()
	if strings.HasSuffix(in.Name, ".toml") || strings.HasPrefix(in.Kind, "scene file") {
		w.sceneFile(say, in)
	}
	if set, err := testset.Read(in.Data, in.Name); err == nil {
		w.kinds["set"]++
		for _, item := range set.Items[:min(len(set.Items), 3)] {
			w.play(say, item.Scene, nil)
		}
	} else if err.Error() == "" {
		say("an error of a set without a word")
	}
	f, err := card.Read(in.Data, in.Name)
	if err != nil {
		var fault *card.Error
		if !errors.As(err, &fault) || fault.Code == "" || len(fault.Message) < 10 {
			say("the error is %#v", err)
		}
		w.shown(say, err.Error())
		return
	}
	w.kinds[string(f.Kind)]++
	f.Counts()
	w.shown(say, f.DisplayName())
	for _, warning := range f.Warnings {
		w.shown(say, warning.Message)
		if len(warning.Message) > 2000 {
			say("a warning of %d bytes", len(warning.Message))
		}
	}
	if kind, picture := f.Avatar(); kind != nil && picture == "" {
		say("an avatar of no kind")
	}
	if s, _, err := f.Scene(card.PlayOptions{User: "Wren", Seed: uint64(n)}); err == nil {
		w.play(say, s, nil)
	}
	if f.Kind == card.KindChat {
		w.chat(say, f)
	}
	if n%5 == 0 {
		w.export(say, f)
	}
}

func (w *hostileWay) sceneFile(say func(string, ...any), in cardtest.Input) {
	path := filepath.Join(w.dir, "scene"+filepath.Ext(in.Name))
	if err := os.WriteFile(path, in.Data, 0o600); err != nil {
		say("%v", err)
		return
	}
	s, err := card.Load(path)
	if err != nil {
		w.shown(say, err.Error())
		return
	}
	w.kinds["scene file"]++
	w.play(say, s, nil)
}

func (w *hostileWay) chat(say func(string, ...any), f *card.File) {
	for i := range f.Chats[:min(len(f.Chats), 2)] {
		c, err := formats.ReadChat(&f.Chats[i], "")
		if err != nil {
			continue
		}
		s, err := c.Scene(f.Name)
		if err != nil {
			say("%v", err)
			return
		}
		w.play(say, s, c.Past)
	}
}

func (w *hostileWay) export(say func(string, ...any), f *card.File) {
	for _, to := range []string{"v2", "v3", "png"} {
		out, err := f.Export(to)
		if err != nil {
			w.shown(say, err.Error())
			continue
		}
		if back, err := card.Read(out, "x"); err != nil || back.Kind != f.Kind {
			say("as %s it cannot be read again: %v", to, err)
		}
	}
}

// attentive is a player that keeps what it is asked and says a line.
type attentive struct {
	mu    sync.Mutex
	calls []arena.Call
}

func (l *attentive) Play(_ context.Context, call arena.Call, on func(arena.Chunk)) arena.Outcome {
	l.mu.Lock()
	l.calls = append(l.calls, call)
	l.mu.Unlock()
	const text = "*nods* aaaaaaaaaaaaaaaaaaaaaaaaa! The fog is in."
	on(arena.Chunk{Text: text})
	return arena.Outcome{Content: text, Finish: "stop", Complete: true}
}

// play says a line in a scene, and looks at all that is asked and shown.
func (w *hostileWay) play(say func(string, ...any), s characters.Scene, past []arena.PastTurn) {
	if err := s.Validate(); err != nil {
		say("a scene that is not valid: %v", err)
		return
	}
	if cast, err := s.Cast(characters.CastOptions{Seed: 7}); err == nil {
		s = cast
	}
	ear := &attentive{}
	d, err := arena.NewDuel(arena.DuelOptions{Scene: s, Past: past, Contestants: [2]arena.Contestant{{Name: "a", Player: ear}, {Name: "b", Player: ear}}})
	if err != nil {
		say("no duel: %v", err)
		return
	}
	if err := d.Say(context.Background(), "aaaaaaaaaaaaaaaaaaaaaaaaaaaa! Good evening, x."); err != nil {
		say("nothing can be said: %v", err)
	}
	for ended := 0; ended < 2; {
		ev, ok := <-d.Events()
		if !ok {
			say("the duel ended before its replies")
			break
		}
		if _, is := ev.(arena.ReplyEnded); is {
			ended++
		}
	}
	if err := d.Close(); err != nil {
		say("%v", err)
	}
	if len(ear.calls) < 2 {
		say("%d calls", len(ear.calls))
	}
	for _, call := range ear.calls[:min(1, len(ear.calls))] {
		for _, m := range call.Messages {
			if !utf8.ValidString(m.Content) {
				say("a prompt that is not UTF-8")
			}
			if strings.ContainsRune(m.Content, 0) {
				say("a prompt with NUL in it")
			}
			w.shown(say, m.Content)
		}
	}
	for _, text := range []string{s.Title, s.Character.Name, s.User.Name, s.Blurb} {
		w.shown(say, text)
	}
}

// shown cleans a text for a terminal and looks for what drives one.
func (w *hostileWay) shown(say func(string, ...any), text string) {
	clean := guard.Text(text)
	for _, r := range clean {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
			say("%U reaches the screen in %.80q", r, clean)
			return
		}
	}
	if line := guard.Line(text); strings.ContainsAny(line, "\n\r") {
		say("a line of two lines: %.80q", line)
	}
}

// TestAFolderOfHostileFilesIsListed indexes some of them as a library.
func TestAFolderOfHostileFilesIsListed(t *testing.T) {
	dir := t.TempDir()
	const files = 400
	for n := range files {
		in := cardtest.Hostile(n)
		name := fmt.Sprintf("%03d%s", n, filepath.Ext(strings.ReplaceAll(in.Name, "/", "_")))
		if err := os.WriteFile(filepath.Join(dir, name), in.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := library.Open(library.Options{Dirs: []string{dir}, Index: filepath.Join(t.TempDir(), "index")})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if _, err := l.Refresh(ctx, nil); err != nil {
		t.Fatal(err)
	}
	entries := l.Entries()
	if len(entries) < files/2 {
		t.Errorf("%d of %d are listed", len(entries), files)
	}
	for _, e := range entries {
		for _, text := range []string{e.Name, e.Err} {
			if strings.ContainsFunc(guard.Line(text), unicode.IsControl) {
				t.Errorf("%q", text)
			}
		}
	}
}

// TestHostileImportsAreTakenWholeOrNotAtAll gives hostile chats and cards to the
// ledger as imports.
func TestHostileImportsAreTakenWholeOrNotAtAll(t *testing.T) {
	l, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	taken := 0
	for n := 4; n < 3000; n += 24 {
		in := cardtest.Hostile(n)
		for _, format := range []string{"auto", "sillytavern"} {
			if _, _, err := take(t.Context(), l, strings.NewReader(string(in.Data)), in.Name, importFlags{format: format}); err == nil {
				taken++
			} else if strings.Contains(err.Error(), "the ledger") && !strings.Contains(err.Error(), "line") {
				t.Errorf("Hostile(%d): %v", n, err)
			}
		}
	}
	if taken == 0 {
		t.Error("nothing was taken in")
	}
	all, err := l.Duels(t.Context(), ledger.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if _, err := l.Duel(t.Context(), s.ID); err != nil {
			t.Errorf("%s was taken in and cannot be read: %v", s.ID, err)
		}
	}
}
