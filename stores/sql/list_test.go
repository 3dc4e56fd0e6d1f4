package sqlstore_test

import (
	"database/sql"
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

func TestNamesAreThoseOfOneDirectory(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		s := openStore(t, db, nil)
		if names, err := s.Names(t.Context(), ""); err != nil || len(names) > 0 {
			t.Errorf("an empty tree has %q, %v", names, err)
		}
		var changes []atomicedit.Change
		for _, path := range []string{"a/x", "a/y", "a/z/deep", "a-b", "a.txt", "b", "\xff\xff", "é/1"} {
			changes = append(changes, atomicedit.Change{Path: path, After: &atomicedit.File{}})
		}
		if err := s.Commit(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
		for dir, want := range map[string][]string{
			"": {"a-b", "a.txt", "a/", "b", "é/", "\xff\xff"}, ".": {"a-b", "a.txt", "a/", "b", "é/", "\xff\xff"},
			"a": {"x", "y", "z/"}, "./a/": {"x", "y", "z/"}, "a/z": {"deep"},
		} {
			names, err := s.Names(t.Context(), dir)
			if diff := cmp.Diff(want, names); diff != "" || err != nil {
				t.Errorf("%q: %v (-want +got):\n%s", dir, err, diff)
			}
		}
		for dir, want := range map[string]error{
			"c": fs.ErrNotExist, "b": fs.ErrInvalid, "b/": fs.ErrInvalid, "b/c": fs.ErrInvalid,
			"..": atomicedit.ErrOutside, "/": fs.ErrInvalid,
		} {
			if names, err := s.Names(t.Context(), dir); !errors.Is(err, want) {
				t.Errorf("%q: %q, %v, want %v", dir, names, err, want)
			}
		}
	})
}
