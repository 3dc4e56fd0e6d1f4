package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Names returns the names of the files and directories in a directory, in the order of the paths; those of directories
// end in a slash. The root is "." or "". A directory that is not there is [fs.ErrNotExist], and a file is
// [fs.ErrInvalid]. Names takes one statement, which reads the paths of all files below the directory.
func (s *Store) Names(ctx context.Context, dir string) ([]string, error) {
	if s.isZero() {
		return nil, errZeroStore
	}
	isRoot := dir == "" || path.Clean(dir) == "."
	low, high := []byte{}, bytes.Repeat([]byte{0xff}, longestName+1)
	if !isRoot {
		name, err := cleanPath(strings.TrimSuffix(dir, "/"))
		if err != nil {
			return nil, err
		}
		low, high = below(name)
	}
	q := s.dialect.statement(`SELECT name FROM atomicedit_files WHERE tree = ? AND name >= ? AND name < ? ORDER BY name`, s.tree, low, high)
	var names []string
	err := s.retried(ctx, func() error {
		names = nil
		return q.each(ctx, s.db, func(rows *sql.Rows) error {
			var file []byte
			if err := rows.Scan(&file); err != nil {
				return err
			}
			name, _, isDir := strings.Cut(string(file[len(low):]), "/")
			if isDir {
				name += "/"
			}
			if len(names) == 0 || names[len(names)-1] != name {
				names = append(names, name)
			}
			return nil
		})
	})
	if err != nil || names != nil || isRoot {
		return names, err
	}
	if f, err := s.Read(ctx, strings.TrimSuffix(dir, "/")); f == nil || err == nil {
		if err == nil {
			err = &fs.PathError{Op: "open", Path: dir,
				Err: fmt.Errorf("it is a file, not a directory: %w", fs.ErrInvalid)}
		}
		return nil, err
	}
	return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
}
