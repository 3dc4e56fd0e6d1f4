package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/google/go-cmp/cmp"
)

// A victim is a private repository with a secret in it, once in a pack and once in loose objects.
type victim struct{ packed, loose, tip string }

func newVictim(t *testing.T) victim {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege")
	}
	v := victim{packed: bare(t), loose: bare(t)}
	commit(t, open(t, v.loose, nil), create("secret", "the secret"))
	v.tip = run(t, v.loose, "rev-parse", "main")
	run(t, v.packed, "fetch", "-q", v.loose, "main:main")
	run(t, v.packed, "repack", "-q", "-a", "-d")
	return v
}

// link makes symbolic links in dir to everything that a pattern matches in another directory.
func link(t *testing.T, from, pattern, dir string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(from, pattern))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		rel, _ := filepath.Rel(from, name)
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(name, to); err != nil {
			t.Fatal(err)
		}
	}
}

// leads are ways by which a repository can show the secret of another one.
var leads = map[string]func(t *testing.T, v victim, dir string){
	"alternates": func(t *testing.T, v victim, dir string) {
		writeFile(t, dir+"/objects/info/alternates", v.packed+"/objects\n", 0o644)
	},
	"links to packs": func(t *testing.T, v victim,
		dir string) {
		link(t, v.packed, "objects/pack/pack-*", dir)
	},
	"links to loose objects":      func(t *testing.T, v victim, dir string) { link(t, v.loose, "objects/??/*", dir) },
	"links to object directories": func(t *testing.T, v victim, dir string) { link(t, v.loose, "objects/??", dir) },
}

func TestARepositoryShowsNoOther(t *testing.T) {
	v := newVictim(t)
	for name, lead := range leads {
		for _, trusted := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, trusted %v", name, trusted), func(t *testing.T) {
				dir := bare(t)
				writeFile(t, dir+"/refs/heads/main", v.tip+"\n", 0o644)
				lead(t, v, dir)
				got := map[string]string{}
				s, err := Open(dir, &Options{Ref: "main", TrustRepository: trusted})
				if err == nil {
					defer s.Close()
					f, err := s.Read(t.Context(), "secret")
					if err != nil {
						t.Fatal(err)
					}
					got["secret"] = string(f.Data)
				}
				want := map[string]string{}
				if trusted { // which proves that the way leads there
					want["secret"] = "the secret"
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("Open: %v; what it shows (-want +got):\n%s", err, d)
				}
				if !trusted && !errors.Is(err, fs.ErrPermission) {
					t.Errorf("Open: %v, want fs.ErrPermission", err)
				}
			})
		}
	}
}

// These lead nowhere that a store looks, or would, if git came to look there.
func TestALeadElsewhereIsRefused(t *testing.T) {
	v := newVictim(t)
	for name, lead := range map[string]func(dir string){
		"http-alternates": func(dir string) {
			writeFile(t, dir+"/objects/info/http-alternates", v.packed+"/objects\n", 0o644)
		},
		"link deep below refs": func(dir string) {
			writeFile(t, dir+"/refs/tags/a/b/c", v.tip+"\n", 0o644)
			link(t, v.loose, "refs/heads/main", dir+"/refs/tags/a")
		},
		"shallow": func(dir string) {
			link(t, v.loose, "HEAD", dir+"/x")
			os.Rename(dir+"/x/HEAD",
				dir+"/shallow")
		},
		"link to nothing": func(dir string) { os.Symlink(dir+"/nothing", dir+"/objects/pack/pack-x.idx") },
		"work tree":       func(dir string) { link(t, v.loose, "HEAD", dir+"/worktrees/w") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := bare(t)
			lead(dir)
			s, err := Open(dir, &Options{Ref: "main"})
			if err == nil {
				s.Close()
			}
			if !strings.Contains(fmt.Sprint(err), "Options.TrustRepository") {
				t.Errorf("Open: %v, want an error about Options.TrustRepository", err)
			}
		})
	}
}

func TestOthersAreNotFoundByCommondirOrEnvironment(t *testing.T) {
	v := newVictim(t)
	for _, trusted := range []bool{true, false} {
		dir := bare(t)
		writeFile(t, dir+"/refs/heads/main", v.tip+"\n", 0o644)
		if !trusted {
			writeFile(t, dir+"/commondir", v.packed+"\n", 0o644)
		}
		t.Setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", v.packed+"/objects")
		if s, err := Open(dir, &Options{Ref: "main", TrustRepository: trusted}); err == nil {
			f, err := s.Read(t.Context(), "secret")
			t.Errorf("trusted %v: Read: %+v, %v", trusted, f, err)
			s.Close()
		}
	}
}

// A commit looks again, so that it writes nothing to another repository.
func TestACommitLooksAgain(t *testing.T) {
	v := newVictim(t)
	for name, lead := range leads {
		t.Run(name, func(t *testing.T) {
			dir := bare(t)
			s := open(t, dir, nil)
			lead(t, v, dir)
			err := s.Commit(t.Context(), []atomicedit.Change{create("a", "a")})
			if !strings.Contains(fmt.Sprint(err), "Options.TrustRepository") || errors.Is(err, fs.ErrPermission) {
				t.Errorf("Commit: %v, want an error about the repository, not about a file", err)
			}
		})
	}
	t.Run("pipe", func(t *testing.T) {
		dir := bare(t)
		s := open(t, dir, nil)
		mkfifo(t, dir+"/objects/pack/pack-x.idx")
		err := s.Commit(t.Context(), []atomicedit.Change{create("a", "a")})
		if !strings.Contains(fmt.Sprint(err), "neither a file nor a directory") {
			t.Errorf("Commit: %v", err)
		}
	})
}

// A name that is too long cannot be looked up, which does not mean that there is nothing.
func TestAnErrorWhileLookingIsNoAnswer(t *testing.T) {
	s := open(t, bare(t), nil)
	long := strings.Repeat("x", 300)
	for name, look := range map[string]func() error{
		"at":    func() error { return s.lookAt("refs/" + long) },
		"below": func() error { return s.lookBelow("objects/" + long) },
		"into":  func() error { _, err := s.lookInto("objects/" + long); return err },
		"ref":   func() error { _, err := s.target("refs/" + long); return err },
	} {
		if err := look(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, look := range map[string]func() error{
		"at":    func() error { return s.lookAt("refs/x", "HEAD/x") },
		"below": func() error { return s.lookBelow("objects/x") },
	} {
		if err := look(); err != nil {
			t.Errorf("%s a name that is not there: %v", name, err)
		}
	}
}
