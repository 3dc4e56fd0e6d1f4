package commit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// check returns the work to do, without stage names, or an error that lists every obstacle to it. It writes nothing.
func (j job) check(ctx context.Context) (work, error) {
	found := make([]step, len(j.changes))
	problems := each(len(j.changes), func(i int) (err error) {
		if err = ctx.Err(); err == nil {
			found[i], err = j.checkOne(j.changes[i])
			err = disk.At("check", j.changes[i].Path, err)
		}
		return err
	})
	if err := cmp.Or(ctx.Err(), joined(problems)); err != nil {
		return work{}, err
	}
	w := work{steps: inOrder(found), bare: true}
	if err := j.checkSpelling(w.steps); err != nil {
		return work{}, err
	}
	visible := slices.DeleteFunc(slices.Clone(w.steps), func(s step) bool { return s.kind == entryMkdir })
	// an edit in place is not atomic: an interruption tears the file
	if len(visible) > 1 || len(visible) == 1 && visible[0].kind == entryWrite {
		w.needJournal()
	}
	return w, nil
}

// needJournal makes w one that is not bare, with the versions that its journal needs.
func (w *work) needJournal() {
	w.bare = false
	together(len(w.steps), func(i int) error {
		s := &w.steps[i]
		if before := s.change.Before; before != nil {
			s.old = disk.VersionOf(before.Data)
		}
		if after := s.change.After; after != nil {
			s.new = disk.VersionOf(after.Data)
		}
		return nil
	})
}

// checkOne compares a change with what is there. The step has no kind if there is nothing to do.
func (j job) checkOne(c Change) (step, error) {
	now, err := inspectFile(j.disk, c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.Before != nil && !j.overwrite:
		return step{}, errs.ErrStale
	case errors.Is(err, fs.ErrNotExist) && c.After == nil:
		return step{}, nil
	case errors.Is(err, fs.ErrNotExist):
		return j.create(c)
	case err != nil:
		return step{}, err
	case c.Before == nil && c.from != nil && c.fromDisk == nil && respells(j.disk, c.from.Path, c.Path):
		return j.create(c)
	case c.Before == nil && !j.overwrite:
		return step{}, fs.ErrExist
	}
	has, err := j.checkReplaced(c, now)
	if err == nil {
		err = c.mayBeMade(now, j.opts)
	}
	if err != nil {
		return step{}, err
	}
	as := disk.Meta{Like: has, LooseOwner: j.opts.AllowOwnerChange}
	s := step{kind: entryEdit, path: c.Path, change: c, like: c.Path, as: as}
	if c.After == nil {
		s.kind = entryDelete
		return s, nil
	}
	s.as.Mode = c.After.Mode
	if now.InPlace() {
		s.kind, s.like, s.as = entryWrite, "", disk.Meta{Perm: 0o600} // of the staged file, which is never renamed
		return s, nil
	}
	return j.takeAlong(s)
}

// checkReplaced checks the content of the file at c.Path, and returns the attributes that a new file in its place
// copies, if there will be one. For a lone commit, the staging does both.
func (j job) checkReplaced(c Change, now disk.Traits) (*disk.Attributes, error) {
	if j.overwrite || j.lone && !now.InPlace() {
		return nil, nil
	}
	if c.After == nil || c.From != "" || now.InPlace() {
		return nil, stale(j.disk.Equal(c.Path, c.Before.Data))
	}
	has, err := attributesOf(j.disk, c.Path, c.Before)
	return &has, stale(true, err)
}

// create returns the step for a file that does not exist yet.
func (j job) create(c Change) (step, error) {
	as := disk.Meta{LooseOwner: j.opts.AllowOwnerChange, Mode: c.After.Mode, Perm: j.perm}
	s := step{kind: entryCreate, path: c.Path, change: c, as: as}
	if c.Written && s.as.Mode != 0 { // the request asks for the mode, so it counts before umask
		s.as.Mode, s.as.Perm = 0, s.as.Mode&fs.ModePerm
	}
	for _, dir := range names.Parents(c.Path) {
		above, err := j.disk.Lstat(dir)
		if err == nil && above.Mode.IsDir() {
			break
		}
		if err == nil {
			err = names.ErrNotDir(dir)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return step{}, err
		}
		s.newDirs = append(s.newDirs, dir)
	}
	return j.takeAlong(s)
}

// takeAlong lets a moved file keep its attributes. If the content stays the same, the new name becomes a link to it.
func (j job) takeAlong(s step) (step, error) {
	from := s.change.from
	if from == nil {
		return s, nil
	}
	mode := s.as.Mode
	if s.change.After.Mode == from.Before.Mode { // nobody asks for this mode; it was only read, and may be out of date
		mode = 0
	}
	// the change that removes the file reports that it is gone, or something else
	if d := s.change.fromDisk; d != nil {
		has, err := attributesOf(d, from.Path, nil)
		if err == nil {
			s.like, s.as.Like, s.as.Mode = "", &has, mode
		}
		return s, disk.UnlessGone(err)
	}
	is, err := j.disk.Lstat(from.Path)
	if err != nil || !is.Mode.IsRegular() {
		return s, disk.UnlessGone(err)
	}
	s.like, s.as.Like, s.as.Mode = from.Path, nil, mode // attributes are copied when the new file is staged
	sameMode := mode == 0 || mode == is.Mode&disk.Settable
	if sameMode && bytes.Equal(s.change.After.Data, from.Before.Data) {
		s.linkOf = from.Path
	}
	return s, nil
}

// inOrder returns the steps that do something. A missing directory is made before the first step in it. If a move
// changes only the case of a name, its delete comes before its create, which would otherwise find the name taken.
func inOrder(found []step) []step {
	var steps []step
	made := map[string]bool{}
	for _, s := range found {
		for _, dir := range slices.Backward(s.newDirs) {
			if !made[dir] {
				made[dir] = true
				steps = append(steps, step{kind: entryMkdir, path: dir})
			}
		}
		if s.kind != "" {
			steps = append(steps, s)
		}
	}
	for i, s := range steps {
		from := s.change.from
		if s.kind != entryCreate || from == nil || !strings.EqualFold(s.path, from.Path) {
			continue
		}
		if gone := indexOfDelete(steps, from.Path); gone > i {
			t := steps[gone]
			steps = slices.Insert(slices.Delete(steps, gone, gone+1), i, t)
		}
	}
	return steps
}

func indexOfDelete(steps []step, name string) int {
	return slices.IndexFunc(steps, func(s step) bool { return s.kind == entryDelete && s.path == name })
}

// checkSpelling refuses two changes of one file, which its directory lists once, under paths that differ only in case.
func (j job) checkSpelling(steps []step) error {
	seen := map[string]string{}
	for _, s := range steps {
		if !s.replaces() {
			continue
		}
		other := seen[strings.ToLower(s.path)]
		seen[strings.ToLower(s.path)] = s.path
		if other == "" {
			continue
		}
		for _, name := range []string{other, s.path} {
			listed, err := isListed(j.disk, name)
			if err == nil && !listed {
				err = fmt.Errorf("it is the same file as %s; use one name for it: %w", names.Show(other), fs.ErrInvalid)
			}
			if err != nil {
				return disk.At("check", s.path, err)
			}
		}
	}
	return nil
}

// isListed reports whether the directories list every part of name in this spelling.
func isListed(d disk.Disk, name string) (bool, error) {
	for name != "." {
		dir, base := disk.Split(name)
		names, err := d.ReadDir(dir)
		if err != nil || !slices.Contains(names, base) {
			return false, err
		}
		name = dir
	}
	return true, nil
}

// CheckPaths refuses changes of resolved paths that cannot all happen at once: two of one file, or a file below
// another. The halves of a move have one path if it changes a name only in a way that the file system ignores.
func CheckPaths(changes []Change) error {
	seen := map[string]Change{}
	for _, c := range changes {
		if was, twice := seen[c.Path]; twice && !(was.After == nil && c.After != nil && c.From != "") {
			return disk.At("check", c.Path, fmt.Errorf("two parts of the request change this file; combine them: %w",
				fs.ErrInvalid))
		}
		seen[c.Path] = c
	}
	for _, c := range changes {
		if c.After == nil {
			continue
		}
		for _, dir := range names.Parents(c.Path) {
			if seen[dir].After != nil {
				return disk.At("check", c.Path, fmt.Errorf(
					"%s is to be a file, so nothing can be below it: use another path: %w",
					names.Show(dir), fs.ErrInvalid))
			}
		}
	}
	return nil
}

// noFile is the version of anything but a regular file. No content has this version.
const noFile disk.Version = "no file"

// versionAt returns the version of what is called name: "" if that is nothing, noFile if it is not a regular file.
func versionAt(d disk.Disk, name string) (disk.Version, error) {
	is, err := d.Version(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.As(err, new(*errs.KindError)):
		return noFile, nil
	}
	return is, err
}

// inspectFile is Inspect for a file. It refuses what is not regular.
func inspectFile(d disk.Disk, name string) (disk.Traits, error) {
	now, err := d.Inspect(name)
	if err == nil && !now.Mode.IsRegular() {
		err = &errs.KindError{Mode: now.Mode}
	}
	return now, err
}

// stale returns errs.ErrStale if a comparison found that a file is not the same any more, or is gone.
func stale(same bool, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*errs.KindError)) || err == nil && !same {
		return errs.ErrStale
	}
	return err
}

// attributesOf returns the attributes of a file. It fails with errs.ErrStale if the content is not that of before.
func attributesOf(d disk.Disk, name string, before *File) (has disk.Attributes, err error) {
	held, err := d.Hold(name)
	if err != nil {
		return has, err
	}
	defer held.Close()
	if before != nil {
		if err := stale(held.Equal(before.Data)); err != nil {
			return has, err
		}
	}
	return held.Attributes()
}

// maxCopied is the size of the largest file, in bytes, that is copied where a link cannot be made.
const maxCopied = 4 << 30

// copyFile copies a file with its attributes, and syncs the copy.
func copyFile(d disk.Disk, from, to string, looseOwner bool, sync func(name string) error) error {
	data, err := d.ReadFile(from, maxCopied)
	if err != nil {
		return err
	}
	has, err := attributesOf(d, from, nil)
	if err == nil {
		err = d.Create(to, data, disk.Meta{Like: &has, LooseOwner: looseOwner})
	}
	if err != nil {
		return err
	}
	return sync(to)
}

// linkOrCopy gives a file a second name or, where links are not possible, is copyFile.
func linkOrCopy(d disk.Disk, from, to string, looseOwner bool, sync func(name string) error) error {
	err := d.Link(from, to)
	if disk.NoLinks(err) || disk.OtherDevice(err) {
		return copyFile(d, from, to, looseOwner, sync)
	}
	return err
}

// nearest returns dir if it exists, and otherwise the innermost directory above it that does.
func nearest(d disk.Disk, dir string) (string, error) {
	if dir == "." {
		return dir, nil
	}
	if s, err := d.Lstat(dir); err == nil && s.Mode.IsDir() {
		return dir, nil
	}
	there, err := reached(d, dir)
	return cmp.Or(there, "."), err
}

// nearestDirs returns the nearest directories of dirs, which are going to be locked, sorted, and may overwrite dirs.
// Where the lookup fails, it returns the directory itself, and locking fails with the error.
func nearestDirs(d disk.Disk, dirs []string) []string {
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	for i, dir := range dirs {
		if near, err := nearest(d, dir); err == nil {
			dirs[i] = near
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// hasDir reports whether dir is a directory that is reached without links. It may have gone since a commit died.
func hasDir(d disk.Disk, dir string) (bool, error) {
	there, err := reached(d, dir)
	return err == nil && there == dir, err
}

// reached returns the innermost directory, of dir and those above it, that is reached without links; "" if none is.
func reached(d disk.Disk, dir string) (there string, err error) {
	for _, next := range slices.Backward(append([]string{dir}, names.Parents(dir)...)) {
		now, err := d.Lstat(next)
		if err != nil || !now.Mode.IsDir() {
			return there, disk.UnlessGone(err)
		}
		there = next
	}
	return there, nil
}
