package git

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/atomicedit/atomicedit"
)

// Read implements [atomicedit.Store]: it returns the file that the tip of the reference has at path. Only files have a
// content: a symbolic link, a submodule and a directory are [fs.ErrInvalid]. The mode is 0644 or 0755.
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
	e, err := s.lookUp(ctx, s.tipName(), name)
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

// refresh fetches from a remote repository if the mirror is older than it may be.
func (s *Store) refresh(ctx context.Context, path string) error {
	if s.remote == nil {
		return nil
	}
	return s.remote.refresh(ctx, path)
}

// tipName returns what git knows the tip by, "" if there is none: the reference, or the commit of a remote one.
func (s *Store) tipName() string {
	if s.remote == nil {
		return s.ref
	}
	return s.remote.at().String()
}
