package seen

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/merge"
)

func TestLines(t *testing.T) {
	lines := Of([2]int{5, 6}, [2]int{1, 2}, [2]int{3, 2}, [2]int{3, 3})
	if diff := cmp.Diff(Lines{{1, 3}, {5, 6}}, lines); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Lines{{4, 4}, {7, 9}}, lines.Without(9)); diff != "" {
		t.Error(diff)
	}
	if !lines.Has(1, 3) || lines.Has(3, 5) || !lines.Has(4, 3) || len(All.Without(100)) > 0 {
		t.Error("Has")
	}
}

// groupsOf draws groups that lead from a text of n lines to another, and where each line is afterwards: 0 if it is
// gone.
func groupsOf(t *rapid.T, n int) (groups []merge.Group, after []int) {
	shift := 0
	for i := 0; i < n; {
		if rapid.IntRange(0, 3).Draw(t, "kind") > 0 {
			i++
			after = append(after, i+shift)
			continue
		}
		gone, come := rapid.IntRange(0, min(2, n-i)).Draw(t, "gone"), rapid.IntRange(0, 2).Draw(t, "come")
		if gone+come == 0 {
			continue
		}
		groups = append(groups, merge.Group{OldFrom: i, OldTo: i + gone, NewFrom: i + shift, NewTo: i + shift + come})
		after = append(after, make([]int, gone)...)
		i, shift = i+gone, shift+come-gone
		if i < n { // groups do not touch
			i++
			after = append(after, i+shift)
		}
	}
	return groups, after
}

func TestLinesFollowAChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "lines")
		groups, after := groupsOf(t, n)
		var lines, moved, same [][2]int
		for i := 1; i <= n; i++ {
			if !rapid.Bool().Draw(t, "seen") {
				continue
			}
			lines = append(lines, [2]int{i, i})
			if at := after[i-1]; at > 0 {
				moved = append(moved, [2]int{at, at})
				if at == i {
					same = append(same, [2]int{i, i})
				}
			}
		}
		l := Of(lines...)
		if got := l.After(groups); !slices.Equal(got, Of(moved...)) {
			t.Fatalf("%v after %v: %v, want %v", l, groups, got, moved)
		}
		if got := l.Numbered(groups, nil); !slices.Equal(got, Of(same...)) {
			t.Fatalf("the numbers of %v after %v: %v, want %v", l, groups, got, same)
		}
	})
}

func TestWhatOthersWriteIsNotSeen(t *testing.T) {
	own := merge.Group{OldFrom: 1, OldTo: 2, NewFrom: 1, NewTo: 2}
	others := merge.Group{OldFrom: 3, OldTo: 4, NewFrom: 3, NewTo: 5}
	s := Sight{Version: "1"}.View(Lines{{1, 5}}, 5)
	s = s.Written("2", nil, []merge.Group{own, others}, nil, Lines{{2, 2}}, 6)
	want := Sight{Version: "2", Lines: Lines{{1, 3}, {6, 6}}, Numbers: Lines{{1, 3}}, Moved: Lines{{4, Most}},
		Earlier: Lines{{1, 5}}, Foreign: true}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	if s = s.Answer(Lines{{4, 5}}, 6); s.Foreign || len(s.Numbers.Without(6)) == 0 {
		t.Errorf("after an answer: %+v", s)
	}
	if s = s.View(Lines{{4, 6}}, 6); len(s.Numbers.Without(6)) > 0 {
		t.Errorf("after a view: %+v", s)
	}
}

func TestViewsOfSeveralVersions(t *testing.T) {
	above := merge.Group{OldFrom: 0, OldTo: 0, NewFrom: 0, NewTo: 1}
	s := Sight{Version: "1", Text: []byte("1")}.View(Lines{{1, 5}}, 5)
	s = s.Written("2", []byte("2"), []merge.Group{above}, nil, Lines{{1, 1}}, 6).View(Lines{{2, 3}}, 6)
	s = s.Written("3", []byte("3"), []merge.Group{above}, nil, Lines{{1, 1}}, 7)
	want := []View{{[]byte("1"), Lines{{1, 1}, {4, 5}}}, {[]byte("2"), Lines{{2, 3}}}}
	if diff := cmp.Diff(want, s.Views); diff != "" {
		t.Error(diff)
	}
	if v, has := s.ViewOf(2, 3); !has || string(v.Text) != "2" {
		t.Errorf("%v %v", v, has)
	}
	if v, has := s.ViewOf(3, 4); has || string(v.Text) != "2" {
		t.Errorf("of no view: %v %v", v, has)
	}
	if s = s.View(Lines{{2, 7}}, 7); len(s.Views) != 1 {
		t.Errorf("after a look at all but the first line: %v", s.Views)
	}
}
