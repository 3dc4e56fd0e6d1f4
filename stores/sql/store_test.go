package sqlstore_test

import (
	"path/filepath"
	"testing"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
	"github.com/atomicedit/atomicedit/stores/sql/sqlite"
	"github.com/atomicedit/atomicedit/storetest"
)

func openSQLite(t *testing.T, path string, o *sqlstore.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSQLiteKeepsTheContract(t *testing.T) {
	for name, path := range map[string]string{"in a file": "tree.db", "in memory": ":memory:"} {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) atomicedit.Store {
				if path != ":memory:" {
					path = filepath.Join(t.TempDir(), "tree.db")
				}
				return openSQLite(t, path, nil)
			})
		})
	}
}
