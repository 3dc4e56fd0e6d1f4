package commit

import (
	"path"
	"slices"
	"strconv"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// nameStages gives every step of p a name to stage under: in the state directory, or beside the target if that is on
// another file system, or if new files inherit something from its directory.
func (j job) nameStages(p plan) (plan, error) {
	var root disk.Traits
	var err error
	if !p.beside {
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
		s.stage = StateDir + "/" + strconv.Itoa(number)
		if p.beside {
			if s.kind == entryWrite { // its staged file is only read, never renamed
				continue
			}
			dir, err := nearest(j.disk, path.Dir(s.path))
			if err != nil {
				return p, disk.At("check", s.path, err)
			}
			s.entry = s.besideIn(dir, number)
			continue
		}
		in, ok := parents[path.Dir(s.path)]
		if !ok {
			in, err = parentOf(j.disk, s.path, root)
			if err == nil && in.Fixed && s.kind == entryCreate {
				err = errFixedDir
			}
			if err != nil {
				return p, disk.At("check", s.path, err)
			}
			parents[path.Dir(s.path)] = in
		}
		if in.Device != root.Device && s.kind != entryWrite || s.kind == entryCreate && in.Inherits {
			s.entry = s.besideIn(in.dir, number)
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
	dir string
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

// from returns p with stage names whose numbers begin at first.
func (p plan) from(first int) plan {
	steps := slices.Clone(p.steps)
	for i := range steps {
		s := &steps[i]
		if s.stage == "" {
			continue
		}
		number, _ := strconv.Atoi(s.number())
		number += first - p.first
		if s.isBeside() {
			s.entry = s.besideIn(path.Dir(s.stage), number)
		} else {
			s.stage = StateDir + "/" + strconv.Itoa(number)
		}
	}
	p.steps, p.first = steps, first
	return p
}
