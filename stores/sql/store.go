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
	"time"

	"github.com/atomicedit/atomicedit"
)

// Options are the choices a caller has in [Open]. A nil *Options is the zero value.
type Options struct {
	// Tree is the name of the tree. A database keeps any number of trees, which have nothing to do with each other. The empty
	// name is one of them. Names have at most 255 bytes.
	Tree string

	// MaxSize is the size of the largest file that is read or written, in bytes; 0 means 64 MiB. The database has a limit of its
	// own, of about 1 GB.
	MaxSize int64

	// History is how long a commit is kept at least, so that it can be undone; 0 means 30 days, and a negative value keeps nothing.
	// [Forever] keeps everything. The commits that follow remove what is older.
	History time.Duration

	// Author tells who commits, from the context of the commit. The history has the text. Nil leaves it empty.
	Author func(ctx context.Context) string

	// Patience is how long a commit waits for a database that stops answering during COMMIT; 0 means 30 seconds.
	Patience time.Duration
}

// Forever is the value of [Options].History that keeps every commit.
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
		return fmt.Errorf("sqlstore: Options.Tree has %d bytes, more than %d: %w", len(o.Tree), longestTree, fs.ErrInvalid)
	case o.MaxSize < 0:
		return fmt.Errorf("sqlstore: Options.MaxSize is %d: %w", o.MaxSize, fs.ErrInvalid)
	case o.Patience < 0:
		return fmt.Errorf("sqlstore: Options.Patience is %v: %w", o.Patience, fs.ErrInvalid)
	}
	return nil
}

// A Store is an [atomicedit.Store] on a tree of files in a database, made by [Open]. It has no locks and keeps no state of its
// own: any number of stores, in any number of processes, may use one tree. It is safe for concurrent use. The methods of the zero
// Store, or of a nil one, fail with an error that says how to make one.
//
// Directories exist only as parts of paths, and names that differ in case name different files. A path of more than 2,048 bytes
// is [fs.ErrInvalid]. New files have mode 0644.
type Store struct {
	db       *sql.DB
	dialect  *dialect
	tree     []byte
	maxSize  int64
	history  time.Duration
	author   func(context.Context) string
	patience time.Duration
	commits  *counter
}

var errZeroStore = errors.New("sqlstore: a zero Store has no database: make one with Open")

func (s *Store) isZero() bool { return s == nil || s.db == nil }

// Open returns the Store of a tree in a database, and makes or migrates the tables. It asks the database whether it is PostgreSQL
// or SQLite, so it works with every driver; any other database is [errors.ErrUnsupported].
//
// A commit uses one connection of db at a time, and the Store never closes db. SQLite is switched to write-ahead logging, so that
// readers and a writer do not wait for each other. An in-memory database of SQLite belongs to one connection, so db must
// be limited to one by [sql.DB.SetMaxOpenConns]; otherwise Open refuses it with [fs.ErrInvalid].
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
		commits:  &counter{},
	}
	if err := s.setUp(ctx); err != nil {
		return nil, err
	}
	return s, s.migrate(ctx)
}

// Read implements [atomicedit.Store]. It is one statement. A file longer than MaxSize is [atomicedit.ErrTooLarge].
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
	for wait := firstWait(); ; wait = wait.next() {
		f, err := s.read(ctx, name)
		if !s.dialect.conflict(err) {
			return f, orEnded(ctx, err)
		}
		if err := wait.sleep(ctx); err != nil {
			return nil, err
		}
	}
}

// read reads the file called name. What would be in its way is read by the same statement, so that the answer was true at one moment.
func (s *Store) read(ctx context.Context, name string) (*atomicedit.File, error) {
	above := parents(name)
	q := s.dialect.statement(`SELECT name, mode, length(data), CASE WHEN name = ? AND length(data) <= CAST(? AS bigint) THEN data END
		FROM atomicedit_files WHERE tree = ? AND name IN (?`, []byte(name), s.maxSize, s.tree, []byte(name))
	for _, dir := range above {
		q.add(", ?", []byte(dir))
	}
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
			return tooLarge("open", name, size, s.maxSize)
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
		for wait := firstWait(); ; wait = wait.next() {
			_, err := s.db.ExecContext(ctx, text)
			if err == nil {
				break
			}
			if !s.dialect.conflict(err) {
				return fmt.Errorf("sqlstore: %s: %w", text, err)
			}
			if err := wait.sleep(ctx); err != nil {
				return err
			}
		}
	}
	var file string
	if err := s.db.QueryRowContext(ctx, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&file); err != nil {
		return fmt.Errorf("sqlstore: asking SQLite for its file: %w", err)
	}
	if file == "" && s.db.Stats().MaxOpenConnections != 1 {
		return fmt.Errorf("sqlstore: every connection to an in-memory database has a database of its own: call db.SetMaxOpenConns(1): %w", fs.ErrInvalid)
	}
	return nil
}

// textOf returns s as a text that every database takes.
func textOf(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "\ufffd")
}

var _ atomicedit.Store = (*Store)(nil)
