package endpoint

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Memory keeps what was found out about a server's models from one run to the
// next. It must be safe for use by several goroutines; losing it costs a short
// question, so it reports no errors.
type Memory interface {
	Recall(key string) (Finding, bool)
	Keep(key string, f Finding)
	Forget(key string)
}

// Finding is what a probe found out about one model at one server.
type Finding struct {
	// Kind is the sort of server that was asked; another one voids the finding.
	Kind string `json:"kind"`
	// Prefill is how a reply's beginning is sent; "off" where it cannot be.
	Prefill string    `json:"prefill"`
	At      time.Time `json:"at"`
}

// keepsFor is how long a finding holds: servers are updated.
const keepsFor = 14 * 24 * time.Hour

// maxFindings bounds a memory's file; the oldest go first.
const maxFindings = 500

func (c *Client) key(model string) string { return c.cfg.BaseURL + " " + model }

func (c *Client) recall(model, kind string) (prefillWay, bool) {
	if c.cfg.Memory == nil {
		return "", false
	}
	f, ok := c.cfg.Memory.Recall(c.key(model))
	known := append(waysOfKind(kind), PrefillOff, PrefillCompletions)
	if !ok || f.Kind != kind || time.Since(f.At) > keepsFor || !slices.Contains(known, prefillWay(f.Prefill)) {
		return "", false
	}
	return prefillWay(f.Prefill), true
}

func (c *Client) keep(model, kind string, way prefillWay) {
	if c.cfg.Memory != nil {
		c.cfg.Memory.Keep(c.key(model), Finding{Kind: kind, Prefill: string(way), At: time.Now().UTC()})
	}
}

func (c *Client) forget(model string) {
	if c.cfg.Memory != nil {
		c.cfg.Memory.Forget(c.key(model))
	}
}

// FileMemory is a Memory in a JSON file. A file that is missing or cannot be
// read counts as empty and is written anew; one that cannot be written is a
// memory for this run.
type FileMemory struct {
	path string

	mu       sync.Mutex
	read     bool
	findings map[string]Finding
}

// NewFileMemory returns the memory in the file at path. The file is read when
// something is asked first.
func NewFileMemory(path string) *FileMemory { return &FileMemory{path: path} }

var _ Memory = (*FileMemory)(nil)

// Recall implements Memory.
func (m *FileMemory) Recall(key string) (Finding, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.load()
	f, ok := m.findings[key]
	return f, ok
}

// Keep implements Memory.
func (m *FileMemory) Keep(key string, f Finding) {
	m.change(func(all map[string]Finding) { all[key] = f })
}

// Forget implements Memory.
func (m *FileMemory) Forget(key string) {
	m.change(func(all map[string]Finding) { delete(all, key) })
}

// change applies a change to the file as it is now: another process may have
// written it since.
func (m *FileMemory) change(apply func(map[string]Finding)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read = false
	m.load()
	apply(m.findings)
	for len(m.findings) > maxFindings {
		oldest, at := "", time.Now().AddDate(100, 0, 0)
		for key, f := range m.findings {
			if f.At.Before(at) {
				oldest, at = key, f.At
			}
		}
		delete(m.findings, oldest)
	}
	_ = m.write()
}

func (m *FileMemory) load() {
	if m.read {
		return
	}
	m.read = true
	found := map[string]Finding{}
	if data, err := os.ReadFile(m.path); err == nil && json.Unmarshal(data, &found) == nil && found != nil {
		m.findings = found
		return
	}
	if m.findings == nil {
		m.findings = map[string]Finding{}
	}
}

// write replaces the file in one step, so that no reader sees half of it.
func (m *FileMemory) write() error {
	data, err := json.MarshalIndent(m.findings, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(m.path), ".findings-*")
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(append(data, '\n'))
	if closeErr := draft.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("the memory of endpoints cannot be written: %w", err)
	}
	return os.Rename(draft.Name(), m.path)
}
