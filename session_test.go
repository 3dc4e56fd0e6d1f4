package atomicedit_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// run carries out ops through s, and returns the code of the first problem, "" if there is none.
func run(t *testing.T, s atomicedit.Store, ops ...atomicedit.Op) (code string, err error) {
	t.Helper()
	_, err = atomicedit.Run(t.Context(), s, atomicedit.Plan{Ops: ops}, nil)
	var refusal *atomicedit.Refusal
	if errors.As(err, &refusal) {
		return refusal.Problems[0].Code, err
	}
	if err != nil {
		t.Fatal(err)
	}
	return "", nil
}

func lines(path string, first, last int, text string) atomicedit.Op {
	return atomicedit.Op{Path: path, Edits: []atomicedit.Edit{{First: first, Last: last, New: text, WholeLines: true}}}
}

func TestSession(t *testing.T) {
	const text = "1\n2\n3\n4\n5\n6\n7\n8\n"
	type session = *atomicedit.Session
	view := func(first, last int) func(*testing.T, session, *atomicedit.Mem) {
		return func(t *testing.T, s session, _ *atomicedit.Mem) {
			if _, err := s.View(t.Context(), "./f", first, last); err != nil {
				t.Fatal(err)
			}
		}
	}
	do := func(ops ...atomicedit.Op) func(*testing.T, session, *atomicedit.Mem) {
		return func(t *testing.T, s session, _ *atomicedit.Mem) {
			if _, err := run(t, s, ops...); err != nil {
				t.Fatal(err)
			}
		}
	}
	elsewhere := func(ops ...atomicedit.Op) func(*testing.T, session, *atomicedit.Mem) {
		return func(t *testing.T, _ session, m *atomicedit.Mem) {
			if _, err := run(t, m, ops...); err != nil {
				t.Fatal(err)
			}
		}
	}
	saw := func(path, content string, first, last int) func(*testing.T, session, *atomicedit.Mem) {
		return func(_ *testing.T, s session, _ *atomicedit.Mem) {
			s.Saw(path, atomicedit.VersionOf([]byte(content)), first, last)
		}
	}
	whole := over(create("f", "new\n"))
	byText, byLine := edits("f", "3\n", "three\n"), lines("f", 3, 3, "three\n")
	for _, test := range []struct {
		name  string
		steps []func(*testing.T, session, *atomicedit.Mem)
		op    atomicedit.Op
		want  string
	}{
		{"an edit of a file never seen", nil, byText, "unread"},
		{"a delete of a file never seen", nil, remove("f"), "unread"},
		{"an overwrite of a file never seen", nil, whole, "unread"},
		{"a create over a file never seen", nil, create("f", "x"), "exist"},
		{"a new file", nil, create("g", "x"), ""},
		{"a file never seen that is empty", nil, create("empty", "x"), ""},
		{"a file that is not there", nil, edits("g", "x", "y"), "not_exist"},
		{"an edit of a file seen", []func(*testing.T, session, *atomicedit.Mem){view(0, 0)}, byText, ""},
		{"an edit by line numbers of a file seen", []func(*testing.T, session, *atomicedit.Mem){view(0, 0)}, byLine, ""},
		{"a file told to be seen", []func(*testing.T, session, *atomicedit.Mem){saw("f", text, 0, 0)}, whole, ""},
		{"a file told to be seen, when it was another", []func(*testing.T, session, *atomicedit.Mem){saw("f", "x", 0, 0)}, byText, "stale"},
		{"a file changed since", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(edits("f", "5", "five"))}, byText, "stale"},
		{"a file changed since, and seen again", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(edits("f", "5", "five")), view(0, 0)}, whole, ""},
		{"text of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, byText, ""},
		{"lines of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, byLine, "unread"},
		{"an overwrite of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, whole, "unread"},
		{"a move over a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4), do(create("g", "x"))}, over(move("g", "f")), "unread"},
		{"a delete of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, remove("f"), ""},
		{"a delete of a file changed since", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(edits("f", "5", "five"))}, remove("f"), "stale"},
		{"a delete after an own edit that changed the number of lines", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(edits("f", "5\n", ""))}, remove("f"), ""},
		{"a move of a file never seen", nil, move("f", "g"), "unread"},
		{"a move of a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, move("f", "g"), ""},
		{"a move over a file never seen", []func(*testing.T, session, *atomicedit.Mem){do(create("g", "x"))}, over(move("g", "f")), "unread"},
		{"lines of a file of which these lines were seen", []func(*testing.T, session, *atomicedit.Mem){view(3, 3)}, byLine, "unread"},
		{"an insertion by line number into a file seen in part", []func(*testing.T, session, *atomicedit.Mem){view(2, 4)}, lines("f", 3, 0, "x\n"), "unread"},
		{"lines seen in part after an own edit that changed their number", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(edits("f", "5\n", "")), view(2, 4)}, byLine, "unread"},
		{"an overwrite after an own edit that changed the number of lines", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(edits("f", "5\n", ""))}, whole, "unread"},
		{"parts seen before and after an own edit that kept the number of lines", []func(*testing.T, session, *atomicedit.Mem){view(1, 4), do(edits("f", "5", "five")), view(5, 8)}, byLine, ""},
		{"parts seen before and after an own edit that changed it", []func(*testing.T, session, *atomicedit.Mem){view(1, 4), do(edits("f", "5\n", "")), view(5, 7)}, byLine, "unread"},
		{"a file made, deleted, and made again by somebody else", []func(*testing.T, session, *atomicedit.Mem){do(create("g", "x")), do(remove("g")), elsewhere(create("g", "y"))}, edits("g", "y", "z"), "unread"},
		{"a file deleted elsewhere", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), elsewhere(remove("f"))}, byText, "not_exist"},
		{"a file seen in parts that are all", []func(*testing.T, session, *atomicedit.Mem){view(5, 8), view(1, 2), view(2, 4)}, whole, ""},
		{"parts of different versions", []func(*testing.T, session, *atomicedit.Mem){view(5, 8), elsewhere(edits("f", "5", "five")), view(1, 4)}, whole, "unread"},
		{"an own edit counts as seen", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(edits("f", "5", "five"))}, byText, ""},
		{"lines after an own edit that kept their number", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(edits("f", "5", "five"))}, byLine, ""},
		{"text after an own edit that changed the number of lines", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(edits("f", "5\n", ""))}, byText, ""},
		{"lines after an own edit that changed the number of lines", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(edits("f", "5\n", ""))}, byLine, "unread"},
		{"lines seen again after that", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(edits("f", "5\n", "")), view(0, 0)}, byLine, ""},
		{"a file written whole counts as seen", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(whole)}, over(create("f", "again\nlonger\n")), ""},
		{"a file created counts as seen", []func(*testing.T, session, *atomicedit.Mem){do(create("g", "x\ny\n"))}, lines("g", 2, 2, "z\n"), ""},
		{"a moved file is seen as before", []func(*testing.T, session, *atomicedit.Mem){view(2, 4), do(move("f", "g"))}, lines("g", 2, 2, "z\n"), "unread"},
		{"a moved file that was all seen", []func(*testing.T, session, *atomicedit.Mem){view(0, 0), do(move("f", "g"))}, lines("g", 2, 2, "z\n"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := atomicedit.NewMem(map[string]string{"f": text, "empty": ""})
			s := atomicedit.NewSession(m)
			for _, step := range test.steps {
				step(t, s, m)
			}
			if got, err := run(t, s, test.op); got != test.want {
				t.Errorf("got %q, want %q: %v", got, test.want, err)
			}
		})
	}
}

func TestSessionSaysWhatWasNotSeen(t *testing.T) {
	s := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": strings.Repeat("x\n", 20)}))
	s.View(t.Context(), "f", 3, 5)
	s.View(t.Context(), "f", 9, 10)
	_, err := run(t, s, over(create("f", "y")))
	if err == nil || !strings.Contains(err.Error(), "lines 1-2, 6-8, 11-20") {
		t.Errorf("error %v does not name the lines", err)
	}
	s.View(t.Context(), "f", 12, 0)
	if _, err := run(t, s, over(create("f", "y"))); err == nil || !strings.HasSuffix(err.Error(), "lines 1-2, 6-8, 11)") {
		t.Errorf("a view to the end of the file: error %v", err)
	}
	if _, err := s.View(t.Context(), "g", 0, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("View of nothing: %v", err)
	}
}
