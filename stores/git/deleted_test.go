package git

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// A branch that somebody has deleted is not empty: nobody reads that its files are gone, and no commit begins it anew
// with its own files alone.
func TestABranchThatIsDeleted(t *testing.T) {
	dir := bare(t)
	committed := open(t, dir, nil) // the branch is not there yet
	listed := open(t, dir, nil)
	commit(t, committed, create("f", "x"))
	if _, err := listed.Names(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	stores := map[string]*Store{
		"that has committed": committed, "that has listed the files": listed, "that has been opened": open(t, dir, nil),
		"behind a mirror": open(t, t.TempDir()+"/mirror", &Options{Remote: dir, Ref: "main", MaxAge: -1}),
	}
	tip := run(t, dir, "rev-parse", "main")
	run(t, dir, "update-ref", "-d", "refs/heads/main")
	for name, s := range stores {
		_, read := s.Read(t.Context(), "f")
		_, list := s.Names(t.Context(), "")
		created := s.Commit(t.Context(), []atomicedit.Change{create("g", "x")})
		changed := s.Commit(t.Context(), []atomicedit.Change{edit("f", "x", "y")})
		for _, err := range []error{read, list, created, changed} {
			if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, atomicedit.ErrStale) ||
				!strings.Contains(err.Error(), "deleted refs/heads/main") {
				t.Errorf("a store %s: %v", name, err)
			}
		}
	}
	run(t, dir, "update-ref", "refs/heads/main", tip)
	for _, s := range stores {
		has(t, s, "f", "x")
	}
	run(t, dir, "update-ref", "-d", "refs/heads/main")
	commit(t, open(t, dir, nil), create("g", "x"))
	has(t, committed, "g", "x")
}
