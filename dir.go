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

// A Dir is a [Store] on one directory or several, its roots, made by [OpenDir] and [Dir.Add]. It is safe for concurrent
// use. Every method of the zero Dir, or of a nil one, that can fail does so at once, with an error that says how to
// make one. After Close, methods fail with [fs.ErrClosed].
type Dir struct {
	opts   commit.Options
	adding sync.Mutex // held while a root is added, and by Close

	mu        sync.Mutex
	made      bool
	closed    bool
	forest    commit.Forest
	recovered []string
}

// DirOptions configure [OpenDir]. A nil *DirOptions is the zero value. A negative MaxSize and an unknown Durability are
// [fs.ErrInvalid].
type DirOptions struct {
	MaxSize    int64      // largest file read, in bytes, checked before reading; 0 means 64 MiB
	Durability Durability // DurableFull by default
	// Commit, Recover, RecoverForeign and Discard refuse with fs.ErrPermission, and nothing is recovered
	ReadOnly         bool
	InPlace          bool // write in place where a rename cannot work (bind-mounted file); default: refuse
	AllowOwnerChange bool // go on, with a note, where the owner cannot be kept; default: refuse
	RefuseHardLinks  bool // default: break them, with a note

	// Protected names files and directories that no commit may change, with everything below them. They can be read.
	// Nil means ".git", and an empty list protects nothing. A name is a pattern as in [path.Match], such as ".env*" or
	// "*.pem". Names with slashes between them, such as ".github/workflows", must follow one another in a path. They
	// match anywhere below the directory, so a name of "**" is [fs.ErrInvalid], as is a malformed one.
	//
	// Matching ignores case, and covers the other names that a file system may have for a file: a short name (GIT~1),
	// one with dots or spaces at its end or with invisible characters, and one that leads there by symbolic links. If a
	// protected name is itself a link, nothing can be changed through it, even if it leads to another root. The file or
	// directory that it leads to is protected under its own name too, provided that the name is not a pattern, that the
	// link is spelled exactly so, and that it is in a directory above, in the same root. With ".git", every directory
	// that git would take for a repository (it has HEAD, objects and refs) is protected, whatever its name. The
	// directory that was opened is not.
	Protected []string

	// StateDir is where commits keep a random number for each directory whose file system does not tell when a
	// directory was made. It must be outside the directory. By default it is "atomicedit" below [os.UserConfigDir].
	StateDir string
}

// defaultMaxSize is the largest file read, where [DirOptions] does not say.
const defaultMaxSize = 64 << 20

// OpenDir returns a Store on a directory. The Dir keeps a handle of the directory until it is closed.
//
// # Paths
//
// A path is relative to the directory, or absolute (or "~/") and inside it. The Dir reaches nothing outside. A symbolic
// link that leads outside is [ErrOutside]; others are followed, and stay links. [ErrOutside] is also the answer to a
// path into the state directory, ".atomicedit", by any name that a file system may have for it (ATOMIC~1), and to one
// with a part that begins with ".atomicedit-". Changing a file that [DirOptions].Protected protects is
// [fs.ErrPermission].
//
// # Recovery
//
// OpenDir first rolls back a commit whose process died halfway, unless another commit is running or o says ReadOnly.
// Later commits do the same before their own work, and so does [Dir.Recover]. [Dir.Recovered] says what was rolled
// back. Until then, Read refuses each file that the dead commit was going to change with [ErrUnfinished], even with
// ReadOnly. Other files can be read as usual. Only a Dir of the same directory rolls back. Commits to a directory above
// or below see the files as the dead commit left them. A file that they change stays as they leave it when the dead
// commit is rolled back.
//
// A state directory that this user and package did not leave there is refused, and not touched: OpenDir fails with
// fs.ErrPermission. If one appears later, commits of several files and writes in place fail in the same way, and other
// commits of one file still work. The state directory in a copy of a directory is refused as well. A state directory is
// told from its copy by the time at which it was made (Linux, on most file systems), by its number in the file system
// (Windows), or by a random number in StateDir, which the first commit that needs it writes there.
//
// If that number is missing for a journal, OpenDir keeps the journal, does not replay it, and reports it by
// [Dir.Recovered]. Until [Dir.RecoverForeign] or [Dir.Discard] is called, commits are fs.ErrPermission, and Read of a
// file that the journal names is ErrUnfinished. If there is nothing to tell a copy by, and no StateDir either, commits
// of several files are [errors.ErrUnsupported].
//
// # Locks and contexts
//
// A commit locks the directories of its files against other commits of this package, in this process and in others.
// Commits of one Dir, or of several on the same directory, also wait for one another while they use the state
// directory. Whoever waits gets the lock in turn, or gives up when its context ends. If the context ends before the
// first visible change, the commit is rolled back. After that change it finishes.
//
// # What is kept
//
// Every file is replaced by a rename.
//
//   - Mode and owner are kept, and on Linux extended attributes and access lists. An error while they are read or
//     written fails the commit. If the owner cannot be kept, or an attribute of the system, the change is
//     [fs.ErrPermission]. AllowOwnerChange allows it; the mode may then become narrower, never wider.
//   - If somebody changes owner, mode or attributes during a commit, the new file gets these changes as well. If the
//     changes do not stop, the commit is [ErrStale]. A system call that has found the old file by its name, but changes
//     it only after the commit has looked for the last time, is lost.
//   - Modification times are not kept: a file that a commit writes has the time of the commit, even if it is copied to
//     another file system, and an undo sets a new time. A move that does not change the content keeps the time, and so
//     does a file that is put back because the commit fails or died, unless it had to be copied.
//   - A file that this process may not write is fs.ErrPermission, even if its directory allows another file in its
//     place. So is every change of an immutable or append-only file.
//   - Other hard links to a file keep the old content, and the report says so. With RefuseHardLinks the change is
//     fs.ErrPermission.
//   - A new file has mode 0666 before umask. If its directory hands down its group or an access list, the file inherits
//     them.
//   - A mount point, such as a file bound into a container, is fs.ErrPermission. So is a file whose directory this
//     process may not write, or that another user owns in a sticky directory. With InPlace such files are written in
//     place: they keep their owner and links, a reader can see them half-written, and a crash is recovered from. They
//     can be neither moved nor deleted.
//   - Another file system below the directory works like the same one. So does one without hard links, or one where a
//     file can have no more of them: if no link or rename is possible, files are copied, up to 4 GiB each.
//   - A [Change] holds the content and permissions of a removed file, but not its owner, attributes, setuid bit or
//     links. An undo makes a new file without them. Nor does an undo restore setuid and setgid bits that a change of
//     the mode took away.
//   - A move takes along everything that the file has besides its content, even onto an existing file. It may change
//     only the case of a name, even if names that differ in case mean one file.
//   - Directories are made as needed. They stay when they become empty, or when a commit of one file that made them
//     dies. So in one commit, a directory cannot take the place of a file, nor a file the place of a directory:
//     [fs.ErrInvalid].
//
// # Systems
//
// Only Linux keeps extended attributes and access lists, and knows beforehand about mount points, immutable files and
// what directories hand down. Windows keeps only the read-only mark, waits about two seconds for other programs to
// close a file, and puts names on disk in its own time. docs/PLATFORMS.md has the details. On js, wasip1, plan9, solaris,
// illumos and aix, which lack the locks or links that a commit needs, OpenDir is [errors.ErrUnsupported].
//
// A commit of several files keeps backups and a journal in the state directory while it runs. If that directory cannot
// be made, or not closed to other users, the commit is errors.ErrUnsupported; a commit of one file still works.
func OpenDir(dir string, o *DirOptions) (*Dir, error) {
	if o == nil {
		o = &DirOptions{}
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	d := &Dir{opts: o.forCommit(), made: true}
	if err := d.Add(dir); err != nil {
		return nil, err
	}
	return d, nil
}

// Add opens another directory as the last root of d: for example, once the user has allowed it. What [OpenDir] says of
// a directory holds for each root, and the options apply to all. Commits that have begun continue without the new root.
// If Add fails, nothing changes.
//
// # Paths
//
// A path is relative to the first root, or absolute (or "~/") and inside one of the roots. Each file has one name,
// however a request spells its path: in the first root, the relative path; in any other root, an absolute path, with
// slashes, that begins with the name under which the root was opened. [File].Path, reports and diffs use this name. A
// diff leaves out the first slash of an absolute path, as git does. A refusal uses the path of the request.
//
// A root may be inside another root. A file that is in both belongs to the one that was opened first, so Add renames no
// file. A directory that is a root already, for example by way of a symbolic link, gets one more name. A Dir does not
// know where a file system ignores case: there, a file in nested roots can have a name in each of them. A commit that
// would change one directory under both names is [fs.ErrInvalid].
//
// A symbolic link in a root may lead to another root. A Dir looks at nothing outside its roots, so an absolute path
// through a link outside is [ErrOutside], even if the link leads to a root. If a path names no file, but the same path
// does in another root, the refusal of [Prepare] or a [Host] gives the full name of that file.
//
// # Commits
//
// A commit that changes files in several roots makes all changes or none, even if the process is killed, and with
// [DurableFull] even if the power fails. One of the roots holds a record of the decision in its state directory. When a
// root is next opened or changed, alone or with others, it rolls back or completes its own part according to that
// record. Nothing is written to a root that nobody opens. If the root with the record is gone, [Dir.Recovered] says so,
// and the files of the commit are [ErrUnfinished] until that root is back, or until [Dir.RecoverForeign] or
// [Dir.Discard] is called.
//
// A commit also tries to recover the roots that it does not change, if no other commit is at work there.
//
// A move from one root to another copies the file, even within one file system. The copy keeps the mode, owner,
// attributes and access lists that the file has when the commit checks it, under the same rules as a replaced file. It
// does not keep the modification time.
//
// # Roots that change
//
// A root that has been deleted has no files, and no file can be created in it until a directory that has been made in
// its place is added. A root that has been moved is still the same directory, under its old name. Neither affects the
// other roots. [DirOptions].StateDir must be outside all roots.
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
	larger, said, err := forest.Add(dir, d.opts)
	d.say(said)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.forest = larger
	return nil
}

// check refuses options that mean nothing.
func (o DirOptions) check() error {
	switch {
	case o.MaxSize < 0:
		return fmt.Errorf("atomicedit: DirOptions.MaxSize is %d: %w", o.MaxSize, fs.ErrInvalid)
	case o.Durability < DurableFull || o.Durability > DurableNone:
		return fmt.Errorf("atomicedit: DirOptions.Durability is unknown: %d: %w", o.Durability, fs.ErrInvalid)
	}
	return nil
}

func (o DirOptions) forCommit() commit.Options {
	if o.MaxSize == 0 {
		o.MaxSize = defaultMaxSize
	}
	if o.Protected == nil {
		o.Protected = []string{".git"}
	}
	return commit.Options{
		MaxSize:          o.MaxSize,
		Durability:       commit.Durability(o.Durability),
		ReadOnly:         o.ReadOnly,
		InPlace:          o.InPlace,
		AllowOwnerChange: o.AllowOwnerChange,
		RefuseHardLinks:  o.RefuseHardLinks,
		StateDir:         o.StateDir,
		Protected:        o.Protected,
	}
}

// isZero reports whether d was not made by OpenDir.
func (d *Dir) isZero() bool { return d == nil || !d.made }

var (
	errZeroDir   = errors.New("atomicedit: a zero Dir has no directory: make one with OpenDir")
	errClosedDir = fmt.Errorf("atomicedit: the Dir is closed: %w", fs.ErrClosed)
)

// now returns the roots as they are now.
func (d *Dir) now(ctx context.Context) (commit.Forest, error) {
	if d.isZero() {
		return commit.Forest{}, errZeroDir
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return commit.Forest{}, errClosedDir
	}
	return d.forest, ctx.Err()
}

// roots returns the absolute names of the roots, nil if that of the first is not known.
func (d *Dir) roots() []string {
	forest, err := d.now(context.Background())
	if err != nil {
		return nil
	}
	if all := forest.Names(); all[0] != "" {
		return all
	}
	return nil
}

// Recover implements [Recoverer]: it rolls back what dead commits have left in the roots, as OpenDir does. It waits for
// running commits until the context ends. With ReadOnly, or for a journal that only [Dir.RecoverForeign] replays, it is
// [fs.ErrPermission].
func (d *Dir) Recover(ctx context.Context) error {
	forest, err := d.now(ctx)
	if err != nil {
		return err
	}
	said, err := forest.TakeBack(ctx)
	d.say(said)
	return err
}

// RecoverForeign rolls back a commit that died halfway even if StateDir has no number for its journal: for example,
// because the commit was made in a container that is gone. It waits as [Dir.Recover] does. Call it only if no part of
// the directory came from somebody else: the journal can put anything anywhere below it. Where the file system tells
// when a directory was made, the journal in a copy is still refused. If the record of a commit over several roots
// cannot be read, RecoverForeign rolls back the parts that it finds. [Dir.Recovered] says what was done. With ReadOnly
// it is [fs.ErrPermission].
func (d *Dir) RecoverForeign(ctx context.Context) error {
	forest, err := d.now(ctx)
	if err != nil {
		return err
	}
	said, err := forest.RecoverForeign(ctx)
	d.say(said)
	return err
}

// Discard removes what a commit that died halfway has left in the state directories, except backups that were kept. The
// files stay as they are. It waits as [Dir.Recover] does. A state directory that cannot be one of this package is
// refused with [fs.ErrPermission], and not touched. With ReadOnly, Discard is fs.ErrPermission too.
func (d *Dir) Discard(ctx context.Context) error {
	forest, err := d.now(ctx)
	if err != nil {
		return err
	}
	return forest.Discard(ctx)
}

// Recovered says, in sentences for a person, what OpenDir, Add and later commits rolled back or completed of commits
// that died. It is nil if there was nothing. A sentence about any root but the first names the root.
func (d *Dir) Recovered() []string {
	if d.isZero() {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.recovered)
}

func (d *Dir) say(recovered []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recovered = append(d.recovered, recovered...)
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

// Read implements [Store]. A file longer than MaxSize is [ErrTooLarge], anything but a regular file is [fs.ErrInvalid].
// A file of a commit that died is [ErrUnfinished] until [Dir.Recover], for example, rolls that commit back; Read itself
// never writes.
func (d *Dir) Read(ctx context.Context, path string) (*File, error) {
	forest, err := d.now(ctx)
	if err != nil {
		return nil, err
	}
	f, err := forest.Read(path)
	return (*File)(f), err
}

// Commit implements [Store]. Errors name the file and the step, as [*fs.PathError].
func (d *Dir) Commit(ctx context.Context, changes []Change) error {
	forest, err := d.now(ctx)
	if err != nil {
		return err
	}
	said, err := forest.Commit(ctx, forCommit(changes))
	d.say(said)
	return err
}

// MayChange implements [Guard]. A Dir opened with ReadOnly answers as any other, so that plans for it can be prepared
// and shown.
func (d *Dir) MayChange(ctx context.Context, path string, deed Deed) error {
	forest, err := d.now(ctx)
	if err != nil {
		return err
	}
	if err := deed.check(path); err != nil {
		return err
	}
	return forest.MayChange(path, commit.Deed(deed))
}

// Respells implements [Respeller].
func (d *Dir) Respells(ctx context.Context, from, to string) bool {
	forest, err := d.now(ctx)
	return err == nil && forest.Respells(from, to)
}

var (
	_ Store     = (*Dir)(nil)
	_ Guard     = (*Dir)(nil)
	_ Respeller = (*Dir)(nil)
	_ Recoverer = (*Dir)(nil)
)
