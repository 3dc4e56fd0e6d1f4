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

func TestADiffOfTwoDirectories(t *testing.T) {
	files := map[string]string{"src/a.go": "one\ntwo\n", "src/b.go": "one\ntwo\n", "lib/old/c.go": "one\ntwo\n",
		"d/e/f.go": "one\ntwo\n", "f.go": "one\ntwo\n"}
	change := func(older, newer string) string {
		return "--- " + older + "\t2024-01-01 10:00:00.000000000 +0000\n+++ " + newer +
			"\t2024-01-02 10:00:00.000000000 +0000\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
	}
	const epoch = "\t1970-01-01 00:00:00.000000000 +0000\n"
	for name, test := range map[string]struct {
		diff string
		want map[string]string // what differs from files; "-" for a file that is gone
	}{
		"two directories": {"diff -ru old/src/a.go new/src/a.go\n" + change("old/src/a.go", "new/src/a.go"),
			map[string]string{"src/a.go": "one\n2\n"}},
		"of different depth": {change("/tmp/x/old/src/a.go", "new/src/a.go"),
			map[string]string{"src/a.go": "one\n2\n"}},
		"two versions": {change("p-1.0/src/a.go", "p-1.1/src/a.go") + change("p-1.0/src/b.go", "p-1.1/src/b.go"),
			map[string]string{"src/a.go": "one\n2\n", "src/b.go": "one\n2\n"}},
		"the work tree":     {change("/home/x/src/a.go", "src/a.go"), map[string]string{"src/a.go": "one\n2\n"}},
		"backslashes":       {change(`old\src\a.go`, `new\src\a.go`), map[string]string{"src/a.go": "one\n2\n"}},
		"a part of its own": {change("old/d/e/f.go", "new/d/e/f.go"), map[string]string{"d/e/f.go": "one\n2\n"}},
		"no timestamps": {"--- original/src/a.go\n+++ modified/src/a.go\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
			map[string]string{"src/a.go": "one\n2\n"}},
		"only a new file": {"--- old/src/n.go" + epoch + "+++ new/src/n.go\n@@ -0,0 +1 @@\n+n\n",
			map[string]string{"src/n.go": "n\n"}},
		"a new file alone in front": {"diff --git a/new/new/n.go b/new/new/n.go\n--- /dev/null\n+++ b/new/new/n.go\n@@ -0,0 +1 @@\n+n\n" +
			"diff --git a/old/src/a.go b/new/src/a.go\n--- a/old/src/a.go\n+++ b/new/src/a.go\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", map[string]string{"src/a.go": "one\n2\n", "new/n.go": "n\n"}},
		"a new file without prefixes": {"diff --git b/n.go b/n.go\nnew file mode 100644\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1 @@\n+n\n",
			map[string]string{"b/n.go": "n\n"}},
		"only one prefix": {"--- a/src/a.go\n+++ src/a.go\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
			map[string]string{"src/a.go": "one\n2\n"}},
		"git, with a new file": {"diff --git a/old/src/a.go b/new/src/a.go\n" +
			change("a/old/src/a.go", "b/new/src/a.go") + "--- /dev/null\n+++ b/new/src/n.go\n@@ -0,0 +1 @@\n+n\n",
			map[string]string{"src/a.go": "one\n2\n", "src/n.go": "n\n"}},
		"a new file": {change("old/src/a.go", "new/src/a.go") + "--- old/src/n.go" + epoch +
			"+++ new/src/n.go\t2024-01-02 10:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+n\n",
			map[string]string{"src/a.go": "one\n2\n", "src/n.go": "n\n"}},
		"a file that goes": {"--- old/src/a.go\t2024-01-02 10:00:00.000000000 +0000\n+++ new/src/a.go" + epoch +
			"@@ -1,2 +0,0 @@\n-one\n-two\n", map[string]string{"src/a.go": "-"}},
		"one that others tell": {change("old/src/a.go", "new/src/a.go") + change("old/f.go", "new/f.go"),
			map[string]string{"src/a.go": "one\n2\n", "f.go": "one\n2\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			accepttest.OnStores(t, files, func(t *testing.T, s atomicedit.Store, now func() map[string]string) {
				if _, err := atomicedit.Run(t.Context(), s, accepttest.Must(atomicedit.Parse(test.diff)),
					nil); err != nil {
					t.Fatal(err)
				}
				want := maps.Clone(files)
				maps.Copy(want, test.want)
				maps.DeleteFunc(want, func(_, text string) bool { return text == "-" })
				if diff := cmp.Diff(want, now()); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
			})
		})
	}
	for name, test := range map[string]struct {
		diff string
		say  string
	}{
		"more parts in front": {change("old/p/src/a.go", "new/p/src/a.go"),
			"p/src/a.go: there is no such file; check the path; there is a file src/a.go"},
		"two directories further down": {change("lib/old/c.go", "lib/new/c.go"),
			`the diff calls the file "lib/old/c.go" and "lib/new/c.go"`},
		"two files": {change("src/f.go", "d/e/f.go"),
			`the diff calls the file "src/f.go" and "d/e/f.go"`},
		"two files behind prefixes": {"--- a/src/f.go\n+++ b/lib/f.go\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
			`the diff calls the file "src/f.go" and "lib/f.go"`},
		"a path and its end": {change("p/src/a.go", "src/a.go"), ""},
		"one file in neither place": {change("old/src/a.go", "new/src/a.go") + change("old/src/x.go", "new/src/x.go"),
			"src/x.go: there is no such file"},
		"one name": {change("old/src/a.go", "old/src/a.go"), "there is a file src/a.go: use that path"},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := atomicedit.Parse(test.diff)
			if err == nil {
				_, err = atomicedit.Prepare(t.Context(), atomicedit.NewMem(files), plan, nil)
			}
			var r *atomicedit.Refusal
			if !errors.As(err, &r) || !strings.Contains(err.Error(), test.say) {
				t.Errorf("%v\nlacks %q", err, test.say)
			}
		})
	}
}
