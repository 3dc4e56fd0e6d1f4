package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

// Whoever reads a file at each event reads the whole old or new text, and sees each changed file and at most one other
// name, which is hidden.
func TestWhatAWatcherSees(t *testing.T) {
	dir := t.TempDir()
	old, new := strings.Repeat("old line\n", 10_000), strings.Repeat("new line\n", 10_000)
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for i, files := range [][]string{{"a"}, {"b", "c"}, {"d"}, {"e", "f"}, {"a", "g"}} {
		plan := atomicedit.Plan{}
		for _, name := range files {
			plan.Ops = append(plan.Ops, atomicedit.Op{Kind: atomicedit.OpCreate, Path: name,
				Content: new + fmt.Sprint(i), Overwrite: true})
		}
		seen := watch(t, dir, func() {
			if _, err := atomicedit.Run(t.Context(), store, plan, nil); err != nil {
				t.Fatal(err)
			}
		}, func(name string) {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil && string(data) != old &&
				!strings.HasPrefix(string(data), new) {
				t.Errorf("%s has %d bytes", name, len(data))
			}
		})
		hidden := func(name string) bool { return strings.HasPrefix(name, ".atomicedit") }
		if n := len(slices.DeleteFunc(slices.Clone(seen), func(name string) bool { return !hidden(name) })); n > 1 {
			t.Errorf("%q: more than one hidden name: %q", files, seen)
		}
		if diff := cmp.Diff(files, slices.DeleteFunc(seen, hidden)); diff != "" {
			t.Errorf("names (-want +got):\n%s", diff)
		}
	}
}

// watch returns the names of which a watcher of a directory sees events while do runs, and calls each at each event.
func watch(t *testing.T, dir string, do func(), each func(name string)) (names []string) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		t.Skip(err)
	}
	defer w.Close()
	if err := w.Add(dir); err != nil {
		t.Fatal(err)
	}
	do()
	end := filepath.Join(dir, fmt.Sprint("end", time.Now().UnixNano()))
	if err := os.WriteFile(end, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for e := range w.Events {
		if e.Name == end {
			break
		}
		name := filepath.Base(e.Name)
		if strings.HasPrefix(name, "end") {
			continue
		}
		each(name)
		t.Log(e)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
