package atomicedit_test

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var bracketed = regexp.MustCompile(`\[\*?[A-Za-z][A-Za-z.]*\]`)

// What "go doc" prints above the index fits two screens.
func TestThePackageCommentIsShort(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	const twoScreens = 50 // lines of 80 columns
	printer := comment.Printer{TextWidth: 80}
	if n := bytes.Count(printer.Text(new(comment.Parser).Parse(file.Doc.Text())), []byte("\n")); n > twoScreens {
		t.Errorf("the package comment has %d lines", n)
	}
}

// A link to nothing shows as brackets.
func TestDocLinksLead(t *testing.T) {
	for dir, path := range map[string]string{".": "github.com/atomicedit/atomicedit", "storetest": "github.com/atomicedit/atomicedit/storetest"} {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		var files []*ast.File
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		pkg, err := doc.NewFromFiles(set, files, path)
		if err != nil {
			t.Fatal(err)
		}
		parser, members := pkg.Parser(), membersOf(files)
		known := parser.LookupSym
		parser.LookupSym = func(recv, name string) bool { return known(recv, name) || members[recv+"."+name] }
		links := 0
		check := func(name, text string) {
			for _, block := range parser.Parse(text).Content {
				links += checkLinks(t, path+"."+name, block)
			}
		}
		check("", pkg.Doc)
		funcs := func(all []*doc.Func) {
			for _, f := range all {
				check(f.Name, f.Doc)
			}
		}
		values := func(all []*doc.Value) {
			for _, v := range all {
				check(v.Names[0], v.Doc)
			}
		}
		funcs(pkg.Funcs)
		values(pkg.Consts)
		values(pkg.Vars)
		for _, typ := range pkg.Types {
			check(typ.Name, typ.Doc)
			funcs(typ.Funcs)
			funcs(typ.Methods)
			values(typ.Consts)
			values(typ.Vars)
		}
		if links == 0 {
			t.Errorf("%s: no links", path)
		}
	}
}

// membersOf returns the fields of structs and the methods of interfaces, as "Type.Member". Package doc has known them as targets of
// links since Go 1.26, and only the methods of other types before.
func membersOf(files []*ast.File) map[string]bool {
	members := map[string]bool{}
	add := func(typ string, all *ast.FieldList) {
		for _, field := range all.List {
			for _, name := range field.Names {
				members[typ+"."+name.Name] = true
			}
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				switch typ := spec.Type.(type) {
				case *ast.StructType:
					add(spec.Name.Name, typ.Fields)
				case *ast.InterfaceType:
					add(spec.Name.Name, typ.Methods)
				}
			}
			return true
		})
	}
	return members
}

// checkLinks finds brackets in plain text, and counts the links.
func checkLinks(t *testing.T, name string, block comment.Block) (links int) {
	texts := func(all []comment.Text) {
		for _, x := range all {
			switch x := x.(type) {
			case *comment.DocLink:
				links++
			case comment.Plain:
				for _, found := range bracketed.FindAllString(string(x), -1) {
					t.Errorf("%s: %s leads nowhere", name, found)
				}
			}
		}
	}
	switch b := block.(type) {
	case *comment.Paragraph:
		texts(b.Text)
	case *comment.List:
		for _, item := range b.Items {
			for _, c := range item.Content {
				links += checkLinks(t, name, c)
			}
		}
	}
	return links
}
