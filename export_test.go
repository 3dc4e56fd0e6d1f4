package atomicedit

import (
	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// NewDirOn returns a Dir on a disk of a test.
func NewDirOn(d disk.Disk, o DirOptions) *Dir {
	return &Dir{tree: commit.On(disktest.Same{Disk: d}, o.forCommit())}
}
