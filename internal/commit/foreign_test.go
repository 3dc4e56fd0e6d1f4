package commit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// stateBorn returns the identity of the state directory, as a journal states it.
func stateBorn(d disk.Disk) (string, error) {
	now, err := d.Inspect(StateDir)
	return bornField(now), err
}

// bornHere returns the identity of the state directory of d, as a journal states it.
func bornHere(t *testing.T, d disk.Disk) string {
	t.Helper()
	born, err := stateBorn(d)
	if err != nil {
		t.Fatal(err)
	}
	return born
}

// stateName returns the name of the n-th staged file or backup of a commit in the state directory of d.
func stateName(t *testing.T, d disk.Disk, n int, kind string) string {
	t.Helper()
	now, err := d.Inspect(StateDir)
	if err != nil {
		t.Fatal(err)
	}
	return StateDir + "/" + strconv.Itoa(firstNumber(now)+n) + kind
}

// stateFiles returns everything in the state directory of d.
func stateFiles(t *testing.T, d disk.Disk) map[string]string {
	t.Helper()
	files := map[string]string{}
	names, err := d.ReadDir(StateDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := d.ReadFile(StateDir+"/"+name, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

// A planted state directory is refused, and nothing in it is touched, even if it has no journal that could be replayed.
func TestPlantedStateIsNotTouched(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a backup":        {"0.old": "theirs"},
		"a stage":         {".gitignore": "*\n", "7.new": "theirs"},
		"a torn journal":  {"journal": "atomicedit journal 1 2 17637291"},
		"half a journal":  {"journal": "atomicedit journal 1 2 1763729105123456789\nedit "},
		"a list":          {"stages": string(journal{}.encode(head{born: "1763729105123456789"}))},
		"another ignores": {".gitignore": "# precious\n*\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ageless := range []bool{false, true} {
				d := disktest.NewMemory(map[string]string{"a": "one", "b": "one"})
				d.Ageless = ageless
				if err := d.Mkdir(StateDir, 0o700); err != nil {
					t.Fatal(err)
				}
				for name, text := range files {
					if err := d.Create(StateDir+"/"+name, []byte(text), disk.Meta{Perm: 0o600}); err != nil {
						t.Fatal(err)
					}
				}
				o := Options{StateDir: t.TempDir()}
				if err := recoverOn(d, o); !errors.Is(err, fs.ErrPermission) {
					t.Errorf("recovery: error %v", err)
				}
				if err := commitOn(d, o, []Change{edit("a", "one", "two"), edit("b", "one", "two")}); !errors.Is(err,
					fs.ErrPermission) {
					t.Errorf("commit: error %v", err)
				}
				if diff := cmp.Diff(files, stateFiles(t, d)); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// died returns a disk that does not tell when a directory was made. A commit died on it right before it removed its
// journal.
func died(t *testing.T, o Options) *disktest.Memory {
	t.Helper()
	for k := 0; ; k++ {
		d := disktest.NewMemory(map[string]string{"a": "one", "b": "one"})
		d.Ageless = true
		commitOn(disktest.NewFault(d, k, disktest.DieBefore), o,
			[]Change{edit("a", "one", "two"), edit("b", "one", "two")})
		if d.Files()["b"] == "two" {
			return d
		}
	}
}

// If the file system does not tell when a directory was made, a journal is replayed only if its number is in the vault.
func TestAJournalNeedsItsNumber(t *testing.T) {
	o := Options{StateDir: t.TempDir()}
	old := map[string]string{"a": "one", "b": "one"}
	done := map[string]string{"a": "two", "b": "two"}

	d := died(t, o)
	if said, err := heard(on(d, o), (*Tree).Recover); err != nil || len(said) != 1 {
		t.Errorf("with the number: recovered %q, error %v", said, err)
	}
	if diff := cmp.Diff(old, d.Files()); diff != "" || clean(d) != nil {
		t.Errorf("with the number: %v, %s", clean(d), diff)
	}

	for _, lost := range []func() Options{
		func() Options { return Options{StateDir: t.TempDir()} },
		func() Options { // another number does not count
			dir := t.TempDir()
			died(t, Options{StateDir: dir})
			return Options{StateDir: dir}
		},
	} {
		d, o := died(t, o), lost()
		kept := stateFiles(t, d)
		said, err := heard(on(d, o), (*Tree).Recover)
		if err != nil || !strings.Contains(strings.Join(said, ""), "nothing shows that this user made it") {
			t.Errorf("recovered %q, error %v", said, err)
		}
		if err := commitOn(d, o, []Change{edit("a", "two", "x"), edit("b", "two", "x")}); !errors.Is(err,
			fs.ErrPermission) {
			t.Errorf("commit: error %v", err)
		}
		if err := commitOn(d, o, []Change{edit("a", "two", "x")}); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("commit of one file: error %v", err)
		}
		if _, err := on(d, o).alone().read("a"); !errors.Is(err, errs.ErrUnfinished) {
			t.Errorf("read: error %v", err)
		}
		if err := on(d, o).TakeBack(t.Context()); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("roll back: error %v", err)
		}
		if diff := cmp.Diff(done, d.Files()) + cmp.Diff(kept, stateFiles(t, d)); diff != "" {
			t.Error(diff)
		}
		if said, err := heard(on(d, o),
			func(tree *Tree) error { return tree.RecoverForeign(t.Context()) }); err != nil || len(said) != 1 {
			t.Errorf("recovered as foreign: %q, error %v", said, err)
		}
		if diff := cmp.Diff(old, d.Files()); diff != "" || clean(d) != nil {
			t.Errorf("recovered as foreign: %v, %s", clean(d), diff)
		}

		d = died(t, Options{StateDir: t.TempDir()})
		if err := on(d, o).Discard(t.Context()); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(done, d.Files()); diff != "" || clean(d) != nil {
			t.Errorf("discarded: %v, %s", clean(d), diff)
		}
	}
}

// Without a time of birth and without a place for a vault, only one file can be changed at a time.
func TestWithoutANumberFilesAreChangedOneByOne(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("AppData", "")
	d := disktest.NewMemory(map[string]string{"a": "one", "b": "one"})
	d.Ageless = true
	err := commitOn(d, Options{}, []Change{edit("a", "one", "two"), edit("b", "one", "two")})
	if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "no state directory of the user") {
		t.Errorf("two files: error %v", err)
	}
	if err := errors.Join(clean(d), commitOn(d, Options{}, []Change{edit("a", "one", "two")}), clean(d)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two", "b": "one"}, d.Files()); diff != "" {
		t.Error(diff)
	}
}

func TestADirectoryWhoseNameCannotBeLookedUpIsNotOneWithoutAName(t *testing.T) {
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	if at, err := locate(loop, ""); err == nil {
		t.Errorf("no error, and the names %q", at.names)
	}
	if at, err := locate(filepath.Join(t.TempDir(), "gone"), ""); err != nil || len(at.names) > 0 {
		t.Errorf("a directory that is gone: names %q, error %v", at.names, err)
	}
}

func located(t *testing.T, dir string) location {
	at, err := locate(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A vault inside the tree is not used, because its number could have come with the tree.
func TestAVaultIsOutsideTheTree(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	link := filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.Mkdir(in, 0o755), os.Symlink(in, link)); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	for _, state := range []string{dir, in, filepath.Join(in, "new", "one"), link, filepath.Join(link, "new")} {
		if v := vaultOf(state, located(t, dir)); v.file != "" {
			t.Errorf("%s is a vault of %s", v.file, dir)
		}
	}
	v := vaultOf(filepath.Join(dir, "new", "state"), located(t, in))
	n, err := v.make()
	again, err2 := v.make()
	kept, err3 := v.number()
	if n <= 0 || again != n || kept != n || errors.Join(err, err2, err3) != nil {
		t.Errorf("numbers %d and %d, errors %v, %v", n, again, err, err2)
	}
	if other := vaultOf(filepath.Join(dir, "new", "state"), located(t, filepath.Dir(link))); other.file == v.file {
		t.Error("another directory has the same number")
	}
	if n, err := (vault{t.TempDir()}).number(); n != 0 || err == nil { // it cannot be read
		t.Errorf("number %d, error %v", n, err)
	}
}

// A journal in version 1 of the format can be read. This version of the package wrote it.
func TestAJournalOfVersion1(t *testing.T) {
	text, err := os.ReadFile("testdata/journal.1")
	if err != nil {
		t.Fatal(err)
	}
	j, h, err := decodeJournal(text)
	if err != nil || h.born != "1763729105123456789" {
		t.Fatalf("born %s, error %v", h.born, err)
	}
	if diff := cmp.Diff(string(text), string(j.encode(h))); diff != "" {
		t.Errorf("the format has changed; give it another version: %s", diff)
	}
	d := disktest.NewMemory(map[string]string{"docs/a b.md": "new", "main.go": "two", "in place": "tw", "sub/x": ""})
	d.Ageless = true
	if err := d.Mkdir(StateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"journal": string(text), "8.old": "one", "9.old": "one", "9.new": "two",
		"10.old": "gone"} {
		if err := d.Create(StateDir+"/"+name, []byte(data), disk.Meta{Perm: 0o600}); err != nil {
			t.Fatal(err)
		}
	}
	if err := on(d, Options{StateDir: t.TempDir()}).RecoverForeign(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"main.go": "one", "in place": "one", "sub/gone": "gone", "sub/x": ""},
		d.Files()); diff != "" || clean(d) != nil {
		t.Errorf("%v, %s", clean(d), diff)
	}
}
