package atomicedit_test

import (
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// withoutExample are methods that no program begins with: those that print or marshal, those of a Store, and what a person decides after
// a crash.
var withoutExample = []string{
	"String", "Error", "Unwrap", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText",
	"Read", "Commit", "MayChange", "Respells", "ReadSeen", "Recover", "RecoverForeign", "Discard", "Close", "Err",
}

// Every function has an example that runs, and an example calls every method that a program begins with.
func TestEveryEntryPointHasAnExample(t *testing.T) {
	pkg, code := documented(t)
	everything := ""
	for _, c := range code {
		everything += c
	}
	for _, typ := range pkg.Types {
		pkg.Funcs = append(pkg.Funcs, typ.Funcs...)
		for _, m := range typ.Methods {
			if !slices.Contains(withoutExample, m.Name) && !strings.Contains(everything, "."+m.Name+"(") {
				t.Errorf("no example calls %s.%s", typ.Name, m.Name)
			}
		}
	}
	for _, f := range pkg.Funcs {
		isShown, use := false, regexp.MustCompile(`\batomicedit\.`+f.Name+`\b`)
		for name, c := range code {
			of, _, _ := strings.Cut(name, "_")
			isShown = isShown || (of == f.Name || "New"+of == f.Name) && use.MatchString(c)
		}
		if !isShown {
			t.Errorf("%s has no example that calls it", f.Name)
		}
	}
}

// documented returns the documentation of the package, and the code of its examples that run, by their names.
func documented(t *testing.T) (pkg *doc.Package, code map[string]string) {
	t.Helper()
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
	code = map[string]string{}
	for _, e := range doc.Examples(files...) {
		var b strings.Builder
		if err := format.Node(&b, set, e.Code); err != nil {
			t.Fatal(err)
		}
		if e.Output != "" || e.EmptyOutput {
			code[e.Name] = b.String()
		}
	}
	pkg, err = doc.NewFromFiles(set, files, "github.com/atomicedit/atomicedit")
	if err != nil {
		t.Fatal(err)
	}
	return pkg, code
}
