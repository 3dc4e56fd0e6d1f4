package commit

import (
	"path"
	"slices"
	"strconv"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// nameStages gives every step of p a name to stage under: in the state directory, or beside the target if that is on
// another file system, or if new files inherit something from its directory. A lone commit stages in the top directory,
// if it may.
func (j job) nameStages(p plan) (plan, error) {
	var root disk.Traits
	var err error
	lone := j.lone && p.bare && !p.beside
	inTop := j.overwrite || lone && p.steps[0].kind == entryEdit && path.Dir(p.steps[0].path) == "."
	if !p.beside && !inTop {
		if root, err = j.disk.Inspect("."); err != nil {
			return p, disk.At("check", ".", err)
		}
	}
	parents := map[string]stageParent{}
	number := p.first - 1
	steps := slices.Clone(p.steps)
	for i := range steps {
		s := &steps[i]
		if s.kind == entryMkdir {
			continue
		}
		number++
		s.as.SyncNext = j.opts.Durability != DurableNone
		s.as.Early = s.as.SyncNext && !j.lone
		*s = s.stagedIn(StateDir, number)
		if p.beside {
			if s.kind == entryWrite { // its staged file is only read, never renamed
				continue
			}
			dir, err := nearest(j.disk, path.Dir(s.path))
			if err != nil {
				return p, disk.At("check", s.path, err)
			}
			*s = s.stagedIn(dir, number)
			continue
		}
		in, ok := parents[path.Dir(s.path)]
		if !ok {
			in, err = parentOf(j.disk, s.path, root)
			if err == nil && in.Fixed && s.kind == entryCreate {
				err = errFixedDir
			}
			if err == nil && lone {
				in.atTop, err = mayStageAtTop(j.disk, in, root)
			}
			if err != nil {
				return p, disk.At("check", s.path, err)
			}
			parents[path.Dir(s.path)] = in
		}
		switch {
		case in.atTop:
			*s = s.stagedIn(".", number)
		case in.Device != root.Device && s.kind != entryWrite, s.kind == entryCreate && in.Inherits:
			*s = s.stagedIn(in.dir, number)
		}
		if in.Device != root.Device {
			s.linkOf = ""
		}
	}
	p.steps = steps
	return p, nil
}

// A stageParent is the nearest directory above a file that is there.
type stageParent struct {
	dir   string
	atTop bool // the new file is staged in the top directory instead
	disk.Traits
}

func parentOf(d disk.Disk, name string, root disk.Traits) (in stageParent, err error) {
	in.dir, err = nearest(d, path.Dir(name))
	switch {
	case in.dir == ".":
		in.Traits = root
	case err == nil:
		in.Traits, err = d.Inspect(in.dir)
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

// from returns p with stage names whose numbers begin at first.
func (p plan) from(first int) plan {
	steps := slices.Clone(p.steps)
	for i, s := range steps {
		if s.stage != "" {
			number, _ := strconv.Atoi(s.number())
			steps[i] = s.stagedIn(path.Dir(s.stage), number+first-p.first)
		}
	}
	p.steps, p.first = steps, first
	return p
}
