package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// A Dir is a [Store] on a directory; see [OpenDir].
type Dir struct {
	disk   disk
	opts   DirOptions
	names  []string // absolute names of the directory
	home   string
	finder *finder
	close  func() error

	mu        sync.Mutex
	recovered []string
}

// DirOptions are the choices a caller has in [OpenDir]. A nil *DirOptions is the zero value.
type DirOptions struct {
	MaxSize          int64      // largest file read, in bytes, checked before reading; 0 means 64 MiB
	Durability       Durability // DurableFull by default
	ReadOnly         bool       // Commit refuses with fs.ErrPermission, and nothing is recovered
	InPlace          bool       // write in place where a rename cannot work (bind-mounted file); default: refuse
	AllowOwnerChange bool       // go on, with a note, where the owner cannot be kept; default: refuse
	RefuseHardLinks  bool       // default: break them, with a note
}

// Durability is what a commit waits for. Whatever it is, a commit survives a kill of the process.
type Durability int

const (
	DurableFull Durability = iota // data and names are on disk: what was committed survives a power cut, whole
	DurableFile                   // data is on disk: after a power cut each file is old or new, but perhaps not all the same
	DurableNone                   // nothing: a power cut may lose or tear what was written
)

// defaultMaxSize is the largest file read, where [DirOptions] does not say.
const defaultMaxSize = 64 << 20

// OpenDir returns a Store on a directory. It keeps a handle of it until it is closed, and reaches nothing outside: paths
// are relative to it, or absolute (or "~/") and inside; symbolic links that lead outside are [ErrOutside], the others
// are followed, and stay links. A path into its state directory, ".atomicedit", by whatever name a file system may have for it
// (ATOMIC~1), or with a part that begins with ".atomicedit-", is ErrOutside too.
//
// OpenDir first takes back what a commit that died has left half done, unless another is at work or o says ReadOnly;
// [Dir.Recovered] tells. Later commits do the same, but only in the directory that the dead one was made in: those of a
// directory above or below meet its files half done, and what they change is later left as it is. A state directory that was
// not left there by this user and package is refused, and not touched: nor is one in a copy of a directory, on Linux where the
// file system tells when a directory was made, and on Windows.
//
// A commit holds a lock on the directory and on those of its files, which other commits of this package respect, in this
// process and in others. It waits for it until its context ends. The context counts up to the first visible change; after
// that the commit is finished. Every file is replaced by a rename:
//
//   - Mode, owner and, on Linux, extended attributes and access lists are kept. Where the owner cannot be, the change is
//     [fs.ErrPermission] unless AllowOwnerChange, which may make the mode narrower, never wider.
//   - A file that we may not write is fs.ErrPermission, though its directory would let us replace it; so is an immutable or
//     append-only file, whatever is to be done to it.
//   - Other hard links to a file keep the old content, and the report says so; with RefuseHardLinks it is fs.ErrPermission.
//   - A new file has mode 0666 before umask. Where its directory hands its group or access list down, it inherits them.
//   - A mount point (a file bound into a container), and a file whose directory we may not write, or which another owns in a
//     sticky directory, are fs.ErrPermission; with InPlace they are written in place and keep owner and links; a reader can
//     see them half done, a crash is recovered from. They can be neither moved nor deleted.
//   - Another file system below the directory is as good as the same, and so is one without hard links, or with no room for
//     one more: what cannot be linked or renamed there is copied, up to 4 GiB a file.
//   - What a removed file had besides content and permissions (owner, attributes, setuid, links) is not in a [Change]: an
//     undo makes a new file. Nor does it give setuid and setgid again that a change of the mode took.
//   - A move takes along what the file has besides content, also onto a file that is there. It may change the case of a name
//     alone, also where names that differ in case mean one file.
//   - Directories are made as needed, and left when they become empty, or when a commit of one file dies that made them; so
//     neither a directory can take the place of a file in the same commit nor a file that of a directory: [fs.ErrInvalid].
//
// PLATFORMS.md says what differs between systems: only Linux keeps extended attributes and access lists, and knows mount
// points, immutable files and what directories hand down before it tries; Windows keeps the read-only mark alone, waits about
// two seconds for other programs to close a file, and puts names on disk in its own time.
//
// A commit of several files keeps backups and a journal in the state directory while it runs. Where that cannot be made, or
// not closed to others, it is [errors.ErrUnsupported]; a commit of one file then still works.
func OpenDir(dir string, o *DirOptions) (*Dir, error) {
	if o == nil {
		o = &DirOptions{}
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() { // a pipe would make us wait for its other end
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	if full, err := filepath.Abs(dir); err == nil && runtime.GOOS == "windows" {
		dir = full // by which its names are looked up, whatever the working directory becomes
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	d := newDir(rootDisk{root: root}, *o)
	d.close = root.Close
	d.names = namesOf(dir)
	d.home, _ = os.UserHomeDir()
	if err := d.recover(); err != nil {
		root.Close()
		return nil, err
	}
	return d, nil
}

// namesOf returns the absolute names of a directory, as it was given and without links.
func namesOf(dir string) (names []string) {
	is, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	add := func(name string, err error) {
		if err == nil {
			name, err = filepath.Abs(name)
		}
		named, statErr := os.Stat(name)
		// "link/.." is not where its letters say.
		if err == nil && statErr == nil && os.SameFile(is, named) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(dir, nil)
	add(filepath.EvalSymlinks(dir))
	if full, err := filepath.Abs(dir); err == nil { // the working directory may have been reached by a link
		add(filepath.EvalSymlinks(full))
	}
	return names
}

func newDir(disk disk, o DirOptions) *Dir {
	if o.MaxSize == 0 {
		o.MaxSize = defaultMaxSize
	}
	return &Dir{disk: disk, opts: o, finder: new(finder), close: func() error { return nil }}
}

// recover takes back what a dead commit has left, if nobody is at work.
func (d *Dir) recover() error {
	if d.opts.ReadOnly {
		return nil
	}
	work, release := d.with(pinned)
	defer release()
	if _, err := work.disk.Lstat(stateDir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, said, err := lockAndRecover(context.Background(), work.disk, func() []string { return []string{"."} }, false, false)
	d.say(said)
	if errors.Is(err, errLocked) {
		return nil
	}
	if err == nil {
		unlock()
	}
	return err
}

// Recovered says, in sentences for a person, what OpenDir, and later commits before their own work, took back of commits
// that died; nil if there was nothing.
func (d *Dir) Recovered() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.recovered)
}

func (d *Dir) say(recovered []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recovered = append(d.recovered, recovered...)
}

// with returns what d is for one call, on the disk that pin makes of its own, and what ends it.
func (d *Dir) with(pin func(disk) (disk, func())) (*Dir, func()) {
	disk, release := pin(d.disk)
	return &Dir{disk: disk, opts: d.opts, names: d.names, home: d.home, finder: d.finder}, release
}

// Close releases the directory. It waits for nothing; a Dir must not be used after it.
func (d *Dir) Close() error { return d.close() }

// Read implements [Store]. A file longer than MaxSize is [ErrTooLarge], what is no regular file [fs.ErrInvalid].
func (d *Dir) Read(ctx context.Context, name string) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, release := d.with(loosely)
	defer release()
	real, err := d.resolve(name)
	if err != nil {
		return nil, at("open", name, err)
	}
	now, err := d.disk.Inspect(real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &File{Path: real, foundBy: d.finder}, at("open", name, err)
	case err != nil:
		return nil, at("open", name, err)
	case !now.mode.IsRegular():
		return nil, at("open", name, errNotRegular(now.mode))
	}
	data, err := d.disk.ReadFile(real, d.opts.MaxSize)
	if errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("%w: more than %d bytes, so it can be neither read nor edited here", ErrTooLarge, d.opts.MaxSize)
	}
	if err != nil {
		return nil, at("open", name, err)
	}
	if now.links > 1 {
		names, _ := d.disk.ReadDir(stateDir)
		for _, name := range names {
			if backup, err := d.disk.Lstat(stateDir + "/" + name); err == nil && backup.id == now.id && backup.id != (fileID{}) {
				now.links-- // the backup of a commit at work, which is no name that a person knows
			}
		}
	}
	f := &File{Path: real, Data: data, Mode: now.mode & settable, foundBy: d.finder}
	for i := range f.protected {
		f.protected[i] = protected(now, d.opts, deed(i))
	}
	if now.inPlace() {
		if d.opts.InPlace {
			f.Notes = append(f.Notes, "the file cannot be replaced, and is written in place: a reader can see it half done")
		}
		return f, nil
	}
	if now.links > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("the file has %d names (hard links); the others keep the content before", now.links))
	}
	if !now.keepable && d.opts.AllowOwnerChange {
		f.Notes = append(f.Notes, "the file belongs to another user or group, which a change may not keep")
	}
	return f, nil
}

// Commit implements [Store]. Errors name the file and the step, as [*fs.PathError].
func (d *Dir) Commit(ctx context.Context, changes []Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d.opts.ReadOnly && len(changes) > 0 {
		return &fs.PathError{Op: "check", Path: changes[0].Path, Err: protectedError("the directory was opened for reading only, so nothing can be changed in it")}
	}
	work, release := d.with(pinned)
	defer release()
	named, err := work.resolveAll(changes)
	if err != nil || len(named) == 0 {
		return err
	}
	c := &commit{disk: work.disk, changes: named, opts: d.opts, perm: 0o666}
	said, err := c.run(ctx)
	d.say(said)
	return err
}

// respells reports whether two names that differ in case alone are those of one file, which is in the list by the first.
func (d *Dir) respells(from, to string) bool {
	d, release := d.with(loosely)
	defer release()
	from, err := d.resolve(from)
	if err != nil {
		return false
	}
	to, err = d.resolve(to)
	return err == nil && respells(d.disk, from, to)
}

// resolveAll returns the changes with the store's own names for their paths.
func (d *Dir) resolveAll(changes []Change) ([]Change, error) {
	named := slices.Clone(changes)
	var errs []error
	for i, c := range named {
		real, err := d.resolve(c.Path)
		if err != nil {
			errs = append(errs, at("commit", c.Path, err))
			continue
		}
		if found := cmp.Or(c.Before, c.After); found != nil && found.foundBy == d.finder && found.Path == c.Path && real != c.Path {
			errs = append(errs, at("check", c.Path, fmt.Errorf("a directory has become a link since: %w", ErrStale)))
			continue
		}
		named[i].Path = real
		if c.From != "" {
			if named[i].From, err = d.resolve(c.From); err != nil {
				named[i].From = ""
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return named, checkPaths(named)
}

// resolve returns the one name of the file that name leads to, which need not be there: below the directory, without
// symbolic links, because a rename does not follow them. Somebody may put a link there later: the disk does not follow
// that out of the directory.
func (d *Dir) resolve(name string) (string, error) {
	clean, err := d.inside(name)
	if err != nil {
		return "", err
	}
	done, todo := ".", strings.Split(clean, "/")
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch {
		case part == "" || part == ".":
			continue
		case part == ".." && done == ".":
			return "", ErrOutside
		case part == "..":
			done = path.Dir(done)
			continue
		case isState(part):
			return "", errState
		}
		next := path.Join(done, part)
		now, err := d.disk.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			rest := path.Join(append([]string{next}, todo...)...)
			if slices.ContainsFunc(todo, isState) {
				return "", errState
			}
			if !isTarget(rest) {
				return "", ErrOutside
			}
			if len(rest) > maxPath {
				return "", errLongPath
			}
			for _, part := range todo {
				if _, err := d.disk.Lstat(path.Join(done, part)); nameTooLong(err) {
					return "", errLongName(part)
				}
			}
			return rest, nil
		case nameTooLong(err):
			return "", errLongName(part)
		case err != nil:
			return "", err
		case now.mode&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return "", errTooManyLinks
			}
			link, err := d.disk.Readlink(next)
			if err != nil {
				return "", err
			}
			if filepath.IsAbs(link) || strings.HasPrefix(filepath.ToSlash(link), "/") { // on Windows of whichever volume
				if link, err = d.below(link); err != nil {
					return "", err
				}
				done = "."
			}
			todo = append(strings.Split(filepath.ToSlash(link), "/"), todo...)
		case !now.mode.IsDir() && len(todo) > 0:
			return "", fmt.Errorf("%s is not a directory, so nothing can be below it: %w", showPath(next), fs.ErrInvalid)
		default:
			done = next
		}
	}
	if len(done) > maxPath {
		return "", errLongPath
	}
	return done, nil
}

var errState = fmt.Errorf("%w: it holds the state of commits; use another path", ErrOutside)

// errForeignName is the refusal of a name that other systems have.
var errForeignName = fmt.Errorf("a name that Windows does not have; choose another: %w", fs.ErrInvalid)

func errLongName(part string) error {
	return fmt.Errorf("a name of %d bytes is too long for the file system; choose a shorter one: %w", len(part), fs.ErrInvalid)
}

// inside returns name, which may be absolute, as a clean path below the directory.
func (d *Dir) inside(name string) (string, error) {
	if runtime.GOOS == "windows" {
		name = filepath.ToSlash(name)
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok && d.home != "" {
		name = path.Join(filepath.ToSlash(d.home), rest)
	}
	if filepath.IsAbs(name) && !strings.HasSuffix(name, "/") && !strings.ContainsRune(name, 0) {
		var err error
		if name, err = d.below(filepath.Clean(name)); err != nil {
			return "", err
		}
	}
	clean, err := cleanPath(name)
	if err == nil && !isLocal(clean) {
		err = errForeignName
	}
	return clean, err
}

// below makes an absolute name one relative to the directory. What follows the name of the directory stays as it is: the parent
// of a linked directory is not what its letters say.
func (d *Dir) below(name string) (string, error) {
	for _, dir := range d.names {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(name), strings.TrimSuffix(filepath.ToSlash(dir), "/")+"/"); ok {
			return strings.TrimLeft(rest, "/"), nil
		}
	}
	if slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "..") {
		return "", ErrOutside
	}
	for _, dir := range d.names {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", ErrOutside
}
