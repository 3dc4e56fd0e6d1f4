package commit

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A job is the request for one commit. It never changes.
type job struct {
	part      int    // the number of the job in a commit over several trees, from 1
	label     string // of the tree in messages
	disk      disk.Disk
	changes   []Change // with resolved names
	opts      Options
	vault     vault
	root      string // the absolute name of the tree; "" if it has none
	open      elsewhere
	perm      fs.FileMode   // of new files
	overwrite bool          // replace whatever is there, without looking at Before
	lone      bool          // one file is made or replaced, so the commit can do without a state directory
	patience  time.Duration // how long to wait for the locks, within the limits of the context; 0 means no limit
}

// lockDirs returns the directories of the targets, which must not change under the commit. Some may not exist yet.
func (j job) lockDirs() []string {
	var dirs []string
	for _, c := range j.changes {
		dirs = append(dirs, path.Dir(c.Path))
	}
	if j.lone {
		dirs = append(dirs, ".") // where it stages
	}
	return dirs
}

func (j job) recovery() recovery { return recovery{disk: j.disk, open: j.open} }

func (j job) syncFile(name string) error {
	if j.opts.Durability == DurableNone {
		return nil
	}
	return j.disk.SyncFile(name)
}

func (j job) syncMeta(name string, sync func(string) error) error {
	if j.opts.Durability != DurableFull {
		return nil
	}
	return disk.At("sync", name, sync(name))
}

// lockContext bounds the wait for the locks.
func (j job) lockContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if j.patience == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, j.patience,
		fmt.Errorf("gave up after %v: %w", j.patience, context.DeadlineExceeded))
}
