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

// N1: lines that are replaced by their numbers, with their text in another notation, keep the notation of the text.
func TestLinesWhoseTextIsInAnotherNotation(t *testing.T) {
	src := []byte("one\nit’s two\n\nit’s “four”\nfive\n")
	for _, c := range []struct {
		name, new, want string
		tags            []plan.Tag
		err             error
	}{
		{"a line", "it's 2\n", "one\nit’s 2\n\nit’s “four”\nfive\n", []plan.Tag{{Line: 2, Text: "it's two"}}, nil},
		{"with a blank one", "it's two\nnew\n\nit's \"4\"\n", "one\nit’s two\nnew\n\nit’s “4”\nfive\n",
			[]plan.Tag{{Line: 2, Text: "it's two"}, {Line: 4, Text: "it's \"four\""}}, nil},
		{"another text", "it's 2\n", "", []plan.Tag{{Line: 2, Text: "it's 2"}}, errs.ErrStale},
		{"other lines", "it's 2\n", "", []plan.Tag{{Line: 2, Text: "it's \"four\""}}, errs.ErrStale},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := place.Edit{First: 2, Last: c.tags[len(c.tags)-1].Line, New: c.new, Tags: c.tags}
			res, problems := place.Apply(src, text.EncodingOf(src), []place.Edit{e}, place.Drift, plan.WordsOf(""))
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
