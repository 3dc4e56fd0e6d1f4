package commit

import (
	"cmp"
	"errors"
	"io/fs"
	"sync"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A Look is several looks at a forest: what one finds of directories and files serves those after it. It has to be
// ended. It is safe for concurrent use.
type Look struct {
	mu     sync.Mutex
	survey *survey
	read   map[string]found  // the files that were read, by the names that the forest has for them
	gone   map[absence]error // what is not there that would protect a file
	ended  bool
}

// found is a file that was read.
type found struct {
	place
	now disk.Traits
}

// Look begins a Look.
func (f Forest) Look() *Look {
	return &Look{survey: f.survey((*Tree).look), read: map[string]found{}, gone: map[absence]error{}}
}

// End releases what l holds. After that, Read and MayChange look on their own.
func (l *Look) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.survey.end()
	l.ended = true
}

// Read returns a file. If the file does not exist, Read returns the error with a File that has only the resolved name.
// It fails with errs.ErrUnfinished if a dead commit may have left the file half done.
func (l *Look) Read(name string) (*File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		own := l.survey.Look()
		defer own.End()
		return own.Read(name)
	}
	p, err := l.survey.place(name)
	if err != nil {
		return nil, disk.At("open", name, err)
	}
	file, now, err := p.Tree.read(p.disk, p.name)
	if file != nil {
		file.Path = p.called()
	}
	if err == nil {
		p.via = nil // which the name that the forest has for the file does not have
		l.read[file.Path] = found{p, now}
	}
	return file, disk.At("open", name, err)
}

// MayChange returns the reason why one commit may not make all changes, nil if it may. It does not look at contents.
// Unless it is protected, a file that does not exist may be changed.
func (l *Look) MayChange(changes []Change) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		own := l.survey.Look()
		defer own.End()
		return own.MayChange(changes)
	}
	moved := map[string]*Change{} // what becomes of the files that are moved
	for i, c := range changes {
		if c.From != "" && c.After != nil {
			moved[c.From] = &changes[i]
		}
	}
	asked := make([]bool, len(l.survey.trees))
	var problems []error
	var together error
	for _, c := range changes {
		c.to = moved[c.Path]
		p, err := l.mayChange(c)
		if err != nil {
			problems = append(problems, disk.At("check", c.Path, err))
			continue
		}
		if len(changes) == 1 || asked[p.at] {
			continue
		}
		asked[p.at] = true
		if err = mayKeepJournal(p.disk); errors.As(err, new(protectedError)) {
			err = errNotTogether(err)
		} else {
			err = disk.At("check", c.Path, err)
		}
		together = cmp.Or(together, err)
	}
	return cmp.Or(joined(problems), together)
}

// mayChange returns the reason why a commit may not make one of its changes, nil if it may, and the file.
func (l *Look) mayChange(c Change) (p place, err error) {
	var now *disk.Traits
	if f, ok := l.read[c.Path]; ok {
		p, now = f.place, &f.now
	} else if p, err = l.survey.place(c.Path); err != nil {
		return p, err
	}
	q := p
	q.disk = remembering{p.disk, p.at, l.gone}
	if err = q.checkProtected(); err != nil {
		return p, err
	}
	return p, p.Tree.mayChange(p.disk, p.name, c, now)
}

// A remembering disk is that of one of the trees of a forest. It looks once for a name that is not there.
type remembering struct {
	disk.Disk
	at   int // the index of the tree
	gone map[absence]error
}

// An absence is a name that is not in a tree.
type absence struct {
	at   int
	name string
}

func (d remembering) Lstat(name string) (disk.Stat, error) {
	if err := d.gone[absence{d.at, name}]; err != nil {
		return disk.Stat{}, err
	}
	is, err := d.Disk.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		d.gone[absence{d.at, name}] = err
	}
	return is, err
}
