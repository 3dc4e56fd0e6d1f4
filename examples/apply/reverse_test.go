package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// write makes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// directory returns a new directory with files.
func directory(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	return dir
}

const lines = "one\ntwo\nthree\nfour\nfive\nsix\n"

// Each request is carried out and reversed, and then all is as it was before.
func TestReverse(t *testing.T) {
	for _, tt := range []struct{ name, before, request string }{
		{"a diff", lines, "--- a/a.txt\n+++ b/a.txt\n@@ -2,3 +2,4 @@\n two\n-three\n+3\n+3.5\n four\n"},
		{"a diff of several hunks", lines,
			"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n+1.5\n two\n@@ -5,2 +6,1 @@\n five\n-six\n"},
		{"a diff without context", lines,
			"--- a/a.txt\n+++ b/a.txt\n@@ -1,0 +2,2 @@\n+x\n+y\n@@ -3 +4,0 @@\n-three\n@@ -6 +7 @@\n-six\n+6\n"},
		{"a diff that removes the first line", lines, "--- a/a.txt\n+++ b/a.txt\n@@ -1 +0,0 @@\n-one\n"},
		{"a diff that empties a file", lines,
			"--- a/a.txt\n+++ b/a.txt\n@@ -1,6 +0,0 @@\n-one\n-two\n-three\n-four\n-five\n-six\n"},
		{"lines that are there twice, without context", "x\ny\nx\ny\nx\n",
			"--- a/a.txt\n+++ b/a.txt\n@@ -3,2 +2,0 @@\n-x\n-y\n"},
		{"a final newline that is added", "one\ntwo",
			"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+two\n"},
		{"a final newline that goes", "one\ntwo\n",
			"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+two\n\\ No newline at end of file\n"},
		{"a new file", lines, "--- /dev/null\n+++ b/dir/b.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"},
		{"a file deleted", lines, "--- a/a.txt\n+++ /dev/null\n@@ -1,6 +0,0 @@\n-one\n-two\n-three\n-four\n-five\n-six\n"},
		{"a file without a final newline deleted", "one",
			"--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n\\ No newline at end of file\n"},
		{"an empty file deleted", "", "diff --git a/a.txt b/a.txt\ndeleted file mode 100644\nindex e69de29..0000000\n"},
		{"a diff of two directories", lines,
			"diff -ruN old/a.txt new/a.txt\n--- old/a.txt\n+++ new/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n" +
				"diff -ruN old/b.txt new/b.txt\n--- old/b.txt\t1970-01-01 00:00:00.000000000 +0000\n+++ new/b.txt\n@@ -0,0 +1 @@\n+x\n"},
		{"a diff of two directories by git", lines,
			"diff --git a/old/a.txt b/new/a.txt\n--- a/old/a.txt\n+++ b/new/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n" +
				"diff --git a/new/b.txt b/new/b.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+x\n"},
		{"a diff of two directories by git, one file gone", lines,
			"diff --git a/old/a.txt b/old/a.txt\ndeleted file mode 100644\n--- a/old/a.txt\n+++ /dev/null\n" +
				"@@ -1,6 +0,0 @@\n-one\n-two\n-three\n-four\n-five\n-six\ndiff --git a/old/d.txt b/new/d.txt\n--- a/old/d.txt\n+++ b/new/d.txt\n@@ -1 +1 @@\n-d\n+D\n"},
		{"a rename", lines, "diff --git a/a.txt b/c.txt\nsimilarity index 90%\nrename from a.txt\nrename to c.txt\n--- a/a.txt\n+++ b/c.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n"},
		{"a V4A patch", lines, "*** Begin Patch\n*** Update File: a.txt\n*** Move to: c.txt\n@@ two\n three\n-four\n+4\n*** Add File: b.txt\n+x\n*** End Patch\n"},
		{"lines at the end", lines, "*** Begin Patch\n*** Update File: a.txt\n@@\n+one\n*** End Patch\n"},
		{"the same file twice", lines,
			"*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** Update File: a.txt\n@@\n-1\n+I\n*** End Patch\n"},
		{"blocks", lines, "a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n\na.txt\n<<<<<<< SEARCH\nfour\nfive\n=======\nfive\n>>>>>>> REPLACE\n"},
		{"strings, each in the result of the one before", lines,
			`{"path": "a.txt", "edits": [{"old_string": "two", "new_string": "2"}, {"old_string": "2\nthree", "new_string": "2, 3"}]}`},
		{"a new file in JSON", lines, `{"operations": [{"type": "create", "path": "b.txt", "content": "x"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := directory(t, map[string]string{"a.txt": tt.before, "d.txt": "d\n"})
			before := tree(t, dir)
			if status, _, stderr := call(tt.request, "-C", dir); status != done {
				t.Fatalf("status %d: %s", status, stderr)
			}
			after := tree(t, dir)
			status, preview, stderr := call(tt.request, "-C", dir, "-R", "-n")
			if d := cmp.Diff(after, tree(t, dir)); status != done || d != "" {
				t.Fatalf("a preview: status %d: %s%s", status, stderr, d)
			}
			status, stdout, stderr := call(tt.request, "-C", dir, "-R")
			if d := cmp.Diff(before, tree(t, dir)); status != done || d != "" || stdout != preview {
				t.Errorf("status %d: %s%s", status, stderr, d)
			}
			if strings.Contains(tt.name, "twice, without context") { // only numbers say where the lines belong
				return
			}
			if status, _, stderr := call(tt.request, "-C", dir, "-R"); status != refused {
				t.Errorf("reversed twice: status %d: %s", status, stderr)
			}
			if d := cmp.Diff(before, tree(t, dir)); d != "" {
				t.Errorf("reversed twice: %s", d)
			}
		})
	}
}

func TestReverseRefusesWhatIsNotThere(t *testing.T) {
	for _, tt := range []struct{ name, file, request, want string }{
		{"no content", lines, "*** Begin Patch\n*** Add File: b.txt\n+x\n*** Delete File: c.txt\n*** End Patch\n",
			"c.txt: cannot be reversed: the request does not have the content of the file that it deletes"},
		{"no place", "one\n", "a.txt\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n",
			"a.txt: cannot be reversed: edit 1 removes text without any line around it"},
		{"no place below an anchor", "one\n", "*** Begin Patch\n*** Update File: a.txt\n@@ one\n-two\n*** End Patch\n",
			"edit 1 removes text"},
		{"numbers", "one\n", "[a.txt]\nPUT 1:\n+1\n", "edit 1 names lines by their numbers"},
		{"all places", "2\n2\n", `{"path": "a.txt", "old_string": "one", "new_string": "2", "replace_all": true}`,
			"edit 1 replaces several places"},
		{"overwritten", "one\n", "{\"operations\": [{\"type\": \"create\", \"path\": \"a.txt\", \"content\": \"one\\n\", \"overwrite\": true}]}", "the request does not have the content of the file that it replaces"},
		{"not carried out", lines, "--- a/a.txt\n+++ b/a.txt\n@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n", "a.txt: "},
		{"a new file that has changed", "x\ny\n", "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n", "a.txt: "},
		{"another result", "ONE\n2  \nthree\n", "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n ONE\n-two\n+2\n three\n",
			"a.txt: cannot be reversed: the request would not make of the result the file that is there now"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := directory(t, map[string]string{"a.txt": tt.file})
			before := tree(t, dir)
			status, stdout, stderr := call(tt.request, "-C", dir, "-R")
			if status != refused || stdout != "" || !strings.Contains(stderr, tt.want) {
				t.Errorf("status %d: %s%s", status, stdout, stderr)
			}
			if d := cmp.Diff(before, tree(t, dir)); d != "" {
				t.Error(d)
			}
		})
	}
}

// What diff prints of any two texts is reversed, or refused, but never to something else.
func TestReverseOfAnyDiff(t *testing.T) {
	if _, err := exec.LookPath("diff"); err != nil {
		t.Skip(err)
	}
	text := rapid.Custom(func(t *rapid.T) string {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "}", "", "d"}), 0, 12).Draw(t, "lines")
		return strings.Join(lines, "\n") + rapid.SampledFrom([]string{"\n", ""}).Draw(t, "end")
	})
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		older, newer := text.Draw(rt, "older"), text.Draw(rt, "newer")
		write(t, dir, map[string]string{"old/a.txt": older, "new/a.txt": newer})
		context := rapid.SampledFrom([]string{"-U0", "-U1", "-U3"}).Draw(rt, "context")
		cmd := exec.Command("diff", context, "--label", "a/a.txt", "--label", "b/a.txt", "old/a.txt", "new/a.txt")
		cmd.Dir = dir
		diff, _ := cmd.Output()
		status, _, stderr := call(string(diff), "-C", filepath.Join(dir, "new"), "-R")
		got, err := os.ReadFile(filepath.Join(dir, "new/a.txt"))
		want := newer
		if status == done {
			want = older
		} else if status != refused {
			rt.Fatalf("status %d: %s", status, stderr)
		}
		if err != nil || !bytes.Equal(got, []byte(want)) {
			rt.Fatalf("status %d: got %q, want %q\n%s%s", status, got, want, diff, stderr)
		}
	})
}
