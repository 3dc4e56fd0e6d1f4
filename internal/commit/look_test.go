package commit

import (
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// asked is a disk that counts what it is asked.
type asked struct {
	disk.Disk
	lstat, inspect map[string]int
}

func (d asked) Lstat(name string) (disk.Stat, error) {
	d.lstat[path.Base(name)]++
	return d.Disk.Lstat(name)
}

func (d asked) Inspect(name string) (disk.Traits, error) {
	d.inspect[path.Base(name)]++
	return d.Disk.Inspect(name)
}

// What a look has found out when it read a file, it does not ask again to say whether the file may be changed.
func TestALookAsksOnce(t *testing.T) {
	files := map[string]string{"d/a": "one", "d/b": "one"}
	d := asked{disktest.NewMemory(files), map[string]int{}, map[string]int{}}
	l := on(d, Options{MaxSize: 10, Protected: []string{".git"}}).alone().Look()
	defer l.End()
	for name := range files {
		if _, err := l.Read(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.MayChange([]Change{edit("d/a", "one", "two"), edit("d/b", "one", "two")}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{".": 1, "a": 1, "b": 1}, d.inspect); diff != "" {
		t.Error("inspected:", diff)
	}
	if n := d.lstat[".git"]; n != 2 { // in the directory, and above it
		t.Errorf("looked for .git %d times", n)
	}
}

// A look reads what is there now, also after its end.
func TestALookReadsAnew(t *testing.T) {
	tree := on(disktest.NewMemory(map[string]string{"a": "one"}), Options{MaxSize: 10}).alone()
	l := tree.Look()
	read := func(want string) {
		t.Helper()
		if f, err := l.Read("a"); err != nil || string(f.Data) != want {
			t.Errorf("%v %v, want %q", f, err, want)
		}
	}
	change := func(from, to string) {
		t.Helper()
		if err := tree.Commit(t.Context(), []Change{edit("a", from, to)}); err != nil {
			t.Fatal(err)
		}
	}
	read("one")
	change("one", "two")
	read("two")
	l.End()
	change("two", "three")
	read("three")
	if err := l.MayChange([]Change{edit("a", "three", "four")}); err != nil {
		t.Error(err)
	}
}
