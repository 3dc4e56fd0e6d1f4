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

// A look reads what is there now, also after a rest.
func TestALookReadsAnew(t *testing.T) {
	tree := on(disktest.NewMemory(map[string]string{"a": "one"}), Options{MaxSize: 10}).alone()
	l := tree.Look()
	defer l.End()
	text := "one"
	for _, next := range []string{"two", "three", "four"} {
		if f, err := l.Read("a"); err != nil || string(f.Data) != text {
			t.Errorf("%v %v, want %q", f, err, text)
		}
		if err := tree.Commit(t.Context(), []Change{edit("a", text, next)}); err != nil {
			t.Fatal(err)
		}
		if text = next; text == "three" {
			l.Rest()
		}
	}
}

// A look is lent to one at a time, for looks at its own trees, until it ends.
func TestALookIsLent(t *testing.T) {
	one := on(disktest.NewMemory(nil), Options{}).alone()
	two := on(disktest.NewMemory(nil), Options{}).alone()
	l := one.Look()
	if l.Borrow(two) {
		t.Error("for other trees")
	}
	if !l.Borrow(one) || l.Borrow(one) {
		t.Error("not once")
	}
	l.End()
	l.GiveBack()
	if l.Borrow(one) {
		t.Error("after its end")
	}
}
