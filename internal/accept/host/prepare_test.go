package host_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// tree is what the tests of plans start from.
func tree() map[string]string {
	return map[string]string{
		"a.txt": "one\ntwo\nthree\n", "b.txt": "alpha\nbeta\n", "dir/c.txt": "gamma\n", "empty": "", "bin": "\x00\x01",
	}
}

func TestPlansThatAreCarriedOut(t *testing.T) {
	for _, test := range []struct {
		name string
		ops  []atomicedit.Op
		want map[string]string // what differs from tree; "-" for a file that is gone
		say  string            // the status of every file of the report
	}{
		{"an edit", []atomicedit.Op{accepttest.Edits("a.txt", "two", "2")},
			map[string]string{"a.txt": "one\n2\nthree\n"}, "modified a.txt"},
		{"later ops see what earlier ones made",
			[]atomicedit.Op{accepttest.Edits("a.txt", "two", "2"), accepttest.Edits("./a.txt", "2", "II"),
				accepttest.Edits("a.txt", "one", "I")},
			map[string]string{"a.txt": "I\nII\nthree\n"}, "modified a.txt"},
		{"a create in a new directory", []atomicedit.Op{accepttest.Create("x/y.txt", "new\n")},
			map[string]string{"x/y.txt": "new\n"}, "added x/y.txt"},
		{"a create with edits", []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n", Content: "a b",
			Edits: []atomicedit.Edit{{Old: "b", New: "c"}}}},
			map[string]string{"n": "a c"}, "added n"},
		{"an edit of what was created", []atomicedit.Op{accepttest.Create("n", "a b"), accepttest.Edits("n", "b", "c")},
			map[string]string{"n": "a c"}, "added n"},
		{"a create over an empty file", []atomicedit.Op{accepttest.Create("empty", "x\n")},
			map[string]string{"empty": "x\n"}, "modified empty"},
		{"a create that may overwrite", []atomicedit.Op{accepttest.Over(accepttest.Create("a.txt", "x\n"))},
			map[string]string{"a.txt": "x\n"}, "modified a.txt"},
		{"an empty file", []atomicedit.Op{accepttest.Create("n", "")}, map[string]string{"n": ""}, "added n"},
		{"a delete", []atomicedit.Op{accepttest.Remove("b.txt")}, map[string]string{"b.txt": "-"}, "deleted b.txt"},
		{"a delete of a binary file", []atomicedit.Op{accepttest.Remove("bin")}, map[string]string{"bin": "-"},
			"deleted bin"},
		{"a move", []atomicedit.Op{accepttest.Move("a.txt", "dir/d.txt")},
			map[string]string{"a.txt": "-", "dir/d.txt": "one\ntwo\nthree\n"}, "moved dir/d.txt from a.txt"},
		{"a move of a binary file", []atomicedit.Op{accepttest.Move("bin", "bin2")},
			map[string]string{"bin": "-", "bin2": "\x00\x01"}, "moved bin2 from bin"},
		{"a move that edits", []atomicedit.Op{accepttest.Move("a.txt", "d.txt", "two", "2"),
			accepttest.Edits("d.txt", "one", "1")},
			map[string]string{"a.txt": "-", "d.txt": "1\n2\nthree\n"}, "moved d.txt from a.txt"},
		{"a move in two steps", []atomicedit.Op{accepttest.Move("a.txt", "d.txt"), accepttest.Move("d.txt", "e.txt")},
			map[string]string{"a.txt": "-", "e.txt": "one\ntwo\nthree\n"}, "moved e.txt from a.txt"},
		{"a move there and back, edited",
			[]atomicedit.Op{accepttest.Move("a.txt", "d.txt", "two", "2"), accepttest.Move("d.txt", "a.txt")},
			map[string]string{"a.txt": "one\n2\nthree\n"}, "modified a.txt"},
		{"a swap", []atomicedit.Op{accepttest.Move("a.txt", "t"), accepttest.Move("b.txt", "a.txt"),
			accepttest.Move("t", "b.txt")},
			map[string]string{"a.txt": "alpha\nbeta\n", "b.txt": "one\ntwo\nthree\n"},
			"modified a.txt, modified b.txt"},
		{"a move over a file", []atomicedit.Op{accepttest.Over(accepttest.Move("a.txt", "b.txt"))},
			map[string]string{"a.txt": "-", "b.txt": "one\ntwo\nthree\n"}, "deleted a.txt, modified b.txt"},
		{"a file deleted and made again",
			[]atomicedit.Op{accepttest.Remove("a.txt"), accepttest.Create("a.txt", "x\n")},
			map[string]string{"a.txt": "x\n"}, "modified a.txt"},
		{"a file moved, and another in its place",
			[]atomicedit.Op{accepttest.Move("a.txt", "d.txt"), accepttest.Create("a.txt", "x\n")},
			map[string]string{"a.txt": "x\n", "d.txt": "one\ntwo\nthree\n"}, "modified a.txt, added d.txt"},
		{"a file made and removed, beside an edit",
			[]atomicedit.Op{accepttest.Create("n", "x"), accepttest.Remove("n"), accepttest.Edits("a.txt", "two", "2")},
			map[string]string{"a.txt": "one\n2\nthree\n"}, "modified a.txt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := atomicedit.NewMem(tree())
			tr, err := atomicedit.Prepare(t.Context(), s, atomicedit.Plan{Ops: test.ops}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tree(), s.Files()); diff != "" {
				t.Errorf("Prepare wrote:\n%s", diff)
			}
			before := tr.Report()
			if err := tr.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := tree()
			for name, text := range test.want {
				if want[name] = text; text == "-" {
					delete(want, name)
				}
			}
			if diff := cmp.Diff(want, s.Files()); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, tr.Report()); diff != "" {
				t.Errorf("the report is another after the commit:\n%s", diff)
			}
			var say []string
			for _, f := range before.Files {
				line := f.Status + " " + f.Path
				if f.From != "" {
					line += " from " + f.From
				}
				say = append(say, line)
			}
			if got := strings.Join(say, ", "); got != test.say {
				t.Errorf("report says %q, want %q", got, test.say)
			}
			if err := tr.Commit(t.Context()); !errors.Is(err, atomicedit.ErrStale) && !errors.Is(err, fs.ErrExist) {
				t.Errorf("second Commit: error %v, want ErrStale or fs.ErrExist", err)
			}
			if err := s.Commit(t.Context(), atomicedit.Invert(tr.Changes())); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tree(), s.Files()); diff != "" {
				t.Errorf("after undo (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlansThatAreRefused(t *testing.T) {
	type problem struct {
		Op, Edit int
		Path     string
		Code     string
	}
	versioned := accepttest.Edits("a.txt", "two", "2")
	versioned.Version = atomicedit.VersionOf([]byte("something else"))
	for _, test := range []struct {
		name string
		ops  []atomicedit.Op
		want []problem
	}{
		{"no file", []atomicedit.Op{accepttest.Edits("", "a", "b")}, []problem{{0, -1, "", "invalid"}}},
		{"an edit of a file that is not there", []atomicedit.Op{accepttest.Edits("x", "a", "b")},
			[]problem{{0, -1, "x", "not_exist"}}},
		{"a delete of a file that is not there", []atomicedit.Op{accepttest.Remove("x")},
			[]problem{{0, -1, "x", "not_exist"}}},
		{"an edit of a file just deleted",
			[]atomicedit.Op{accepttest.Remove("a.txt"), accepttest.Edits("a.txt", "two", "2")},
			[]problem{{1, -1, "a.txt", "not_exist"}}},
		{"a create over a file", []atomicedit.Op{accepttest.Create("a.txt", "x")},
			[]problem{{0, -1, "a.txt", "exist"}}},
		{"a move over a file", []atomicedit.Op{accepttest.Move("a.txt", "b.txt")},
			[]problem{{0, -1, "b.txt", "exist"}}},
		{"a move to nowhere", []atomicedit.Op{accepttest.Move("a.txt", "")}, []problem{{0, -1, "a.txt", "invalid"}}},
		{"a path outside", []atomicedit.Op{accepttest.Edits("../x", "a", "b"), accepttest.Create("/etc/x", "b")},
			[]problem{{0, -1, "../x", "outside"}, {1, -1, "/etc/x", "outside"}}},
		{"an edit of a binary file", []atomicedit.Op{accepttest.Edits("bin", "\x01", "b")},
			[]problem{{0, -1, "bin", "binary"}}},
		{"another version", []atomicedit.Op{versioned}, []problem{{0, -1, "a.txt", "stale"}}},
		{"text that is not there, in several files",
			[]atomicedit.Op{accepttest.Edits("a.txt", "nope", "x"), accepttest.Edits("b.txt", "beta", "B"),
				accepttest.Edits("dir/c.txt", "nope at all", "y")},
			[]problem{{0, 0, "a.txt", "not_found"}, {2, 0, "dir/c.txt", "not_found"}}},
		{"a plan that changes nothing", []atomicedit.Op{accepttest.Over(accepttest.Create("b.txt", "alpha\nbeta\n"))},
			[]problem{{-1, -1, "b.txt", "no_change"}}},
		{"a plan without ops", nil, []problem{{-1, -1, "", "no_change"}}},
		{"a file below a file", []atomicedit.Op{accepttest.Create("n", "x"), accepttest.Create("n/m", "y")},
			[]problem{{-1, -1, "n/m", "invalid"}}},
		{"only what follows from the first problem",
			[]atomicedit.Op{accepttest.Move("x", "y"), accepttest.Edits("a.txt", "nope", "2"),
				accepttest.Edits("a.txt", "two", "2")},
			[]problem{{0, -1, "x", "not_exist"}, {1, 0, "a.txt", "not_found"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := atomicedit.NewMem(tree())
			report, err := atomicedit.Run(t.Context(), s, atomicedit.Plan{Ops: test.ops}, nil)
			var refusal *atomicedit.Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("error %v, report %v; want a Refusal", err, report)
			}
			var got []problem
			for _, p := range refusal.Problems {
				got = append(got, problem{p.Op, p.Edit, p.Path, p.Code})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s\n%v", diff, err)
			}
			if diff := cmp.Diff(tree(), s.Files()); diff != "" {
				t.Errorf("a refused plan wrote:\n%s", diff)
			}
		})
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	s := atomicedit.NewMem(tree())
	report, err := atomicedit.Run(t.Context(), s,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove("a.txt")}, DryRun: true}, nil)
	if err != nil || len(report.Files) != 1 {
		t.Fatalf("report %v, error %v", report, err)
	}
	if diff := cmp.Diff(tree(), s.Files()); diff != "" {
		t.Error(diff)
	}
}

func TestEachFileIsReadOnce(t *testing.T) {
	s := &counting{Mem: atomicedit.NewMem(tree()), reads: map[string]int{}}
	_, err := atomicedit.Prepare(t.Context(), s, atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edits("a.txt", "two", "2"), accepttest.Edits("a.txt", "one", "1"), accepttest.Move("a.txt", "z"),
		accepttest.Edits("z", "three", "3"),
	}}, nil)
	if diff := cmp.Diff(map[string]int{"a.txt": 1, "z": 1}, s.reads); err != nil || diff != "" {
		t.Errorf("error %v, reads:\n%s", err, diff)
	}
}

type counting struct {
	*atomicedit.Mem
	reads map[string]int
}

func (c *counting) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	c.reads[path]++
	return c.Mem.Read(ctx, path)
}

func TestAStoreThatFailsIsNoRefusal(t *testing.T) {
	broken := errors.New("the disk is on fire")
	_, err := atomicedit.Prepare(t.Context(), failing{broken},
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove("a")}}, nil)
	var refusal *atomicedit.Refusal
	if !errors.Is(err, broken) || errors.As(err, &refusal) {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read(context.Context, string) (*atomicedit.File, error) { return nil, f.err }
func (f failing) Commit(context.Context, []atomicedit.Change) error      { return f.err }

func TestAChangeSincePrepareIsStale(t *testing.T) {
	s := atomicedit.NewMem(tree())
	tr, err := atomicedit.Prepare(t.Context(), s, atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edits("b.txt", "beta", "B"), accepttest.Edits("a.txt", "two", "2"), accepttest.Create("n", "x"),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []atomicedit.Plan{{Ops: []atomicedit.Op{accepttest.Edits("a.txt", "one", "1")}},
		{Ops: []atomicedit.Op{accepttest.Create("n", "y")}}} {
		if _, err := atomicedit.Run(t.Context(), s, p, nil); err != nil {
			t.Fatal(err)
		}
	}
	err = tr.Commit(t.Context())
	var refusal *atomicedit.Refusal
	if !errors.As(err, &refusal) || len(refusal.Problems) != 2 {
		t.Fatalf("error %v, want a Refusal with two problems", err)
	}
	got := fmt.Sprint(refusal.Problems[0].Path, refusal.Problems[0].Code, refusal.Problems[0].Op,
		refusal.Problems[1].Path, refusal.Problems[1].Code)
	if want := fmt.Sprint("a.txt", "stale", 1, "n", "exist"); got != want {
		t.Errorf("problems %s, want %s", got, want)
	}
	if s.Files()["b.txt"] != "alpha\nbeta\n" {
		t.Error("one of the files was changed")
	}
}

func TestReportCountsAndShows(t *testing.T) {
	s := atomicedit.NewMem(tree())
	tr, err := atomicedit.Prepare(t.Context(), s, atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edits("a.txt", "two\n", "2\n2½\n"), accepttest.Create("n", "x\ny"), accepttest.Remove("b.txt"),
		accepttest.Move("dir/c.txt", "c.txt"),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := tr.Report()
	type counts struct{ Added, Removed, Lines, Bytes, BytesBefore int }
	want := map[string]counts{
		"a.txt": {2, 1, 4, 16, 14}, "n": {2, 0, 2, 3, 0}, "b.txt": {0, 2, 0, 0, 11}, "c.txt": {0, 0, 1, 6, 6},
	}
	got := map[string]counts{}
	for _, f := range r.Files {
		got[f.Path] = counts{f.Added, f.Removed, f.Lines, f.Bytes, f.BytesBefore}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, r.Diff)
	}
	if f := r.Files[0]; f.Before != atomicedit.VersionOf([]byte("one\ntwo\nthree\n")) ||
		f.After != atomicedit.VersionOf([]byte("one\n2\n2½\nthree\n")) {
		t.Errorf("versions %s, %s", f.Before, f.After)
	}
	wantText := "modified a.txt: +2 -1 lines, now 4 lines, 16 bytes (+2)\n  changed now: lines 2 to 3\n" +
		"added n: +2 -0 lines, now 2 lines\n" +
		"deleted b.txt: +0 -2 lines\n" +
		"moved c.txt from dir/c.txt, now 1 line\n"
	if diff := cmp.Diff(wantText, r.String()); diff != "" {
		t.Errorf("String (-want +got):\n%s", diff)
	}
	for _, line := range []string{"--- a/a.txt\n", "+++ b/a.txt\n", "+2½\n", "new file mode", "deleted file mode",
		"rename from dir/c.txt\n"} {
		if !strings.Contains(r.Diff, line) {
			t.Errorf("the diff has no %q:\n%s", line, r.Diff)
		}
	}
}
