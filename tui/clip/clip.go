// Package clip hands text to the clipboard of the system, by the tool that is
// there: wl-copy, xclip, xsel, pbcopy or clip.exe. The terminal's own clipboard
// (OSC 52) is another way, and not this package's.
package clip

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// ErrNone says that no tool serves this session: none is installed, no display
// is there, or the program runs at the other end of SSH, where the system's
// clipboard is not the person's.
var ErrNone = errors.New("no clipboard tool serves this session")

// Patience is how long a tool may take.
const Patience = 2 * time.Second

// tool is a program that reads a clipboard's new content from its input.
type tool struct {
	name string
	args []string
}

// System is a session's way to the clipboard. Use Here for the present one;
// tests make their own.
type System struct {
	OS     string
	Getenv func(string) string
	Look   func(name string) (path string, err error)
	// Run runs a program with text on its input.
	Run func(ctx context.Context, path string, args []string, text string) error
}

// Here is the session the program runs in.
func Here() System {
	return System{OS: runtime.GOOS, Getenv: os.Getenv, Look: exec.LookPath, Run: run}
}

// Copy gives text to the clipboard by the first tool that takes it, and returns
// the tool's name. Where there is none the error is ErrNone. It returns within
// twice Patience and may be called from any goroutine.
func (s System) Copy(ctx context.Context, text string) (by string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*Patience)
	defer cancel()
	err = ErrNone
	for _, t := range s.tools() {
		path, missing := s.Look(t.name)
		if missing != nil {
			continue
		}
		one, done := context.WithTimeout(ctx, Patience)
		failed := s.Run(one, path, t.args, text)
		done()
		if failed == nil {
			return t.name, nil
		}
		err = fmt.Errorf("%s did not take the text: %w", t.name, failed)
	}
	return "", err
}

// tools are those that fit the session, the likeliest first.
func (s System) tools() []tool {
	has := func(name string) bool { return s.Getenv(name) != "" }
	if has("SSH_TTY") || has("SSH_CONNECTION") {
		return nil
	}
	var out []tool
	switch s.OS {
	case "darwin":
		return []tool{{"pbcopy", nil}}
	case "windows":
		return []tool{{"clip.exe", nil}}
	case "android":
		return []tool{{"termux-clipboard-set", nil}}
	}
	if has("WAYLAND_DISPLAY") {
		out = append(out, tool{"wl-copy", nil})
	}
	if has("DISPLAY") {
		out = append(out, tool{"xclip", []string{"-selection", "clipboard", "-in"}}, tool{"xsel", []string{"--clipboard", "--input"}})
	}
	if has("WSL_DISTRO_NAME") {
		out = append(out, tool{"clip.exe", nil})
	}
	return out
}

// run runs a tool. Its output is not looked at: xclip and wl-copy stay in the
// background as the owner of the selection, and would hold a pipe open.
func run(ctx context.Context, path string, args []string, text string) error {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdin = strings.NewReader(text)
	cmd.WaitDelay = Patience / 4
	err := cmd.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("no answer within %v", Patience)
	}
	return err
}
