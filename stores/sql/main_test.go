package sqlstore_test

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"

	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
	"github.com/atomicedit/atomicedit/stores/sql/sqlite"
)

// dsnVariable names an environment variable with a PostgreSQL database that the tests may use, such as "host=/tmp
// user=me". Without it, they start a server of their own, if PostgreSQL is installed.
const dsnVariable = "ATOMICEDIT_POSTGRES"

// An engine is a database and a driver.
type engine struct {
	name string
	open func(t testing.TB) *sql.DB
}

func engines() []engine {
	with := func(driver string) func(testing.TB) *sql.DB {
		return func(t testing.TB) *sql.DB { return opened(t)(sql.Open(driver, postgres(t))) }
	}
	return []engine{
		{"SQLite", func(t testing.TB) *sql.DB {
			return opened(t)(sqlite.OpenDB(filepath.Join(t.TempDir(),
				"tree.db")))
		}},
		{"SQLite in memory", func(t testing.TB) *sql.DB { return opened(t)(sqlite.OpenDB(":memory:")) }},
		{"PostgreSQL with pgx", with("pgx")},
		{"PostgreSQL with pq", with("postgres")},
	}
}

func opened(t testing.TB) func(*sql.DB, error) *sql.DB {
	return func(db *sql.DB, err error) *sql.DB {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
}

// onEngines runs a test on each engine.
func onEngines(t *testing.T, test func(t *testing.T, db *sql.DB)) {
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			test(t, e.open(t))
		})
	}
}

// openStore returns the store of a new tree, unless o names one.
func openStore(t testing.TB, db *sql.DB, o *sqlstore.Options) *sqlstore.Store {
	t.Helper()
	if o == nil {
		o = &sqlstore.Options{}
	}
	if o.Tree == "" {
		o.Tree = rand.Text()
	}
	s, err := sqlstore.Open(t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var tallies = struct {
	sync.Mutex
	n map[string]int
}{n: map[string]int{}}

// tally adds n to the count of what the tests have done to commits.
func tally(what string, n int) {
	tallies.Lock()
	defer tallies.Unlock()
	tallies.n[what] += n
}

func TestMain(m *testing.M) {
	if args := os.Getenv(childVariable); args != "" {
		if err := child(args); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	stopPostgres()
	for _, what := range slices.Sorted(maps.Keys(tallies.n)) {
		fmt.Printf("commits: %6d %s\n", tallies.n[what], what)
	}
	os.Exit(code)
}
