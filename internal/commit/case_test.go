package commit

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// On a file system that ignores case, a move can change the case of a name, and can be rolled back.
func TestAMoveCanChangeTheCaseOfAName(t *testing.T) {
	for seed, text := range []string{"the text", "another text"} {
		s := scene{fold: true, old: map[string]string{"a/Readme": "the text", "b": "b"},
			new: map[string]string{"a/README": text, "b": "c"}}
		s.changes = []Change{
			{Path: "a/README", From: "a/Readme", After: &File{Data: []byte(text)}},
			{Path: "a/Readme", Before: &File{Data: []byte("the text")}},
			{Path: "b", Before: &File{Data: []byte("b")}, After: &File{Data: []byte("c")}},
		}
		identity := func(d disk.Disk, _ scene) disk.Disk { return d }
		for _, flavour := range disktest.Flavours {
			for k := 0; faultAt(t, s, uint64(seed), k, flavour, identity); k++ {
			}
		}
		for k, first := 0, true; first; k++ {
			step := stride(5)
			for k2, second := k%step, true; second; k2 += step {
				first, second = killTwice(t, s, uint64(seed), k, k2, identity)
			}
		}
		mem := s.disk()
		if err := commitOn(mem, Options{}, s.changes); err != nil {
			t.Fatal(err)
		}
		if err := commitOn(mem, Options{}, inverse(s.changes)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.old, mem.Files()); diff != "" {
			t.Errorf("after undo: %s", diff)
		}
	}
}

func TestTwoSpellingsOfOneFileAreNotTwoFiles(t *testing.T) {
	s := scene{fold: true, old: map[string]string{"a/Readme": "text"}}
	mem := s.disk()
	before := &File{Data: []byte("text")}
	err := commitOn(mem, Options{}, []Change{
		{Path: "a/README", Before: before, After: &File{Data: []byte("new")}}, {Path: "a/Readme", Before: before},
	})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error %v", err)
	}
	err = commitOn(mem, Options{}, []Change{
		{Path: "A/Readme", Before: before, After: &File{Data: []byte("new")}}, {Path: "a/Readme", Before: before},
	})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("by two spellings of its directory: error %v", err)
	}
	if diff := cmp.Diff(s.old, mem.Files()); diff != "" {
		t.Error(diff)
	}
}
