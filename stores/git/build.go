package git

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/atomicedit/atomicedit"
)

// A node is a part of the paths of a list of changes.
type node struct {
	path   string
	change *atomicedit.Change // what becomes of the file here, nil for nothing
	below  map[string]*node
}

// planOf returns changes as a tree of their paths. It refuses paths that are wrong, two changes of one file, and files
// at both "x" and "x/y".
func planOf(changes []atomicedit.Change) (*node, error) {
	root := &node{below: map[string]*node{}}
	for i := range changes {
		c := &changes[i]
		name, err := clean(c.Path)
		if err != nil {
			return nil, err
		}
		at := root
		for path, part := range parts(name) {
			next := at.below[part]
			if next == nil {
				next = &node{path: path, below: map[string]*node{}}
				at.below[part] = next
			}
			at = next
		}
		if at.change != nil {
			return nil, about(c.Path, fmt.Errorf("two parts of the request change this file; combine them: %w",
				fs.ErrInvalid))
		}
		at.change = c
	}
	return root, root.checkNested("")
}

// checkNested refuses a file below above, which is to be a file too, unless it is "".
func (n *node) checkNested(above string) error {
	if n.change != nil && n.change.After != nil {
		if above != "" {
			return about(n.change.Path, fmt.Errorf("%s is to be a file, so nothing can be below it: use another "+
				"path: %w", show(above), fs.ErrInvalid))
		}
		above = n.path
	}
	for _, name := range slices.Sorted(maps.Keys(n.below)) {
		if err := n.below[name].checkNested(above); err != nil {
			return err
		}
	}
	return nil
}

// A build makes the objects of one commit. It reads the trees on the changed paths, and nothing else.
type build struct {
	format  format
	read    func(id id) ([]entry, error) // the entries of a tree
	objects []object                     // to be written, each once
	known   map[id]bool                  // of those, and of contents that the repository has
	refused []error                      // changes that do not fit what is there
}

// build returns the tree that changes make of another one, and the objects that are new in it. The error is about every
// change that does not fit, or about the machinery.
func (f format) build(plan *node, tree id, read func(id) ([]entry, error)) (id, []object, error) {
	b := &build{format: f, read: read, known: map[id]bool{}}
	made, err := b.tree(plan, tree)
	if err != nil {
		return "", nil, err
	}
	if err := errors.Join(b.refused...); err != nil {
		return "", nil, err
	}
	if made == "" && tree != "" { // the root is there, even if it is empty
		made = b.add("tree", nil)
	}
	return made, b.objects, nil
}

// add returns the id of a new object.
func (b *build) add(kind string, data []byte) id {
	o := b.format.object(kind, data)
	if !b.known[o.id] {
		b.known[o.id] = true
		b.objects = append(b.objects, o)
	}
	return o.id
}

// tree returns what becomes of a tree. No tree and an empty one are the same: git keeps no empty directories.
func (b *build) tree(n *node, tree id) (id, error) {
	var entries []entry
	if tree != "" {
		var err error
		if entries, err = b.read(tree); err != nil {
			return "", err
		}
	}
	set := map[string]entry{} // what becomes of the names that change
	was := map[string]entry{}
	for _, e := range entries {
		if n.below[e.name] == nil {
			continue
		}
		if was[e.name].id != "" {
			return "", errTree
		}
		was[e.name] = e
	}
	for _, name := range slices.Sorted(maps.Keys(n.below)) {
		now, err := b.entry(n.below[name], name, was[name])
		if err != nil {
			return "", err
		}
		if now != was[name] {
			set[name] = now
		}
	}
	if len(set) == 0 {
		return tree, nil
	}
	b.checkTwins(n, entries, was, set)
	if entries = merge(entries, set); len(entries) == 0 {
		return "", nil
	}
	return b.add("tree", formatTree(entries)), nil
}

// entry returns what becomes of an entry, the zero entry if nothing is left.
func (b *build) entry(n *node, name string, was entry) (entry, error) {
	now := was
	if c := n.change; c != nil {
		if err := b.check(c, was); err != nil {
			b.refused = append(b.refused, err)
		} else if c.Before != nil || c.After != nil {
			now = b.file(c, name, was)
		}
	}
	switch {
	case len(n.below) == 0:
	case was.id != "" && !was.isTree():
		b.refuseBelow(n, n.path)
	default:
		tree, err := b.tree(n, was.id)
		if err != nil {
			return entry{}, err
		}
		switch {
		case tree == "" && now == was:
			return entry{}, nil
		case tree != "" && tree != was.id:
			return entry{modeTree, name, tree}, nil
		}
	}
	return now, nil
}

// check compares a change with what is there.
func (b *build) check(c *atomicedit.Change, was entry) error {
	switch {
	case was.id == "" || was.isTree() && c.After == nil:
		return c.Check(nil)
	case !was.isFile():
		return about(c.Path, was.noFile())
	case c.Before == nil:
		return c.Check(&atomicedit.File{})
	case b.format.idOf("blob", c.Before.Data) != was.id:
		return &fs.PathError{Op: "check", Path: c.Path, Err: atomicedit.ErrStale}
	}
	b.known[was.id] = true
	return nil
}

// file returns the entry of a file after a change that fits.
func (b *build) file(c *atomicedit.Change, name string, was entry) entry {
	if c.After == nil {
		return entry{}
	}
	now := entry{modeFile, name, b.add("blob", c.After.Data)}
	switch {
	case c.After.Mode == 0 && was.isFile(),
		c.After.Mode != 0 && was.isFile() && (c.After.Mode&0o111 != 0) == was.isExecutable():
		now.mode = was.mode
	case c.After.Mode&0o111 != 0:
		now.mode = modeExecutable
	}
	return now
}

// refuseBelow refuses the changes below what is no directory.
func (b *build) refuseBelow(n *node, path string) {
	for _, name := range slices.Sorted(maps.Keys(n.below)) {
		next := n.below[name]
		if c := next.change; c != nil {
			err := c.Check(nil)
			if c.After != nil {
				err = about(c.Path, notDir(path))
			}
			if err != nil {
				b.refused = append(b.refused, err)
			}
		}
		b.refuseBelow(next, path)
	}
}

// checkTwins refuses new names that differ from others in the same directory only in case, because some systems cannot
// check out both. It looks at every name in the directory once.
func (b *build) checkTwins(n *node, entries []entry, was, set map[string]entry) {
	added := map[string]string{} // by what they have in common with their twins
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if was[name].id != "" || set[name].id == "" {
			continue
		}
		fold := folded(name)
		if twin, ok := added[fold]; ok {
			b.refuseTwin(n.below[name], twin)
		}
		added[fold] = name
	}
	if len(added) == 0 {
		return
	}
	for _, e := range entries {
		now, changes := set[e.name]
		if name, ok := added[folded(e.name)]; ok && (!changes || now.id != "") {
			b.refuseTwin(n.below[name], e.name)
		}
	}
}

// refuseTwin refuses the first file that a node makes.
func (b *build) refuseTwin(n *node, twin string) {
	for n.change == nil || n.change.After == nil {
		for _, name := range slices.Sorted(maps.Keys(n.below)) {
			if n.below[name].makes() {
				n = n.below[name]
				break
			}
		}
	}
	b.refused = append(b.refused, about(n.change.Path, fmt.Errorf(
		"there is %s, which differs only in case, and some systems cannot have both: use that name: %w", show(twin),
		fs.ErrInvalid)))
}

// makes reports whether a file comes to be at a node or below it.
func (n *node) makes() bool {
	if n.change != nil && n.change.After != nil {
		return true
	}
	for _, next := range n.below {
		if next.makes() {
			return true
		}
	}
	return false
}
