package dir_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/windows"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestNamesThatWindowsDoesNotHave(t *testing.T) {
	files := map[string]string{"in/a.txt": "a", "in/d/b.txt": "b", "out.txt": "out"}
	base := accepttest.Seed(t, files)
	in := filepath.Join(base, "in")
	d := accepttest.OpenDir(t, in)
	for name, want := range map[string]error{
		"NUL": fs.ErrInvalid, "nul.txt": fs.ErrInvalid, "d/aux": fs.ErrInvalid, "COM1": fs.ErrInvalid,
		"CONIN$":  fs.ErrInvalid,
		"a.txt:s": fs.ErrInvalid, "a.txt::$DATA": fs.ErrInvalid, "C:a.txt": fs.ErrInvalid,
		"a.text.": fs.ErrInvalid, "a.txt ": fs.ErrInvalid, "d./b.txt": fs.ErrInvalid, "new.": fs.ErrInvalid,
		"...": fs.ErrInvalid,
		"a?":  fs.ErrInvalid, "a*": fs.ErrInvalid, "a<b": fs.ErrInvalid, "a|b": fs.ErrInvalid, `a"b`: fs.ErrInvalid,
		"a\x01b": fs.ErrInvalid,
		`d\`:     fs.ErrInvalid,
		`\x`:     atomicedit.ErrOutside, "/x": atomicedit.ErrOutside, `C:\x`: atomicedit.ErrOutside,
		`\\server\share\x`: atomicedit.ErrOutside,
		`\\?\C:\x`:         atomicedit.ErrOutside, `\\.\NUL`: atomicedit.ErrOutside,
		`..\out.txt`:      atomicedit.ErrOutside,
		`d\..\..\out.txt`: atomicedit.ErrOutside,
		`.AtomicEdit\x`:   atomicedit.ErrOutside, "ATOMIC~1/x": atomicedit.ErrOutside,
		"at3F2c~1/x":                       atomicedit.ErrOutside,
		".atomicedit::$INDEX_ALLOCATION/x": fs.ErrInvalid, ".atomicedit./x": fs.ErrInvalid,
	} {
		if _, err := d.Read(t.Context(), name); !errors.Is(err, want) {
			t.Errorf("Read(%q): error %v, want %v", name, err, want)
		}
		err := d.Commit(t.Context(), []atomicedit.Change{{Path: name, After: &atomicedit.File{Data: []byte("x")}}})
		if !errors.Is(err, want) {
			t.Errorf("Commit of %q: error %v, want %v", name, err, want)
		}
	}
	for _, name := range []string{"a.txt:s", "a.text.", "NUL"} {
		if err := atomicedit.WriteFile(in+`\`+name, nil, 0o666); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("WriteFile(%q): error %v", name, err)
		}
	}
	for _, name := range []string{`d\b.txt`, `.\d\..\d/b.txt`, in + `\d\b.txt`, strings.ToUpper(in) + "/d/b.txt"} {
		if f, err := d.Read(t.Context(), name); err != nil || f.Path != "d/b.txt" {
			t.Errorf("Read(%q): %v, error %v", name, f, err)
		}
	}
	if diff := cmp.Diff(files, accepttest.Found(t, base)); diff != "" {
		t.Error(diff)
	}
}

// An edit by another spelling of a name, in another case or a short one, leaves the name as it is.
func TestAnEditKeepsTheSpellingOfAName(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"Dir/Read me first.text": "one"})
	full, err := windows.UTF16PtrFromString(filepath.Join(dir, "Dir", "Read me first.text"))
	if err != nil {
		t.Fatal(err)
	}
	var is windows.Win32finddata
	search, err := windows.FindFirstFile(full, &is)
	if err != nil {
		t.Fatal(err)
	}
	windows.FindClose(search)
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("dir/READ ME FIRST.TEXT", "one", "two")}}
	want := "two"
	if short := windows.UTF16ToString(is.AlternateFileName[:]); short != "" { // else the volume has none
		if _, err := atomicedit.Run(t.Context(), accepttest.OpenDir(t, dir),
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("dir/"+short, "one", "oneself")}}, nil); err != nil {
			t.Errorf("by %s: error %v", short, err)
		}
		want = "twoself"
	}
	if _, err := atomicedit.Run(t.Context(), accepttest.OpenDir(t, dir), plan, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"Dir/Read me first.text": want}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestWriteProtectedFiles(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "one"})
	if err := os.Chmod(filepath.Join(dir, "a"), 0o444); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "b"), 0o666) })
	d := accepttest.OpenWith(t, dir, atomicedit.DirOptions{})
	for _, op := range []atomicedit.Op{accepttest.Edits("a", "one", "two"), accepttest.Remove("a")} {
		if _, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil); !errors.Is(err,
			fs.ErrPermission) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Move("a", "b")}},
		nil); err != nil {
		t.Fatal(err)
	}
	f, err := d.Read(t.Context(), "b")
	if err != nil || f.Mode.Perm() != 0o444 {
		t.Errorf("%v, error %v", f, err)
	}
}

func TestLinksAreToldOrRefused(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "one"})
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Skip("no hard links: ", err)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "one", "two")}}
	strict := accepttest.OpenWith(t, dir, atomicedit.DirOptions{RefuseHardLinks: true})
	if _, err := atomicedit.Prepare(t.Context(), strict, plan, nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("with RefuseHardLinks: error %v", err)
	}
	report, err := atomicedit.Run(t.Context(), accepttest.OpenDir(t, dir), plan, nil)
	if err != nil || !strings.Contains(report.String(), "2 names") {
		t.Errorf("report %v, error %v", report, err)
	}
}

// While somebody has a file open and lets nobody remove it, a commit that changes it is rolled back. The others go on.
func TestAFileThatIsOpenElsewhere(t *testing.T) {
	before := map[string]string{"a": "one", "b": "one", "c": "one"}
	dir := accepttest.Seed(t, before)
	name, err := windows.UTF16PtrFromString(filepath.Join(dir, "b"))
	if err != nil {
		t.Fatal(err)
	}
	open, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0,
		0)
	if err != nil {
		t.Fatal(err)
	}
	d := accepttest.OpenDir(t, dir)
	run := func(names ...string) error {
		plan := atomicedit.Plan{}
		for _, name := range names {
			plan.Ops = append(plan.Ops, accepttest.Edits(name, "one", "two"))
		}
		_, err := atomicedit.Run(t.Context(), d, plan, nil)
		return err
	}
	if err := run("a", "b"); err == nil || !strings.Contains(err.Error(), "apply") ||
		!strings.Contains(err.Error(), "b") {
		t.Errorf("error %v", err)
	}
	now := accepttest.Found(t, dir)
	for name, text := range before {
		if now[name] != text {
			t.Errorf("%s has %q", name, now[name])
		}
	}
	if err := run("a", "c"); err != nil {
		t.Errorf("of other files: error %v", err)
	}
	windows.CloseHandle(open)
	accepttest.OpenDir(t, dir)
	if diff := cmp.Diff(map[string]string{"a": "two", "b": "one", "c": "two"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}
