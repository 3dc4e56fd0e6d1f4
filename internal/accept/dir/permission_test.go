//go:build unix && !solaris && !aix

package dir_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

const nobody = 65534

func init() {
	syscall.Umask(0o022) // the tests are about the permissions that they give
	for role, do := range map[string]func(dir string) error{
		"write": writeForEver,
		"edit":  func(dir string) error { return editOnce(dir, nil) },
		"edit, whoever owns it": func(dir string) error {
			return editOnce(dir, &atomicedit.DirOptions{AllowOwnerChange: true})
		},
		"edit, in place": func(dir string) error {
			return editOnce(dir, &atomicedit.DirOptions{InPlace: true})
		},
		"move and edit, whoever owns it": moveAndEdit,
		"move":                           moveOnce,
		"inplace":                        editInPlace,
		"unreadable":                     unreadable,
		"stateless":                      stateless,
		"beside": func(dir string) error {
			return atomicedit.WriteFile(filepath.Join(dir, "n"), []byte("new"), 0o644)
		},
		"limited": limited,
	} {
		accepttest.Roles[role] = func(args []string) error { return do(args[0]) }
	}
}

// editOnce runs an edit of the file of dir, and prints what the report or the refusal says. Without options, WriteFile
// has to do as well.
func editOnce(dir string, o *atomicedit.DirOptions) error {
	d, err := atomicedit.OpenDir(dir, o)
	if err != nil {
		return err
	}
	defer d.Close()
	report, err := atomicedit.Run(context.Background(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "one", "two")}}, nil)
	if err != nil {
		return err
	}
	fmt.Print(report)
	if o != nil {
		return nil
	}
	return atomicedit.WriteFile(filepath.Join(dir, "a"), []byte("three"), 0o644)
}

// editInPlace runs an edit of a file that cannot be replaced, as part of a plan.
func editInPlace(dir string) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{InPlace: true})
	if err != nil {
		return err
	}
	defer d.Close()
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "one", "two"),
		accepttest.Edits("sub/b", "one", "two")}}
	report, err := atomicedit.Run(context.Background(), d, plan, nil)
	if err == nil && !strings.Contains(report.String(), "in place") {
		err = fmt.Errorf("the report does not tell: %s", report)
	}
	_, deleted := atomicedit.Run(context.Background(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove("sub/b")}}, nil)
	if !errors.Is(deleted, fs.ErrPermission) {
		err = errors.Join(err, fmt.Errorf("delete: %v", deleted))
	}
	return err
}

func TestAFileInAWriteProtectedDirectoryIsWrittenInPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	if err := errors.Join(os.MkdirAll(dir+"/sub", 0o755), os.WriteFile(dir+"/a", []byte("one"), 0o644),
		os.WriteFile(dir+"/sub/b", []byte("one"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		for _, name := range []string{"", "/a", "/sub", "/sub/b"} {
			if err := os.Chown(dir+name, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(dir+"/sub", 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir+"/sub", 0o755)
	if out, err := asNobody(t, "inplace", dir); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if diff := cmp.Diff(map[string]string{"a": "two", "sub/b": "two"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// asNobody runs a role as a user who is not root.
func asNobody(t *testing.T, role, dir string) (string, error) {
	t.Helper()
	cmd := accepttest.Again(t, role, dir)
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		exe := filepath.Join(dir, "..", "test.exe")
		data, err := os.ReadFile(cmd.Path)
		if err == nil {
			err = os.WriteFile(exe, data, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path, cmd.Args, cmd.Dir = exe, []string{exe}, dir
		for at := filepath.Dir(dir); len(at) > len(os.TempDir()); at = filepath.Dir(at) {
			if err := os.Chmod(at, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// moveAndEdit moves the file of dir, edits it there, and moves it back.
func moveAndEdit(dir string) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{AllowOwnerChange: true})
	if err != nil {
		return err
	}
	defer d.Close()
	report, err := atomicedit.Run(context.Background(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Move("a", "b", "one", "two")}}, nil)
	if err != nil {
		return err
	}
	fmt.Print(report)
	_, err = atomicedit.Run(context.Background(), d, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Move("b", "a")}},
		nil)
	return err
}

// moveOnce prepares a move of the file of dir, and commits it.
func moveOnce(dir string) error {
	d, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer d.Close()
	prepared, err := atomicedit.Prepare(context.Background(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Move("a", "b")}},
		nil)
	if err != nil {
		return fmt.Errorf("not prepared: %w", err)
	}
	return prepared.Commit(context.Background())
}

// What a move would need is known before anybody approves it: a file of another that we may not write cannot be linked.
func TestMovesOfFilesOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	for _, test := range []struct {
		mode fs.FileMode // of the file, which is root's, in a directory of ours
		says string      // "" if it works
	}{
		{0o644, "not prepared: a: the file belongs to another user"},
		{0o666, ""},
		{0o444, ""}, // but our own, with the group of the directory
	} {
		dir := filepath.Join(t.TempDir(), "d")
		if err := errors.Join(os.Mkdir(dir, 0o755), os.Chown(dir, nobody, nobody),
			os.WriteFile(dir+"/a", []byte("one"), 0o644), os.Chmod(dir+"/a", test.mode)); err != nil {
			t.Fatal(err)
		}
		if test.mode == 0o444 {
			if err := os.Chown(dir+"/a", nobody, 4242); err != nil {
				t.Fatal(err)
			}
		}
		out, err := asNobody(t, "move", dir)
		if (err == nil) != (test.says == "") || !strings.Contains(out, test.says) {
			t.Errorf("mode %v: error %v, says %q, want %q", test.mode, err, out, test.says)
		}
	}
}

func TestPermissionsOfOthersThanRoot(t *testing.T) {
	for _, test := range []struct {
		name  string
		setup func(dir string) error
		says  string // "" if it works
		root  bool   // only root can set it up
	}{
		{"a file of ours", func(string) error { return nil }, "", false},
		{"a file without write permission", func(dir string) error { return os.Chmod(dir+"/a", 0o444) },
			"write-protected", false},
		{"a directory without write permission", func(dir string) error { return os.Chmod(dir, 0o555) },
			"the directory of the file is write-protected", false},
		{"a file of another in a sticky directory", func(dir string) error {
			return errors.Join(os.Chown(dir+"/a", 0, 0), os.Chmod(dir+"/a", 0o666), os.Chown(dir, 0, 0),
				os.Chmod(dir, 0o777|fs.ModeSticky))
		}, "the directory of the file is write-protected", true},
		{"a file of another that all may write", func(dir string) error {
			return errors.Join(os.Chown(dir+"/a", 0, 0), os.Chmod(dir+"/a", 0o666))
		}, "another user", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.root && os.Geteuid() != 0 {
				t.Skip("needs root")
			}
			dir := filepath.Join(t.TempDir(), "d")
			if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(dir+"/a", []byte("one"), 0o644)); err != nil {
				t.Fatal(err)
			}
			if os.Geteuid() == 0 {
				if err := errors.Join(os.Chown(dir, nobody, nobody), os.Chown(dir+"/a", nobody, nobody)); err != nil {
					t.Fatal(err)
				}
			}
			if err := test.setup(dir); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(dir, 0o755)
			out, err := asNobody(t, "edit", dir)
			want := map[string]string{"a": "three"}
			if test.says != "" {
				want["a"] = "one"
				if err == nil || !strings.Contains(out, test.says) {
					t.Errorf("error %v, says %q, want %q", err, out, test.says)
				}
			} else if err != nil {
				t.Errorf("error %v: %s", err, out)
			}
			if diff := cmp.Diff(want, accepttest.Found(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What is refused by default, a host can allow: the report says what it means, and the mode gets no wider.
func TestPermissionsThatAHostGives(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	for _, test := range []struct {
		role  string
		dir   fs.FileMode // of the directory, which all may write to
		says  string
		owner uint32 // of the file, which was root's, afterwards
		mode  fs.FileMode
	}{
		{"edit, whoever owns it", 0o777, "belongs to another user", nobody, 0o766},
		{"edit, in place", 0o777 | fs.ModeSticky, "written in place", 0, 0o776},
		{"move and edit, whoever owns it", 0o777, "belongs to another user", nobody, 0o766},
	} {
		t.Run(test.role, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "d")
			if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(dir+"/a", []byte("one"), 0o644),
				os.Chmod(dir+"/a", 0o776), os.Chmod(dir, test.dir)); err != nil {
				t.Fatal(err)
			}
			out, err := asNobody(t, test.role, dir)
			if err != nil || !strings.Contains(out, test.says) {
				t.Errorf("error %v, says %q, want %q", err, out, test.says)
			}
			if diff := cmp.Diff(map[string]string{"a": "two"}, accepttest.Found(t, dir)); diff != "" {
				t.Error(diff)
			}
			info, err := os.Stat(dir + "/a")
			if err != nil {
				t.Fatal(err)
			}
			if owner := info.Sys().(*syscall.Stat_t).Uid; owner != test.owner || info.Mode() != test.mode {
				t.Errorf("the file belongs to %d and has mode %v, want %d and %v", owner, info.Mode(), test.owner,
					test.mode)
			}
		})
	}
}

// A root that cannot hold the state directory takes commits of one file, and refuses those of several before it writes.
func TestARootWithoutRoomForTheState(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	if err := errors.Join(os.MkdirAll(dir+"/sub", 0o755), os.WriteFile(dir+"/sub/a", []byte("one"), 0o644),
		os.WriteFile(dir+"/sub/b", []byte("one"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := errors.Join(os.Chown(dir+"/sub", nobody, nobody), os.Chown(dir+"/sub/a", nobody, nobody),
			os.Chown(dir+"/sub/b", nobody, nobody)); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if out, err := asNobody(t, "stateless", dir); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if diff := cmp.Diff(map[string]string{"sub/a": "two", "sub/b": "one"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func stateless(dir string) error {
	d, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer d.Close()
	_, err = atomicedit.Run(context.Background(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("sub/a", "one", "three"),
			accepttest.Edits("sub/b", "one", "three")}}, nil)
	if !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("several files: %v", err)
	}
	_, err = atomicedit.Run(context.Background(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("sub/a", "one", "two")}}, nil)
	return err
}

// A commit could not roll back a file that it may not read, so it does not begin. A write-protected file can be
// renamed, but its content cannot change with its name.
func TestFilesThatWeMayNotReadOrWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	if err := errors.Join(os.MkdirAll(dir+"/ro", 0o755), os.WriteFile(dir+"/a", []byte("one"), 0o444)); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := errors.Join(os.Chown(dir, nobody, nobody), os.Chown(dir+"/a", nobody, nobody),
			os.Chown(dir+"/ro", nobody, nobody)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir+"/ro", 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir+"/ro", 0o755)
	if out, err := asNobody(t, "unreadable", dir); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if diff := cmp.Diff(map[string]string{"b": "one"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func unreadable(dir string) error {
	for _, o := range []atomicedit.DirOptions{{}, {Durability: atomicedit.DurableNone}} {
		d, err := atomicedit.OpenDir(dir, &o)
		if err != nil {
			return err
		}
		err = d.Commit(context.Background(), []atomicedit.Change{
			{Path: "new", After: &atomicedit.File{Data: []byte("new"), Mode: 0o200}},
			{Path: "ro/new", After: &atomicedit.File{Data: []byte("new")}},
		})
		if !errors.Is(err, fs.ErrPermission) || errors.Is(err, atomicedit.ErrUnfinished) {
			return fmt.Errorf("a file that cannot be read: %v", err)
		}
		asked := accepttest.Create("new", "new")
		asked.Mode = 0o200
		_, err = atomicedit.Run(context.Background(), d,
			atomicedit.Plan{Ops: []atomicedit.Op{asked, accepttest.Create("ro/new", "new")}}, nil)
		if !errors.Is(err, fs.ErrPermission) || errors.Is(err, atomicedit.ErrUnfinished) {
			return fmt.Errorf("a file that cannot be read, as the request asks: %v", err)
		}
		d.Close()
	}
	d, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer d.Close()
	other := atomicedit.Op{Kind: atomicedit.OpMove, Path: "a", To: "b",
		Edits: []atomicedit.Edit{{Old: "one", New: "two"}}}
	if _, err := atomicedit.Prepare(context.Background(), d, atomicedit.Plan{Ops: []atomicedit.Op{other}},
		nil); !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("a move with other content is prepared: %v", err)
	}
	was := &atomicedit.File{Data: []byte("one")}
	moved := []atomicedit.Change{{Path: "b", From: "a", After: &atomicedit.File{Data: []byte("two")}},
		{Path: "a", Before: was}}
	if err := d.Commit(context.Background(), moved); !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("a move with other content is committed: %v", err)
	}
	moved[0].After = was
	return d.Commit(context.Background(), moved)
}
