package atomicedit_test

import (
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every function has an example that runs, and an example calls every method that a program begins with.
func TestEveryEntryPointHasAnExample(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(set, files, "github.com/atomicedit/atomicedit")
	if err != nil {
		t.Fatal(err)
	}
	shown := func(e *doc.Example) bool { return e.Output != "" || e.EmptyOutput }
	codeOf := func(e *doc.Example) string {
		var code strings.Builder
		if err := format.Node(&code, set, e.Code); err != nil {
			t.Fatal(err)
		}
		return code.String()
	}
	all := ""
	for _, e := range doc.Examples(files...) {
		if shown(e) {
			all += codeOf(e)
		}
	}
	for _, typ := range pkg.Types {
		pkg.Funcs = append(pkg.Funcs, typ.Funcs...)
		for _, m := range typ.Methods {
			if !slices.Contains(withoutExample, m.Name) && !strings.Contains(all, "."+m.Name+"(") {
				t.Errorf("no example calls %s.%s", typ.Name, m.Name)
			}
		}
	}
	for _, f := range pkg.Funcs {
		own := slices.Clone(f.Examples)
		if typ, ok := strings.CutPrefix(f.Name, "New"); ok { // shown with its type
			for _, t := range pkg.Types {
				if t.Name == typ {
					own = append(own, t.Examples...)
				}
			}
		}
		if !slices.ContainsFunc(own, func(e *doc.Example) bool { return shown(e) && strings.Contains(codeOf(e), "."+f.Name) }) {
			t.Errorf("%s has no example that calls it", f.Name)
		}
	}
}

// withoutExample are methods that no program begins with: those that print or marshal, those of a Store, and what a person decides after
// a crash.
var withoutExample = []string{
	"String", "Error", "Unwrap", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText",
	"Read", "Commit", "MayChange", "Respells", "ReadSeen", "Recover", "RecoverForeign", "Discard", "Close", "Err",
}
