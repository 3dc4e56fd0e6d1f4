package atomicedit

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// NewDirOn returns a Dir on a disk of a test.
func NewDirOn(d disk.Disk, o DirOptions) *Dir {
	return &Dir{tree: commit.On(disktest.Same{Disk: d}, o.forCommit())}
}

// SkipWithoutDirs skips a test of directories on a system that OpenDir does not support. Elsewhere it never skips.
func SkipWithoutDirs(t testing.TB) {
	t.Helper()
	if !slices.Contains([]string{"js", "wasip1", "plan9", "solaris", "illumos", "aix"}, runtime.GOOS) {
		return
	}
	if _, err := OpenDir(".", nil); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system has no Dir: ", err)
	}
}
