package atomicedit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Tally counts what the tests of commits have done to them; it is printed at the end.
var Tally = struct {
	sync.Mutex
	N map[string]int
}{N: map[string]int{}}

func tally(what string, n int) {
	Tally.Lock()
	defer Tally.Unlock()
	Tally.N[what] += n
}

// A scene is a tree before and after a list of changes.
type scene struct {
	old, new map[string]string
	changes  []Change
	fold     bool // on a file system that does not tell case
}

func (s scene) disk() *memDisk {
	d := newMemDisk(s.old)
	d.fold = s.fold
	return d
}

// randomScene changes a small tree at random: edits, creates (some in new directories), deletes and moves.
func randomScene(r *rand.Rand) scene {
	s := scene{old: map[string]string{}}
	for i := range 5 {
		s.old[fmt.Sprintf("%s%d.txt", []string{"", "a/", "a/b/"}[r.IntN(3)], i)] = fmt.Sprintf("old text of %d\n", i)
	}
	s.new = maps.Clone(s.old)
	names := slices.Sorted(maps.Keys(s.old))
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i := range 1 + r.IntN(4) {
		name, text := names[i], s.old[names[i]]
		was := &File{Data: []byte(text)}
		fresh := fmt.Sprintf("%snew%d.txt", []string{"", "a/", "c/", "c/d/"}[r.IntN(4)], i)
		switch r.IntN(5) {
		case 0, 1:
			s.new[name] = "new text instead of " + text
			s.changes = append(s.changes, Change{Path: name, Before: was, After: &File{Data: []byte(s.new[name])}})
		case 2:
			s.new[fresh] = "created\n"
			s.changes = append(s.changes, Change{Path: fresh, After: &File{Data: []byte("created\n")}})
		case 3:
			delete(s.new, name)
			s.changes = append(s.changes, Change{Path: name, Before: was})
		case 4:
			s.new[fresh] = text
			if r.IntN(2) == 0 {
				s.new[fresh] += "and more\n"
			}
			delete(s.new, name)
			s.changes = append(s.changes,
				Change{Path: fresh, From: name, After: &File{Data: []byte(s.new[fresh])}}, Change{Path: name, Before: was})
		}
	}
	return s
}

// clean expects that nothing is left of any commit.
func clean(d *memDisk) error {
	if _, err := d.Lstat(stateDir); err == nil {
		names, _ := d.ReadDir(stateDir)
		return fmt.Errorf("%s is left, with %q", stateDir, names)
	}
	return nil
}

const scenes = 12

// disks are the kinds of file system that a commit may meet.
var disks = []struct {
	name string
	wrap func(disk, scene) disk
}{
	{"one file system", func(d disk, _ scene) disk { return d }},
	{"two file systems", func(d disk, _ scene) disk { return splitDisk{d, true} }},
	{"two file systems that look like one", func(d disk, _ scene) disk { return splitDisk{d, false} }},
	{"no hard links", func(d disk, _ scene) disk { return linklessDisk{d} }},
	{"files that can be written in place alone", func(d disk, s scene) disk { return boundDisk{d, s} }},
}

// Whatever operation fails, and however: an error means that nothing has changed, but for the two that say otherwise.
func TestCommitIsAllOrNothingWhateverFails(t *testing.T) {
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			faults := 0
			for seed := range uint64(scenes) {
				s := randomScene(rand.New(rand.NewPCG(seed, 1)))
				for _, flavour := range flavours {
					for k := 0; faultAt(t, s, seed, k, flavour, kind.wrap); k++ {
						faults++
					}
				}
			}
			tally("faults injected", faults)
		})
	}
}

// faultAt commits with a fault at operation k, and then recovers. It reports whether there were so many operations.
func faultAt(t *testing.T, s scene, seed uint64, k int, flavour flavour, wrap func(disk, scene) disk) bool {
	disk := s.disk()
	fault := &faultDisk{disk: disk, at: k, flavour: flavour}
	err := newDir(wrap(fault, s), DirOptions{InPlace: true}).Commit(context.Background(), s.changes)
	what := fmt.Sprintf("scene %d, operation %d %s: error %v", seed, k, flavour, err)
	if !fault.reached() && err != nil {
		t.Fatalf("without a fault: %s", what)
	}
	now := disk.files()
	switch {
	case flavour.dies() && errors.Is(err, ErrUnfinished):
	case err == nil || errors.Is(err, ErrNotDurable):
		if !maps.Equal(now, s.new) {
			t.Errorf("%s, but not everything is done:\n%s", what, cmp.Diff(s.new, now))
		}
	case errors.Is(err, ErrUnfinished) || !maps.Equal(now, s.old):
		t.Errorf("%s, but not everything is as before:\n%s", what, cmp.Diff(s.old, now))
	}
	if err := newDir(wrap(disk, s), DirOptions{InPlace: true}).recover(); err != nil {
		t.Errorf("%s, then recovery: %v", what, err)
	}
	if err := clean(disk); err != nil {
		t.Errorf("%s, then %v", what, err)
	}
	then := disk.files()
	if !errors.Is(err, ErrUnfinished) && !maps.Equal(now, then) || !maps.Equal(then, s.old) && !maps.Equal(then, s.new) {
		t.Errorf("%s, then recovery changes files:\n%s", what, cmp.Diff(now, then))
	}
	return fault.reached()
}

// A context that ends before the first visible change takes everything back; after that the commit is finished.
func TestACancelledCommitIsTakenBackOrFinished(t *testing.T) {
	finished, undone := 0, 0
	for seed := range uint64(scenes) {
		s := randomScene(rand.New(rand.NewPCG(seed, 4)))
		for k, reached := 0, true; reached; k++ {
			disk := s.disk()
			ctx, stop := context.WithCancel(context.Background())
			fault := &faultDisk{disk: disk, at: k, flavour: cancel, cancel: stop}
			err := newDir(fault, DirOptions{}).Commit(ctx, s.changes)
			want := s.new
			if err != nil {
				want = s.old
				undone++
			} else {
				finished++
			}
			if err != nil && !errors.Is(err, context.Canceled) || !maps.Equal(disk.files(), want) || clean(disk) != nil {
				t.Errorf("scene %d, cancelled at %d: error %v, %v\n%s", seed, k, err, clean(disk), cmp.Diff(want, disk.files()))
			}
			reached = fault.reached()
			stop()
		}
	}
	if finished <= scenes || undone == 0 {
		t.Errorf("%d finished, %d taken back", finished, undone)
	}
}

// A kill at any operation, and then at any operation of the recovery, leaves old or new.
func TestRecoveryCanBeKilled(t *testing.T) {
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			kills := 0
			for seed := range uint64(scenes) {
				s := randomScene(rand.New(rand.NewPCG(seed, 2)))
				for k, first := 0, true; first; k++ {
					for k2, second := 0, true; second; k2++ {
						first, second = killTwice(t, s, seed, k, k2, kind.wrap)
						kills++
					}
				}
			}
			tally("double kills in memory", kills)
		})
	}
}

// killTwice kills a commit at operation k and the recovery at operation k2, then recovers. It reports which kills happened.
func killTwice(t *testing.T, s scene, seed uint64, k, k2 int, wrap func(disk, scene) disk) (first, second bool) {
	disk := s.disk()
	dying := &faultDisk{disk: disk, at: k, flavour: []flavour{dieBefore, dieAfter, dieHalf}[(k+k2)%3]}
	newDir(wrap(dying, s), DirOptions{InPlace: true}).Commit(context.Background(), s.changes)
	again := &faultDisk{disk: disk, at: k2, flavour: []flavour{dieBefore, dieAfter, dieHalf}[k2%3]}
	newDir(wrap(again, s), DirOptions{InPlace: true}).recover()
	if err := newDir(wrap(disk, s), DirOptions{InPlace: true}).recover(); err != nil {
		t.Errorf("scene %d, killed at %d and %d: recovery: %v", seed, k, k2, err)
	}
	if now := disk.files(); !maps.Equal(now, s.old) && !maps.Equal(now, s.new) || clean(disk) != nil {
		t.Errorf("scene %d, killed at %d and %d: %v\n%s", seed, k, k2, clean(disk), cmp.Diff(s.old, now))
	}
	return dying.reached(), again.reached()
}

// What a commit takes back of one that died, before its own work, can be asked for as well.
func TestACommitTellsWhatItRecovered(t *testing.T) {
	disk := newMemDisk(map[string]string{"a": "one", "b": "one", "c": "one"})
	edit := func(path string) Change {
		return Change{Path: path, Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}}
	}
	said := 0
	for k, reached := 0, true; reached; k++ {
		dying := &faultDisk{disk: disk, at: k, flavour: dieBefore}
		newDir(dying, DirOptions{}).Commit(t.Context(), []Change{edit("a"), edit("b")})
		reached = dying.reached()
		d := newDir(disk, DirOptions{})
		if err := d.Commit(t.Context(), []Change{edit("c")}); err != nil {
			t.Fatal(err)
		}
		want := []string{"an interrupted commit was taken back: a, b"}
		if d.Recovered() != nil {
			if diff := cmp.Diff(want, d.Recovered()); diff != "" {
				t.Error(diff)
			}
			said++
		}
		if err := d.Commit(t.Context(), Invert([]Change{edit("c")})); err != nil {
			t.Fatal(err)
		}
	}
	if said == 0 {
		t.Error("no commit recovered anything")
	}
}

// cuts cuts the power at every operation of commits over wrap, and then again in the recovery. It returns how many cuts
// there were, and how many of them ended with neither old nor new.
func cuts(wrap func(disk, scene) disk) (cuts int, mixed []string) {
	for seed := range uint64(scenes) {
		s := randomScene(rand.New(rand.NewPCG(seed, 3)))
		for _, keep := range []float64{0, 0.5, 1} {
			for k := 0; ; k++ {
				r := rand.New(rand.NewPCG(seed, uint64(k)))
				disk := s.disk()
				fault := &faultDisk{disk: disk, at: k, flavour: []flavour{dieBefore, dieAfter, dieHalf}[k%3]}
				err := newDir(wrap(fault, s), DirOptions{InPlace: true}).Commit(context.Background(), s.changes)
				disk.cut(r, keep)
				again := &faultDisk{disk: disk, at: r.IntN(40), flavour: dieAfter}
				newDir(wrap(again, s), DirOptions{InPlace: true}).recover()
				disk.cut(r, keep)
				bad := newDir(wrap(disk, s), DirOptions{InPlace: true}).recover()
				now := disk.files()
				cuts++
				switch {
				case bad != nil:
					mixed = append(mixed, fmt.Sprintf("scene %d, cut at %d: recovery: %v", seed, k, bad))
				case err == nil && !maps.Equal(now, s.new):
					mixed = append(mixed, fmt.Sprintf("scene %d, cut at %d, after success: %s", seed, k, cmp.Diff(s.new, now)))
				case !maps.Equal(now, s.old) && !maps.Equal(now, s.new):
					mixed = append(mixed, fmt.Sprintf("scene %d, cut at %d keeping %v: %s", seed, k, keep, cmp.Diff(s.old, now)))
				}
				if !fault.reached() {
					break
				}
			}
		}
	}
	return cuts, mixed
}

func TestCommitSurvivesPowerCuts(t *testing.T) {
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			n, mixed := cuts(kind.wrap)
			for _, m := range mixed {
				t.Error(m)
			}
			tally("power cuts in memory", n)
			tally("mixed", len(mixed))
		})
	}
}

// lameDisk leaves out some operations.
type lameDisk struct {
	disk
	skip func(op, name string) bool
}

func (d lameDisk) SyncFile(name string) error {
	if d.skip("syncfile", name) {
		return nil
	}
	return d.disk.SyncFile(name)
}

func (d lameDisk) SyncDir(name string) error {
	if d.skip("syncdir", name) {
		return nil
	}
	return d.disk.SyncDir(name)
}

func (d lameDisk) Create(name string, data []byte, as meta) error {
	if d.skip("create", name) {
		return nil
	}
	return d.disk.Create(name, data, as)
}

func (d lameDisk) Remove(name string) error {
	if d.skip("remove", name) {
		return nil
	}
	return d.disk.Remove(name)
}

// A test of the test before: without any one of the syncs, or without the journal, power cuts do harm.
func TestEverySyncIsNeeded(t *testing.T) {
	for _, test := range []struct {
		name string
		skip func(op, name string) bool
	}{
		{"sync of the staged files", func(op, name string) bool { return op == "syncfile" && strings.HasSuffix(name, ".new") }},
		{"sync of the journal", func(op, name string) bool { return op == "syncfile" && name == journalName }},
		{"sync of the state directory", func(op, name string) bool { return op == "syncdir" && name == stateDir }},
		{"sync of the root", func(op, name string) bool { return op == "syncdir" && name == "." }},
		{"sync of the directories of the files", func(op, name string) bool {
			return op == "syncdir" && name != stateDir && name != "."
		}},
		{"journal", func(op, name string) bool { return name == journalName }},
	} {
		n, mixed := cuts(func(d disk, _ scene) disk { return lameDisk{d, test.skip} })
		if len(mixed) == 0 {
			t.Errorf("without the %s, %d power cuts did no harm", test.name, n)
		}
		t.Logf("without the %s: %d of %d mixed", test.name, len(mixed), n)
	}
}
