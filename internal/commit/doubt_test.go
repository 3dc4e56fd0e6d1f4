package commit

import (
	"errors"
	"testing"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// A doubtful disk says of each open file that it has changed, as file systems do that keep what a file was before a
// link to it was made. Meanwhile is called first.
type doubtful struct {
	disk.Disk
	meanwhile func()
}

type doubtfulHeld struct {
	disk.Held
	on doubtful
}

func (d doubtful) Hold(name string) (disk.Held, error) {
	h, err := d.Disk.Hold(name)
	return doubtfulHeld{h, d}, err
}

func (h doubtfulHeld) IsCurrent() (bool, error) {
	h.on.meanwhile()
	return false, nil
}

// A file that seems to have changed is opened anew: it is stale only if it has, and keeps
// the mode that somebody has given it.
func TestAFileThatSeemsToHaveChanged(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(d disk.Disk) error
		want      error
	}{
		"it has not": {func(disk.Disk) error { return nil }, nil},
		"it has another content": {func(d disk.Disk) error {
			return errors.Join(d.Remove("a"), d.Create("a", []byte("other"), disk.Meta{Perm: 0o644}))
		}, errs.ErrStale},
		"it has another mode": {func(d disk.Disk) error {
			return errors.Join(d.Remove("a"), d.Create("a", []byte("one"), disk.Meta{Mode: 0o600}))
		}, nil},
		"it is gone": {func(d disk.Disk) error { return d.Remove("a") }, errs.ErrStale},
	} {
		for _, changes := range [][]Change{
			{edit("a", "one", "two")},
			{edit("a", "one", "two"), edit("b", "one", "two")},
		} {
			mem := disktest.NewMemory(map[string]string{"a": "one", "b": "one"})
			called := false
			d := doubtful{Disk: mem, meanwhile: func() {
				if !called {
					called = true
					if err := c.meanwhile(mem); err != nil {
						t.Error(err)
					}
				}
			}}
			err := commitOn(d, Options{}, changes)
			if name == "it has another mode" {
				if is, _ := mem.Lstat("a"); is.Mode.Perm() != 0o600 || err != nil && !errors.Is(err, errs.ErrStale) {
					t.Errorf("%s, %d files: the mode is %v, %v", name, len(changes), is.Mode, err)
				}
			} else if !errors.Is(err, c.want) {
				t.Errorf("%s, %d files: %v", name, len(changes), err)
			}
			if err := clean(mem); err != nil {
				t.Errorf("%s, %d files: %v", name, len(changes), err)
			}
		}
	}
}
