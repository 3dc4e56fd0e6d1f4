package atomicedit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

// checkPlans draws plans and carries them out one after the other: after each commit and each undo the files are those of
// the model, and after each injected failure they are those before.
func checkPlans(t *rapid.T, d *Dir, fault *faultDisk, files func() map[string]string) (plans, undone, faults int) {
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
			if err != nil {
				t.Fatalf("Prepare: %v", err)
			}
			if fault != nil && rapid.Bool().Draw(t, "fail") {
				fault.count, fault.at = 0, rapid.IntRange(0, 60).Draw(t, "at")
				fault.flavour = rapid.SampledFrom([]flavour{failUndone, failDone, failHalf}).Draw(t, "flavour")
			}
			plans++
			err = tr.Commit(ctx)
			reached := fault != nil && fault.at >= 0 && fault.reached()
			if reached {
				faults++
			}
			if fault != nil {
				fault.count, fault.at = 0, 1<<30
			}
			switch {
			case err == nil || errors.Is(err, ErrNotDurable):
				done, states = append(done, tr.Changes()), append(states, plan.after)
			case !reached || errors.Is(err, ErrUnfinished):
				t.Fatalf("Commit: %v", err)
			}
			if err := d.recover(); err != nil {
				t.Fatalf("recover: %v", err)
			}
		}
		if diff := cmp.Diff(states[len(states)-1], files()); diff != "" {
			t.Fatalf("(-model +files):\n%s", diff)
		}
	}
	return plans, undone, faults
}

// linkDisk adds to a memDisk, which has no links, the two of the model.
type linkDisk struct{ disk }

func (d linkDisk) Lstat(name string) (stat, error) {
	if name == "link" || name == "linked" {
		return stat{mode: os.ModeSymlink | 0o777, links: 1}, nil
	}
	return d.disk.Lstat(name)
}

func (d linkDisk) Readlink(name string) (string, error) {
	return map[string]string{"link": "./a", "linked": "g/../c"}[name], nil
}

func TestRandomPlansWithFaultsAgreeWithAModel(t *testing.T) {
	var plans, undone, faults int
	random := func(t *rapid.T) {
		mem := newMemDisk(map[string]string{"a": "one\n", "c/d": "two", "g/h": ""})
		fault := &faultDisk{disk: mem, at: 1 << 30}
		p, u, f := checkPlans(t, newDir(linkDisk{fault}, DirOptions{}), fault, func() map[string]string {
			if err := clean(mem); err != nil {
				t.Fatal(err)
			}
			return mem.files()
		})
		plans, undone, faults = plans+p, undone+u, faults+f
	}
	for plans < 2000 && !t.Failed() {
		rapid.Check(t, random)
	}
	tally("random plans in memory", plans)
	tally("of them undone", undone)
	tally("of them with a fault", faults)
}

func TestRandomPlansAgreeWithAModel(t *testing.T) {
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		dir := filepath.Join(base, fmt.Sprint(n))
		for name, text := range map[string]string{"a": "one\n", "c/d": "two", "g/h": ""} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.Symlink("a", filepath.Join(dir, "link")), os.Symlink("c", filepath.Join(dir, "linked"))); err != nil {
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
			if err != nil || slices.ContainsFunc(names, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }) {
				t.Fatalf("litter: %v, error %v", names, err)
			}
			return files
		})
	})
}

// A journal reads back as it was written, unless it was cut short: then nothing had begun.
func TestJournalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var j journal
		version := rapid.Custom(func(t *rapid.T) Version { return VersionOf([]byte(rapid.String().Draw(t, "data"))) })
		path := rapid.StringMatching(`[a-z "\\é\n-]{1,8}(/[a-z \t']{1,5}){0,2}`).Filter(isTarget)
		for i := range rapid.IntRange(0, 5).Draw(t, "entries") {
			e := entry{kind: entryMkdir, path: path.Draw(t, "path")}
			if rapid.Bool().Draw(t, "file") {
				e.kind, e.new, e.stage = entryCreate, version.Draw(t, "new"), fmt.Sprintf("%s/%d", stateDir, i)
			}
			if rapid.Bool().Draw(t, "edit") {
				e.kind, e.old, e.new = entryEdit, version.Draw(t, "old"), version.Draw(t, "new")
				e.stage = fmt.Sprintf("%s/%s%d", path.Draw(t, "dir"), besideStage, i)
			}
			j = append(j, e)
		}
		born := rapid.SampledFrom([]string{"-", "1763729105123456789"}).Draw(t, "born")
		data := j.encode(born)
		got, when, err := decodeJournal(data)
		if diff := cmp.Diff(describe(j), describe(got)); err != nil || diff != "" || when != born {
			t.Fatalf("error %v (-want +got):\n%s", err, diff)
		}
		cut := rapid.IntRange(0, len(data)-1).Draw(t, "cut")
		if _, _, err := decodeJournal(data[:cut]); err != errTorn && err != errJournal || err == errJournal && cut > len(journalHead)+4 {
			t.Fatalf("cut at %d: error %v", cut, err)
		}
	})
}

func describe(j journal) (lines []string) {
	for _, e := range j {
		lines = append(lines, fmt.Sprintf("%s %s %s %q %q", e.kind, e.old, e.new, e.stage, e.path))
	}
	return lines
}

// A journal is input: one that names what no commit would touch is refused.
func TestAJournalCannotReachOut(t *testing.T) {
	good := entry{kind: entryCreate, path: "a", new: VersionOf(nil), stage: ".atomicedit/0"}
	for _, spoil := range []func(*entry){
		func(e *entry) { e.path = "../a" },
		func(e *entry) { e.path = "/a" },
		func(e *entry) { e.path = "a/../b" },
		func(e *entry) { e.path = "" },
		func(e *entry) { e.path = "x/.atomicedit/0.old" },
		func(e *entry) { e.stage = "a" },
		func(e *entry) { e.stage = "" },
		func(e *entry) { e.stage = "../.atomicedit-0" },
		func(e *entry) { e.stage = ".atomicedit/../0" },
		func(e *entry) { e.stage = ".atomicedit/-1" },
		func(e *entry) { e.stage = ".atomicedit/00" },
		func(e *entry) { e.kind = "chmod" },
		func(e *entry) { e.kind = entryMkdir },
	} {
		e := good
		spoil(&e)
		if _, _, err := decodeJournal(journal{good, e}.encode("-")); err != errJournal {
			t.Errorf("%+v: error %v", describe(journal{e}), err)
		}
	}
}

// What somebody else has written over an interrupted commit stays, and what was there before is kept.
func TestRecoveryKeepsForeignContent(t *testing.T) {
	old := map[string]string{"a": "one", "b": "one", "gone": "1"}
	changes := []Change{
		{Path: "a", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
		{Path: "b", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
		{Path: "gone", Before: &File{Data: []byte("1")}},
		{Path: "new", After: &File{Data: []byte("two")}},
	}
	disk := newMemDisk(old)
	stopped := &faultDisk{disk: disk, at: 1 << 30, flavour: dieBefore}
	newDir(stopped, DirOptions{}).Commit(context.Background(), changes)
	// Kill it where everything is done but the journal still there.
	for at := stopped.count; ; at-- {
		disk = newMemDisk(old)
		newDir(&faultDisk{disk: disk, at: at, flavour: dieBefore}, DirOptions{}).Commit(context.Background(), changes)
		if _, err := disk.Lstat(journalName); err == nil {
			break
		}
	}
	for _, name := range []string{"a", "gone", "new"} {
		disk.Remove(name)
		disk.Create(name, []byte("foreign"), meta{})
	}
	d := newDir(disk, DirOptions{})
	if err := d.recover(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "foreign", "b": "one", "gone": "foreign", "new": "foreign"}
	if diff := cmp.Diff(want, disk.files()); diff != "" {
		t.Error(diff)
	}
	said := strings.Join(d.Recovered(), "\n")
	for _, words := range []string{"a was changed", "gone was changed", "new was changed", stateDir + "/kept.1", stateDir + "/kept.2"} {
		if !strings.Contains(said, words) {
			t.Errorf("%q is not in:\n%s", words, said)
		}
	}
	for name, want := range map[string]string{"/kept.1": "1", "/kept.2": "one"} {
		if data, err := disk.ReadFile(stateDir+name, 10); err != nil || string(data) != want {
			t.Errorf("%s has %q, error %v", name, data, err)
		}
	}
	d = newDir(disk, DirOptions{})
	if err := d.recover(); err != nil || d.Recovered() != nil {
		t.Errorf("a second recovery: %q, error %v", d.Recovered(), err)
	}
	if err := d.Commit(context.Background(), changes[1:2]); err != nil {
		t.Errorf("a commit beside kept files: %v", err)
	}
	if err := d.Commit(context.Background(), []Change{
		{Path: "b", Before: &File{Data: []byte("two")}}, {Path: "n", After: &File{}},
	}); err != nil {
		t.Errorf("a commit of two beside kept files: %v", err)
	}
	if names, err := disk.ReadDir(stateDir); err != nil || !slices.Equal(names, []string{".gitignore", "kept.1", "kept.2"}) {
		t.Errorf("the state directory has %q, error %v", names, err)
	}
}
