//go:build linux || darwin

package load

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// patience is how long to wait for a step of a program under test.
const patience = 30 * time.Second

// Run measures a program, AsStage or AsFloor, by starting this very binary once
// more; its TestMain must call Perform. seed sets the rhythm of the typist.
func Run(as string, plan Plan, seed uint64, env ...string) (Measure, error) {
	self, err := os.Executable()
	if err != nil {
		return Measure{}, err
	}
	text, err := json.Marshal(plan)
	if err != nil {
		return Measure{}, err
	}
	goRead, goWrite, err := os.Pipe()
	if err != nil {
		return Measure{}, err
	}
	reportRead, reportWrite, err := os.Pipe()
	if err != nil {
		return Measure{}, errors.Join(err, goRead.Close(), goWrite.Close())
	}
	cmd := exec.Command(self)
	cmd.ExtraFiles = []*os.File{goRead, reportWrite}
	cmd.Env = append(Environment(), asVar+"="+as, planVar+"="+string(text))
	cmd.Env = append(cmd.Env, env...)
	t, err := open(cmd)
	err = errors.Join(err, goRead.Close(), reportWrite.Close())
	if err != nil {
		return Measure{}, errors.Join(err, goWrite.Close(), reportRead.Close())
	}
	m, err := t.conduct(cmd, plan, seed, goWrite, bufio.NewReader(reportRead))
	m.As = as
	return m, errors.Join(err, goWrite.Close(), reportRead.Close())
}

// Visit is what a start of a program came to that was left again by ctrl+q.
type Visit struct {
	First  time.Duration // wall time to the first frame
	CPU    time.Duration // of the whole process
	Memory int64         // the most there was, in bytes
	Screen string        // as it was when the program was left
}

// Stay starts a program on a terminal, types each of the keys once the screen has
// been quiet for a second, waits until it is quiet again, stays for a while and
// leaves.
func Stay(cmd *exec.Cmd, stay time.Duration, keys ...string) (v Visit, err error) {
	t, err := open(cmd)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, t.pty.Close()) }()
	v.First, err = t.await("Arena", patience)
	for _, key := range keys {
		if err == nil {
			t.calm(time.Second, patience)
			_, err = t.pty.WriteString(key)
		}
	}
	if err != nil {
		_ = cmd.Process.Kill()
		return v, errors.Join(err, cmd.Wait())
	}
	t.calm(3*time.Second, 2*patience)
	time.Sleep(stay)
	v.Memory, v.Screen = memory(cmd), t.screen()
	if _, err = t.pty.WriteString("\x11"); err != nil { // ctrl+q
		_ = cmd.Process.Kill()
	}
	<-t.closed
	err = errors.Join(err, cmd.Wait())
	v.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return v, err
}

// conduct takes a program through the plan.
func (t *terminal) conduct(cmd *exec.Cmd, plan Plan, seed uint64, begin *os.File, report *bufio.Reader) (m Measure, err error) {
	ended := false
	defer func() {
		if !ended {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		_ = t.pty.Close()
	}()
	if m.First, err = t.await("Arena", patience); err != nil {
		return m, err
	}
	t.calm(300*time.Millisecond, patience)
	before := t.size()
	if _, err = begin.Write([]byte{1}); err != nil {
		return m, err
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		if plan.Rate > 0 {
			t.typist(seed, stop)
		}
	}()
	_, err = report.ReadString('\n')
	close(stop)
	<-stopped
	if err != nil {
		return m, fmt.Errorf("the program ended in the middle of the stream; it wrote %q", t.tail())
	}
	t.calm(200*time.Millisecond, 3*time.Second)
	m.Bytes = t.size() - before
	m.Keys, m.Lost, m.P50, m.P99 = t.keys()
	m.Memory = memory(cmd)
	if _, err = t.pty.WriteString("\x11"); err != nil { // ctrl+q
		return m, err
	}
	var self selfReport
	if err = json.NewDecoder(report).Decode(&self); err != nil {
		return m, fmt.Errorf("the program's report: %w", err)
	}
	if self.Err != "" {
		return m, errors.New(self.Err)
	}
	<-t.closed
	err, ended = cmd.Wait(), true
	m.CPU, m.Allocs = self.CPU, self.Allocs
	m.Whole = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	m.Tokens = 2 * plan.Tokens()
	m.Shown = t.shown(Script{plan})
	return m, err
}

// memory is the most that a running program has had in memory, in bytes; 0 where
// the system does not tell. What the system says of it at the end is no use: it
// counts in the process that started it.
func memory(cmd *exec.Cmd) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kB int64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		return 0
	}
	return kB << 10
}

// Environment is that of a terminal with 24-bit colour, on no remote machine.
func Environment() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "TERM", "COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "SSH_TTY", "TMUX", "STY", "TERM_PROGRAM", "WT_SESSION":
			continue
		}
		env = append(env, v)
	}
	return append(env, "TERM=xterm-256color", "COLORTERM=truecolor")
}
