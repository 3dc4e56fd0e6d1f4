package commit

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// These tests pin that nothing fails open: an error while looking is not an answer, and nothing is believed before it
// is known whose it is.

// A swapping disk guards a state directory that somebody else has put in the place of ours.
type swapping struct{ *disktest.Memory }

func (d swapping) Guard(ctx context.Context, name string, wait bool) (disk.Stat, func(), error) {
	is, unguard, err := d.Memory.Guard(ctx, name, wait)
	is.Ours = false
	return is, unguard, err
}

func TestAStateDirectoryIsOursWhenItIsOpen(t *testing.T) {
	d := swapping{disktest.NewMemory(map[string]string{"a": "one", "b": "one"})}
	err := commitOn(d, Options{StateDir: t.TempDir()}, []Change{edit("a", "one", "two"), edit("b", "one", "two")})
	if err == nil {
		t.Error("the commit used the directory of somebody else")
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "b": "one"}, d.Files()); diff != "" {
		t.Error(diff)
	}
}

// A foreign disk has a journal that belongs to another user. Only its first bytes may be read, if any.
type foreign struct {
	*disktest.Memory
	t *testing.T
}

func (d foreign) Lstat(name string) (disk.Stat, error) {
	is, err := d.Memory.Lstat(name)
	is.Ours = is.Ours && name != JournalName
	return is, err
}

func (d foreign) ReadFile(name string, max int64) ([]byte, error) {
	if name == JournalName {
		d.t.Error("the journal of somebody else was read")
	}
	return d.Memory.ReadFile(name, max)
}

func TestAPlantedJournalIsNotRead(t *testing.T) {
	for name, text := range map[string]string{
		"of another user": string(journal{{kind: entryEdit, path: "a", dir: StateDir}}.encode(head{born: "1"})),
		"a copy":          "atomicedit journal 1 1 1763729105123456789\n" + strings.Repeat("edit", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			mem := disktest.NewMemory(map[string]string{"a": "one"})
			if err := errors.Join(mem.Mkdir(StateDir, 0o700),
				mem.Create(JournalName, []byte(text), disk.Meta{Perm: 0o600})); err != nil {
				t.Fatal(err)
			}
			var d disk.Disk = foreign{mem, t}
			if f, err := on(d, Options{MaxSize: 100}).alone().read("a"); err != nil || string(f.Data) != "one" {
				t.Errorf("error %v", err)
			}
			if err := recoverOn(d, Options{}); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("recovery: error %v", err)
			}
		})
	}
}

// While a commit over two trees is decided, somebody removes the state of the tree with the record.
func TestATreeIsNotRolledBackWhenTheRecordHasGone(t *testing.T) {
	changes := map[string][]Change{"r0": {edit("x", "old", "new")},
		"r1": {edit("x", "old", "new"), edit("y", "old", "new")}}
	discard := func(d disk.Disk) error { return treeAt(d, "r0").Discard(t.Context()) }
	clean := func(d disk.Disk) error {
		names, err := d.ReadDir("r0/" + StateDir)
		for _, name := range names {
			err = errors.Join(err, d.Remove("r0/"+StateDir+"/"+name))
		}
		return errors.Join(err, d.Remove("r0/"+StateDir))
	}
	for k, decided := 0, 0; ; k++ {
		old := map[string]string{"r0/x": "old", "r1/x": "old", "r1/y": "old", "r1/z": "old", "r2/x": "old"}
		mem := disktest.NewMemory(old)
		dying := disktest.NewFault(mem, k, disktest.DieBefore)
		jointlyOn(dying, changes)
		if !dying.Reached() {
			if decided == 0 {
				t.Fatal("no commit died after its decision")
			}
			return
		}
		names, _ := mem.ReadDir("r0/" + StateDir)
		_, look := mem.Lstat("r1/" + JournalName)
		if !slices.ContainsFunc(names, isRecord) || look != nil {
			continue
		}
		if data, err := mem.ReadFile("r0/"+StateDir+"/"+names[slices.IndexFunc(names, isRecord)], 1<<20); err != nil {
			t.Fatal(err)
		} else if _, _, torn := decodeJournal(data); torn != nil {
			continue
		}
		decided++
		if remove := []func(disk.Disk) error{discard, clean}[k%2]; remove(mem) != nil {
			t.Fatal("the state cannot be removed")
		}
		tree := treeAt(mem, "r1")
		recoverAt(mem, "r1")
		if _, err := tree.alone().read("x"); !errors.Is(err, errs.ErrUnfinished) {
			t.Errorf("killed at %d: read: error %v", k, err)
		}
		if err := tree.alone().Commit(t.Context(), []Change{edit("x", "new", "newer")}); !errors.Is(err,
			errs.ErrUnfinished) {
			t.Errorf("killed at %d: commit: error %v", k, err)
		}
		// other files can be changed, one by one
		if err := tree.alone().Commit(t.Context(), []Change{edit("z", "old", "new")}); err != nil {
			t.Errorf("killed at %d: another file: error %v", k, err)
		}
		want := map[string]string{"r0/x": "new", "r1/x": "new", "r1/y": "new", "r1/z": "new", "r2/x": "old"}
		if diff := cmp.Diff(want, mem.Files()); diff != "" {
			t.Errorf("killed at %d: %s", k, diff)
		}
	}
}

// The old path of a file that moves to another tree cannot be looked up.
func TestAMoveBetweenTreesNeedsItsOrigin(t *testing.T) {
	broken := errors.New("broken")
	mem := disktest.NewMemory(map[string]string{"one/dir/a": "x", "two/b": "x"})
	tree := func(dir string) *Tree {
		d := disktest.Blind(disktest.Below(mem, dir), func(at string) error {
			if dir == "one" && at == "dir" {
				return broken
			}
			return nil
		})
		tree, err := On(disktest.Same{Disk: d}, Options{MaxSize: 100}, "/"+dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	two, _, err := Forest{}.With(tree("two"))
	if err == nil {
		two, _, err = two.With(tree("one"))
	}
	if err != nil {
		t.Fatal(err)
	}
	move := create("a", "x")
	move.From = "/one/dir/a"
	if err := two.Commit(t.Context(), []Change{move}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// A resaving disk has a file that an editor removes for a moment, while a commit stages its backup.
type resaving struct{ *disktest.Memory }

func (d resaving) Link(old, new string) error {
	if old == "a" {
		return fs.ErrNotExist
	}
	return d.Memory.Link(old, new)
}

func TestAFileThatIsSavedByARenameIsStale(t *testing.T) {
	d := resaving{disktest.NewMemory(map[string]string{"a": "one", "b": "one"})}
	err := commitOn(d, Options{}, []Change{edit("a", "one", "two"), edit("b", "one", "two")})
	if !errors.Is(err, errs.ErrStale) {
		t.Errorf("error %v", err)
	}
}

// A locked disk has a top directory in which nothing can be made, and perhaps a file that can only be written in place.
type locked struct {
	*disktest.Memory
	fixed bool
}

func (d locked) Inspect(name string) (disk.Traits, error) {
	t, err := d.Memory.Inspect(name)
	if name == "." {
		t.Writable, t.Fixed = false, d.fixed
	}
	t.MountPoint = name == "mounted"
	return t, err
}

// What a commit cannot do is refused before anybody is asked.
func TestWhatNeedsAJournalIsRefusedBeforehandWhereNoneCanBe(t *testing.T) {
	d := locked{Memory: disktest.NewMemory(map[string]string{"mounted": "x", "dir/a": "x", "dir/b": "x"})}
	forest := on(d, Options{InPlace: true}).alone()
	for _, test := range []struct {
		err  error
		what string
	}{
		{forest.mayChange([]Change{edit("mounted", "x", "y")}), "no place for a journal"},
		{forest.mayChange([]Change{edit("dir/a", "x", "y"), edit("dir/b", "x", "y")}),
			"several files cannot be changed together"},
		{forest.mayChange([]Change{edit("new", "x", "y")}), "no file can be made in it"},
		{on(locked{d.Memory, true}, Options{}).alone().mayChange([]Change{edit("new", "x", "y")}), "append-only"},
		{forest.mayChange([]Change{edit("dir/a", "x", "y")}), ""},
		{forest.mayChange([]Change{edit("dir/new", "x", "y")}), ""},
	} {
		if test.what == "" && test.err == nil {
			continue
		}
		if !errors.Is(test.err, fs.ErrPermission) && !errors.Is(test.err, errors.ErrUnsupported) ||
			!strings.Contains(test.err.Error(), test.what) {
			t.Errorf("error %v, want %q", test.err, test.what)
		}
	}
}

func TestNoFileIsMadeInAFixedDirectoryBehindAnother(t *testing.T) {
	changes := []Change{edit("immutable/mounted", "x", "y"), edit("immutable/new", "", "y")}
	changes[1].Before = nil
	for range 2 {
		d := disktest.NewOdd(map[string]string{"immutable/mounted": "x"})
		if err := commitOn(d, Options{InPlace: true}, changes); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("error %v", err)
		}
		slices.Reverse(changes)
	}
}

func TestWhetherFilesCanChangeTogetherIsNotGuessed(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"a": "one", "b": "one"})
	d := disktest.Blind(mem, func(name string) error {
		if name == StateDir {
			return errHandles
		}
		return nil
	})
	err := on(d, Options{}).alone().mayChange([]Change{edit("a", "one", "two"), edit("b", "one", "two")})
	if !errors.Is(err, errHandles) || errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
}
