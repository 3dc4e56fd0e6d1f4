package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// A commit makes changes to the files of one directory tree: all of them, or none. It is the list of steps in run; what
// has begun is taken back from the journal by undo, here after an error and in recover after a crash.
//
// Readers that take no part in the locking can see a mixed set of files, each of them old or new, while step 4 runs
// (microseconds a file). Writers that take no part in it are noticed up to the moment of the rename, by content.
type commit struct {
	disk    disk
	changes []Change // with the store's own names
	opts    DirOptions
	perm    fs.FileMode // of new files
	write   bool        // replace whatever is there, without looking at Before
	beside  bool        // stage beside the targets

	gone    map[string]*File // what there was of the files that go
	moved   map[string]bool  // and which of them are moved: true if nothing but the name changes
	entries journal
	first   int  // the number of the first stage
	bare    bool // one entry, without journal and backup, that a rename or the like does in one go
	state   bool // the state directory is ours
	written bool // the journal
}

// run carries out the commit. What it recovered of another that had died is told in either case.
func (c *commit) run(ctx context.Context) (recovered []string, err error) {
	// 0: lock; what is found under the lock has a dead owner.
	unlock, recovered, err := lockAndRecover(ctx, c.disk, c.lockDirs, true, c.write)
	if err != nil {
		return recovered, err
	}
	defer unlock()
	for {
		err = c.underLock(ctx)
		if !otherDevice(err) || c.beside || errors.Is(err, ErrUnfinished) {
			return recovered, err
		}
		c.beside = true // a file system in the root that does not look like one
	}
}

func (c *commit) underLock(ctx context.Context) error {
	if err := c.check(ctx); err != nil || len(c.entries) == 0 { // 1
		return err
	}
	if err := c.stage(ctx); err != nil { // 2
		return c.takeBack(0, err)
	}
	if err := c.secure(); err != nil { // 3
		return c.takeBack(0, err)
	}
	if err := ctx.Err(); err != nil {
		return c.takeBack(0, err)
	}
	begun, err := c.apply() // 4
	if err == nil {
		sweepBeside(c.disk, c.entries, false) // what the journal is not needed for, but would be to find it
		err = c.settle()                      // 5
	}
	if err != nil {
		return c.takeBack(begun, err)
	}
	return c.conclude() // 6 and 7
}

// stage is step 2: every new file is written where nobody looks, and every old one gets a second name.
func (c *commit) stage(ctx context.Context) error {
	if err := c.makeState(); err != nil {
		return err
	}
	seen := map[string]bool{stateDir: true}
	for i := range c.entries {
		s := &c.entries[i]
		s.as.soon = c.opts.Durability != DurableNone
		if dir := path.Dir(s.stage); !c.write && s.stage != "" && !seen[dir] {
			seen[dir] = true
			c.clear(dir)
		}
	}
	return together(len(c.entries), func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &c.entries[i]
		return at("stage", s.path, c.stale(s, c.stageOne(s)))
	})
}

// clear makes room beside targets. Under our lock nobody else is at work there: whatever bears the name of a stage has been
// left by a killed writer.
func (c *commit) clear(dir string) {
	names, _ := c.disk.ReadDir(dir)
	for _, name := range names {
		orphan := path.Join(dir, name)
		if base, ok := strings.CutSuffix(name, ".new"); !ok || !isStage(base) {
			continue
		}
		if is, err := c.disk.Lstat(orphan); err == nil && is.mode.IsRegular() && is.ours {
			c.disk.Remove(orphan)
		}
	}
}

// together does n things, several at a time: a disk takes little longer to sync many files than to sync one, and the rest
// is shared by the processors. The error is that of the first in order.
func together(n int, do func(i int) error) error {
	for _, err := range each(n, do) {
		if err != nil {
			return err
		}
	}
	return nil
}

// each does the same, and returns what came of each.
func each(n int, do func(i int) error) []error {
	const workers = 16
	errs := make([]error, n)
	if n == 1 {
		errs[0] = do(0)
		return errs
	}
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(workers, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = do(i)
			}
		})
	}
	wg.Wait()
	return errs
}

// makeState makes the state directory, if it is needed. A single entry can do without it.
func (c *commit) makeState() error {
	c.state = !c.bare
	for _, s := range c.entries {
		c.state = c.state || path.Dir(s.stage) == stateDir && s.kind != entryDelete
	}
	if !c.state {
		return nil
	}
	err := c.disk.Mkdir(stateDir, 0o700)
	switch {
	case errors.Is(err, fs.ErrExist):
		var names []string
		if names, err = ourState(c.disk); err == nil {
			err = c.avoid(names)
		}
		if err != nil {
			return err
		}
		// What is made anew lets an overlay copy the directory, if it is going to: now it has its time of birth.
		if c.disk.Remove(ignoreName) != nil {
			return nil
		}
	case err == nil:
		if _, err = ourState(c.disk); errors.Is(err, fs.ErrNotExist) { // somebody has removed it again
			return err
		} else if err != nil { // a file system that keeps no modes, so recovery would not know it either
			c.disk.Remove(stateDir)
			err = errors.New("it cannot be closed to others")
		}
	}
	if err != nil && c.bare {
		c.state, c.beside = false, true
		return c.place()
	}
	if err != nil {
		return fmt.Errorf("several files cannot be changed together here (%v), only one by one: %w", at("make", stateDir, err), errors.ErrUnsupported)
	}
	return at("stage", ignoreName, c.disk.Create(ignoreName, []byte("*\n"), meta{perm: 0o600}))
}

// avoid stages what comes under numbers of its own: something of a dead commit, or of one that was taken back, can be there that
// cannot be removed, such as another name of a file that somebody has open on Windows.
func (c *commit) avoid(names []string) error {
	for _, name := range names {
		number, _, _ := strings.Cut(name, ".")
		if n, err := strconv.Atoi(number); err == nil && n < 1<<30 {
			c.first = max(c.first, n+1)
		}
	}
	if c.first == 0 {
		return nil
	}
	return c.place()
}

func (c *commit) stageOne(s *entry) error {
	if s.hasNew() {
		if err := c.stageNew(s); err != nil {
			return err
		}
	}
	if c.bare || s.kind != entryEdit && s.kind != entryWrite && s.kind != entryDelete {
		return nil
	}
	err := errors.ErrUnsupported
	if s.kind != entryWrite { // whose inode is what changes
		err = c.disk.Link(s.path, s.backup())
	}
	if err != nil && (noLinks(err) || otherDevice(err) || err == errors.ErrUnsupported) {
		if err = copyFile(c.disk, s.path, s.backup(), s.kind == entryWrite || c.opts.AllowOwnerChange); err == nil {
			err = c.syncFile(s.backup())
		}
	}
	return err
}

// stale makes ErrStale of an error that comes from a file that has gone since it was looked at.
func (c *commit) stale(s *entry, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range []string{s.change.Path, s.as.like, s.linkOf} {
		if name == s.change.Path && s.change.Before == nil || name == "" {
			continue
		}
		if _, look := c.disk.Lstat(name); errors.Is(look, fs.ErrNotExist) {
			return ErrStale
		}
	}
	return err
}

func (c *commit) stageNew(s *entry) error {
	if s.linkOf != "" {
		err := c.disk.Link(s.linkOf, s.staged())
		if err == nil || !noLinks(err) && !otherDevice(err) {
			return err
		}
	}
	err := c.disk.Create(s.staged(), s.change.After.Data, s.as)
	dir := path.Dir(s.stage)
	if errors.Is(err, fs.ErrExist) && dir != stateDir && c.write {
		c.clear(dir)
		err = c.disk.Create(s.staged(), s.change.After.Data, s.as)
	}
	if errors.Is(err, fs.ErrExist) && dir != stateDir { // another user's, or a directory, so it cannot be removed
		used := c.first + len(c.entries)
		s.stageBeside(dir, used+rand.IntN(math.MaxInt32-used))
		err = c.disk.Create(s.staged(), s.change.After.Data, s.as)
	}
	if errors.Is(err, fs.ErrExist) {
		return errLeftover
	}
	if mode := cmp.Or(s.as.mode, s.as.perm); err == nil && !c.bare && mode != 0 && mode&0o400 == 0 { // taking it back begins with reading it
		_, err = c.disk.Version(s.staged())
	}
	return err
}

var errLeftover = fmt.Errorf("%s still holds what a dead commit has left, and it cannot be removed: %w", stateDir, fs.ErrPermission)

// maxCopied is the longest file, in bytes, that is copied as a whole, where a link cannot be made.
const maxCopied = 4 << 30

// copyFile copies a file with what it has besides its content.
func copyFile(d disk, from, to string, looseOwner bool) error {
	data, err := d.ReadFile(from, maxCopied)
	if err != nil {
		return err
	}
	return d.Create(to, data, meta{like: from, looseOwner: looseOwner})
}

// secure is step 3: what is staged, and the journal, are on disk before the first visible change. In which order they get
// there does not matter: without any of it, everything is as before.
func (c *commit) secure() error {
	var syncs []func() error
	for _, s := range c.entries {
		if s.hasNew() {
			syncs = append(syncs, func() error { return at("sync", s.path, c.syncFile(s.staged())) })
		}
	}
	if !c.bare {
		born, err := stateBorn(c.disk)
		if err != nil {
			return err
		}
		text := c.entries.encode(born)
		if len(text) > maxJournal {
			return at("write", journalName, fmt.Errorf("so many files cannot be changed together: %w", errors.ErrUnsupported))
		}
		c.written = true
		err = c.disk.Create(journalName, text, meta{perm: 0o600})
		if errors.Is(err, fs.ErrExist) {
			err = errLeftover
		}
		if err != nil {
			return at("write", journalName, err)
		}
		syncs = append(syncs,
			func() error { return c.syncMeta(journalName, c.disk.SyncFile) },
			func() error { return c.syncMeta(stateDir, c.disk.SyncDir) },
			func() error { return c.syncMeta(".", c.disk.SyncDir) })
	}
	return together(len(syncs), func(i int) error { return syncs[i]() })
}

func (c *commit) syncFile(name string) error {
	if c.opts.Durability == DurableNone {
		return nil
	}
	return c.disk.SyncFile(name)
}

func (c *commit) syncMeta(name string, sync func(string) error) error {
	if c.opts.Durability != DurableFull {
		return nil
	}
	return at("sync", name, sync(name))
}

// apply is step 4. It returns how many entries have begun, the failed one among them unless it certainly did nothing.
func (c *commit) apply() (begun int, err error) {
	for i, s := range c.entries {
		if err := c.stillMoved(s); err != nil {
			return i, at("apply", s.linkOf, err)
		}
		switch s.kind {
		case entryMkdir:
			err = c.disk.Mkdir(s.path, 0o777)
			if now, statErr := c.disk.Lstat(s.path); errors.Is(err, fs.ErrExist) && statErr == nil && now.mode.IsDir() {
				err = nil
			}
		case entryCreate:
			err = c.putNew(s)
		case entryEdit:
			if err = c.unchanged(s); err == nil {
				err = c.disk.Rename(s.staged(), s.path)
			}
		case entryWrite:
			if err = c.unchanged(s); err == nil {
				err = c.disk.Overwrite(s.path, s.change.After.Data)
			}
		case entryDelete:
			if err = c.unchanged(s); err != nil {
				break
			}
			if err = c.disk.Remove(s.path); errors.Is(err, fs.ErrNotExist) { // by somebody else, or by us if it was asked twice
				return i + 1, at("apply", s.path, ErrStale)
			}
		}
		if errors.Is(err, fs.ErrExist) || errors.Is(err, ErrStale) {
			return i, at("apply", s.path, err)
		}
		if err != nil {
			return i + 1, at("apply", s.path, err)
		}
	}
	return len(c.entries), nil
}

// putNew puts a new file in place, and never on something that is there.
func (c *commit) putNew(s entry) error {
	err := c.disk.Link(s.staged(), s.path)
	if noLinks(err) {
		err = c.disk.RenameNew(s.staged(), s.path)
	}
	return err
}

// stillMoved looks once more at a file that is to be moved as it is: what is staged for its new name is the file itself.
func (c *commit) stillMoved(s entry) error {
	if s.linkOf == "" {
		return nil
	}
	same, err := c.disk.Equal(s.staged(), s.change.After.Data)
	if err == nil && !same {
		err = ErrStale
	}
	return err
}

// unchanged looks once more, at the last moment, for writers that do not respect the lock.
func (c *commit) unchanged(s entry) error {
	if c.write {
		return nil
	}
	return s.change.checkAt(c.disk)
}

// checkAt compares what a change says of the file before with what is there.
func (c Change) checkAt(d disk) error {
	same, err := d.Equal(c.Path, c.Before.Data)
	var kind *kindError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &kind) || err == nil && !same {
		return ErrStale
	}
	return err
}

// noFile is the version of anything but a regular file: no content has it.
const noFile Version = "no file"

// versionAt returns the version of what is there: "" for nothing, noFile for anything but a file.
func versionAt(d disk, name string) (Version, error) {
	is, err := d.Version(name)
	var kind *kindError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.As(err, &kind):
		return noFile, nil
	}
	return is, err
}

// settle is step 5: the new names are on disk.
func (c *commit) settle() error {
	dirs := c.entries.touched()
	return together(len(dirs), func(i int) error { return c.syncMeta(dirs[i], c.disk.SyncDir) })
}

// touched returns the directories in which the entries change names.
func (j journal) touched() []string {
	var dirs []string
	for _, s := range j {
		dirs = append(dirs, path.Dir(s.path))
		if s.kind == entryMkdir {
			dirs = append(dirs, s.path)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// conclude is step 6, after which the commit is done whatever happens, and step 7, the sweeping, which a later commit does
// if this one cannot.
func (c *commit) conclude() error {
	var unsure error
	if c.written {
		if err := c.disk.Remove(journalName); err != nil {
			_, look := c.disk.Lstat(journalName)
			if !errors.Is(look, fs.ErrNotExist) {
				return c.takeBack(len(c.entries), at("conclude", journalName, err))
			}
			unsure = err
		}
		if err := c.syncMeta(stateDir, c.disk.SyncDir); err != nil {
			unsure = err
		}
	}
	if c.state || !c.bare || c.entries[0].kind != entryEdit { // which leaves nothing
		c.unpinNew()
		c.sweep(false)
	}
	if unsure != nil {
		return fmt.Errorf("%w: %w", ErrNotDurable, unsure)
	}
	return nil
}

func (c *commit) sweep(undone bool) {
	if c.state || !c.bare {
		sweep(c.disk, c.entries, undone)
		return
	}
	sweepBeside(c.disk, c.entries, undone)
}

// unpinNew forgets the directories that the commit made, which are not locked: taking back and sweeping need handles too.
func (c *commit) unpinNew() {
	for _, s := range c.entries {
		if s.kind == entryMkdir {
			c.disk.Unpin(s.path)
		}
	}
}

// takeBack answers an error in one of the steps; the first begun entries have, or may have, been done.
func (c *commit) takeBack(begun int, cause error) error {
	if c.bare {
		return c.takeBackBare(begun, cause)
	}
	c.unpinNew()
	var kept []string
	var err error
	for range 2 { // which can be done again, so a passing trouble does not count
		kept, err = undo(c.disk, c.entries, begun, c.opts.Durability == DurableFull && begun > 0)
		if err == nil && c.written {
			err = dropJournal(c.disk)
		}
		if err == nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w (taking it back: %w)", ErrUnfinished, cause, err)
	}
	c.sweep(true)
	for _, note := range kept {
		cause = fmt.Errorf("%w (%s)", cause, note)
	}
	return cause
}

// takeBackBare looks what has become of the only entry. If it is done, it cannot be taken back, and need not be.
func (c *commit) takeBackBare(begun int, cause error) error {
	last := len(c.entries) - 1
	if begun == 0 || begun <= last || c.entries[last].kind == entryMkdir {
		undo(c.disk, c.entries, begun, false)
		c.sweep(true)
		return cause
	}
	s := c.entries[last]
	done, err := c.isDone(s)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w (looking what is there: %w)", ErrUnfinished, cause, err)
	case done:
		c.sweep(true)
		return fmt.Errorf("%w: %w", ErrNotDurable, cause)
	}
	undo(c.disk, c.entries, last, false)
	c.sweep(true)
	return cause
}

func (c *commit) isDone(s entry) (bool, error) {
	now, err := versionAt(c.disk, s.path)
	if s.change.After == nil {
		return now == "", err
	}
	return now == VersionOf(s.change.After.Data), err
}
