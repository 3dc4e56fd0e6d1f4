// Package sqlite opens SQLite databases for package sqlstore, with the driver modernc.org/sqlite, which is pure Go.
package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite"

	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// A Store is a [sqlstore.Store] that owns its database.
type Store struct {
	*sqlstore.Store
	db *sql.DB
}

// Open returns the Store of a tree in the database in a file, and creates the file if it does not exist. The path ":memory:"
// stands for a new database in memory. Several stores, in several processes, may have the same file open. The file must not be on
// a network file system, because write-ahead logging needs shared memory.
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
		return nil, fmt.Errorf("sqlite: the path of the database has a NUL byte, at which SQLite would end it: %q: %w", path, fs.ErrInvalid)
	}
	// SQLite waits without regard to contexts, so not for long: the store tries again.
	pragmas := url.Values{"_pragma": {"busy_timeout(100)", "synchronous(FULL)"}}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.Clean(path)}).EscapedPath(), RawQuery: pragmas.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err == nil && path == ":memory:" {
		db.SetMaxOpenConns(1)
	}
	return db, err
}
