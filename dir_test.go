//go:build unix

package atomicedit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit"
)

// seed makes a directory with files; a text that begins with "-> " makes a symbolic link.
func seed(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		if link, ok := strings.CutPrefix(text, "-> "); ok && err == nil {
			err = os.Symlink(strings.ReplaceAll(link, "$DIR", dir), full)
		} else if err == nil {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// found returns what is in dir, the way seed takes it. It shows whatever a commit may have left.
func found(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(full string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, full)
		switch {
		case err != nil:
			return err
		case e.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(full)
			files[name] = "-> " + strings.ReplaceAll(link, dir, "$DIR")
			return err
		case e.Type().IsRegular():
			data, err := os.ReadFile(full)
			files[name] = string(data)
			return err
		case name == ".atomicedit":
			files[name] = "(a directory)"
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func mode(t testing.TB, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestDirNeverLeavesItsDirectory(t *testing.T) {
	files := map[string]string{
		"in/a.txt": "a\n", "in/dir/b.txt": "b\n", "out.txt": "secret\n",
		"in/up": "-> ../out.txt", "in/updir": "-> ..", "in/abs": "-> $DIR/out.txt", "in/dangling": "-> ../new.txt",
		"in/loop": "-> loop", "in/state": "-> .atomicedit",
		"in/good": "-> dir/b.txt", "in/goodabs": "-> $DIR/in/a.txt", "in/gooddir": "-> dir",
	}
	base := seed(t, files)
	in := filepath.Join(base, "in")
	if err := unix.Mkfifo(filepath.Join(in, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	d := openDir(t, in)
	for path, want := range map[string]error{
		"../out.txt": atomicedit.ErrOutside, "up": atomicedit.ErrOutside, "updir/out.txt": atomicedit.ErrOutside,
		"abs": atomicedit.ErrOutside, "dangling": atomicedit.ErrOutside, filepath.Join(base, "out.txt"): atomicedit.ErrOutside,
		"/etc/passwd": atomicedit.ErrOutside, "~/x": atomicedit.ErrOutside,
		".atomicedit/journal": atomicedit.ErrOutside, "dir/.AtomicEdit/x": atomicedit.ErrOutside, "state/x": atomicedit.ErrOutside,
		".atomicedit-0.new": atomicedit.ErrOutside,
		"loop":              fs.ErrInvalid, "fifo": fs.ErrInvalid, "dir": fs.ErrInvalid, "a.txt/": fs.ErrInvalid, "a.txt/b": fs.ErrInvalid,
		"nul\x00": fs.ErrInvalid, "": fs.ErrInvalid, ".": fs.ErrInvalid,
	} {
		if _, err := d.Read(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("Read(%q): error %v, want %v", path, err, want)
		}
		err := d.Commit(t.Context(), []atomicedit.Change{{Path: path, After: &atomicedit.File{Data: []byte("x")}}})
		if !errors.Is(err, want) {
			t.Errorf("Commit of %q: error %v, want %v", path, err, want)
		}
	}
	for path, want := range map[string]string{
		"a.txt": "a.txt", "./dir/../a.txt": "a.txt", "good": "dir/b.txt", "gooddir/b.txt": "dir/b.txt", "goodabs": "a.txt",
		filepath.Join(in, "dir/b.txt"): "dir/b.txt",
	} {
		if f, err := d.Read(t.Context(), path); err != nil || f.Path != want {
			t.Errorf("Read(%q): %v, error %v, want path %q", path, f, err, want)
		}
	}
	if diff := cmp.Diff(files, found(t, base)); diff != "" {
		t.Errorf("files have changed:\n%s", diff)
	}
}

func TestDirFollowsLinksAndKeepsThem(t *testing.T) {
	dir := seed(t, map[string]string{"dir/a.txt": "one\n", "link": "-> dir/a.txt", "d": "-> dir", "new": "-> dir/new.txt"})
	d := openDir(t, dir)
	plan := atomicedit.Plan{Ops: []atomicedit.Op{edits("link", "one", "two"), edits("d/a.txt", "two", "three"), create("new", "n\n")}}
	report, err := atomicedit.Run(t.Context(), d, plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Files) != 2 || report.Files[0].Path != "dir/a.txt" {
		t.Errorf("report %v", report)
	}
	want := map[string]string{"dir/a.txt": "three\n", "dir/new.txt": "n\n", "link": "-> dir/a.txt", "d": "-> dir", "new": "-> dir/new.txt"}
	if diff := cmp.Diff(want, found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// A parent directory is swapped for a link to the outside, again and again, while commits run.
func TestDirIsNotLedOutsideByASwap(t *testing.T) {
	base := seed(t, map[string]string{"in/p/a.txt": "0", "in/q/x": "", "out/a.txt": "outside"})
	in := filepath.Join(base, "in")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(filepath.Join(in, "p"), filepath.Join(in, "p2"))
			os.Symlink("../out", filepath.Join(in, "p"))
			os.Remove(filepath.Join(in, "p"))
			os.Rename(filepath.Join(in, "p2"), filepath.Join(in, "p"))
		}
	})
	d := openDir(t, in)
	for n, done := 0, 0; n < 3000 && done < 100; n++ {
		f, err := d.Read(t.Context(), "p/a.txt")
		if err != nil {
			continue
		}
		err = d.Commit(t.Context(), []atomicedit.Change{{Path: "p/a.txt", Before: f, After: &atomicedit.File{Data: fmt.Append(nil, n)}}})
		if err == nil {
			done++
		}
		d.Commit(t.Context(), []atomicedit.Change{{Path: "p/new.txt", After: &atomicedit.File{Data: []byte("n")}}})
	}
	close(stop)
	wg.Wait()
	if diff := cmp.Diff(map[string]string{"a.txt": "outside"}, found(t, filepath.Join(base, "out"))); diff != "" {
		t.Errorf("the outside has changed:\n%s", diff)
	}
}

func TestModesAreKept(t *testing.T) {
	dir := seed(t, map[string]string{"a": "a", "b": "b", "c": "c"})
	for name, mode := range map[string]fs.FileMode{"a": 0o755, "b": 0o600, "c": 0o751 | fs.ModeSetuid} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	d := openDir(t, dir)
	tr, err := atomicedit.Prepare(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{
		edits("a", "a", "A"), edits("b", "b", "B"), move("c", "c2", "c", "C"), create("n", "n"),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"a": 0o755, "b": 0o600, "c2": 0o751 | fs.ModeSetuid, "n": 0o640} {
		if got := mode(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s has mode %v, want %v", name, got, want)
		}
	}
	if err := atomicedit.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o600); err != nil || mode(t, filepath.Join(dir, "a")) != 0o755 {
		t.Errorf("WriteFile: error %v, mode %v", err, mode(t, filepath.Join(dir, "a")))
	}
	if err := atomicedit.WriteFile(filepath.Join(dir, "w"), []byte("x"), 0o666); err != nil || mode(t, filepath.Join(dir, "w")) != 0o640 {
		t.Errorf("WriteFile: error %v, mode %v", err, mode(t, filepath.Join(dir, "w")))
	}
	if err := d.Commit(t.Context(), atomicedit.Invert(tr.Changes())[3:]); !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("undo of a file changed since: %v", err)
	}
	if err := d.Commit(t.Context(), atomicedit.Invert(tr.Changes())[:4]); err != nil {
		t.Fatal(err)
	}
	if got := mode(t, filepath.Join(dir, "c")); got != 0o751|fs.ModeSetuid {
		t.Errorf("after undo c has mode %v", got)
	}
}

func TestAttributesAndInodesAreKept(t *testing.T) {
	dir := seed(t, map[string]string{"a": "a", "m": "moved"})
	a, m := filepath.Join(dir, "a"), filepath.Join(dir, "m")
	if err := setxattr(a, "user.atomicedit", "kept"); err != nil {
		t.Skip("no extended attributes here: ", err)
	}
	before, err := os.Stat(m)
	if err != nil {
		t.Fatal(err)
	}
	d := openDir(t, dir)
	if _, err := atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "a", "A"), move("m", "x/m")}}, nil); err != nil {
		t.Fatal(err)
	}
	if got := getxattr(a, "user.atomicedit"); got != "kept" {
		t.Errorf("the attribute is %q", got)
	}
	after, err := os.Stat(filepath.Join(dir, "x/m"))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("a mere move made another file, error %v", err)
	}
	if err := atomicedit.WriteFile(a, []byte("B"), 0); err != nil || getxattr(a, "user.atomicedit") != "kept" {
		t.Errorf("WriteFile: error %v, attribute %q", err, getxattr(a, "user.atomicedit"))
	}
}

func TestHardLinksAreToldOrRefused(t *testing.T) {
	dir := seed(t, map[string]string{"a": "one"})
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "one", "two")}}
	strict, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{RefuseHardLinks: true})
	if err != nil {
		t.Fatal(err)
	}
	defer strict.Close()
	if _, err := atomicedit.Prepare(t.Context(), strict, plan, nil); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "2 names") {
		t.Errorf("with RefuseHardLinks: error %v", err)
	}
	report, err := atomicedit.Run(t.Context(), openDir(t, dir), plan, nil)
	if err != nil || !strings.Contains(report.String(), "2 names") {
		t.Errorf("report %v, error %v", report, err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two", "b": "one"}, found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// The backup that another commit has just made is no name that a person knows.
func TestABackupIsNoHardLink(t *testing.T) {
	dir := seed(t, map[string]string{"a": "one"})
	d := openWith(t, dir, atomicedit.DirOptions{RefuseHardLinks: true})
	if err := errors.Join(os.Mkdir(dir+"/.atomicedit", 0o700), os.Link(dir+"/a", dir+"/.atomicedit/0.old")); err != nil {
		t.Fatal(err)
	}
	report, err := atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "one", "two")}}, nil)
	if err != nil || len(report.Files[0].Notes) > 0 {
		t.Errorf("report %v, error %v", report, err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two"}, found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// A state directory that came with the tree is refused and left alone.
func TestAForeignStateDirectoryIsNotTouched(t *testing.T) {
	for name, plant := range map[string]func(dir string) error{
		"open to others": func(dir string) error { return os.Mkdir(filepath.Join(dir, ".atomicedit"), 0o755) },
		"a file":         func(dir string) error { return os.WriteFile(filepath.Join(dir, ".atomicedit"), nil, 0o600) },
		"a link": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "x"), 0o700), os.Symlink("x", filepath.Join(dir, ".atomicedit")))
		},
		"an unknown name": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".atomicedit"), 0o700), os.WriteFile(filepath.Join(dir, ".atomicedit/notes"), nil, 0o600))
		},
		"an unknown version": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".atomicedit"), 0o700),
				os.WriteFile(filepath.Join(dir, ".atomicedit/journal"), []byte("atomicedit journal 2 0\ncrc32 00000000\n"), 0o600))
		},
		"a link in it": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".atomicedit"), 0o700), os.Symlink("../a", filepath.Join(dir, ".atomicedit/0.old")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := seed(t, map[string]string{"a": "one"})
			d := openDir(t, dir)
			if err := plant(dir); err != nil {
				t.Fatal(err)
			}
			before := found(t, dir)
			if _, err := atomicedit.OpenDir(dir, nil); err == nil || !strings.Contains(err.Error(), ".atomicedit") {
				t.Errorf("OpenDir: error %v", err)
			}
			if _, err := atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "one", "two")}}, nil); err == nil {
				t.Error("Commit: no error")
			}
			if diff := cmp.Diff(before, found(t, dir)); diff != "" {
				t.Error(diff)
			}
			r, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if f, err := r.Read(t.Context(), "a"); err != nil || string(f.Data) != "one" {
				t.Errorf("read only: %v", err)
			}
			if err := r.Commit(t.Context(), []atomicedit.Change{{Path: "n", After: &atomicedit.File{}}}); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("read only: Commit: %v", err)
			}
		})
	}
}

func TestMaxSizeIsCheckedBeforeReading(t *testing.T) {
	dir := seed(t, map[string]string{"a": "12345"})
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{MaxSize: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Read(t.Context(), "a"); !errors.Is(err, atomicedit.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

func TestCommitWaitsForTheLockUntilItsContextEnds(t *testing.T) {
	dir := seed(t, map[string]string{"a": "one"})
	d := openDir(t, dir)
	held, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	change := []atomicedit.Change{{Path: "a", Before: &atomicedit.File{Data: []byte("one")}, After: &atomicedit.File{Data: []byte("two")}}}
	if err := d.Commit(ctx, change); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("under a foreign lock: error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one"}, found(t, dir)); diff != "" {
		t.Error(diff)
	}
	unix.Flock(int(held.Fd()), unix.LOCK_UN)
	if err := d.Commit(t.Context(), change); err != nil {
		t.Error(err)
	}
}

func TestWriteFile(t *testing.T) {
	dir := seed(t, map[string]string{"d/a": "one\r\n", "link": "-> d/a", "d/back": "-> ../d/new", ".atomicedit-0.new": "an orphan", "d/.atomicedit-0.new": "an orphan"})
	for name, text := range map[string]string{"link": "two\r\n", "d/back": "made", "n": "new"} {
		if err := atomicedit.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	want := map[string]string{"d/a": "two\r\n", "link": "-> d/a", "d/back": "-> ../d/new", "d/new": "made", "n": "new"}
	if diff := cmp.Diff(want, found(t, dir)); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]error{"x/y": fs.ErrNotExist, "d": fs.ErrInvalid, "d/": fs.ErrInvalid, "": fs.ErrInvalid} {
		if err := atomicedit.WriteFile(strings.TrimSuffix(dir+"/"+name, map[bool]string{true: dir + "/"}[name == ""]), nil, 0o644); !errors.Is(err, want) {
			t.Errorf("WriteFile(%q): error %v, want %v", name, err, want)
		}
	}
}

// Somebody who takes no part in the locking removes and creates the file meanwhile.
func TestWriteFileBesideOthers(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				os.Remove(name)
				os.WriteFile(name, []byte("theirs"), 0o644)
			}
		}
	})
	for range 200 {
		if err := atomicedit.WriteFile(name, []byte("ours"), 0o644); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	if err := atomicedit.WriteFile(name, []byte("ours"), 0o644); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"f": "ours"}, found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// ---- other processes: the test binary, run again

// again returns a command that runs the named role in a process of its own.
func again(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "ATOMICEDIT_ROLE="+role, "ATOMICEDIT_ARGS="+strings.Join(args, "\n"))
	return cmd
}

func TestMain(m *testing.M) {
	args := strings.Split(os.Getenv("ATOMICEDIT_ARGS"), "\n")
	switch os.Getenv("ATOMICEDIT_ROLE") {
	case "count":
		exit(count(args[0], 50))
	case "churn":
		exit(churn(args[0]))
	case "write":
		exit(writeForEver(args[0]))
	case "edit":
		exit(editOnce(args[0]))
	case "inplace":
		exit(editInPlace(args[0]))
	case "stateless":
		exit(stateless(args[0]))
	case "beside":
		exit(atomicedit.WriteFile(filepath.Join(args[0], "n"), []byte("new"), 0o644))
	case "limited":
		exit(limited(args[0]))
	}
	code := m.Run()
	for _, what := range slices.Sorted(maps.Keys(atomicedit.Tally.N)) {
		fmt.Printf("commits: %6d %s\n", atomicedit.Tally.N[what], what)
	}
	os.Exit(code)
}

func tally(what string, n int) {
	atomicedit.Tally.Lock()
	defer atomicedit.Tally.Unlock()
	atomicedit.Tally.N[what] += n
}

func exit(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// count adds n to the number in the file called n.
func count(dir string, n int) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer d.Close()
	for done := 0; done < n; {
		f, err := d.Read(context.Background(), "n")
		if err != nil {
			return err
		}
		var was int
		fmt.Sscan(string(f.Data), &was)
		err = d.Commit(context.Background(), []atomicedit.Change{{Path: "n", Before: f, After: &atomicedit.File{Data: fmt.Append(nil, was+1)}}})
		switch {
		case err == nil:
			done++
		case !errors.Is(err, atomicedit.ErrStale):
			return err
		}
	}
	return nil
}

func TestNoUpdateIsLostBetweenProcesses(t *testing.T) {
	dir := seed(t, map[string]string{"n": "0"})
	var wg sync.WaitGroup
	for range 2 {
		cmd := again(t, "count", dir)
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		wg.Go(func() {
			if err := count(dir, 50); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(map[string]string{"n": "200"}, found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// churn moves a set of files from one generation to the next for ever, and now and then renames one of them.
func churn(dir string) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer d.Close()
	for gen := 0; ; gen++ {
		var changes []atomicedit.Change
		for i := range 4 {
			name := fmt.Sprintf("%d", i)
			f, err := d.Read(context.Background(), name)
			if err != nil {
				return err
			}
			changes = append(changes, atomicedit.Change{Path: name, Before: f, After: &atomicedit.File{Data: fmt.Append(nil, os.Getpid(), " ", gen)}})
		}
		name := fmt.Sprintf("new/%d", gen%2)
		if f, err := d.Read(context.Background(), name); err == nil {
			changes = append(changes, atomicedit.Change{Path: name, Before: f})
		} else {
			changes = append(changes, atomicedit.Change{Path: name, After: &atomicedit.File{Data: []byte("x")}})
		}
		err := d.Commit(context.Background(), changes)
		if err != nil && !errors.Is(err, atomicedit.ErrStale) && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// kill lets cmd work for a while, and kills it.
func kill(t *testing.T, cmd *exec.Cmd, after time.Duration) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	cmd.Process.Kill()
	tally("processes killed", 1)
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Errorf("ended on its own: %v %s", err, out.String())
	}
}

func TestAKilledProcessLeavesOldOrNew(t *testing.T) {
	dir := seed(t, map[string]string{"0": "", "1": "", "2": "", "3": ""})
	recovered := 0
	for i := range 25 {
		kill(t, again(t, "churn", dir), time.Duration(15+i*3)*time.Millisecond)
		d := openDir(t, dir)
		if len(d.Recovered()) > 0 {
			recovered++
		}
		files := found(t, dir)
		if files["0"] != files["1"] || files["0"] != files["2"] || files["0"] != files["3"] {
			tally("mixed", 1)
			t.Errorf("after kill %d the files are mixed: %q", i, files)
		}
		for name := range files {
			if strings.HasPrefix(name, ".") {
				t.Errorf("after kill %d there is %s", i, name)
			}
		}
	}
	tally("commits of killed processes taken back", recovered)
}

// Of two processes one is killed, again and again: the other takes back what it left, and goes on.
func TestASurvivorRecovers(t *testing.T) {
	dir := seed(t, map[string]string{"0": "", "1": "", "2": "", "3": ""})
	survivor := again(t, "churn", dir)
	var out bytes.Buffer
	survivor.Stdout, survivor.Stderr = &out, &out
	if err := survivor.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		kill(t, again(t, "churn", dir), time.Duration(20+i*5)*time.Millisecond)
	}
	survivor.Process.Kill()
	survivor.Wait()
	if out.Len() > 0 {
		t.Errorf("the survivor gave up: %s", out.String())
	}
	openDir(t, dir)
	files := found(t, dir)
	if files["0"] != files["1"] || files["0"] != files["2"] || files["0"] != files["3"] {
		t.Errorf("the files are mixed: %q", files)
	}
	for name := range files {
		if strings.HasPrefix(name, ".") {
			t.Errorf("there is %s", name)
		}
	}
}

var generations = [2][]byte{bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 70_000)}

func writeForEver(name string) error {
	for gen := 0; ; gen++ {
		if err := atomicedit.WriteFile(name, generations[gen%2], 0o644); err != nil {
			return err
		}
	}
}

func TestAKilledWriteFileLeavesOldOrNew(t *testing.T) {
	dir := seed(t, map[string]string{"f": string(generations[0])})
	name := filepath.Join(dir, "f")
	for i := range 15 {
		kill(t, again(t, "write", name), time.Duration(15+i*2)*time.Millisecond)
		data, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(data, generations[0]) && !bytes.Equal(data, generations[1]) {
			t.Fatalf("after kill %d the file is neither old nor new, error %v", i, err)
		}
	}
	if err := atomicedit.WriteFile(name, generations[0], 0o644); err != nil {
		t.Fatal(err)
	}
	if files := found(t, dir); len(files) != 1 {
		t.Errorf("orphans are left: %d files", len(files))
	}
}

// ---- what root may do and others may not: as the user nobody, if we are root

const nobody = 65534

// editOnce runs an edit of every file of dir, and prints what the report or the refusal says.
func editOnce(dir string) error {
	d, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer d.Close()
	report, err := atomicedit.Run(context.Background(), d, atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "one", "two")}}, nil)
	if err != nil {
		return err
	}
	fmt.Print(report)
	return atomicedit.WriteFile(filepath.Join(dir, "a"), []byte("three"), 0o644)
}

// editInPlace runs an edit of a file that cannot be replaced, as part of a plan.
func editInPlace(dir string) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{InPlace: true})
	if err != nil {
		return err
	}
	defer d.Close()
	plan := atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "one", "two"), edits("sub/b", "one", "two")}}
	report, err := atomicedit.Run(context.Background(), d, plan, nil)
	if err == nil && !strings.Contains(report.String(), "in place") {
		err = fmt.Errorf("the report does not tell: %s", report)
	}
	_, deleted := atomicedit.Run(context.Background(), d, atomicedit.Plan{Ops: []atomicedit.Op{remove("sub/b")}}, nil)
	if !errors.Is(deleted, fs.ErrPermission) {
		err = errors.Join(err, fmt.Errorf("delete: %v", deleted))
	}
	return err
}

func TestAFileInAWriteProtectedDirectoryIsWrittenInPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	if err := errors.Join(os.MkdirAll(dir+"/sub", 0o755), os.WriteFile(dir+"/a", []byte("one"), 0o644), os.WriteFile(dir+"/sub/b", []byte("one"), 0o644)); err != nil {
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
	if diff := cmp.Diff(map[string]string{"a": "two", "sub/b": "two"}, found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// asNobody runs a role as a user who is not root.
func asNobody(t *testing.T, role, dir string) (string, error) {
	t.Helper()
	cmd := again(t, role, dir)
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

func TestPermissionsOfOthersThanRoot(t *testing.T) {
	for _, test := range []struct {
		name  string
		setup func(dir string) error
		says  string // "" if it works
		root  bool   // only root can set it up
	}{
		{"a file of ours", func(string) error { return nil }, "", false},
		{"a file without write permission", func(dir string) error { return os.Chmod(dir+"/a", 0o444) }, "write-protected", false},
		{"a directory without write permission", func(dir string) error { return os.Chmod(dir, 0o555) }, "the directory of the file is write-protected", false},
		{"a file of another in a sticky directory", func(dir string) error {
			return errors.Join(os.Chown(dir+"/a", 0, 0), os.Chmod(dir+"/a", 0o666), os.Chown(dir, 0, 0), os.Chmod(dir, 0o777|fs.ModeSticky))
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
			if diff := cmp.Diff(want, found(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// In a directory that all may write to, another user's file by the name of a stage, and another user's state directory,
// block nobody.
func TestWriteFileBesideTheFilesOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir := filepath.Join(t.TempDir(), "d")
	err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(dir+"/.atomicedit-0.new", []byte("theirs"), 0o600), os.Mkdir(dir+"/.atomicedit", 0o700),
		os.Chmod(dir, 0o777|fs.ModeSticky))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := asNobody(t, "beside", dir); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	want := map[string]string{"n": "new", ".atomicedit-0.new": "theirs", ".atomicedit": "(a directory)"}
	if diff := cmp.Diff(want, found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// The root of the system is a directory like any other, where it can be written to; no test writes there.
func TestTheRootOfTheSystemCanBeOpened(t *testing.T) {
	d, err := atomicedit.OpenDir("/", &atomicedit.DirOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	dir := seed(t, map[string]string{"a": "one"})
	f, err := d.Read(t.Context(), dir+"/a")
	if err != nil || string(f.Data) != "one" {
		t.Errorf("error %v", err)
	}
}

// A root that cannot hold the state directory takes commits of one file, and refuses those of several before it writes.
func TestARootWithoutRoomForTheState(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	if err := errors.Join(os.MkdirAll(dir+"/sub", 0o755), os.WriteFile(dir+"/sub/a", []byte("one"), 0o644), os.WriteFile(dir+"/sub/b", []byte("one"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := errors.Join(os.Chown(dir+"/sub", nobody, nobody), os.Chown(dir+"/sub/a", nobody, nobody), os.Chown(dir+"/sub/b", nobody, nobody)); err != nil {
			t.Fatal(err)
		}
	} else if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if out, err := asNobody(t, "stateless", dir); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if diff := cmp.Diff(map[string]string{"sub/a": "two", "sub/b": "one"}, found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func stateless(dir string) error {
	d, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer d.Close()
	_, err = atomicedit.Run(context.Background(), d, atomicedit.Plan{Ops: []atomicedit.Op{edits("sub/a", "one", "three"), edits("sub/b", "one", "three")}}, nil)
	if !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("several files: %v", err)
	}
	_, err = atomicedit.Run(context.Background(), d, atomicedit.Plan{Ops: []atomicedit.Op{edits("sub/a", "one", "two")}}, nil)
	return err
}
