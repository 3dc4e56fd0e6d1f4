package commit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
)

// jointRoots are directories of one disk that are opened as trees of their own.
var jointRoots = []string{"r0", "r1", "r2"}

// treeAt returns the tree in a directory of d.
func treeAt(d disk.Disk, root string) *Tree {
	t, _ := On(disktest.Same{Disk: disktest.Below(d, root)}, Options{}, "/"+root,
		func(root string) (disk.Disk, func(), error) {
			return disktest.Below(d, strings.TrimPrefix(root, "/")), func() {}, nil
		})
	return t
}

func jointlyOn(d disk.Disk, changes map[string][]Change) error {
	var parts []part
	for _, root := range jointRoots {
		parts = append(parts, part{tree: treeAt(d, root), changes: changes[root]})
	}
	return jointly(context.Background(), parts)
}

func recoverAt(d disk.Disk, root string) error {
	return treeAt(d, root).Recover()
}

// jointScenes is less than scenes, since a commit over several roots takes more operations.
const jointScenes = 5

// A jointScene is a scene in two or three roots.
type jointScene struct {
	old, new map[string]string
	changes  map[string][]Change
}

func randomJointScene(r *rand.Rand) jointScene {
	s := jointScene{map[string]string{"r2/untouched": "text"}, map[string]string{"r2/untouched": "text"},
		map[string][]Change{}}
	for _, root := range jointRoots[:2+r.IntN(2)] {
		one := randomScene(r)
		for name, text := range one.old {
			s.old[root+"/"+name] = text
		}
		for name, text := range one.new {
			s.new[root+"/"+name] = text
		}
		s.changes[root] = one.changes
	}
	return s
}

func cleanRoots(d *disktest.Memory) error {
	for _, root := range jointRoots {
		if names, err := d.ReadDir(root + "/" + StateDir); err == nil {
			return fmt.Errorf("%s of %s is left, with %q", StateDir, root, names)
		}
	}
	return cleanBelow(d, ".")
}

// below returns everything below a directory, state included.
func below(d *disktest.Memory, dir string) map[string]string {
	all := map[string]string{}
	names, _ := d.ReadDir(dir)
	for _, name := range names {
		full := dir + "/" + name
		if data, err := d.ReadFile(full, maxJournal); err == nil {
			all[full] = string(data)
		} else {
			all[full] = "(a directory)"
			maps.Copy(all, below(d, full))
		}
	}
	return all
}

// recoverRoots opens the roots in random order. The process dies at operation k of the first recovery, -1 for never. A
// root that is not open must not change.
func recoverRoots(t *testing.T, d *disktest.Memory, r *rand.Rand, k int, what string) {
	t.Helper()
	order := r.Perm(len(jointRoots))
	if k >= 0 {
		dying := disktest.NewFault(d, k, deaths[r.IntN(3)])
		others := map[string]map[string]string{}
		for _, i := range order[1:] {
			others[jointRoots[i]] = below(d, jointRoots[i])
		}
		recoverAt(dying, jointRoots[order[0]])
		for root, was := range others {
			if diff := cmp.Diff(was, below(d, root)); diff != "" {
				t.Errorf("%s: recovery of another root changes %s: %s", what, root, diff)
			}
		}
	}
	for range 2 { // the first round may leave a record that another root still needs
		for _, i := range order {
			if err := recoverAt(d, jointRoots[i]); err != nil {
				t.Errorf("%s: recovery of %s: %v", what, jointRoots[i], err)
			}
		}
	}
}

// Whatever operation of a commit over several roots fails, and however: all roots are new, or all are old.
func TestAJointCommitIsAllOrNothingWhateverFails(t *testing.T) {
	t.Parallel()
	faults := 0
	for seed := range uint64(jointScenes) {
		s := randomJointScene(rand.New(rand.NewPCG(seed, 11)))
		for i, flavour := range disktest.Flavours {
			step := stride(4)
			for k, reached := (int(seed)+i)%step, true; reached; k += step {
				r := rand.New(rand.NewPCG(seed, uint64(k)))
				mem := disktest.NewMemory(s.old)
				fault := disktest.NewFault(mem, k, flavour)
				err := jointlyOn(fault, s.changes)
				reached = fault.Reached()
				faults++
				what := fmt.Sprintf("scene %d, operation %d %s: error %v", seed, k, flavour, err)
				now := mem.Files()
				switch {
				case !reached && err != nil:
					t.Fatalf("without a fault: %s", what)
				case errors.Is(err, errs.ErrUnfinished):
				case err == nil && !maps.Equal(now, s.new):
					t.Errorf("%s, but not everything is done:\n%s", what, cmp.Diff(s.new, now))
				case err != nil && !maps.Equal(now, s.old):
					t.Errorf("%s, but not everything is as before:\n%s", what, cmp.Diff(s.old, now))
				}
				recoverRoots(t, mem, r, -1, what)
				then := mem.Files()
				if !maps.Equal(then, s.old) && !maps.Equal(then, s.new) || cleanRoots(mem) != nil {
					t.Errorf("%s, then %v\n%s", what, cleanRoots(mem), cmp.Diff(s.old, then))
				}
			}
		}
	}
	disktest.Tally("faults injected into joint commits", faults)
}

// A kill at any operation, a kill in the recovery of one root, and the roots opened in any order: old or new, in all of
// them.
func TestRootsOfADeadJointCommitRecoverByThemselves(t *testing.T) {
	t.Parallel()
	kills := 0
	for seed := range uint64(jointScenes) {
		s := randomJointScene(rand.New(rand.NewPCG(seed, 12)))
		for k, reached := 0, true; reached; k++ {
			for range sweeptest.Or(1, 6) {
				kills++
				r := rand.New(rand.NewPCG(seed, uint64(kills)))
				mem := disktest.NewMemory(s.old)
				dying := disktest.NewFault(mem, k, deaths[r.IntN(3)])
				jointlyOn(dying, s.changes)
				reached = dying.Reached()
				what := fmt.Sprintf("scene %d, killed at %d", seed, k)
				recoverRoots(t, mem, r, r.IntN(60), what)
				if now := mem.Files(); !maps.Equal(now, s.old) && !maps.Equal(now, s.new) || cleanRoots(mem) != nil {
					t.Errorf("%s: %v\n%s", what, cleanRoots(mem), cmp.Diff(s.old, now))
				}
			}
		}
	}
	disktest.Tally("double kills of joint commits", kills)
}

// jointCuts cuts the power amid joint commits over wrap, and amid the recovery of one root.
func jointCuts(wrap func(disk.Disk) disk.Disk) (cuts int, mixed []string) {
	for seed := range uint64(jointScenes) {
		s := randomJointScene(rand.New(rand.NewPCG(seed, 13)))
		for i, keep := range []float64{0, 0.5, 1} {
			step := stride(4)
			for k, reached := (int(seed)+i)%step, true; reached; k += step {
				r := rand.New(rand.NewPCG(seed, uint64(k)))
				mem := disktest.NewMemory(s.old)
				fault := disktest.NewFault(mem, k, deaths[k%3])
				err := jointlyOn(wrap(fault), s.changes)
				mem.CutPower(r, keep)
				for _, i := range r.Perm(len(jointRoots)) {
					again := disktest.NewFault(mem, r.IntN(60), disktest.DieAfter)
					recoverAt(wrap(again), jointRoots[i])
					if r.IntN(2) == 0 {
						mem.CutPower(r, keep)
					}
				}
				mem.CutPower(r, keep)
				for range 2 {
					for _, i := range r.Perm(len(jointRoots)) {
						recoverAt(mem, jointRoots[i])
					}
				}
				cuts++
				switch now := mem.Files(); {
				case err == nil && !maps.Equal(now, s.new):
					mixed = append(mixed, fmt.Sprintf("scene %d, cut at %d, after success: %s", seed, k,
						cmp.Diff(s.new, now)))
				case !maps.Equal(now, s.old) && !maps.Equal(now, s.new):
					mixed = append(mixed, fmt.Sprintf("scene %d, cut at %d keeping %v: %s", seed, k, keep,
						cmp.Diff(s.old, now)))
				}
				reached = fault.Reached()
			}
		}
	}
	return cuts, mixed
}

func TestAJointCommitSurvivesPowerCuts(t *testing.T) {
	t.Parallel()
	n, mixed := jointCuts(func(d disk.Disk) disk.Disk { return d })
	for _, m := range mixed {
		t.Error(m)
	}
	disktest.Tally("power cuts of joint commits", n)
	disktest.Tally("mixed", len(mixed))
}

// A test of the test before: without the record, or without its syncs, power cuts do harm.
func TestTheRecordOfAJointCommitIsNeeded(t *testing.T) {
	t.Parallel()
	isRecord := func(name string) bool { return strings.Contains(name, "/"+recordPrefix) }
	for _, test := range []struct {
		name string
		skip func(op, name string) bool
	}{
		{"record", func(op, name string) bool { return isRecord(name) }},
		{"sync of the record", func(op, name string) bool { return op == "syncfile" && isRecord(name) }},
	} {
		n, mixed := jointCuts(func(d disk.Disk) disk.Disk { return disktest.Skipping(d, test.skip) })
		if len(mixed) == 0 {
			t.Errorf("without the %s, %d power cuts did no harm", test.name, n)
		}
		t.Logf("without the %s: %d of %d mixed", test.name, len(mixed), n)
	}
}

// openAll opens directories as trees.
func openAll(t *testing.T, dirs ...string) (trees []*Tree) {
	for _, dir := range dirs {
		tree, err := Open(dir, Options{MaxSize: 1 << 20}, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tree.Close() })
		trees = append(trees, tree)
	}
	return trees
}

func TestAJointCommitOnARealDisk(t *testing.T) {
	a, b := disktest.SeedTree(t, map[string]string{"x": "1", "sub/y": "1"}),
		disktest.SeedTree(t, map[string]string{"x": "1"})
	trees := openAll(t, a, b, filepath.Join(a, "sub"))
	change := func(tree *Tree, was, is string, names ...string) part {
		p := part{tree: tree}
		for _, name := range names {
			p.changes = append(p.changes, edit(name, was, is))
		}
		return p
	}
	for _, test := range []struct {
		name  string
		parts []part
		want  error
	}{
		{"two roots", []part{change(trees[0], "1", "2", "x", "sub/y"), change(trees[1], "1", "2", "x")}, nil},
		{"a root in another", []part{change(trees[2], "2", "3", "y"), change(trees[0], "2", "3", "x"),
			change(trees[1], "2", "3", "x")}, nil},
		{"one of them stale", []part{change(trees[0], "3", "4", "x"), change(trees[1], "2", "4", "x")}, errs.ErrStale},
		{"a directory by two roots", []part{change(trees[0], "3", "4", "sub/y"), change(trees[2], "3", "4", "y")},
			fs.ErrInvalid},
		{"a root twice", []part{change(trees[0], "3", "4", "x"), change(trees[0], "3", "4", "sub/y")}, fs.ErrInvalid},
		{"one of them unchanged", []part{change(trees[0], "3", "3", "x"), change(trees[1], "3", "4", "x")}, nil},
		{"none", nil, nil},
	} {
		if err := jointly(t.Context(), test.parts); !errors.Is(err, test.want) ||
			(err == nil) != (test.want == nil) {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
	if diff := cmp.Diff(map[string]string{"x": "3", "sub/y": "3"}, disktest.FoundTree(t, a)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"x": "4"}, disktest.FoundTree(t, b)); diff != "" {
		t.Error(diff)
	}
}

// Where the system tells no identities of files, as on Windows, the locks still tell that a directory is in two trees.
func TestAJointCommitDoesNotWaitForItself(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"r0/sub/x": "1", "r0/sub/y": "1"})
	err := jointly(t.Context(), []part{{tree: treeAt(mem, "r0"), changes: []Change{edit("sub/x", "1", "2")}},
		{tree: treeAt(mem, "r0/sub"), changes: []Change{edit("y", "1", "2")}}})
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "use one of the two") {
		t.Errorf("error %v", err)
	}
}

// Where the record cannot be looked up, nothing is rolled back or forgotten until the caller says so.
func TestATreeWhoseRecordIsOutOfReachWaits(t *testing.T) {
	scene := func(t *testing.T) (other string, tree *Tree) {
		dirs := []string{disktest.SeedTree(t, map[string]string{"x": "old"}),
			disktest.SeedTree(t, map[string]string{"x": "old"})}
		tree = openAll(t, dirs...)[0]
		for i, dir := range dirs { // as a commit leaves it that dies before its decision
			state := filepath.Join(dir, StateDir)
			if err := os.Mkdir(state, 0o700); err != nil {
				t.Fatal(err)
			}
			d, release := openAll(t, dir)[0].pin()
			defer release()
			traits, err := d.Inspect(StateDir)
			if err != nil || traits.Born == 0 {
				t.Skip("the file system does not tell when a directory was made: ", err)
			}
			mark, err := markOf(d)
			v := verdict{id: strings.Repeat("ab", idBytes), mark: mark}
			if i == 0 {
				o, release := openAll(t, dirs[1])[0].pin()
				defer release()
				v.mark, err = markOf(o)
				v.root = dirs[1]
			}
			number := firstNumber(traits)
			j := journal{{kind: entryEdit, path: "x", old: disk.VersionOf([]byte("old")),
				new: disk.VersionOf([]byte("new")), dir: StateDir, number: number}}
			err = errors.Join(err,
				os.WriteFile(filepath.Join(dir, "x"), []byte("new"), 0o644),
				os.WriteFile(filepath.Join(state, fmt.Sprintf("%d.old", number)), []byte("old"), 0o644),
				os.WriteFile(filepath.Join(state, "journal"), j.encode(head{bornField(traits), v}), 0o600))
			if err != nil {
				t.Fatal(err)
			}
		}
		return dirs[1], tree
	}
	hide := func(t *testing.T, dir string, replaced bool) {
		err := os.Rename(dir, dir+" elsewhere")
		if replaced {
			err = errors.Join(err, os.Mkdir(dir, 0o755))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(t *testing.T, tree *Tree) string {
		f, err := tree.alone().read("x")
		if err != nil {
			return err.Error()
		}
		return string(f.Data)
	}
	for _, replaced := range []bool{false, true} {
		t.Run(fmt.Sprint("replaced ", replaced), func(t *testing.T) {
			other, tree := scene(t)
			hide(t, other, replaced)
			said, err := heard(tree, (*Tree).Recover)
			if err != nil || len(said) != 1 || !strings.Contains(said[0], other) {
				t.Errorf("said %q, error %v", said, err)
			}
			if err := tree.TakeBack(t.Context()); !errors.Is(err, errs.ErrUnfinished) {
				t.Errorf("error %v", err)
			}
			if err := tree.alone().Commit(t.Context(), []Change{edit("x", "new", "newer")}); !errors.Is(err,
				errs.ErrUnfinished) {
				t.Errorf("commit: error %v", err)
			}
			if _, err := tree.alone().read("x"); !errors.Is(err, errs.ErrUnfinished) {
				t.Errorf("read: error %v", err)
			}
			if err := tree.RecoverForeign(t.Context()); err != nil || read(t, tree) != "old" {
				t.Errorf("error %v, then %s", err, read(t, tree))
			}
		})
	}
	t.Run("discarded", func(t *testing.T) {
		other, tree := scene(t)
		hide(t, other, false)
		if err := tree.Discard(t.Context()); err != nil || read(t, tree) != "new" {
			t.Errorf("error %v, then %s", err, read(t, tree))
		}
	})
	t.Run("within reach", func(t *testing.T) {
		other, tree := scene(t)
		was := disktest.FoundTree(t, other)
		if err := tree.Recover(); err != nil || read(t, tree) != "old" {
			t.Errorf("error %v, then %s", err, read(t, tree))
		}
		if diff := cmp.Diff(was, disktest.FoundTree(t, other)); diff != "" {
			t.Errorf("the other tree has changed: %s", diff)
		}
	})
}

// A record stays as long as a tree may need it.
func TestARecordGoesWithTheLastJournal(t *testing.T) {
	old := map[string]string{"r0/x": "old", "r1/x": "old", "r2/x": "old"}
	changes := map[string][]Change{"r0": {edit("x", "old", "new")}, "r1": {edit("x", "old", "new")},
		"r2": {edit("x", "old", "new")}}
	for k := 0; ; k++ {
		mem := disktest.NewMemory(old)
		dying := disktest.NewFault(mem, k, disktest.DieBefore)
		jointlyOn(dying, changes)
		if !dying.Reached() {
			t.Fatal("no commit died after its decision")
		}
		names, _ := mem.ReadDir("r0/" + StateDir)
		i := slices.IndexFunc(names, isRecord)
		if i < 0 {
			continue
		}
		data, _ := mem.ReadFile("r0/"+StateDir+"/"+names[i], maxJournal)
		j, h, err := decodeJournal(data)
		if err != nil || len(h.verdict.others) != 2 || !bytes.Equal(j.encode(h), data) {
			t.Fatalf("a record of %v, error %v:\n%s", h.verdict, err, data)
		}
		recoverAt(mem, "r0")
		if _, err := mem.Lstat("r0/" + StateDir + "/" + names[i]); err != nil {
			t.Fatal("the record has gone before the other trees recovered")
		}
		// Meanwhile the tree can be changed.
		if err := treeAt(mem, "r0").alone().Commit(t.Context(),
			[]Change{edit("x", "new", "newer"), create("y", "")}); err != nil {
			t.Fatal(err)
		}
		recoverAt(mem, "r1")
		recoverAt(mem, "r0")
		if _, err := mem.Lstat("r0/" + StateDir + "/" + names[i]); err != nil {
			t.Fatal("the record has gone before the last tree recovered")
		}
		recoverAt(mem, "r2")
		recoverAt(mem, "r0")
		if err := cleanRoots(mem); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(map[string]string{"r0/x": "newer", "r0/y": "", "r1/x": "new", "r2/x": "new"},
			mem.Files()); diff != "" {
			t.Error(diff)
		}
		return
	}
}

// The journal of one tree has been removed, but not yet on disk, when another tree looks whether its record is needed.
// The trees are on different file systems, so a power cut can bring back the journal without the record.
func TestARecordOutlivesAJournalThatMayComeBack(t *testing.T) {
	t.Parallel()
	old := map[string]string{"r0/x": "old", "r1/x": "old"}
	changes := map[string][]Change{"r0": {edit("x", "old", "new")}, "r1": {edit("x", "old", "new")}}
	for k, reached := 0, true; reached; k++ {
		for again, died := 0, true; died; again++ {
			mem := disktest.NewMemory(old)
			dying := disktest.NewFault(mem, k, disktest.DieBefore)
			jointlyOn(dying, changes)
			reached = dying.Reached()
			recovery := disktest.NewFault(mem, again, disktest.DieAfter)
			recoverAt(recovery, "r1")
			died = recovery.Reached()
			recoverAt(mem, "r0")
			for _, dir := range []string{"r0", "r0/" + StateDir} {
				mem.SyncDir(dir)
			}
			mem.CutPower(nil, 0)
			for _, root := range []string{"r1", "r0"} {
				if err := recoverAt(mem, root); err != nil {
					t.Errorf("killed at %d, then at %d: %v", k, again, err)
				}
			}
			if now := mem.Files(); now["r0/x"] != now["r1/x"] {
				t.Errorf("killed at %d, then at %d: %q", k, again, now)
			}
		}
	}
}

// An overlay is a disk that copies the top directory of r0 when the first name is made in it, as an overlay does with a
// directory of its lower layer. The copy has another time of birth.
type overlay struct {
	disk.Disk
	copied *bool
}

func (d overlay) Mkdir(name string, perm fs.FileMode) error {
	*d.copied = *d.copied || name == "r0/"+StateDir
	return d.Disk.Mkdir(name, perm)
}

func (d overlay) Inspect(name string) (disk.Traits, error) {
	now, err := d.Disk.Inspect(name)
	if name == "r0" && *d.copied {
		now.Born += 1000
	}
	return now, err
}

func TestAJointCommitThatDiedOnAnOverlayIsRecovered(t *testing.T) {
	for k, reached := 0, true; reached; k++ {
		mem := disktest.NewMemory(map[string]string{"r0/x": "old", "r1/x": "old"})
		over := overlay{mem, new(bool)}
		dying := disktest.NewFault(over, k, disktest.DieBefore)
		jointlyOn(dying, map[string][]Change{"r0": {edit("x", "old", "new")}, "r1": {edit("x", "old", "new")}})
		reached = dying.Reached()
		for _, root := range []string{"r1", "r0"} {
			if said, err := heard(treeAt(over, root), (*Tree).Recover); err != nil ||
				strings.Contains(strings.Join(said, ""), "only that directory says") {
				t.Errorf("killed at %d: %s: said %q, error %v", k, root, said, err)
			}
		}
		if now := mem.Files(); now["r0/x"] != now["r1/x"] || cleanRoots(mem) != nil {
			t.Errorf("killed at %d: %q, %v", k, now, cleanRoots(mem))
		}
	}
}

// Without the number of the vault, a tree is recovered as foreign. The record that another tree may need then stays,
// and is in nobody's way.
func TestARecordWithoutItsNumberIsInNobodysWay(t *testing.T) {
	at := func(d disk.Disk, root, vault string) *Tree {
		tree := treeAt(d, root)
		tree.vault = vaultOf(vault, location{})
		return tree
	}
	for k, reached := 0, true; reached; k++ {
		mem := disktest.NewMemory(map[string]string{"r0/x": "old", "r1/x": "old"})
		mem.Ageless = true
		dying := disktest.NewFault(mem, k, disktest.DieBefore)
		var parts []part
		vault, lost := t.TempDir(), t.TempDir()
		for _, root := range jointRoots[:2] {
			parts = append(parts, part{tree: at(dying, root, vault), changes: []Change{edit("x", "old", "new")}})
		}
		jointly(t.Context(), parts)
		reached = dying.Reached()
		journals := 0
		for _, root := range jointRoots[:2] {
			if _, err := mem.Lstat(root + "/" + JournalName); err == nil {
				journals++
			}
		}
		if journals < 2 {
			continue
		}
		for _, root := range jointRoots[:2] {
			tree := at(mem, root, lost)
			if err := tree.RecoverForeign(t.Context()); err != nil {
				t.Errorf("killed at %d: %s: %v", k, root, err)
			}
			if err := tree.Recover(); err != nil {
				t.Errorf("killed at %d: %s, then: %v", k, root, err)
			}
		}
		if now := mem.Files(); now["r0/x"] != now["r1/x"] {
			t.Errorf("killed at %d: %q", k, now)
		}
	}
}

func TestAJointCommitIsAsDurableAsItsStrictestTree(t *testing.T) {
	for _, durable := range [][]Durability{{DurableNone, DurableFull}, {DurableFull, DurableNone},
		{DurableFile, DurableFull}} {
		mem := disktest.NewMemory(map[string]string{"r0/x": "old", "r1/x": "old"})
		var parts []part
		for i, root := range jointRoots[:2] {
			tree := treeAt(mem, root)
			tree.opts.Durability = durable[i]
			parts = append(parts, part{tree: tree, changes: []Change{edit("x", "old", "new")}})
		}
		if err := jointly(t.Context(), parts); err != nil {
			t.Fatal(err)
		}
		mem.CutPower(nil, 0)
		if diff := cmp.Diff(map[string]string{"r0/x": "new", "r1/x": "new"}, mem.Files()); diff != "" {
			t.Errorf("%v: %s", durable, diff)
		}
	}
}
