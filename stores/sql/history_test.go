package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// history returns the commits that a store keeps, the newest first.
func history(t *testing.T, s *sqlstore.Store) (commits []sqlstore.Commit) {
	t.Helper()
	for c, err := range s.History(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, c)
	}
	return commits
}

func commit(t *testing.T, s *sqlstore.Store, changes ...atomicedit.Change) {
	t.Helper()
	if err := s.Commit(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, s *sqlstore.Store, path string, want *atomicedit.File) {
	t.Helper()
	f, err := s.Read(t.Context(), path)
	if want == nil {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Read(%q): %+v, %v, want no file", path, f, err)
		}
		return
	}
	if err != nil || string(f.Data) != string(want.Data) || want.Mode != 0 && f.Mode != want.Mode {
		t.Errorf("Read(%q): %+v, %v, want %+v", path, f, err, want)
	}
}

type authorKey struct{}

func TestHistorySaysWhoChangedWhat(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, &sqlstore.Options{Author: func(ctx context.Context) string {
			who, _ := ctx.Value(authorKey{}).(string)
			return who
		}})
		began := time.Now().Truncate(time.Microsecond)
		commit(t, s, atomicedit.Change{Path: "b", After: file("b")}, atomicedit.Change{Path: "a", After: file("a")})
		ctx := context.WithValue(t.Context(), authorKey{}, "ada\x00\xff")
		move := []atomicedit.Change{{Path: "c", After: file("a"), From: "a"}, {Path: "a", Before: file("a")},
			{Path: "b", Before: file("b"), After: file("b")}}
		if err := s.Commit(ctx, move); err != nil {
			t.Fatal(err)
		}
		commit(t, s, atomicedit.Change{Path: "b", Before: file("b"), After: file("b")}) // changes nothing

		a, b := atomicedit.VersionOf([]byte("a")), atomicedit.VersionOf([]byte("b"))
		got := history(t, s)
		want := []sqlstore.Commit{
			{Author: "ada\ufffd\ufffd", Changes: []sqlstore.Changed{{"a", a, ""}, {"c", "", a}}},
			{Changes: []sqlstore.Changed{{"a", "", a}, {"b", "", b}}},
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(sqlstore.Commit{}, "ID", "Time")); diff != "" {
			t.Error(diff)
		}
		for i, c := range got {
			if c.Time.Before(began) || c.Time.After(time.Now()) || i > 0 && c.ID >= got[i-1].ID {
				t.Errorf("commit %d has the number %d, and was made at %v", i, c.ID, c.Time)
			}
		}
	})
}

func TestUndoPutsBackWhatWasThere(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, nil)
		script := &atomicedit.File{Data: []byte("#!"), Mode: 0o755}
		commit(t, s, atomicedit.Change{Path: "a", After: file("a")}, atomicedit.Change{Path: "dir/b", After: script},
			atomicedit.Change{Path: "empty", After: file("")})
		plain := &atomicedit.File{Data: []byte("#!"), Mode: 0o644}
		commit(t, s, atomicedit.Change{Path: "a", Before: file("a"), After: file("A")},
			atomicedit.Change{Path: "dir/b", Before: script, After: plain},
			atomicedit.Change{Path: "empty", Before: file("")}, atomicedit.Change{Path: "new", After: file("new")})

		undo := func() error { return s.Undo(t.Context(), history(t, s)[0].ID) }
		for range 2 { // the undo, and the undo of the redo
			if err := undo(); err != nil {
				t.Fatal(err)
			}
			has(t, s, "a", file("a"))
			has(t, s, "dir/b", script)
			has(t, s, "empty", file(""))
			has(t, s, "new", nil)
			if err := undo(); err != nil {
				t.Fatal(err)
			}
			has(t, s, "a", file("A"))
			has(t, s, "dir/b", plain)
			has(t, s, "empty", nil)
			has(t, s, "new", file("new"))
		}
	})
}

func TestUndoRefusesWhatHasChangedSince(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, nil)
		commit(t, s, atomicedit.Change{Path: "a", After: file("1")}, atomicedit.Change{Path: "b", After: file("1")},
			atomicedit.Change{Path: "x", After: file("x")})
		commit(t, s, atomicedit.Change{Path: "a", Before: file("1"), After: file("2")},
			atomicedit.Change{Path: "b", Before: file("1"), After: file("2")})
		edit := history(t, s)[0].ID
		commit(t, s, atomicedit.Change{Path: "x", Before: file("x")})
		removal := history(t, s)[0].ID
		commit(t, s, atomicedit.Change{Path: "b", Before: file("2"), After: file("3")},
			atomicedit.Change{Path: "x/y", After: file("below")})
		for _, test := range []struct {
			id   int64
			want error
		}{{edit, atomicedit.ErrStale}, {removal, fs.ErrInvalid}, {removal + 1000, fs.ErrNotExist}} {
			if err := s.Undo(t.Context(), test.id); !errors.Is(err, test.want) {
				t.Errorf("Undo: %v, want %v", err, test.want)
			}
		}
		has(t, s, "a", file("2"))
		has(t, s, "b", file("3"))

		other := openStore(t, db, nil)
		if err := other.Undo(t.Context(), edit); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Undo of a commit to another tree: %v", err)
		}
		if commits := history(t, other); len(commits) != 0 {
			t.Errorf("a new tree has the commits %v", commits)
		}
	})
}

func TestHistoryIsReadInPages(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, nil)
		const n = 120
		for i := range n {
			commit(t, s, atomicedit.Change{Path: fmt.Sprint(i), After: file("")},
				atomicedit.Change{Path: fmt.Sprint(i, "b"), After: file("")})
		}
		commits := history(t, s)
		if len(commits) != n {
			t.Fatalf("%d commits, want %d", len(commits), n)
		}
		for i, c := range commits {
			if len(c.Changes) != 2 || c.Changes[0].Path != fmt.Sprint(n-1-i) {
				t.Errorf("commit %d is %+v", i, c)
			}
		}
		for range s.History(t.Context()) {
			break // gives its connection back
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, err := range s.History(ctx) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("History: %v", err)
			}
		}
	})
}

// What is older than Options.History goes with the commits that follow: at most 32 of them at once. A removal that
// fails, as beside tests that end connections, is made up for by a later one.
func TestOldCommitsAreForgotten(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		o := &sqlstore.Options{History: 2 * time.Hour}
		s := openStore(t, db, o)
		const old, each, every = 40, 32, 16
		for i := range old {
			commit(t, s, atomicedit.Change{Path: fmt.Sprint(i), After: file("")})
		}
		for _, c := range history(t, s) {
			if _, err := db.Exec(fmt.Sprintf("UPDATE atomicedit_commits SET at = at - %d WHERE id = %d",
				(3 * time.Hour).Microseconds(), c.ID)); err != nil {
				t.Fatal(err)
			}
		}
		s = openStore(t, db, o)
		kept, added := old, 0
		for added < kept {
			if added == 10*every {
				t.Fatalf("after %d new commits, %d are left", added, kept)
			}
			commit(t, s, atomicedit.Change{Path: fmt.Sprint("new", added), After: file("")})
			added++
			left := len(history(t, s))
			if removed := kept + 1 - left; removed < 0 || removed > each || removed > 0 && added%every != 1 {
				t.Errorf("new commit %d removed %d old ones, want at most %d, and only every %d commits", added,
					removed, each, every)
			}
			kept = left
		}
		if kept != added {
			t.Errorf("%d commits are left of %d new ones", kept, added)
		}
		for i := range old {
			has(t, s, fmt.Sprint(i), file(""))
		}
	})
}

func TestNoHistoryKeepsNoContents(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, &sqlstore.Options{History: -1})
		commit(t, s, atomicedit.Change{Path: "a", After: file("a")})
		commit(t, s, atomicedit.Change{Path: "a", Before: file("a"), After: file("A")})
		commits := history(t, s)
		for _, c := range commits {
			if len(c.Changes) > 0 {
				t.Errorf("the history has %+v", c)
			}
			if err := s.Undo(t.Context(), c.ID); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("Undo: %v", err)
			}
		}
	})
}
