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
		{name: "a deletion", file: "one, it’s, two\n", old: " it's,", new: "", want: "one, two\n"},
		{name: "sent again", file: "He said it’s fine today.\n", old: "it's", new: "it's fine", err: errs.ErrApplied},
		{name: "two places", file: "a it’s b it’s\n", old: "it's", new: "it is", err: errs.ErrNotFound},
		{name: "only the beginning of a line goes", file: "if it’s {\n\tx\n}\n", old: "if it's", new: "y\n", err: errs.ErrNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := []byte(c.file)
			edits := []place.Edit{{Old: c.old, New: c.new}}
			res, problems := place.Apply(src, text.EncodingOf(src), edits, place.Drift, plan.WordsOf(""))
			if c.err != nil {
				if len(problems) != 1 || !errors.Is(problems[0].Err, c.err) {
					t.Errorf("%q, %v", res.Text, problems)
				}
				return
			}
			if d := cmp.Diff(c.want, string(res.Text)); d != "" {
				t.Errorf("%v (-want +got):\n%s", problems, d)
			}
		})
	}
}
