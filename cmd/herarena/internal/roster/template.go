package roster

import (
	"errors"
	"io/fs"
	"os"

	"herarena/cmd/herarena/internal/config"
	"herarena/judge/prompt"
)

// Template returns the judge template in force: the named file, else the one
// imported, else the built-in one.
func Template(path string) (prompt.Template, error) {
	if path != "" {
		return prompt.Load(path)
	}
	imported := config.TemplatePath()
	_, err := os.Stat(imported)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return prompt.Default(), nil
	case err != nil:
		return prompt.Template{}, err
	}
	return prompt.Load(imported)
}

// optionalEnv returns the name of a variable that is set, else "".
func optionalEnv(name string) string {
	if _, ok := os.LookupEnv(name); ok {
		return name
	}
	return ""
}
