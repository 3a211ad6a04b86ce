// Package config reads herarena's config.toml: endpoints, contestants, critics
// and a few defaults. Keys are named by environment variable or file and never
// written in it.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"

	"herarena/arena"
	"herarena/arena/layers"
	"herarena/characters"
	"herarena/tui/look"
)

// Config is the whole file. The zero value is a valid configuration.
type Config struct {
	// A, B and Critic name the pairing preselected on the casting screen.
	A      string `toml:"a,omitempty"`
	B      string `toml:"b,omitempty"`
	Critic string `toml:"critic,omitempty"`
	Scene  string `toml:"scene,omitempty"`
	// Stagehand is the contestant that says who goes on in scenes of several.
	Stagehand string `toml:"stagehand,omitempty"`
	// Canon is vote, critic, a, b or parallel.
	Canon arena.CanonPolicy `toml:"canon,omitempty"`
	Blind bool              `toml:"blind,omitempty"`
	// CriticHidesThoughts keeps role thinking from critics.
	CriticHidesThoughts bool `toml:"critic_hides_thoughts,omitempty"`
	// WordLimit asks for replies of about so many words.
	WordLimit int `toml:"word_limit,omitempty"`
	// Examples is how a card's example dialogue is given: text, turns or off.
	Examples characters.ExampleForm `toml:"examples,omitempty"`
	// LoreShare is what lorebooks may take of the shorter context, in percent;
	// nil is DefaultLoreShare.
	LoreShare *int   `toml:"lore_share,omitempty"`
	Voter     string `toml:"voter,omitempty"`
	// Theme is the name of a theme, "" for the one last chosen on the screen.
	Theme string `toml:"theme,omitempty"`
	// Background is auto (what the terminal says), dark or light.
	Background string `toml:"background,omitempty"`
	// Hints are the first steps told on the screen; nil is true.
	Hints *bool `toml:"hints,omitempty"`
	// SynchronizedOutput is auto, on or off: whether frames are drawn at once.
	SynchronizedOutput string `toml:"synchronized_output,omitempty"`
	// Portraits is auto, blocks, kitty or off: how pictures of cards are shown.
	Portraits string `toml:"portraits,omitempty"`
	// KeysPreset is default, vi or emacs; Keys are a person's own keys over it,
	// as the file has them. OwnKeys reads them.
	KeysPreset string         `toml:"keys_preset,omitempty"`
	Keys       map[string]any `toml:"keys,omitempty"`
	// Ledger is the ledger's file; "" is the standard place.
	Ledger      string                `toml:"ledger,omitempty"`
	Endpoints   map[string]Endpoint   `toml:"endpoints,omitempty"`
	Contestants map[string]Contestant `toml:"contestants,omitempty"`
	Critics     map[string]Critic     `toml:"critics,omitempty"`

	// Path is the file that was read, "" when there was none.
	Path string `toml:"-"`

	own   map[string][]string
	lines map[string]int
}

// OwnKeys returns a person's own keys by action; [""] means none.
func (c *Config) OwnKeys() map[string][]string { return c.own }

// KeyLine returns the line of the file that gives an action its keys, 0 if it is
// not known.
func (c *Config) KeyLine(action string) int { return c.lines[action] }

// Endpoint is a server that speaks the OpenAI protocol.
type Endpoint struct {
	URL string `toml:"url,omitempty"`
	// URLs are several servers with the same models, instead of URL: each duel
	// stays with one of them.
	URLs    []string `toml:"urls,omitempty"`
	KeyEnv  string   `toml:"key_env,omitempty"`
	KeyFile string   `toml:"key_file,omitempty"`
	// Kind is auto or one of endpoint.Kinds.
	Kind string `toml:"kind,omitempty"`
	// API is chat (default) or completions.
	API string `toml:"api,omitempty"`
	// Prefill is how a reply is begun for the model: auto, off, flags,
	// trailing, prefix or completions.
	Prefill string `toml:"prefill,omitempty"`
	// MaxTokensField is max_tokens or max_completion_tokens; "" chooses.
	MaxTokensField string `toml:"max_tokens_field,omitempty"`
	// SessionHeader carries the duel's id; "" is X-Session-Id.
	SessionHeader string `toml:"session_header,omitempty"`
	// Retries is how often a request that got no text is sent again; nil is 2.
	Retries          *int              `toml:"retries,omitempty"`
	FirstByteTimeout string            `toml:"first_byte_timeout,omitempty"`
	IdleTimeout      string            `toml:"idle_timeout,omitempty"`
	CAFile           string            `toml:"ca_file,omitempty"`
	InsecureTLS      bool              `toml:"insecure_skip_verify,omitempty"`
	Headers          map[string]string `toml:"headers,omitempty"`
	ExtraBody        map[string]any    `toml:"extra_body,omitempty"`
}

// Contestant is a model under test.
type Contestant struct {
	Endpoint   string         `toml:"endpoint"`
	Model      string         `toml:"model"`
	Dialect    string         `toml:"dialect,omitempty"`
	Prefill    string         `toml:"prefill,omitempty"`
	KeepSystem bool           `toml:"keep_system,omitempty"`
	Sampling   arena.Sampling `toml:"sampling,omitempty"`
	// Price is in US dollars per million tokens; nil: not known.
	Price *arena.Price `toml:"price,omitempty"`
	// Context is the length of the model's context in tokens; 0: the server is
	// asked.
	Context int `toml:"context,omitempty"`
}

// DefaultLoreShare is the share of the context that lorebooks may take unless
// told otherwise, in percent, as SillyTavern has it.
const DefaultLoreShare = 25

// Share returns the share of a context that lorebooks may take, in percent.
func (c *Config) Share() int {
	if c.LoreShare == nil {
		return DefaultLoreShare
	}
	return *c.LoreShare
}

// mostPrice is above what anybody asks for a million tokens; NaN is not below it.
const mostPrice = 1e6

// Critic is a reward model.
type Critic struct {
	Endpoint string `toml:"endpoint"`
	Model    string `toml:"model"`
	// Template is a file with {context}, {cand_1} and {cand_2}; "general" is the
	// built-in one for models not trained to judge; "" takes the imported
	// template, else the built-in one in HER-RM's form.
	Template string `toml:"template,omitempty"`
	// Principles is the list that the general template gives: "ours", the
	// default, or a TOML file.
	Principles string `toml:"principles,omitempty"`
	// Orders says when the second order is asked: always, never or close.
	Orders string `toml:"orders,omitempty"`
	// ContextForm is roles (default) or ids.
	ContextForm string `toml:"context_form,omitempty"`
	// EchoPrefill sends the echo of the candidates as prefill.
	EchoPrefill bool           `toml:"echo_prefill,omitempty"`
	Sampling    arena.Sampling `toml:"sampling,omitempty"`
}

// DefaultPath returns the standard place of config.toml.
func DefaultPath() string { return filepath.Join(xdg.ConfigHome, "herarena", "config.toml") }

// DefaultLedger returns the standard place of the ledger.
func DefaultLedger() string { return filepath.Join(xdg.DataHome, "herarena", "ledger.db") }

// TemplatePath returns where an imported judge template is kept.
func TemplatePath() string { return filepath.Join(xdg.DataHome, "herarena", "judge-template.txt") }

// FindingsPath returns where it is kept what was found out about endpoints.
func FindingsPath() string { return filepath.Join(xdg.CacheHome, "herarena", "endpoints.json") }

// CharactersDir returns the folder of a person's own scenes.
func CharactersDir() string { return filepath.Join(xdg.DataHome, "herarena", "characters") }

// Load reads the file at path, or at the standard place when path is "". A file
// missing from the standard place is no error; one named by path is. Errors name
// the file and, where there is one, the line and key.
func Load(path string) (Config, error) {
	named := path != ""
	if !named {
		path = DefaultPath()
	}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return Config{}, nil
	case err != nil:
		return Config{}, fmt.Errorf("the configuration cannot be read: %w (herarena config init writes a fresh one)", err)
	}
	c, err := Parse(data)
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	c.Path = path
	return c, nil
}

// Parse reads and checks the text of a config.toml.
func Parse(data []byte) (Config, error) {
	var c Config
	dec := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Config{}, explain(err)
	}
	own, err := ownKeys(c.Keys)
	if err != nil {
		return Config{}, err
	}
	c.own, c.lines = own, keyLines(string(data))
	return c, c.check()
}

func (c *Config) check() error {
	switch c.Canon {
	case "", arena.CanonVote, arena.CanonCritic, arena.CanonA, arena.CanonB, arena.CanonParallel:
	default:
		return fmt.Errorf("canon = %q is unknown (want vote, critic, a, b or parallel)", c.Canon)
	}
	if c.Theme != "" && !look.HasTheme(c.Theme) {
		return fmt.Errorf("theme = %q is unknown (want %s)", c.Theme, strings.Join(look.ThemeNames(), ", "))
	}
	if c.Portraits == "sixel" {
		return errors.New("portraits = \"sixel\" cannot be: a sixel picture lies over the cells of the screen, which tear it when they change (want auto, blocks, kitty or off)")
	}
	for _, w := range []struct {
		key, value string
		want       []string
	}{
		{"background", c.Background, []string{"auto", "dark", "light"}},
		{"synchronized_output", c.SynchronizedOutput, []string{"auto", "on", "off"}},
		{"portraits", c.Portraits, []string{"auto", "blocks", "kitty", "off"}},
		{"keys_preset", c.KeysPreset, []string{"default", "vi", "emacs"}},
	} {
		if w.value != "" && !slices.Contains(w.want, w.value) {
			return fmt.Errorf("%s = %q is unknown (want %s)", w.key, w.value, strings.Join(w.want, ", "))
		}
	}
	switch c.Examples {
	case "", characters.ExamplesText, characters.ExamplesTurns, characters.ExamplesOff:
	default:
		return fmt.Errorf("examples = %q is unknown (want text, turns or off)", c.Examples)
	}
	if n := c.Share(); n < 1 || n > 100 {
		return fmt.Errorf("lore_share = %d is no share of a context: write a number from 1 to 100, in percent", n)
	}
	if c.WordLimit < 0 {
		return fmt.Errorf("word_limit = %d is below 0; 0 sets no limit", c.WordLimit)
	}
	for _, name := range Names(c.Endpoints) {
		switch e := c.Endpoints[name]; {
		case e.URL == "" && len(e.URLs) == 0:
			return fmt.Errorf("endpoints.%s has no url", name)
		case e.URL != "" && len(e.URLs) > 0:
			return fmt.Errorf("endpoints.%s has both url and urls; put all addresses into urls", name)
		}
		if err := c.Endpoints[name].check("endpoints." + name); err != nil {
			return err
		}
	}
	for _, name := range Names(c.Contestants) {
		e := c.Contestants[name]
		if err := c.refers("contestants."+name, e.Endpoint, e.Model); err != nil {
			return err
		}
		if _, err := layers.ParseDialect(e.Dialect); err != nil {
			return fmt.Errorf("contestants.%s.dialect: %w", name, err)
		}
		if p := e.Price; p != nil && !(p.Input >= 0 && p.Output >= 0 && p.Input <= mostPrice && p.Output <= mostPrice) {
			return fmt.Errorf("contestants.%s.price = { input = %v, output = %v } is no price in US dollars per million tokens", name, p.Input, p.Output)
		}
		if e.Context < 0 {
			return fmt.Errorf("contestants.%s.context = %d is below 0; leave it out to have the server asked", name, e.Context)
		}
		if e.Sampling.MaxTokens < 0 {
			return fmt.Errorf("contestants.%s.sampling.max_tokens = %d is below 0; 0 leaves it to the server", name, e.Sampling.MaxTokens)
		}
	}
	for _, name := range Names(c.Critics) {
		e := c.Critics[name]
		if name == "house" {
			return errors.New("critics.house: the name house belongs to the built-in critic; choose another")
		}
		if err := c.refers("critics."+name, e.Endpoint, e.Model); err != nil {
			return err
		}
		if _, err := arena.ParseOrderPolicy(e.Orders); err != nil {
			return fmt.Errorf("critics.%s.orders: %w", name, err)
		}
		if e.Principles != "" && e.Template != "general" {
			return fmt.Errorf("critics.%s.principles is for template = \"general\" alone", name)
		}
		if e.ContextForm != "" && e.ContextForm != "roles" && e.ContextForm != "ids" {
			return fmt.Errorf("critics.%s.context_form = %q is unknown (want roles or ids)", name, e.ContextForm)
		}
		if e.Sampling.MaxTokens < 0 {
			return fmt.Errorf("critics.%s.sampling.max_tokens = %d is below 0; 0 leaves it to the server", name, e.Sampling.MaxTokens)
		}
	}
	return nil
}

func (c *Config) refers(what, endpoint, model string) error {
	if model == "" {
		return fmt.Errorf("%s has no model", what)
	}
	if _, ok := c.Endpoints[endpoint]; !ok {
		known := strings.Join(Names(c.Endpoints), ", ")
		if known == "" {
			known = "none is defined; add [endpoints.NAME] with a url"
		}
		return fmt.Errorf("%s.endpoint = %q is not among the endpoints (%s)", what, endpoint, known)
	}
	return nil
}

// Names returns the keys of a table in order.
func Names[T any](m map[string]T) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Addresses returns the endpoint's addresses, one or several.
func (e Endpoint) Addresses() []string {
	if e.URL != "" {
		return []string{e.URL}
	}
	return e.URLs
}
