package sqlstore_test

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"testing"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// PostgreSQL would refuse the first of two commits if it read more than its own files, as it does to go through a small
// table quickly, or if it moved a row that it changes to another page.
func TestACommitIsNotTriedAgainBecauseOfOneOfOtherFiles(t *testing.T) {
	t.Parallel()
	kind, dsn := emptyDatabases()["PostgreSQL"](t)
	safe, line := opened(t)(sql.Open(kind, dsn)), &line{}
	weak := line.through(t, safe, dsn)
	edit := func(name int) atomicedit.Change {
		return atomicedit.Change{Path: fmt.Sprintf("dir/%02d", name), Before: file("1"), After: file("2")}
	}
	// calls returns how many calls a commit takes. Before one of them, another store of the tree commits.
	calls := func(files, k int) int {
		o := &sqlstore.Options{Tree: rand.Text()}
		s, other := openStore(t, weak, o), openStore(t, safe, o)
		var first []atomicedit.Change
		for name := range files {
			first = append(first, atomicedit.Change{Path: fmt.Sprintf("dir/%02d", name), After: file("1")})
		}
		commit(t, other, first...)
		line.reset(nil, func(n int, after bool) {
			if n == k && !after {
				commit(t, other, edit(3), edit(8))
			}
		})
		defer line.reset(nil, nil)
		commit(t, s, edit(4), edit(9))
		return line.calls()
	}
	for _, files := range []int{20, 500} {
		want := calls(files, -1)
		for k := range want {
			if got := calls(files, k); got != want {
				t.Errorf("a commit to a tree of %d files takes %d calls of the driver if another one comes before call %d, want %d", files, got, k, want)
			}
		}
	}
}

// A database collects statistics now and then, so it may know little of a tree that is new, or has grown.
func TestStatisticsAreNotNeeded(t *testing.T) {
	t.Parallel()
	kind, dsn := emptyDatabases()["PostgreSQL"](t)
	db := opened(t)(sql.Open(kind, dsn))
	db.SetMaxOpenConns(1)
	for range 5 {
		commit(t, openStore(t, db, nil), tree(200, 0)...)
	}
	for _, text := range []string{"ALTER TABLE atomicedit_files SET (autovacuum_enabled = off)",
		"ANALYZE atomicedit_files"} {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	s := openStore(t, db, nil)
	const files = 3000
	commit(t, s, tree(files, 0)...)
	// looked returns how many entries of the index this connection has looked at.
	looked := func() (n int) {
		if _, err := db.Exec("SELECT pg_stat_force_next_flush()"); err != nil {
			t.Skip("this PostgreSQL does not say at once what it has done: ", err)
		}
		if err := db.QueryRow("SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelid = 'atomicedit_files_pkey'::regclass").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	path := "dir0/file7.txt"
	now := looked()
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"Read", func() error { _, err := s.Read(t.Context(), path); return err }},
		{"Commit", func() error {
			return s.Commit(t.Context(), append(tree(7, 1), atomicedit.Change{Path: "new", After: file("1")}))
		}},
		{"Undo", func() error { return s.Undo(t.Context(), history(t, s)[0].ID) }},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		before := now
		if now = looked(); now-before > files/10 {
			t.Errorf("%s has looked at %d files", step.name, now-before)
		}
	}
}
