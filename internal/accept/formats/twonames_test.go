package formats_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestADiffOfTwoDirectoriesNamesTheFilesOfTheStore(t *testing.T) {
	files := map[string]string{"src/a.go": "one\ntwo\n", "src/b.go": "one\ntwo\n", "lib/old/c.go": "one\ntwo\n", "d/e/f.go": "one\ntwo\n", "f.go": "one\ntwo\n"}
	change := func(older, newer string) string {
		return "--- " + older + "\t2024-01-01 10:00:00.000000000 +0000\n+++ " + newer + "\t2024-01-02 10:00:00.000000000 +0000\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
	}
	const epoch = "\t1970-01-01 00:00:00.000000000 +0000\n"
	for name, test := range map[string]struct {
		diff  string
		want  map[string]string // what differs from files; "-" for a file that is gone
		notes int
	}{
		"two directories":      {"diff -ru old/src/a.go new/src/a.go\n" + change("old/src/a.go", "new/src/a.go"), map[string]string{"src/a.go": "one\n2\n"}, 1},
		"of different depth":   {change("/tmp/x/old/src/a.go", "new/src/a.go"), map[string]string{"src/a.go": "one\n2\n"}, 1},
		"two versions":         {change("p-1.0/src/a.go", "p-1.1/src/a.go") + change("p-1.0/src/b.go", "p-1.1/src/b.go"), map[string]string{"src/a.go": "one\n2\n", "src/b.go": "one\n2\n"}, 2},
		"more parts in front":  {change("old/p/src/a.go", "new/p/src/a.go"), map[string]string{"src/a.go": "one\n2\n"}, 1},
		"the work tree":        {change("/home/x/src/a.go", "src/a.go"), map[string]string{"src/a.go": "one\n2\n"}, 0},
		"the old name":         {change("lib/old/c.go", "lib/new/c.go"), map[string]string{"lib/old/c.go": "one\n2\n"}, 1},
		"backslashes":          {change(`old\src\a.go`, `new\src\a.go`), map[string]string{"src/a.go": "one\n2\n"}, 1},
		"git, with a new file": {"diff --git a/old/src/a.go b/new/src/a.go\n" + change("a/old/src/a.go", "b/new/src/a.go") + "--- /dev/null\n+++ b/new/src/n.go\n@@ -0,0 +1 @@\n+n\n", map[string]string{"src/a.go": "one\n2\n", "src/n.go": "n\n"}, 2},
		"a new file": {change("old/src/a.go", "new/src/a.go") + "--- old/src/n.go" + epoch + "+++ new/src/n.go\t2024-01-02 10:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+n\n",
			map[string]string{"src/a.go": "one\n2\n", "src/n.go": "n\n"}, 2},
		"a file that goes":     {"--- old/src/a.go\t2024-01-02 10:00:00.000000000 +0000\n+++ new/src/a.go" + epoch + "@@ -1,2 +0,0 @@\n-one\n-two\n", map[string]string{"src/a.go": "-"}, 1},
		"one that others tell": {change("old/src/a.go", "new/src/a.go") + change("old/f.go", "new/f.go"), map[string]string{"src/a.go": "one\n2\n", "f.go": "one\n2\n"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			accepttest.OnStores(t, files, func(t *testing.T, s atomicedit.Store, now func() map[string]string) {
				report, err := atomicedit.Run(t.Context(), s, accepttest.Must(atomicedit.Parse(test.diff)), nil)
				if err != nil {
					t.Fatal(err)
				}
				want := maps.Clone(files)
				maps.Copy(want, test.want)
				maps.DeleteFunc(want, func(_, text string) bool { return text == "-" })
				if diff := cmp.Diff(want, now()); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
				if notes := strings.Count(report.String(), "it was read as"); notes != test.notes {
					t.Errorf("%d notes on names, want %d:\n%s", notes, test.notes, report)
				}
			})
		})
	}
	for name, test := range map[string]struct {
		diff string
		want error
		say  []string
	}{
		"with and without a part":   {change("old/d/e/f.go", "new/d/e/f.go"), atomicedit.ErrAmbiguous, []string{"old/d/e/f.go", "d/e/f.go, f.go"}},
		"another directory":         {change("src/f.go", "d/e/f.go") + change("src/a.go", "src/a.go"), atomicedit.ErrAmbiguous, []string{"d/e/f.go, f.go"}},
		"nothing but a new file":    {"--- old/n.go" + epoch + "+++ new/n.go\n@@ -0,0 +1 @@\n+n\n", atomicedit.ErrAmbiguous, []string{"new/n.go, old/n.go, n.go"}},
		"one file in neither place": {change("old/src/a.go", "new/src/a.go") + change("old/src/x.go", "new/src/x.go"), nil, []string{"new/src/x.go: there is no such file", "there is a file src/a.go"}},
		"one name":                  {change("old/src/a.go", "old/src/a.go"), nil, []string{"there is a file src/a.go: use that path"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(files), accepttest.Must(atomicedit.Parse(test.diff)), nil)
			var r *atomicedit.Refusal
			if !errors.As(err, &r) || test.want != nil && !errors.Is(err, test.want) {
				t.Fatalf("%v, want a refusal with %v", err, test.want)
			}
			for _, s := range test.say {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%v\nlacks %q", err, s)
				}
			}
		})
	}
}
