package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// lockAndRecover locks the directories of the job. Before it returns, it recovers from a dead commit, if there is one:
// it takes the guard of the state directory, which a live commit would have, and also locks the directories of the dead
// commit.
func (j job) lockAndRecover(ctx context.Context, wait bool) (unlock func(), err error) {
	d := j.disk
	var dead []string // the directories of a dead commit
	swept := false
	for {
		dirs := func() []string { return nearestDirs(d, slices.Concat(j.lockDirs(), dead)) }
		unlock, locked, err := lock(ctx, d, dirs, wait)
		if err != nil {
			return nil, err
		}
		left, unguard, err := guardLeftover(ctx, d, wait)
		if len(left.records) > 0 && dropRecords(d, left.records, j.open) {
			left.found = true
		}
		needed := dirsOf(d, slices.Concat(left.journal, left.stages))
		done := false
		switch {
		case err != nil:
		case !left.found || len(left.journal) == 0 && swept: // what could not be removed is in nobody's way
			done = len(dead) == 0
			dead = nil // lock again without the directories of the dead commit; the nearest ones may have changed
		case slices.ContainsFunc(needed, func(dir string) bool { return !slices.Contains(locked, dir) }):
			dead = needed
		default:
			err = j.recover(left)
			swept = len(left.journal) == 0
		}
		unguard()
		if done || j.tolerates(err) {
			return unlock, nil
		}
		unlock()
		if err != nil {
			return nil, err
		}
	}
}

// recoverOnly recovers from a dead commit, and holds no locks afterwards.
func (j job) recoverOnly(ctx context.Context, wait bool) error {
	j.changes, j.lone = nil, false
	unlock, err := j.lockAndRecover(ctx, wait)
	if err == nil {
		unlock()
	}
	return err
}

// clearTop removes what a lone commit has left in the top directory if its process was killed. The next lone commit
// there would find the name taken, and do the same.
func clearTop(ctx context.Context, d disk.Disk, wait bool) error {
	if _, err := d.Lstat(step{dir: "."}.staged()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	unlock, _, err := lock(ctx, d, func() []string { return []string{"."} }, wait)
	if err == nil {
		clearBeside(d, ".")
		unlock()
	}
	return err
}

// dirsOf returns the directories that must not change while the entries of j are rolled back.
func dirsOf(d disk.Disk, j journal) []string {
	var dirs []string
	for _, e := range j {
		dirs = append(dirs, path.Dir(e.path))
		if e.isBeside() {
			dirs = append(dirs, e.dir)
		}
	}
	return nearestDirs(d, dirs)
}

// guardLeftover takes the guard of the state directory, so that there is no live commit, and reads what a dead one has
// left. The caller has to call unguard, even with an error.
func guardLeftover(ctx context.Context, d disk.Disk, wait bool) (left remainder, unguard func(), err error) {
	unguard, err = guardState(ctx, d, wait)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return left, func() {}, nil
	case err != nil:
		return left, func() {}, err
	}
	left, err = leftover(d)
	if err == nil && left.found && len(left.journal) == 0 {
		left.stages, err = listedStages(d)
	}
	if err != nil {
		left = remainder{}
	}
	return left, unguard, err
}

// guardState takes the guard of the state directory if it may be ours. It fails with fs.ErrNotExist if there is no such
// directory.
func guardState(ctx context.Context, d disk.Disk, wait bool) (unguard func(), err error) {
	if err := mayBeOurs(d); err != nil {
		return nil, err
	}
	is, unguard, err := d.Guard(ctx, StateDir, wait)
	if err != nil {
		return nil, disk.At("lock", StateDir, err)
	}
	if err := checkOurs(is); err != nil { // somebody has put another one there before it was opened
		unguard()
		return nil, err
	}
	return unguard, nil
}

// lock locks directories. It also returns the result of the last call of dirs.
func lock(ctx context.Context, d disk.Disk, dirs func() []string, wait bool) (unlock func(), locked []string,
	err error) {
	unlock, err = d.Lock(ctx, func() []string { locked = dirs(); return locked }, wait)
	return unlock, locked, disk.At("lock", ".", err)
}

// recover rolls back what a dead commit had begun, or concludes a commit over several trees that was decided. If it is
// interrupted, it can start again.
func (j job) recover(left remainder) error {
	dead := work{steps: left.journal, begun: len(left.journal), state: true, journal: true, verdict: left.verdict}
	if len(left.journal) == 0 { // no step had begun, so what cannot be removed is in nobody's way
		dropJournal(j.disk)
		dead.steps = left.stages
		j.sweep(dead, true)
		return nil
	}
	if left.verdict.id != "" {
		made, err := left.verdict.isMade(j.disk, j.open)
		var undecided *undecidedError
		if errors.As(err, &undecided) {
			undecided.of = left.journal
		}
		if err != nil && !j.undo {
			return err
		}
		if made {
			if err := dropJournal(j.disk); err != nil {
				return fmt.Errorf("%w: %w", errs.ErrUnfinished, err)
			}
			j.say("an interrupted commit was finished: " + left.journal.files())
			return j.sweep(dead, false)
		}
	}
	notes, err := j.takeBack(dead, true)
	if err != nil {
		err = fmt.Errorf("%w: %w", errs.ErrUnfinished, err)
	} else if err = j.sweep(dead, true); err == nil {
		j.say("an interrupted commit was rolled back: " + left.journal.files())
	}
	j.say(notes...)
	return err
}

// takeBack rolls back the steps of a commit that have begun, and then drops its journal, if there is one.
func (j job) takeBack(w work, sync bool) (notes []string, err error) {
	notes, err = undo(j.disk, w.steps, w.begun, sync)
	if err != nil || !w.journal {
		return notes, err
	}
	sweepBeside(j.disk, w.steps, true) // while the journal still names the staged files
	if err = w.verdict.leaveUndone(j.disk, j.open); err == nil {
		err = dropJournal(j.disk)
	}
	return notes, err
}

// files lists the first few files of a commit.
func (j journal) files() string {
	var files []string
	for _, e := range j {
		if e.kind != entryMkdir {
			files = append(files, names.Show(e.path))
		}
	}
	slices.Sort(files)
	return strings.Join(firstFew(files), ", ")
}
