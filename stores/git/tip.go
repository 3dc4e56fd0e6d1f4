package git

import (
	"cmp"
	"context"
	"fmt"
	"strings"
)

// The sizes of the largest tree and commit that are read. A directory of ten million files is larger.
const (
	maxTree   = 512 << 20
	maxCommit = 64 << 20
)

// A tip is the commit that a reference is at. The zero tip is that of a reference that is not there, and of its tree.
type tip struct{ commit, tree id }

// tip returns the tip that git knows by a name, which is "" if there is none.
func (r *repository) tip(ctx context.Context, at string) (tip, error) {
	c, err := r.objectAt(ctx, at)
	switch {
	case c.kind != "" && c.kind != "commit": // an annotated tag, say, which no commit can follow
		return tip{}, fmt.Errorf("git: %s is at a %s, not at a commit: use another Options.Ref", r.ref, c.kind)
	case err != nil:
		return tip{}, err
	case c.id == "":
		return tip{}, r.checkDeleted()
	}
	r.seen.Store(true)
	line, _, _ := strings.Cut(string(c.data), "\n")
	tree, err := r.format.parse(strings.TrimPrefix(line, "tree "))
	return tip{c.id, tree}, err
}

// objectAt returns the object that the reference is at, the zero object if there is none. Git knows it by the name at.
func (r *repository) objectAt(ctx context.Context, at string) (object, error) {
	if at == "" {
		return object{}, nil
	}
	o, err := r.objects.read(ctx, at, maxCommit)
	if err == errMissing {
		return object{}, r.checkUnborn(ctx, at)
	}
	return o, err
}

// checkUnborn returns nil if a missing tip is that of a reference that is not there, so that its tree is empty. It
// returns an error if a commit is missing, or if the reference is there and cannot be read, which git does not tell
// apart from one that is not there.
func (r *repository) checkUnborn(ctx context.Context, at string) error {
	if at != r.ref {
		return fmt.Errorf("git: the commit %s of %s is missing from %s", at, r.ref, r.repo)
	}
	_, err := r.git.run(ctx, nil, "show-ref", "--verify", "--quiet", "--", r.ref)
	switch {
	case err == nil:
		if _, err := r.objects.read(ctx, at+"^{tree}", maxTree); err == nil {
			return nil // somebody has just made it
		}
		return fmt.Errorf("git: %s has no commit that can be read: run git fsck", r.ref)
	case !saysNo(err):
		return err
	}
	text, err := r.readRef(r.ref)
	if isGone(err) {
		return nil
	}
	if err != nil {
		return r.unseen(r.ref, err)
	}
	if _, err := r.format.parse(strings.TrimSpace(text)); err != nil {
		return fmt.Errorf("git: %s is damaged: %s has no id of a commit: run git fsck", r.ref, r.file(r.ref))
	}
	return nil // somebody has just made it
}

// checkDeleted refuses to take a reference that is gone for one that is yet to come. The next commit would begin it
// anew, with the files of that commit alone.
func (r *repository) checkDeleted() error {
	if r.seen.Load() {
		return fmt.Errorf("git: somebody has deleted %s: put it back or, to begin it anew, open a store with that "+
			"Options.Ref", r.ref)
	}
	return nil
}

// lookUp returns the entry that a tip has at a clean path. Git knows the tip by the name at, which is "" if there is
// none.
func (r *repository) lookUp(ctx context.Context, at, name string) (entry, error) {
	if at == "" {
		return entry{}, r.checkDeleted()
	}
	entries, err := r.entries(ctx, at+"^{tree}")
	switch err {
	case nil:
		r.seen.Store(true)
	case errMissing:
		return entry{}, cmp.Or(r.checkUnborn(ctx, at), r.checkDeleted())
	}
	for path, part := range parts(name) {
		if err != nil {
			break
		}
		e, damaged := find(entries, part)
		switch {
		case damaged != nil:
			return entry{}, damaged
		case path == name || e.id == "":
			return e, nil
		case !e.isTree():
			return entry{}, notDir(path)
		}
		entries, err = r.entries(ctx, e.id.String())
	}
	return entry{}, err
}

// entries returns those of the tree that git knows by a name.
func (r *repository) entries(ctx context.Context, name string) ([]entry, error) {
	o, err := r.objects.read(ctx, name, maxTree)
	if err != nil {
		return nil, err
	}
	if o.kind != "tree" {
		return nil, errTree
	}
	return r.format.parseTree(string(o.data))
}
