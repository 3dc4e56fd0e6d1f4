package commit

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A Look is several looks at a forest, one at a time: what one finds serves those after it. What it finds to be there
// is as old as the look that found it, but a file is read anew each time.
type Look struct {
	survey *survey
	read   map[string]place   // the files that were read, by the names that the forest has for them
	gone   []map[string]error // by tree: what is not there that would protect a file

	mu    sync.Mutex // of whoever has borrowed it
	ended atomic.Bool
}

// Look begins a Look, which has to be ended.
func (f Forest) Look() *Look {
	return &Look{survey: f.survey((*Tree).look), read: map[string]place{}, gone: make([]map[string]error, len(f.trees))}
}

// Borrow reports whether l serves for a look at f: nobody else has borrowed it, it has not ended, and it is of the same
// trees. Then it has to be given back.
func (l *Look) Borrow(f Forest) bool {
	if !l.mu.TryLock() {
		return false
	}
	serves := !l.ended.Load() && slices.Equal(l.survey.trees, f.trees)
	if !serves {
		l.GiveBack()
	}
	return serves
}

// GiveBack ends what Borrow began.
func (l *Look) GiveBack() {
	l.mu.Unlock()
	if l.ended.Load() {
		l.Rest()
	}
}

// End releases what l holds: at once, or when it is given back.
func (l *Look) End() {
	l.ended.Store(true)
	l.Rest()
}

// Rest closes the directories that l holds open, unless it is lent. A later look opens them again.
func (l *Look) Rest() {
	if l.mu.TryLock() {
		l.survey.release()
		l.mu.Unlock()
	}
}

// Read returns a file. If the file does not exist, Read returns the error with a File that has only the resolved name.
// It fails with errs.ErrUnfinished if a dead commit may have left the file half done.
func (l *Look) Read(name string) (*File, error) {
	isFirst := len(l.survey.ends) == 0
	file, err := l.readOnce(name)
	if err != nil && !isFirst { // a directory may have been replaced since
		l.survey.release()
		file, err = l.readOnce(name)
	}
	if err != nil {
		l.survey.release()
	}
	return file, disk.At("open", name, err)
}

func (l *Look) readOnce(name string) (*File, error) {
	p, err := l.survey.place(name)
	if err != nil {
		return nil, err
	}
	defer p.disk.Forget(StateDir) // the next commit makes another one
	file, now, err := p.Tree.read(p.disk, p.name)
	if file != nil {
		file.Path = p.called()
	}
	if err == nil {
		p.now, p.via, p.isLink = &now, nil, false // no link leads from the name that the forest has for the file
		l.read[file.Path] = p
	}
	return file, err
}

// MayChange returns the reason why one commit may not make all changes, nil if it may. It does not look at contents.
// Unless it is protected, a file that does not exist may be changed.
func (l *Look) MayChange(changes []Change) error {
	defer l.survey.release()
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
	p, known := l.read[c.Path]
	if known {
		p.disk = l.survey.at(p.at).disk // that of the look which read the file may be released
	} else if p, err = l.survey.place(c.Path); err != nil {
		return p, err
	}
	if l.gone[p.at] == nil {
		l.gone[p.at] = map[string]error{}
	}
	q := p
	q.disk = remembering{p.disk, l.gone[p.at]}
	if err = cmp.Or(q.checkProtected(), q.checkKind(c)); err != nil {
		return p, err
	}
	return p, p.Tree.mayChange(p.disk, p.name, c, p.now)
}

// A remembering disk looks once for a name that is not there.
type remembering struct {
	disk.Disk
	gone map[string]error
}

func (d remembering) Lstat(name string) (disk.Stat, error) {
	if err := d.gone[name]; err != nil {
		return disk.Stat{}, err
	}
	is, err := d.Disk.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		d.gone[name] = err
	}
	return is, err
}
