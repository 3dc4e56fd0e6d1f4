package sqlstore_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
	"github.com/atomicedit/atomicedit/storetest"
)

// A network is a database that can be reached safely, and by way of a line.
type network struct {
	name       string
	safe, weak *sql.DB
	line       *line
}

// onNetworks runs a test on each engine whose databases outlive a connection.
func onNetworks(t *testing.T, test func(t *testing.T, net network)) {
	t.Parallel()
	for name, dsn := range map[string]func(t *testing.T) (driver, dsn string){
		"SQLite":     emptyDatabases()["SQLite"],
		"PostgreSQL": func(t *testing.T) (string, string) { return "pgx", postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kind, dsn := dsn(t)
			net := network{name: name, safe: opened(t)(sql.Open(kind, dsn)), line: &line{}}
			net.weak = net.line.through(t, net.safe, dsn)
			test(t, net)
		})
	}
}

// fileDSN returns the name of a database in a file. It does not wait for the disk: here, processes die, but no machine.
func fileDSN(path string) string {
	return "file:" + path + "?_pragma=busy_timeout(100)&_pragma=synchronous(OFF)"
}

// breakable is a store on a line that can be cut.
type breakable struct {
	*sqlstore.Store
	line *line
}

func (b breakable) Break(n int) { b.line.cutAt(n) }

func (b breakable) Mend() { b.line.reset(nil, nil) }

func TestAStoreWhoseDatabaseGoesAwayKeepsTheContract(t *testing.T) {
	onNetworks(t, func(t *testing.T, net network) {
		storetest.Run(t, func(t *testing.T) atomicedit.Store {
			return breakable{openStore(t, net.weak, &sqlstore.Options{Patience: 20 * time.Millisecond}), net.line}
		})
	})
}

// A deed is something that a store does completely or not at all.
type deed struct {
	name string
	do   func(ctx context.Context, s *sqlstore.Store) error
}

func file(text string) *atomicedit.File { return &atomicedit.File{Data: []byte(text)} }

func deeds() []deed {
	return []deed{
		{"a commit", func(ctx context.Context, s *sqlstore.Store) error {
			return s.Commit(ctx, []atomicedit.Change{
				{Path: "a", Before: file("a"), After: file("A")},
				{Path: "b", Before: file("b")},
				{Path: "dir/c", After: file("c")},
			})
		}},
		{"an undo", func(ctx context.Context, s *sqlstore.Store) error {
			for c, err := range s.History(ctx) {
				if err != nil {
					return err
				}
				return s.Undo(ctx, c.ID)
			}
			return errors.New("there is nothing to undo")
		}},
	}
}

// texts returns what a store has, and how many commits.
func texts(t *testing.T, s *sqlstore.Store) string {
	t.Helper()
	all := ""
	for _, path := range []string{"a", "b", "dir/c"} {
		f, err := s.Read(t.Context(), path)
		switch {
		case err == nil:
			all += fmt.Sprintf("%s=%s ", path, f.Data)
		case !errors.Is(err, fs.ErrNotExist):
			t.Fatal(err)
		}
	}
	commits := 0
	for _, err := range s.History(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		commits++
	}
	return fmt.Sprintf("%sin %d commits", all, commits)
}

// underFaults does a deed in a new tree while the line has faults, and returns its error and the number of calls. It
// fails the test unless all or nothing was done, and the error says which.
func (net network) underFaults(t *testing.T, deed deed, faults map[int]fault,
	strike func(n int, after bool)) (calls int, err error) {
	t.Helper()
	o := &sqlstore.Options{Tree: rand.Text()}
	net.line.reset(nil, nil)
	weak, safe := openStore(t, net.weak, o), openStore(t, net.safe, o)
	if err := safe.Commit(t.Context(),
		[]atomicedit.Change{{Path: "a", After: file("a")}, {Path: "b", After: file("b")}}); err != nil {
		t.Fatal(err)
	}
	before := texts(t, safe)
	after := map[string]string{"a commit": "a=A dir/c=c in 2 commits", "an undo": "in 2 commits"}[deed.name]
	net.line.reset(faults, strike)
	err = deed.do(t.Context(), weak)
	calls = net.line.calls()
	net.line.reset(nil, nil)
	want := before
	if err == nil {
		want = after
	}
	if got := texts(t, safe); got != want || errors.Is(err, atomicedit.ErrUnfinished) {
		t.Fatalf("%s with faults %v: error %v, and the store has %q, want %q", deed.name, faults, err, got, want)
	}
	return calls, err
}

// count tallies the outcome of a deed.
func (net network) count(what string, err error) {
	outcome := "done"
	if err != nil {
		outcome = "not done, and said so"
	}
	tally(fmt.Sprintf("on %s, %s: %s", net.name, what, outcome), 1)
}

// Every call of the driver fails once, in each way: alone, and with a second call that loses its connection.
func TestACommitIsDoneOrNotWhateverCallFails(t *testing.T) {
	onNetworks(t, func(t *testing.T, net network) {
		for _, deed := range deeds() {
			for _, f := range faults() {
				for k := 0; ; k++ {
					calls, err := net.underFaults(t, deed, map[int]fault{k: f}, nil)
					if calls <= k {
						break
					}
					net.count("with one call of the driver "+f.name, err)
					for j := k + 1; j < calls && f.lose; j++ {
						_, err := net.underFaults(t, deed, map[int]fault{k: f, j: {lose: true, after: true}}, nil)
						net.count("with two connections lost", err)
					}
				}
			}
		}
	})
}

// A context that ends before or after any call of the driver ends the commit, or comes too late. The error says which.
func TestACommitIsDoneOrNotWheneverItsContextEnds(t *testing.T) {
	onNetworks(t, func(t *testing.T, net network) {
		for _, deed := range deeds() {
			for _, after := range []bool{false, true} {
				for k := 0; ; k++ {
					ctx, cancel := context.WithCancel(t.Context())
					canceled := deed
					canceled.do = func(_ context.Context, s *sqlstore.Store) error { return deed.do(ctx, s) }
					calls, err := net.underFaults(t, canceled, nil, func(n int, isAfter bool) {
						if n == k && isAfter == after {
							cancel()
						}
					})
					cancel()
					if err != nil && !errors.Is(err, context.Canceled) {
						t.Errorf("%s whose context ends at call %d: %v", deed.name, k, err)
					}
					if calls <= k {
						break
					}
					net.count("whose context ended", err)
				}
			}
		}
	})
}

// A COMMIT that is still on its way when its connection is lost is waited for: who looks too early would find nothing.
func TestACommitThatArrivesLateIsFoundOut(t *testing.T) {
	onNetworks(t, func(t *testing.T, net network) {
		net.commitWithoutConnection(t, func(*conn) error { return errors.New("lost") })
		for {
			err := net.commitWithoutConnection(t, func(c *conn) error {
				_, err := c.Conn.(driver.ExecerContext).ExecContext(context.Background(), "COMMIT", nil)
				return err
			})
			if err == nil {
				return
			}
			// PostgreSQL may refuse a COMMIT because of the tests beside this one, and says so with a code.
			if conflict := interface{ SQLState() string }(nil); !errors.As(err, &conflict) {
				t.Fatal(err)
			}
		}
	})
}

// commitWithoutConnection loses the connection of a commit before its COMMIT, which arrives if send succeeds. It
// returns the error of send, and fails the test unless Commit finds out what has become of it.
func (net network) commitWithoutConnection(t *testing.T, send func(*conn) error) error {
	t.Helper()
	o := &sqlstore.Options{Tree: rand.Text()}
	s, safe := openStore(t, net.weak, o), openStore(t, net.safe, o)
	sent := make(chan error, 1)
	net.line.slow = func(c *conn) {
		time.Sleep(100 * time.Millisecond)
		sent <- send(c)
		c.Conn.Close()
	}
	err := s.Commit(t.Context(), []atomicedit.Change{{Path: "a", After: file("a")}})
	lost := <-sent
	if (err == nil) != (lost == nil) || errors.Is(err, atomicedit.ErrUnfinished) {
		t.Errorf("the COMMIT on its way: %v, and Commit says: %v", lost, err)
	}
	if _, err := safe.Read(t.Context(), "a"); (err == nil) != (lost == nil) {
		t.Errorf("the COMMIT on its way: %v, and Read says: %v", lost, err)
	}
	net.count("whose COMMIT was on its way when the connection was lost", err)
	return lost
}

// emptyDatabases returns functions that make a database without tables, and return its driver and name.
func emptyDatabases() map[string]func(t *testing.T) (driver, dsn string) {
	return map[string]func(t *testing.T) (driver, dsn string){
		"SQLite": func(t *testing.T) (string, string) {
			return "sqlite",
				fileDSN(filepath.Join(t.TempDir(), "tree.db"))
		},
		"PostgreSQL": func(t *testing.T) (string, string) {
			db := opened(t)(sql.Open("pgx", postgres(t)))
			schema := "empty_" + strings.ToLower(rand.Text())
			if _, err := db.Exec("CREATE SCHEMA " + schema); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Exec("DROP SCHEMA " + schema + " CASCADE") })
			return "pgx", postgres(t) + " search_path=" + schema
		},
	}
}

// Whichever call fails while the tables are made, opening the database again makes them.
func TestTablesAreMadeOrNotWhateverCallFails(t *testing.T) {
	t.Parallel()
	for name, empty := range emptyDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ways := faults()
			if name == "PostgreSQL" {
				ways = ways[3:] // a new schema takes time
			}
			for _, f := range ways {
				for k := 0; ; k++ {
					driver, dsn := empty(t)
					safe, line := opened(t)(sql.Open(driver, dsn)), &line{}
					weak := line.through(t, safe, dsn)
					line.reset(map[int]fault{k: f}, nil)
					_, err := sqlstore.Open(t.Context(), weak, nil)
					calls := line.calls()
					line.reset(nil, nil)
					commit(t, openStore(t, safe, nil), atomicedit.Change{Path: "a", After: file("a")})
					weak.Close()
					safe.Close()
					if calls <= k {
						break
					}
					network{name: name}.count("that make the tables, with one call of the driver "+f.name, err)
				}
			}
		})
	}
}
