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
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A claim is a job that wants its locks.
type claim struct {
	job
	called string   // the name of the tree in errors; "" if the caller adds that
	dead   []string // the directories of a dead commit, which are locked too
	locked []string
	swept  bool // what a dead commit without a journal has left was swept
}

// lock locks the directories of all claims, and recovers from dead commits, if there are any.
func lock(ctx context.Context, claims []claim, wait bool) (unlock func(), err error) {
	for {
		if unlock, err = take(ctx, claims, wait); err != nil {
			return nil, err
		}
		done := true
		for i := range claims {
			clear, problem := claims[i].clear(ctx, wait)
			done, err = done && clear, cmp.Or(err, problem)
		}
		if done {
			return unlock, nil
		}
		if unlock(); err != nil {
			return nil, err
		}
	}
}

// clear recovers from a dead commit, if there is one: under the guard of the state directory, which a live commit would
// have, and with locks of the dead commit's directories, too. It reports whether the locks are those that c needs.
func (c *claim) clear(ctx context.Context, wait bool) (done bool, err error) {
	left, unguard, err := guardLeftover(ctx, c.disk, wait)
	defer unguard()
	if dropRecords(c.disk, left.records, c.open) {
		left.found = true
	}
	needed := dirsOf(c.disk, slices.Concat(left.journal, left.stages))
	switch {
	case err != nil:
	case !left.found || len(left.journal) == 0 && c.swept: // what could not be removed is in nobody's way
		done = len(c.dead) == 0
		c.dead = nil // lock again without the directories of the dead commit; the nearest ones may have changed
	case slices.ContainsFunc(needed, func(dir string) bool { return !slices.Contains(c.locked, dir) }):
		c.dead = needed
	default:
		err = c.recover(left)
		c.swept = len(left.journal) == 0
	}
	if c.tolerates(err) {
		return true, nil
	}
	return done, inTree(c.called, err)
}

// take takes the locks of all claims. It begins again if a directory was replaced meanwhile.
func take(ctx context.Context, claims []claim, wait bool) (unlock func(), err error) {
	for tries := 0; ; tries++ {
		unlock, err := takeOnce(ctx, claims, wait)
		replaced := false
		for _, c := range claims {
			replaced = c.disk.ForgetReplaced() || replaced
		}
		gone := errors.Is(err, fs.ErrNotExist) && tries < 10 // since it was looked up
		switch {
		case err != nil && !gone, err == nil && !replaced:
			return unlock, err
		case err == nil:
			unlock()
		}
	}
}

// takeOnce takes the locks in the same order in all processes, whatever the trees are, so that there are no deadlocks.
func takeOnce(ctx context.Context, claims []claim, wait bool) (unlock func(), err error) {
	var locks []disk.Lock
	unlock = func() {
		for _, l := range slices.Backward(locks) {
			l.Release()
		}
	}
	fail := func(c *claim, step, name string, err error) (func(), error) {
		unlock()
		return nil, inTree(c.called, disk.At(step, name, err))
	}
	owners := map[string]*claim{}
	for i := range claims {
		c := &claims[i]
		c.locked = nearestDirs(c.disk, slices.Concat(c.lockDirs(), c.dead))
		for _, dir := range c.locked {
			l, err := c.disk.LockOf(dir)
			if err != nil {
				return fail(c, "lock", ".", err)
			}
			locks = append(locks, l)
			other := owners[l.Key()]
			if owners[l.Key()] = c; other != nil && other != c && other.dead == nil && c.dead == nil {
				return fail(c, "check", dir, fmt.Errorf(
					"the directory is changed by way of %s and %s; use one of the two: %w",
					names.Show(other.location.name()), names.Show(c.location.name()), fs.ErrInvalid))
			}
		}
	}
	slices.SortFunc(locks, func(l, m disk.Lock) int { return strings.Compare(l.Key(), m.Key()) })
	for i, l := range locks {
		if i > 0 && l.Key() == locks[i-1].Key() {
			continue // the same directory by another name
		}
		if err := l.Take(ctx, wait); err != nil {
			return fail(owners[l.Key()], "lock", ".", err)
		}
	}
	return unlock, nil
}

// recoverOnly recovers from a dead commit, and holds no locks afterwards.
func (j job) recoverOnly(ctx context.Context, wait bool) error {
	unlock, err := lock(ctx, []claim{{job: j}}, wait)
	if err == nil {
		unlock()
	}
	return err
}

// clearTop removes what a killed lone commit has left in the top directory, as the next lone commit there would.
func (j job) clearTop(ctx context.Context, wait bool) error {
	if _, err := j.disk.Lstat(step{dir: "."}.staged()); err != nil {
		return disk.UnlessGone(err)
	}
	j.changes, j.lone = nil, true
	unlock, err := take(ctx, []claim{{job: j}}, wait)
	if err == nil {
		clearBeside(j.disk, ".")
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
	if err != nil {
		return left, func() {}, disk.UnlessGone(err)
	}
	left, err = leftover(d)
	return left, unguard, err
}

// guardState takes the guard of the state directory if it may be ours. It fails with fs.ErrNotExist if there is none.
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

// recover rolls back what a dead commit had begun, or concludes it if it was decided. It can start again at any time.
func (j job) recover(left remainder) error {
	dead := work{steps: left.journal, begun: len(left.journal), state: true, journal: true, head: left.head}
	if len(left.journal) == 0 { // no step had begun, so what cannot be removed is in nobody's way
		dropJournal(j.disk)
		dead.steps = left.stages
		j.sweep(dead, true)
		return nil
	}
	if left.verdict.id != "" {
		made, err := left.verdict.isMade(j.disk, j.open)
		if err != nil && !j.undo {
			return &undecidedError{left.verdict.root, err, left.journal}
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
	if err = w.leaveUndone(j.disk, j.open); err == nil {
		err = dropJournal(j.disk)
	}
	return notes, err
}

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

// errDied means that a commit to the same tree died while this one was waiting for it.
var errDied = errors.New("another commit has died meanwhile")

// makeState makes the state directory if w needs it, and takes its guard. Bare work needs it only to stage a file
// there, or to list one that is staged beside its target. What a lone commit stages at the top needs no list, because
// everybody finds it there: see clearTop.
func (j job) makeState(ctx context.Context, w *work) (err error) {
	needs := func(s step) bool { return s.hasNew() && !(j.lone && s.dir == ".") }
	again := !w.bare || slices.ContainsFunc(w.steps, needs)
	for tries := 0; again && tries < 100; tries++ { // the commit that had the guard before may have removed it
		again, err = j.openState(ctx, w)
	}
	return err
}

// openState makes the state directory unless there is one, takes its guard, and prepares it, or goes on without, if the
// commit has to. If gone is set, somebody removed the directory before that.
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

// useState prepares the state directory under its guard. Even if it is new, a commit may have died there meanwhile.
func (j job) useState(w *work) error {
	left, err := leftover(j.disk)
	if err != nil {
		return err
	}
	if w.bare && len(left.journal) > 0 && !left.journal.changes(w.steps[len(w.steps)-1].path) {
		return j.withoutState(w, errDied) // perhaps one that nobody can decide now
	}
	// a torn journal is in the way of ours
	if len(left.journal) > 0 || !w.bare && slices.Contains(left.names, path.Base(JournalName)) {
		return errDied
	}
	w.state = true // from here on, this commit has to sweep it
	// An overlay may copy the directory when its first file is made, and only then is its time of birth recorded.
	if len(left.names) == 0 || j.disk.Remove(ignoreName) == nil {
		if err := j.disk.Create(ignoreName, []byte(ignoreText), disk.Meta{Perm: 0o600}); err != nil {
			return disk.At("stage", ignoreName, err)
		}
	}
	return j.numberStages(w, firstFree(left.names))
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
	w.first = max(firstNumber(now), free)
	for i := range w.steps {
		w.steps[i].number = w.first + i
	}
	return nil
}

// errNameless means that the state directory has no identity, so that its journal could not be told from a copy.
var errNameless = errors.New(
	"the file system does not tell when a directory was made, and there is no state directory of the user elsewhere")

// firstFree returns a number above all names in the state directory: on Windows, some may be open, and not removable.
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
// another file system, or new files inherit something there. A lone commit stages in the top directory, if it may.
func (j job) nameStages(w *work) (err error) {
	var top disk.Traits
	lone := j.lone && w.bare && w.steps[0].kind == entryEdit && path.Dir(w.steps[0].path) == "."
	if !w.beside && !j.overwrite && !lone {
		if top, err = j.disk.Inspect("."); err != nil {
			return disk.At("check", ".", err)
		}
	}
	parents := map[string]stageParent{}
	for i := range w.steps {
		s := &w.steps[i]
		if s.kind == entryMkdir {
			continue
		}
		s.as.SyncNext = j.opts.Durability != DurableNone
		s.as.Early = s.as.SyncNext && !j.lone
		in, ok := parents[path.Dir(s.path)]
		if !ok {
			in, err = j.parentOf(*s, w, top)
			parents[path.Dir(s.path)] = in
		}
		if err == nil && in.Fixed && s.kind == entryCreate {
			err = errFixedDir
		}
		if err != nil {
			return disk.At("check", s.path, err)
		}
		s.dir = StateDir
		switch {
		case in.atTop:
			s.dir = "."
		case s.kind == entryWrite: // its staged file is only read, never renamed
		case w.beside, in.Device != top.Device, s.kind == entryCreate && in.Inherits:
			s.dir = in.dir
		}
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
	if err == nil && j.lone && w.bare {
		in.atTop, err = mayStageAtTop(j.disk, in, top)
	}
	return in, err
}

// mayStageAtTop reports whether a file may be staged at the top: not if the directories above it hide it from anybody.
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
