package git

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Names returns the sorted names of the files and directories in a directory; those of directories end in a slash. The
// root is "." or "". A directory that is not there is [fs.ErrNotExist], and a file is [fs.ErrInvalid]. Symbolic links
// and submodules are left out, and so are names that Read refuses.
func (s *Store) Names(ctx context.Context, dir string) ([]string, error) {
	if s.isZero() {
		return nil, errZero
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.refresh(ctx, dir); err != nil {
		return nil, err
	}
	entries, err := s.inDirectory(ctx, dir)
	if err != nil {
		return nil, about(dir, err)
	}
	var names []string
	for _, e := range entries {
		_, bad := clean(e.name)
		switch {
		case bad != nil:
		case e.isTree():
			names = append(names, e.name+"/")
		case e.isFile():
			names = append(names, e.name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// inDirectory returns what the tip has in a directory. A tip that is not there has an empty root.
func (s *Store) inDirectory(ctx context.Context, dir string) ([]entry, error) {
	if dir == "" || path.Clean(dir) == "." {
		t, err := s.tip(ctx, s.tipName())
		if err != nil || t.tree == "" {
			return nil, err
		}
		return s.entries(ctx, t.tree.String())
	}
	name, err := clean(strings.TrimSuffix(dir, "/"))
	if err != nil {
		return nil, err
	}
	e, err := s.lookUp(ctx, s.tipName(), name)
	switch {
	case err != nil:
		return nil, err
	case e.id == "":
		return nil, fs.ErrNotExist
	case !e.isTree():
		return nil, fmt.Errorf("it is not a directory: %w", fs.ErrInvalid)
	}
	return s.entries(ctx, e.id.String())
}
