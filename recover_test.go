//go:build unix

package atomicedit

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// After a commit died, somebody puts something else in the place of what it worked on, or removes it. Recovery leaves that
// alone, reports it, keeps what was there before, and takes the rest back.
func TestRecoveryLeavesWhatOthersHavePutThere(t *testing.T) {
	edit := func(kind entryKind, name string) entry {
		return entry{kind: kind, path: name, old: VersionOf([]byte("old")), new: VersionOf([]byte("new"))}
	}
	mkdir := entry{kind: entryMkdir, path: "d"}
	create := entry{kind: entryCreate, path: "d/n", new: VersionOf([]byte("new"))}
	gone := edit(entryDelete, "d/b")
	gone.new = ""
	file := func(dir string) error { return os.WriteFile(filepath.Join(dir, "d"), []byte("theirs"), 0o644) }
	link := func(dir string) error { return os.Symlink("e", filepath.Join(dir, "d")) }
	nothing := func(string) error { return nil }
	for name, c := range map[string]struct {
		dead    journal
		put     func(dir string) error
		want    map[string]string
		kept    bool
		unsaid  bool
		special bool // what is there is no file
	}{
		"a file for a made directory":          {dead: journal{mkdir}, put: file, want: map[string]string{"d": "theirs"}},
		"a file for the directory of a create": {dead: journal{mkdir, create}, put: file, want: map[string]string{"d": "theirs"}},
		"a link for a made directory":          {dead: journal{mkdir}, put: link, special: true},
		"no made directory":                    {dead: journal{mkdir, create}, put: nothing, unsaid: true},
		"no directory of a delete":             {dead: journal{gone}, put: nothing, kept: true},
		"a file for the directory of a delete": {dead: journal{gone}, put: file, want: map[string]string{"d": "theirs"}, kept: true},
		"a file for the directory of an edit":  {dead: journal{edit(entryEdit, "d/b")}, put: file, want: map[string]string{"d": "theirs"}, kept: true},
		"a link for the directory of an edit":  {dead: journal{edit(entryEdit, "d/b")}, put: link, special: true, kept: true},
		"a link out for the directory of an edit": {
			dead: journal{edit(entryEdit, "d/b")}, special: true, kept: true,
			put: func(dir string) error { return os.Symlink("/", filepath.Join(dir, "d")) },
		},
		"a pipe for a file written in place": {
			dead: journal{edit(entryWrite, "d")}, special: true, kept: true,
			put: func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "d"), 0o644) },
		},
		"a directory for a file written in place": {
			dead: journal{edit(entryWrite, "d")}, special: true, kept: true,
			put: func(dir string) error { return os.Mkdir(filepath.Join(dir, "d"), 0o755) },
		},
		"no file written in place": {dead: journal{edit(entryWrite, "d")}, put: nothing, kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, now, d := tree(t, map[string]string{"a": "new", "e/b": "theirs"})
			if err := c.put(dir); err != nil {
				t.Fatal(err)
			}
			dead := append(journal{edit(entryEdit, "a")}, c.dead...)
			if err := d.Mkdir(stateDir, 0o700); err != nil {
				t.Fatal(err)
			}
			for i := range dead {
				if dead[i].kind == entryMkdir {
					continue
				}
				dead[i].stage = stateDir + "/" + string(rune('0'+i))
				if err := d.Create(dead[i].backup(), []byte("old"), meta{perm: 0o644}); err != nil {
					t.Fatal(err)
				}
			}
			if err := d.Create(journalName, dead.encode(), meta{perm: 0o600}); err != nil {
				t.Fatal(err)
			}

			s, err := OpenDir(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			said := strings.Join(s.Recovered(), "\n")
			if strings.Contains(said, "somebody else") == c.unsaid || strings.Contains(said, "kept.1") != c.kept {
				t.Errorf("said: %s", said)
			}
			if c.special {
				if _, err := os.Lstat(filepath.Join(dir, "d")); err != nil {
					t.Error(err)
				}
				os.Remove(filepath.Join(dir, "d"))
			}
			want := map[string]string{"a": "old", "e/b": "theirs"}
			for name, text := range c.want {
				want[name] = text
			}
			if c.kept {
				want[stateDir], want[stateDir+"/kept.1"] = "(a directory)", "old"
			}
			if diff := cmp.Diff(want, now()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A journal can be as long as whoever has put it there likes. It is not read into memory for that.
func TestAJournalLongerThanAnyIsRefused(t *testing.T) {
	dir, _, d := tree(t, nil)
	if err := d.Mkdir(stateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := d.Create(journalName, nil, meta{perm: 0o600}); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, journalName), 1<<40); err != nil {
		t.Skip(err)
	}
	if _, err := OpenDir(dir, nil); err == nil || !strings.Contains(err.Error(), "longer than any") {
		t.Errorf("error %v", err)
	}
}

// What somebody has put in the place of a file is compared piece by piece: it may be longer than memory.
func TestRecoveryComparesWithoutReadingAllOfAFile(t *testing.T) {
	_, _, d := tree(t, map[string]string{"a": strings.Repeat("x", 8<<20)})
	want := VersionOf([]byte(strings.Repeat("x", 8<<20)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	is, err := versionAt(d, "a")
	runtime.ReadMemStats(&after)
	if err != nil || is != want {
		t.Fatalf("version %s, error %v", is, err)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 4<<20 {
		t.Errorf("%d bytes allocated for a file of 8 MiB", allocated)
	}
}

// A backup that somebody has removed cannot be put back. The error says so, and what to do.
func TestAMissingBackupIsNamed(t *testing.T) {
	dir, now, d := tree(t, map[string]string{"a": "new"})
	dead := journal{{kind: entryEdit, path: "a", old: VersionOf([]byte("old")), new: VersionOf([]byte("new")), stage: stateDir + "/0"}}
	if err := d.Mkdir(stateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := d.Create(journalName, dead.encode(), meta{perm: 0o600}); err != nil {
		t.Fatal(err)
	}
	before := now()
	_, err := OpenDir(dir, nil)
	if !errors.Is(err, ErrUnfinished) || !strings.Contains(err.Error(), dead[0].backup()) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, now()); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(filepath.Join(dir, dead[0].backup()), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := OpenDir(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if diff := cmp.Diff(map[string]string{"a": "old"}, now()); diff != "" {
		t.Error(diff)
	}
}
