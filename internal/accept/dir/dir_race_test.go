//go:build unix && !solaris && !aix

package dir_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestAStageGivesWayToWhatOccupiesItsName(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"f": "one", ".atomicedit-0.new/x": "a directory",
		".atomicedit-7.new": "an orphan",
		".atomicedit-x.new": "no stage"})
	if err := atomicedit.WriteFile(filepath.Join(dir, "f"), []byte("two"), 0); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"f": "two", ".atomicedit-0.new/x": "a directory", ".atomicedit-x.new": "no stage"}
	if diff := cmp.Diff(want, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// The longest names there are get no longer.
func TestNamesAsLongAsTheyMayBe(t *testing.T) {
	long := strings.Repeat("n", 255)
	dir := accepttest.Seed(t, map[string]string{long: "one", "d/x": "x"})
	if err := atomicedit.WriteFile(filepath.Join(dir, long), []byte("two"), 0); err != nil {
		t.Fatal(err)
	}
	d, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Commit(t.Context(), []atomicedit.Change{
		{Path: long, Before: &atomicedit.File{Data: []byte("two")}, After: &atomicedit.File{Data: []byte("three")}},
		{Path: "d/" + long, After: &atomicedit.File{}},
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{long: "three", "d/x": "x", "d/" + long: ""},
		accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
	if err := d.Commit(t.Context(), []atomicedit.Change{
		{Path: "d/x", Before: &atomicedit.File{Data: []byte("x")}}, {Path: long + "n", After: &atomicedit.File{}},
	}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a name that is too long: error %v", err)
	}
}

// Two directories of which one lies in the other, and atomicedit.WriteFile, exclude one another.
func TestCommitsOfOverlappingDirectoriesLoseNothing(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"sub/n": "0", "other": "0"})
	var wg sync.WaitGroup
	const each = 30
	for _, root := range []string{"", "sub"} {
		wg.Go(func() {
			d, err := atomicedit.OpenDir(filepath.Join(dir, root),
				&atomicedit.DirOptions{Durability: atomicedit.DurableNone})
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			name := strings.TrimPrefix("sub/n", root+"/")
			for done := 0; done < each; {
				f, err := d.Read(t.Context(), name)
				if err != nil {
					t.Error(err)
					return
				}
				var n int
				fmt.Sscan(string(f.Data), &n)
				err = d.Commit(t.Context(), []atomicedit.Change{{Path: name, Before: f,
					After: &atomicedit.File{Data: fmt.Append(nil, n+1)}}})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, atomicedit.ErrStale):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Go(func() {
		for range each {
			if err := atomicedit.WriteFile(filepath.Join(dir, "sub/w"), []byte("w"), 0o644); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	if diff := cmp.Diff(map[string]string{"sub/n": fmt.Sprint(2 * each), "sub/w": "w", "other": "0"},
		accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// What a read is for that takes a file by pieces, os.WriteFile shows torn; atomicedit.WriteFile never does.
func TestReadersSeeNoTornFile(t *testing.T) {
	dir := accepttest.Seed(t, nil)
	name := filepath.Join(dir, "f")
	texts := [2]string{strings.Repeat("a", 1<<18), strings.Repeat("b", 1<<17)}
	torn := func(write func(string, []byte, fs.FileMode) error, rounds, enough int) (torn int) {
		if err := atomicedit.WriteFile(name, []byte(texts[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				data, err := os.ReadFile(name)
				if s := string(data); err != nil || s != texts[0] && s != texts[1] {
					torn++
				}
				if enough > 0 && torn >= enough {
					return
				}
			}
		})
		for i := range rounds {
			if err := write(name, []byte(texts[i%2]), 0o644); err != nil {
				t.Error(err)
			}
		}
		close(stop)
		wg.Wait()
		return torn
	}
	if n := torn(atomicedit.WriteFile, 100, 0); n > 0 {
		t.Errorf("%d torn reads", n)
	}
	n := 0
	for range 50 {
		if n += torn(os.WriteFile, 100, 1); n > 0 {
			break
		}
	}
	if n == 0 {
		t.Error("the control, os.WriteFile, shows no torn read: the test is too weak")
	}
}
