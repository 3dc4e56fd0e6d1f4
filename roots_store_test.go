package atomicedit_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

func openRoots(t testing.TB, dirs ...string) *atomicedit.Dir {
	t.Helper()
	atomicedit.SkipWithoutDirs(t)
	return openRootsWith(t, &atomicedit.DirOptions{Durability: atomicedit.DurableNone}, dirs...)
}

func openRootsWith(t testing.TB, o *atomicedit.DirOptions, dirs ...string) *atomicedit.Dir {
	t.Helper()
	d, err := atomicedit.OpenDir(dirs[0], o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	for _, dir := range dirs[1:] {
		if err := d.Add(dir); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// A spread store keeps every other file in another root, under names that do not tell.
type spread struct {
	*atomicedit.Dir
	other string
}

func (s spread) outer(name string) string {
	clean, err := atomicedit.CleanPath(name)
	if first := strings.ToLower(clean); err != nil || first[0]%2 == 0 {
		return name
	}
	return s.other + "/" + name
}

func (s spread) inner(f *atomicedit.File) *atomicedit.File {
	if f == nil {
		return nil
	}
	c := *f
	c.Path = strings.TrimPrefix(f.Path, s.other+"/")
	return &c
}

func (s spread) Read(ctx context.Context, name string) (*atomicedit.File, error) {
	f, err := s.Dir.Read(ctx, s.outer(name))
	return s.inner(f), err
}

func (s spread) Commit(ctx context.Context, changes []atomicedit.Change) error {
	changes = slices.Clone(changes)
	for i, c := range changes {
		for _, f := range []**atomicedit.File{&c.Before, &c.After} {
			if *f != nil && (*f).Path != "" {
				named := **f
				named.Path = s.outer(named.Path)
				*f = &named
			}
		}
		c.Path = s.outer(c.Path)
		if c.From != "" {
			c.From = s.outer(c.From)
		}
		changes[i] = c
	}
	return s.Dir.Commit(ctx, changes)
}

func (s spread) MayChange(ctx context.Context, name string, deed atomicedit.Deed) error {
	return s.Dir.MayChange(ctx, s.outer(name), deed)
}

func (s spread) Respells(ctx context.Context, from, to string) bool {
	return s.Dir.Respells(ctx, s.outer(from), s.outer(to))
}

// rootsOn returns a Roots on directories of one disk.
func rootsOn(d disk.Disk, names ...string) *atomicedit.Dir {
	return rootsWith(atomicedit.DirOptions{}, d, names...)
}

func rootsWith(o atomicedit.DirOptions, d disk.Disk, names ...string) *atomicedit.Dir {
	queues := map[string]disk.Disk{}
	return atomicedit.NewRootsOn(o, func(name string) (disk.Disk, func(), error) {
		if queues[name] == nil {
			queues[name] = disktest.NewQueued(disktest.Below{Disk: d, Dir: strings.TrimPrefix(name, "/")})
		}
		return queues[name], func() {}, nil
	}, names...)
}

// A breakableRoots has its roots on one disk in memory that a test can break.
type breakableRoots struct {
	spread
	*disktest.Fault
}

func newBreakableRoots() breakableRoots {
	mem := disktest.NewMemory(map[string]string{"one/x": "", "two/x": ""})
	mem.Remove("one/x")
	mem.Remove("two/x")
	fault := disktest.NewWhole(mem)
	return breakableRoots{spread{rootsOn(fault, "/one", "/two"), "/two"}, fault}
}
