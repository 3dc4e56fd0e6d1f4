package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// The sizes of the largest tree and commit that are read. A directory of ten million files is larger.
const (
	maxTree   = 512 << 20
	maxCommit = 64 << 20
)

// Read implements [atomicedit.Store]: it returns the file that the tip of the reference has at path. Only files have a content: a
// symbolic link, a submodule and a directory are [fs.ErrInvalid]. The mode is 0644 or 0755.
func (s *Store) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	if s.isZero() {
		return nil, errZero
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	name, err := clean(path)
	if err != nil {
		return nil, err
	}
	if err := s.refresh(ctx, path); err != nil {
		return nil, err
	}
	e, err := s.lookUp(ctx, name)
	switch {
	case err != nil:
		return nil, about(path, err)
	case e.id == "":
		return &atomicedit.File{Path: name}, about(path, fs.ErrNotExist)
	case !e.isFile():
		return nil, about(path, e.noFile())
	}
	o, err := s.objects.read(ctx, e.id.String(), s.o.MaxSize)
	switch {
	case err == nil && o.kind != "blob":
		err = errTree
	case err == errMissing:
		err = fmt.Errorf("git: the content of %s is missing from the repository: run git fsck", show(name))
	case err == errLarge:
		err = fmt.Errorf("it has more than %d bytes: %w", s.o.MaxSize, atomicedit.ErrTooLarge)
	}
	if err != nil {
		return nil, about(path, err)
	}
	return &atomicedit.File{Path: name, Data: o.data, Mode: e.fileMode()}, nil
}

// about returns an error about a file; one about the machinery stays as it is.
func about(path string, err error) error {
	for _, is := range []error{fs.ErrInvalid, fs.ErrNotExist, fs.ErrExist, atomicedit.ErrTooLarge, atomicedit.ErrUnfinished} {
		if errors.Is(err, is) {
			return &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
	return err
}

// noFile refuses an entry that is no regular file.
func (e entry) noFile() error {
	kind := "something that git does not know"
	switch {
	case e.isTree():
		kind = "a directory"
	case e.mode == modeLink:
		kind = "a symbolic link"
	case e.mode == modeSubmodule:
		kind = "a submodule"
	}
	return fmt.Errorf("it is %s, not a file: use the path of a file: %w", kind, fs.ErrInvalid)
}

func notDir(name string) error {
	return fmt.Errorf("%s is not a directory, so nothing can be below it: use another path: %w", show(name), fs.ErrInvalid)
}

func (e entry) fileMode() fs.FileMode {
	if e.isExecutable() {
		return 0o755
	}
	return 0o644
}

// lookUp returns the entry that the tip has at a clean path.
func (s *Store) lookUp(ctx context.Context, name string) (entry, error) {
	at := s.tipName()
	if at == "" {
		return entry{}, nil
	}
	entries, err := s.entries(ctx, at+"^{tree}")
	if err == errMissing {
		return entry{}, s.checkUnborn(ctx)
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
		entries, err = s.entries(ctx, e.id.String())
	}
	return entry{}, err
}

// entries returns those of the tree that git knows by a name.
func (s *Store) entries(ctx context.Context, name string) ([]entry, error) {
	o, err := s.objects.read(ctx, name, maxTree)
	if err != nil {
		return nil, err
	}
	if o.kind != "tree" {
		return nil, errTree
	}
	return s.format.parseTree(string(o.data))
}

// parts yields the parts of a clean path, each after the path that ends with it.
func parts(name string) iter.Seq2[string, string] {
	return func(yield func(path, part string) bool) {
		for from := 0; from <= len(name); {
			end := strings.IndexByte(name[from:], '/')
			if end < 0 {
				end = len(name) - from
			}
			if !yield(name[:from+end], name[from:from+end]) {
				return
			}
			from += end + 1
		}
	}
}

// A tip is the commit that a reference is at. The zero tip is that of a reference that is not there, and of its tree.
type tip struct{ commit, tree id }

// tipName returns what git knows the tip by, "" if there is none: the reference, or the commit of a remote one.
func (s *Store) tipName() string {
	if s.remote == nil {
		return s.ref
	}
	return s.remote.at().String()
}

// tip returns where the reference is now.
func (s *Store) tip(ctx context.Context) (tip, error) {
	at := s.tipName()
	if at == "" {
		return tip{}, nil
	}
	c, err := s.objects.read(ctx, at+"^{commit}", maxCommit)
	if err == errMissing {
		return tip{}, s.checkUnborn(ctx)
	}
	if err != nil {
		return tip{}, err
	}
	line, _, _ := strings.Cut(string(c.data), "\n")
	tree, err := s.format.parse(strings.TrimPrefix(line, "tree "))
	return tip{c.id, tree}, err
}

// checkUnborn returns nil if the reference is not there, so that its tree is empty, and an error if its commit is missing.
func (s *Store) checkUnborn(ctx context.Context) error {
	if s.remote != nil {
		return fmt.Errorf("git: the commit of %s is missing from the mirror %s", s.ref, s.repo)
	}
	_, err := s.git.run(ctx, nil, "show-ref", "--verify", "--quiet", "--", s.ref)
	switch {
	case err == nil:
		return fmt.Errorf("git: %s has no commit that can be read: run git fsck", s.ref)
	case saysNo(err):
		return nil
	}
	return err
}
