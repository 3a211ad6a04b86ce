package roster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"herarena/cmd/herarena/internal/config"
	"herarena/judge/principles"
	"herarena/judge/prompt"
)

// General is the name of the built-in template for models that were not trained
// to judge.
const General = "general"

// Template returns the judge template in force: the named file, else the one
// imported, else the built-in one in HER-RM's form. General with a list of
// principles ("ours", or a file) is the other built-in one.
func Template(path, list string) (prompt.Template, error) {
	if path == General {
		if list == "" || list == "ours" {
			return prompt.General("ours", principles.Ours()), nil
		}
		own, err := principles.LoadList(list)
		if err != nil {
			return prompt.Template{}, err
		}
		return prompt.General(filepath.Base(list), own), nil
	}
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
