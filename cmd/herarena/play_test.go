package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"herarena/arena/rehearsal"
	"herarena/judge/house"
	"herarena/judge/prompt"
	"herarena/tui/screentest"
)

var build struct {
	once sync.Once
	path string
	err  error
	out  []byte
}

// binary builds the program once for all tests.
func binary(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("short: the real binary is not built")
	}
	build.once.Do(func() {
		dir, err := os.MkdirTemp("", "herarena-test-")
		if err != nil {
			build.err = err
			return
		}
		build.path = filepath.Join(dir, "herarena")
		if runtime.GOOS == "windows" {
			build.path += ".exe"
		}
		build.out, build.err = exec.Command("go", "build", "-o", build.path, ".").CombinedOutput()
	})
	if errors.Is(build.err, exec.ErrNotFound) {
		t.Skip("the go tool is not on the path: the real binary cannot be built")
	}
	if build.err != nil {
		t.Fatalf("go build: %v\n%s", build.err, build.out)
	}
	return build.path
}

func TestMain(m *testing.M) {
	code := m.Run()
	if build.path != "" {
		_ = os.RemoveAll(filepath.Dir(build.path))
	}
	os.Exit(code)
}

// onStage stands on a stage where nothing has been said yet.
const onStage = "listens once both have replied"

// person is the real binary in a terminal, with folders of its own.
type person struct {
	t    *testing.T
	env  []string
	term *screentest.Term
}

func sit(t *testing.T, w, h int, args ...string) *person {
	t.Helper()
	dir := t.TempDir()
	p := &person{t: t, env: append(os.Environ(),
		"XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_DATA_HOME="+filepath.Join(dir, "data"),
		"XDG_STATE_HOME="+filepath.Join(dir, "state"),
		"TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=")}
	p.term = screentest.Real(t, binary(t), args, p.env, w, h)
	return p
}

// run calls the same binary once more, without a terminal.
func (p *person) run(args ...string) (out string, code int) {
	p.t.Helper()
	cmd := exec.Command(binary(p.t), args...)
	cmd.Env = p.env
	var buf, errw bytes.Buffer
	cmd.Stdout, cmd.Stderr = &buf, &errw
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return buf.String() + errw.String(), exit.ExitCode()
	case err != nil:
		p.t.Fatal(err)
	}
	return buf.String(), 0
}

func (p *person) say(line string) {
	p.t.Helper()
	p.term.Type(line)
	p.term.WaitFor(p.t, line)
	p.term.Press("enter")
}

// decided waits until the critic has ruled on the turn.
func (p *person) decided(turn string) {
	p.t.Helper()
	p.term.WaitUntil(p.t, turn+" decided", func(s string) bool {
		return strings.Contains(s, turn) && (strings.Contains(s, "both orders agree") || strings.Contains(s, "flip"))
	})
}

type boardDoc struct {
	Battles int `json:"battles"`
	Ratings []struct {
		Contestant string  `json:"contestant"`
		Wins       float64 `json:"wins"`
	} `json:"ratings"`
}

func (p *person) board(source string) boardDoc {
	p.t.Helper()
	out, code := p.run("board", "--source", source, "--json")
	var b boardDoc
	if err := json.Unmarshal([]byte(out), &b); err != nil || code != 0 {
		p.t.Fatalf("board --source %s: exit %d, %s", source, code, out)
	}
	return b
}

func TestThreeTurnsInARealTerminal(t *testing.T) {
	t.Parallel()
	p := sit(t, 120, 40, "--pace", "-1")
	x := p.term
	x.WaitFor(t, "Meryton ball")
	x.WaitFor(t, "rehearsal: scripted players, house critic, no model")
	x.Press("enter")
	x.WaitFor(t, onStage)
	for i, line := range []string{"Good evening, Miss Bennet.", "I spoke badly of you.", "Will you dance the next?"} {
		p.say(line)
		p.decided("turn " + string(rune('1'+i)))
		x.Press("1")
		x.WaitFor(t, "you A")
	}
	closed := strings.Count(x.Screen(), "▾")
	for range 4 { // tab round to the verdict
		x.Press("tab")
		x.Press("enter")
		if strings.Count(x.Screen(), "▾") > closed {
			break
		}
	}
	x.WaitFor(t, "▾")
	x.Press("ctrl+b")
	x.WaitFor(t, "rehearsal/vote")
	x.Press("esc")
	x.Press("ctrl+c")
	x.Press("ctrl+c")
	x.WaitDone(t)
	if b := p.board("rehearsal/vote"); b.Battles != 3 || len(b.Ratings) != 2 || b.Ratings[0].Wins != 3 {
		t.Errorf("the board of votes is %+v", b)
	}
	if b := p.board("rehearsal/critic:house"); b.Battles != 3 {
		t.Errorf("the critic's board is %+v", b)
	}
	out, code := p.run("log", "list", "--json")
	if code != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, `"turns":3,"votes":3,"rulings":3`) {
		t.Errorf("log list: exit %d, %s", code, out)
	}
}

func TestQuickFlagsPlayAgainstAServer(t *testing.T) {
	t.Parallel()
	template := prompt.Default()
	srv, err := rehearsal.Start(rehearsal.Options{Pace: -1, Critic: func(p string) string { return house.FromPrompt(template, p) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	at := srv.URL() + "#"
	p := sit(t, 80, 24, "--a", at+rehearsal.LeadModel, "--b", at+rehearsal.UnderstudyModel, "--critic", at+rehearsal.CriticModel, "--scene", "teahouse")
	x := p.term
	x.WaitFor(t, "lead")
	x.Press("enter")
	x.WaitFor(t, onStage)
	p.say("晚上好。")
	x.WaitUntil(t, "a ruling", func(s string) bool { return strings.Contains(s, "orders agree") || strings.Contains(s, "flip") })
	x.Press("2")
	x.WaitUntil(t, "the vote", func(s string) bool { return strings.Contains(s, "you B") })
	x.Press("ctrl+c")
	x.Press("ctrl+c")
	x.WaitDone(t)
	// A model of an address is named with it: this one listens on a port of its own.
	port := "@:" + strings.TrimSuffix(srv.URL()[strings.LastIndex(srv.URL(), ":")+1:], "/v1")
	if b := p.board("vote"); b.Battles != 1 || b.Ratings[0].Contestant != rehearsal.UnderstudyModel+port {
		t.Errorf("the board of votes is %+v", b)
	}
	if b := p.board("critic:" + rehearsal.CriticModel + port); b.Battles != 1 {
		t.Errorf("the critic's board is %+v", b)
	}
}

func TestABrokenEndpointSaysWhatToDo(t *testing.T) {
	t.Parallel()
	p := sit(t, 100, 30, "--a", "http://127.0.0.1:1/v1#her-32b", "--pace", "-1")
	x := p.term
	x.WaitFor(t, "her-32b")
	x.Press("enter")
	x.WaitFor(t, onStage)
	if s := x.Screen(); strings.Contains(s, "no model") {
		t.Errorf("a duel with a model claims to have none:\n%s", s)
	}
	p.say("Good evening.")
	x.WaitFor(t, "failed")
	x.WaitUntil(t, "the other side's reply", func(s string) bool { return strings.Contains(s, "invalid") || strings.Contains(s, "not judged") })
	x.Press("ctrl+c")
	x.Press("ctrl+c")
	x.WaitDone(t)
}

func TestKilledMidReplyKeepsWhatArrived(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no kill -9 on Windows")
	}
	p := sit(t, 100, 30, "--pace", "12")
	x := p.term
	x.WaitFor(t, "Meryton ball")
	x.Press("enter")
	x.WaitFor(t, onStage)
	p.say("Good evening.")
	x.WaitFor(t, "plan")
	time.Sleep(1500 * time.Millisecond) // the reply is saved twice a second
	x.Quit()
	out, code := p.run("log", "list", "--json")
	if code != 0 {
		t.Fatalf("log list: %s", out)
	}
	var line struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(out), &line); err != nil {
		t.Fatal(err)
	}
	shown, _ := p.run("log", "show", line.ID)
	if !strings.Contains(shown, "[system]") {
		t.Errorf("nothing of the cut-off reply was kept:\n%s", shown)
	}
}

func TestWithoutATerminalItSaysSo(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(binary(t))
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailure || !strings.Contains(string(out), "needs a terminal") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestAnUnusableLedgerIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("not a folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"log", "list", "--ledger", file}, {"board", "--ledger", file}, {"log", "import", "--ledger", filepath.Join(file, "ledger.db"), os.DevNull},
	} {
		cmd := exec.Command(binary(t), args...)
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFailure || !strings.Contains(string(out), file) || strings.Contains(string(out), "panic") {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	if data, _ := os.ReadFile(file); string(data) != "not a folder" {
		t.Error("a file that is no ledger was changed")
	}
}

func TestPlaysInTmuxAcrossAResize(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: the test in tmux is skipped")
	}
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	run := func(args ...string) string {
		out, err := exec.Command(tmux, append([]string{"-S", socket}, args...)...).CombinedOutput()
		if err != nil {
			return err.Error() + string(out)
		}
		return string(out)
	}
	t.Cleanup(func() { run("kill-server") })
	until := func(text string) {
		t.Helper()
		screen := ""
		for range 200 {
			if screen = run("capture-pane", "-p"); strings.Contains(screen, text) {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("%q never came; the screen is\n%s", text, screen)
	}
	run("new-session", "-d", "-x", "120", "-y", "40", "env XDG_CONFIG_HOME="+dir+" XDG_DATA_HOME="+dir+" "+binary(t)+" --pace -1; echo LEFT; sleep 30")
	until("Meryton ball")
	run("send-keys", "Enter")
	until(onStage)
	run("send-keys", "Good evening.", "Enter")
	until("orders agree")
	run("resize-window", "-x", "80", "-y", "24")
	until("A better")
	run("resize-window", "-x", "40", "-y", "10")
	until("60")
	run("resize-window", "-x", "200", "-y", "60")
	until("A better")
	run("send-keys", "C-c", "C-c")
	until("LEFT")
}
