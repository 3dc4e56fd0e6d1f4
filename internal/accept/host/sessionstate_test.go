package host_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestSessionStateOfAConversation(t *testing.T) {
	const text, grown = "1\n2\n3\n4\n5\n", "1\n2\n3\n3\n4\n5\n"
	mem := atomicedit.NewMem(map[string]string{"part": text, "grown": text, "all": text, "parts": text, "none": text,
		"unread": text})
	s := atomicedit.NewSession(mem)
	v := atomicedit.VersionOf([]byte(text))
	s.View(t.Context(), "./part", 2, 3)
	s.View(t.Context(), "part", 5, 5)
	s.View(t.Context(), "parts", 3, 9)
	s.View(t.Context(), "parts", 1, 2)
	s.View(t.Context(), "grown", 0, 0)
	s.MarkRead("all", v, 0, 0)
	s.MarkRead("none", v, 1, 0)
	if _, err := atomicedit.Run(t.Context(), s,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("grown", "3\n", "3\n3\n")}}, nil); err != nil {
		t.Fatal(err)
	}
	part, parts := [][2]int{{2, 3}, {5, 5}}, [][2]int{{1, 9}}
	want := accepttest.SessionState{Files: map[string]accepttest.SeenFile{
		"all": accepttest.SeenWhole(v),
		"grown": {Version: atomicedit.VersionOf([]byte(grown)), Text: []byte(grown), Lines: [][2]int{{1, 6}},
			Numbers: [][2]int{{1, 3}}},
		"none":  {Version: v},
		"part":  {Version: v, Text: []byte(text), Lines: part, Numbers: part},
		"parts": {Version: v, Text: []byte(text), Lines: parts, Numbers: parts},
	}}
	if diff := cmp.Diff(want, stateOf(t, s)); diff != "" {
		t.Errorf("the state (-want +got):\n%s", diff)
	}
	again := atomicedit.NewSession(mem)
	again.View(t.Context(), "unread", 0, 0)
	accepttest.Restore(t, again, stateOf(t, s))
	for _, s := range []*atomicedit.Session{s, again} {
		for path, f := range want.Files {
			if v, lines, ok := s.Seen("./" + path); !ok || v != f.Version ||
				lines != nil && !cmp.Equal(lines, f.Lines, cmpopts.EquateEmpty()) {
				t.Errorf("%s: seen %v of %s, %t", path, lines, v, ok)
			}
		}
		if v, lines, ok := s.Seen("unread"); v != "" || lines != nil || ok {
			t.Errorf("seen without a view: %v of %s, %t", lines, v, ok)
		}
		for path, want := range map[string]string{
			"all": "", "parts": "", "part": "not yet read: lines 1, 4", "none": "not yet read: lines 1-5",
			"grown": "not yet read: lines 4-6",
		} {
			if unseen, err := unseen(s, path); err != nil || unseen != want {
				t.Errorf("%s: %q, %v", path, unseen, err)
			}
		}
		if _, err := s.Read(t.Context(), "unread"); !errors.Is(err, atomicedit.ErrUnread) {
			t.Error(err)
		}
	}
}

// Entries that make no sense count as unread, and do no harm to the others.
func TestSessionRestoresOnlyWhatMakesSense(t *testing.T) {
	const text = "1\n2\n3\n"
	v := atomicedit.VersionOf([]byte(text))
	for _, tt := range []struct {
		name string
		file accepttest.SeenFile
		want error
	}{
		{"all of it", accepttest.SeenWhole(v), nil},
		{"ranges out of order, and one within another",
			accepttest.SeenFile{Version: v, Lines: [][2]int{{2, 3}, {3, 3}, {1, 2}}}, nil},
		{"more lines than there are", accepttest.SeenFile{Version: v, Lines: [][2]int{{1, math.MaxInt}}}, nil},
		{"another version", accepttest.SeenFile{Version: atomicedit.VersionOf(nil)}, atomicedit.ErrStale},
		{"no version", accepttest.SeenFile{}, atomicedit.ErrUnread},
		{"a version of another kind", accepttest.SeenFile{Version: "hashline:12ab"}, atomicedit.ErrUnread},
		{"a version that is cut off", accepttest.SeenFile{Version: v[:20]}, atomicedit.ErrUnread},
		{"a version in capitals", accepttest.SeenFile{Version: atomicedit.Version(strings.ToUpper(string(v)))},
			atomicedit.ErrUnread},
		{"a version that is not hexadecimal", accepttest.SeenFile{Version: v[:len(v)-1] + "g"}, atomicedit.ErrUnread},
		{"line 0", accepttest.SeenFile{Version: v, Lines: [][2]int{{0, 3}}}, atomicedit.ErrUnread},
		{"a range backwards", accepttest.SeenFile{Version: v, Lines: [][2]int{{1, 3}, {3, 2}}}, atomicedit.ErrUnread},
		{"a text of another version", accepttest.SeenFile{Version: v, Lines: [][2]int{{1, 3}}, Text: []byte("x")},
			atomicedit.ErrUnread},
		{"numbers that make no sense",
			accepttest.SeenFile{Version: v, Lines: [][2]int{{1, 3}}, Numbers: [][2]int{{0, 1}}}, atomicedit.ErrUnread},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": text, "other": text}))
			if tt.file.Numbers == nil {
				tt.file.Numbers = tt.file.Lines
			}
			files := map[string]accepttest.SeenFile{"": {Version: v}, "f": tt.file, "other": accepttest.SeenWhole(v)}
			accepttest.Restore(t, s, accepttest.SessionState{Files: files})
			if _, err := s.Read(t.Context(), "f"); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if _, err := s.Read(t.Context(), "other"); err != nil {
				t.Error(err)
			}
			if _, _, ok := s.Seen("f"); ok == errors.Is(tt.want, atomicedit.ErrUnread) {
				t.Errorf("seen: %t", ok)
			}
		})
	}
}

// A path that JSON cannot hold is no other path after a restart.
func TestSessionOfAPathThatJSONCannotHold(t *testing.T) {
	s := atomicedit.NewSession(atomicedit.NewMem(nil))
	s.MarkRead("\xff", atomicedit.VersionOf(nil), 0, 0)
	if data, err := json.Marshal(s); err == nil {
		t.Errorf("%s", data)
	}
}

// Names that make no sense do no harm, and those of before are forgotten.
func TestSessionRestoresNames(t *testing.T) {
	s := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "1\n"}))
	v := atomicedit.VersionOf([]byte("1\n"))
	for _, names := range []map[string]string{{"": "f", "f": "", "x": "../f"}, {"f": "g"}, nil} {
		st := accepttest.SessionState{Files: map[string]accepttest.SeenFile{"f": accepttest.SeenWhole(v)}, Names: names}
		accepttest.Restore(t, s, st)
		if diff := cmp.Diff(st, stateOf(t, s)); diff != "" {
			t.Errorf("(-restored +state):\n%s", diff)
		}
		if got, _, ok := s.Seen("f"); !ok || got != v {
			t.Errorf("%v: seen in version %s, %t", names, got, ok)
		}
		s.MarkRead("f", v, 0, 0)
		if _, err := s.Read(t.Context(), "f"); err != nil {
			t.Errorf("%v: %v", names, err)
		}
	}
}
