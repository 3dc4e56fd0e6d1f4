package atomicedit_test

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/storetest"
	"github.com/google/go-cmp/cmp"
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
	for dir, path := range map[string]string{".": "github.com/atomicedit/atomicedit",
		"storetest": "github.com/atomicedit/atomicedit/storetest"} {
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

// membersOf returns the fields of structs and the methods of interfaces, as "Type.Member". Package doc has known them
// as targets of links since Go 1.26, and only the methods of other types before.
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

// The comment of Problem.Code lists its values: programs compare them.
func TestEveryCodeIsDocumented(t *testing.T) {
	codes, documented := atomicedit.Codes(), accepttest.DocumentedCodes(t)
	slices.Sort(documented)
	slices.Sort(codes)
	if diff := cmp.Diff(codes, documented); diff != "" {
		t.Errorf("(-codes +documented):\n%s", diff)
	}
}

// Zero values answer at once. What cannot work says how to make one that does, to a program, not to a model.
func TestZeroValuesAnswer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	says := func(what string, err error, words string) {
		t.Helper()
		var refusal *atomicedit.Refusal
		if err == nil || errors.As(err, &refusal) || ctx.Err() != nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: error %v, want one about the machinery that says %q", what, err, words)
		}
	}
	t.Run("Host", func(t *testing.T) {
		heard := 0
		for _, h := range []*atomicedit.Host{nil, {}, {Events: func(context.Context, atomicedit.Event) { heard++ }}} {
			for _, call := range []func() (*atomicedit.Answer, error){
				func() (*atomicedit.Answer, error) { return h.Call(ctx, "multi_edit", []byte(accepttest.EditOne)) },
				func() (*atomicedit.Answer, error) {
					return h.Call(ctx, "text_editor", []byte(`{"action": "read", "path": "f"}`))
				},
				func() (*atomicedit.Answer, error) { return h.Do(ctx, atomicedit.Plan{}) },
				func() (*atomicedit.Answer, error) { return h.View(ctx, "f", 0, 0) },
			} {
				answer, err := call()
				says("zero Host", err, "&Host{Store: s}")
				if answer == nil || answer.Status != "failed" || answer.Text == "" {
					t.Errorf("the answer is %+v", answer)
				}
			}
		}
		if heard != 4 {
			t.Errorf("%d events of 4 calls", heard)
		}
	})
	t.Run("Session", func(t *testing.T) {
		for _, s := range []*atomicedit.Session{nil, {}, atomicedit.NewSession(nil)} {
			_, err := s.Read(ctx, "f")
			says("Read", err, "NewSession")
			_, err = s.MarshalJSON()
			says("MarshalJSON", err, "NewSession")
			says("UnmarshalJSON", s.UnmarshalJSON([]byte("{}")), "NewSession")
			_, err = s.View(ctx, "f", 0, 0)
			says("View", err, "NewSession")
			says("Commit", s.Commit(ctx, nil), "NewSession")
			s.MarkRead("f", atomicedit.VersionOf(nil), 0, 0)
			if _, _, ok := s.Seen("f"); ok {
				t.Error("a zero Session knows a file")
			}
			_, err = atomicedit.Run(ctx, s, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("f", "x")}}, nil)
			says("Run", err, "NewSession")
			answer, err := (&atomicedit.Host{Store: s}).View(ctx, "f", 0, 0)
			says("a Host on it", err, "NewSession")
			if answer.Status != "failed" {
				t.Errorf("the answer is %+v", answer)
			}
		}
	})
	t.Run("Transaction", func(t *testing.T) {
		for _, tr := range []*atomicedit.Transaction{nil, {}} {
			says("Commit", tr.Commit(ctx), "Prepare")
			if r := tr.Report(); r == nil || len(r.Files) > 0 || r.String() != "" || len(tr.Changes()) > 0 {
				t.Errorf("%+v, %+v", r, tr.Changes())
			}
		}
	})
	t.Run("Mem", func(t *testing.T) {
		var m atomicedit.Mem
		if f, err := m.Read(ctx, "f"); !errors.Is(err, fs.ErrNotExist) || len(m.Files()) > 0 {
			t.Errorf("%+v, error %v", f, err)
		}
		storetest.Run(t, func(*testing.T) atomicedit.Store { return new(atomicedit.Mem) })
	})
	t.Run("nil Mem", func(t *testing.T) {
		var m *atomicedit.Mem
		_, err := m.Read(ctx, "f")
		says("Read", err, "NewMem")
		says("Commit", m.Commit(ctx, nil), "NewMem")
		if files := m.Files(); len(files) > 0 {
			t.Error(files)
		}
	})
	t.Run("nil Dir", func(t *testing.T) {
		var d *atomicedit.Dir
		_, err := d.Read(ctx, "f")
		says("Read", err, "OpenDir")
		for _, err := range []error{
			d.Commit(ctx, nil), d.Check(ctx, []atomicedit.Change{{Path: "f", After: &atomicedit.File{}}}),
			d.Recover(ctx), d.RecoverForeign(ctx), d.Discard(ctx), d.Close(),
		} {
			says("a method", err, "OpenDir")
		}
		if d.Respells(ctx, "f", "F") || d.Recovered() != nil {
			t.Errorf("a nil Dir respells, or has recovered %q", d.Recovered())
		}
	})
	t.Run("no store", func(t *testing.T) {
		_, err := atomicedit.Prepare(ctx, nil, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("f", "x")}}, nil)
		says("Prepare", err, "no store")
		_, err = atomicedit.Run(ctx, nil, atomicedit.Plan{}, nil)
		says("Run", err, "no store")
	})
	t.Run("values", func(t *testing.T) {
		if _, err := atomicedit.Run(ctx, atomicedit.NewMem(nil), atomicedit.Plan{}, nil); !errors.Is(err,
			atomicedit.ErrNoChange) {
			t.Errorf("zero Plan: %v", err)
		}
		if _, err := atomicedit.Apply([]byte("x"), []atomicedit.Edit{{}}, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("zero Edit: %v", err)
		}
		if err := atomicedit.NewMem(nil).Commit(ctx, []atomicedit.Change{{}}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("zero Change: %v", err)
		}
		if (&atomicedit.Report{}).String() != "" || (*atomicedit.Report)(nil).String() != "" ||
			(&atomicedit.Refusal{}).Error() == "" || atomicedit.Fit(0).String() != "fit 0" {
			t.Errorf("zero Report, Refusal, Fit: %v, %v, %v", &atomicedit.Report{}, &atomicedit.Refusal{},
				atomicedit.Fit(0))
		}
	})
}
