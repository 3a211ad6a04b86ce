package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"herarena/judge/principles"
)

// Every check says what it proves or measures, by what evidence, and where it is
// known to be wrong.
func TestEveryCheckSaysWhatItProves(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	docs, looks := map[string]string{}, map[string]bool{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				docs[n.Name.Name] = n.Doc.Text()
			case *ast.KeyValueExpr:
				key, _ := n.Key.(*ast.Ident)
				if value, ok := n.Value.(*ast.Ident); ok && key != nil && key.Name == "look" {
					looks[value.Name] = true
				}
			}
			return true
		})
	}
	if len(looks) != len(checks()) {
		t.Errorf("%d functions for %d checks", len(looks), len(checks()))
	}
	for name := range looks {
		doc := docs[name]
		flaw := strings.Contains(doc, "Proves: ") && strings.Contains(doc, "Known false positives: ")
		merit := strings.Contains(doc, "Measures: ") && strings.Contains(doc, "Known mistakes: ")
		if !flaw && !merit || !strings.Contains(doc, "Evidence: ") {
			t.Errorf("%s says too little of itself:\n%s", name, doc)
		}
	}
}

// Every one of the twelve dimensions has a check, and every check one of them.
func TestEveryDimensionHasACheck(t *testing.T) {
	t.Parallel()
	have, names := map[string]int{}, map[string]bool{}
	for _, c := range checks() {
		have[c.dimension]++
		if names[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		names[c.name] = true
		if c.definition == "" || c.why == "" || c.weight < 1 || c.weak && !c.negative() {
			t.Errorf("%+v", c)
		}
	}
	for _, k := range principles.Dimensions() {
		if have[k.Name] == 0 {
			t.Errorf("nothing looks at %s", k.Name)
		}
		delete(have, k.Name)
	}
	if len(have) > 0 {
		t.Errorf("unknown dimensions %v", have)
	}
}
