package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestFlagsAndFilesComeInAnyOrder(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want options
	}{
		{nil, options{}},
		{[]string{"a", "-n", "b", "--json"}, options{preview: true, asJSON: true, files: []string{"a", "b"}}},
		{[]string{"-C", "d", "a"}, options{dir: "d", files: []string{"a"}}},
		{[]string{"a", "-C=d"}, options{dir: "d", files: []string{"a"}}},
		{[]string{"a", "-C", "-n"}, options{dir: "-n", files: []string{"a"}}},
		{[]string{"-C", "--", "-n"}, options{dir: "--", preview: true}},
		{[]string{"-n", "--", "-R", "--"}, options{preview: true, files: []string{"-R", "--"}}},
		{[]string{"-", "-check"}, options{preview: true, files: []string{"-"}}},
		{[]string{"-n=false", "a"}, options{files: []string{"a"}}},
		{[]string{"-p1", "a"}, options{strip: 1, files: []string{"a"}}},
		{[]string{"-p", "0"}, options{strip: 0}},
		{[]string{"--p=12"}, options{strip: 12}},
		{[]string{"-color", "never", "-undo", "-state", "s"}, options{color: "never", undo: true, state: "s"}},
	} {
		if tt.want.dir == "" {
			tt.want.dir = "."
		}
		if tt.want.color == "" {
			tt.want.color = "auto"
		}
		if !strings.Contains(strings.Join(tt.args, " "), "-p") {
			tt.want.strip = -1
		}
		got, err := parseOptions(tt.args)
		if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(options{}), cmpopts.EquateEmpty()); err != nil || d != "" {
			t.Errorf("%q: %v\n%s", tt.args, err, d)
		}
	}
}

func TestWrongUsageIsOneLine(t *testing.T) {
	for args, want := range map[string]string{
		"-x":                     `unknown flag "-x"`,
		"a --no-such=1":          `unknown flag "--no-such=1"`,
		"-p1x":                   `unknown flag "-p1x"`,
		"---":                    `unknown flag "---"`,
		"-=":                     `unknown flag "-="`,
		"-C":                     "-C needs a value",
		"-p":                     "-p needs a value",
		"-p x":                   `invalid value "x" for flag -p`,
		"-p -1":                  "-p needs a number from 0",
		"-p99999999999999999999": `invalid value "99999999999999999999" for flag -p`,
		"-n=maybe":               `invalid boolean value "maybe" for -n`,
		"-color blue":            `-color is auto, always or never, not "blue"`,
		"-undo a":                "-undo takes no file",
		"-undo -R":               "-undo takes no file, and neither -R, -p nor -keep",
		"-undo -p1":              "-undo takes no file, and neither -R, -p nor -keep",
	} {
		status, stdout, stderr := call("", strings.Fields(args)...)
		if status != usage || stdout != "" || !strings.HasPrefix(stderr, "apply: "+want) ||
			strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d: %s%s", args, status, stdout, stderr)
		}
	}
}

func TestVersion(t *testing.T) {
	if status, stdout, stderr := call("", "-version"); status != done || !strings.HasPrefix(stdout, "apply ") ||
		stderr != "" {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}

const (
	block = "a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n"
	patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-1\n+I\n*** Update File: b.txt\n@@\n-two\n+2\n*** End Patch\n"
)

func TestSeveralRequestsAreOne(t *testing.T) {
	requests := directory(t, map[string]string{"1.md": block, "2.patch": patch})
	files := map[string]string{"a.txt": "one\n", "b.txt": "two\n"}
	dir := directory(t, files)
	first, second := filepath.Join(requests, "1.md"), filepath.Join(requests, "2.patch")

	status, _, stderr := call("", second, "-C", dir, first)
	if d := cmp.Diff(files, tree(t, dir)); status != refused || d != "" ||
		!strings.Contains(stderr, "apply: "+second+": a.txt: ") {
		t.Errorf("in the wrong order: status %d: %s%s", status, stderr, d)
	}
	status, _, stderr = call("nothing", first, "-", "-C", dir)
	if d := cmp.Diff(files, tree(t, dir)); status != refused || d != "" || !strings.HasPrefix(stderr, "apply: -: ") {
		t.Errorf("one that cannot be read: status %d: %s%s", status, stderr, d)
	}
	status, _, stderr = call(patch, first, "-", "-C", dir)
	if d := cmp.Diff(map[string]string{"a.txt": "I\n", "b.txt": "2\n"}, tree(t, dir)); status != done || d != "" {
		t.Errorf("status %d: %s%s", status, stderr, d)
	}
	status, _, stderr = call("", "-R", first, second, "-C", dir)
	if d := cmp.Diff(files, tree(t, dir)); status != done || d != "" {
		t.Errorf("reversed: status %d: %s%s", status, stderr, d)
	}
	status, _, stderr = call("", "-R", first, second, "-C", dir)
	if status != refused || !strings.Contains(stderr, "apply: "+second+": a.txt: ") ||
		!strings.Contains(stderr, "apply: "+first+": a.txt: ") {
		t.Errorf("reversed twice: status %d: %s", status, stderr)
	}
}

func TestOneOfSeveralRequestsCanAskForAPreview(t *testing.T) {
	files := map[string]string{"a.txt": "one\n"}
	dir := directory(t, files)
	requests := directory(t, map[string]string{"1.md": block,
		"2.json": `{"path": "a.txt", "edits": [{"oldText": "1", "newText": "I"}], "dryRun": true}`})
	status, stdout, stderr := call("", filepath.Join(requests, "1.md"), filepath.Join(requests, "2.json"), "-C", dir)
	if d := cmp.Diff(files, tree(t, dir)); status != done || d != "" || !strings.Contains(stdout, "+I\n") ||
		!strings.Contains(stderr, "nothing was written") {
		t.Errorf("status %d: %s%s", status, stderr, d)
	}
}

func TestStripIsForUnifiedDiffs(t *testing.T) {
	files := map[string]string{"src/a.txt": "one\n"}
	const diff = "--- old-1.0/src/a.txt\n+++ new-1.1/src/a.txt\n@@ -1 +1 @@\n-one\n+1\n"
	dir := directory(t, files)
	for _, tt := range []struct {
		request, args string
		status        int
	}{
		{diff, "-p0", refused},
		{diff, "-p9", refused},
		{block, "-p1", refused},
		{diff, "-p1", done},
		{diff, "-p1 -R", done},
		// one name is shorter
		{strings.ReplaceAll(diff, "-1.0/", "-1.0/x/"), "-p 3 -C " + filepath.Join(dir, "src"), refused},
	} {
		if status, _, stderr := call(tt.request,
			append([]string{"-C", dir}, strings.Fields(tt.args)...)...); status != tt.status {
			t.Errorf("%s: status %d: %s", tt.args, status, stderr)
		}
	}
	if d := cmp.Diff(files, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

// What diff -ru prints of two directories is passed on as it is.
func TestDiffOfTwoDirectories(t *testing.T) {
	if _, err := exec.LookPath("diff"); err != nil {
		t.Skip(err)
	}
	older := map[string]string{"src/a.txt": lines, "src/b.txt": "x\n", "gone.txt": "x\n"}
	newer := map[string]string{"src/a.txt": strings.Replace(lines, "two", "2", 1), "src/b.txt": "y\n",
		"new/c.txt": "z\n"}
	for _, names := range [][2]string{{"a", "b"}, {"tool-1.0", "tool-1.1"}} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, names[0]), older)
		write(t, filepath.Join(dir, names[1]), newer)
		cmd := exec.Command("diff", "-ruN", names[0], names[1])
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C")
		diff, _ := cmd.Output()
		for _, args := range [][]string{{}, {"-p1"}} {
			dir := directory(t, older)
			status, _, stderr := call(string(diff), append([]string{"-C", dir}, args...)...)
			if d := cmp.Diff(newer, tree(t, dir)); status != done || d != "" {
				t.Errorf("%q: status %d: %s%s\n%s", args, status, stderr, d, diff)
			}
			status, _, stderr = call(string(diff), append([]string{"-C", dir, "-R"}, args...)...)
			if d := cmp.Diff(older, tree(t, dir)); status != done || d != "" {
				t.Errorf("%q, reversed: status %d: %s%s\n%s", args, status, stderr, d, diff)
			}
		}
	}
}
