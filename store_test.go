package atomicedit_test

import (
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

func openDir(t testing.TB, dir string) *atomicedit.Dir {
	t.Helper()
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func openWith(t *testing.T, dir string, o atomicedit.DirOptions) *atomicedit.Dir {
	t.Helper()
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
		storetest.Run(t, func(*testing.T) atomicedit.Store { return atomicedit.NewBreakableDir() })
	})
	t.Run("Session of a Dir that breaks", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store {
			dir := atomicedit.NewBreakableDir()
			return breakableSession{atomicedit.NewSession(dir), dir}
		})
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
	*atomicedit.BreakableDir
}
