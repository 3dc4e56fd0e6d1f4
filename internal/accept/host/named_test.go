package host_test

import (
	"errors"
	"io/fs"
	"maps"
	"runtime"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestABackslashInAPathIsASlash(t *testing.T) {
	files := map[string]string{"src/win/a.txt": "one\ntwo\n", "b.txt": "b\n"}
	for name, test := range map[string]struct {
		ops  []atomicedit.Op
		want map[string]string // what differs from files; "-" for a file that is gone
		path string            // of the report
		say  []string          // the paths in its notes
	}{
		"an edit": {[]atomicedit.Op{accepttest.Edits(`src\win\a.txt`, "one", "1")},
			map[string]string{"src/win/a.txt": "1\ntwo\n"}, "src/win/a.txt", []string{`src\win\a.txt`}},
		"a create": {[]atomicedit.Op{accepttest.Create(`src\new\c.txt`, "c\n")},
			map[string]string{"src/new/c.txt": "c\n"}, "src/new/c.txt", []string{`src\new\c.txt`}},
		"a delete": {[]atomicedit.Op{accepttest.Remove(`src\win/a.txt`)},
			map[string]string{"src/win/a.txt": "-"}, "src/win/a.txt", []string{`src\win/a.txt`}},
		"a move": {[]atomicedit.Op{accepttest.Move(`src\win\a.txt`, `src\c.txt`, "two", "2")},
			map[string]string{"src/win/a.txt": "-", "src/c.txt": "one\n2\n"}, "src/c.txt",
			[]string{`src\win\a.txt`, `src\c.txt`}},
		"dots": {[]atomicedit.Op{accepttest.Edits(`.\src\..\b.txt`, "b", "B")},
			map[string]string{"b.txt": "B\n"}, "b.txt", []string{`.\src\..\b.txt`}},
		"slashes alone": {[]atomicedit.Op{accepttest.Edits("b.txt", "b", "B")}, map[string]string{"b.txt": "B\n"},
			"b.txt", nil},
		"several spellings": {[]atomicedit.Op{accepttest.Edits("src/win/a.txt", "one", "1"),
			accepttest.Edits(`src\win\a.txt`, "1", "I"), accepttest.Edits(`src\win/a.txt`, "two", "2"),
			accepttest.Edits(`src\win\a.txt`, "I", "i")},
			map[string]string{"src/win/a.txt": "i\n2\n"}, "src/win/a.txt", []string{`src\win\a.txt`, `src\win/a.txt`}},
		"a new file, in several spellings": {[]atomicedit.Op{accepttest.Create("n/d.txt", "d\n"),
			accepttest.Edits(`n\d.txt`, "d", "D")},
			map[string]string{"n/d.txt": "D\n"}, "n/d.txt", []string{`n\d.txt`}},
	} {
		t.Run(name, func(t *testing.T) {
			accepttest.OnStores(t, files, func(t *testing.T, s atomicedit.Store, now func() map[string]string) {
				report, err := atomicedit.Run(t.Context(), s, atomicedit.Plan{Ops: test.ops}, nil)
				if err != nil {
					t.Fatal(err)
				}
				want := maps.Clone(files)
				maps.Copy(want, test.want)
				maps.DeleteFunc(want, func(_, text string) bool { return text == "-" })
				if diff := cmp.Diff(want, now()); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
				if len(report.Files) != 1 || report.Files[0].Path != test.path {
					t.Errorf("report of %+v, want only %q", report.Files, test.path)
				}
				if runtime.GOOS == "windows" && strings.HasSuffix(t.Name(), "Dir") {
					return // the Dir itself reads backslashes as slashes
				}
				if diff := cmp.Diff(test.say, spelled(report.Files[0])); diff != "" {
					t.Errorf("paths in notes (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// spelled returns the paths of a request that notes say have backslashes.
func spelled(f atomicedit.FileReport) (paths []string) {
	for _, n := range f.Notes {
		if path, _, ok := strings.Cut(strings.TrimPrefix(n.Msg, "the request has the path "), "; its backslashes"); ok {
			paths = append(paths, path)
		}
	}
	return paths
}

func TestABackslashIsPartOfANameThatIsThere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows no file name has a backslash")
	}
	files := map[string]string{`a\b`: "the name\n", "a/b": "the path\n", `d\e`: "the name\n"}
	accepttest.OnStores(t, files, func(t *testing.T, s atomicedit.Store, now func() map[string]string) {
		report, err := atomicedit.Run(t.Context(), s, atomicedit.Plan{Ops: []atomicedit.Op{
			accepttest.Edits(`a\b`, "name", "file"), accepttest.Move(`d\e`, "e"), accepttest.Create(`d\f`, "new\n"),
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{`a\b`: "the file\n", "a/b": "the path\n", "e": "the name\n", "d/f": "new\n"}
		if diff := cmp.Diff(want, now()); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
		for _, f := range report.Files {
			if got := spelled(f); len(got) > 0 != (f.Path == "d/f") {
				t.Errorf("notes on %s name %q", f.Path, got)
			}
		}
		if _, err := atomicedit.Prepare(t.Context(), s,
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create(`a\b`, "x")}}, nil); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a create over it: error %v, want fs.ErrExist", err)
		}
	})
}

func TestBackslashesLeadNowhereElse(t *testing.T) {
	accepttest.OnStores(t, map[string]string{"src/a.txt": "a\n"},
		func(t *testing.T, s atomicedit.Store, now func() map[string]string) {
			for path, want := range map[string]error{
				`..\a.txt`: atomicedit.ErrOutside, `src\..\..\a.txt`: atomicedit.ErrOutside,
				`src\../..\a.txt`: atomicedit.ErrOutside,
				`\src\a.txt`:      atomicedit.ErrOutside, `\\server\share\a.txt`: atomicedit.ErrOutside,
				`C:\src\a.txt`: atomicedit.ErrOutside,
				`c:/src\a.txt`: atomicedit.ErrOutside, `src\`: fs.ErrInvalid, `.\`: fs.ErrInvalid,
				`src\a.txt\b`: fs.ErrInvalid,
			} {
				for name, op := range map[string]atomicedit.Op{
					"create": accepttest.Create(path, "x"), "edit": accepttest.Edits(path, "a", "x"),
					"delete": accepttest.Remove(path), "move": accepttest.Move(path, "b"),
					"move to": accepttest.Move("src/a.txt", path),
				} {
					var refusal *atomicedit.Refusal
					_, err := atomicedit.Run(t.Context(), s, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil)
					if !errors.As(err, &refusal) || !errors.Is(err, want) {
						t.Errorf("%s %s: error %v, want %v", name, path, err, want)
						continue
					}
					if p := refusal.Problems[0].Path; p != path {
						t.Errorf("%s %s: the problem has the path %s", name, path, p)
					}
				}
			}
			if diff := cmp.Diff(map[string]string{"src/a.txt": "a\n"}, now()); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
}

func TestAPathWithoutAFileNamesTheFileAtItsEnd(t *testing.T) {
	files := map[string]string{"src/a.txt": "a\n", "b.txt": "b\n"}
	for path, want := range map[string]string{
		"root/src/a.txt": "src/a.txt", "./root/b.txt": "b.txt", `root\src\a.txt`: "src/a.txt", "../b.txt": "b.txt",
		"/src/a.txt": "src/a.txt", "/other/tree/src/a.txt": "src/a.txt", "/other/tree/b.txt": "b.txt",
		`C:\work\src\a.txt`: "src/a.txt",
		"x/y/b.txt":         "b.txt", "a.txt": "src/a.txt", "SRC/A.txt": "src/a.txt", "root/src/c.txt": "",
		"/src/c.txt": "",
	} {
		t.Run(path, func(t *testing.T) {
			accepttest.OnStores(t, files, func(t *testing.T, s atomicedit.Store, now func() map[string]string) {
				_, planned := atomicedit.Run(t.Context(), s,
					atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits(path, "a", "x")}}, nil)
				_, viewed := (&atomicedit.Host{Store: s}).View(t.Context(), path, 0, 0)
				for _, err := range []error{planned, viewed} {
					if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, atomicedit.ErrOutside) {
						t.Fatalf("error %v, want fs.ErrNotExist or ErrOutside", err)
					}
					_, hint, _ := strings.Cut(err.Error(), "; there is a file ")
					if got, _, _ := strings.Cut(hint, ":"); got != want {
						t.Errorf("error %v names %q, want %q", err, got, want)
					}
				}
				if diff := cmp.Diff(files, now()); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
			})
		})
	}
	removed := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove("src/b.txt"),
		accepttest.Edits("src/b.txt", "b", "x")}}
	_, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"src/b.txt": "b", "b.txt": "b"}),
		removed, nil)
	if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "there is a file") {
		t.Errorf("a file that the plan has removed: error %v", err)
	}
}

func TestAViewReadsBackslashesAsSlashes(t *testing.T) {
	files := map[string]string{"src/a.txt": "a\n"}
	session := atomicedit.NewSession(atomicedit.NewMem(files))
	h := &atomicedit.Host{Store: session}
	answer, err := h.View(t.Context(), `src\a.txt`, 0, 0)
	if err != nil || answer.Path != "src/a.txt" ||
		!strings.Contains(answer.Text, `note: the request has the path src\a.txt`) {
		t.Fatalf("answer %+v, error %v", answer, err)
	}
	for name, see := range map[string]func(s *atomicedit.Session){
		"View":     func(s *atomicedit.Session) { s.View(t.Context(), `src\a.txt`, 0, 0) },
		"MarkRead": func(s *atomicedit.Session) { s.MarkRead(`src\a.txt`, atomicedit.VersionOf([]byte("a\n")), 0, 0) },
		"Host":     func(s *atomicedit.Session) { (&atomicedit.Host{Store: s}).View(t.Context(), `src\a.txt`, 0, 0) },
	} {
		for _, path := range []string{`src\a.txt`, "src/a.txt"} {
			s := atomicedit.NewSession(atomicedit.NewMem(files))
			see(s)
			if _, err := atomicedit.Run(t.Context(), s,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits(path, "a", "b")}}, nil); err != nil {
				t.Errorf("%s, then an edit of %s: %v", name, path, err)
			}
		}
	}
}
