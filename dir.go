package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/atomicedit/atomicedit/internal/commit"
)

// A Dir is a [Store] on one directory or several, its roots, made by [OpenDir] and [Dir.Add]. It is safe for concurrent
// use. Methods of a zero or nil Dir fail with an error that says how to make one, and after Close with [fs.ErrClosed].
type Dir struct {
	opts   commit.Options
	adding sync.Mutex // held while a root is added, and by Close
	turns             // of the commits of Hosts

	mu        sync.Mutex
	made      bool
	closed    bool
	forest    commit.Forest
	recovered []string
}

// DirOptions configure [OpenDir]. Nil is the zero value. A negative MaxSize or unknown Durability is [fs.ErrInvalid].
type DirOptions struct {
	MaxSize    int64      // largest file read, in bytes, checked before reading; 0 means 64 MiB
	Durability Durability // DurableFull by default
	// Commit, Recover, RecoverForeign and Discard refuse with fs.ErrPermission, and nothing is recovered
	ReadOnly         bool
	InPlace          bool // write in place where no rename can (a mounted file, a protected directory); default: refuse
	AllowOwnerChange bool // go on, with a note, where the owner cannot be kept; default: refuse
	RefuseHardLinks  bool // default: break them, with a note

	// Protected names files and directories that no commit may change, with everything below them. They can be read.
	// ".git" is one of them anyway, unless AllowGit is set. A name is a pattern as in [path.Match], such as ".env*" or
	// ".github/workflows", and matches anywhere below the directory, in any case, and by other names of a file. "**"
	// and a malformed pattern are [fs.ErrInvalid]. docs/stores.md says what else is protected.
	Protected []string
	AllowGit  bool // .git may be changed; then a commit can run programs, by way of hooks

	// StateDir is where commits keep a random number for each directory whose file system does not tell when a
	// directory was made. It must be outside the directory. By default it is "atomicedit" below [os.UserConfigDir].
	StateDir string
}

// OpenDir returns a Store on a directory. The Dir keeps a handle of it until it is closed. A path is relative to the
// directory, or absolute (or "~/") and inside it. The Dir reaches nothing outside: a symbolic link that leads there is
// [ErrOutside], and so is a path into the state directory, ".atomicedit". Other links are followed, and stay links;
// none can be deleted or moved.
//
// OpenDir first rolls back a commit whose process died halfway, unless another commit is running or o says ReadOnly.
// Later commits and [Dir.Recover] do the same, and [Dir.Recovered] says what was rolled back. Until then, the files of
// the dead commit are [ErrUnfinished]. If somebody else put a state directory there, OpenDir is [fs.ErrPermission]. A
// commit locks the directories of its files, and for one file this one, against other commits of this package. If its
// context ends before the first visible change, the commit is rolled back. After that change it finishes.
//
// Every file is replaced by a rename. It keeps its mode and owner, and on Linux extended attributes and access lists,
// but neither its modification time nor its hard links. A new file has mode 0666 before umask. A change of a file that
// is protected, immutable or a mount point, or that this process may not write, or whose owner cannot be kept, is
// fs.ErrPermission; some options allow more.
//
// On js, wasip1, plan9, solaris, illumos and aix, OpenDir is [errors.ErrUnsupported]. So is a commit of several files
// if no state directory can be made that is closed to others. docs/stores.md has more.
func OpenDir(dir string, o *DirOptions) (*Dir, error) {
	switch o = cmp.Or(o, &DirOptions{}); {
	case o.MaxSize < 0:
		return nil, fmt.Errorf("atomicedit: DirOptions.MaxSize is %d: %w", o.MaxSize, fs.ErrInvalid)
	case o.Durability < DurableFull || o.Durability > DurableNone:
		return nil, fmt.Errorf("atomicedit: DirOptions.Durability is unknown: %d: %w", o.Durability, fs.ErrInvalid)
	}
	d := &Dir{opts: o.forCommit(), made: true}
	d.opts.Say = d.say
	if err := d.Add(dir); err != nil {
		return nil, err
	}
	return d, nil
}

// Add opens another directory as the last root of d. Everything that [OpenDir] says about a directory holds for each
// root, and the options apply to all. Commits that have begun continue without the new root. If Add fails, nothing
// changes. The directory need not be there yet, if it can be made: the first commit that makes a file in it makes the
// directory too, and those above it, with mode 0777 before umask. They stay if that commit fails.
//
// A path is relative to the first root, or absolute (or "~/") and inside one of the roots. Each file has one name: in
// the first root, the relative path; in any other root, an absolute path, with slashes, that begins with the name under
// which the root was opened. A file in two nested roots belongs to the one that was opened first.
//
// A commit that changes files in several roots makes all changes or none, even if the process is killed. A move from
// one root to another copies the file. In the repository, docs/stores.md has the details.
func (d *Dir) Add(dir string) error {
	if d.isZero() {
		return errZeroDir
	}
	d.adding.Lock()
	defer d.adding.Unlock()
	forest, err := d.now(context.Background())
	if err != nil {
		return err
	}
	larger, err := forest.Add(dir, d.opts)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forest = larger
	return nil
}

func (o DirOptions) forCommit() commit.Options {
	if !o.AllowGit {
		o.Protected = append([]string{".git"}, o.Protected...)
	}
	return commit.Options{MaxSize: cmp.Or(o.MaxSize, 64<<20), Durability: commit.Durability(o.Durability),
		ReadOnly: o.ReadOnly, InPlace: o.InPlace, AllowOwnerChange: o.AllowOwnerChange,
		RefuseHardLinks: o.RefuseHardLinks, StateDir: o.StateDir, Protected: o.Protected}
}

// isZero reports whether d was not made by OpenDir.
func (d *Dir) isZero() bool { return d == nil || !d.made }

var errZeroDir = errors.New("atomicedit: a zero Dir has no directory: make one with OpenDir")

func (d *Dir) now(ctx context.Context) (commit.Forest, error) {
	if d.isZero() {
		return commit.Forest{}, errZeroDir
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return commit.Forest{}, fmt.Errorf("atomicedit: the Dir is closed: %w", fs.ErrClosed)
	}
	return d.forest, ctx.Err()
}

// roots returns the absolute names of the roots, nil if that of the first is not known.
func (d *Dir) roots() []string {
	if forest, err := d.now(context.Background()); err == nil && forest.Names()[0] != "" {
		return forest.Names()
	}
	return nil
}

// Recover implements [Recoverer]: it rolls back what dead commits have left, as OpenDir does. It waits for running ones
// until ctx ends. With ReadOnly, or for a journal that only [Dir.RecoverForeign] replays, it is [fs.ErrPermission].
func (d *Dir) Recover(ctx context.Context) error { return d.each(ctx, (*commit.Tree).TakeBack) }

func (d *Dir) each(ctx context.Context, do func(*commit.Tree, context.Context) error) error {
	forest, err := d.now(ctx)
	if err != nil {
		return err
	}
	return forest.Each(ctx, do)
}

// RecoverForeign rolls back a commit that died halfway even if StateDir has no number for its journal: for example,
// because the commit was made in a container that is gone. It waits as [Dir.Recover] does. Call it only if no part of
// the directory came from somebody else: the journal can put anything anywhere below it. A journal that is known to be
// a copy is still refused. If the record of a commit over several roots cannot be read, RecoverForeign rolls back the
// parts that it finds. [Dir.Recovered] says what was done. With ReadOnly it is [fs.ErrPermission].
func (d *Dir) RecoverForeign(ctx context.Context) error {
	return d.each(ctx, (*commit.Tree).RecoverForeign)
}

// Discard removes what a commit that died halfway has left in the state directories, except backups that were kept. The
// files stay as they are. It waits as [Dir.Recover] does. A state directory that cannot be one of this package is
// refused with [fs.ErrPermission], and not touched. With ReadOnly, Discard is fs.ErrPermission too.
func (d *Dir) Discard(ctx context.Context) error { return d.each(ctx, (*commit.Tree).Discard) }

// Recovered says, in sentences for a person, which dead commits OpenDir, Add and later commits have rolled back or
// completed, nil if none. A sentence about any root but the first names the root.
func (d *Dir) Recovered() []string {
	if d.isZero() {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.recovered)
}

func (d *Dir) say(recovered string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recovered = append(d.recovered, recovered)
}

// Close releases the roots. It does not wait for commits. A second Close does nothing.
func (d *Dir) Close() error {
	if d.isZero() {
		return errZeroDir
	}
	d.adding.Lock()
	defer d.adding.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	return d.forest.Close()
}

// Has reports whether a path of a request, resolved as Read does it, is inside a root. Whether there is such a file
// makes no difference. Where Has cannot tell, it is false.
func (d *Dir) Has(path string) bool {
	forest, err := d.now(context.Background())
	return err == nil && forest.Has(path)
}

// Read implements [Store]. A file longer than MaxSize is [ErrTooLarge], anything but a regular file is [fs.ErrInvalid].
// A file of a commit that died is [ErrUnfinished], because Read never writes: see [OpenDir].
func (d *Dir) Read(ctx context.Context, path string) (*File, error) {
	look, end, err := d.look(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	f, err := look.Read(path)
	return (*File)(f), err
}

// A lookOf is the key of the look at a Dir that a context has.
type lookOf struct{ d *Dir }

// look returns a look at d as it is now: the one that ctx has, or another one. End has to be called.
func (d *Dir) look(ctx context.Context) (l *commit.Look, end func(), err error) {
	forest, err := d.now(ctx)
	if err != nil {
		return nil, nil, err
	}
	if l, ok := ctx.Value(lookOf{d}).(*commit.Look); ok && l.Borrow(forest) {
		return l, l.GiveBack, nil
	}
	l = forest.Look()
	return l, l.End, nil
}

// looking returns a context in which the reads and checks of d share a look until that has ended. It may rest before.
func (d *Dir) looking(ctx context.Context) (with context.Context, rest, end func()) {
	forest, _ := d.now(ctx) // if there is an error, each of them returns it
	l := forest.Look()
	return context.WithValue(ctx, lookOf{d}, l), l.Rest, l.End
}

// List returns the names of the files, links and directories in a directory, sorted; those of directories end in a
// slash. "." is the first root.
func (d *Dir) List(ctx context.Context, dir string) ([]string, error) {
	forest, err := d.now(ctx)
	if err != nil {
		return nil, err
	}
	return forest.List(dir)
}

// Commit implements [Store]. Errors name the file and the step, as [*fs.PathError].
func (d *Dir) Commit(ctx context.Context, changes []Change) error {
	forest, err := d.now(ctx)
	if err != nil {
		return err
	}
	return forest.Commit(ctx, forCommit(changes))
}

// Check implements [Checker]. ReadOnly makes no difference, so that plans can be prepared and shown.
func (d *Dir) Check(ctx context.Context, changes []Change) error {
	look, end, err := d.look(ctx)
	if err != nil {
		return err
	}
	defer end()
	return look.MayChange(forCommit(changes))
}

// Respells reports whether two paths that differ in case alone name the same file, whose directory lists it as from.
func (d *Dir) Respells(ctx context.Context, from, to string) bool {
	forest, err := d.now(ctx)
	return err == nil && forest.Respells(from, to)
}
