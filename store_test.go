package atomicedit_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/sweeps"
	"github.com/atomicedit/atomicedit/storetest"
)

func openDir(t testing.TB, dir string) *atomicedit.Dir {
	t.Helper()
	atomicedit.SkipWithoutDirs(t)
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func openWith(t *testing.T, dir string, o atomicedit.DirOptions) *atomicedit.Dir {
	t.Helper()
	atomicedit.SkipWithoutDirs(t)
	d, err := atomicedit.OpenDir(dir, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestStoresKeepTheContract(t *testing.T) {
	t.Run("Mem", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store { return atomicedit.NewMem(nil) })
	})
	t.Run("Dir", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return openDir(t, t.TempDir()) })
	})
	t.Run("Dir on a disk that breaks", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store { return newBreakableDir() })
	})
	t.Run("Session of a Dir that breaks", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store {
			dir := newBreakableDir()
			return breakableSession{atomicedit.NewSession(dir), dir}
		})
	})
	t.Run("Dir with two roots", func(t *testing.T) {
		if sweeps.Or(true, false) {
			t.Skip("the next one does the same in both roots: go test -tags sweep")
		}
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return openRoots(t, t.TempDir(), t.TempDir()) })
	})
	t.Run("Dir with files in both roots", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) atomicedit.Store {
			other := t.TempDir()
			return spread{openRoots(t, t.TempDir(), other), filepath.ToSlash(other)}
		})
	})
	t.Run("Dir with two roots on a disk that breaks", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store { return newBreakableRoots() })
	})
	t.Run("Session", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store { return atomicedit.NewSession(atomicedit.NewMem(nil)) })
	})
	t.Run("Session of Dir", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return atomicedit.NewSession(openDir(t, t.TempDir())) })
	})
}

// A breakableSession reads and commits as the Session does.
type breakableSession struct {
	*atomicedit.Session
	breakableDir
}

// A breakableDir is a Dir on a disk in memory that a test can break.
type breakableDir struct {
	*atomicedit.Dir
	*disktest.Fault
}

func newBreakableDir() breakableDir {
	fault := disktest.NewWhole(disktest.NewMemory(nil))
	return breakableDir{atomicedit.NewDirOn(disktest.NewQueued(fault), atomicedit.DirOptions{}), fault}
}

// oddDir returns a Dir on a disk with odd files and operations that fail: see [disktest.NewOdd].
func oddDir(files map[string]string, o atomicedit.DirOptions, fails ...string) *atomicedit.Dir {
	return atomicedit.NewDirOn(disktest.NewOdd(files, fails...), o)
}

// "~/" is the home of a user, however the rest of the path goes on. Only a Dir knows where that is.
func TestAPathThatBeginsAtTheHomeIsOutside(t *testing.T) {
	for path, want := range map[string]error{
		"~/a": atomicedit.ErrOutside, "~/../a": atomicedit.ErrOutside, "~/b/../../a": atomicedit.ErrOutside, "./~/a": atomicedit.ErrOutside,
		"~": nil, "~a/b": nil, "a/~/b": nil,
	} {
		if _, err := atomicedit.CleanPath(path); !errors.Is(err, want) {
			t.Errorf("CleanPath(%q): error %v, want %v", path, err, want)
		}
	}
}
