package card

import (
	"path/filepath"
	"strings"

	"herarena/characters"
)

// Readable reports whether a file's name has an ending that Load knows.
func Readable(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".toml" || families[ext] != ""
}

// IsScene reports whether a file is a scene file of this program: TOML, or
// JSON with a scene's names.
func IsScene(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		return true
	case ".json":
	default:
		return false
	}
	data, err := readAtMost(path, characters.MaxFile+1)
	if err != nil || len(data) > characters.MaxFile {
		return false
	}
	r := &reader{name: path}
	v, fault := parseJSON(r.decodeText(data), nil)
	o, ok := v.(*Object)
	if fault != nil || !ok {
		return false
	}
	c := o.object("character")
	return c != nil && !c.Has("aiName") || o.Has("title") && !o.Has("spec") && o.Has("user")
}

// Load makes a scene of a file: a scene file of this program, a card or a
// scenario in any of the forms that Read knows.
func Load(path string) (characters.Scene, error) {
	if IsScene(path) {
		return characters.Load(path)
	}
	f, err := Open(path)
	if err != nil {
		return characters.Scene{}, err
	}
	s, _, err := f.Scene(PlayOptions{})
	return s, err
}

// LoadDir makes scenes of all files in a directory as characters.LoadDir does.
// Several cards of one name get ids of their own by their files.
func LoadDir(dir string) ([]characters.Scene, []error) {
	taken := map[string]bool{}
	return characters.LoadDirBy(dir, Readable, func(path string) (characters.Scene, error) {
		s, err := Load(path)
		if err != nil {
			return s, err
		}
		if taken[s.ID] && !IsScene(path) {
			if id := characters.DeriveID(stem(filepath.Base(path))); id != "" && characters.ValidID(id) {
				s.ID = id
			}
		}
		taken[s.ID] = true
		return s, nil
	})
}
