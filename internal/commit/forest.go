package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A Forest is several trees, in an order, and never changes. A name is relative to the first tree, or absolute and in
// one of the trees. A file that is in several, because one tree is below another, belongs to the first of them.
type Forest struct{ trees []*Tree }

// Add returns f with the tree below a directory, which recovers: see With. The first one must be there already.
func (f Forest) Add(dir string, o Options) (larger Forest, err error) {
	t, err := Open(dir, o, len(f.trees) > 0)
	if err != nil {
		return f, err
	}
	larger, at, err := f.With(t)
	if err == nil && at >= 0 {
		err = larger.trees[at].Recover()
	}
	if err != nil || at < 0 {
		t.Close()
	}
	if err == nil && at >= 0 && at < len(f.trees) {
		f.trees[at].Close()
	}
	return larger, err
}

// With returns f with a tree at its end, and its index. If f has a tree of the same directory, the index is -1, and
// that tree gets the further names. A tree of another directory that has had the same name is replaced.
func (f Forest) With(t *Tree) (larger Forest, at int, err error) {
	if len(f.trees) == 0 {
		return Forest{[]*Tree{t}}, 0, nil
	}
	is, err := idOf(t)
	if err != nil {
		return f, -1, err
	}
	trees := slices.Clone(f.trees)
	for i, other := range trees {
		was, err := idOf(other)
		switch named := t.location.name() != "" && t.location.name() == other.location.name(); {
		case err == nil && is == was && (named || is != disk.FileID{}):
			also := *other
			also.location.names = merged(t.location.names, other.location.names)
			trees[i] = &also
			return Forest{apart(trees)}, -1, nil
		case named:
			trees[i] = t
			return Forest{apart(trees)}, i, nil
		}
	}
	return Forest{apart(append(trees, t))}, len(trees), nil
}

// apart returns trees that are labeled, and whose vaults are outside all of them.
func apart(trees []*Tree) []*Tree {
	all := mapped(trees, func(t *Tree) location { return t.location })
	for i, t := range trees {
		with := *t
		with.vault = vaultOf(t.opts.StateDir, t.location, all...)
		if i > 0 {
			with.label = t.location.called()
		}
		trees[i] = &with
	}
	return trees
}

func idOf(t *Tree) (disk.FileID, error) {
	d, release := t.disks.Look()
	defer release()
	now, err := d.Inspect(".")
	return now.ID, disk.At("inspect", t.location.name(), err)
}

// merged returns names with more in their middle: the first is the one to show, and the last the one without links.
func merged(more, names []string) []string {
	if len(names) == 0 {
		return more
	}
	further := slices.DeleteFunc(slices.Clone(more), func(name string) bool { return slices.Contains(names, name) })
	last := len(names) - 1
	return slices.Concat(names[:max(1, last)], further, names[last:])
}

// Names returns the absolute names of the trees, with slashes, as they were opened.
func (f Forest) Names() []string {
	return mapped(f.trees, func(t *Tree) string { return t.location.called() })
}

// A survey looks at the trees of a forest. It opens the disk of a tree when it first needs it.
type survey struct {
	Forest
	open  func(*Tree) (disk.Disk, func())
	disks []disk.Disk // of the trees; nil if not needed yet
	ends  []func()
}

func (f Forest) survey(open func(*Tree) (disk.Disk, func())) *survey {
	return &survey{Forest: f, open: open, disks: make([]disk.Disk, len(f.trees))}
}

// release releases the disks. If they are needed again, s opens them anew.
func (s *survey) release() {
	for _, release := range s.ends {
		release()
	}
	s.ends = nil
	clear(s.disks)
}

// A place is a file in one of the trees of a forest.
type place struct {
	*Tree
	at     int // the index of the tree
	disk   disk.Disk
	name   string       // resolved, below the tree
	via    []place      // the symbolic links that lead there
	isLink bool         // what the last part of the name is that leads there
	now    *disk.Traits // what was found when the file was read; nil if it was not
}

// checkProtected refuses to change a file that is protected, or to which a protected link leads.
func (p place) checkProtected() error {
	for _, f := range p.via {
		if err := f.checkProtected(); err != nil {
			return err
		}
	}
	return p.protected.check(p.disk, p.location, p.name)
}

// checkKind refuses to delete or move a link, where only the file would go that it leads to.
func (p place) checkKind(c Change) error {
	if !p.isLink || c.Before == nil || c.After != nil {
		return nil
	}
	return fmt.Errorf("a file cannot be deleted or moved through a symbolic link: use its own name, %s, throughout "+
		"if you mean that file: %w", names.Show(p.called()), fs.ErrInvalid)
}

// called returns the one name that a forest has for the file.
func (p place) called() string { return labeled(p.label, p.name) }

// place returns the file that name leads to. A link may lead from one tree to another.
func (s *survey) place(name string) (p place, err error) {
	var via []place
	isLink := false
	for jumps := 0; jumps <= maxLinks; jumps++ {
		p = s.at(max(s.around(name), 0)) // a relative name is in the first tree
		var links []hop
		p.name, links, err = p.location.follow(p.disk, name)
		for _, link := range links {
			at := p
			at.name = link.name
			via, isLink = append(via, s.first(at)), isLink || link.final
		}
		var out *outsideError
		if !errors.As(err, &out) || s.around(out.to) < 0 {
			if p = s.first(p); err == nil && names.IsHome(p.called()) { // this would be the name of another file
				err = names.Outside(name)
			}
			p.via, p.isLink = via, isLink
			return p, s.naming(err)
		}
		name = out.to
	}
	return p, errTooManyLinks
}

// naming returns an error about a name outside with the names of the trees, if there are several.
func (f Forest) naming(err error) error {
	if len(f.trees) == 1 || !errors.Is(err, errs.ErrOutside) || errors.Is(err, errState) {
		return err
	}
	dirs := firstFew(mapped(f.Names(), names.Show))
	msg := "outside the directories: use a path inside one of " + strings.Join(dirs, ", ")
	if errors.As(err, new(*outsideError)) {
		msg += byLink
	}
	return &outsideError{msg: msg}
}

// around returns the index of the first tree that an absolute name is in, as it is spelled; -1 if there is none.
func (f Forest) around(name string) int {
	return slices.IndexFunc(f.trees, func(t *Tree) bool { return t.location.contains(name) })
}

func (s *survey) at(i int) place {
	t := s.trees[i]
	if s.disks[i] == nil {
		d, release := s.open(t)
		s.disks[i], s.ends = d, append(s.ends, release)
	}
	return place{Tree: t, at: i, disk: s.disks[i]}
}

// first returns p as a file of the first tree that it is in.
func (s *survey) first(p place) place {
	if p.at == 0 || p.name == "" || p.location.name() == "" {
		return p
	}
	full := filepath.Join(p.location.name(), filepath.FromSlash(p.name))
	for i, t := range s.trees[:p.at] {
		if rel, err := filepath.Rel(t.location.name(), full); err == nil && filepath.IsLocal(rel) && rel != "." {
			p = s.at(i)
			p.name = filepath.ToSlash(rel)
			break
		}
	}
	return p
}

// Has reports whether a name, which may be of no file yet, is that of a file in one of the trees.
func (f Forest) Has(name string) bool {
	s := f.survey((*Tree).look)
	defer s.release()
	_, err := s.place(name)
	return err == nil
}

// Respells reports whether two names that differ only in case name one file, which its directory lists under the first.
func (f Forest) Respells(from, to string) bool {
	s := f.survey((*Tree).look)
	defer s.release()
	p, err := s.place(from)
	q, err2 := s.place(to)
	return err == nil && err2 == nil && p.at == q.at && respells(p.disk, p.name, q.name)
}

// Commit makes all changes or none: see joint. Trees without changes are recovered too, if that is possible now: a
// commit of this process may have left all of its trees unfinished.
func (f Forest) Commit(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	if f.trees[0].opts.ReadOnly {
		return disk.At("check", changes[0].Path, errReadOnly)
	}
	s := f.survey((*Tree).pin)
	defer s.release()
	jobs, err := s.jobs(changes)
	if err != nil {
		return err
	}
	for _, t := range f.trees {
		if !slices.ContainsFunc(jobs, func(j job) bool { return j.Tree == t }) {
			t.recoverNow(context.Background(), false)
		}
	}
	return jobs.run(ctx)
}

// jobs returns the changes as jobs, one for each tree that changes. It refuses changes of protected files. It fails
// with errs.ErrStale if a path leads to another file than before.
func (s *survey) jobs(changes []Change) (jobs joint, err error) {
	named := slices.Clone(changes) // by the names that the forest has for the files
	places := make([]place, len(changes))
	var problems []error
	for i := range named {
		c := &named[i]
		p, err := s.place(c.Path)
		err = disk.At("commit", c.Path, err)
		if err == nil && c.Before == nil && c.After != nil { // the tree may not be there yet
			err = disk.At("make", c.Path, p.disks.Make())
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		switch {
		case leadsElsewhere(c.Before, p.called()) || leadsElsewhere(c.After, p.called()):
			problems = append(problems, disk.At("check", c.Path,
				fmt.Errorf("a directory has been replaced by a link since then: %w", errs.ErrStale)))
		case c.Before != nil || c.After != nil:
			problems = append(problems, disk.At("check", p.called(), p.checkProtected()),
				disk.At("check", c.Path, p.checkKind(*c)))
		}
		c.Path, places[i] = p.called(), p
		c.From, err = s.origin(c.From)
		problems = append(problems, disk.At("commit", changes[i].From, err))
	}
	if err := joined(append(problems, CheckPaths(named))); err != nil {
		return nil, err
	}
	pairMoves(named, places)
	jobs = make(joint, len(s.trees))
	for i, p := range places {
		named[i].Path = p.name
		jobs[p.at] = job{Tree: p.Tree, disk: p.disk, changes: append(jobs[p.at].changes, named[i]), perm: 0o666}
	}
	return slices.DeleteFunc(jobs, func(j job) bool { return len(j.changes) == 0 }), nil
}

// origin returns the one name of a file that is moved. A path that makes no sense is only a hint, and left out.
func (s *survey) origin(from string) (string, error) {
	if from == "" {
		return "", nil
	}
	p, err := s.place(from)
	if errors.Is(err, errs.ErrOutside) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return p.called(), err
}

// pairMoves lets the two halves of a move know of one another. It ignores a From that no change removes.
func pairMoves(changes []Change, places []place) {
	gone := map[string]int{}
	for i, c := range changes {
		if c.After == nil && c.Before != nil {
			gone[c.Path] = i
		}
	}
	for i := range changes {
		c := &changes[i]
		n, removed := gone[c.From]
		if !removed || c.After == nil {
			continue
		}
		c.from, changes[n].to = &changes[n], c
		if places[n].at != places[i].at {
			c.fromDisk = places[n].disk
		}
	}
}

// Each lets each tree recover by do, such as [Tree.TakeBack].
func (f Forest) Each(ctx context.Context, do func(*Tree, context.Context) error) error {
	return joined(mapped(f.trees, func(t *Tree) error {
		err := disk.At("recover", StateDir, errReadOnly)
		if !t.opts.ReadOnly {
			err = do(t, ctx)
		}
		return inTree(t.label, err)
	}))
}

// Close is [Tree.Close] for each tree.
func (f Forest) Close() error {
	return joined(mapped(f.trees, func(t *Tree) error { return inTree(t.label, t.Close()) }))
}

// List returns the names in a directory, sorted, but no reserved ones. Directories have a slash. "." is the first tree.
func (f Forest) List(name string) ([]string, error) {
	s := f.survey((*Tree).look)
	defer s.release()
	p, err := s.place(strings.TrimSuffix(name, "/"))
	if errors.Is(err, names.ErrRoot) {
		p.name, err = ".", nil
	}
	var found, shown []string
	if err == nil {
		found, err = p.disk.ReadDir(p.name)
	}
	for _, n := range found {
		if isReserved(n) {
			continue
		}
		if is, err := p.disk.Lstat(path.Join(p.name, n)); err == nil && is.Mode.IsDir() {
			n += "/"
		} else if err == nil && !is.Mode.IsRegular() && is.Mode&fs.ModeSymlink == 0 {
			continue
		}
		shown = append(shown, n)
	}
	return shown, disk.At("list", name, err)
}

// leadsElsewhere reports whether f was read under another resolved name than now.
func leadsElsewhere(f *File, now string) bool { return f != nil && f.Path != "" && f.Path != now }
