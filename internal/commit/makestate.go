package commit

import (
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

	"github.com/atomicedit/atomicedit/internal/disk"
)

// errDied means that a commit to the same tree died while this one was waiting for it.
var errDied = errors.New("another commit has died meanwhile")

// makeState makes the state directory if w needs it, and takes its guard. Bare work needs it only to stage a file
// there, or to list one that is staged beside its target. What a lone commit stages at the top needs no list, because
// everybody finds it there: see clearTop.
func (j job) makeState(ctx context.Context, w *work) (err error) {
	needs := func(s step) bool { return s.hasNew() && !(j.lone && s.dir == ".") }
	if w.bare && !slices.ContainsFunc(w.steps, needs) {
		return nil
	}
	gone := true
	for tries := 0; gone && tries < 100; tries++ { // the commit that had the guard before may have removed it
		gone, err = j.openState(ctx, w)
	}
	return err
}

// openState makes the state directory unless there is one, takes its guard, and prepares it, or goes on without, if the
// commit has to. If gone is set, somebody has removed the directory before openState had its guard.
func (j job) openState(ctx context.Context, w *work) (gone bool, err error) {
	err = j.disk.Mkdir(StateDir, 0o700)
	made := err == nil
	switch {
	case made, errors.Is(err, fs.ErrExist):
	case w.bare, errors.Is(err, fs.ErrPermission):
		return false, j.withoutState(w, err)
	default:
		return false, disk.At("make", StateDir, err)
	}
	unguard, err := guardState(ctx, j.disk, true)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, err
	case made && err != nil && ctx.Err() == nil:
		j.disk.Remove(StateDir)
		if errors.Is(err, errForeign) { // the file system keeps no modes, so recovery would not recognize the directory
			err = j.withoutState(w, errors.New("it cannot be closed to others"))
		}
		return false, err
	case err == nil:
		w.unguard = unguard
		err = j.useState(w)
	}
	if err == errNameless {
		w.state = false
		j.disk.Remove(ignoreName)
		j.disk.Remove(StateDir)
	}
	if err == errNameless || w.bare && errors.Is(err, errForeign) {
		err = j.withoutState(w, err)
	}
	return false, err
}

// withoutState goes on without a state directory: none can be made, or a foreign one is in the way.
func (j job) withoutState(w *work, err error) error {
	if !w.bare {
		return errNotTogether(disk.At("make", StateDir, err))
	}
	w.beside = true
	return j.nameStages(w)
}

func errNotTogether(why error) error {
	return fmt.Errorf("several files cannot be changed together here (%v), only one by one: %w", why,
		errors.ErrUnsupported)
}

// useState prepares the state directory. The caller has its guard. Even a directory that the caller has just made may
// hold a dead commit, which had the guard first.
func (j job) useState(w *work) error {
	names, err := ourState(j.disk)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		left, err := leftover(j.disk)
		if err != nil {
			return err
		}
		if w.bare && len(left.journal) > 0 && !left.journal.changes(w.steps[len(w.steps)-1].path) {
			return j.withoutState(w, errDied) // perhaps one that nobody can decide now
		}
		// a torn journal is in the way of ours
		if len(left.journal) > 0 || !w.bare && slices.Contains(names, path.Base(JournalName)) {
			return errDied
		}
	}
	w.state = true // from here on, this commit has to sweep it
	// An overlay may copy the directory when the first file is made in it. This has to happen before its time of birth
	// is recorded.
	if len(names) == 0 || j.disk.Remove(ignoreName) == nil {
		// so that it stays out of repositories
		if err := j.disk.Create(ignoreName, []byte(ignoreText), disk.Meta{Perm: 0o600}); err != nil {
			return disk.At("stage", ignoreName, err)
		}
	}
	return j.numberStages(w, firstFree(names))
}

// numberStages gives the stage names numbers that belong to this state directory and are at least free.
func (j job) numberStages(w *work, free int) error {
	now, err := j.disk.Inspect(StateDir)
	if err != nil {
		return disk.At("inspect", StateDir, err)
	}
	if now.Born == 0 {
		if now.Born, err = j.vault.make(); err != nil || now.Born == 0 {
			return cmp.Or(disk.At("make", "state directory of the user", err), errNameless)
		}
	}
	w.born = bornField(now)
	first := max(firstNumber(now), free)
	for i := range w.steps {
		w.steps[i].number += first - w.first
	}
	w.first = first
	return nil
}

// errNameless means that the state directory has no identity, so that its journal could not be told from a copy.
var errNameless = errors.New(
	"the file system does not tell when a directory was made, and there is no state directory of the user outside the " +
		"tree")

// firstFree returns a number above those of all names in the state directory. A commit that died or was rolled back can
// leave names that cannot be removed, such as a link to a file that somebody has open on Windows.
func firstFree(names []string) int {
	first := 0
	for _, name := range names {
		number, _, _ := strings.Cut(name, ".")
		if n, err := strconv.Atoi(number); err == nil && n < math.MaxInt32 {
			first = max(first, n+1)
		}
	}
	return first
}

// nameStages gives every step of w a name to stage under: in the state directory, or beside the target if that is on
// another file system, or if new files inherit something from its directory. A lone commit stages in the top directory,
// if it may.
func (j job) nameStages(w *work) (err error) {
	var top disk.Traits
	lone := j.lone && w.bare && w.steps[0].kind == entryEdit && path.Dir(w.steps[0].path) == "."
	if !w.beside && !j.overwrite && !lone {
		if top, err = j.disk.Inspect("."); err != nil {
			return disk.At("check", ".", err)
		}
	}
	parents := map[string]stageParent{}
	number := w.first - 1
	for i := range w.steps {
		s := &w.steps[i]
		if s.kind == entryMkdir {
			continue
		}
		number++
		s.as.SyncNext = j.opts.Durability != DurableNone
		s.as.Early = s.as.SyncNext && !j.lone
		in, ok := parents[path.Dir(s.path)]
		if !ok {
			if in, err = j.parentOf(*s, w, top); err != nil {
				return disk.At("check", s.path, err)
			}
			parents[path.Dir(s.path)] = in
		}
		dir := StateDir
		switch {
		case in.atTop:
			dir = "."
		case s.kind == entryWrite: // its staged file is only read, never renamed
		case w.beside, in.Device != top.Device, s.kind == entryCreate && in.Inherits:
			dir = in.dir
		}
		s.dir, s.number = dir, number
		if in.Device != top.Device {
			s.linkOf = ""
		}
	}
	return nil
}

// A stageParent is the nearest directory above a file that is there.
type stageParent struct {
	dir   string
	atTop bool // the new file is staged in the top directory instead
	disk.Traits
}

func (j job) parentOf(s step, w *work, top disk.Traits) (in stageParent, err error) {
	in.dir, err = nearest(j.disk, path.Dir(s.path))
	if err != nil || w.beside {
		return in, err
	}
	if in.Traits = top; in.dir != "." {
		in.Traits, err = j.disk.Inspect(in.dir)
	}
	if err == nil && in.Fixed && s.kind == entryCreate {
		err = errFixedDir
	}
	if err == nil && j.lone && w.bare {
		in.atTop, err = mayStageAtTop(j.disk, in, top)
	}
	return in, err
}

// mayStageAtTop reports whether a file of the directory in may be staged in the top directory. There, it must not show
// to anybody from whom the directories above the file hide it.
func mayStageAtTop(d disk.Disk, in stageParent, top disk.Traits) (bool, error) {
	const search = 0o011 // by others than the owner
	switch {
	case in.dir == ".":
		return true, nil
	case in.Device != top.Device, in.Inherits, !top.Writable, top.Fixed:
		return false, nil
	case top.Mode&search == 0:
		return true, nil
	case in.Mode&search != search:
		return false, nil
	}
	for dir := path.Dir(in.dir); dir != "."; dir = path.Dir(dir) {
		if is, err := d.Lstat(dir); err != nil || is.Mode&search != search {
			return false, err
		}
	}
	return true, nil
}
