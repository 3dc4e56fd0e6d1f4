//go:build unix && !solaris && !aix

package place_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestModesAreKept(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "a", "b": "b", "c": "c"})
	for name, mode := range map[string]fs.FileMode{"a": 0o755, "b": 0o600, "c": 0o751 | fs.ModeSetuid} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	d := accepttest.OpenDir(t, dir)
	tr, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edits("a", "a", "A"), accepttest.Edits("b", "b", "B"), accepttest.Move("c", "c2", "c", "C"),
		accepttest.Create("n", "n"),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"a": 0o755, "b": 0o600, "c2": 0o751 | fs.ModeSetuid, "n": 0o640} {
		if got := accepttest.Mode(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s has mode %v, want %v", name, got, want)
		}
	}
	if err := atomicedit.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o600); err != nil ||
		accepttest.Mode(t, filepath.Join(dir, "a")) != 0o755 {
		t.Errorf("WriteFile: error %v, mode %v", err, accepttest.Mode(t, filepath.Join(dir, "a")))
	}
	if err := atomicedit.WriteFile(filepath.Join(dir, "w"), []byte("x"), 0o666); err != nil ||
		accepttest.Mode(t, filepath.Join(dir, "w")) != 0o640 {
		t.Errorf("WriteFile: error %v, mode %v", err, accepttest.Mode(t, filepath.Join(dir, "w")))
	}
	if err := d.Commit(t.Context(), atomicedit.Invert(tr.Changes())[3:]); !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("undo of a file changed since: %v", err)
	}
	if err := d.Commit(t.Context(), atomicedit.Invert(tr.Changes())[:4]); err != nil {
		t.Fatal(err)
	}
	if got := accepttest.Mode(t, filepath.Join(dir, "c")); got != 0o751|fs.ModeSetuid {
		t.Errorf("after undo c has mode %v", got)
	}
}

func TestAttributesAndInodesAreKept(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "a", "m": "moved"})
	a, m := filepath.Join(dir, "a"), filepath.Join(dir, "m")
	if err := accepttest.Setxattr(a, "user.atomicedit", "kept"); err != nil {
		t.Skip("no extended attributes here: ", err)
	}
	before, err := os.Stat(m)
	if err != nil {
		t.Fatal(err)
	}
	d := accepttest.OpenDir(t, dir)
	if _, err := atomicedit.Run(t.Context(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "a", "A"), accepttest.Move("m", "x/m")}},
		nil); err != nil {
		t.Fatal(err)
	}
	if got := accepttest.Getxattr(a, "user.atomicedit"); got != "kept" {
		t.Errorf("the attribute is %q", got)
	}
	after, err := os.Stat(filepath.Join(dir, "x/m"))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("a mere move made another file, error %v", err)
	}
	if err := atomicedit.WriteFile(a, []byte("B"), 0); err != nil ||
		accepttest.Getxattr(a, "user.atomicedit") != "kept" {
		t.Errorf("WriteFile: error %v, attribute %q", err, accepttest.Getxattr(a, "user.atomicedit"))
	}
}

func TestHardLinksAreToldOrRefused(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "one"})
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "one", "two")}}
	strict, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{RefuseHardLinks: true})
	if err != nil {
		t.Fatal(err)
	}
	defer strict.Close()
	if _, err := atomicedit.Prepare(t.Context(), strict, plan, nil); !errors.Is(err, fs.ErrPermission) ||
		!strings.Contains(err.Error(), "2 names") {
		t.Errorf("with RefuseHardLinks: error %v", err)
	}
	report, err := atomicedit.Run(t.Context(), accepttest.OpenDir(t, dir), plan, nil)
	if err != nil || !strings.Contains(report.String(), "2 names") {
		t.Errorf("report %v, error %v", report, err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two", "b": "one"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "c")); err != nil {
		t.Fatal(err)
	}
	// which takes no links apart
	gone := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Move("a", "d"), accepttest.Remove("c")}}
	if _, err := atomicedit.Run(t.Context(), strict, gone, nil); err != nil {
		t.Errorf("with RefuseHardLinks, a move and a delete: error %v", err)
	}
}

// A mode that a request gives a new file respects the umask, as one does that it does not give.
func TestRequestedModesRespectTheUmask(t *testing.T) {
	old := unix.Umask(0o077)
	defer unix.Umask(old)
	dir := accepttest.Seed(t, nil)
	plan, err := atomicedit.ParseUnified("diff --git a/s b/s\nnew file mode 100755\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+echo\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := atomicedit.Run(t.Context(), accepttest.OpenDir(t, dir), plan, nil); err != nil {
		t.Fatal(err)
	}
	if got := accepttest.Mode(t, filepath.Join(dir, "s")); got != 0o700 {
		t.Errorf("mode %v", got)
	}
}

// What undoing a delete makes is a new file of ours: what ran as its owner must not run as us.
func TestAnUndoneDeleteIsNobodysProgram(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"su": "program"})
	su := filepath.Join(dir, "su")
	if err := os.Chmod(su, 0o755|fs.ModeSetuid|fs.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	d := accepttest.OpenDir(t, dir)
	done, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove("su")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(done.Commit(t.Context()),
		d.Commit(t.Context(), atomicedit.Invert(done.Changes()))); err != nil {
		t.Fatal(err)
	}
	if got := accepttest.Mode(t, su); got != 0o755 {
		t.Errorf("mode %v", got)
	}
}

// The backup that another commit has just made is no name that a person knows.
func TestABackupIsNoHardLink(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "one"})
	d := accepttest.OpenWith(t, dir, atomicedit.DirOptions{RefuseHardLinks: true})
	if err := errors.Join(os.Mkdir(dir+"/.atomicedit", 0o700),
		os.Link(dir+"/a", dir+"/.atomicedit/0.old")); err != nil {
		t.Fatal(err)
	}
	prepared, err := atomicedit.Prepare(t.Context(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "one", "two")}}, nil)
	if err != nil || len(prepared.Report().Files[0].Notes) > 0 {
		t.Fatalf("prepared %v, error %v", prepared, err)
	}
	// the other commit is done
	if err := errors.Join(os.RemoveAll(dir+"/.atomicedit"), prepared.Commit(t.Context())); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// What a recovery has kept, and a backup of another file, make no other name of a file disappear.
func TestHardLinksAreSaidBesideWhatWasKept(t *testing.T) {
	for _, name := range []string{"kept.1", "0.old"} {
		dir := accepttest.Seed(t, map[string]string{"a": "one"})
		d := accepttest.OpenWith(t, dir, atomicedit.DirOptions{RefuseHardLinks: true})
		err := errors.Join(os.Mkdir(dir+"/.atomicedit", 0o700),
			os.WriteFile(dir+"/.atomicedit/"+name, []byte("theirs"), 0o600), os.Link(dir+"/a", dir+"/b"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = atomicedit.Prepare(t.Context(), d,
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "one", "two")}}, nil)
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("error %v", err)
		}
	}
}

// P3: the newline at the end of an old string stays if the new one lacks it, unless a join may be meant.
func TestTheNewlineThatANewStringLacks(t *testing.T) {
	for _, tt := range []struct{ name, file, old, new, want string }{
		{"as many lines", "a\nb\n", "a\n", "c", "c\nb\n"},
		{"more lines above an indented one", "f(\n  a)\n", "f(\n", "x\nf(", "x\nf(\n  a)\n"},
		{"fewer lines above a word", "a\nb\nc\n", "a\nb\n", "d", "d\nc\n"},
		{"the last line", "a\nb\n", "b\n", "c", "a\nc"},
		{"a join alone", "a\nb\n", "a\n", "a", "ab\n"},
		{"a space at the end", "a\nb\n", "a\n", "c ", "c b\n"},
		{"a bracket that goes on", "x\nf(\na)\n", "x\nf(\n", "f(", "f(a)\n"},
		{"nothing but the last newline", "a\nb\n", "b\n", "b", "a\nb"},
	} {
		res, err := atomicedit.Apply([]byte(tt.file), []atomicedit.Edit{{Old: tt.old, New: tt.new}}, nil)
		if err != nil || string(res.Text) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, res, err, tt.want)
		}
	}
}

// P3: an old string without the indentation of its line, whose new lines below the first have lost theirs.
func TestLinesThatLoseTheirIndentationBehindAHiddenOne(t *testing.T) {
	const py, src = "class A:\n    def f(self):\n        a()\n\nx = 1\n", "func f() {\n\ta()\n}\n"
	for _, tt := range []struct {
		name, file, old, new string
		refused              bool
	}{
		{"a line above", py, "a()", "b()\na()", true},
		{"a line above the head of a method", py, "def f(self):", "@b\ndef f(self):", true},
		{"a line above a part of one", py, "def f", "@b\ndef f", true},
		{"a line below", py, "a()", "a()\nb()", true},
		{"a body as deep as its head", src, "a()", "if b {\n\ta()\n}", true},
		{"a line at the end of a block", src, "a()", "a()\n\nb()", true},
		{"an entry below", "a:\n  - b\n", "- b", "- b\n- c", false},
		{"a function below", py, "a()", "a()\n\n\ndef g():\n    b()", false},
		{"the end of a block", src, "a()", "a()\n}\n\nfunc g() {\n\tb()", false},
		{"another branch", "if a:\n    b()\n", "b()", "b()\nelse:\n    c()", false},
		{"a case", "switch {\n\tdefault:\n\t\ta()\n}\n", "default:", "case b:\n\t\tc()\n\tdefault:", false},
		{"a comment with a colon", src, "a()", "// For instance:\n\ta()", false},
		{"old lines that show their depth", "  a\n b\nc\n", "a\n b", "d\n e", false},
		{"a literal", src, "a()", "a(`\nb\n`)", false},
	} {
		_, err := atomicedit.Apply([]byte(tt.file), []atomicedit.Edit{{Old: tt.old, New: tt.new}}, nil)
		if refused := errors.Is(err, atomicedit.ErrNotFound); refused != tt.refused || err != nil && !refused {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
