package atomicedit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// lockDirs returns the directories that must not change under the commit: the root, and those of the targets, or what
// there is of them.
func (c *commit) lockDirs() []string {
	dirs := []string{"."}
	for _, change := range c.changes {
		dirs = append(dirs, path.Dir(change.Path))
	}
	return present(c.disk, dirs)
}

// present returns the directories dirs, sorted, or the innermost ones above that are there.
func present(d disk, dirs []string) []string {
	slices.Sort(dirs)
	var there []string
	for _, dir := range slices.Compact(dirs) {
		there = append(there, nearestDir(d, dir))
	}
	slices.Sort(there)
	return slices.Compact(there)
}

// nearestDir returns dir, or the innermost directory above it that is there.
func nearestDir(d disk, dir string) string {
	for dir != "." {
		if s, err := d.Lstat(dir); err == nil && s.mode.IsDir() {
			return dir
		}
		dir = path.Dir(dir)
	}
	return dir
}

// check is step 1: every change is compared with what is there, and everything that would keep it from being made is said
// at once. Nothing is written. It makes the entries.
func (c *commit) check(ctx context.Context) error {
	c.entries, c.first, c.bare, c.state, c.written = nil, 0, false, false, false
	c.findMoves()
	found := make([]entry, len(c.changes))
	errs := each(len(c.changes), func(i int) (err error) {
		if err = ctx.Err(); err == nil {
			found[i], err = c.checkOne(c.changes[i])
			err = at("check", c.changes[i].Path, err)
		}
		return err
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 1 {
		return errs[0]
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	c.entries = c.withDirs(found)
	visible := 0
	for _, s := range c.entries {
		if s.kind != entryMkdir {
			visible++
		}
		if s.kind == entryWrite {
			visible = math.MaxInt32 // torn if interrupted, so it needs the journal
		}
	}
	if err := c.spelledTwice(); err != nil {
		return err
	}
	c.respelt()
	c.bare = visible <= 1
	if !c.bare {
		together(len(c.entries), func(i int) error { c.entries[i].identify(); return nil })
	}
	return c.place()
}

// identify computes what the journal says of the content before and after.
func (s *entry) identify() {
	if s.change.Before != nil {
		s.old = VersionOf(s.change.Before.Data)
	}
	if s.change.After != nil {
		s.new = VersionOf(s.change.After.Data)
	}
}

// checkOne makes the entry of a change: the zero one where there is nothing to do.
func (c *commit) checkOne(change Change) (entry, error) {
	now, err := c.disk.Inspect(change.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := change.Check(nil); err != nil && !c.write {
			return entry{}, err
		}
		if change.After == nil {
			return entry{}, nil
		}
		return c.create(change)
	case err != nil:
		return entry{}, err
	case !now.mode.IsRegular():
		return entry{}, errNotRegular(now.mode)
	}
	if change.Before == nil && change.After != nil && c.isMoved(change.From) && respells(c.disk, change.From, change.Path) {
		return c.create(change)
	}
	s := entry{kind: entryEdit, path: change.Path, change: change, as: meta{like: change.Path, looseOwner: c.opts.AllowOwnerChange}}
	if !c.write {
		if change.Before == nil {
			return entry{}, change.Check(&File{})
		}
		if err := change.checkAt(c.disk); err != nil {
			return entry{}, err
		}
	}
	if change.After == nil {
		s.kind = entryDelete
		msg := protected(now, c.opts, toDelete)
		if same, ok := c.moved[change.Path]; ok {
			if msg = protected(now, c.opts, toMove); msg == "" && !same {
				msg = protected(now, c.opts, toReplace)
			}
		}
		if msg != "" {
			return entry{}, protectedError(msg)
		}
		return s, nil
	}
	if msg := protected(now, c.opts, toReplace); msg != "" {
		return entry{}, protectedError(msg)
	}
	s.as.mode = change.After.Mode
	if now.inPlace() {
		s.kind, s.as = entryWrite, meta{perm: 0o600} // of the stage, which is never put in place
		return s, nil
	}
	c.takeAlong(&s)
	return s, nil
}

// withDirs returns the entries that do something, and before the first in a directory that is not there, the one that makes
// it.
func (c *commit) withDirs(found []entry) journal {
	var entries journal
	made := map[string]bool{}
	for _, s := range found {
		for _, dir := range slices.Backward(s.newDirs) {
			if !made[dir] {
				made[dir] = true
				entries = append(entries, entry{kind: entryMkdir, path: dir})
			}
		}
		if s.kind != "" {
			entries = append(entries, s)
		}
	}
	return entries
}

// protectedError is fs.ErrPermission in words of ours.
type protectedError string

func (e protectedError) Error() string { return string(e) }
func (e protectedError) Unwrap() error { return fs.ErrPermission }

// A deed is what a commit does to a file that is there.
type deed int

const (
	toReplace deed = iota // by another content
	toDelete
	toMove // as it is
)

func (d deed) String() string { return [...]string{"replaced", "deleted", "moved"}[d] }

// protected says why that may not be done to a file, "" if it may.
func protected(now traits, o DirOptions, d deed) string {
	switch {
	case now.fixed:
		return "the file is immutable or append-only, so it cannot be " + d.String() + ": leave it alone, or ask the user"
	case !now.writable && d != toMove: // a write-protected file can have another name
		return "the file is write-protected: ask for permission to change it"
	case now.mountedOn && d != toReplace:
		return "the file is a mount point: it cannot be " + d.String()
	case now.mountedOn && !o.InPlace:
		return "the file is a mount point: it cannot be replaced, only written in place, which is not allowed here"
	case !now.replaceable && (d != toReplace || !o.InPlace):
		return "the directory of the file is write-protected: the file cannot be " + d.String()
	case d == toDelete || now.inPlace():
		return "" // owner and links do not matter, or stay
	case !now.keepable && !o.AllowOwnerChange && (d == toReplace || !now.writable && !now.ours): // what we own or may write, we may link
		return "the file belongs to another user or group, which could not be kept: leave it alone, or ask the user"
	case now.links > 1 && o.RefuseHardLinks && d == toReplace:
		return fmt.Sprintf("the file has %d names (hard links), which a change would take apart: leave it alone, or ask the user", now.links)
	}
	return ""
}

// movedFrom returns the path before of a file that is moved, "" if it is not.
func (c Change) movedFrom() string {
	if c.After == nil {
		return ""
	}
	return cmp.Or(c.From, c.After.from)
}

// findMoves notes which files go, and which of them go on under another name.
func (c *commit) findMoves() {
	c.gone, c.moved = map[string]*File{}, map[string]bool{}
	for _, change := range c.changes {
		if change.After == nil && change.Before != nil {
			c.gone[change.Path] = change.Before
		}
	}
	for _, change := range c.changes {
		if from := change.movedFrom(); from != "" {
			was := c.gone[from]
			c.moved[from] = was != nil && bytes.Equal(was.Data, change.After.Data)
		}
	}
}

func (c *commit) isMoved(from string) bool {
	_, ok := c.moved[from]
	return ok
}

// respells reports whether from, of a file that is to be moved to to, where there is one too, is another spelling of the
// same name: they differ in case alone, and the list of names has only the first. Inodes would not tell, because of links.
func respells(d disk, from, to string) bool {
	if !strings.EqualFold(from, to) {
		return false
	}
	names, err := d.ReadDir(path.Dir(to))
	return err == nil && !slices.Contains(names, path.Base(to))
}

// spelledTwice refuses changes of one file by two paths that differ in case alone, where a part of one is in no list.
func (c *commit) spelledTwice() error {
	seen := map[string]string{}
	for _, s := range c.entries {
		if s.kind != entryEdit && s.kind != entryWrite && s.kind != entryDelete {
			continue
		}
		other, ok := seen[strings.ToLower(s.path)]
		seen[strings.ToLower(s.path)] = s.path
		if !ok {
			continue
		}
		for _, name := range []string{other, s.path} {
			for name != "." {
				dir, base := split(name)
				names, err := c.disk.ReadDir(dir)
				if err == nil && !slices.Contains(names, base) {
					err = fmt.Errorf("it is the same file as %s; change it by one name: %w", showPath(other), fs.ErrInvalid)
				}
				if err != nil {
					return at("check", s.path, err)
				}
				name = dir
			}
		}
	}
	return nil
}

// respelt puts the delete of such a move before its create, which would find the name taken.
func (c *commit) respelt() {
	for i, s := range c.entries {
		if s.kind != entryCreate || !strings.EqualFold(s.path, s.change.From) {
			continue
		}
		gone := slices.IndexFunc(c.entries, func(t entry) bool { return t.kind == entryDelete && t.path == s.change.From })
		if gone > i {
			t := c.entries[gone]
			c.entries = slices.Insert(slices.Delete(c.entries, gone, gone+1), i, t)
		}
	}
}

// create makes the entry for a file that is not there yet.
func (c *commit) create(change Change) (entry, error) {
	s := entry{kind: entryCreate, path: change.Path, change: change}
	s.as = meta{mode: change.After.Mode, perm: c.perm}
	if change.After.written && s.as.mode != 0 { // a mode that was asked for, not one that was there
		s.as.mode, s.as.perm = 0, s.as.mode&fs.ModePerm
	}
	for _, dir := range parents(change.Path) {
		above, err := c.disk.Lstat(dir)
		if err == nil && above.mode.IsDir() {
			break
		}
		if err == nil {
			err = fmt.Errorf("%s is not a directory, so nothing can be below it: %w", showPath(dir), fs.ErrInvalid)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		s.newDirs = append(s.newDirs, dir)
	}
	c.takeAlong(&s)
	return s, nil
}

// takeAlong lets the file of a move have what it had besides its content, or be the same file under another name.
func (c *commit) takeAlong(s *entry) {
	from := s.change.movedFrom()
	gone := c.gone[from]
	if gone == nil {
		return
	}
	is, err := c.disk.Lstat(from)
	if err != nil || !is.mode.IsRegular() {
		return
	}
	s.as.like, s.as.looseOwner = from, c.opts.AllowOwnerChange
	sameMode := s.change.After.Mode == 0 || s.change.After.Mode == is.mode&settable
	if sameMode && bytes.Equal(s.change.After.Data, gone.Data) {
		s.linkOf = from
	}
}

// settable are the bits of a mode that a file can be given.
const settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// place decides where each entry is staged: in the state directory, or beside the target where that would be another file
// system, or where new files inherit something from their directory.
func (c *commit) place() error {
	var staged []*entry
	for i := range c.entries {
		if s := &c.entries[i]; s.kind != entryMkdir {
			s.stage = stateDir + "/" + strconv.Itoa(c.first+len(staged))
			staged = append(staged, s)
		}
	}
	if c.beside {
		for i, s := range staged {
			if s.kind != entryWrite { // which is put in place by nothing but a copy
				s.stageBeside(nearestDir(c.disk, path.Dir(s.path)), c.first+i)
			}
		}
		return nil
	}
	root, err := c.disk.Inspect(".")
	if err != nil {
		return at("check", ".", err)
	}
	type place struct {
		dir string
		traits
	}
	places := map[string]place{}
	for i, s := range staged {
		parent, ok := places[path.Dir(s.path)]
		if !ok {
			parent.dir = nearestDir(c.disk, path.Dir(s.path))
			if parent.traits, err = c.disk.Inspect(parent.dir); err != nil {
				return at("check", s.path, err)
			}
			places[path.Dir(s.path)] = parent
		}
		if parent.device != root.device && s.kind != entryWrite || s.kind == entryCreate && parent.inherits {
			s.stageBeside(parent.dir, c.first+i)
		}
		if parent.device != root.device {
			s.linkOf = ""
		}
	}
	return nil
}
