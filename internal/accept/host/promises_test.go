package host_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// A file that the conversation has seen only in part is not replaced by a delete and a create either, nor by a move
// onto its path.
func TestAPartlySeenFileIsNotReplacedInTwoSteps(t *testing.T) {
	remove := atomicedit.Op{Kind: atomicedit.OpDelete, Path: "part"}
	create := atomicedit.Op{Kind: atomicedit.OpCreate, Path: "part", Content: "gone\n"}
	onto := atomicedit.Op{Kind: atomicedit.OpMove, Path: "all", To: "part"}
	away := atomicedit.Op{Kind: atomicedit.OpMove, Path: "part", To: "kept"}
	for _, tt := range []struct {
		name    string
		ops     []atomicedit.Op
		refused bool
	}{
		{"delete and create", []atomicedit.Op{remove, create}, true},
		{"delete and move", []atomicedit.Op{remove, onto}, true},
		{"delete", []atomicedit.Op{remove}, false},
		{"moved away and created anew", []atomicedit.Op{away, create}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := atomicedit.NewMem(map[string]string{"part": "1\n2\n3\n4\n", "all": "x\n"})
			s := atomicedit.NewSession(m)
			for path, last := range map[string]int{"part": 1, "all": 0} {
				if _, err := s.View(t.Context(), path, 1, last); err != nil {
					t.Fatal(err)
				}
			}
			_, err := atomicedit.Run(t.Context(), s, atomicedit.Plan{Ops: tt.ops}, nil)
			if errors.Is(err, atomicedit.ErrUnread) != tt.refused || !tt.refused && err != nil {
				t.Errorf("error %v", err)
			}
			if tt.refused && m.Files()["part"] != "1\n2\n3\n4\n" {
				t.Error("the file was changed")
			}
		})
	}
}

type unwrapsItself struct{ atomicedit.Store }

func (u *unwrapsItself) Unwrap() atomicedit.Store { return u }

func TestAWrapperThatUnwrapsItselfHangsNothing(t *testing.T) {
	s := &unwrapsItself{atomicedit.NewMem(map[string]string{"a": "x\n"})}
	if a, err := (&atomicedit.Host{Store: s}).View(t.Context(), "a", 0, 0); err != nil {
		t.Errorf("%v, error %v", a, err)
	}
	if _, err := run(t, s, accepttest.Edits("a", "x", "y")); err != nil {
		t.Error(err)
	}
}

func TestAHunkThatDoesNotFitIsDropped(t *testing.T) {
	for _, hunk := range []string{"x", "zz", `\`, "-+-"} {
		e := atomicedit.Edit{Old: "x\n", New: "y\n", WholeLines: true, Hunk: hunk}
		text, err := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{e}}}}.V4A()
		if want := "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n"; err != nil || text != want {
			t.Errorf("%q: %q, error %v", hunk, text, err)
		}
		empty := atomicedit.Edit{WholeLines: true, Hunk: hunk}
		if _, err := (atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a",
			Edits: []atomicedit.Edit{empty}}}}).V4A(); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%q without lines: error %v", hunk, err)
		}
	}
}

// To an empty file, others may have written since it was read. It is not replaced as one that is empty.
func TestAFileThatWasEmptyWhenItWasReadIsNotReplaced(t *testing.T) {
	for name, op := range map[string]atomicedit.Op{
		"a create": accepttest.Create("f", "mine\n"),
		"a write":  accepttest.Over(accepttest.Create("f", "mine\n")),
		"a move":   accepttest.Over(accepttest.Move("other", "f")),
	} {
		t.Run(name, func(t *testing.T) {
			m := atomicedit.NewMem(map[string]string{"f": "", "other": "x\n"})
			s := atomicedit.NewSession(m)
			for _, path := range []string{"f", "other"} {
				if _, err := s.View(t.Context(), path, 0, 0); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := run(t, m, accepttest.Create("f", "theirs\n")); err != nil {
				t.Fatal(err)
			}
			if code, err := run(t, s, op); err == nil || m.Files()["f"] != "theirs\n" {
				t.Errorf("%s %v: %q", code, err, m.Files())
			}
		})
	}
}

// A request may not do in two steps, a move and what makes the file disappear, what it may not do in one.
func TestAFileIsNotLostByWayOfAMove(t *testing.T) {
	for _, last := range []atomicedit.Op{
		accepttest.Remove("g"), accepttest.Over(accepttest.Create("g", "x\n")), accepttest.Over(accepttest.Move("h", "g")),
	} {
		for want, see := range map[string]func(*atomicedit.Session, *atomicedit.Mem){
			"unread": func(*atomicedit.Session, *atomicedit.Mem) {},
			"stale":  func(s *atomicedit.Session, m *atomicedit.Mem) { viewThenChange(t, s, m, 0, 0, "theirs\n") },
			"":       func(s *atomicedit.Session, _ *atomicedit.Mem) { accepttest.Must(s.View(t.Context(), "f", 0, 0)) },
		} {
			m := atomicedit.NewMem(map[string]string{"f": "1\n", "h": "h\n"})
			s := atomicedit.NewSession(m)
			see(s, m)
			code, err := run(t, s, accepttest.Move("f", "g"), last)
			if code != want || err != nil && !strings.HasPrefix(err.Error(), "f: ") {
				t.Errorf("%s: %s %v: %q", want, code, err, m.Files())
			}
		}
	}
}

// The texts that a session has forgotten are not shown, whatever the encoding.
func TestARefusalOfAFileWhoseTextIsForgotten(t *testing.T) {
	for _, encode := range []func(string) string{strings.Clone, wide} {
		m := atomicedit.NewMem(map[string]string{"f": encode("1\n2\n")})
		s := atomicedit.NewSession(m)
		s.Memory = -1
		viewThenChange(t, s, m, 0, 0, encode("2"))
		if code, err := run(t, s, accepttest.Remove("f")); code != "stale" {
			t.Errorf("%s, %v", code, err)
		}
		code, err := run(t, s, byNumber("f", 2, 0, "new\n"))
		if code != "stale" || !strings.Contains(err.Error(), ": at lines 1 to 2 there is now:\n     1\t2\n") {
			t.Errorf("%s, %v", code, err)
		}
	}
}

// What has changed since the file was read is shown in the encodings that the file had and has.
func TestARefusalShowsAFileWhoseEncodingHasChanged(t *testing.T) {
	const bom = "\ufeff"
	for _, tt := range []struct{ was, is, change string }{
		{"", wide("1\n"), "@@ -0,0 +1 @@\n+1\n"},
		{"", bom + "1\n", "@@ -0,0 +1 @@\n+1\n"},
		{"1\n", wide("1\n2\n"), "@@ -1 +1,2 @@\n 1\n+2\n"},
		{wide("1\n"), "1\n2\n", "@@ -1 +1,2 @@\n 1\n+2\n"},
	} {
		m := atomicedit.NewMem(map[string]string{"f": tt.was})
		s := atomicedit.NewSession(m)
		viewThenChange(t, s, m, 0, 0, tt.is)
		if code, err := run(t, s, accepttest.Remove("f")); code != "stale" || !strings.Contains(err.Error(), tt.change) {
			t.Errorf("%q to %q: %s, %v", tt.was, tt.is, code, err)
		}
	}
}

// The lines in the middle of a long piece, which a refusal does not show, are not read.
func TestLinesThatARefusalLeavesOutAreNotRead(t *testing.T) {
	m := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n"})
	s := atomicedit.NewSession(m)
	h := &atomicedit.Host{Store: s}
	viewThenChange(t, s, m, 0, 0, "0\n1\ntheirs 1\ntheirs 2\ntheirs 3\ntheirs 4\n2\n3\n")
	edit := atomicedit.Plan{Ops: []atomicedit.Op{byNumber("f", 1, 2, "one\n")}}
	if a, err := h.Do(t.Context(), edit); err == nil || !strings.Contains(a.Text, "     …\n") {
		t.Fatal(a.Text)
	}
	if _, err := s.View(t.Context(), "f", 1, 2); err != nil {
		t.Fatal(err)
	}
	for _, op := range []atomicedit.Op{accepttest.Over(accepttest.Create("f", "mine\n")), accepttest.Remove("f")} {
		if code, err := run(t, s, op); code != "unread" || !strings.Contains(err.Error(), "not yet read: lines 4-5)") {
			t.Errorf("%s %v: %q", code, err, m.Files())
		}
	}
}

// The lines that a refusal shows beside an old text that is not there are read, and their numbers are those of now.
func TestLinesThatAreCloseToAnOldTextAreRead(t *testing.T) {
	const file = "one()\ntwo()\nthree()\nfour()\n"
	miss := accepttest.Edits("f", "two()\nthree(3)\nfour()\n", "x\n")
	for name, tt := range map[string]struct {
		last int
		is   string
		op   atomicedit.Op
		want string
	}{
		"lines that were not read": {1, file, byNumber("f", 3, 3, "3\n"), ""},
		"below the last line that was read, in a file that others have changed": {4, "zero()\n" + file,
			byNumber("f", 5, 0, "new\n"), "stale"},
		"lines that others have moved": {4, "zero()\n" + file, byNumber("f", 3, 3, "3\n"), "stale"},
	} {
		t.Run(name, func(t *testing.T) {
			m := atomicedit.NewMem(map[string]string{"f": file})
			s := atomicedit.NewSession(m)
			h := &atomicedit.Host{Store: s}
			accepttest.Must(s.View(t.Context(), "f", 1, tt.last))
			if tt.is != file {
				accepttest.Must(run(t, m, accepttest.Over(accepttest.Create("f", tt.is))))
			}
			if a, err := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{miss}}); err == nil {
				t.Fatal(a.Text)
			}
			if code, err := run(t, s, tt.op); (code == "") != (tt.want == "") {
				t.Errorf("%s %v: %q", code, err, m.Files())
			}
		})
	}
}

// A refusal has room for a few pieces of a file. Lines that it shows no more are not read.
func TestLinesThatARefusalHasNoRoomForAreNotRead(t *testing.T) {
	line := strings.Repeat("x", 90)
	s := accepttest.SessionOf(map[string]string{"f": strings.Repeat(line+"\n", 80)}, "f", 1, 1)
	h := &atomicedit.Host{Store: s}
	var edits []atomicedit.Edit
	for first := 2; first < 80; first += 20 {
		edits = append(edits, atomicedit.Edit{First: first, Last: first + 15, New: "y\n", WholeLines: true})
	}
	a, _ := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", edits...)}})
	_, lines, _ := s.Seen("f")
	for _, r := range lines {
		if r[0] > 1 && !strings.Contains(a.Text, fmt.Sprintf("%d\t%s\n", r[1], line)) {
			t.Errorf("lines %d to %d count as read:\n%s", r[0], r[1], a.Text)
		}
	}
	if len(lines) < 2 {
		t.Errorf("read: %v", lines)
	}
}

// Whoever takes text out of a line has read the rest, whatever it is.
func TestALineThatHasLostTextIsKnown(t *testing.T) {
	for _, op := range []atomicedit.Op{
		byNumber("f", 2, 2, "x\n"), accepttest.Over(accepttest.Create("f", "x\n")), accepttest.Remove("f"),
	} {
		s := accepttest.SessionOf(map[string]string{"f": "1\nfoo(a, b)\n3\n"}, "f", 0, 0)
		if _, err := run(t, s, accepttest.Edits("f", ", b", "")); err != nil {
			t.Fatal(err)
		}
		if code, err := run(t, s, op); err != nil {
			t.Errorf("%v: %s %v", op.Kind, code, err)
		}
	}
}

// A refusal shows no lines below the end of the file.
func TestLinesThatAreNoLongerThereAreNotShown(t *testing.T) {
	m := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n4\n"})
	s := atomicedit.NewSession(m)
	viewThenChange(t, s, m, 1, 1, "3\n4\n")
	if code, err := run(t, s, byNumber("f", 3, 3, "new\n")); code != "stale" || strings.Contains(err.Error(), "\t") {
		t.Errorf("%s, %v", code, err)
	}
}

// Whoever appends to a file whose last line has no newline does not know that line.
func TestAnAppendDoesNotReadTheLastLine(t *testing.T) {
	m := atomicedit.NewMem(map[string]string{"f": "1\n2"})
	s := atomicedit.NewSession(m)
	viewThenChange(t, s, m, 0, 0, "1\ntheirs")
	if code, err := run(t, s, byNumber("f", 3, 0, "3\n")); err != nil {
		t.Fatal(code, err)
	}
	if code, err := run(t, s, accepttest.Over(accepttest.Create("f", "mine\n"))); code != "unread" {
		t.Errorf("%s %v: %q", code, err, m.Files())
	}
}

// viewThenChange shows a session the given lines of the file f, which then becomes another text behind its back.
func viewThenChange(t *testing.T, s *atomicedit.Session, m *atomicedit.Mem, first, last int, after string) {
	t.Helper()
	if _, err := s.View(t.Context(), "f", first, last); err != nil {
		t.Fatal(err)
	}
	if err := m.Commit(t.Context(), []atomicedit.Change{changeTo(t, m, "f", after)}); err != nil {
		t.Fatal(err)
	}
}

// changeTo returns the change of a file to a text.
func changeTo(t *testing.T, m *atomicedit.Mem, path, text string) atomicedit.Change {
	before, err := m.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return atomicedit.Change{Path: path, Before: before, After: &atomicedit.File{Data: []byte(text)}}
}

// A directory that is gone is no fault of the request.
func TestARootThatIsGone(t *testing.T) {
	dir := t.TempDir() + "/root"
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	h := &atomicedit.Host{Store: accepttest.OpenDir(t, dir)}
	if err := os.RemoveAll(dir); err != nil {
		t.Skip("a directory that is open cannot be removed on this system:", err)
	}
	for _, path := range []string{"f", "d/f"} {
		a, err := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create(path, "x\n")}})
		if a.Status != "failed" {
			t.Errorf("%s: %v", a.Text, err)
		}
	}
}
