package commit

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// tolerates reports whether the commit can do without a state directory that has caused err. WriteFile never needs one.
func (j job) tolerates(err error) bool {
	var undecided *undecidedError
	switch one := j.only && len(j.changes) == 1; {
	case errors.Is(err, errForeign):
		return one
	case errors.As(err, &undecided):
		return one && !undecided.of.changes(j.changes[0].Path)
	}
	return j.overwrite && errors.Is(err, errUnknownJournal)
}

// conclude removes the journal and sweeps. Without its journal, the commit is done, even if a later one has to sweep.
func (j job) conclude(w work) error {
	var unsure error
	if w.journal {
		if unsure = j.disk.Remove(JournalName); unsure != nil {
			if _, look := j.disk.Lstat(JournalName); !errors.Is(look, fs.ErrNotExist) {
				return j.rollBack(w, inTree(j.label, disk.At("conclude", JournalName, unsure)))
			}
		}
		unsure = cmp.Or(j.syncMeta(StateDir, j.disk.SyncDir), unsure)
	}
	forgetNew(j.disk, w.steps)
	j.sweep(w, false)
	if unsure != nil {
		return fmt.Errorf("%w: %w", errs.ErrNotDurable, inTree(j.label, unsure))
	}
	return nil
}

// rollBack rolls back the steps that have begun, and returns cause with what else there is to say.
func (j job) rollBack(w work, cause error) error {
	if w.bare {
		return j.rollBackBare(w, cause)
	}
	forgetNew(j.disk, w.steps)
	sync := j.opts.Durability == DurableFull && w.begun > 0
	kept, err := j.takeBack(w, sync)
	if err != nil { // a second try is safe, and a passing error may be gone
		kept, err = j.takeBack(w, sync)
	}
	if err != nil {
		return fmt.Errorf("%w: %w (rolling back: %w)", errs.ErrUnfinished, cause, inTree(j.label, err))
	}
	j.sweep(w, true)
	for _, note := range firstFew(labeledAll(j.label, kept)) {
		cause = fmt.Errorf("%w (%s)", cause, note)
	}
	return cause
}

// rollBackBare rolls back a bare commit. If the file has already changed, the change stays, because there is no backup.
func (j job) rollBackBare(w work, cause error) error {
	last := len(w.steps) - 1
	s := w.steps[last]
	if w.begun > last { // which is no new directory: that is made for a step
		now, err := versionAt(j.disk, s.path)
		done := now == ""
		if after := s.change.After; after != nil {
			done = now == disk.VersionOf(after.Data)
		}
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w (looking at the file: %w)", errs.ErrUnfinished, cause, inTree(j.label, err))
		case done:
			j.sweep(w, true)
			return fmt.Errorf("%w: %w", errs.ErrNotDurable, cause)
		}
		w.begun = last
	}
	undo(j.disk, w.steps, w.begun, false)
	j.sweep(w, true)
	return cause
}

// sweep removes what a commit has left, except for names that stay. If it fails, the next commit sweeps again.
func (j job) sweep(w work, undone bool) error {
	sweepBeside(j.disk, w.steps, undone)
	if w.state {
		return sweepState(j.disk, stays)
	}
	return nil
}

// dropJournal removes the journal. From then on, nothing can be rolled back.
func dropJournal(d disk.Disk) error {
	if err := disk.UnlessGone(d.Remove(JournalName)); err != nil {
		return disk.At("remove", JournalName, err)
	}
	return disk.At("sync", StateDir, disk.UnlessGone(d.SyncDir(StateDir)))
}

func sweepState(d disk.Disk, stays func(name string) bool) error {
	names, err := d.ReadDir(StateDir)
	if err != nil {
		return disk.At("sweep", StateDir, disk.UnlessGone(err))
	}
	some := slices.ContainsFunc(names, stays)
	err = together(len(names), func(i int) error {
		if stays(names[i]) || some && names[i] == path.Base(ignoreName) || !isStateName(names[i]) {
			return nil
		}
		return d.Remove(StateDir + "/" + names[i])
	})
	if err == nil && !some {
		err = d.Remove(StateDir)
	}
	return disk.At("sweep", StateDir, err)
}

// sweepBeside removes what is left outside the state directory. After a commit, that is only the links of new files.
func sweepBeside(d disk.Disk, steps []step, undone bool) {
	together(len(steps), func(i int) error {
		s := steps[i]
		if s.isBeside() && (undone || s.kind == entryCreate) {
			d.Remove(s.staged())
		}
		if s.isBeside() && undone {
			d.Remove(s.restore())
		} else if undone && s.dir != "" && path.Dir(s.path) != "." {
			d.Remove(s.restoreBeside())
		}
		return nil
	})
}

// undo rolls back the first begun steps, the last one first. It decides by content and consumes no backup, so it can
// start again. Content that is neither old nor new stays, as somebody else's; the backup is kept, and a note says so.
func undo(d disk.Disk, steps []step, begun int, sync bool) (notes []string, err error) {
	var problems []error
	made := map[string]bool{} // by the steps
	for _, s := range steps[:begun] {
		made[s.path] = s.kind == entryMkdir
	}
	for _, s := range slices.Backward(steps[:begun]) {
		note, err := undoOne(d, steps, s)
		if dir := path.Dir(s.path); made[dir] { // which nobody locks: the next step needs the handle
			d.Forget(dir)
		}
		if err != nil {
			problems = append(problems, disk.At("roll back", s.path, err))
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	if sync && len(problems) == 0 {
		for _, dir := range touched(steps[:begun]) {
			if err := d.SyncDir(dir); err != nil {
				if there, look := hasDir(d, dir); there || look != nil {
					problems = append(problems, disk.At("sync", dir, err))
				}
			}
		}
	}
	return notes, joined(problems)
}

// isWrittenSince reports whether s moved a file to its name, and somebody then wrote it in place. The backup, a link to
// the same file, takes what was written back to the old name.
func isWrittenSince(d disk.Disk, steps []step, s step, now disk.Version) bool {
	return now != "" && now != s.new && slices.ContainsFunc(steps, func(t step) bool {
		if t.kind != entryDelete || t.old != s.new {
			return false
		}
		was, err := versionAt(d, t.backup())
		return err == nil && was == now
	})
}

func undoOne(d disk.Disk, steps []step, s step) (note string, err error) {
	if s.kind == entryMkdir {
		return undoMkdir(d, s)
	}
	note, err = undoFile(d, steps, s)
	if err == nil {
		return note, nil
	}
	there, look := hasDir(d, path.Dir(s.path))
	switch {
	case look == nil && !there && s.kind == entryCreate:
		return "", nil
	case look == nil && !there: // the directory has gone, so the file cannot be put back
		return keep(d, s)
	}
	if _, look := d.Lstat(s.backup()); s.kind != entryCreate && errors.Is(look, fs.ErrNotExist) &&
		errors.Is(err, fs.ErrNotExist) { // it may be a full disk that keeps the old file from being written anew
		err = fmt.Errorf("the old file is missing in %s; put it there, or remove %s to leave the files as they are: %w",
			s.backup(), StateDir, fs.ErrNotExist)
	}
	return "", err
}

func undoFile(d disk.Disk, steps []step, s step) (note string, err error) {
	now, err := versionAt(d, s.path)
	if err != nil {
		return "", err
	}
	if isWrittenSince(d, steps, s, now) {
		now = s.new
	}
	putBackAs := func(t step) bool { // under a name that differs only in case
		return t.kind == entryDelete && t.old == now && strings.EqualFold(t.path, s.path)
	}
	switch {
	case s.kind == entryCreate && now == s.new:
		return "", d.Remove(s.path)
	case s.kind == entryCreate && (now == "" || slices.ContainsFunc(steps, putBackAs)):
		return "", nil
	case s.kind == entryDelete && now == "", s.kind == entryEdit && now == s.new:
		return "", putBack(d, s)
	case now == s.old:
		return "", nil
	case s.kind == entryWrite && now != "" && now != noFile:
		before, err := tornFrom(d, s)
		if err != nil {
			return "", err
		}
		if before != nil {
			return "", d.Overwrite(s.path, before.Data)
		}
	}
	return keep(d, s)
}

// tornFrom returns the old content of a file that a write in place has torn: that of the new content or, in a rollback,
// that of the old one. It returns nil if somebody else wrote the file, and fs.ErrNotExist if the backup is missing.
func tornFrom(d disk.Disk, s step) (before *File, err error) {
	torn, _, err := isTorn(d, s.path, s.staged(), s.change.After)
	again, before, errBefore := isTorn(d, s.path, s.backup(), s.change.Before)
	if err = cmp.Or(err, errBefore); err != nil {
		return nil, err
	}
	switch {
	case !torn && !again:
		return nil, nil
	case before == nil:
		return nil, fs.ErrNotExist
	}
	return before, nil
}

// isTorn reports whether a file has what an interrupted write in place leaves of a content: its beginning and, after a
// power cut, perhaps zeros. It returns the content: that of the file called whole or, if that has gone, the known one.
func isTorn(d disk.Disk, name, whole string, known *File) (bool, *File, error) {
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
	if errors.Is(err, errs.ErrTooLarge) {
		return false, known, nil
	}
	torn := slices.EqualFunc(now, known.Data[:len(now)], func(is, was byte) bool { return is == 0 || is == was })
	return torn, known, err
}

// undoMkdir removes a directory that a commit made, unless somebody has put something in it or in its place.
func undoMkdir(d disk.Disk, s step) (note string, err error) {
	there, err := hasDir(d, s.path)
	switch {
	case err != nil:
		return "", err
	case !there:
		if _, err := d.Lstat(s.path); err == nil {
			note = somebodyElse(s.path)
		}
		return note, nil
	}
	if err = disk.UnlessGone(d.Remove(s.path)); err != nil {
		if names, look := d.ReadDir(s.path); look == nil && len(names) > 0 {
			err = nil
		}
	}
	return "", err
}

// putBack restores the old file. It keeps the backup, which is needed again if the rollback is interrupted.
func putBack(d disk.Disk, s step) (err error) {
	for _, name := range []string{s.restore(), s.restoreBeside()} {
		err = inTurn(
			func() error { return disk.UnlessGone(d.Remove(name)) },
			func() error { return linkOrCopy(d, s.backup(), name, true, d.SyncFile) },
			func() error { return replace(d, s, name) })
		if !disk.OtherDevice(err) { // when the file was staged, this was not known
			break
		}
	}
	if s.change.Before != nil && errors.Is(err, fs.ErrNotExist) {
		err = rewrite(d, s)
	}
	return err
}

// replace renames a file to the path of s. After a delete, it replaces nothing.
func replace(d disk.Disk, s step, name string) error {
	if s.kind == entryDelete {
		return d.RenameNew(name, s.path)
	}
	return d.Rename(name, s.path)
}

// rewrite restores the old file, whose content this process knows, without its backup, which somebody has removed, as
// "git clean" does. The cleaning may still go on, so rewrite tries several times.
func rewrite(d disk.Disk, s step) (err error) {
	// closed to others, because the file may have had another owner
	as := disk.Meta{Mode: cmp.Or(s.change.Before.Mode&0o700, 0o600)}
	if s.kind == entryEdit && s.like == s.path { // the new file has the same owner
		if has, err := attributesOf(d, s.path, nil); err == nil {
			as = disk.Meta{Like: &has, Mode: s.change.Before.Mode, LooseOwner: true}
		}
	}
	name := s.restoreBeside()
	for range 20 {
		d.Remove(name)
		err = inTurn(
			func() error { return d.Create(name, s.change.Before.Data, as) },
			func() error { return d.SyncFile(name) },
			func() error { return replace(d, s, name) })
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		d.Remove(name)
	}
	return err
}

// keep leaves the content of somebody else in place, and gives the backup a name that is never swept.
func keep(d disk.Disk, s step) (note string, err error) {
	note = somebodyElse(s.path)
	if s.kind == entryCreate {
		return note, nil
	}
	was, err := versionAt(d, s.backup())
	if err != nil {
		return note, err
	}
	now, err := versionAt(d, s.path)
	if was == "" || err == nil && was == now { // the backup has gone, or it is a link to the same file
		return note, nil
	}
	for n := 1; ; n++ {
		name := StateDir + "/kept." + strconv.Itoa(n)
		is, err := versionAt(d, name)
		if err == nil && is == "" {
			if err = linkOrCopy(d, s.backup(), name, true, d.SyncFile); err == nil {
				err = d.SyncDir(StateDir)
			}
			is = was
		}
		if err != nil || is == was { // an interrupted rollback may have kept it already
			return note + "; what was there before the commit is in " + name, err
		}
	}
}

func somebodyElse(name string) string {
	return names.Show(name) + " was changed by somebody else in the meantime, and is left as it is"
}
