package commit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A Forest is several trees, in an order. A name is relative to the first tree, or absolute and in one of the trees. A file that is in
// several, because one tree is below another, belongs to the first of them. A Forest never changes. One that has trees is made by With.
type Forest struct{ trees []*Tree }

// Add returns f with the tree below a directory, and what the tree has recovered: see With.
func (f Forest) Add(dir string, o Options) (larger Forest, said []string, err error) {
	t, err := Open(dir, o)
	if err != nil {
		return f, nil, err
	}
	larger, at, err := f.With(t)
	if err == nil && at >= 0 {
		p := larger.at(at)
		said, err = p.Recover()
		said = labeledAll(p.label, said)
	}
	if err != nil || at < 0 {
		t.Close()
	}
	if err == nil && at >= 0 && at < len(f.trees) {
		f.trees[at].Close()
	}
	return larger, said, err
}

// With returns f with a tree at its end, and its index. If f has a tree of the same directory already, the index is -1, and that tree
// gets the further names of the directory. If f has a tree of another directory that has had the same name, the new tree takes its place.
func (f Forest) With(t *Tree) (larger Forest, at int, err error) {
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

// apart returns trees whose vaults are outside all of them.
func apart(trees []*Tree) []*Tree {
	var all []location
	for _, t := range trees {
		all = append(all, t.location)
	}
	for i, t := range trees {
		with := *t
		with.vault = vaultOf(t.opts.StateDir, t.location, all...)
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

// merged returns names with those of more in their middle: the first stays the one that a tree is called by, and the last the one
// without links.
func merged(more, names []string) []string {
	if len(names) == 0 {
		return more
	}
	all := slices.Clone(names[:max(1, len(names)-1)])
	for _, name := range more {
		if !slices.Contains(names, name) {
			all = append(all, name)
		}
	}
	return append(all, names[len(names)-1])
}

// Names returns the absolute names of the trees, with slashes, as they were opened.
func (f Forest) Names() []string {
	var names []string
	for _, t := range f.trees {
		names = append(names, t.location.called())
	}
	return names
}

// Absolute returns the absolute name of the file that f calls name.
func (f Forest) Absolute(name string) string {
	if isAbs(name) {
		return name
	}
	return f.trees[0].Absolute(name)
}

// A place is a file in one of the trees of a forest.
type place struct {
	*Tree
	name  string  // resolved, below the tree
	label string  // the name of the tree in messages; "" for the first one
	via   []place // the symbolic links that lead there
}

// checkLinks refuses to change the file of p if one of the links that lead there is protected.
func (p place) checkLinks() error {
	for _, link := range p.via {
		d, release := link.look()
		err := link.checkProtected(d, link.name)
		release()
		if err != nil {
			return err
		}
	}
	return nil
}

// called returns the one name that a forest has for a file of the tree of p.
func (p place) called(name string) string { return labeled(p.label, name) }

// place returns the file that name leads to. A link may lead from one tree to another.
func (f Forest) place(name string) (p place, err error) {
	var via []place
	for jumps := 0; jumps <= maxLinks; jumps++ {
		p = f.around(name)
		d, release := p.look()
		var links []string
		p.name, links, err = p.location.follow(d, name)
		release()
		for _, link := range links {
			via = append(via, f.first(place{Tree: p.Tree, name: link}))
		}
		var out *leadsOutError
		if !errors.As(err, &out) || !slices.ContainsFunc(f.trees, func(t *Tree) bool { return t.location.contains(out.to) }) {
			p = f.first(p)
			p.via = via
			return p, f.naming(err)
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
	var out *leadsOutError
	return &outsideError{f.Names(), errors.As(err, &out)}
}

// An outsideError says that a name is in none of several directories. It is errs.ErrOutside.
type outsideError struct {
	dirs   []string
	byLink bool
}

func (e *outsideError) Error() string {
	var dirs []string
	for i, dir := range e.dirs {
		if i == maxNamed {
			dirs = append(dirs, fmt.Sprintf("and %d more", len(e.dirs)-i))
			break
		}
		dirs = append(dirs, names.Show(dir))
	}
	msg := "outside the directories: use a path inside one of " + strings.Join(dirs, ", ")
	if e.byLink {
		msg += byLink
	}
	return msg
}

func (e *outsideError) Unwrap() error { return errs.ErrOutside }

// around returns the first tree that a name is in, as it is spelled.
func (f Forest) around(name string) place {
	for i, t := range f.trees {
		if i == 0 && !isAbs(t.location.spelled(name)) || t.location.contains(name) {
			return f.at(i)
		}
	}
	return f.at(0)
}

func (f Forest) at(i int) place {
	p := place{Tree: f.trees[i]}
	if i > 0 {
		p.label = p.location.called()
	}
	return p
}

// first returns p as a file of the first tree that it is in.
func (f Forest) first(p place) place {
	if p.name == "" || p.location.name() == "" {
		return p
	}
	full := filepath.Join(p.location.name(), filepath.FromSlash(p.name))
	for i, t := range f.trees {
		if t == p.Tree {
			break
		}
		if t.location.name() == "" {
			continue
		}
		if rel, err := filepath.Rel(t.location.name(), full); err == nil && filepath.IsLocal(rel) && rel != "." {
			p = f.at(i)
			p.name = filepath.ToSlash(rel)
			break
		}
	}
	return p
}

// Read is [Tree.Read].
func (f Forest) Read(name string) (*File, error) {
	p, err := f.place(name)
	if err != nil {
		return nil, disk.At("open", name, err)
	}
	file, err := p.Tree.Read(p.name)
	if file != nil {
		file.Path = p.called(file.Path)
	}
	return file, disk.At("open", name, err)
}

// MayChange is [Tree.MayChange].
func (f Forest) MayChange(name string, deed Deed) error {
	p, err := f.place(name)
	if err == nil {
		err = p.checkLinks()
	}
	if err == nil {
		err = p.Tree.MayChange(p.name, deed)
	}
	return disk.At("check", name, err)
}

// Respells is [Tree.Respells].
func (f Forest) Respells(from, to string) bool {
	p, err := f.place(from)
	if err != nil {
		return false
	}
	q, err := f.place(to)
	return err == nil && p.Tree == q.Tree && p.Tree.Respells(p.name, q.name)
}

// Commit makes all changes or none: see [Jointly]. Trees without changes are recovered too, if that is possible now: a commit of this
// process may have left all of its trees unfinished.
func (f Forest) Commit(ctx context.Context, changes []Change) (said []string, err error) {
	parts := make([]Part, len(f.trees))
	for i, t := range f.trees {
		parts[i] = Part{Tree: t, Label: f.at(i).label}
	}
	named := slices.Clone(changes)
	var problems []error
	for i, c := range changes {
		p, err := f.place(c.Path)
		if err == nil && (c.Before != nil || c.After != nil) {
			err = p.checkLinks()
		}
		if err != nil {
			problems = append(problems, disk.At("commit", c.Path, err))
			continue
		}
		named[i].Path = p.called(p.name)
		if leadsElsewhere(c.Before, named[i].Path) || leadsElsewhere(c.After, named[i].Path) {
			problems = append(problems, errReplacedByLink(c.Path))
			continue
		}
		c.Path, c.Before, c.After = p.name, c.Before.at(p.name), c.After.at(p.name)
		if c.From != "" {
			from, err := f.place(c.From)
			if c.From = from.name; err != nil { // a hint that makes no sense
				c.From = ""
			}
			if from.Tree != p.Tree {
				c.FromPart = slices.Index(f.trees, from.Tree) + 1
			}
		}
		at := slices.Index(f.trees, p.Tree)
		parts[at].Changes = append(parts[at].Changes, c)
	}
	problems = append(problems, CheckPaths(named))
	if err := joined(problems); err != nil {
		return nil, err
	}
	for _, p := range parts {
		if len(p.Changes) == 0 && len(changes) > 0 {
			more, _ := p.Tree.recoverNow()
			said = append(said, labeledAll(p.Label, more)...)
		}
	}
	more, err := Jointly(ctx, parts)
	return append(said, more...), err
}

// at returns f under another name.
func (f *File) at(name string) *File {
	if f == nil {
		return nil
	}
	c := *f
	c.Path = name
	return &c
}

// each calls do for each tree, and returns what it says, with the names of the trees.
func (f Forest) each(do func(*Tree) (said []string, err error)) (said []string, err error) {
	var problems []error
	for i, t := range f.trees {
		label := f.at(i).label
		more, err := do(t)
		said = append(said, labeledAll(label, more)...)
		problems = append(problems, inTree(label, err))
	}
	return said, joined(problems)
}

// TakeBack is [Tree.TakeBack] for each tree.
func (f Forest) TakeBack(ctx context.Context) (said []string, err error) {
	return f.each(func(t *Tree) ([]string, error) { return t.TakeBack(ctx) })
}

// RecoverForeign is [Tree.RecoverForeign] for each tree.
func (f Forest) RecoverForeign(ctx context.Context) (said []string, err error) {
	return f.each(func(t *Tree) ([]string, error) { return t.RecoverForeign(ctx) })
}

// Discard is [Tree.Discard] for each tree.
func (f Forest) Discard(ctx context.Context) error {
	_, err := f.each(func(t *Tree) ([]string, error) { return nil, t.Discard(ctx) })
	return err
}

// Close is [Tree.Close] for each tree.
func (f Forest) Close() error {
	_, err := f.each(func(t *Tree) ([]string, error) { return nil, t.Close() })
	return err
}
