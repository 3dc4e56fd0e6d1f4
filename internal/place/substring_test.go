package place_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/place"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// P3, N1: a string within a line may differ from the text in notation, which the text keeps.
func TestAStringInAnotherNotation(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new, want string
		err                        error
	}{
		{name: "an apostrophe", file: "He said it’s fine today.\n", old: "it's fine", new: "it's good",
			want: "He said it’s good today.\n"},
		{name: "quotes around it", file: "x: “old”, y\n", old: `"old"`, new: `"new"`, want: "x: “new”, y\n"},
		{name: "in the request alone", file: "x: \"old\", y\n", old: "“old”", new: "“new”", want: "x: \"new\", y\n"},
		{name: "from one line into the next", file: "one “a”\r\ntwo “b” three\r\n", old: "\"a\"\ntwo \"b\"",
			new: "\"a\"\nand \"b\"", want: "one “a”\r\nand “b” three\r\n"},
		{name: "another composition", file: "the old cafe\u0301 here\n", old: "café here", new: "café là",
			want: "the old cafe\u0301 la\u0300\n"},
		{name: "a character without width", file: "f(one\u200bTwo)\n", old: "oneTwo", new: "two", want: "f(two)\n"},
		{name: "a deletion", file: "one, that’s, two\n", old: " that's,", new: "", want: "one, two\n"},
		{name: "sent again", file: "He said it’s fine today.\n", old: "said it's", new: "said it's fine",
			err: errs.ErrApplied},
		{name: "two places", file: "a that’s b that’s\n", old: "that's", new: "that is", err: errs.ErrNotFound},
		{name: "a string without a word", file: "the option ‘a’ is old\nx = \"b\"\n", old: "'a'", new: "'c'",
			err: errs.ErrNotFound},
		{name: "numbers and a sign", file: "range 1 – 5 here\nx = 2 - 5\n", old: "1 - 5", new: "1 - 6",
			err: errs.ErrNotFound},
		{name: "only the beginning of a line goes", file: "f {\n\tif that’s {\n\t\tx\n\t}\n}\n", old: "if that's",
			new: "y\n", err: errs.ErrNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkEdit(t, c.file, place.Edit{Old: c.old, New: c.new}, c.want, c.err)
		})
	}
}

// checkEdit checks what an edit makes of a file, or with which error it is refused.
func checkEdit(t *testing.T, file string, e place.Edit, want string, refused error) {
	t.Helper()
	src := []byte(file)
	res, problems := place.Apply(src, text.EncodingOf(src), []place.Edit{e}, place.Drift, plan.WordsOf(""))
	if refused != nil {
		if len(problems) != 1 || !errors.Is(problems[0].Err, refused) {
			t.Errorf("%q, %v", res.Text, problems)
		}
		return
	}
	if d := cmp.Diff(want, string(res.Text)); d != "" {
		t.Errorf("%v (-want +got):\n%s", problems, d)
	}
}

// J8: lines around what an edit adds, shown as new ones too, are refused. A copy alone is meant.
func TestLinesAroundAnAdditionAreShownOnce(t *testing.T) {
	const rows, more = "- one: a\n  two: b\n  three: c\n", "- four: d\n  five: e\n  six: f\n"
	for name, c := range map[string]struct {
		new     string
		refused error
	}{
		"the lines below": {more + rows + rows, errs.ErrApplied},
		"the lines above": {rows + rows + more, errs.ErrApplied},
		"a copy":          {rows + rows, nil},
		"other lines":     {rows + more, nil},
	} {
		t.Run(name, func(t *testing.T) {
			checkEdit(t, rows+"end\n", place.Edit{Old: rows, New: c.new}, c.new+"end\n", c.refused)
			checkEdit(t, rows+"end\n", place.Edit{Old: rows, New: c.new, WholeLines: true}, c.new+"end\n", c.refused)
		})
	}
}
