package place_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// Lines beside an old text are those of the text that the request was written for, and have to hold the place (J4).
func TestAnOldTextInARangeOfLines(t *testing.T) {
	const src = "if a:\n    load(all)\nif b:\n    load(all)\nif c:\n    load(all)\n"
	in := func(first, last int, old, new string) atomicedit.Edit {
		return atomicedit.Edit{Old: old, New: new, First: first, Last: last}
	}
	lines := func(e atomicedit.Edit) atomicedit.Edit { e.WholeLines = true; return e }
	all := func(e atomicedit.Edit) atomicedit.Edit { e.Count = atomicedit.All; return e }
	twice := func(e atomicedit.Edit) atomicedit.Edit { e.Count = 2; return e }
	for name, test := range map[string]struct {
		edits []atomicedit.Edit
		want  string
		err   error
	}{
		"one of several": {[]atomicedit.Edit{in(3, 5, "load(all)", "x(all)")},
			"if a:\n    load(all)\nif b:\n    x(all)\nif c:\n    load(all)\n", nil},
		"whole lines": {[]atomicedit.Edit{lines(in(3, 5, "    load(all)\n", "    x(all)\n"))},
			"if a:\n    load(all)\nif b:\n    x(all)\nif c:\n    load(all)\n", nil},
		"with other indentation": {[]atomicedit.Edit{lines(in(5, 6, "load(all)\n", "x(all)\n"))},
			"if a:\n    load(all)\nif b:\n    load(all)\nif c:\n    x(all)\n", nil},
		"two of them": {[]atomicedit.Edit{in(1, 4, "load(all)", "x(all)")}, "",
			atomicedit.ErrAmbiguous},
		"all of them": {[]atomicedit.Edit{all(in(1, 4, "load(all)", "x(all)"))},
			"if a:\n    x(all)\nif b:\n    x(all)\nif c:\n    load(all)\n", nil},
		"all lines of them": {[]atomicedit.Edit{all(lines(in(3, 6, "    load(all)\n", "    x(all)\n")))},
			"if a:\n    load(all)\nif b:\n    x(all)\nif c:\n    x(all)\n", nil},
		"as many as it says": {[]atomicedit.Edit{twice(in(2, 5, "load(all)", "x(all)"))},
			"if a:\n    x(all)\nif b:\n    x(all)\nif c:\n    load(all)\n", nil},
		"not as many": {[]atomicedit.Edit{twice(in(3, 5, "load(all)", "x(all)"))}, "",
			atomicedit.ErrCount},
		"past the end of the file": {[]atomicedit.Edit{in(5, 60, "load(all)", "x(all)")},
			"if a:\n    load(all)\nif b:\n    load(all)\nif c:\n    x(all)\n", nil},
		"all lines below it": {[]atomicedit.Edit{in(50, 60, "load(all)", "x(all)")}, "",
			atomicedit.ErrNotFound},
		"elsewhere":            {[]atomicedit.Edit{in(1, 2, "if c", "if d")}, "", atomicedit.ErrNotFound},
		"elsewhere, every one": {[]atomicedit.Edit{all(in(1, 2, "if c", "if d"))}, "", atomicedit.ErrNotFound},
		"half in it": {[]atomicedit.Edit{lines(in(5, 5, "if c:\n    load(all)\n", "x(all)\n"))}, "",
			atomicedit.ErrNotFound},
		"lines of the text before all": {[]atomicedit.Edit{in(1, 2, "    load(all)", "    x(all)\n    y()\n    z()"),
			in(3, 4, "load(all)", "x(all)")},
			"if a:\n    x(all)\n    y()\n    z()\nif b:\n    x(all)\nif c:\n    load(all)\n", nil},
		"without a last line": {[]atomicedit.Edit{in(3, 0, "load(all)", "x(all)")}, "", fs.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := atomicedit.Apply([]byte(src), test.edits, &atomicedit.Options{Loosest: atomicedit.Drift})
			if !errors.Is(err, test.err) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(test.want, string(res.Text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What an edit that is refused would write does not meet what the others write.
func TestARefusedEditByLinesIsNotCarriedOut(t *testing.T) {
	const src = "first\n\nsecond\nthird\nfourth\n\nlast\n"
	_, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{
		{New: "second\nthird\nfourth\n\n", WholeLines: true, First: 3, Last: 5},
		{Old: "third\nfourth\n\n", New: "x\n", WholeLines: true},
	}, nil)
	if !errors.Is(err, atomicedit.ErrApplied) || errors.Is(err, atomicedit.ErrOverlap) {
		t.Errorf("error %v, want only %v", err, atomicedit.ErrApplied)
	}
}

// Two ranges may take a bracket and its partner away, and a line that ends a block may stand below another one.
func TestRangesThatBelongTogether(t *testing.T) {
	at := func(first, last int, new string) atomicedit.Edit {
		return atomicedit.Edit{New: new, WholeLines: true, First: first, Last: last}
	}
	for name, test := range map[string]struct {
		src   string
		edits []atomicedit.Edit
		want  string
	}{
		"a block that is unwrapped": {"if (a) {\n\tb();\n}\n", []atomicedit.Edit{at(1, 1, ""), at(3, 3, "")},
			"\tb();\n"},
		"a block around another": {"if A\nx = 1\nendif\n", []atomicedit.Edit{at(1, 0, "if B\n"), at(4, 0, "endif\n")},
			"if B\nif A\nx = 1\nendif\nendif\n"},
		"a blank line above": {"Examples:\n- one\n", []atomicedit.Edit{at(2, 2, "\n- one\n")}, "Examples:\n\n- one\n"},
	} {
		res, err := atomicedit.Apply([]byte(test.src), test.edits, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(test.want, string(res.Text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A line number means the beginning of a line, which another edit of the request may have put within one.
func TestALineNumberBelowAnEditThatEndsWithinALine(t *testing.T) {
	up := atomicedit.Edit{Old: "if a:\n    foo()", New: "if b:\n        foo()"} // all of it above "foo()" changes
	for _, e := range []atomicedit.Edit{
		{First: 2, New: "        log()\n"},
		{First: 2, Last: 2, New: "        log()\n"},
	} {
		src := []byte("if a:\n    foo()\nbar()\n")
		if res, err := atomicedit.Apply(src, []atomicedit.Edit{up, e}, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %v, %+v", e, err, res)
		}
	}
}

// A viewer does not show whether the last line ends in a newline, so an old text that ends in one may be there.
func TestALineHintAtALastLineWithoutItsNewline(t *testing.T) {
	for near, want := range map[int]string{1: "new\nb\na", 3: "a\nb\nnew", 0: "new\nb\na"} {
		e := atomicedit.Edit{Old: "a\n", New: "new\n", Near: near}
		result, err := atomicedit.Apply([]byte("a\nb\na"), []atomicedit.Edit{e}, nil)
		if err != nil || string(result.Text) != want {
			t.Errorf("near line %d: %+v, %v", near, result, err)
		}
	}
}

// Lines that are right above the place of an insertion, all of them, were inserted there before.
func TestAnInsertionByNumberIsMadeOnce(t *testing.T) {
	const src = "matrix:\n  - one\n  - two\nscript: run\n"
	again := []atomicedit.Edit{{First: 4, New: "  - one\n  - two\n"}}
	if r, err := atomicedit.Apply([]byte(src), again, nil); !errors.Is(err, atomicedit.ErrApplied) {
		t.Errorf("again: %v, %+v", err, r)
	}
	another := []atomicedit.Edit{{First: 4, New: "  - two\n"}}
	if _, err := atomicedit.Apply([]byte(src), another, nil); err != nil {
		t.Errorf("one line like the one above: %v", err)
	}
}

// A chunk without a change does one all the same, if its blank line takes the place of one with spaces.
func TestAChunkThatEmptiesABlankLineChangesSomething(t *testing.T) {
	p := accepttest.Must(atomicedit.ParseV4A("*** Begin Patch\n*** Update File: a\n@@\n one\n-\n+\n two\n*** End Patch\n"))
	r, err := atomicedit.Apply([]byte("one\n    \ntwo\n"), p.Ops[0].Edits, nil)
	if err != nil || string(r.Text) != "one\n\ntwo\n" {
		t.Fatalf("%v, %+v", err, r)
	}
	for _, n := range r.Notes {
		if strings.Contains(n.Msg, "changes nothing") {
			t.Error(n.Msg)
		}
	}
}
