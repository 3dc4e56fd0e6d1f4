package commit

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A joint commit is one over one tree or several, in an order that all processes share. It is as durable as the
// strictest tree asks for. Trees may lie in one another, but no directory may be changed by way of two of them.
//
// If the process dies, each tree recovers by itself when it is opened or changed next (see verdict).
type joint []job

// run makes all changes or none. First it rolls back commits that died.
func (jobs joint) run(ctx context.Context) error {
	if len(jobs) == 1 {
		j := &jobs[0]
		j.only = true
		c := j.changes[0]
		if j.lone = len(j.changes) == 1 && c.After != nil && c.From == ""; !j.lone {
			j.clearTop(ctx, false) // a lone commit does so when it needs the name
		}
	} else if err := jobs.putInOrder(); err != nil {
		return err
	}
	for range 10 { // a commit may die while this one waits for it
		if err := jobs.once(ctx); !errors.Is(err, errDied) {
			return err
		}
	}
	return errLeftover
}

// putInOrder puts the jobs in the order in which all processes take guards, so that no two wait for one another, and
// makes them as strict as the strictest, because a power cut could otherwise lose a part of the commit.
func (jobs joint) putInOrder() error {
	strictest := slices.MinFunc(jobs, func(a, b job) int { return cmp.Compare(a.opts.Durability, b.opts.Durability) })
	durability := strictest.opts.Durability
	for i, j := range jobs {
		top, err := j.disk.LockOf(".")
		if err != nil {
			return disk.At("inspect", ".", err)
		}
		top.Release()
		tree := *j.Tree
		tree.opts.Durability = durability
		jobs[i].Tree, jobs[i].key = &tree, top.Key()
	}
	slices.SortFunc(jobs, func(a, b job) int { return strings.Compare(a.key, b.key) })
	for i, j := range jobs[1:] {
		if last := jobs[i]; j.key == last.key {
			return fmt.Errorf("%s and %s are one directory, and cannot be two parts of a commit: %w",
				names.Show(last.location.name()), names.Show(j.location.name()), fs.ErrInvalid)
		}
	}
	return nil
}

// once waits for the locks as long as the jobs have patience.
func (jobs joint) once(ctx context.Context) error {
	waiting, stop := ctx, context.CancelFunc(func() {})
	if patience := jobs[0].patience; patience > 0 {
		cause := fmt.Errorf("gave up after %v: %w", patience, context.DeadlineExceeded)
		waiting, stop = context.WithTimeoutCause(ctx, patience, cause)
	}
	unlock, err := lock(waiting, mapped(jobs, func(j job) claim { return claim{job: j, called: j.label} }), true)
	stop()
	if err != nil {
		return err
	}
	defer unlock()
	err = jobs.underLock(ctx, false)
	if disk.OtherDevice(err) && !errors.Is(err, errs.ErrUnfinished) {
		err = jobs.underLock(ctx, true) // another file system is mounted below, and Inspect did not tell
	}
	return err
}

func (jobs joint) underLock(ctx context.Context, beside bool) error {
	var busy joint // that have something to do
	var works []work
	var problems []error
	for _, j := range jobs {
		w, err := j.check(ctx)
		problems = append(problems, inTree(j.label, err))
		if len(w.steps) > 0 {
			w.beside = beside
			busy, works = append(busy, j), append(works, w)
		}
	}
	if err := joined(problems); err != nil || len(busy) == 0 {
		return err
	}
	return busy.carryOut(ctx, works)
}

func (jobs joint) carryOut(ctx context.Context, works []work) error {
	several := len(jobs) > 1
	if several && slices.ContainsFunc(jobs, func(j job) bool { return j.location.name() == "" }) {
		return fmt.Errorf("a directory without an absolute name cannot be changed together with others: %w",
			errors.ErrUnsupported)
	}
	var err error
	for i, j := range jobs {
		w := &works[i]
		if several {
			w.needJournal()
		}
		if err = j.nameStages(w); err == nil {
			defer w.release()
			err = j.stage(ctx, w)
		}
		switch {
		case err == errDied: // and what it has left there is not ours to sweep
			return jobs.rollBack(works[:i], err)
		case err != nil:
			return jobs.rollBack(works[:i+1], inTree(j.label, err))
		}
	}
	if several {
		err = jobs.giveVerdict(works)
	}
	inEach := func(do func(j job, w *work) error) {
		for i := 0; i < len(jobs) && err == nil; i++ {
			err = inTree(jobs[i].label, do(jobs[i], &works[i]))
		}
	}
	inEach(job.secure)
	if err == nil {
		err = ctx.Err()
	}
	inEach(job.apply)
	inEach(job.settle)
	if err != nil {
		return jobs.rollBack(works, err)
	}
	if !several {
		return jobs[0].conclude(works[0])
	}
	err = jobs.decide(works[0])
	switch {
	case err == nil:
		jobs.conclude(works)
	case !errors.Is(err, errs.ErrUnfinished):
		return jobs.rollBack(works, err)
	}
	return err
}

// giveVerdict lets each work know the verdict of the commit, whose record the first job writes. The trees have their
// state directories by now: for that, an overlay may have copied a tree's directory.
func (jobs joint) giveVerdict(works []work) error {
	var random [idBytes]byte
	rand.Read(random[:])
	id := fmt.Sprintf("%x", random)
	var trees []verdict
	for _, j := range jobs {
		mark, err := markOf(j.disk)
		if err != nil {
			return inTree(j.label, disk.At("inspect", ".", err))
		}
		trees = append(trees, verdict{id: id, mark: mark, root: j.location.name()})
	}
	for i := range works {
		works[i].verdict = trees[0]
	}
	works[0].verdict.root, works[0].verdict.others = "", trees[1:] // the record is in the same tree
	return nil
}

// decide writes the record, after which the commit is done. Only if it fails with errs.ErrUnfinished may there be one.
func (jobs joint) decide(w work) error {
	first, v := jobs[0], w.verdict
	err := w.record(first.disk, first.opts.Durability == DurableFull)
	if err == nil {
		return nil
	}
	err = inTree(first.label, disk.At("decide", v.record(), err))
	first.disk.Remove(v.record())
	_, look := first.disk.Lstat(v.record())
	if !errors.Is(look, fs.ErrNotExist) || first.disk.SyncDir(StateDir) != nil {
		err = fmt.Errorf("%w: %w", errs.ErrUnfinished, err)
	}
	return err
}

// conclude removes the journals, and then the record that they name. If it cannot, a recovery does.
func (jobs joint) conclude(works []work) {
	needed := false
	for i, j := range slices.Backward(jobs) {
		if dropJournal(j.disk) != nil {
			needed = true
			continue
		}
		if i == 0 && !needed {
			j.disk.Remove(works[0].verdict.record())
		}
		forgetNew(j.disk, works[i].steps)
		j.sweep(works[i], false)
	}
}

// rollBack answers an error of a commit that has no record.
func (jobs joint) rollBack(works []work, err error) error {
	for i, w := range slices.Backward(works) {
		err = jobs[i].rollBack(w, err)
	}
	return err
}

// WriteFile replaces or creates the file called name. It follows links. A new file has the mode perm before umask.
// WriteFile waits for other commits until ctx ends or, if patience is not 0, at most that long.
func WriteFile(ctx context.Context, patience time.Duration, name string, data []byte, perm fs.FileMode,
	durability Durability) error {
	final, err := followLinks(name)
	dir, base := filepath.Split(final) // not cleaned: ".." after a link to a directory is not the link's parent
	dir = cmp.Or(dir, ".")
	var d disk.Disk
	var release func()
	switch {
	case err != nil:
	case base != ".." && !disk.IsLocal(base):
		err = errForeignName
	case isReserved(base):
		err = fmt.Errorf("the name is reserved for staging the files of commits: %w", fs.ErrInvalid)
	default:
		d, release, err = disk.Open(dir)
	}
	if err != nil {
		return disk.At("write", name, err)
	}
	defer release()
	number := func() (int64, error) {
		at, err := locate(dir, "")
		n, unreadable := vaultOf("", at).number()
		return n, cmp.Or(err, unreadable)
	}
	j := job{
		Tree:      &Tree{opts: Options{Durability: durability}, open: disk.Open},
		disk:      identified{d, number, false},
		changes:   []Change{{Path: base, After: &File{Data: data}}},
		perm:      perm,
		overwrite: true,
		patience:  patience,
	}
	for range 10 { // another program may create or remove the file meanwhile, or keep changing its attributes
		err = joint{j}.run(ctx)
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errs.ErrStale) {
			break
		}
	}
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == base {
		p.Path = name
	}
	return err
}

// followLinks returns the name of the file that name leads to, whether the file exists or not.
func followLinks(name string) (string, error) {
	for range maxLinks {
		if name == "" || os.IsPathSeparator(name[len(name)-1]) || strings.ContainsRune(name, 0) {
			return "", names.ErrNoFile
		}
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return name, disk.UnlessGone(err)
		}
		link, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		switch {
		case filepath.IsAbs(link):
			name = link
		case strings.HasPrefix(filepath.ToSlash(link), "/"): // on Windows, without the volume
			name = filepath.VolumeName(name) + link
		default:
			dir, _ := filepath.Split(name)
			name = dir + link
		}
	}
	return "", errTooManyLinks
}
