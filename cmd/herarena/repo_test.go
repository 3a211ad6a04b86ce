package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// floors, lowest first. A package imports its own floor and those below.
var floors = []string{"characters", "arena", "judge", "tui", "cmd"}

func floorOf(path string) int {
	rest, ok := strings.CutPrefix(path, "herarena/")
	if !ok {
		return -1
	}
	top, _, _ := strings.Cut(rest, "/")
	for i, f := range floors {
		if f == top {
			return i
		}
	}
	return -1
}

type source struct {
	path string // relative to the repository, with slashes
	pkg  string // import path
	file *ast.File
	test bool
}

// sources parses every Go file of the repository.
func sources(t *testing.T) (string, *token.FileSet, []source) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var out []source
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		dir := strings.TrimSuffix(rel, "/"+name)
		out = append(out, source{path: rel, pkg: "herarena/" + dir, file: file, test: strings.HasSuffix(name, "_test.go")})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 40 {
		t.Fatalf("only %d Go files found under %s", len(out), root)
	}
	return root, fset, out
}

func imports(f *ast.File) []string {
	var out []string
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err == nil {
			out = append(out, path)
		}
	}
	return out
}

func TestCodeStandsOnItsFloor(t *testing.T) {
	_, _, files := sources(t)
	for _, s := range files {
		mine := floorOf(s.pkg)
		if mine < 0 {
			t.Errorf("%s is outside the five folders", s.path)
			continue
		}
		for _, imp := range imports(s.file) {
			if theirs := floorOf(imp); theirs > mine {
				t.Errorf("%s (floor %s) imports %s from above", s.path, floors[mine], imp)
			}
			drawing := strings.HasPrefix(imp, "charm.land/") || strings.HasPrefix(imp, "github.com/charmbracelet/") && !strings.HasSuffix(imp, "/golden")
			if drawing && mine < 3 {
				t.Errorf("%s imports %s: only tui and cmd draw", s.path, imp)
			}
			if strings.HasPrefix(imp, "herarena/arena/") && s.pkg == "herarena/arena" && imp != "herarena/arena/layers" {
				t.Errorf("%s imports %s: the arena's root knows only its layers", s.path, imp)
			}
		}
	}
}

func TestEveryPackageAndExportedNameIsDocumented(t *testing.T) {
	_, fset, files := sources(t)
	documented := map[string]bool{}
	for _, s := range files {
		if s.test {
			continue
		}
		documented[s.pkg] = documented[s.pkg] || s.file.Doc != nil
		for _, decl := range s.file.Decls {
			for _, name := range undocumented(decl) {
				t.Errorf("%s: exported %s has no doc comment", fset.Position(decl.Pos()), name)
			}
		}
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment", pkg)
		}
	}
}

func undocumented(decl ast.Decl) []string {
	var out []string
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && receiverExported(d) {
			out = append(out, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch sp := spec.(type) {
			case *ast.TypeSpec:
				if sp.Name.IsExported() && d.Doc == nil && sp.Doc == nil {
					out = append(out, sp.Name.Name)
				}
			case *ast.ValueSpec:
				if sp.Names[0].IsExported() && d.Doc == nil && sp.Doc == nil && sp.Comment == nil {
					out = append(out, sp.Names[0].Name)
				}
			}
		}
	}
	return out
}

func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if index, ok := typ.(*ast.IndexExpr); ok {
		typ = index.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

func TestOnlyCommandsPrint(t *testing.T) {
	_, fset, files := sources(t)
	for _, s := range files {
		if s.test || floorOf(s.pkg) == 4 {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if ok && x.Name == "fmt" && strings.HasPrefix(sel.Sel.Name, "Print") {
				t.Errorf("%s: fmt.%s outside cmd", fset.Position(n.Pos()), sel.Sel.Name)
			}
			return true
		})
	}
}

// TestLengths reports what is asking to be split; it fails only far beyond.
func TestLengths(t *testing.T) {
	_, fset, files := sources(t)
	var report []string
	for _, s := range files {
		if s.test {
			continue
		}
		if n := fset.File(s.file.Pos()).LineCount(); n > 400 {
			report = append(report, s.path+": "+strconv.Itoa(n)+" lines")
			if n > 650 {
				t.Errorf("%s has %d lines", s.path, n)
			}
		}
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line
			if n > 60 {
				report = append(report, s.path+" "+f.Name.Name+": "+strconv.Itoa(n)+" lines")
				if n > 120 {
					t.Errorf("%s: function %s has %d lines", s.path, f.Name.Name, n)
				}
			}
		}
	}
	sort.Strings(report)
	t.Logf("asking to be split:\n%s", strings.Join(report, "\n"))
}

func TestRootModelStaysSmall(t *testing.T) {
	root, _, _ := sources(t)
	data, err := os.ReadFile(filepath.Join(root, "tui", "root.go"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n > 250 {
		t.Errorf("tui/root.go has %d lines, the root model may have 250", n)
	}
}
