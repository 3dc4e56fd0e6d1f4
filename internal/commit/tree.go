package commit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

const errReadOnly = protectedError("the directory was opened for reading only, so nothing can be changed in it")

// A Tree is a directory tree to which commits are made. It never changes, and is safe for concurrent use.
type Tree struct {
	disks     disk.Source
	opts      Options
	protected protection
	location  location
	vault     vault
	open      elsewhere
	label     string // the name of the tree in messages; "" for the first one of a forest
}

// A job is the request for one commit to a tree or, without changes, only for a recovery.
type job struct {
	*Tree
	disk      disk.Disk
	key       string        // of the lock of the tree's directory, in a commit over several
	changes   []Change      // with resolved names
	perm      fs.FileMode   // of new files
	overwrite bool          // replace whatever is there, without looking at Before
	only      bool          // no other job belongs to the commit
	lone      bool          // one file is made or replaced, so the commit can do without a state directory
	undo      bool          // roll back a commit that cannot be decided
	patience  time.Duration // how long to wait for the locks, within the limits of the context; 0 means no limit
}

// lockDirs returns the directories of the targets, which must not change under the commit. Some may not exist yet.
func (j job) lockDirs() []string {
	dirs := mapped(j.changes, func(c Change) string { return path.Dir(c.Path) })
	if j.lone {
		dirs = append(dirs, ".") // where it stages
	}
	return dirs
}

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

// Open opens the tree below a directory, which need not be there if coming is set: the first commit of a file makes it.
func Open(dir string, o Options, coming bool) (*Tree, error) {
	there, below := dir, ""
	disks, err := disk.OpenRoot(dir)
	if coming && errors.Is(err, fs.ErrNotExist) {
		disks, there, below, err = disk.OpenComing(dir)
	}
	if err != nil {
		return nil, err
	}
	at, err := locate(there, below)
	t, badName := newTree(disks, o, at, disk.Open)
	if err = cmp.Or(err, badName); err != nil {
		disks.Close()
		return nil, err
	}
	return t, nil
}

func newTree(disks disk.Source, o Options, at location, open elsewhere) (*Tree, error) {
	protected, err := protectionOf(o.Protected)
	t := &Tree{disks: disks, opts: o, protected: protected, location: at, vault: vaultOf(o.StateDir, at), open: open}
	return t, err
}

// On returns a tree for a test. Name is absolute. If it is "", open is not needed, which opens trees by their names.
func On(disks disk.Source, o Options, name string, open func(name string) (disk.Disk, func(), error)) (*Tree, error) {
	at := location{}
	if name != "" {
		at.names = []string{name}
	}
	return newTree(disks, o, at, open)
}

// Close releases the directory. It waits for nothing.
func (t *Tree) Close() error { return t.disks.Close() }

// say tells a person what became of a commit that died.
func (t *Tree) say(sentences ...string) {
	for _, s := range labeledAll(t.label, sentences) {
		if t.opts.Say != nil {
			t.opts.Say(s)
		}
	}
}

// Recover rolls back the commit of a process that died, unless another commit is at work.
func (t *Tree) Recover() error {
	err := t.recoverNow(context.Background(), false)
	switch {
	case errors.Is(err, disk.ErrLocked):
		return nil
	case err == errUnknownJournal, errors.As(err, new(*undecidedError)):
		t.say(err.Error())
		return nil
	}
	return err
}

// TakeBack is Recover, but waits for a commit at work until ctx ends, and fails where Recover only says why it cannot.
func (t *Tree) TakeBack(ctx context.Context) error { return t.recoverNow(ctx, true) }

// recoverNow rolls back a commit that died. Without wait, it fails with disk.ErrLocked if another one is at work.
func (t *Tree) recoverNow(ctx context.Context, wait bool) error {
	if t.opts.ReadOnly {
		return nil
	}
	d, release := t.pin()
	defer release()
	j := job{Tree: t, disk: d}
	if err := j.clearTop(ctx, wait); err != nil {
		return err
	}
	return j.recoverOnly(ctx, wait)
}

// pin returns a disk for a commit, and look one for reading.
func (t *Tree) pin() (disk.Disk, func())  { return t.identified(t.disks.Pin()) }
func (t *Tree) look() (disk.Disk, func()) { return t.identified(t.disks.Look()) }

func (t *Tree) identified(d disk.Disk, release func()) (disk.Disk, func()) {
	return identified{d, t.vault.number, false}, release
}

// RecoverForeign rolls back a commit that died, even if nothing shows that this user made it here.
func (t *Tree) RecoverForeign(ctx context.Context) error {
	d, release := t.disks.Pin()
	defer release()
	var known int64 // of the journal, also after that has been removed
	number := func() (int64, error) {
		data, err := d.ReadStart(JournalName, maxFirst)
		first, _ := firstLineOf(string(data))
		if n, _ := strconv.ParseInt(first.born, 10, 64); n != 0 {
			known = n
		}
		return known, disk.UnlessGone(err)
	}
	return job{Tree: t, disk: identified{d, number, true}, undo: true}.recoverOnly(ctx, true)
}

// Discard removes what a dead commit has left, except kept backups, and leaves the files as they are.
func (t *Tree) Discard(ctx context.Context) error {
	d, release := t.disks.Pin()
	defer release()
	if err := (job{Tree: t, disk: d}).clearTop(ctx, true); err != nil {
		return err
	}
	unguard, err := guardState(ctx, d, true)
	if err != nil {
		return disk.UnlessGone(err)
	}
	defer unguard()
	if _, err = ourState(d); err != nil {
		return err
	}
	return inTurn(func() error { return dropJournal(d) }, func() error { return sweepState(d, isKept) })
}

// read returns a file, and what a change of it has to know.
func (t *Tree) read(d disk.Disk, name string) (f *File, now disk.Traits, err error) {
	now, err = inspectFile(d, name)
	var data []byte
	if err == nil {
		data, err = d.ReadFile(name, t.opts.MaxSize)
	}
	if unfinished := checkFinished(d, name, t.open); unfinished != nil {
		return nil, now, unfinished
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &File{}, now, err
	case errors.Is(err, errs.ErrTooLarge):
		return nil, now, fmt.Errorf("%w: more than %d bytes, so it cannot be read or edited here", errs.ErrTooLarge,
			t.opts.MaxSize)
	case err != nil:
		return nil, now, err
	}
	now.Links -= backupsOf(d, now.Stat)
	return &File{Data: data, Mode: now.Mode & disk.Settable, Notes: notesOn(now, t.opts)}, now, nil
}

// mayChange returns the reason why a commit may not change a file, nil if it may. Now is nil if it was not read.
func (t *Tree) mayChange(d disk.Disk, name string, c Change, now *disk.Traits) error {
	if now == nil {
		is, err := inspectFile(d, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return mayCreate(d, name)
		case err != nil:
			return err
		}
		is.Links -= backupsOf(d, is.Stat)
		now = &is
	}
	if err := c.mayBeMade(*now, t.opts); err != nil || c.After == nil || !now.InPlace() {
		return err
	}
	return mayKeepJournal(d)
}

// mayCreate returns the reason why a file cannot be made, nil if it can.
func mayCreate(d disk.Disk, name string) error {
	dir, err := nearest(d, path.Dir(name))
	if err != nil {
		return err
	}
	switch in, err := d.Inspect(dir); {
	case err != nil:
		return err
	case in.Fixed:
		return errFixedDir
	case !in.Writable:
		return protectedError("the directory is write-protected, so no file can be made in it: ask for permission")
	}
	return nil
}

const errFixedDir = protectedError("the directory is immutable or append-only, so a new file could not be taken " +
	"back: choose another one, or ask the user")

// mayKeepJournal returns nil if there is a place for a journal, and otherwise the reason why there is none.
func mayKeepJournal(d disk.Disk) error {
	if _, err := d.Lstat(StateDir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	top, err := d.Inspect(".")
	if err == nil && (!top.Writable || top.Fixed) {
		err = protectedError("the directory of the store is write-protected, so there is no place for a journal")
	}
	return err
}

// checkFinished returns errs.ErrUnfinished for a file that a dead commit was going to change, unless it was decided,
// because other files may not have changed. It only reads, best after the file, to notice a commit that died meanwhile.
func checkFinished(d disk.Disk, name string, open elsewhere) error {
	// Another caller holds the guard for a moment, which looks like a commit at work. So this one tries several times.
	const tries, pause = 4, time.Millisecond
	for range tries {
		named, err := isInJournal(d, name)
		if err != nil || !named {
			return err
		}
		left, unguard, err := guardLeftover(context.Background(), d, false)
		if err == nil {
			named = left.journal.changes(name)
		}
		if named && left.verdict.id != "" {
			made, _ := left.verdict.isMade(d, open)
			named = !made
		}
		unguard()
		switch {
		case errors.Is(err, disk.ErrLocked):
			time.Sleep(pause)
			continue
		case errors.Is(err, errForeign):
			return nil // nobody is going to roll it back
		case err != nil && err != errUnknownJournal: // the host has to decide about an unknown journal
			return err
		case named:
			return fmt.Errorf("a commit to this file was interrupted: %w", errs.ErrUnfinished)
		}
		return nil
	}
	return nil // a commit is at work, and either finishes or rolls back
}

func isInJournal(d disk.Disk, name string) (bool, error) {
	var now disk.Traits
	var j journal
	is, there, err := lookAt(d, StateDir) // usually there is none
	if !there {
		return false, err
	}
	if err = checkOurs(is); err == nil {
		now, err = d.Inspect(StateDir)
	}
	if err == nil {
		j, _, err = readJournal(d, now)
	}
	switch {
	case err == errUnknownJournal:
		return j == nil || j.changes(name), nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errForeign), err == errTorn:
		return false, nil
	}
	return j.changes(name), err
}

// changes reports whether a journal names a file, in any spelling that differs only in case.
func (j journal) changes(name string) bool {
	return slices.ContainsFunc(j, func(s step) bool { return s.kind != entryMkdir && strings.EqualFold(s.path, name) })
}
