package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// What a host reads by an absolute path, a model may edit by a relative one, and the other way round.
func TestASessionKnowsAFileByEveryName(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"one/a": "x", "two/b": "x"})
	one, two := filepath.Join(base, "one"), filepath.Join(base, "two")
	for _, store := range []atomicedit.Store{accepttest.OpenDir(t, one), accepttest.OpenRoots(t, one, two)} {
		for _, marked := range []string{"a", "./a", accepttest.Under(one, "a"), accepttest.Under(one, "/a")} {
			for _, edited := range []string{"a", "./a", accepttest.Under(one, "a"), accepttest.Under(one, "/a")} {
				s := atomicedit.NewSession(store)
				plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create(edited, "y"))}}
				if _, err := atomicedit.Prepare(t.Context(), s, plan, nil); !errors.Is(err, atomicedit.ErrUnread) {
					t.Errorf("%T: overwriting %s: error %v", store, edited, err)
				}
				s.MarkRead(marked, atomicedit.VersionOf([]byte("x")), 0, 0)
				if _, err := atomicedit.Prepare(t.Context(), s, plan, nil); err != nil {
					t.Errorf("%T: read as %s, edited as %s: %v", store, marked, edited, err)
				}
			}
		}
	}
	s := atomicedit.NewSession(accepttest.OpenRoots(t, one, two))
	s.MarkRead(accepttest.Under(two, "b"), atomicedit.VersionOf([]byte("x")), 0, 0)
	if _, err := atomicedit.Run(t.Context(), s,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits(accepttest.Under(two, "x/../b"), "x", "y")}},
		nil); err != nil {
		t.Error(err)
	}
}

// A host that reads a file again, by whatever name, has read it, and a model may go on.
func TestASessionKnowsAFileThatIsReadAgain(t *testing.T) {
	for _, names := range [][2]string{{"/one/a", "a"}, {"/one/a", "/one/a"}, {"/one//a", "/one//a"},
		{"/one/link", "/one/link"}, {"/one/link", "link"}, {"link", "/one/link"}, {"a", "link"}} {
		for _, restored := range []bool{false, true} {
			base := accepttest.Seed(t, map[string]string{"one/a": "1\n"})
			one := filepath.Join(base, "one")
			if err := os.Symlink("a", filepath.Join(one, "link")); err != nil {
				t.Skip(err)
			}
			name := func(name string) string {
				if below, ok := strings.CutPrefix(name, "/one/"); ok {
					return accepttest.Under(one, below)
				}
				return name
			}
			marked, edited := name(names[0]), name(names[1])
			for _, store := range []atomicedit.Store{accepttest.OpenDir(t, one), accepttest.OpenRoots(t, one)} {
				s := atomicedit.NewSession(store)
				for _, text := range []string{"1\n", "2\n", "3\n"} {
					if err := os.WriteFile(filepath.Join(one, "a"), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
					v := atomicedit.VersionOf([]byte(text))
					s.MarkRead(marked, v, 0, 0)
					if got, _, ok := s.Seen(marked); !ok || got != v {
						t.Errorf("%T: %s is marked, and seen in version %s, %t", store, marked, got, ok)
					}
					if _, err := atomicedit.Run(t.Context(), s,
						atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits(edited, text, text+"x\n")}},
						nil); err != nil {
						t.Errorf("%T: %q, read as %s, edited as %s, restored %t: %v", store, text, marked, edited,
							restored, err)
					}
					if restored {
						st := stateOf(t, s)
						s = atomicedit.NewSession(store)
						accepttest.Restore(t, s, st)
						if diff := cmp.Diff(st, stateOf(t, s)); diff != "" {
							t.Errorf("%T: the state is another one (-before +after):\n%s", store, diff)
						}
					}
					if got, _, ok := s.Seen(marked); !ok || got != atomicedit.VersionOf([]byte(text+"x\n")) {
						t.Errorf("%T: %s is edited, and seen in version %s, %t, restored %t", store, marked, got, ok,
							restored)
					}
				}
				s.MarkRead(marked, "", 0, 0)
				if _, err := s.Read(t.Context(), marked); !errors.Is(err, atomicedit.ErrUnread) {
					t.Errorf("%T: %s is marked without a version: error %v", store, marked, err)
				}
			}
		}
	}
}

// A link that leads elsewhere now takes nothing of the file that it led to with it.
func TestASessionKnowsALinkThatLeadsElsewhere(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"a": "1\n", "b": "2\n"})
	link := filepath.Join(base, "link")
	if err := os.Symlink("a", link); err != nil {
		t.Skip(err)
	}
	s := atomicedit.NewSession(accepttest.OpenDir(t, base))
	a, b := atomicedit.VersionOf([]byte("1\n")), atomicedit.VersionOf([]byte("2\n"))
	s.MarkRead("link", a, 0, 0)
	if _, err := s.Read(t.Context(), "link"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(os.Remove(link), os.Symlink("b", link)); err != nil {
		t.Fatal(err)
	}
	other := atomicedit.NewSession(accepttest.OpenDir(t, base))
	accepttest.Restore(t, other, stateOf(t, s))
	if _, err := other.Read(t.Context(), "link"); !errors.Is(err, atomicedit.ErrUnread) {
		t.Errorf("in another process: %v", err)
	}
	if _, err := s.Read(t.Context(), "link"); !errors.Is(err, atomicedit.ErrUnread) {
		t.Error(err)
	}
	s.MarkRead("link", b, 0, 0)
	for _, path := range []string{"link", "b", "a"} {
		if _, err := s.Read(t.Context(), path); err != nil {
			t.Error(err)
		}
	}
	for path, want := range map[string]atomicedit.Version{"a": a, "b": b, "link": b} {
		if v, _, ok := s.Seen(path); !ok || v != want {
			t.Errorf("%s: seen in version %s, %t", path, v, ok)
		}
	}
}

// Parts of a file that were read by different names are parts of one file.
func TestASessionAddsUpPartsOfAFile(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"a": "1\n2\n3\n4\n"})
	s := atomicedit.NewSession(accepttest.OpenDir(t, base))
	v := atomicedit.VersionOf([]byte("1\n2\n3\n4\n"))
	s.View(t.Context(), "a", 1, 1)
	s.MarkRead(accepttest.Under(base, "a"), v, 2, 3)
	s.MarkRead(accepttest.Under(base, "/a"), v, 4, 4)
	if unseen, err := unseen(s, accepttest.Under(base, "/a")); err != nil || unseen != "" {
		t.Errorf("not seen: %q, error %v", unseen, err)
	}
	if _, lines, ok := s.Seen("a"); !ok || lines != nil {
		t.Errorf("seen: %v, %t", lines, ok)
	}
}
