package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

// duelID stands in the last line of a transcript.
var duelID = regexp.MustCompile(`log show \w+`)

func TestPlainPlaysTheRehearsalFromAScript(t *testing.T) {
	home(t)
	const lines = "Good evening, Miss Bennet.\n/a\nWill you dance the next?\n/plan 2 a\n/history\n"
	r := call(t, lines, "--plain", "--scene", "ball", "--pace", "-1")
	if r.code != exitOK || r.err != "" {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	const path = "testdata/plain.txt"
	got := duelID.ReplaceAllString(r.out, "log show ID")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the transcript has changed (-want +got); -update renews it:\n%s", diff)
	}
	if id := duelID.FindString(r.out); id != "" {
		shown := call(t, "", strings.Fields(id)...)
		if shown.code != exitOK || !strings.Contains(shown.out, "Will you dance the next?") {
			t.Errorf("%s: %+v", id, shown)
		}
	}
	b := call(t, "", "board", "--source", "rehearsal/vote", "--json")
	if !strings.Contains(b.out, `"battles":1`) {
		t.Errorf("the vote is not on its board: %s", b.out)
	}
}

func TestPlainStandsInForTheScreenWhereLinesArePiped(t *testing.T) {
	home(t)
	r := call(t, "晚上好。\n", "--scene", "teahouse", "--pace", "-1", "--blind")
	if r.code != exitOK || !strings.Contains(r.out, "Turn 1. You say: 晚上好。") || !strings.Contains(r.err, "plain mode") {
		t.Errorf("got %+v", r)
	}
	if strings.Contains(r.out, "understudy") {
		t.Errorf("blind is not blind:\n%s", r.out)
	}
	if r := call(t, "", "--pace", "-1"); r.code != exitFailure || r.out != "" || !strings.Contains(r.err, "needs a terminal") {
		t.Errorf("without a line it gave %+v", r)
	}
	if r := call(t, "", "--plain", "--pace", "-1"); r.code != exitOK || !strings.Contains(r.out, "Meryton ball") {
		t.Errorf("an empty script gave %+v", r)
	}
}

func TestPlainExitCodes(t *testing.T) {
	home(t)
	for _, c := range []struct {
		lines string
		args  []string
		code  int
		want  string
	}{
		{"x\n", []string{"--canon", "latin"}, exitUsage, "latin"},
		{"x\n", []string{"--scene", "nowhere"}, exitFailure, "nowhere"},
		{"/a\n", nil, exitFailure, "nothing has been said yet"},
		{"Well?\n/nonsense\n/a\n", nil, exitFailure, "no command /nonsense"},
		{"Well?\n", []string{"--a", "http://127.0.0.1:1/v1#her-32b"}, exitFailure, "A, her-32b@:1, failed, unreachable"},
	} {
		r := call(t, c.lines, append([]string{"--plain", "--pace", "-1"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.err, c.want) {
			t.Errorf("%q %v: exit %d, want %d: %s", c.lines, c.args, r.code, c.code, r.err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	time.AfterFunc(200*time.Millisecond, cancel)
	if code := run(ctx, []string{"--plain", "--pace", "-1"}, r, io.Discard, io.Discard); code != exitInterrupted {
		t.Errorf("an ended context gave %d", code)
	}
}

func TestPlainEndsWhenItsReaderGoes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no SIGPIPE on Windows")
	}
	dir := t.TempDir()
	cmd := exec.Command(binary(t), "--plain", "--pace", "-1")
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errw bytes.Buffer
	cmd.Stderr = &errw
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 10)
	if _, err := io.ReadFull(out, first); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	for range 20 {
		if _, err := io.WriteString(in, "Good evening.\n"); err != nil {
			break
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailure || !strings.Contains(errw.String(), "output is closed") {
		t.Errorf("%v: %s", err, errw.String())
	}
}

func TestPlainAtATerminal(t *testing.T) {
	t.Parallel()
	p := sit(t, 100, 60, "--plain", "--pace", "20", "--a", "rehearsal/lead", "--b", "rehearsal/understudy", "--critic", "house")
	x := p.term
	ask := func(question, answer string) {
		t.Helper()
		x.WaitFor(t, question)
		x.Type(answer)
		x.Press("enter")
	}
	ask("Scene. Enter takes", "mutiny")
	ask("Canon. Enter takes", "")
	ask("Blind. Enter takes", "start")
	x.WaitFor(t, "Your turn.")
	p.say("Good evening.")
	x.WaitFor(t, "Turn 1.")
	x.WaitFor(t, "plans (")
	x.Press("ctrl+c")
	x.WaitFor(t, "Stopped. Ctrl C again leaves.")
	x.WaitFor(t, "was stopped.")
	x.WaitFor(t, "Not judged: ")
	if s := x.Screen(); strings.Contains(s, "by your vote.") {
		t.Errorf("nobody voted:\n%s", s)
	}
	x.WaitFor(t, "Your turn. Vote")
	p.say("/show")
	x.WaitFor(t, "is not valid: stopped.")
	p.say("/nonsense")
	x.WaitFor(t, "There is no command /nonsense.")
	x.Press("ctrl+c")
	x.WaitFor(t, "Nothing is running.")
	x.Press("ctrl+c")
	x.WaitDone(t)
	if s := x.Screen(); !strings.Contains(s, "herarena: interrupted") || !strings.Contains(s, "The duel is kept: herarena log show") {
		t.Errorf("it left without a word:\n%s", s)
	}
}

func TestPlainWritesNoSequenceToATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.Command(binary(t), "--plain", "--pace", "-1", "--scene", "market")
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "TERM=xterm-256color", "COLORTERM=truecolor")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 60, Rows: 24})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer f.Close()
	if _, err := io.WriteString(f, "start\nGood evening.\n\x04"); err != nil {
		t.Fatal(err)
	}
	raw, _ := io.ReadAll(f) // ends with an error on Linux once the program has gone
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, raw)
	}
	text := strings.ReplaceAll(string(raw), "\r\n", "\n")
	if !strings.Contains(text, "\nRuling: ") || strings.ContainsAny(text, "\x1b\r\b") {
		t.Errorf("no ruling, or a sequence was written: %q", text)
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "Principle 1") && len(line) <= 60 {
			t.Errorf("a line was broken by hand: %q", line)
		}
	}
}

func TestPlainAsksTheTerminalNothingWhenItIsInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.Command(binary(t), "--plain", "--pace", "-1")
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "TERM=xterm-256color", "COLORTERM=truecolor")
	f, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer f.Close()
	r := bufio.NewReader(f)
	text, err := r.ReadString('\n')
	if err != nil || !strings.HasPrefix(text, "Scene. Enter takes") {
		t.Fatalf("%v: %q", err, text)
	}
	if _, err := io.WriteString(f, "\x03"); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(r)
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || !bytes.Contains(rest, []byte("interrupted")) || bytes.ContainsRune(rest, 0x1b) {
		t.Errorf("%v: %q", err, rest)
	}
}
