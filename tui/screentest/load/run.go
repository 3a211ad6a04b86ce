//go:build linux || darwin

package load

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
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
	Bytes  int
}

// Stay starts a program on a terminal, types a line if there is one, waits until
// the screen is quiet, stays for a while and leaves.
func Stay(cmd *exec.Cmd, line string, stay time.Duration) (v Visit, err error) {
	t, err := open(cmd)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, t.pty.Close()) }()
	v.First, err = t.await("Arena", patience)
	if err == nil && line != "" {
		t.calm(time.Second, patience)
		if _, err = t.pty.WriteString(line); err == nil {
			t.calm(200*time.Millisecond, patience)
			_, err = t.pty.WriteString("\r")
		}
	}
	if err != nil {
		_ = cmd.Process.Kill()
		return v, errors.Join(err, cmd.Wait())
	}
	t.calm(2*time.Second, 2*patience)
	time.Sleep(stay)
	if _, err = t.pty.WriteString("\x11"); err != nil { // ctrl+q
		_ = cmd.Process.Kill()
	}
	<-t.closed
	err = errors.Join(err, cmd.Wait())
	v.CPU, v.Memory = usage(cmd)
	v.Bytes = t.size()
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
	m.Whole, m.Memory = usage(cmd)
	m.Tokens = 2 * plan.Tokens()
	m.Shown = t.shown(Script{plan})
	return m, err
}

// usage is the CPU time and the largest memory, in bytes, of a program that has
// ended.
func usage(cmd *exec.Cmd) (time.Duration, int64) {
	s := cmd.ProcessState
	memory := int64(0)
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		memory = int64(u.Maxrss)
		if runtime.GOOS == "linux" {
			memory <<= 10
		}
	}
	return s.UserTime() + s.SystemTime(), memory
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
