package sqlstore_test

import (
	"database/sql"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

func TestAStoreKeepsTheContract(t *testing.T) {
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) atomicedit.Store {
				return openStore(t, e.open(t), nil)
			})
		})
	}
}

// A session and a host work on a store as on any other.
func TestASessionAndAHostRunOnAStore(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, nil)
		commit(t, s, atomicedit.Change{Path: "a.txt", After: file("one\ntwo\n")})
		host := &atomicedit.Host{Store: atomicedit.NewSession(s)}
		call := func(args string) error {
			_, err := host.Call(t.Context(), "str_replace_editor", []byte(args))
			return err
		}
		edit := `{"command": "str_replace", "path": "a.txt", "old_str": "two", "new_str": "2"}`
		// refused: nobody has read the file
		call(`{"command": "insert", "path": "a.txt", "insert_line": 1, "insert_text": "x"}`)
		has(t, s, "a.txt", file("one\ntwo\n"))
		for _, args := range []string{`{"command": "view", "path": "a.txt"}`, edit} {
			if err := call(args); err != nil {
				t.Fatal(err)
			}
		}
		has(t, s, "a.txt", file("one\n2\n"))
		commit(t, s, atomicedit.Change{Path: "a.txt", Before: file("one\n2\n"), After: file("by somebody else\n")})
		call(`{"command": "create", "path": "a.txt", "file_text": "mine\n"}`) // refused: the file has changed
		has(t, s, "a.txt", file("by somebody else\n"))
	})
}
