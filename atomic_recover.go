package atomicedit

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
)

// undo takes the first begun entries of a journal back, the last one first. It decides by content, so that it can be done again
// from the start, and consumes no backup. What is neither old nor new is somebody else's: it stays, the backup is kept, and a
// sentence says so.
func undo(d disk, j journal, begun int, sync bool) (kept []string, err error) {
	var errs []error
	for _, s := range slices.Backward(j[:begun]) {
		note, err := undoOne(d, j, s)
		if s.kind == entryCreate && note != "" && j.respell(d, s) {
			note = "" // the file is there by its name before
		}
		if err != nil {
			errs = append(errs, at("take back", s.path, err))
		}
		if note != "" {
			kept = append(kept, note)
		}
	}
	if sync && len(errs) == 0 {
		for _, dir := range j[:begun].touched() {
			err := d.SyncDir(dir)
			if err == nil {
				continue
			}
			if there, look := hasDir(d, dir); there || look != nil {
				errs = append(errs, at("sync", dir, err))
			}
		}
	}
	return kept, errors.Join(errs...)
}

// respell reports whether what is at the new name is the file before, whose name differs in case alone.
func (j journal) respell(d disk, s entry) bool {
	return slices.ContainsFunc(j, func(t entry) bool {
		if t.kind != entryDelete || !strings.EqualFold(t.path, s.path) {
			return false
		}
		now, err := versionAt(d, s.path)
		return err == nil && now == t.old
	})
}

// movedTo reports whether what is at the name of s is a file that was moved there, and then written in place: it is its own
// backup, and goes by its name before again.
func (j journal) movedTo(d disk, s entry, now Version) bool {
	return now != "" && now != s.new && slices.ContainsFunc(j, func(t entry) bool {
		if t.kind != entryDelete || t.old != s.new {
			return false
		}
		was, err := versionAt(d, t.backup())
		return err == nil && was == now
	})
}

func undoOne(d disk, j journal, s entry) (note string, err error) {
	if s.kind == entryMkdir {
		return undoMkdir(d, s)
	}
	note, err = undoFile(d, j, s)
	if err == nil {
		return note, nil
	}
	there, look := hasDir(d, path.Dir(s.path))
	switch {
	case look == nil && !there && s.kind == entryCreate:
		return "", nil
	case look == nil && !there:
		return keep(d, s) // there is nowhere to put it
	}
	if _, look := d.Lstat(s.backup()); s.kind != entryCreate && errors.Is(look, fs.ErrNotExist) {
		err = fmt.Errorf("what was there before is missing in %s; put it there, or remove %s to leave the files as they are: %w",
			s.backup(), stateDir, fs.ErrNotExist)
	}
	return "", err
}

func undoFile(d disk, j journal, s entry) (note string, err error) {
	now, err := versionAt(d, s.path)
	if err != nil {
		return "", err
	}
	if j.movedTo(d, s, now) {
		now = s.new
	}
	switch {
	case s.kind == entryCreate && now == "":
		return "", nil
	case s.kind == entryCreate && now == s.new:
		return "", d.Remove(s.path)
	case s.kind == entryDelete && now == "", s.kind == entryEdit && now == s.new:
		return "", putBack(d, s)
	case now == s.old:
		return "", nil
	case s.kind == entryWrite && now != "" && now != noFile:
		torn, _, err := isTorn(d, s.path, s.staged(), s.change.After)
		again, before, errBefore := isTorn(d, s.path, s.backup(), s.change.Before) // by a restore that was cut short itself
		if err = cmp.Or(err, errBefore); err != nil {
			return "", err
		}
		if !torn && !again {
			break
		}
		if before == nil {
			return "", fs.ErrNotExist
		}
		return "", d.Overwrite(s.path, before.Data)
	}
	return keep(d, s)
}

// isTorn reports whether the file called name has what writing the content of whole in place leaves when it is cut short: the
// beginning of it, and after a power cut perhaps zeros. It returns that content too, which the process that made the commit
// knows; nil if there is none.
func isTorn(d disk, name, whole string, known *File) (bool, *File, error) {
	data, err := d.ReadFile(whole, maxCopied)
	switch {
	case err == nil:
		known = &File{Data: data}
	case !errors.Is(err, fs.ErrNotExist):
		return false, nil, err
	case known == nil:
		return false, nil, nil
	}
	now, err := d.ReadFile(name, int64(len(known.Data)))
	if errors.Is(err, ErrTooLarge) {
		return false, known, nil
	}
	for i, b := range now {
		if b != 0 && (i >= len(known.Data) || b != known.Data[i]) {
			return false, known, err
		}
	}
	return true, known, err
}

// undoMkdir removes a directory that a commit made, if nobody has put anything there, or in its place.
func undoMkdir(d disk, s entry) (note string, err error) {
	there, err := hasDir(d, s.path)
	switch {
	case err != nil:
		return "", err
	case !there:
		if _, err := d.Lstat(s.path); err == nil {
			note = somebodyElse(s)
		}
		return note, nil
	}
	err = d.Remove(s.path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if names, look := d.ReadDir(s.path); look == nil && len(names) > 0 {
		return "", nil
	}
	return "", err
}

// hasDir reports whether dir is a directory, reached without links. Since a commit died, somebody may have removed or
// replaced it.
func hasDir(d disk, dir string) (bool, error) {
	for _, dir := range slices.Backward(append([]string{dir}, parents(dir)...)) {
		now, err := d.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !now.mode.IsDir():
			return false, nil
		case err != nil:
			return false, err
		}
	}
	return true, nil
}

// putBack restores the file before. The backup stays: it is needed again if this is cut short.
func putBack(d disk, s entry) error {
	err := putBackBy(d, s, s.restore())
	if otherDevice(err) { // which nobody could know when it was staged
		err = putBackBy(d, s, s.restoreBeside())
	}
	if s.change.Before != nil && errors.Is(err, fs.ErrNotExist) {
		err = s.rewrite(d)
	}
	return err
}

// putBackBy restores the file before by way of another name.
func putBackBy(d disk, s entry, name string) error {
	if err := d.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := linkOrCopy(d, s.backup(), name); err != nil {
		return err
	}
	return s.replace(d, name)
}

// replace puts a file in the place of what the commit has left there.
func (s entry) replace(d disk, name string) error {
	if s.kind == entryDelete { // nothing
		return d.RenameNew(name, s.path)
	}
	return d.Rename(name, s.path)
}

// rewrite restores the file before without its backup, which somebody has cleaned away, with all else that is not in the
// repository: the process that made the commit knows what it was. More of it may go while this works.
func (s entry) rewrite(d disk) (err error) {
	as := meta{mode: cmp.Or(s.change.Before.Mode&0o700, 0o600)} // for the owner, who may have been another
	if s.kind == entryEdit && s.as.like == s.path {             // so what is there has its owner
		as = meta{like: s.path, mode: s.change.Before.Mode, looseOwner: true}
	}
	name := s.restoreBeside()
	for range 20 {
		d.Remove(name)
		if err = d.Create(name, s.change.Before.Data, as); err == nil {
			err = d.SyncFile(name)
		}
		if err == nil {
			err = s.replace(d, name)
		}
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		d.Remove(name)
	}
	return err
}

// linkOrCopy gives a file another name, or makes a durable copy where that cannot be.
func linkOrCopy(d disk, from, to string) error {
	err := d.Link(from, to)
	if noLinks(err) || otherDevice(err) {
		if err = copyFile(d, from, to, true); err == nil {
			err = d.SyncFile(to)
		}
	}
	return err
}

// keep leaves the content of somebody else where it is, and gives the backup a name that no sweeping removes.
func keep(d disk, s entry) (string, error) {
	note := somebodyElse(s)
	if s.kind == entryCreate {
		return note, nil
	}
	was, err := versionAt(d, s.backup())
	if err != nil {
		return note, err
	}
	now, err := versionAt(d, s.path)
	if was == "" || err == nil && was == now { // removed by somebody, or it is the file itself, written in place
		return note, nil
	}
	for n := 1; ; n++ {
		name := stateDir + "/kept." + strconv.Itoa(n)
		is, err := versionAt(d, name)
		if err == nil && is == "" {
			if err = linkOrCopy(d, s.backup(), name); err == nil {
				err = d.SyncDir(stateDir)
			}
			is = was
		}
		if err != nil || is == was { // perhaps since a recovery that was killed
			return note + "; what was there before the commit is in " + name, err
		}
	}
}

func somebodyElse(s entry) string {
	return showPath(s.path) + " was changed by somebody else meanwhile, and is left as it is"
}

// dropJournal ends what the journal is needed for.
func dropJournal(d disk) error {
	if err := d.Remove(journalName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return at("remove", journalName, err)
	}
	err := d.SyncDir(stateDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return at("sync", stateDir, err)
}

// sweep removes what a commit has left, all but kept backups. A failure is harmless: the next one sweeps again.
func sweep(d disk, entries journal, undone bool) error {
	sweepBeside(d, entries, undone)
	names, err := d.ReadDir(stateDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return at("sweep", stateDir, err)
	}
	kept := slices.ContainsFunc(names, isKept)
	err = together(len(names), func(i int) error {
		if isKept(names[i]) || kept && names[i] == path.Base(ignoreName) || !isStateName(names[i]) {
			return nil
		}
		return d.Remove(stateDir + "/" + names[i])
	})
	if err == nil && !kept {
		err = d.Remove(stateDir)
	}
	return at("sweep", stateDir, err)
}

// sweepBeside removes what lies outside the state directory. If the commit is done, that is no more than the first names of
// new files.
func sweepBeside(d disk, entries journal, undone bool) {
	together(len(entries), func(i int) error {
		s := entries[i]
		beside := s.stage != "" && path.Dir(s.stage) != stateDir
		if beside && (undone || s.kind == entryCreate) {
			d.Remove(s.staged())
		}
		if beside && undone {
			d.Remove(s.restore())
		} else if undone && s.stage != "" && path.Dir(s.path) != "." {
			d.Remove(s.restoreBeside())
		}
		return nil
	})
}

// errForeignState is the refusal to touch a state directory that this package has not made, or not for us.
func errForeignState(why string) error {
	return &fs.PathError{Op: "recover", Path: stateDir, Err: fmt.Errorf(
		"%w: the directory is not the one that an interrupted commit of this user leaves (%s); look at it, and remove it if nobody needs it",
		fs.ErrPermission, why)}
}

// ourState returns the names in the state directory. Anybody can have put one there: it is ours only if it is a directory
// of this user, closed to others, with the names in it that a commit makes.
func ourState(d disk) ([]string, error) {
	s, err := d.Lstat(stateDir)
	switch {
	case err != nil:
		return nil, at("recover", stateDir, err)
	case !s.mode.IsDir():
		return nil, errForeignState("no directory")
	case !s.ours:
		return nil, errForeignState("another owner")
	case !statePerm(s.mode):
		return nil, errForeignState("open to others")
	}
	names, err := d.ReadDir(stateDir)
	if err != nil {
		return nil, at("recover", stateDir, err)
	}
	for _, name := range names {
		if !isStateName(name) {
			return nil, errForeignState("unknown name " + showPath(name))
		}
		if s, err := d.Lstat(stateDir + "/" + name); err != nil || !s.mode.IsRegular() {
			return nil, errForeignState("no regular file: " + showPath(name))
		}
	}
	return names, nil
}

// stateBorn returns what a journal says of the time at which the state directory was made.
func stateBorn(d disk) (string, error) {
	now, err := d.Inspect(stateDir)
	if err != nil || now.born == 0 {
		return "-", at("inspect", stateDir, err)
	}
	return strconv.FormatInt(now.born, 10), nil
}

// isStateName reports whether a commit could have put name into the state directory.
func isStateName(name string) bool {
	number, kind, _ := strings.Cut(name, ".")
	return name == path.Base(journalName) || name == path.Base(ignoreName) || isKept(name) ||
		isNumber(number) && (kind == "new" || kind == "old" || kind == "res")
}

func isKept(name string) bool {
	number, ok := strings.CutPrefix(name, "kept.")
	return ok && isNumber(number)
}

// leftover reads what a dead commit has left: nothing (false), or a journal, which is empty if no step had begun.
func leftover(d disk) (journal, bool, error) {
	if _, err := d.Lstat(stateDir); errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	names, err := ourState(d)
	if err != nil {
		return nil, false, err
	}
	if !slices.Contains(names, path.Base(journalName)) {
		work := slices.ContainsFunc(names, func(n string) bool { return !isKept(n) && n != path.Base(ignoreName) })
		kept := slices.ContainsFunc(names, isKept)
		return nil, work || !kept, nil
	}
	data, err := d.ReadFile(journalName, maxJournal)
	if errors.Is(err, ErrTooLarge) {
		return nil, false, errForeignState("a journal longer than any")
	}
	if err != nil {
		return nil, false, at("recover", journalName, err)
	}
	j, born, err := decodeJournal(data)
	switch {
	case errors.Is(err, errTorn):
		return nil, true, nil
	case err != nil:
		return nil, false, errForeignState(err.Error())
	}
	if now, err := stateBorn(d); err != nil {
		return nil, false, err
	} else if now != "-" && now != born {
		return nil, false, errForeignState(`a copy: it was not made here; what was there before is in its ".old" and "kept" files`)
	}
	return j, true, nil
}

// recoverCommit takes back what a dead commit had begun. It can be interrupted, and done again.
func recoverCommit(d disk, j journal) (said []string, err error) {
	kept, err := undo(d, j, len(j), true)
	if len(j) == 0 { // nothing had begun, so what cannot be removed is in nobody's way
		dropJournal(d)
		sweep(d, j, true)
		return kept, nil
	}
	if err == nil {
		err = dropJournal(d)
	}
	if err != nil {
		return kept, fmt.Errorf("%w: %w", ErrUnfinished, err)
	}
	if err := sweep(d, j, true); err != nil {
		return kept, err
	}
	return append(said, append([]string{"an interrupted commit was taken back: " + j.files()}, kept...)...), nil
}

// files names the files of a commit, the first few of many.
func (j journal) files() string {
	var names []string
	for _, s := range j {
		if s.kind != entryMkdir {
			names = append(names, showPath(s.path))
		}
	}
	slices.Sort(names)
	if n := len(names); n > maxFiles {
		names = append(names[:maxFiles], fmt.Sprintf("and %d more", n-maxFiles))
	}
	return strings.Join(names, ", ")
}

// maxFiles is how many files a sentence on a recovered commit names.
const maxFiles = 5

// lockAndRecover locks dirs and recovers what is found under the lock, for which the directories of the dead commit are
// locked too. If tolerant, a state directory that is not ours does not matter.
func lockAndRecover(ctx context.Context, d disk, dirs func() []string, wait, tolerant bool) (unlock func(), said []string, err error) {
	var locked, all []string
	lock := func(dirs func() []string) error {
		var err error
		locked = nil
		unlock, err = d.Lock(ctx, func() []string { locked = dirs(); return locked }, wait)
		if locked == nil {
			locked = dirs() // a disk that knows one lock does not ask
		}
		return at("lock", ".", err)
	}
	if err := lock(dirs); err != nil {
		return nil, nil, err
	}
	for {
		j, found, err := leftover(d)
		if err != nil && tolerant {
			return unlock, said, nil
		}
		if err != nil || !found {
			if err != nil {
				unlock()
			}
			return unlock, said, err
		}
		all = slices.Clone(locked)
		for _, s := range j {
			all = append(all, nearestDir(d, path.Dir(s.path)))
		}
		slices.Sort(all)
		if all = slices.Compact(all); !slices.Equal(all, locked) {
			unlock()
			if err := lock(func() []string { return present(d, all) }); err != nil {
				return nil, said, err
			}
			continue
		}
		more, err := recoverCommit(d, j)
		said = append(said, more...)
		if err != nil {
			unlock()
			return nil, said, err
		}
		if len(j) == 0 {
			return unlock, said, nil
		}
	}
}
