package atomicedit_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	accepttest.NewDirOn, accepttest.NewRootsOn = atomicedit.NewDirOn, atomicedit.NewRootsOn
	accepttest.RunRole()
	os.Exit(disktest.Run(m))
}

func TestNoUpdateIsLostBetweenProcesses(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"n": "0"})
	var wg sync.WaitGroup
	for range 2 {
		cmd := accepttest.Again(t, "count", dir)
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		wg.Go(func() {
			if err := accepttest.Count(dir, 50); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(map[string]string{"n": "200"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// A process that is killed before any of the operations of a commit leaves all of the old or all of the new files.
func TestAProcessKilledAtEachOperation(t *testing.T) {
	before := map[string]string{"a": "one", "d/b": "one", "c": "one"}
	after := map[string]string{"a": "two", "d/b": "two", "n/m": "one"}
	recovered := 0
	for k := 0; ; k++ {
		dir := accepttest.Seed(t, before)
		cmd := accepttest.Again(t, "killed at", dir, strconv.Itoa(k))
		err := cmd.Run()
		if err != nil && !accepttest.WasKilled(err) {
			t.Fatalf("operation %d: error %v", k, err)
		}
		if said := accepttest.OpenDir(t, dir).Recovered(); len(said) > 0 {
			recovered++
		}
		if now := accepttest.Found(t, dir); !maps.Equal(now, before) && !maps.Equal(now, after) || err == nil &&
			!maps.Equal(now, after) {
			t.Errorf("killed at operation %d: %v", k, now)
		}
		disktest.Tally("processes killed", 1)
		if err == nil {
			break
		}
	}
	if recovered == 0 {
		t.Error("OpenDir recovered nothing")
	}
}

func TestAKilledProcessLeavesOldOrNew(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"0": "", "1": "", "2": "", "3": ""})
	recovered := 0
	for i := range 25 {
		accepttest.Kill(t, accepttest.Again(t, "churn", dir), time.Duration(15+i*3)*time.Millisecond)
		d := accepttest.OpenDir(t, dir)
		if len(d.Recovered()) > 0 {
			recovered++
		}
		files := accepttest.Found(t, dir)
		if files["0"] != files["1"] || files["0"] != files["2"] || files["0"] != files["3"] {
			disktest.Tally("mixed", 1)
			t.Errorf("after kill %d the files are mixed: %q", i, files)
		}
		for name := range files {
			if strings.HasPrefix(name, ".") {
				t.Errorf("after kill %d there is %s", i, name)
			}
		}
	}
	disktest.Tally("commits of killed processes rolled back", recovered)
}

// One of two processes is killed, again and again. The other rolls back its commits, and goes on.
func TestASurvivorRecovers(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"0": "", "1": "", "2": "", "3": ""})
	survivor := accepttest.Again(t, "churn", dir)
	var out bytes.Buffer
	survivor.Stdout, survivor.Stderr = &out, &out
	if err := survivor.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		accepttest.Kill(t, accepttest.Again(t, "churn", dir), time.Duration(20+i*5)*time.Millisecond)
	}
	survivor.Process.Kill()
	survivor.Wait()
	if out.Len() > 0 {
		t.Errorf("the survivor gave up: %s", out.String())
	}
	accepttest.OpenDir(t, dir)
	files := accepttest.Found(t, dir)
	if files["0"] != files["1"] || files["0"] != files["2"] || files["0"] != files["3"] {
		t.Errorf("the files are mixed: %q", files)
	}
	for name := range files {
		if strings.HasPrefix(name, ".") {
			t.Errorf("there is %s", name)
		}
	}
}

// Processes that commit to different directories of one tree are killed, again and again: the others roll back their
// commits, and nobody rolls back the commit of a live process.
func TestSurvivorsInOtherDirectories(t *testing.T) {
	files := map[string]string{}
	for _, sub := range []string{"x/", "y/", "z/"} {
		for i := range 4 {
			files[sub+strconv.Itoa(i)] = ""
		}
	}
	dir := accepttest.Seed(t, files)
	var survivors []*exec.Cmd
	for _, sub := range []string{"x/", "y/"} {
		survivor := accepttest.Again(t, "churn", dir, sub)
		survivor.Stdout = new(bytes.Buffer)
		if err := survivor.Start(); err != nil {
			t.Fatal(err)
		}
		survivors = append(survivors, survivor)
	}
	committed := func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "z", "0"))
		return err == nil && len(text) > 0
	}
	for i := 0; i < 15 || i < 60 && !committed(); i++ { // on a busy machine, the first may not get as far as a commit
		accepttest.Kill(t, accepttest.Again(t, "churn", dir, "z/"), time.Duration(20+i*5+i*i/2)*time.Millisecond)
	}
	for _, survivor := range survivors {
		survivor.Process.Kill()
		survivor.Wait()
		if out := survivor.Stdout.(*bytes.Buffer); out.Len() > 0 {
			t.Errorf("a survivor gave up: %s", out)
		}
	}
	accepttest.OpenDir(t, dir)
	now := accepttest.Found(t, dir)
	for _, sub := range []string{"x/", "y/", "z/"} {
		if now[sub+"0"] != now[sub+"1"] || now[sub+"0"] != now[sub+"2"] || now[sub+"0"] != now[sub+"3"] ||
			now[sub+"0"] == "" {
			disktest.Tally("mixed", 1)
			t.Errorf("the files are mixed: %q", now)
		}
	}
	for name := range now {
		if strings.Contains(name, ".atomicedit") {
			t.Errorf("there is %s", name)
		}
	}
}

// A commit that rolls back one that died, before its own work, says so.
func TestACommitTellsWhatItRecovered(t *testing.T) {
	disk := disktest.NewMemory(map[string]string{"a": "one", "b": "one", "c": "one"})
	edit := func(path string) atomicedit.Change {
		return atomicedit.Change{Path: path, Before: &atomicedit.File{Data: []byte("one")},
			After: &atomicedit.File{Data: []byte("two")}}
	}
	recovered := 0
	for k, reached := 0, true; reached; k++ {
		dying := disktest.NewFault(disk, k, disktest.DieBefore)
		atomicedit.NewDirOn(dying, atomicedit.DirOptions{}).Commit(t.Context(),
			[]atomicedit.Change{edit("a"), edit("b")})
		reached = dying.Reached()
		d := atomicedit.NewDirOn(disk, atomicedit.DirOptions{})
		if err := d.Commit(t.Context(), []atomicedit.Change{edit("c")}); err != nil {
			t.Fatal(err)
		}
		want := []string{"an interrupted commit was rolled back: a, b"}
		if d.Recovered() != nil {
			if diff := cmp.Diff(want, d.Recovered()); diff != "" {
				t.Error(diff)
			}
			recovered++
		}
		if err := d.Commit(t.Context(), atomicedit.Invert([]atomicedit.Change{edit("c")})); err != nil {
			t.Fatal(err)
		}
	}
	if recovered == 0 {
		t.Error("no commit recovered anything")
	}
}

// A Dir that is open already, when another process dies in a commit, does not show what is half done.
func TestAFileOfADeadCommitIsUnfinishedUntilSomebodyTakesItBack(t *testing.T) {
	change := func(path, before, after string) atomicedit.Change {
		return atomicedit.Change{Path: path, Before: &atomicedit.File{Data: []byte(before)},
			After: &atomicedit.File{Data: []byte(after)}}
	}
	old := map[string]string{"a": "A", "b": "B", "c": "C"}
	halfDone := 0
	for k, reached := 0, true; reached; k++ {
		disk := disktest.NewMemory(old)
		dying := disktest.NewFault(disk, k, disktest.DieBefore)
		changes := []atomicedit.Change{change("a", "A", "B"), change("b", "B", "A"),
			{Path: "n", After: &atomicedit.File{}}}
		died := atomicedit.NewDirOn(dying, atomicedit.DirOptions{}).Commit(t.Context(), changes)
		reached = dying.Reached()
		now := disk.Files()
		d := atomicedit.NewDirOn(disk, atomicedit.DirOptions{})
		r := atomicedit.NewDirOn(disk, atomicedit.DirOptions{ReadOnly: true})
		whole := maps.Equal(now, old) || errors.Is(died, atomicedit.ErrNotDurable) || died == nil
		if !whole {
			halfDone++
		}
		for _, name := range []string{"a", "b", "n"} {
			for _, d := range []*atomicedit.Dir{d, r} {
				_, err := d.Read(t.Context(), name)
				var at *fs.PathError
				if unfinished := errors.Is(err, atomicedit.ErrUnfinished); !whole && !unfinished ||
					unfinished && (!errors.As(err, &at) || at.Path != name) {
					t.Errorf("killed at %d: Read of %s: error %v", k, name, err)
				}
			}
		}
		if _, err := d.Read(t.Context(), "c"); err != nil {
			t.Errorf("killed at %d: Read of another file: %v", k, err)
		}
		if diff := cmp.Diff(now, disk.Files()); diff != "" {
			t.Errorf("Read changed files: %s", diff)
		}
		if err := r.Recover(t.Context()); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("read only: Recover: error %v", err)
		}
		if whole {
			continue
		}
		answer, err := (&atomicedit.Host{Store: atomicedit.NewSession(d)}).View(t.Context(), "a", 0, 0)
		if err != nil || !strings.Contains(answer.Text, "A") {
			t.Errorf("killed at %d: a Host shows %q, error %v", k, answer.Text, err)
		}
		if diff := cmp.Diff(old, disk.Files()); diff != "" {
			t.Errorf("killed at %d: not rolled back: %s", k, diff)
		}
		if len(d.Recovered()) != 1 {
			t.Errorf("killed at %d: said %q", k, d.Recovered())
		}
	}
	if halfDone == 0 {
		t.Error("no commit left anything half done")
	}
}

// An edit of a Host that meets a dead commit takes it back, and goes on.
func TestAHostGoesOnAfterADeadCommit(t *testing.T) {
	disk := disktest.NewMemory(map[string]string{"a": "A\n", "b": "B\n"})
	for k := 0; ; k++ {
		dying := disktest.NewFault(disk, k, disktest.DieBefore)
		atomicedit.NewDirOn(dying, atomicedit.DirOptions{}).Commit(t.Context(), []atomicedit.Change{
			{Path: "a", Before: &atomicedit.File{Data: []byte("A\n")}, After: &atomicedit.File{Data: []byte("2\n")}},
			{Path: "b", Before: &atomicedit.File{Data: []byte("B\n")}, After: &atomicedit.File{Data: []byte("2\n")}},
		})
		if disk.Files()["a"] == "2\n" {
			break
		}
	}
	h := &atomicedit.Host{Store: atomicedit.NewDirOn(disk, atomicedit.DirOptions{})}
	answer, err := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "A", "3")}})
	if err != nil || answer.Status != "done" {
		t.Errorf("%+v, error %v", answer, err)
	}
	if diff := cmp.Diff(map[string]string{"a": "3\n", "b": "B\n"}, disk.Files()); diff != "" {
		t.Error(diff)
	}
}

// A full disk is nobody's fault; that several files cannot be changed at once is for the model.
func TestErrorsOfTheMachineryAreNoRefusal(t *testing.T) {
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "A", "B"), accepttest.Edits("b", "A", "B")}}
	files := map[string]string{"a": "A", "b": "A"}
	for fails, refused := range map[string]bool{"Mkdir 0": false, "Mkdir 0 denied": true, "SyncDir 0 denied": false,
		"Create 0": false} {
		_, err := atomicedit.Run(t.Context(), oddDir(files, atomicedit.DirOptions{}, fails), plan, nil)
		var refusal *atomicedit.Refusal
		if errors.As(err, &refusal) != refused || !refused && !errors.Is(err, disktest.ErrFull) &&
			!errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: error %v", fails, err)
		}
	}
}

// What a directory would refuse is told by Prepare, if it can ask, and else by the commit; a wrapper makes nothing
// possible.
func TestAGuardBehindAWrapper(t *testing.T) {
	dir := func() atomicedit.Store {
		return atomicedit.NewDirOn(disktest.NewOdd(map[string]string{"locked": "x\n", "a": "x\n", "Case": "x\n"}),
			atomicedit.DirOptions{})
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("locked", "x", "y"), accepttest.Edits("a", "x", "y")}}
	respell := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Move("Case", "case")}}
	for name, s := range map[string]atomicedit.Store{
		"bare": dir(), "with Unwrap": accepttest.Wrapper{Store: dir()},
		"in a session": accepttest.SeenAll(t, dir(), "locked", "a", "Case"),
		"in a wrapped session": accepttest.Wrapper{Store: accepttest.SeenAll(t, accepttest.Wrapper{Store: dir()},
			"locked", "a", "Case")},
	} {
		_, err := atomicedit.Prepare(t.Context(), s, plan, nil)
		var refusal *atomicedit.Refusal
		if !errors.As(err, &refusal) || len(refusal.Problems) != 1 || refusal.Problems[0].Path != "locked" ||
			refusal.Problems[0].Op != 0 || refusal.Problems[0].Code != "permission" {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := atomicedit.Run(t.Context(), s, respell, nil); err != nil {
			t.Errorf("%s: a move that changes the case: %v", name, err)
		}
	}
	hidden := accepttest.Hiding(dir())
	tr, err := atomicedit.Prepare(t.Context(), hidden, plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Commit(t.Context()); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("hidden: error %v", err)
	}
	if _, err := atomicedit.Run(t.Context(), hidden, respell, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("hidden: a move that changes the case: error %v", err)
	}
}
