package plan_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

func TestPlacesCountColumnsInTheirUnits(t *testing.T) {
	at := func(line, from, to int, unit string) plan.Edit {
		return plan.Edit{Range: &plan.Range{Start: plan.Position{Line: line, Column: from},
			End: plan.Position{Line: line, Column: to}, Unit: unit}}
	}
	for _, c := range []struct {
		name, text string
		edit       plan.Edit
		want       string // the text there
		problem    string // or words of the message
	}{
		{"ASCII", "abc\ndef\n", at(2, 1, 2, ""), "e", ""},
		{"a character of two units", "a😀b", at(1, 1, 3, "utf-16"), "😀", ""},
		{"the same in bytes", "a😀b", at(1, 1, 5, "utf-8"), "😀", ""},
		{"the same in code points", "a😀b", at(1, 1, 2, "utf-32"), "😀", ""},
		{"half a character", "a😀b", at(1, 1, 2, "utf-16"), "", "within the character"},
		{"behind the end of the line", "ab\r\nc\r\n", at(1, 1, 9, ""), "b", ""},
		{"behind the last line", "ab\n", at(2, 0, 0, ""), "", ""},
		{"no such line", "ab\n", at(3, 0, 0, ""), "", "the file has 1 line, so there is no line 3"},
		{"backwards", "ab\n", at(1, 2, 1, ""), "", "ends before it begins"},
		{"another unit", "ab\n", at(1, 0, 1, "inches"), "", `counted in "inches"`},
		{"bytes that are no character", "a\xffb\n", at(1, 2, 3, ""), "", "not UTF-8"},
		{"behind a carriage return", "a\rb\nc\n", at(2, 0, 1, ""), "", "line 1 has a carriage return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := text.New([]byte(c.text))
			p := plan.Places([]plan.Edit{c.edit}, src, src.Starts())[0]
			switch {
			case c.problem != "":
				if p.Problem == nil || !strings.Contains(p.Problem.Msg, c.problem) {
					t.Errorf("%+v", p.Problem)
				}
			case p.Problem != nil:
				t.Error(p.Problem.Msg)
			case string(src.Data[p.Start:p.End]) != c.want:
				t.Errorf("%q", src.Data[p.Start:p.End])
			}
		})
	}
}

func TestNewLinesHaveTheEndingsOfTheirRange(t *testing.T) {
	for src, want := range map[string]string{
		"a\r\nb\nc\n": "x\r\ny\nz\n",
		"a\nb\r\nc\n": "x\ny\r\nz\r\n",
		"a":           "x\r\ny\nz\r\n", // no line says otherwise
	} {
		e := plan.Edit{New: "x\r\ny\nz\r\n"}
		if got := e.NewLike(text.New([]byte(src)), text.Span{End: max(0, strings.IndexByte(src, 'c'))}); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
