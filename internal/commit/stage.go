package commit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// stage writes every new file under a hidden name, and gives every old file a second name.
func (j job) stage(ctx context.Context, w *work) error {
	err := j.makeState(ctx, w)
	if err == nil && (!j.lone || w.state) {
		err = j.prepareBeside(w)
	}
	if err != nil {
		return err
	}
	return together(len(w.steps), func(i int) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.steps[i], err = j.stageOne(w.steps[i], w)
		return disk.At("stage", w.steps[i].path, j.staleIfGone(w.steps[i], err))
	})
}

// prepareBeside makes room for the files that are staged beside their targets, and lists them in the state directory,
// for the next commit to remove. The list is not synced, so some files may stay after a power cut.
func (j job) prepareBeside(w *work) error {
	cleared := map[string]bool{}
	var beside []step
	for i := range w.steps {
		s := &w.steps[i]
		if !s.isBeside() {
			continue
		}
		if !cleared[s.dir] {
			cleared[s.dir] = true
			clearBeside(j.disk, s.dir)
		}
		if _, err := j.disk.Lstat(s.staged()); err == nil {
			*s = s.anotherBeside(w)
		}
		beside = append(beside, *s)
	}
	if len(beside) == 0 || !w.state {
		return nil
	}
	err := disk.UnlessGone(j.disk.Remove(stagesName))
	if err == nil {
		err = j.disk.Create(stagesName, journal(beside).encode(head{born: w.born}), disk.Meta{Perm: 0o600})
	}
	return disk.At("stage", stagesName, err)
}

// stageOne writes the new file of a step and links or copies the old one. The step may get another stage name.
func (j job) stageOne(s step, w *work) (_ step, err error) {
	if s.hasNew() {
		s, err = j.stageNew(s, w)
	}
	if err != nil || w.bare || !s.replaces() {
		return s, err
	}
	if s.kind == entryWrite { // a link would change together with the file
		return s, copyFile(j.disk, s.path, s.backup(), true, j.syncFile)
	}
	return s, linkOrCopy(j.disk, s.path, s.backup(), j.opts.AllowOwnerChange, j.syncFile)
}

func (j job) stageNew(s step, w *work) (_ step, err error) {
	if s.linkOf != "" {
		err := j.disk.Link(s.linkOf, s.staged())
		if err == nil || !disk.NoLinks(err) && !disk.OtherDevice(err) {
			return s, err
		}
		s.linkOf = ""
	}
	if s.like != "" && s.as.Like == nil { // the check has not read the attributes
		if s, err = j.copyAttributes(s); err != nil {
			return s, err
		}
	}
	create := func() error { return j.disk.Create(s.staged(), s.change.After.Data, s.as) }
	err = create()
	if errors.Is(err, fs.ErrExist) && s.isBeside() && j.lone {
		clearBeside(j.disk, s.dir)
		err = create()
	}
	if errors.Is(err, fs.ErrExist) && s.isBeside() {
		s = s.anotherBeside(w)
		err = create()
	}
	if errors.Is(err, fs.ErrExist) {
		return s, errLeftover
	}
	// a rollback has to read it
	if mode := cmp.Or(s.as.Mode, s.as.Perm); err == nil && !w.bare && mode != 0 && mode&0o400 == 0 {
		_, err = j.disk.Version(s.staged())
	}
	return s, err
}

// copyAttributes copies those of the old file, which a lone commit keeps open, and compares unless it overwrites it.
func (j job) copyAttributes(s step) (_ step, err error) {
	var has disk.Attributes
	if !j.lone {
		has, err = attributesOf(j.disk, s.like, nil)
	} else if s.held, err = j.disk.Hold(s.like); err == nil {
		if !j.overwrite {
			err = stale(s.held.Equal(s.change.Before.Data))
		}
		if err == nil {
			has, err = s.held.Attributes()
		}
	}
	s.as.Like = &has
	return s, err
}

// anotherBeside returns s, staged beside its target under a number that no step has, because its name cannot be freed.
func (s step) anotherBeside(w *work) step {
	used := len(w.steps)
	s.number = w.first + used + rand.IntN(max(1, numbers-used))
	return s
}

var errLeftover = fmt.Errorf("%s still holds files of a dead commit, and they cannot be removed: %w", StateDir,
	fs.ErrPermission)

// clearBeside removes files of a directory that are named like staged ones: under our lock, those of a killed process.
func clearBeside(d disk.Disk, dir string) {
	names, _ := d.ReadDir(dir)
	for _, name := range names {
		orphan := path.Join(dir, name)
		s, ok := step{}.stagedAs(strings.TrimSuffix(name, ".new"))
		if !ok || s.staged() != name {
			continue
		}
		if is, err := d.Lstat(orphan); err == nil && is.Mode.IsRegular() && (is.Ours || is.Keepable) {
			d.Remove(orphan)
		}
	}
}

// staleIfGone turns err into errs.ErrStale if it comes from a file that has disappeared since the check. The file may
// be back by now: some editors remove a file when they save it, and then make it again.
func (j job) staleIfGone(s step, err error) error {
	if errors.Is(err, fs.ErrNotExist) && (s.change.Before != nil || s.like != "" || s.linkOf != "") {
		if there, look := hasDir(j.disk, s.dir); look == nil && there {
			return errs.ErrStale
		}
	}
	return err
}

// secure puts the staged files and the journal on disk, in any order: if one of them is missing, no change has begun.
func (j job) secure(w *work) error {
	var syncs []func() error
	for _, s := range w.steps {
		if s.hasNew() {
			syncs = append(syncs, func() error { return disk.At("sync", s.path, j.syncFile(s.staged())) })
		}
	}
	if !w.bare {
		text := journal(w.steps).encode(w.head)
		if len(text) > maxJournal {
			return fmt.Errorf("too many files to change together: %w", errors.ErrUnsupported)
		}
		w.journal = true
		err := j.disk.Create(JournalName, text, disk.Meta{Perm: 0o600})
		if errors.Is(err, fs.ErrExist) {
			err = errLeftover
		}
		if err != nil {
			return disk.At("write", JournalName, err)
		}
		syncs = append(syncs,
			func() error { return j.syncMeta(JournalName, j.disk.SyncFile) },
			func() error { return j.syncMeta(StateDir, j.disk.SyncDir) },
			func() error { return j.syncMeta(".", j.disk.SyncDir) })
	}
	return together(len(syncs), func(i int) error { return syncs[i]() })
}

// apply carries out the steps. It counts those that have begun, a failed one among them unless that certainly did
// nothing. It updates a step whose file it has to stage again.
func (j job) apply(w *work) error {
	for i, s := range w.steps {
		if s.linkOf != "" { // its staged file is a link, so it can still have changed
			same, err := j.disk.Equal(s.staged(), s.change.After.Data)
			if err == nil && !same {
				err = errs.ErrStale
			}
			if err != nil {
				return disk.At("apply", s.linkOf, err)
			}
		}
		did, err := j.applyOne(w.steps, i)
		if did {
			w.begun++
		}
		if err != nil {
			return disk.At("apply", s.path, err)
		}
	}
	return nil
}

// applyOne carries out one step. If it fails, did reports whether it may have done something.
func (j job) applyOne(steps []step, i int) (did bool, err error) {
	s := steps[i]
	follow, err := j.followAttributes(steps, i)
	if err != nil {
		return false, err
	}
	defer follow.close()
	if s.replaces() {
		err = j.checkUnchanged(s, follow)
	}
	switch {
	case err != nil:
	case s.kind == entryMkdir:
		err = j.disk.Mkdir(s.path, 0o777)
		if now, look := j.disk.Lstat(s.path); errors.Is(err, fs.ErrExist) && look == nil && now.Mode.IsDir() {
			err = nil
		}
	case s.kind == entryCreate:
		if err = j.disk.Link(s.staged(), s.path); disk.NoLinks(err) {
			err = j.disk.RenameNew(s.staged(), s.path)
		}
	case s.kind == entryEdit:
		err = j.disk.Rename(s.staged(), s.path)
	case s.kind == entryWrite:
		err = j.disk.Overwrite(s.path, s.change.After.Data)
	case s.kind == entryDelete:
		// removed by somebody else, or a resent request
		if err = j.disk.Remove(s.path); errors.Is(err, fs.ErrNotExist) {
			return true, errs.ErrStale
		}
	}
	if err == nil {
		return true, follow.amend(j.disk)
	}
	return !errors.Is(err, fs.ErrExist) && !errors.Is(err, errs.ErrStale), err
}

// checkUnchanged compares the old file once more at the last moment, because some writers ignore the lock.
func (j job) checkUnchanged(s step, follow following) error {
	switch {
	case j.overwrite:
		return nil
	case follow.old != nil && follow.at == s.path:
		if err := stale(follow.old.Equal(s.change.Before.Data)); err != nil {
			return err
		}
		current, err := follow.old.IsCurrent() // since it was opened, somebody may have put another file in its place
		if err != nil || current {
			return err
		}
		// some file systems keep what a file was before the link that has become its backup
		now, err := attributesOf(j.disk, s.path, s.change.Before)
		return stale(now.Equal(follow.was), err)
	}
	return stale(j.disk.Equal(s.path, s.change.Before.Data))
}

func (j job) settle(w *work) error {
	sweepBeside(j.disk, w.steps, false) // while the journal still names the staged files
	dirs := touched(w.steps)
	return together(len(dirs), func(i int) error { return j.syncMeta(dirs[i], j.disk.SyncDir) })
}

// Another program may change the owner, mode or attributes of a file after they were copied to its replacement, without
// a lock and unseen in the content. So each step compares them again right before it takes the old file's name away,
// and stages the new file again if they have changed. Afterwards, it gives the new file what has changed in between.

// maxAttributeTries limits the attempts to copy attributes that keep changing.
const maxAttributeTries = 10

// A following watches the attributes of an old file while its name is taken away. The zero value watches nothing.
type following struct {
	old disk.Held
	at  string // the name of the old file
	new string // the name of the new file once the step is done
	was disk.Attributes
}

func (f following) close() {
	if f.old != nil {
		f.old.Close()
	}
}

// followAttributes compares the attributes of the old file with those that the new one has copied. If they differ, it
// stages the new file again or, if that is in place already, amends it.
func (j job) followAttributes(steps []step, i int) (following, error) {
	heir := i
	if steps[i].kind == entryDelete { // the step that moves the file, if there is one
		heir = slices.IndexFunc(steps, func(s step) bool { return s.hasNew() && s.like == steps[i].path })
	}
	if heir < 0 || steps[heir].as.Like == nil || steps[heir].like == "" {
		return following{}, nil
	}
	for range maxAttributeTries {
		s := steps[heir]
		steps[heir].held = nil
		f, err := j.hold(s)
		switch {
		case errors.Is(err, fs.ErrNotExist) && heir == i && indexOfDelete(steps[:i], s.like) >= 0:
			return following{}, nil
		case errors.Is(err, fs.ErrNotExist) && !j.overwrite:
			return following{}, errs.ErrStale
		case err != nil:
			return following{}, err
		}
		if heir > i {
			f.new = s.staged()
		}
		if f.was.Equal(*s.as.Like) {
			return f, nil
		}
		f.close()     // what follows takes time, in which somebody else may replace the file
		if heir < i { // its new file is in place already
			err = j.disk.Amend(f.new, *s.as.Like, f.was)
		} else {
			s.as.Like = &f.was
			err = inTurn(
				func() error { return j.disk.Remove(s.staged()) },
				func() error { return j.disk.Create(s.staged(), s.change.After.Data, s.as) },
				func() error { return j.syncFile(s.staged()) })
		}
		if err != nil {
			return following{}, err
		}
		steps[heir].as.Like = &f.was
	}
	return following{}, disk.ErrChanging
}

// hold begins to follow the file that the new file of s copies, which may have been replaced since it was opened.
func (j job) hold(s step) (f following, err error) {
	old := s.held
	if old != nil {
		if same, err := old.IsCurrent(); err != nil || !same {
			old.Close()
			old = nil
		}
	}
	if old == nil {
		old, err = j.disk.Hold(s.like)
	}
	switch {
	case errors.As(err, new(*errs.KindError)):
		return f, errs.ErrStale
	case err != nil:
		return f, err
	}
	f = following{old: old, at: s.like, new: s.path}
	if f.was, err = old.Attributes(); err != nil {
		f.close()
	}
	return f, err
}

// amend gives the new file the changes in the attributes of the old one, up to when that lost its name.
func (f following) amend(d disk.Disk) error {
	if f.old == nil {
		return nil
	}
	for range maxAttributeTries {
		now, err := f.old.Attributes()
		if err != nil || now.Equal(f.was) {
			return disk.UnlessGone(err) // some file systems find open files by name, and not one that has lost it
		}
		if err := d.Amend(f.new, f.was, now); err != nil {
			return err
		}
		f.was = now
	}
	return nil
}
