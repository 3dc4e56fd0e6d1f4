package atomicedit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"testing"
)

// documentedCodes returns the values of Problem.Code that its comment lists.
func documentedCodes(t testing.TB) (documented []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "refusal.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && len(f.Names) == 1 && f.Names[0].Name == "Code" {
			for _, m := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(f.Doc.Text(), -1) {
				documented = append(documented, m[1])
			}
		}
		return true
	})
	return documented
}
