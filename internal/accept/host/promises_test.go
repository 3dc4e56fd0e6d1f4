package host_test

import (
	"context"
	"errors"
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

func TestAZeroSessionAllowsNothing(t *testing.T) {
	var s atomicedit.Session
	if err := s.Check(context.Background(), []atomicedit.Change{{Path: "a", After: &atomicedit.File{}}}); err == nil {
		t.Error("no error")
	}
}
