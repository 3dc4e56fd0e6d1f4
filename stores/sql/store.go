package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/atomicedit/atomicedit"
)

// Options configure [Open]. A nil *Options is the zero value.
type Options struct {
	// Tree is the name of the tree, of at most 255 bytes, and may be empty. A database has any number of trees, which
	// are independent of one another.
	Tree string

	// MaxSize is the size of the largest file that is read or written, in bytes; 0 means 64 MiB. The databases have
	// limits of their own, of about 1 GB.
	MaxSize int64

	// History is how long commits are kept so that they can be undone; 0 means 30 days, a negative value keeps nothing
	// that could be undone, and [Forever] keeps everything. As long as a commit is kept, so are the contents that it
	// replaced or deleted. Later commits remove older ones, a few at a time; those of another store of the same tree do
	// so by its own History.
	History time.Duration

	// Author returns the name of whoever commits, for the history. It gets the context of the commit. If Author is nil,
	// the name is empty.
	Author func(ctx context.Context) string

	// Patience is how long a commit goes on asking a database that has stopped answering during COMMIT; 0 means 30
	// seconds.
	Patience time.Duration
}

// Forever, as [Options].History, keeps every commit.
const Forever time.Duration = math.MaxInt64

const (
	defaultMaxSize  = 64 << 20
	defaultHistory  = 30 * 24 * time.Hour
	defaultPatience = 30 * time.Second
	longestTree     = 255
	longestName     = 2048 // PostgreSQL cannot index more than 2,704 bytes, the name of the tree included
)

// check refuses options that mean nothing.
func (o Options) check() error {
	switch {
	case len(o.Tree) > longestTree:
		return fmt.Errorf("sqlstore: Options.Tree has %d bytes, more than %d: %w", len(o.Tree), longestTree,
			fs.ErrInvalid)
	case o.MaxSize < 0:
		return fmt.Errorf("sqlstore: Options.MaxSize is %d: %w", o.MaxSize, fs.ErrInvalid)
	case o.Patience < 0:
		return fmt.Errorf("sqlstore: Options.Patience is %v: %w", o.Patience, fs.ErrInvalid)
	}
	return nil
}

// A Store is an [atomicedit.Store] on a tree of files in a database, made by [Open]. It is safe for concurrent use, and
// any number of stores, in any number of processes, may use one tree. The methods of the zero Store, or of a nil one,
// fail with an error that says how to make one.
//
// Directories exist only as parts of paths. Paths that differ in case name different files. A path of more than 2,048
// bytes is [fs.ErrInvalid]. New files have mode 0644.
type Store struct {
	db       *sql.DB
	dialect  *dialect
	tree     []byte
	maxSize  int64
	history  time.Duration
	author   func(context.Context) string
	patience time.Duration
	commits  atomic.Int64 // that this Store has made
}

var errZeroStore = errors.New("sqlstore: a zero Store has no database: make one with Open")

func (s *Store) isZero() bool { return s == nil || s.db == nil }

// Open returns the Store of a tree in a database. It makes the tables if they do not exist, and migrates those of an
// older version. It asks the database whether it is PostgreSQL or SQLite; any other database is
// [errors.ErrUnsupported].
//
// A commit uses one connection of db at a time. The Store never closes db. Open switches SQLite to write-ahead logging,
// so that readers and a writer do not wait for each other. An in-memory database of SQLite belongs to a single
// connection: unless [sql.DB.SetMaxOpenConns] limits db to one connection, Open refuses it with [fs.ErrInvalid].
func Open(ctx context.Context, db *sql.DB, o *Options) (*Store, error) {
	if o == nil {
		o = &Options{}
	}
	if db == nil {
		return nil, fmt.Errorf("sqlstore: the database is nil: %w", fs.ErrInvalid)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	d, err := dialectOf(ctx, db)
	if err != nil {
		return nil, err
	}
	s := &Store{
		db:       db,
		dialect:  d,
		tree:     []byte(o.Tree),
		maxSize:  cmp.Or(o.MaxSize, defaultMaxSize),
		history:  cmp.Or(o.History, defaultHistory),
		author:   o.Author,
		patience: cmp.Or(o.Patience, defaultPatience),
	}
	if err := s.setUp(ctx); err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Read implements [atomicedit.Store]. It takes one statement. A file larger than Options.MaxSize is
// [atomicedit.ErrTooLarge].
func (s *Store) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	if s.isZero() {
		return nil, errZeroStore
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	name, err := cleanPath(path)
	if err != nil {
		return nil, err
	}
	var f *atomicedit.File
	err = s.retried(ctx, func() error {
		f, err = s.read(ctx, name)
		return err
	})
	return f, err
}

// read reads the file called name. The same statement looks for files above and below it, so the answer is that of one
// moment.
func (s *Store) read(ctx context.Context, name string) (*atomicedit.File, error) {
	names := append(parents(name), name)
	q := s.dialect.statement(`SELECT name, mode, length(data), CASE WHEN name = ? AND length(data) <= CAST(? AS bigint) THEN data END
		FROM atomicedit_files WHERE (tree, name) IN (VALUES `, []byte(name), s.maxSize)
	q.addRows(key, len(names), func(i int) []any { return []any{s.tree, []byte(names[i])} })
	low, high := below(name)
	q.add(`) UNION ALL SELECT * FROM (SELECT name, mode, 0, CAST(NULL AS bytea) FROM atomicedit_files
		WHERE tree = ? AND name > ? AND name < ? ORDER BY name LIMIT 1) AS below`, s.tree, low, high)
	var found *atomicedit.File
	var clash error
	err := q.each(ctx, s.db, func(rows *sql.Rows) error {
		var other, data []byte
		var mode, size int64
		if err := rows.Scan(&other, &mode, &size, &data); err != nil {
			return err
		}
		switch {
		case string(other) != name:
			clash = clashes(name, string(other))
		case size > s.maxSize:
			return tooLarge("open", name, s.maxSize)
		default:
			found = &atomicedit.File{Path: name, Data: data, Mode: fs.FileMode(mode)}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case found != nil:
		return found, nil
	case clash != nil:
		return nil, clash
	}
	return &atomicedit.File{Path: name}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// setUp prepares SQLite.
func (s *Store) setUp(ctx context.Context) error {
	if len(s.dialect.setup) == 0 {
		return nil
	}
	for _, text := range s.dialect.setup {
		err := s.retried(ctx, func() error {
			_, err := s.db.ExecContext(ctx, text)
			return err
		})
		if err != nil {
			return fmt.Errorf("sqlstore: %s: %w", text, err)
		}
	}
	var file string
	if err := s.db.QueryRowContext(ctx,
		"SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&file); err != nil {
		return fmt.Errorf("sqlstore: asking SQLite for its file: %w", err)
	}
	if file == "" && s.db.Stats().MaxOpenConnections != 1 {
		return fmt.Errorf("sqlstore: every connection to an in-memory database has a database of its own: call "+
			"db.SetMaxOpenConns(1): %w", fs.ErrInvalid)
	}
	return nil
}

// textOf returns s as a text that every database takes.
func textOf(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}

var _ atomicedit.Store = (*Store)(nil)
