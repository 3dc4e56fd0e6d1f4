// Package sqlite opens SQLite databases for package sqlstore, with the driver modernc.org/sqlite, which is pure Go.
package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	_ "modernc.org/sqlite"

	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// A Store is a [sqlstore.Store] that owns its database.
type Store struct {
	*sqlstore.Store
	db *sql.DB
}

// Open returns the Store of a tree in the database in a file, and creates the file if it does not exist. The path
// ":memory:" stands for a new database in memory. Several stores, in several processes, may have the same file open.
// The file must not be on a network file system, because write-ahead logging needs shared memory.
//
// A commit is on disk when it returns. If the database is busy, the commit waits until its context ends.
func Open(ctx context.Context, path string, o *sqlstore.Options) (*Store, error) {
	db, err := OpenDB(path)
	if err != nil {
		return nil, err
	}
	s, err := sqlstore.Open(ctx, db, o)
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("sqlite: %s: %w", path, err)
	}
	return &Store{s, db}, nil
}

// Close closes the database. The Store must not be used after it.
func (s *Store) Close() error { return s.db.Close() }

// OpenDB returns the database that Open uses, for a program that calls [sqlstore.Open] itself, as for several trees.
func OpenDB(path string) (*sql.DB, error) {
	if path == "" {
		return nil, fmt.Errorf("sqlite: the path of the database is empty: %w", fs.ErrInvalid)
	}
	if strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("sqlite: the path of the database has a NUL byte, at which SQLite would end it: %q: %w",
			path, fs.ErrInvalid)
	}
	if path == ":memory:" {
		db, err := open(path)
		if err == nil {
			db.SetMaxOpenConns(1)
		}
		return db, err
	}
	path, err := absolute(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	return open(path)
}

func open(path string) (*sql.DB, error) {
	// SQLite waits without regard to contexts, so not for long: the store tries again.
	pragmas := url.Values{"_pragma": {"busy_timeout(100)", "synchronous(FULL)"}}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: pragmas.Encode()}
	return sql.Open("sqlite", name.String())
}

// absolute returns the path from the root: the working directory may change before the next connection is opened.
// Unlike [filepath.Abs], it does not remove "..": after a symbolic link, that is the parent of the link's target.
func absolute(path string) (string, error) {
	if runtime.GOOS == "windows" {
		return filepath.Abs(path)
	}
	if !filepath.IsAbs(path) {
		dir, err := os.Getwd()
		if err != nil {
			return "", err
		}
		path = dir + "/" + path
	}
	return "/" + strings.TrimLeft(path, "/"), nil // after two slashes, a URL names a host
}
