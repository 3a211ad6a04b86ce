package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// maxKey bounds what is read of a key file, in bytes.
const maxKey = 64 << 10

// variable is what the name of an environment variable looks like.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// usual is how people name such variables; a key in this form is not known.
var usual = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$|^[A-Z]{1,16}$`)

// speakable reports whether a value of key_env may be shown: it may be the key
// itself, put there by mistake.
func speakable(name string) bool {
	if usual.MatchString(name) {
		return true
	}
	_, set := os.LookupEnv(name)
	return variable.MatchString(name) && set
}

// looksSecret reports whether a value of key_file may be the key itself: it names
// no file and looks like no path.
func looksSecret(path string) bool {
	like := len(path) >= 16 && !strings.ContainsAny(path, "/\\. ") && strings.ContainsAny(path, "0123456789") ||
		strings.HasPrefix(path, "sk-") || strings.HasPrefix(path, "eyJ")
	if !like {
		return false
	}
	_, err := os.Stat(path)
	return err != nil
}

// check looks for settings of an endpoint that cannot be meant. what is its path
// in the file. It shows no value that may be a key.
func (e Endpoint) check(what string) error {
	if bare := strings.Trim(e.KeyEnv, "${}"); bare != e.KeyEnv && usual.MatchString(bare) {
		return fmt.Errorf("%s.key_env takes the name of the variable alone: write key_env = %q", what, bare)
	}
	if e.KeyEnv != "" && !variable.MatchString(e.KeyEnv) {
		return fmt.Errorf("%s.key_env takes the NAME of an environment variable, such as VLLM_API_KEY, and never the key itself", what)
	}
	if e.Retries != nil && *e.Retries < 0 {
		return fmt.Errorf("%s.retries = %d is below 0; 0 sends every request once", what, *e.Retries)
	}
	for _, d := range []struct{ key, text string }{
		{"first_byte_timeout", e.FirstByteTimeout}, {"idle_timeout", e.IdleTimeout},
	} {
		if d.text == "" {
			continue
		}
		switch t, err := time.ParseDuration(d.text); {
		case err != nil:
			return fmt.Errorf("%s.%s = %q is not a time such as \"90s\" or \"2m\"", what, d.key, d.text)
		case t <= 0:
			return fmt.Errorf("%s.%s = %q is not longer than 0; write a time such as \"90s\" or \"2m\"", what, d.key, d.text)
		}
	}
	return nil
}

// Key returns the endpoint's key from its environment variable or file, ""
// where neither is named. The error names the variable or file, never the key.
func (e Endpoint) Key() (string, error) {
	if e.KeyEnv != "" {
		key, ok := os.LookupEnv(e.KeyEnv)
		switch {
		case ok:
			return strings.TrimSpace(key), nil
		case !speakable(e.KeyEnv):
			return "", errors.New("the environment variable named by key_env is not set; key_env takes the NAME of a variable, such as VLLM_API_KEY, and never the key itself")
		}
		return "", fmt.Errorf("the environment variable %s, named by key_env, is not set", e.KeyEnv)
	}
	if e.KeyFile == "" {
		return "", nil
	}
	if looksSecret(e.KeyFile) {
		return "", errors.New("key_file takes the PATH of a file that holds the key, and never the key itself")
	}
	return readKey(e.KeyFile)
}

// readKey reads a file that holds a key and nothing else.
func readKey(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("key_file: %s is not there; write the key into it, alone", path)
	case err != nil:
		return "", fmt.Errorf("key_file cannot be read: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return "", fmt.Errorf("key_file: %s is a folder; name the file in it that holds the key", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err != nil {
		return "", fmt.Errorf("key_file cannot be read: %w", err)
	}
	key := strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff"))
	switch {
	case key == "":
		return "", fmt.Errorf("key_file: %s is empty; write the key into it, alone", path)
	case len(data) > maxKey:
		return "", fmt.Errorf("key_file: %s is larger than %d KiB and cannot be a key", path, maxKey>>10)
	case strings.ContainsAny(key, "\r\n"):
		return "", fmt.Errorf("key_file: %s holds several lines; it must hold the key alone, without a name before it", path)
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("key_file: %s holds a space or a character that no key has; it must hold the key alone", path)
	}
	return key, nil
}
