package commit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
)

// A scene is a tree before and after a list of changes.
type scene struct {
	old, new map[string]string
	changes  []Change
	fold     bool // on a file system that ignores case
}

func (s scene) disk() *disktest.Memory {
	d := disktest.NewMemory(s.old)
	d.Fold = s.fold
	return d
}

// isEdited reports whether the scene edits a file.
func (s scene) isEdited(name string) bool {
	was, there := s.old[name]
	now, stays := s.new[name]
	return there && stays && was != now
}

// deaths are the ways in which a process can die at an operation.
var deaths = []disktest.Flavour{disktest.DieBefore, disktest.DieAfter, disktest.DieHalf}

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
				Change{Path: fresh, From: name, After: &File{Data: []byte(s.new[fresh])}},
				Change{Path: name, Before: was})
		}
	}
	return s
}

// clean checks that no commit has left anything.
func clean(d *disktest.Memory) error {
	if _, err := d.Lstat(StateDir); err == nil {
		names, _ := d.ReadDir(StateDir)
		return fmt.Errorf("%s is left, with %q", StateDir, names)
	}
	return cleanBelow(d, ".")
}

// cleanBelow checks that no commit has left anything in a directory or below it.
func cleanBelow(d *disktest.Memory, dir string) error {
	names, _ := d.ReadDir(dir)
	for _, name := range names {
		if strings.HasPrefix(name, besidePrefix) {
			return fmt.Errorf("%s/%s is left", dir, name)
		}
		if err := cleanBelow(d, dir+"/"+name); err != nil {
			return err
		}
	}
	return nil
}

const scenes = 12

// stride returns how far apart the operations are at which a sweep injects a fault.
func stride(sample int) int { return sweeptest.Or(sample, 1) }

// disks are the kinds of file system that a commit may meet.
var disks = []struct {
	name string
	wrap func(disk.Disk, scene) disk.Disk
}{
	{"one file system", func(d disk.Disk, _ scene) disk.Disk { return d }},
	{"two file systems", func(d disk.Disk, _ scene) disk.Disk { return disktest.Mounted(d, true) }},
	{"two file systems that look like one", func(d disk.Disk, _ scene) disk.Disk { return disktest.Mounted(d, false) }},
	{"no hard links", func(d disk.Disk, _ scene) disk.Disk { return disktest.Linkless(d) }},
	{"files that can be written in place alone", func(d disk.Disk, s scene) disk.Disk {
		return disktest.BindMounts(d, s.isEdited)
	}},
}

// Whichever operation fails, and in whichever way, an error means that nothing has changed, except for the two errors
// that say otherwise.
func TestCommitIsAllOrNothingWhateverFails(t *testing.T) {
	t.Parallel()
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			faults := 0
			for seed := range uint64(scenes) {
				s := randomScene(rand.New(rand.NewPCG(seed, 1)))
				for i, flavour := range disktest.Flavours {
					step := stride(5)
					for k := (int(seed) + i) % step; faultAt(t, s, seed, k, flavour, kind.wrap); k += step {
						faults++
					}
				}
			}
			disktest.Tally("faults injected", faults)
		})
	}
}

// faultAt commits with a fault at operation k, and then recovers. It returns false if the commit has fewer operations.
func faultAt(t *testing.T, s scene, seed uint64, k int, flavour disktest.Flavour,
	wrap func(disk.Disk, scene) disk.Disk) bool {
	mem := s.disk()
	fault := disktest.NewFault(mem, k, flavour)
	err := commitOn(wrap(fault, s), Options{InPlace: true}, s.changes)
	what := fmt.Sprintf("scene %d, operation %d %s: error %v", seed, k, flavour, err)
	if !fault.Reached() && err != nil {
		t.Fatalf("without a fault: %s", what)
	}
	now := mem.Files()
	switch {
	case flavour.Dies() && errors.Is(err, errs.ErrUnfinished):
	case err == nil || errors.Is(err, errs.ErrNotDurable):
		if !maps.Equal(now, s.new) {
			t.Errorf("%s, but not everything is done:\n%s", what, cmp.Diff(s.new, now))
		}
	case errors.Is(err, errs.ErrUnfinished) || !maps.Equal(now, s.old):
		t.Errorf("%s, but not everything is as before:\n%s", what, cmp.Diff(s.old, now))
	}
	if err := recoverOn(wrap(mem, s), Options{InPlace: true}); err != nil {
		t.Errorf("%s, then recovery: %v", what, err)
	}
	if err := clean(mem); err != nil {
		t.Errorf("%s, then %v", what, err)
	}
	then := mem.Files()
	if !errors.Is(err, errs.ErrUnfinished) && !maps.Equal(now, then) || !maps.Equal(then, s.old) &&
		!maps.Equal(then, s.new) {
		t.Errorf("%s, then recovery changes files:\n%s", what, cmp.Diff(now, then))
	}
	return fault.Reached()
}

// If the context ends before the first visible change, everything is rolled back. After that, the commit finishes.
func TestACancelledCommitIsTakenBackOrFinished(t *testing.T) {
	finished, undone := 0, 0
	for seed := range uint64(scenes) {
		s := randomScene(rand.New(rand.NewPCG(seed, 4)))
		for k, reached := 0, true; reached; k++ {
			mem := s.disk()
			ctx, stop := context.WithCancel(context.Background())
			fault := disktest.NewCall(mem, k, stop)
			err := on(fault, Options{}).alone().Commit(ctx, s.changes)
			want := s.new
			if err != nil {
				want = s.old
				undone++
			} else {
				finished++
			}
			if err != nil && !errors.Is(err, context.Canceled) || !maps.Equal(mem.Files(), want) || clean(mem) != nil {
				t.Errorf("scene %d, cancelled at %d: error %v, %v\n%s", seed, k, err, clean(mem),
					cmp.Diff(want, mem.Files()))
			}
			reached = fault.Reached()
			stop()
		}
	}
	if finished <= scenes || undone == 0 {
		t.Errorf("%d finished, %d rolled back", finished, undone)
	}
}

// After a kill at any operation, and another at any operation of the recovery, the files are all old or all new.
func TestRecoveryCanBeKilled(t *testing.T) {
	t.Parallel()
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			kills := 0
			for seed := range uint64(scenes) {
				s := randomScene(rand.New(rand.NewPCG(seed, 2)))
				each := stride(3)
				for k, first := int(seed)%each, true; first; k += each {
					step := stride(13)
					for k2, second := (int(seed)+k)%step, true; second; k2 += step {
						first, second = killTwice(t, s, seed, k, k2, kind.wrap)
						kills++
					}
				}
			}
			disktest.Tally("double kills in memory", kills)
		})
	}
}

// killTwice kills a commit at operation k and the recovery at operation k2, then recovers. It reports which kills
// happened.
func killTwice(t *testing.T, s scene, seed uint64, k, k2 int, wrap func(disk.Disk, scene) disk.Disk) (first,
	second bool) {
	mem := s.disk()
	dying := disktest.NewFault(mem, k, deaths[(k+k2)%3])
	commitOn(wrap(dying, s), Options{InPlace: true}, s.changes)
	again := disktest.NewFault(mem, k2, deaths[k2%3])
	recoverOn(wrap(again, s), Options{InPlace: true})
	if err := recoverOn(wrap(mem, s), Options{InPlace: true}); err != nil {
		t.Errorf("scene %d, killed at %d and %d: recovery: %v", seed, k, k2, err)
	}
	if now := mem.Files(); !maps.Equal(now, s.old) && !maps.Equal(now, s.new) || clean(mem) != nil {
		t.Errorf("scene %d, killed at %d and %d: %v\n%s", seed, k, k2, clean(mem), cmp.Diff(s.old, now))
	}
	return dying.Reached(), again.Reached()
}

// cuts cuts the power at every operation of commits to the disk that wrap returns, and again in the recovery. It
// returns the number of cuts, and the number of those after which the files were neither all old nor all new.
func cuts(wrap func(disk.Disk, scene) disk.Disk) (cuts int, mixed []string) {
	for seed := range uint64(scenes) {
		s := randomScene(rand.New(rand.NewPCG(seed, 3)))
		for _, keep := range []float64{0, 0.5, 1} {
			step := stride(4)
			for k := int(seed) % step; ; k += step {
				r := rand.New(rand.NewPCG(seed, uint64(k)))
				mem := s.disk()
				fault := disktest.NewFault(mem, k, deaths[k%3])
				err := commitOn(wrap(fault, s), Options{InPlace: true}, s.changes)
				mem.CutPower(r, keep)
				again := disktest.NewFault(mem, r.IntN(40), disktest.DieAfter)
				recoverOn(wrap(again, s), Options{InPlace: true})
				mem.CutPower(r, keep)
				bad := recoverOn(wrap(mem, s), Options{InPlace: true})
				now := mem.Files()
				cuts++
				switch {
				case bad != nil:
					mixed = append(mixed, fmt.Sprintf("scene %d, cut at %d: recovery: %v", seed, k, bad))
				case err == nil && !maps.Equal(now, s.new):
					mixed = append(mixed, fmt.Sprintf("scene %d, cut at %d, after success: %s", seed, k,
						cmp.Diff(s.new, now)))
				case !maps.Equal(now, s.old) && !maps.Equal(now, s.new):
					mixed = append(mixed, fmt.Sprintf("scene %d, cut at %d keeping %v: %s", seed, k, keep,
						cmp.Diff(s.old, now)))
				}
				if !fault.Reached() {
					break
				}
			}
		}
	}
	return cuts, mixed
}

func TestCommitSurvivesPowerCuts(t *testing.T) {
	t.Parallel()
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			n, mixed := cuts(kind.wrap)
			for _, m := range mixed {
				t.Error(m)
			}
			disktest.Tally("power cuts in memory", n)
			disktest.Tally("mixed", len(mixed))
		})
	}
}

// This tests the test before: without any one of the syncs, or without the journal, power cuts do damage.
func TestEverySyncIsNeeded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		skip func(op, name string) bool
	}{
		{"sync of the staged files", func(op, name string) bool {
			return op == "syncfile" && strings.HasSuffix(name, ".new")
		}},
		{"sync of the journal", func(op, name string) bool { return op == "syncfile" && name == JournalName }},
		{"sync of the state directory", func(op, name string) bool { return op == "syncdir" && name == StateDir }},
		{"sync of the root", func(op, name string) bool { return op == "syncdir" && name == "." }},
		{"sync of the directories of the files", func(op, name string) bool {
			return op == "syncdir" && name != StateDir && name != "."
		}},
		{"journal", func(op, name string) bool { return name == JournalName }},
	} {
		n, mixed := cuts(func(d disk.Disk, _ scene) disk.Disk { return disktest.Skipping(d, test.skip) })
		if len(mixed) == 0 {
			t.Errorf("without the %s, %d power cuts did no harm", test.name, n)
		}
		t.Logf("without the %s: %d of %d mixed", test.name, len(mixed), n)
	}
}
