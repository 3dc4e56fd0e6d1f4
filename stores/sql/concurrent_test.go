package sqlstore_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// refusal reports whether err is one of the errors by which a store refuses a change that does not fit.
func refusal(err error) bool {
	return errors.Is(err, atomicedit.ErrStale) || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrInvalid)
}

// Many writers create and remove files whose names are directories of each other. After every commit the tree could be
// one on disk.
func TestNoFileIsEverADirectory(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		const writers, each = 8, 40
		names := []string{"x", "x/y", "x/y/z", "x/z", "x0", "x-/y"}
		s := openStore(t, db, nil)
		var done, refused atomic.Int64
		var wg sync.WaitGroup
		for w := range writers {
			random := rand.New(rand.NewPCG(1, uint64(w)))
			wg.Go(func() {
				for range each {
					c := atomicedit.Change{Path: names[random.IntN(len(names))], After: file("text")}
					if random.IntN(2) == 0 {
						c.Before, c.After = c.After, nil
					}
					switch err := s.Commit(t.Context(), []atomicedit.Change{c}); {
					case err == nil:
						done.Add(1)
					case refusal(err):
						refused.Add(1)
					default:
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		tally("by many writers, of names that are directories of each other: done", int(done.Load()))
		tally("by many writers, of names that are directories of each other: refused", int(refused.Load()))
		replay(t, s)
	})
}

// replay goes through the history from its beginning. Every commit must fit what the ones before it left, and leave a
// tree.
func replay(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	var commits []sqlstore.Commit
	for c, err := range s.History(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		commits = append([]sqlstore.Commit{c}, commits...)
	}
	files := map[string]atomicedit.Version{}
	for _, c := range commits {
		for _, f := range c.Changes {
			if files[f.Path] != f.Before {
				t.Fatalf("commit %d changes %s from %q, but it is %q", c.ID, f.Path, f.Before, files[f.Path])
			}
			if files[f.Path] = f.After; f.After == "" {
				delete(files, f.Path)
			}
		}
		for file := range files {
			for other := range files {
				if strings.HasPrefix(other, file+"/") {
					t.Fatalf("commit %d leaves the files %s and %s", c.ID, file, other)
				}
			}
		}
	}
}

// Writers of several files, in orders of their own, get along: sums stay what they are.
func TestNoUpdateOfSeveralFilesIsLost(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		const writers, each, accounts = 6, 25, 5
		s := openStore(t, db, nil)
		var changes []atomicedit.Change
		for i := range accounts {
			changes = append(changes, atomicedit.Change{Path: fmt.Sprint(i), After: file("100")})
		}
		if err := s.Commit(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
		read := func(i int) (f *atomicedit.File, n int) {
			f, err := s.Read(t.Context(), fmt.Sprint(i))
			if err != nil {
				t.Error(err)
				return file(""), 0
			}
			fmt.Sscan(string(f.Data), &n)
			return f, n
		}
		var wg sync.WaitGroup
		for w := range writers {
			random := rand.New(rand.NewPCG(2, uint64(w)))
			wg.Go(func() {
				for done := 0; done < each && !t.Failed(); {
					from := random.IntN(accounts)
					to := (from + 1 + random.IntN(accounts-1)) % accounts
					had, n := read(from)
					has, m := read(to)
					err := s.Commit(t.Context(), []atomicedit.Change{
						{Path: fmt.Sprint(from), Before: had, After: file(fmt.Sprint(n - 1))},
						{Path: fmt.Sprint(to), Before: has, After: file(fmt.Sprint(m + 1))},
					})
					if err == nil {
						done++
					} else if !errors.Is(err, atomicedit.ErrStale) {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		sum := 0
		for i := range accounts {
			_, n := read(i)
			sum += n
		}
		if sum != 100*accounts {
			t.Errorf("the sum is %d, want %d", sum, 100*accounts)
		}
		tally("by many writers, of two files each: done", writers*each)
		replay(t, s)
	})
}

// Writers who have nothing to do with each other are never refused.
func TestWritersOfDifferentFilesAllSucceed(t *testing.T) {
	onEngines(t, func(t *testing.T, db *sql.DB) {
		const writers, each = 8, 25
		s := openStore(t, db, nil)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				path := fmt.Sprintf("dir/%d", w)
				var before *atomicedit.File
				for i := range each {
					after := file(fmt.Sprint(i))
					if err := s.Commit(t.Context(),
						[]atomicedit.Change{{Path: path, Before: before, After: after}}); err != nil {
						t.Error(err)
						return
					}
					before = after
				}
			})
		}
		wg.Wait()
		tally("by many writers, of a file of their own: done", writers*each)
		replay(t, s)
	})
}
