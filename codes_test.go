package atomicedit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

// The comment of Problem.Code lists its values: programs compare them.
func TestEveryCodeIsDocumented(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "refusal.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && len(f.Names) == 1 && f.Names[0].Name == "Code" {
			for _, m := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(f.Doc.Text(), -1) {
				documented = append(documented, m[1])
			}
		}
		return true
	})
	codes := atomicedit.Codes()
	slices.Sort(documented)
	slices.Sort(codes)
	if diff := cmp.Diff(codes, documented); diff != "" {
		t.Errorf("(-codes +documented):\n%s", diff)
	}
}
