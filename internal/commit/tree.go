package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// A Tree is a directory tree to which commits are made. It never changes, and is safe for concurrent use.
type Tree struct {
	disks     disk.Source
	opts      Options
	protected protection
	location  location
	vault     vault
	open      elsewhere
	close     func() error
}

// Open opens the tree below a directory.
func Open(dir string, o Options) (*Tree, error) {
	disks, close, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	t, err := newTree(disks, o, locate(dir))
	if err != nil {
		close()
		return nil, err
	}
	t.close = close
	return t, nil
}

func newTree(disks disk.Source, o Options, at location) (*Tree, error) {
	protected, err := protectionOf(o.Protected)
	if err != nil {
		return nil, err
	}
	return &Tree{disks, o, protected, at, vaultOf(o.StateDir, at), lookElsewhere, func() error { return nil }}, nil
}

// On returns a tree for a test. Name is its absolute name, "" if it has none; then open is not needed either, which opens other trees
// by their names.
func On(disks disk.Source, o Options, name string, open func(name string) (disk.Disk, func(), error)) (*Tree, error) {
	at := location{}
	if name != "" {
		at.names = []string{name}
	}
	t, err := newTree(disks, o, at)
	if err == nil {
		t.open = open
	}
	return t, err
}

// Absolute returns the absolute name, with slashes, of a file in the tree; name itself if that of the tree is not known.
func (t *Tree) Absolute(name string) string { return labeled(t.location.called(), name) }

// Close releases the directory. It waits for nothing.
func (t *Tree) Close() error { return t.close() }

// Recover rolls back the commit of a process that died, unless another commit is at work. Said tells a person what it did.
func (t *Tree) Recover() (said []string, err error) {
	said, err = t.recoverNow()
	switch {
	case errors.Is(err, disk.ErrLocked):
		return said, nil
	case err == errUnknownJournal, errors.As(err, new(*undecidedError)):
		return append(said, err.Error()), nil
	}
	return said, err
}

// recoverNow rolls back the commit of a process that died. If another commit is at work, it fails with disk.ErrLocked.
func (t *Tree) recoverNow() (said []string, err error) {
	if t.opts.ReadOnly {
		return nil, nil
	}
	d, release := t.pin()
	defer release()
	if _, err := d.Lstat(StateDir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return t.recovery(d).only(context.Background(), false)
}

func (t *Tree) recovery(d disk.Disk) recovery { return recovery{disk: d, open: t.open} }

// pin returns a disk for a commit.
func (t *Tree) pin() (disk.Disk, func()) {
	d, release := t.disks.Pin()
	return identified{d, t.vault.number, false}, release
}

// look returns a disk for reading.
func (t *Tree) look() (disk.Disk, func()) {
	d, release := t.disks.Look()
	return identified{d, t.vault.number, false}, release
}

// RecoverForeign rolls back a commit that died, even if nothing shows that this user made it here.
func (t *Tree) RecoverForeign(ctx context.Context) (said []string, err error) {
	if t.opts.ReadOnly {
		return nil, disk.At("recover", StateDir, protectedError("the directory was opened for reading only, so nothing can be changed in it"))
	}
	d, release := t.disks.Pin()
	defer release()
	var known int64 // of the journal, also after that has been removed
	number := func() int64 {
		data, _ := d.ReadFile(JournalName, maxJournal)
		if n, _ := strconv.ParseInt(bornOf(string(data)), 10, 64); n != 0 {
			known = n
		}
		return known
	}
	return recovery{identified{d, number, true}, t.open, true}.only(ctx, true)
}

// Discard removes what a dead commit has left, except kept backups, and leaves the files as they are.
func (t *Tree) Discard(ctx context.Context) error {
	if t.opts.ReadOnly {
		return disk.At("recover", StateDir, protectedError("the directory was opened for reading only, so nothing can be changed in it"))
	}
	d, release := t.disks.Pin()
	defer release()
	unguard, err := guardState(ctx, d, true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unguard()
	names, err := ourState(d)
	if err != nil {
		return err
	}
	if err = dropJournal(d); err != nil {
		return err
	}
	for _, name := range names {
		if isRecord(name) {
			d.Remove(StateDir + "/" + name)
		}
	}
	return sweep(d, nil, true)
}

// Read returns a file. If the file does not exist, Read returns the error with a File that has only the resolved name. It fails
// with errs.ErrUnfinished if a dead commit may have left the file half done.
func (t *Tree) Read(name string) (*File, error) {
	d, release := t.look()
	defer release()
	real, _, now, err := t.inspect(d, name)
	if err == nil && !now.Mode.IsRegular() {
		err = &errs.KindError{Mode: now.Mode}
	}
	var data []byte
	if err == nil {
		data, err = d.ReadFile(real, t.opts.MaxSize)
	}
	if real != "" {
		if unfinished := checkFinished(d, real, t.open); unfinished != nil {
			return nil, disk.At("open", name, unfinished)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && real != "":
		return &File{Path: real}, disk.At("open", name, err)
	case errors.Is(err, errs.ErrTooLarge):
		err = fmt.Errorf("%w: more than %d bytes, so it cannot be read or edited here", errs.ErrTooLarge, t.opts.MaxSize)
	}
	if err != nil {
		return nil, disk.At("open", name, err)
	}
	now.Links -= backupsOf(d, now.Stat)
	return &File{Path: real, Data: data, Mode: now.Mode & disk.Settable, Notes: notesOn(now, t.opts)}, nil
}

// MayChange returns the reason why a commit may not do deed to a file, nil if it may. Unless it is protected, a file that does not exist
// may be changed.
func (t *Tree) MayChange(name string, deed Deed) error {
	d, release := t.disks.Look()
	defer release()
	real, links, now, err := t.inspect(d, name)
	absent := real != "" && errors.Is(err, fs.ErrNotExist)
	if err == nil || absent {
		if protected := t.checkProtected(d, append(links, real)...); protected != nil {
			return disk.At("check", name, protected)
		}
	}
	switch {
	case absent:
		return nil
	case err == nil && !now.Mode.IsRegular():
		err = &errs.KindError{Mode: now.Mode}
	case err == nil:
		now.Links -= backupsOf(d, now.Stat)
		err = mayChange(now, t.opts, deed)
	}
	return disk.At("check", name, err)
}

// inspect returns the resolved name of a file, "" if it has none, the links that lead there, and the traits of the file.
func (t *Tree) inspect(d disk.Disk, name string) (real string, links []string, now disk.Traits, err error) {
	if real, links, err = t.location.follow(d, name); err == nil {
		now, err = d.Inspect(real)
	}
	return real, links, now, err
}

// Respells reports whether two names that differ only in case name the same file, which its directory lists under the first.
func (t *Tree) Respells(from, to string) bool {
	d, release := t.disks.Look()
	defer release()
	from, err := t.location.resolve(d, from)
	if err != nil {
		return false
	}
	to, err = t.location.resolve(d, to)
	return err == nil && respells(d, from, to)
}

// Commit makes all changes or none. If it rolled back a dead commit first, said tells a person so.
func (t *Tree) Commit(ctx context.Context, changes []Change) (said []string, err error) {
	j, release, err := t.job(changes)
	defer release()
	if err != nil || len(j.changes) == 0 {
		return nil, err
	}
	return j.run(ctx, false)
}

// job returns the job that makes changes. It has a disk until release is called, also after an error.
func (t *Tree) job(changes []Change) (j job, release func(), err error) {
	if t.opts.ReadOnly && len(changes) > 0 {
		err = protectedError("the directory was opened for reading only, so nothing can be changed in it")
		return j, func() {}, disk.At("check", changes[0].Path, err)
	}
	d, release := t.pin()
	named, err := t.location.resolveAll(d, changes)
	if err == nil {
		err = t.mayChangeAll(d, changes, named)
	}
	return job{disk: d, changes: named, opts: t.opts, vault: t.vault, root: t.location.name(), open: t.open, perm: 0o666}, release, err
}

// mayChangeAll refuses changes of protected files. Named are the changes with resolved names.
func (t *Tree) mayChangeAll(d disk.Disk, changes, named []Change) error {
	var problems []error
	for i, c := range named {
		if c.Before == nil && c.After == nil {
			continue
		}
		names := []string{c.Path}
		if changes[i].Path != c.Path {
			_, links, err := t.location.follow(d, changes[i].Path)
			problems = append(problems, disk.At("check", c.Path, err))
			names = append(links, c.Path)
		}
		problems = append(problems, disk.At("check", c.Path, t.checkProtected(d, names...)))
	}
	return joined(problems)
}

// checkProtected refuses to change a file if one of some names is protected: those of the links that lead to it, and its own.
func (t *Tree) checkProtected(d disk.Disk, names ...string) error {
	for _, name := range names {
		if err := t.protected.check(d, t.location, name); err != nil {
			return err
		}
	}
	return nil
}
