package clip

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// session is a system with tools that take what they are given.
func session(goos string, env map[string]string, tools ...string) (System, *[]string) {
	var ran []string
	return System{
		OS: goos, Getenv: func(name string) string { return env[name] },
		Look: func(name string) (string, error) {
			for _, t := range tools {
				if t == name {
					return "/bin/" + name, nil
				}
			}
			return "", exec.ErrNotFound
		},
		Run: func(_ context.Context, path string, args []string, text string) error {
			ran = append(ran, strings.Join(append([]string{path}, args...), " ")+" < "+text)
			return nil
		},
	}, &ran
}

func TestTheToolFitsTheSession(t *testing.T) {
	t.Parallel()
	x := map[string]string{"DISPLAY": ":0"}
	for _, c := range []struct {
		name, goos string
		env        map[string]string
		tools      []string
		by, ran    string
	}{
		{"Wayland", "linux", map[string]string{"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, []string{"wl-copy", "xclip"}, "wl-copy", "/bin/wl-copy < text"},
		{"Wayland without its tool", "linux", map[string]string{"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, []string{"xsel"}, "xsel", "/bin/xsel --clipboard --input < text"},
		{"X", "linux", x, []string{"xclip", "xsel", "wl-copy"}, "xclip", "/bin/xclip -selection clipboard -in < text"},
		{"X without tools", "linux", x, nil, "", ""},
		{"no display", "linux", nil, []string{"wl-copy", "xclip", "xsel"}, "", ""},
		{"SSH", "linux", map[string]string{"DISPLAY": ":10", "SSH_TTY": "/dev/pts/3"}, []string{"xclip"}, "", ""},
		{"SSH to a Mac", "darwin", map[string]string{"SSH_CONNECTION": "a b c d"}, []string{"pbcopy"}, "", ""},
		{"Mac", "darwin", nil, []string{"pbcopy"}, "pbcopy", "/bin/pbcopy < text"},
		{"Windows", "windows", nil, []string{"clip.exe"}, "clip.exe", "/bin/clip.exe < text"},
		{"WSL", "linux", map[string]string{"WSL_DISTRO_NAME": "Debian"}, []string{"clip.exe"}, "clip.exe", "/bin/clip.exe < text"},
	} {
		s, ran := session(c.goos, c.env, c.tools...)
		by, err := s.Copy(t.Context(), "text")
		if by != c.by || (err == nil) != (c.by != "") || strings.Join(*ran, ";") != c.ran {
			t.Errorf("%s: by %q, error %v, ran %q", c.name, by, err, *ran)
		}
		if c.by == "" && !errors.Is(err, ErrNone) {
			t.Errorf("%s: the error is %v", c.name, err)
		}
	}
}

func TestTheNextToolIsTriedWhenOneFails(t *testing.T) {
	t.Parallel()
	s, _ := session("linux", map[string]string{"DISPLAY": ":0"}, "xclip", "xsel")
	s.Run = func(_ context.Context, path string, _ []string, _ string) error {
		if strings.HasSuffix(path, "xclip") {
			return errors.New("cannot open display")
		}
		return nil
	}
	if by, err := s.Copy(t.Context(), "x"); by != "xsel" || err != nil {
		t.Errorf("by %q, %v", by, err)
	}
	s.Run = func(context.Context, string, []string, string) error { return errors.New("cannot open display") }
	if _, err := s.Copy(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "xsel did not take the text: cannot open display") {
		t.Errorf("the error is %v", err)
	}
}

// TestAToolThatHangsIsGivenUp runs real programs.
func TestAToolThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("no sleep here")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if err := run(ctx, sleep, []string{"60"}, "text"); err == nil || time.Since(begin) > 10*time.Second {
		t.Errorf("error %v after %v", err, time.Since(begin))
	}
}

func TestTheToolGetsTheText(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	out := filepath.Join(t.TempDir(), "clipboard")
	text := strings.Repeat("שלום 雨 line\n", 5000)
	if err := run(t.Context(), sh, []string{"-c", `cat > "$0"`, out}, text); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(out); string(got) != text {
		t.Errorf("%d bytes arrived of %d", len(got), len(text))
	}
}
