package place_test

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/text"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRefusalsCountTheLinesThatTheFileHas(t *testing.T) {
	for _, c := range []struct {
		name, src string
		edits     []atomicedit.Edit
		places    []int
		nearest   int
		want      string
	}{
		{"a line that an edit changed", "alpha beta\nrest\n",
			[]atomicedit.Edit{{Old: "alpha beta", New: "alpha gamma delta"}, {Old: "alpha gamma dolta\n", New: "x\n"}},
			nil, 1,
			`edit 2: the old text is not there; the closest is at line 1 after edit 1:
edit 1	alpha gamma delta
the line of edit 1: the old text has "alpha gamma dolta", the file has "alpha gamma delta"`},
		{"lines that an edit moved", "one\nfoo(1)\nbar\nfoo(1)\n",
			[]atomicedit.Edit{{Old: "one\n", New: "1\n1\n1\n1\n"}, {Old: "foo(1)", New: "x"}}, []int{2, 4}, 0,
			`edit 2: the old text is there twice, at lines 2, 4: show more lines around the one you mean. The nearest lines that tell them apart, in this order:
edit 1	1
     3	bar`},
		{"the closest, moved", "one\nfoo(1)\nbar(2)\n",
			[]atomicedit.Edit{{Old: "one\n", New: "1\n1\n1\n1\n"}, {Old: "foo(1)\nbar(3)\n", New: "x"}}, nil, 2,
			`edit 2: the old text is not there; the closest is at lines 2 to 3:
     2	foo(1)
     3	bar(2)
line 3: the old text has "bar(3)", the file has "bar(2)"`},
		{"lines that a line was taken from between", "a one\nb two\nc three\n",
			[]atomicedit.Edit{{Old: "b two\n"}, {Old: "a one\nc tree\n", New: "x"}}, nil, 1,
			`edit 2: the old text is not there; the closest is at lines 1 to 3 after edit 1:
     1	a one
     3	c three
line 3: the old text has "c tree", the file has "c three"`},
		{"the first line taken", "a one\nb two\n", []atomicedit.Edit{{Old: "a one\n"}, {Old: "b tow\n", New: "x"}}, nil,
			2,
			`edit 2: the old text is not there; the closest is at line 2:
     2	b two
line 2: the old text has "b tow", the file has "b two"`},
		{"lines added at the end", "a one\n",
			[]atomicedit.Edit{{Old: "a one\n", New: "a one\nfoo(1)\nbar\nfoo(1)\n"}, {Old: "foo(1)", New: "x"}},
			[]int{1, 1}, 0,
			`edit 2: the old text is there twice, at line 1 after edit 1: show more lines around the one you mean. The nearest lines that tell them apart, in this order:
     1	a one
edit 1	bar`},
		{"whole lines behind a string", "one\n  two\nbar\n  two\n",
			[]atomicedit.Edit{{Old: "one", New: "one\none"}, {Old: "two\n", New: "three\n", WholeLines: true}},
			[]int{2, 4}, 0,
			`edit 2: the old text is there twice, at lines 2, 4: show more lines around the one you mean. The nearest lines that tell them apart, in this order:
edit 1	one
     3	bar`},
		{"the last that changed them", "one\ntwo\n",
			[]atomicedit.Edit{{Old: "one", New: "some one"}, {Old: "two", New: "nor two"},
				{Old: "some one\nnot two\n", New: "x"}}, nil, 1,
			`edit 3: the old text is not there; the closest is at lines 1 to 2 after edit 2:
edit 1	some one
edit 2	nor two
the line of edit 2: the old text has "not two", the file has "nor two"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := atomicedit.Apply([]byte(c.src), c.edits, nil)
			var r *atomicedit.Refusal
			if !errors.As(err, &r) {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, err.Error()); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			p := r.Problems[0]
			if !slices.Equal(p.Places, c.places) || c.nearest > 0 && (p.Nearest == nil || p.Nearest.Line != c.nearest) {
				t.Errorf("places %v, nearest %+v", p.Places, p.Nearest)
			}
		})
	}
}

var (
	lineShown  = regexp.MustCompile(`(?m)^ *(\d+)\t(.*)$`)
	lineQuoted = regexp.MustCompile(`(?m)^line (\d+): .*, the file has (".*")$`)
)

// What a refusal says of a line, but for those that an edit before it had to do with, the file has there.
func TestRefusalsShowWhatTheFileHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := accepttest.TextOf(t)
		now := src
		var edits []atomicedit.Edit
		for range rapid.IntRange(2, 5).Draw(t, "edits") {
			e := accepttest.EditOf(t, now)
			if rapid.IntRange(0, 3).Draw(t, "wrong") == 0 {
				e.Old = strings.Replace(e.Old, "a", "e", 1)
			}
			edits = append(edits, e)
			if res, err := atomicedit.Apply([]byte(src), edits, nil); err == nil {
				now = string(res.Text)
			}
		}
		_, err := atomicedit.Apply([]byte(src), edits,
			&atomicedit.Options{Loosest: rapid.SampledFrom([]atomicedit.Fit{atomicedit.Exact, atomicedit.Drift}).Draw(t,
				"loosest")})
		var r *atomicedit.Refusal
		if !errors.As(err, &r) {
			return
		}
		data, _ := text.EncodingOf([]byte(src)).Decode([]byte(src))
		file := text.New(data)
		starts := file.Starts()
		within := func(n int) bool { return 1 <= n && n <= max(1, len(starts)-1) }
		for _, p := range r.Problems {
			for _, n := range p.Places {
				if !within(n) {
					t.Fatalf("there is no line %d: %q", n, p.Msg)
				}
			}
			first, _, _ := strings.Cut(p.Msg, "\n")
			if n := p.Nearest; n != nil &&
				(!within(n.Line) || !strings.Contains(first, " after edit ") &&
					!strings.HasPrefix(string(data[starts[n.Line-1]:]), strings.TrimRight(n.Text, "\r\n"))) {
				t.Fatalf("the file does not have %+v: %q", n, p.Msg)
			}
			quoted := lineQuoted.FindAllStringSubmatch(p.Msg, -1)
			for i := range quoted {
				quoted[i][2], _ = strconv.Unquote(quoted[i][2])
			}
			for _, shown := range append(lineShown.FindAllStringSubmatch(p.Msg, -1), quoted...) {
				n, _ := strconv.Atoi(shown[1])
				if !within(n) {
					t.Fatalf("there is no line %d: %q", n, p.Msg)
				}
				if says, has := shown[2], string(file.Bytes(file.LineAt(starts[n-1]))); says != has {
					t.Fatalf("line %d is %q, not %q: %q", n, has, says, p.Msg)
				}
			}
		}
	})
}
