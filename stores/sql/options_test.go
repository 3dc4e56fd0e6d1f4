package sqlstore_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
	"github.com/atomicedit/atomicedit/stores/sql/sqlite"
)

func TestTreesHaveNothingToDoWithEachOther(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		one, two := openStore(t, db, nil), openStore(t, db, nil)
		commit(t, one, atomicedit.Change{Path: "x", After: file("one")})
		has(t, two, "x", nil)
		commit(t, two, atomicedit.Change{Path: "x/y", After: file("two")})
		has(t, one, "x", file("one"))
		has(t, two, "x/y", file("two"))
	})
}

func TestTwoStoresOnOneTreeSeeTheSameFiles(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		o := &sqlstore.Options{}
		one := openStore(t, db, o)
		two := openStore(t, db, o)
		commit(t, one, atomicedit.Change{Path: "x", After: file("one")})
		commit(t, two, atomicedit.Change{Path: "x", Before: file("one"), After: file("two")})
		has(t, one, "x", file("two"))
	})
}

// Names are bytes, and content is too: nothing is lost, whatever the database makes of text.
func TestAnyNameThatIsAcceptedIsKept(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, &sqlstore.Options{Tree: "\xff\x00 tree" + rand.Text()})
		long := strings.Repeat("long name ", 204) + "12345678" // 2,048 bytes
		names := []string{"latin1-\xe4", "utf8-ä", "utf8-a\u0308", "UTF8-Ä", "new\nline", "quote'\"`", `back\slash`,
			"%_?$1", " ", "-", "x/..y", "\u202e", long}
		var changes []atomicedit.Change
		for _, name := range names {
			changes = append(changes, atomicedit.Change{Path: name, After: file(name)})
		}
		commit(t, s, changes...)
		for _, name := range names {
			has(t, s, name, file(name))
		}
		has(t, s, "latin1-ä", nil)
		commit(t, s, atomicedit.Invert(changes)...)
		for _, err := range []error{
			s.Commit(t.Context(), []atomicedit.Change{{Path: long + "9", After: file("")}}),
			s.Commit(t.Context(), []atomicedit.Change{{Path: "nul\x00", After: file("")}}),
		} {
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("Commit: %v, want %v", err, fs.ErrInvalid)
			}
		}
	})
}

func TestAFileThatIsTooLargeIsNeitherWrittenNorRead(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		o := &sqlstore.Options{MaxSize: 10}
		s := openStore(t, db, o)
		if err := s.Commit(t.Context(), []atomicedit.Change{{Path: "a", After: file("12345678901")}}); !errors.Is(err,
			atomicedit.ErrTooLarge) {
			t.Errorf("Commit: %v", err)
		}
		commit(t, s, atomicedit.Change{Path: "a", After: file("1234567890")})
		has(t, s, "a", file("1234567890"))
		o.MaxSize = 9
		if _, err := openStore(t, db, o).Read(t.Context(), "a"); !errors.Is(err, atomicedit.ErrTooLarge) {
			t.Errorf("Read: %v", err)
		}
	})
}

func TestALargeFileIsKept(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, nil)
		// twice as large as one statement is, otherwise
		large := &atomicedit.File{Data: bytes.Repeat([]byte("0123456789abcdef"), 1<<20)}
		commit(t, s, atomicedit.Change{Path: "large", After: large},
			atomicedit.Change{Path: "small", After: file("small")})
		has(t, s, "large", large)
		has(t, s, "small", file("small"))
	})
}

func TestOpenRefusesWhatMeansNothing(t *testing.T) {
	db := opened(t)(sqlite.OpenDB(filepath.Join(t.TempDir(), "tree.db")))
	for _, o := range []*sqlstore.Options{{MaxSize: -1}, {Patience: -1}, {Tree: strings.Repeat("x", 256)}} {
		if _, err := sqlstore.Open(t.Context(), db, o); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Open with %+v: %v", o, err)
		}
	}
	if _, err := sqlstore.Open(t.Context(), nil, nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Open(nil): %v", err)
	}
	for _, path := range []string{"", t.TempDir() + "/tree\x00.db"} {
		if _, err := sqlite.OpenDB(path); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("OpenDB of %q: %v", path, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sqlstore.Open(ctx, db, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with a cancelled context: %v", err)
	}
	var none *sqlstore.Store
	for _, s := range []*sqlstore.Store{none, {}} {
		if _, err := s.Read(t.Context(), "a"); err == nil {
			t.Error("the zero Store reads")
		}
		if s.Commit(t.Context(), nil) == nil || s.Undo(t.Context(), 1) == nil {
			t.Error("the zero Store commits")
		}
		for _, err := range s.History(t.Context()) {
			if err == nil {
				t.Error("the zero Store has a history")
			}
		}
	}
}

// Each connection to an in-memory database has a database of its own, so a file could be gone with its connection.
func TestAnInMemoryDatabaseNeedsOneConnection(t *testing.T) {
	db := opened(t)(sql.Open("sqlite", ":memory:"))
	if _, err := sqlstore.Open(t.Context(), db, nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Open: %v", err)
	}
	db.SetMaxOpenConns(1)
	openStore(t, db, nil)
}

func TestAPathOfADatabaseIsTakenLiterally(t *testing.T) {
	for _, name := range []string{"with space.db", "50%.db", "a?b#c.db", "ä&=.db"} {
		path := filepath.Join(t.TempDir(), name)
		for range 2 {
			s, err := sqlite.Open(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			f, err := s.Read(t.Context(), "a")
			if err != nil {
				commit(t, s.Store, atomicedit.Change{Path: "a", After: file("a")})
			} else if string(f.Data) != "a" {
				t.Errorf("%q", f.Data)
			}
			s.Close()
		}
		if found, _ := filepath.Glob(filepath.Dir(path) + "/*"); len(found) != 1 || found[0] != path {
			t.Errorf("%q is kept as %q", path, found)
		}
	}
}

// The database is the file that the path has named for the system when it was opened, wherever the process goes later.
func TestADatabaseStaysTheFileThatItsPathHasNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "far", "away"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("far", "away"), filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	for path, want := range map[string]string{"tree.db": "tree.db", "link/../tree.db": "far/tree.db",
		"./:memory:": ":memory:"} {
		t.Chdir(dir)
		if runtime.GOOS == "windows" && path != "tree.db" {
			continue // it removes ".." before it follows links, and has no colons in names
		}
		db := opened(t)(sqlite.OpenDB(path))
		db.SetMaxIdleConns(-1) // each statement opens the file
		t.Chdir(t.TempDir())
		commit(t, openStore(t, db, nil), atomicedit.Change{Path: "a", After: file("1")})
		if _, err := os.Stat(filepath.Join(dir, want)); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestTablesOfANewerVersionAreRefused(t *testing.T) {
	db := opened(t)(sqlite.OpenDB(filepath.Join(t.TempDir(), "tree.db")))
	openStore(t, db, nil)
	if _, err := db.Exec("INSERT INTO atomicedit_schema (version) VALUES (1000)"); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlstore.Open(t.Context(), db, nil); err == nil || !strings.Contains(err.Error(), "version 1000") {
		t.Errorf("Open: %v", err)
	}
}

// Several processes may begin with an empty database at once.
func TestManyOpenAnEmptyDatabase(t *testing.T) {
	for name, empty := range emptyDatabases() {
		t.Run(name, func(t *testing.T) {
			driver, dsn := empty(t)
			var wg sync.WaitGroup
			for range 8 {
				db := opened(t)(sql.Open(driver, dsn))
				wg.Go(func() {
					if _, err := sqlstore.Open(t.Context(), db, nil); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

// 10,000 files do not take a statement each, and a commit to a large tree no more than one to a small tree.
func TestTheNumberOfStatementsGrowsSlowly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tree.db")
	line := &line{}
	db := line.through(t, opened(t)(sqlite.OpenDB(path)), fileDSN(path))
	s := openStore(t, db, nil)
	line.reset(nil, nil)
	commit(t, s, tree(10_000, 0)...)
	if n := line.calls(); n > 400 {
		t.Errorf("a commit of 10,000 new files takes %d calls of the driver", n)
	}
	line.reset(nil, nil)
	commit(t, s, atomicedit.Change{Path: "a", After: file("a")})
	if n := line.calls(); n > 15 {
		t.Errorf("a commit of one file to a large tree takes %d calls of the driver", n)
	}
}

// A commit that waits for another transaction gives up when its context ends, and nothing was done.
func TestACommitWaitsUntilItsContextEnds(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		if db.Stats().MaxOpenConnections == 1 {
			t.Skip("the database has one connection")
		}
		s := openStore(t, db, nil)
		unique := file(rand.Text())
		commit(t, s, atomicedit.Change{Path: "a", After: unique})
		other, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Exec("UPDATE atomicedit_files SET mode = mode WHERE version = '" +
			string(atomicedit.VersionOf(unique.Data)) + "'"); err != nil {
			t.Fatal(err)
		}
		change := []atomicedit.Change{{Path: "a", Before: unique, After: file("b")}}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := s.Commit(ctx, change); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Commit: %v", err)
		}
		done := make(chan error)
		go func() { done <- s.Commit(context.Background(), change) }()
		time.Sleep(20 * time.Millisecond)
		if err := other.Rollback(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		has(t, s, "a", file("b"))
	})
}

// Another program may have switched write-ahead logging off. Then readers meet writers, and wait as commits do.
func TestReadersWaitForALockedDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tree.db")
	db := opened(t)(sqlite.OpenDB(path))
	db.SetMaxIdleConns(-1)
	s := openStore(t, db, nil)
	commit(t, s, atomicedit.Change{Path: "a", After: file("1")})
	other := opened(t)(sqlite.OpenDB(path))
	other.SetMaxOpenConns(1)
	for _, reader := range []func() error{
		func() error { _, err := s.Names(t.Context(), ""); return err },
		func() error { _, err := s.Read(t.Context(), "a"); return err },
		func() error {
			for _, err := range s.History(t.Context()) {
				return err
			}
			return errors.New("there is no history")
		},
	} {
		for _, text := range []string{"PRAGMA journal_mode = DELETE", "BEGIN EXCLUSIVE"} {
			if _, err := other.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan error, 1)
		go func() { done <- reader() }()
		time.Sleep(200 * time.Millisecond)
		if _, err := other.Exec("ROLLBACK"); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
