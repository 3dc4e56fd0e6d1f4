package atomicedit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/atomicedit/atomicedit/internal/commit"
)

// A Roots is a [Store] on several directories, made by [OpenRoots]. It is safe for concurrent use. Every method of the zero Roots, or of
// a nil one, that can fail does so at once, with an error that says how to make one. After Close, methods fail with [fs.ErrClosed].
type Roots struct {
	opts   commit.Options
	adding sync.Mutex // held while a root is added, and by Close

	mu        sync.Mutex
	made      bool
	closed    bool
	forest    commit.Forest
	recovered []string
}

// OpenRoots returns a Store on several directories, its roots. What [OpenDir] says of a directory holds for each of them, and o
// applies to all. There must be at least one. [Roots.Add] adds another.
//
// # Paths
//
// A path is relative to the first root, or absolute (or "~/") and inside one of the roots. Each file has one name, however a request
// spells its path: in the first root, the relative path; in any other root, an absolute path, with slashes, that begins with the name
// under which the root was opened. [File].Path, reports and diffs use this name. A diff leaves out the first slash of an absolute path, as git does.
// A refusal uses the path of the request.
//
// A root may be inside another root. A file that is in both belongs to the one that was opened first. A directory that is opened
// twice, for example by way of a symbolic link, is one root with two names. Roots does not know where a file system ignores case: there, a
// file in nested roots can have a name in each of them. A commit that would change one directory under both names is [fs.ErrInvalid].
//
// A symbolic link in a root may lead to another root. Roots looks at nothing outside its roots, so an absolute path through a link
// outside is [ErrOutside], even if the link leads to a root. If a path names no file, but the same path does in another root, the
// refusal of [Prepare] or a [Host] gives the full name of that file.
//
// # Commits
//
// A commit that changes files in several roots makes all changes or none, even if the process is killed, and with [DurableFull] even if
// the power fails. One of the roots holds a record of the decision in its state directory. When a root is next opened or changed, by
// Roots or as a [Dir], it rolls back or completes its own part according to that record. Nothing is written to a root that nobody
// opens. If the root with the record is gone, [Roots.Recovered] says so, and the files of the commit are [ErrUnfinished] until that root is
// back, or until [Roots.RecoverForeign] or [Roots.Discard] is called.
//
// A commit also tries to recover the roots that it does not change, if no other commit is at work there.
//
// A move from one root to another copies the file, even within one file system. The copy keeps the mode, owner, attributes and
// access lists that the file has when the commit checks it, under the same rules as a replaced file. It does not keep the modification time.
//
// # Roots that change
//
// A root that has been deleted has no files, and no file can be created in it. A root that has been moved is still the same directory,
// under its old name. Neither affects the other roots. [DirOptions].StateDir must be outside all roots.
func OpenRoots(dirs []string, o *DirOptions) (*Roots, error) {
	if o == nil {
		o = &DirOptions{}
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("atomicedit: OpenRoots needs a directory: %w", fs.ErrInvalid)
	}
	r := &Roots{opts: o.forCommit(), made: true}
	for _, dir := range dirs {
		if err := r.Add(dir); err != nil {
			r.Close()
			return nil, err
		}
	}
	return r, nil
}

// Add opens another directory as the last root: for example, once the user has allowed it. It recovers from a dead commit, as OpenRoots
// does. Commits that have begun continue without the new root, and no file changes its name. A directory that is a root already
// gets one more name. A directory that has been made in the place of a deleted root takes over from it. If Add fails, nothing changes.
func (r *Roots) Add(dir string) error {
	if r.isZero() {
		return errZeroRoots
	}
	r.adding.Lock()
	defer r.adding.Unlock()
	forest, err := r.now(context.Background())
	if err != nil {
		return err
	}
	larger, said, err := forest.Add(dir, r.opts)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recovered = append(r.recovered, said...)
	if err == nil {
		r.forest = larger
	}
	return err
}

// isZero reports whether r was not made by OpenRoots.
func (r *Roots) isZero() bool { return r == nil || !r.made }

var (
	errZeroRoots   = errors.New("atomicedit: a zero Roots has no directories: make one with OpenRoots")
	errClosedRoots = fmt.Errorf("atomicedit: the Roots is closed: %w", fs.ErrClosed)
)

// now returns the roots as they are now.
func (r *Roots) now(ctx context.Context) (commit.Forest, error) {
	if r.isZero() {
		return commit.Forest{}, errZeroRoots
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return commit.Forest{}, errClosedRoots
	}
	return r.forest, ctx.Err()
}

// roots returns the absolute names of the roots, for messages.
func (r *Roots) roots() []string {
	forest, err := r.now(context.Background())
	if err != nil {
		return nil
	}
	return forest.Names()
}

func (r *Roots) say(recovered []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recovered = append(r.recovered, recovered...)
}

// Recover implements [Recoverer]: see [Dir.Recover]. It goes through all roots, and returns the errors of all.
func (r *Roots) Recover(ctx context.Context) error {
	forest, err := r.now(ctx)
	if err != nil {
		return err
	}
	said, err := forest.TakeBack(ctx)
	r.say(said)
	return err
}

// RecoverForeign does what [Dir.RecoverForeign] does, in all roots. If the record of a commit over several roots cannot be read, it
// rolls back the parts that it finds.
func (r *Roots) RecoverForeign(ctx context.Context) error {
	forest, err := r.now(ctx)
	if err != nil {
		return err
	}
	said, err := forest.RecoverForeign(ctx)
	r.say(said)
	return err
}

// Discard does what [Dir.Discard] does, in all roots.
func (r *Roots) Discard(ctx context.Context) error {
	forest, err := r.now(ctx)
	if err != nil {
		return err
	}
	return forest.Discard(ctx)
}

// Recovered says, in sentences for a person, what OpenRoots, Add and later commits rolled back or completed of commits that died. It is
// nil if there was nothing. A sentence about any root but the first names the root.
func (r *Roots) Recovered() []string {
	if r.isZero() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.recovered)
}

// Close releases the directories. It waits for no commit. A second Close does nothing.
func (r *Roots) Close() error {
	if r.isZero() {
		return errZeroRoots
	}
	r.adding.Lock()
	defer r.adding.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	return r.forest.Close()
}

// Read implements [Store]: see [Dir.Read].
func (r *Roots) Read(ctx context.Context, path string) (*File, error) {
	forest, err := r.now(ctx)
	if err != nil {
		return nil, err
	}
	f, err := forest.Read(path)
	return (*File)(f), err
}

// Commit implements [Store]: see [Dir.Commit].
func (r *Roots) Commit(ctx context.Context, changes []Change) error {
	forest, err := r.now(ctx)
	if err != nil {
		return err
	}
	said, err := forest.Commit(ctx, forCommit(changes))
	r.say(said)
	return err
}

// MayChange implements [Guard]: see [Dir.MayChange].
func (r *Roots) MayChange(ctx context.Context, path string, deed Deed) error {
	forest, err := r.now(ctx)
	if err != nil {
		return err
	}
	if err := deed.check(path); err != nil {
		return err
	}
	return forest.MayChange(path, commit.Deed(deed))
}

// absolute returns the absolute path of a file that the store calls name.
func (r *Roots) absolute(name string) string {
	if forest, err := r.now(context.Background()); err == nil {
		return forest.Absolute(name)
	}
	return name
}

// Respells implements [Respeller].
func (r *Roots) Respells(ctx context.Context, from, to string) bool {
	forest, err := r.now(ctx)
	return err == nil && forest.Respells(from, to)
}

var (
	_ Store     = (*Roots)(nil)
	_ Guard     = (*Roots)(nil)
	_ Respeller = (*Roots)(nil)
	_ Recoverer = (*Roots)(nil)
)
