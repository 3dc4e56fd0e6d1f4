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
// a nil one, that can fail does so at once, with an error that says how to make one. After Close, the error is [fs.ErrClosed].
type Roots struct {
	opts   commit.Options
	adding sync.Mutex // held while a root is added, and by Close

	mu        sync.Mutex
	made      bool
	closed    bool
	forest    commit.Forest
	recovered []string
}

// OpenRoots returns a Store on several directories, its roots. Everything that [OpenDir] says of a directory holds for each of
// them, and o is for all. There must be at least one; more can be added later: see [Roots.Add].
//
// # Paths
//
// A path is absolute (or begins with "~/") and inside a root, or relative to the first root. A file of the first root has its
// relative path as its one name, which is also [File].Path; a file of another root has an absolute one, which begins as the root was named
// to OpenRoots, with slashes. So one file has one name, however it is asked for, and reports and diffs use it. A diff has an
// absolute path without its first slash, as git writes it. A refusal uses the path of the request.
//
// A root may be inside another one. A file in both belongs to the first of them in the list. A directory that is given twice, also by
// way of a symbolic link, is one root with two names. Names that differ only in case are different to Roots even where the file
// system ignores case. Then a file can have a name for each root, and a commit that would change its directory by way of both is
// [fs.ErrInvalid].
//
// A symbolic link may lead from one root into another. Nothing outside the roots is looked at: a path through a link outside that
// leads to a root is [ErrOutside]. The refusal of a path names the file of a root that may be meant.
//
// # Commits
//
// A commit that changes files of several roots is all or nothing as well, also if the process is killed or, where all roots have
// [DurableFull], the power fails: there is one record of the decision, in the state directory of one of the roots. Each root
// rolls back, or concludes, its own part by that record when it is opened or changed next, also by OpenDir. Nothing is written to a root that
// nobody opens. If the root with the record is gone, [Roots.Recovered] says so, and the files of the commit are [ErrUnfinished] until it is
// back, or [Roots.RecoverForeign] or [Roots.Discard] is called.
//
// A move from one root to another is a copy, even on one file system. The copy keeps mode, owner, attributes and access lists as
// they are when the commit begins, under the rules for a file that is replaced, but not the modification time.
//
// A root that has been deleted has no files, and none can be put there. A root that has been moved is still the same directory. The
// other roots go on working. [DirOptions].StateDir must be outside all roots.
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

// Add makes a directory another root, at the end of the list: for example, after the user has allowed it. It recovers from a dead
// commit as OpenRoots does. Commits that have begun go on without the new root. No file changes its name, and a directory that is a root
// already only gets one more name. If Add fails, nothing has changed.
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
	errZeroRoots   = errors.New("a zero Roots has no directories: make one with OpenRoots")
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

// RecoverForeign does the work of [Dir.RecoverForeign] in all roots. A part of a commit over several roots whose record cannot be looked
// up is rolled back.
func (r *Roots) RecoverForeign(ctx context.Context) error {
	forest, err := r.now(ctx)
	if err != nil {
		return err
	}
	said, err := forest.RecoverForeign(ctx)
	r.say(said)
	return err
}

// Discard does the work of [Dir.Discard] in all roots.
func (r *Roots) Discard(ctx context.Context) error {
	forest, err := r.now(ctx)
	if err != nil {
		return err
	}
	return forest.Discard(ctx)
}

// Recovered says, in sentences for a person, what OpenRoots, Add and later commits rolled back, or concluded, of commits that died.
// It is nil if there was nothing. A sentence about a root other than the first names it.
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
