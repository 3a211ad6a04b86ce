// Package prompt holds what a reward model is asked: the template, and how a
// case is written into it.
//
// The bundled template is the project's own text in the form HER-RM was trained
// on: the same headings, fields, placeholders and output schema. The text of the
// training itself is on the model's card; Import takes it from there.
package prompt

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// The placeholders of a template, each of which it holds exactly once.
const (
	Context = "{context}"
	Cand1   = "{cand_1}"
	Cand2   = "{cand_2}"
)

// maxFile is the largest template or model card read, in bytes.
const maxFile = 4 << 20

//go:embed default.txt
var defaultText string

// Template is what a critic is asked, with placeholders for the case.
type Template struct {
	// Name says where it came from: "default", or a file's name.
	Name string
	Text string
	// Hash is the SHA-256 of Text in hexadecimal, stored with each verdict.
	Hash string
}

// Default returns the bundled template.
func Default() Template { return newTemplate("default", strings.TrimRight(defaultText, "\n")) }

// New makes a template of a text. It is an error if a placeholder is missing or
// stands in it twice.
func New(name, text string) (Template, error) {
	for _, p := range []string{Context, Cand1, Cand2} {
		switch n := strings.Count(text, p); {
		case n == 0:
			return Template{}, fmt.Errorf("template %s has no %s; it must hold %s, %s and %s once each", name, p, Context, Cand1, Cand2)
		case n > 1:
			return Template{}, fmt.Errorf("template %s holds %s %d times; it must stand there once", name, p, n)
		}
	}
	return newTemplate(name, text), nil
}

func newTemplate(name, text string) Template {
	sum := sha256.Sum256([]byte(text))
	return Template{Name: name, Text: text, Hash: hex.EncodeToString(sum[:])}
}

// Load reads a template from a plain text file that holds nothing else.
func Load(path string) (Template, error) {
	text, err := readText(path)
	if err != nil {
		return Template{}, err
	}
	return New(filepath.Base(path), text)
}

// readText reads a text file, its byte order mark and carriage returns removed.
func readText(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("reading the template: %w", err)
	}
	switch {
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder; name the file with the prompt in it, such as the README.md of the model", path)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a regular file", path)
	case info.Size() > maxFile:
		return "", fmt.Errorf("%s has %d bytes; a template or model card has at most %d", path, info.Size(), maxFile)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading the template: %w", err)
	}
	if !utf8.Valid(b) {
		return "", fmt.Errorf("%s is not UTF-8 text; save the prompt as plain text and try again", path)
	}
	text := strings.TrimPrefix(string(b), "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if strings.TrimSpace(text) == "" {
		return "", errors.New(path + " is empty")
	}
	return text, nil
}
