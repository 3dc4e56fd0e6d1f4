package commit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// stage writes every new file under a hidden name, and gives every old file a second name.
func (j job) stage(ctx context.Context, w *work) error {
	if err := j.makeState(ctx, w); err != nil {
		return err
	}
	if !j.lone || w.state {
		if err := j.prepareBeside(w); err != nil {
			return err
		}
	}
	return together(len(w.steps), func(i int) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.steps[i], err = j.stageOne(w.steps[i], w)
		return disk.At("stage", w.steps[i].path, j.staleIfGone(w.steps[i], err))
	})
}

// prepareBeside makes room for the files that are staged beside their targets, and lists them in the state directory.
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
	return j.listStages(beside, w.born)
}

// stageOne writes the new file of a step and links or copies the old one. It returns the step, which has another stage
// name if the first one was taken.
func (j job) stageOne(s step, w *work) (step, error) {
	if s.hasNew() {
		var err error
		if s, err = j.stageNew(s, w); err != nil {
			return s, err
		}
	}
	if w.bare || !s.replaces() {
		return s, nil
	}
	if s.kind == entryWrite { // a link would change together with the file
		return s, copyFile(j.disk, s.path, s.backup(), true, j.syncFile)
	}
	return s, linkOrCopy(j.disk, s.path, s.backup(), j.opts.AllowOwnerChange, j.syncFile)
}

func (j job) stageNew(s step, w *work) (step, error) {
	if s.linkOf != "" {
		err := j.disk.Link(s.linkOf, s.staged())
		if err == nil || !disk.NoLinks(err) && !disk.OtherDevice(err) {
			return s, err
		}
		s.linkOf = ""
	}
	if s.like != "" && s.as.Like == nil { // the check has not read the attributes
		var err error
		if s, err = j.copyAttributes(s); err != nil {
			return s, err
		}
	}
	create := func() error { return j.disk.Create(s.staged(), s.change.After.Data, s.as) }
	err := create()
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

// copyAttributes returns s with the attributes of the old file, which a lone commit keeps open. Unless it is to be
// overwritten, such a file is also compared with the content before.
func (j job) copyAttributes(s step) (step, error) {
	held, err := j.disk.Hold(s.like)
	if err != nil {
		return s, err
	}
	if j.lone {
		s.held = held
	} else {
		defer held.Close()
	}
	if j.lone && !j.overwrite {
		if err := stale(held.Equal(s.change.Before.Data)); err != nil {
			return s, err
		}
	}
	has, err := held.Attributes()
	s.as.Like = &has
	return s, err
}

// anotherBeside returns s, staged beside its target under a number that no step has. It is for a name
// that is taken by a directory, or by a file of another user, which cannot be removed.
func (s step) anotherBeside(w *work) step {
	used := len(w.steps)
	s.number = w.first + used + rand.IntN(max(1, numbers-used))
	return s
}

var errLeftover = fmt.Errorf("%s still holds files of a dead commit, and they cannot be removed: %w", StateDir,
	fs.ErrPermission)

// clearBeside removes the files in a directory that are named like staged files. Under our lock, no other commit is at
// work there, so they come from a killed process.
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
	if !errors.Is(err, fs.ErrNotExist) || s.change.Before == nil && s.like == "" && s.linkOf == "" {
		return err
	}
	if there, look := hasDir(j.disk, s.dir); look != nil || !there {
		return err
	}
	return errs.ErrStale
}

// secure puts the staged files and the journal on disk. They may get there in any order: if one of them is missing
// after a power cut, no change has begun.
func (j job) secure(w *work) error {
	var syncs []func() error
	for _, s := range w.steps {
		if s.hasNew() {
			syncs = append(syncs, func() error { return disk.At("sync", s.path, j.syncFile(s.staged())) })
		}
	}
	if !w.bare {
		text := journal(w.steps).encode(head{w.born, w.verdict})
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
