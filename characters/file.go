package characters

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"
)

// MaxFile is the most bytes a scene file may have.
const MaxFile = 4 << 20

// FileError is what is wrong with a scene file, and where.
type FileError struct {
	Path string
	Line int // from 1; 0 where the fault has no line
	Err  error
}

// Error returns "file:line: what is wrong".
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.Path, e.Err)
}

// Unwrap returns the fault itself.
func (e *FileError) Unwrap() error { return e.Err }

// Load reads a scene file in TOML or JSON, told apart by its ending (.toml,
// .json), and validates it. A key that no scene has is an error that names the
// file and the line. A missing id is made of the title, else of the file's
// name. Errors are *FileError.
func Load(path string) (Scene, error) {
	data, err := readFile(path)
	if err != nil {
		return Scene{}, &FileError{Path: path, Err: err}
	}
	s, line, err := decode(data, filepath.Base(path))
	if err != nil {
		return Scene{}, &FileError{Path: path, Line: line, Err: err}
	}
	return s, nil
}

// LoadDir reads every scene file in a directory, sorted by file name, without
// descending. A file that cannot be read, or whose id another file has already,
// gives an error and does not stop the rest. A directory that does not exist
// holds no scenes.
func LoadDir(dir string) ([]Scene, []error) {
	return LoadDirBy(dir, func(name string) bool { return format(name) != "" }, Load)
}

// LoadDirBy is LoadDir for readers that know more kinds of files: wants picks
// the files by their names, load reads one.
func LoadDirBy(dir string, wants func(name string) bool, load func(path string) (Scene, error)) ([]Scene, []error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []error{&FileError{Path: dir, Err: plain(err)}}
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	var scenes []Scene
	var errs []error
	from := map[string]string{}
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || !wants(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		s, err := load(path)
		if err == nil && from[s.ID] != "" {
			err = &FileError{Path: path, Err: &FieldError{"id", fmt.Sprintf("is %q, which %s has already; give it another", s.ID, from[s.ID])}}
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		from[s.ID] = e.Name()
		scenes = append(scenes, s)
	}
	return scenes, errs
}

// readFile reads a regular file up to the size limit.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, plain(err)
	}
	if !info.Mode().IsRegular() {
		// A pipe or a device could block for ever.
		return nil, errors.New("is not a regular file; name a scene file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, plain(err)
	}
	if len(data) > MaxFile {
		return nil, fmt.Errorf("is larger than %d MiB, the most a scene file may have", MaxFile>>20)
	}
	return data, nil
}

// plain takes the path out of a file error, since FileError names it.
func plain(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// format returns "toml", "json" or "" by a file's ending.
func format(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".toml":
		return "toml"
	case ".json":
		return "json"
	}
	return ""
}

// decode reads a scene from the text of a file with the given name and
// returns the line of a fault where it is known.
func decode(data []byte, name string) (s Scene, line int, err error) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if !utf8.Valid(data) {
		return Scene{}, 0, errors.New("is not valid UTF-8; save the file as UTF-8")
	}
	switch format(name) {
	case "toml":
		line, err = decodeTOML(data, &s)
	case "json":
		line, err = decodeJSON(data, &s)
	default:
		err = errors.New("has neither the ending .toml nor .json; a scene file needs one of them")
	}
	if err != nil {
		return Scene{}, line, err
	}
	if s.ID == "" {
		if s.ID = DeriveID(s.Title); s.ID == "" {
			s.ID = DeriveID(strings.TrimSuffix(name, filepath.Ext(name)))
		}
	}
	if err := s.Validate(); err != nil {
		var f *FieldError
		if errors.As(err, &f) {
			line = fieldLine(data, name, f.Field)
		}
		return Scene{}, line, err
	}
	return s, 0, nil
}

// fieldLine returns the line of a field in a scene file, 0 if it has none.
func fieldLine(data []byte, name, field string) int {
	if format(name) == "json" {
		return jsonLine(data, func(path string) bool { return path == field })
	}
	shape, _, err := tomlShape(data)
	if err != nil {
		return 0
	}
	return tomlLine(shape, field)
}
