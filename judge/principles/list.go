package principles

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// Principle is a rule that replies can be judged by.
type Principle struct {
	Name       string
	Dimension  string
	Polarity   string // Negative or Positive; "" where the dimension is not a known one
	Level      string // LevelSentence or LevelSession
	Definition string
}

// The two levels of a principle: a reply alone shows whether it is kept, or only
// the whole history does.
const (
	LevelSentence = "sentence"
	LevelSession  = "session"
)

// maxListFile bounds a file of principles, in bytes.
const maxListFile = 1 << 20

//go:embed ours.toml
var oursText []byte

var ours = sync.OnceValue(func() []Principle {
	list, err := parseList(oursText)
	if err != nil {
		panic("principles: the embedded set: " + err.Error()) // a test reads it
	}
	return list
})

// Ours returns the arena's own set of 107 principles over the twelve dimensions,
// in the project's own words. It is not the HER paper's, whose text is not
// public. The slice is the caller's own.
func Ours() []Principle { return append([]Principle(nil), ours()...) }

// LoadList reads a set of principles from a TOML file of the form of the
// arena's own:
//
//	[[dimension]]
//	name = "Character fidelity"
//	polarity = "positive"   # needed for dimensions of your own
//	principles = [ { name = "…", level = "sentence", definition = "…" } ]
//
// The error names the file and the entry at fault.
func LoadList(path string) ([]Principle, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("reading the principles: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxListFile {
		return nil, fmt.Errorf("%s is no file of principles: it must be a text file of at most %d bytes", path, maxListFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the principles: %w", err)
	}
	list, err := parseList(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

type listFile struct {
	Dimension []struct {
		Name       string `toml:"name"`
		Polarity   string `toml:"polarity"`
		Principles []struct {
			Name       string `toml:"name"`
			Level      string `toml:"level"`
			Definition string `toml:"definition"`
		} `toml:"principles"`
	} `toml:"dimension"`
}

func parseList(data []byte) ([]Principle, error) {
	var f listFile
	d := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) && len(strict.Errors) > 0 {
			row, _ := strict.Errors[0].Position()
			return nil, fmt.Errorf("line %d: unknown key %q", row, strings.Join(strict.Errors[0].Key(), "."))
		}
		return nil, err
	}
	var out []Principle
	seen := map[string]bool{}
	for i, dim := range f.Dimension {
		dimension, _ := Dimension(dim.Name)
		if dimension == "" {
			return nil, fmt.Errorf("dimension %d has no name", i+1)
		}
		polarity := strings.ToLower(strings.TrimSpace(dim.Polarity))
		if polarity == "" {
			polarity = Polarity(dimension, "")
		}
		if polarity != Negative && polarity != Positive {
			return nil, fmt.Errorf("dimension %q needs polarity = \"negative\" or \"positive\"", dim.Name)
		}
		for j, p := range dim.Principles {
			name, definition := strings.TrimSpace(p.Name), strings.TrimSpace(p.Definition)
			switch {
			case name == "":
				return nil, fmt.Errorf("principle %d of %q has no name", j+1, dim.Name)
			case definition == "":
				return nil, fmt.Errorf("principle %q has no definition", name)
			case p.Level != LevelSentence && p.Level != LevelSession:
				return nil, fmt.Errorf("principle %q has level %q; want sentence or session", name, p.Level)
			case seen[fold(name)]:
				return nil, fmt.Errorf("two principles are called %q", name)
			}
			seen[fold(name)] = true
			out = append(out, Principle{Name: name, Dimension: dimension, Polarity: polarity, Level: p.Level, Definition: definition})
		}
	}
	if len(out) == 0 {
		return nil, errors.New("it holds no principles")
	}
	return out, nil
}
