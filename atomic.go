package atomicedit

import (
	"context"
	"io/fs"
	"time"

	"github.com/atomicedit/atomicedit/internal/commit"
)

// Durability is what a commit waits for. Any commit survives a kill of the process. The zero value is DurableFull.
type Durability int

const (
	DurableFull Durability = iota // data and names are on disk: the commit survives a power cut, whole
	// data is on disk: after a power cut each file is old or new, but not necessarily all the same
	DurableFile
	DurableNone // nothing: a power cut may lose or tear what was written
)

// WriteFile replaces or creates the file called name. Readers get the old bytes or the new ones, never a mix, whatever
// happens in the meantime. When WriteFile returns nil, the new bytes are on disk.
//
// It follows symbolic links. An existing file keeps the attributes that [OpenDir] lists. A file that this process may
// not write, or whose owner cannot be kept, is [fs.ErrPermission], and one whose attributes somebody keeps changing
// [ErrStale]. A new file has the mode perm before umask. ".atomicedit" and names that begin with ".atomicedit-" are
// [fs.ErrInvalid]. WriteFile waits at most 30 seconds for other commits to the directory, and then fails with
// [context.DeadlineExceeded]. It rolls back a commit of [OpenDir] to this directory that died halfway. The cost is one
// write and two waits for the disk. [ErrNotDurable] means that the second wait failed: the file is new, but a power cut
// may bring back the old one. Where OpenDir is [errors.ErrUnsupported], so is WriteFile.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	return commit.WriteFile(context.Background(), 30*time.Second, name, data, perm, commit.DurableFull)
}
