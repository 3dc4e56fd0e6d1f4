package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// Every switch still finds the code that it switches off, leaves code that compiles, and is about a rule that there is.
// Every rule has one.
func TestTheTableIsUpToDate(t *testing.T) {
	files, err := trackedFiles("../..")
	if err != nil {
		t.Skip(err) // not a checkout
	}
	placing, err := os.ReadFile("../../docs/PLACING.md")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^- \*\*([A-Z]\d)\*\*`).FindAllSubmatch(placing, -1) {
		missing[string(m[1])] = true
	}
	rules := len(missing)
	switches, err := parseSwitches(table)
	if err != nil {
		t.Fatal(err)
	}
	imports := imported{importer.ForCompiler(token.NewFileSet(), "source", nil), map[string]*types.Package{}}
	for _, s := range switches {
		if !regexp.MustCompile(`\*\*` + s.rule + `\*\*`).Match(placing) {
			t.Errorf("%s %s: docs/PLACING.md has no such rule", s.rule, s.about)
		}
		delete(missing, s.rule)
		changed, err := s.apply(files)
		if err == nil {
			err = check(imports, files, changed)
		}
		if err != nil {
			t.Errorf("%s %s: %v", s.rule, s.about, err)
		}
	}
	if rules == 0 || len(missing) > 0 {
		t.Errorf("of %d rules, these have no switch: %v", rules, missing)
	}
}

// An imported asks an importer for each package once: one that reads source asks the go command each time where a package is.
type imported struct {
	types.Importer
	packages map[string]*types.Package
}

func (i imported) Import(path string) (*types.Package, error) {
	if p := i.packages[path]; p != nil {
		return p, nil
	}
	p, err := i.Importer.Import(path)
	if err == nil {
		i.packages[path] = p
	}
	return p, err
}

// check reports whether the packages with changed files still compile.
func check(imports types.Importer, files, changed map[string]string) error {
	packages := map[string]bool{}
	for name := range changed {
		packages[path.Dir(name)] = true
	}
	set, parsed := token.NewFileSet(), map[string][]*ast.File{}
	for name, text := range files {
		dir := path.Dir(name)
		if !packages[dir] || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if new, ok := changed[name]; ok {
			text = new
		}
		f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed[dir] = append(parsed[dir], f)
	}
	for dir, all := range parsed {
		if _, err := (&types.Config{Importer: imports}).Check(dir, set, all, nil); err != nil {
			return err
		}
	}
	return nil
}

func TestAnOutcomeIsComparedByCountsAndNames(t *testing.T) {
	base := outcome{map[string]int{"right": 5, "wrong": 1}, map[string]bool{"a": true}}
	o := outcome{map[string]int{"right": 3, "refused": 2, "wrong": 1},
		map[string]bool{"a": true, "b": true, "c": true, "d": true, "e": true}}
	if got, want := o.against(base), "+2 refused -2 right (b, c, d, and 1 more)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := base.against(base); got != "" {
		t.Errorf("%q, want nothing", got)
	}
}
