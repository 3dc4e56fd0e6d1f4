package atomicedit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A plan drawn at random, and what a model says that it does.
type drawn struct {
	plan  Plan
	after map[string]string
}

var modelPaths = []string{"a", "b", "c/d", "c/e/f", "g/h", "link", "linked/d"}

// modelName is the one name of a path: "link" leads to "a", "linked" to "c".
func modelName(path string) string {
	if path == "link" {
		return "a"
	}
	if rest, ok := strings.CutPrefix(path, "linked/"); ok {
		return "c/" + rest
	}
	return path
}

// drawPlan draws a plan that succeeds on the files of now.
func drawPlan(t *rapid.T, now map[string]string) drawn {
	d := drawn{after: maps.Clone(now)}
	text := rapid.StringMatching(`([a-c]{0,3}\r?\n){0,4}[a-c]{0,2}`)
	for range rapid.IntRange(1, 5).Draw(t, "ops") {
		path := rapid.SampledFrom(modelPaths).Draw(t, "path")
		name := modelName(path)
		content, there := d.after[name]
		switch kind := rapid.SampledFrom([]OpKind{OpEdit, OpEdit, OpCreate, OpDelete, OpMove}).Draw(t, "kind"); {
		case !there:
			d.after[name] = text.Draw(t, "content")
			d.plan.Ops = append(d.plan.Ops, Op{Kind: OpCreate, Path: path, Content: d.after[name]})
		case kind == OpCreate:
			d.after[name] = text.Draw(t, "content")
			d.plan.Ops = append(d.plan.Ops, Op{Kind: OpCreate, Path: path, Content: d.after[name], Overwrite: true})
		case kind == OpDelete:
			delete(d.after, name)
			d.plan.Ops = append(d.plan.Ops, Op{Kind: OpDelete, Path: path})
		case kind == OpMove:
			to := rapid.SampledFrom(modelPaths).Draw(t, "to")
			d.plan.Ops = append(d.plan.Ops, Op{Kind: OpMove, Path: path, To: to, Overwrite: true})
			delete(d.after, name)
			d.after[modelName(to)] = content
		default:
			old := content[:min(len(content), 1)]
			if old == "" || old < "a" || strings.Count(content, old) != 1 {
				continue
			}
			d.after[name] = strings.Replace(content, old, "edited ", 1)
			d.plan.Ops = append(d.plan.Ops, Op{Path: path, Edits: []Edit{{Old: old, New: "edited "}}})
		}
	}
	return d
}

// checkPlans draws plans and carries them out one after the other: after each commit and each undo the files are those
// of the model, and after each injected failure they are those before.
func checkPlans(t *rapid.T, d *Dir, fault *disktest.Fault, files func() map[string]string) (plans, undone, faults int) {
	ctx := context.Background()
	var done [][]Change
	states := []map[string]string{files()}
	for range rapid.IntRange(1, 8).Draw(t, "steps") {
		now := states[len(states)-1]
		if len(done) > 0 && rapid.IntRange(0, 3).Draw(t, "undo") == 0 {
			if err := d.Commit(ctx, Invert(done[len(done)-1])); err != nil {
				t.Fatalf("undo: %v", err)
			}
			done, states = done[:len(done)-1], states[:len(states)-1]
			undone++
		} else {
			plan := drawPlan(t, now)
			tr, err := Prepare(ctx, d, plan.plan, nil)
			if maps.Equal(plan.after, now) {
				if !errors.Is(err, ErrNoChange) {
					t.Fatalf("a plan that changes nothing: %v", err)
				}
				continue
			}
			_, was := now["a"]
			_, is := plan.after["a"]
			if was && !is && slices.Contains(plan.plan.Paths(), "link") { // a link does not go, nor by a link its file
				if !errors.Is(err, fs.ErrInvalid) {
					t.Fatalf("a plan that removes a file by a link: error %v", err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("Prepare: %v", err)
			}
			if fault != nil && rapid.Bool().Draw(t, "fail") {
				at := rapid.IntRange(0, 60).Draw(t, "at")
				fault.Set(at, rapid.SampledFrom([]disktest.Flavour{disktest.FailUndone, disktest.FailDone,
					disktest.FailHalf}).Draw(t, "flavour"))
			}
			plans++
			err = tr.Commit(ctx)
			reached := fault != nil && fault.Reached()
			if reached {
				faults++
			}
			if fault != nil {
				fault.Mend()
			}
			switch {
			case err == nil || errors.Is(err, ErrNotDurable):
				done, states = append(done, tr.Changes()), append(states, plan.after)
			case !reached || errors.Is(err, ErrUnfinished):
				t.Fatalf("Commit: %v", err)
			}
			if err := d.Recover(t.Context()); err != nil {
				t.Fatalf("recover: %v", err)
			}
		}
		if diff := cmp.Diff(states[len(states)-1], files()); diff != "" {
			t.Fatalf("(-model +files):\n%s", diff)
		}
	}
	return plans, undone, faults
}

func TestRandomPlansWithFaultsAgreeWithAModel(t *testing.T) {
	var plans, undone, faults int
	random := func(t *rapid.T) {
		mem := disktest.NewMemory(map[string]string{"a": "one\n", "c/d": "two", "g/h": ""})
		fault := disktest.NewWhole(mem)
		linked := disktest.Linked{Disk: fault, Links: map[string]string{"link": "./a", "linked": "g/../c"}}
		p, u, f := checkPlans(t, NewDirOn(linked, DirOptions{}), fault, func() map[string]string {
			if names, err := mem.ReadDir(commit.StateDir); err == nil {
				t.Fatalf("%s is left, with %q", commit.StateDir, names)
			}
			return mem.Files()
		})
		plans, undone, faults = plans+p, undone+u, faults+f
	}
	for plans < 2000 && !t.Failed() {
		rapid.Check(t, random)
	}
	disktest.Tally("random plans in memory", plans)
	disktest.Tally("of them undone", undone)
	disktest.Tally("of them with a fault", faults)
}

func TestRandomPlansAgreeWithAModel(t *testing.T) {
	SkipWithoutDirs(t)
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		dir := filepath.Join(base, fmt.Sprint(n))
		for name, text := range map[string]string{"a": "one\n", "c/d": "two", "g/h": ""} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755),
				os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.Symlink("a", filepath.Join(dir, "link")),
			os.Symlink("c", filepath.Join(dir, "linked"))); err != nil {
			t.Skip("no symbolic links here")
		}
		d, err := OpenDir(dir, &DirOptions{Durability: DurableNone})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		checkPlans(t, d, nil, func() map[string]string {
			files := map[string]string{}
			for _, name := range modelPaths[:5] {
				if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
					files[name] = string(data)
				}
			}
			names, err := os.ReadDir(dir)
			if err != nil || slices.ContainsFunc(names,
				func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }) {
				t.Fatalf("litter: %v, error %v", names, err)
			}
			return files
		})
	})
}

// Prepare knows a move that changes nothing but the case of a name by the list of names; where the new name is that of
// another file, be it another name of the same inode, the move is refused.
func TestPrepareTellsACaseOnlyMoveFromOneOntoAnotherFile(t *testing.T) {
	plan := Plan{Ops: []Op{
		{Kind: OpMove, Path: "a/Readme", To: "a/README", Edits: []Edit{{Old: "one", New: "two"}}},
		{Kind: OpEdit, Path: "a/README", Edits: []Edit{{Old: "two", New: "three"}}},
	}}
	folding := func() *disktest.Memory {
		d := disktest.NewMemory(map[string]string{"a/Readme": "one"})
		d.Fold = true
		return d
	}
	t.Run("on a file system that does not tell case", func(t *testing.T) {
		disk := folding()
		run(t, NewDirOn(disk, DirOptions{}), plan, disk.Files)
	})
	t.Run("in a session", func(t *testing.T) {
		disk := folding()
		s := NewSession(NewDirOn(disk, DirOptions{}))
		if _, err := s.View(t.Context(), "a/Readme", 0, 0); err != nil {
			t.Fatal(err)
		}
		run(t, s, plan, disk.Files)
	})
	t.Run("on one that does, or here", func(t *testing.T) {
		SkipWithoutDirs(t)
		dir := disktest.SeedTree(t, map[string]string{"a/Readme": "one"})
		d, err := OpenDir(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		run(t, d, plan, func() map[string]string { return disktest.FoundTree(t, dir) })
	})
	t.Run("onto another name of the file", func(t *testing.T) {
		SkipWithoutDirs(t)
		dir := disktest.SeedTree(t, map[string]string{"a/Readme": "one"})
		if err := os.Link(filepath.Join(dir, "a/Readme"), filepath.Join(dir, "a/README")); err != nil {
			t.Skip("no hard links, or names do not tell case: ", err)
		}
		d, err := OpenDir(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if _, err := Prepare(t.Context(), d, plan, nil); !errors.Is(err, fs.ErrExist) {
			t.Errorf("error %v", err)
		}
	})
}

// run carries out the plan and takes it back.
func run(t *testing.T, s Store, plan Plan, now func() map[string]string) {
	t.Helper()
	tr, err := Prepare(t.Context(), s, plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f := tr.Report().Files[0]; len(tr.Report().Files) != 1 || f.Status != "moved" || f.From != "a/Readme" ||
		f.Path != "a/README" {
		t.Errorf("report: %v", tr.Report())
	}
	if err := tr.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a/README": "three"}, now()); diff != "" {
		t.Error(diff)
	}
	if err := s.Commit(t.Context(), Invert(tr.Changes())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a/Readme": "one"}, now()); diff != "" {
		t.Error(diff)
	}
}
