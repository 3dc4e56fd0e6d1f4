package dir_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// mount mounts what for the time of the test, or skips it where we may not. In CI a test that could run must.
func mount(t *testing.T, what, where, kind string, flags uintptr, data string) {
	t.Helper()
	if err := unix.Mount(what, where, kind, flags, data); err != nil {
		if os.Getenv("CI") != "" && canMount(t) {
			t.Fatal("cannot mount, though others can be: ", err)
		}
		t.Skip("cannot mount: ", err)
	}
	t.Cleanup(func() { unix.Unmount(where, unix.MNT_DETACH) })
}

func canMount(t *testing.T) bool {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, ""); err != nil {
		return false
	}
	return unix.Unmount(dir, 0) == nil
}

func TestAMountedFileIsRefusedOrWrittenInPlace(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"in/f": "", "in/a": "one", "out": "one"})
	in, f, out := filepath.Join(dir, "in"), filepath.Join(dir, "in/f"), filepath.Join(dir, "out")
	mount(t, out, f, "", unix.MS_BIND, "")
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "one", "two"),
		accepttest.Edits("f", "one", "two"), accepttest.Create("n", "n")}}

	if _, err := atomicedit.Prepare(t.Context(), accepttest.OpenDir(t, in), plan, nil); !errors.Is(err,
		fs.ErrPermission) ||
		!strings.Contains(err.Error(), "mount point") {
		t.Errorf("error %v", err)
	}
	if err := atomicedit.WriteFile(f, []byte("x"), 0); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("WriteFile: error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"f": "one", "a": "one"}, accepttest.Found(t, in)); diff != "" {
		t.Error(diff)
	}

	d := accepttest.OpenWith(t, in, atomicedit.DirOptions{InPlace: true})
	for want, op := range map[string]atomicedit.Op{"cannot be deleted": accepttest.Remove("f"),
		"cannot be moved": accepttest.Move("f", "g")} {
		if _, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil); !errors.Is(err,
			fs.ErrPermission) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want that it %s", err, want)
		}
	}
	report, err := atomicedit.Run(t.Context(), d, plan, nil)
	if err != nil || !strings.Contains(report.String(), "in place") {
		t.Errorf("with InPlace: report %v, error %v", report, err)
	}
	if diff := cmp.Diff(map[string]string{"f": "two", "a": "two", "n": "n"}, accepttest.Found(t, in)); diff != "" {
		t.Error(diff)
	}
	if data, err := os.ReadFile(out); err != nil || string(data) != "two" {
		t.Errorf("the file mounted has %q, error %v", data, err)
	}
	immutable(t, filepath.Join(in, "n"))
	_, err = atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "two", "3"),
		accepttest.Edits("a", "two", "3"), accepttest.Edits("n", "n", "3")}}, nil)
	if err == nil {
		t.Error("an immutable file was changed")
	}
	if diff := cmp.Diff(map[string]string{"f": "two", "a": "two", "n": "n"}, accepttest.Found(t, in)); diff != "" {
		t.Errorf("not rolled back: %s", diff)
	}
}

// The flags of linux/fs.h with which nobody can rename over a file, nor write it from its beginning.
const (
	immutableFlag  = 0x10 // FS_IMMUTABLE_FL
	appendOnlyFlag = 0x20 // FS_APPEND_FL
)

func immutable(t *testing.T, name string) {
	t.Helper()
	setFlag(t, name, immutableFlag)
}

func setFlag(t *testing.T, name string, flag int) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, 0)
		f.Close()
	})
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flag); err != nil {
		t.Skip("cannot give a file that flag: ", err)
	}
}

func TestAFileThatAttributesProtectStopsThePlanBeforeAnybodyApproves(t *testing.T) {
	for _, c := range []struct {
		name string
		flag int
		on   string
	}{
		{"immutable", immutableFlag, "d/b"},
		{"append-only", appendOnlyFlag, "d/b"},
		{"in an append-only directory", appendOnlyFlag, "d"},
		{"in an immutable directory", immutableFlag, "d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"a": "one", "d/b": "one", "z/c": "one"}
			dir := accepttest.Seed(t, files)
			setFlag(t, filepath.Join(dir, c.on), c.flag)
			d := accepttest.OpenDir(t, dir)
			for _, ops := range [][]atomicedit.Op{
				{accepttest.Edits("d/b", "one", "two")},
				{accepttest.Edits("a", "one", "two"), accepttest.Create("new/n", "n"), accepttest.Remove("z/c"),
					accepttest.Edits("d/b", "one", "two")},
				{accepttest.Edits("a", "one", "two"), accepttest.Remove("d/b")},
				{accepttest.Move("d/b", "x")},
			} {
				if _, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: ops}, nil); !errors.Is(err,
					fs.ErrPermission) {
					t.Errorf("error %v", err)
				}
			}
			if diff := cmp.Diff(files, accepttest.Found(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An attribute that comes after the approval.
func TestAnImmutableFileStopsAllOfTheCommit(t *testing.T) {
	files := map[string]string{"a": "one", "b": "one", "z/c": "one"}
	dir := accepttest.Seed(t, files)
	d := accepttest.OpenDir(t, dir)
	var prepared []*atomicedit.Transaction
	for _, ops := range [][]atomicedit.Op{
		{accepttest.Edits("b", "one", "two")},
		{accepttest.Edits("a", "one", "two"), accepttest.Create("new/n", "n"), accepttest.Remove("z/c"),
			accepttest.Edits("b", "one", "two")},
		{accepttest.Edits("a", "one", "two"), accepttest.Remove("b")},
		{accepttest.Move("b", "x")},
	} {
		tr, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: ops}, nil)
		if err != nil {
			t.Fatal(err)
		}
		prepared = append(prepared, tr)
	}
	immutable(t, filepath.Join(dir, "b"))
	for _, tr := range prepared {
		if err := tr.Commit(t.Context()); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("error %v", err)
		}
		if diff := cmp.Diff(files, accepttest.Found(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
}

// Inside the root lie another file system, and a part of this one that a mount makes look like it.
func TestCommitsReachOverFileSystems(t *testing.T) {
	for _, kind := range []string{"tmpfs", "bind"} {
		t.Run(kind, func(t *testing.T) {
			dir := accepttest.Seed(t, map[string]string{"a": "one", "m/x": "", "other/x": ""})
			if kind == "tmpfs" {
				mount(t, "tmpfs", filepath.Join(dir, "m"), "tmpfs", 0, "")
			} else {
				mount(t, filepath.Join(dir, "other"), filepath.Join(dir, "m"), "", unix.MS_BIND, "")
			}
			d := accepttest.OpenDir(t, dir)
			ops := []atomicedit.Op{accepttest.Create("m/b", "one"), accepttest.Create("m/sub/c", "one")}
			if _, err := atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: ops}, nil); err != nil {
				t.Fatal(err)
			}
			before := accepttest.Found(t, dir)
			tr, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{
				accepttest.Edits("a", "one", "two"), accepttest.Edits("m/b", "one", "two"),
				accepttest.Move("m/sub/c", "c"), accepttest.Create("m/new/d", "d"),
				accepttest.Move("a", "m/a"),
			}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := tr.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			after := accepttest.Found(t, dir)
			if after["m/a"] != "two" || after["m/b"] != "two" || after["c"] != "one" || after["m/new/d"] != "d" ||
				after["a"] != "" {
				t.Errorf("after: %q", after)
			}
			if err := d.Commit(t.Context(), atomicedit.Invert(tr.Changes())); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, accepttest.Found(t, dir)); diff != "" {
				t.Errorf("after undo: %s", diff)
			}
			if kind == "tmpfs" {
				immutable(t, filepath.Join(dir, "a"))
			} else {
				immutable(t, filepath.Join(dir, "other/b"))
			}
			_, err = atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{
				accepttest.Move("m/sub/c", "c", "one", "3"), accepttest.Edits("m/b", "one", "two"),
				accepttest.Edits("a", "one", "two"),
			}}, nil)
			if err == nil {
				t.Error("an immutable file was changed")
			}
			if diff := cmp.Diff(before, accepttest.Found(t, dir)); diff != "" {
				t.Errorf("not rolled back: %s", diff)
			}
		})
	}
}

func TestAFullDiskChangesNothing(t *testing.T) {
	dir := t.TempDir()
	mount(t, "tmpfs", dir, "tmpfs", 0, "size=64k")
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("one"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	big := strings.Repeat("x", 100_000)
	for _, ops := range [][]atomicedit.Op{
		{accepttest.Edits("a", "one", big)}, {accepttest.Edits("a", "one", "two"), accepttest.Edits("b", "one", big)},
		{accepttest.Create("new/c", big)},
	} {
		if _, err := atomicedit.Run(t.Context(), accepttest.OpenDir(t, dir), atomicedit.Plan{Ops: ops},
			nil); !errors.Is(err,
			unix.ENOSPC) {
			t.Errorf("error %v, want ENOSPC", err)
		}
		if diff := cmp.Diff(map[string]string{"a": "one", "b": "one"}, accepttest.Found(t, dir)); diff != "" {
			t.Errorf("files have changed: %d bytes of diff", len(diff))
		}
	}
	if err := atomicedit.WriteFile(filepath.Join(dir, "a"), []byte(big), 0); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("WriteFile: error %v, want ENOSPC", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "b": "one"}, accepttest.Found(t, dir)); diff != "" {
		t.Errorf("WriteFile has left something: %d bytes of diff", len(diff))
	}
}

func TestAReadOnlyFileSystem(t *testing.T) {
	dir := t.TempDir()
	mount(t, "tmpfs", dir, "tmpfs", 0, "")
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip("cannot remount: ", err)
	}
	d := accepttest.OpenDir(t, dir)
	for _, ops := range [][]atomicedit.Op{{accepttest.Edits("a", "one", "two")}, {accepttest.Create("n", "n")},
		{accepttest.Create("n", "n"), accepttest.Create("m", "m")}} {
		if _, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: ops}, nil); !errors.Is(err,
			fs.ErrPermission) {
			t.Errorf("%s of %d: error %v", ops[0].Kind, len(ops), err)
		}
	}
}

// The root of a user namespace, as in a container, can give a file no owner from outside. That is said before anybody
// approves.
func TestRootOfAUserNamespaceCannotKeepAllOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	root := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 1}}
	for role, want := range map[string]string{"edit": "belongs to another user",
		"edit, whoever owns it": "which a change may not keep"} {
		dir := accepttest.Seed(t, map[string]string{"a": "one"})
		if err := errors.Join(os.Chmod(dir, 0o777), os.Chown(dir+"/a", 4242, 4242),
			os.Chmod(dir+"/a", 0o666)); err != nil {
			t.Fatal(err)
		}
		cmd := accepttest.Again(t, role, dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: root, GidMappings: root}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Skip("no user namespaces here: ", err)
		}
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s", role, err, out)
		}
	}
}

// limited writes more than it may.
func limited(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 5000, Max: 5000}); err != nil {
		return err
	}
	if err := editOnce(dir, nil); err != nil {
		return err
	}
	err := atomicedit.WriteFile(filepath.Join(dir, "a"), bytes.Repeat([]byte("x"), 10_000), 0)
	if !errors.Is(err, unix.EFBIG) {
		return fmt.Errorf("error %v, want EFBIG", err)
	}
	return nil
}

func TestAFileSizeLimitChangesNothing(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "one"})
	if out, err := accepttest.Again(t, "limited", dir).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if diff := cmp.Diff(map[string]string{"a": "three"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// setAccessList gives a file one, or a directory one for new files: version 2; the owner rwx, user 4242 rw, the group
// r, the mask rw, others none.
func setAccessList(t *testing.T, name, kind string) {
	t.Helper()
	list := []byte("\x02\x00\x00\x00" + "\x01\x00\x07\x00\xff\xff\xff\xff" + "\x02\x00\x06\x00\x92\x10\x00\x00" +
		"\x04\x00\x04\x00\xff\xff\xff\xff" + "\x10\x00\x06\x00\xff\xff\xff\xff" + "\x20\x00\x00\x00\xff\xff\xff\xff")
	if err := unix.Setxattr(name, kind, list, 0); err != nil {
		t.Skip("no access lists here: ", err)
	}
}

// A file without an access list gets none from the directory that its new content is staged in, where it would let
// others in.
func TestAnAccessListIsNotInherited(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "one", "b": "one", "d/c": "one", "w": "one"})
	for _, name := range []string{"a", "b", "d/c", "w"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	setAccessList(t, dir, "system.posix_acl_default")
	setAccessList(t, dir+"/d", "system.posix_acl_default")
	d := accepttest.OpenDir(t, dir)
	for _, ops := range [][]atomicedit.Op{
		{accepttest.Edits("a", "one", "two")},
		{accepttest.Edits("b", "one", "two"), accepttest.Edits("d/c", "one", "two")},
		{accepttest.Move("d/c", "d/m", "two", "three"), accepttest.Edits("a", "two", "three")},
	} {
		if _, err := atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: ops}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := atomicedit.WriteFile(dir+"/w", []byte("two"), 0); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "d/m", "w"} {
		if _, err := unix.Getxattr(filepath.Join(dir, name), "system.posix_acl_access", nil); err != unix.ENODATA ||
			accepttest.Mode(t, filepath.Join(dir, name)) != 0o640 {
			t.Errorf("%s: mode %v, its access list: error %v", name, accepttest.Mode(t, filepath.Join(dir, name)), err)
		}
	}
}

// A move takes owner, access list and attributes along, also onto a file that is there.
func TestAMoveOntoAFileTakesAlongWhatItHad(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	for _, edit := range [][]string{nil, {"secret", "new secret"}} {
		dir := accepttest.Seed(t, map[string]string{"a": "secret", "b": "public"})
		if err := errors.Join(os.Chmod(dir+"/a", 0o640), os.Chown(dir+"/b", 4242, 4242)); err != nil {
			t.Fatal(err)
		}
		setAccessList(t, dir+"/b", "system.posix_acl_access")
		op := accepttest.Move("a", "b", edit...)
		op.Overwrite = true
		if _, err := atomicedit.Run(t.Context(), accepttest.OpenDir(t, dir), atomicedit.Plan{Ops: []atomicedit.Op{op}},
			nil); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(dir + "/b")
		if err != nil || info.Mode() != 0o640 || info.Sys().(*syscall.Stat_t).Uid != 0 {
			t.Errorf("b: %v, error %v", info, err)
		}
		if _, err := unix.Getxattr(dir+"/b", "system.posix_acl_access", nil); err != unix.ENODATA {
			t.Errorf("b has an access list: error %v", err)
		}
	}
}

// What a directory hands to its new files comes from it, not from where they were staged.
func TestNewFilesInherit(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir := accepttest.Seed(t, map[string]string{"g/x": "", "acl/x": ""})
	if err := errors.Join(os.Chown(dir+"/g", 0, 4242), os.Chmod(dir+"/g", 0o775|fs.ModeSetgid)); err != nil {
		t.Fatal(err)
	}
	setAccessList(t, dir+"/acl", "system.posix_acl_default")
	d := accepttest.OpenDir(t, dir)
	for range 2 {
		tr, err := atomicedit.Prepare(t.Context(), d,
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("g/n", "n"), accepttest.Create("acl/n", "n"),
				accepttest.Create("g/sub/n", "n")}},
			nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := tr.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"g/n", "g/sub/n"} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Sys().(*syscall.Stat_t).Gid != 4242 {
				t.Errorf("%s does not have the group of its directory, error %v", name, err)
			}
		}
		if n, err := unix.Getxattr(dir+"/acl/n", "system.posix_acl_access", nil); err != nil || n == 0 {
			t.Errorf("acl/n has no access list: %v", err)
		}
		// And an edit keeps what it has.
		if _, err := atomicedit.Run(t.Context(), d,
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("acl/n", "n", "m"),
				accepttest.Edits("g/n", "n", "m")}}, nil); err != nil {
			t.Fatal(err)
		}
		if n, err := unix.Getxattr(dir+"/acl/n", "system.posix_acl_access", nil); err != nil || n == 0 {
			t.Errorf("acl/n has no access list after an edit: %v", err)
		}
		if _, err := atomicedit.Run(t.Context(), d,
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove("g/n"), accepttest.Remove("acl/n"),
				accepttest.Remove("g/sub/n")}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]string{"g/x": "", "acl/x": ""}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Where there are few handles, new files are not kept open until they are synced.
func TestACommitNeedsFewHandles(t *testing.T) {
	files := map[string]string{}
	plan := atomicedit.Plan{}
	for i := range 200 {
		name := fmt.Sprint(i)
		files[name] = "one"
		plan.Ops = append(plan.Ops, accepttest.Edits(name, "one", "two"))
	}
	dir := accepttest.Seed(t, files)
	d := accepttest.OpenDir(t, dir)
	tr, err := atomicedit.Prepare(t.Context(), d, plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	withHandles(t, dir, 60, func() { err = tr.Commit(t.Context()) })
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range accepttest.Found(t, dir) {
		if text != "two" {
			t.Errorf("%s has %q", name, text)
		}
	}
}

// A look at a file needs few handles, however deep it lies.
func TestAReadNeedsFewHandles(t *testing.T) {
	deep := strings.Repeat("d/", 200) + "f"
	dir := accepttest.Seed(t, map[string]string{deep: "one"})
	d := accepttest.OpenDir(t, dir)
	withHandles(t, dir, 8, func() {
		if f, err := d.Read(t.Context(), deep); err != nil || string(f.Data) != "one" {
			t.Errorf("error %v", err)
		}
	})
}

// Where handles run out in the midst of a commit, it is rolled back.
func TestACommitThatRunsOutOfHandlesIsTakenBack(t *testing.T) {
	for few := uint64(5); few < 60; few++ {
		dir := t.TempDir()
		d, err := atomicedit.OpenDir(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		var changes []atomicedit.Change
		for i := range 20 {
			changes = append(changes, atomicedit.Change{Path: fmt.Sprintf("d%d/f", i), After: &atomicedit.File{}})
		}
		withHandles(t, dir, few, func() { err = d.Commit(t.Context(), changes) })
		d.Close()
		now, lookErr := os.ReadDir(dir)
		if lookErr != nil || errors.Is(err, atomicedit.ErrUnfinished) || err != nil && len(now) > 0 || err == nil &&
			len(now) != len(changes) {
			t.Errorf("with %d handles: %d names, error %v, %v", few, len(now), err, lookErr)
		}
	}
}

// withHandles lets do open no more than so many files.
func withHandles(t *testing.T, dir string, few uint64, do func()) {
	t.Helper()
	last, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer last.Close()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: min(limit.Cur, uint64(last.Fd())+few),
		Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
	do()
}

// OpenDir does not wait at a pipe.
func TestOpenDirOfAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "p")
	if err := unix.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := atomicedit.OpenDir(pipe, nil); !errors.Is(err, unix.ENOTDIR) {
		t.Errorf("error %v", err)
	}
}
