package text_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/text"
)

// drawSplices draws sorted splices of a text that do not overlap. Those of one edit do not touch.
func drawSplices(t *rapid.T, size, edit int) (all []text.Splice) {
	cuts := rapid.SliceOfNDistinct(rapid.IntRange(0, size), 0, 6, rapid.ID[int]).Draw(t, "cuts")
	slices.Sort(cuts)
	for ; len(cuts) > 1; cuts = cuts[2:] {
		all = append(all, text.Splice{
			Start: cuts[0], End: cuts[1], New: rapid.SampledFrom([]string{"", "x", "yy\n", "\n", "zzz"}).Draw(t, "new"),
			Origin: text.Origin{Edit: edit, Fit: rapid.SampledFrom([]int{1, 3}).Draw(t, "fit")},
		})
	}
	return all
}

// checkLead checks that matches lead from src to data.
func checkLead(t *rapid.T, src, data []byte, matches []text.Match) {
	var rebuilt []byte
	at := 0
	for i, m := range matches {
		if m.Old.Start < at || m.Old.End < m.Old.Start || m.Old.End > len(src) {
			t.Fatalf("match %d is out of order: %+v", i, matches)
		}
		rebuilt = append(rebuilt, src[at:m.Old.Start]...)
		if len(rebuilt) != m.New.Start || m.New.End < m.New.Start || m.New.End > len(data) {
			t.Fatalf("match %d does not lie at %d: %+v", i, len(rebuilt), m)
		}
		rebuilt = append(rebuilt, data[m.New.Start:m.New.End]...)
		at = m.Old.End
	}
	if rebuilt = append(rebuilt, src[at:]...); !bytes.Equal(rebuilt, data) {
		t.Fatalf("the matches %+v lead from %q to %q, not %q", matches, src, rebuilt, data)
	}
}

func TestCarryOutIsDescribedByItsMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.StringMatching(`[ab\n]{0,20}`).Draw(t, "src"))
		kept := bytes.Clone(src)
		data, matches := text.ApplySplices(nil, src, drawSplices(t, len(src), 0))
		if !bytes.Equal(src, kept) {
			t.Fatal("the source was changed")
		}
		checkLead(t, src, data, matches)
	})
}

func TestComposeLeadsWhereBothListsLead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.StringMatching(`[ab\n]{0,20}`).Draw(t, "src"))
		between, first := text.ApplySplices(nil, src, drawSplices(t, len(src), 1))
		data, second := text.ApplySplices(nil, between, drawSplices(t, len(between), 2))
		composed := text.Compose(slices.Clone(first), slices.Clone(second))
		checkLead(t, src, data, composed)
		covered, merged := 0, 0
		for _, m := range composed {
			covered += m.Old.End - m.Old.Start
			if m.Fit != 1 && m.Fit != 3 || m.Edit != 1 && m.Edit != 2 {
				t.Fatalf("%+v of %+v and %+v", m, first, second)
			}
		}
		for _, m := range slices.Concat(first, second) {
			merged += m.Old.End - m.Old.Start
		}
		if covered > merged {
			t.Fatalf("%d bytes are covered, but only %d were replaced", covered, merged)
		}
	})
}

func TestExtendIsComposeWithOneMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.StringMatching(`[ab\n]{0,30}`).Draw(t, "src"))
		between, first := text.ApplySplices(nil, src, drawSplices(t, len(src), 1))
		_, second := text.ApplySplices(nil, between, drawSplices(t, len(between), 2))
		for _, m := range second {
			m.New.Start, m.New.End = m.Old.Start, m.Old.Start+m.New.End-m.New.Start // it is the only one
			want := text.Compose(slices.Clone(first), []text.Match{m})
			if diff := cmp.Diff(want, text.Extend(slices.Clone(first), m)); diff != "" {
				t.Fatalf("%+v with %+v (-composed +extended):\n%s", first, m, diff)
			}
		}
	})
}

func TestMatchesThatMeetBecomeOne(t *testing.T) {
	at := func(edit, oldStart, oldEnd, newStart, newEnd int) text.Match {
		return text.Match{Origin: text.Origin{Edit: edit, Fit: 1}, Old: text.Piece{Start: oldStart, End: oldEnd},
			New: text.Piece{Start: newStart, End: newEnd}}
	}
	for _, c := range []struct {
		name                string
		first, second, want []text.Match
	}{
		{"apart", []text.Match{at(0, 0, 1, 0, 3)}, []text.Match{at(1, 5, 6, 5, 6)},
			[]text.Match{at(0, 0, 1, 0, 3), at(1, 3, 4, 5, 6)}},
		{"the second first", []text.Match{at(0, 4, 5, 4, 5)}, []text.Match{at(1, 0, 1, 0, 3)},
			[]text.Match{at(1, 0, 1, 0, 3), at(0, 4, 5, 6, 7)}},
		{"within what the first wrote", []text.Match{at(0, 2, 3, 2, 8)}, []text.Match{at(1, 4, 5, 4, 5)},
			[]text.Match{at(1, 2, 3, 2, 8)}},
		{"around what the first wrote", []text.Match{at(0, 2, 3, 2, 8)}, []text.Match{at(1, 0, 9, 0, 1)},
			[]text.Match{at(1, 0, 4, 0, 1)}},
		{"touching", []text.Match{at(0, 0, 2, 0, 2)}, []text.Match{at(1, 2, 4, 2, 4)}, []text.Match{at(1, 0, 4, 0, 4)}},
		{"touching, of one list", []text.Match{at(0, 0, 2, 0, 2), at(1, 2, 4, 2, 4)}, []text.Match{at(2, 8, 9, 8, 9)},
			[]text.Match{at(0, 0, 2, 0, 2), at(1, 2, 4, 2, 4), at(2, 8, 9, 8, 9)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, text.Compose(c.first, c.second)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestSettleNumbersWhatChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.StringMatching(`[ab\n]{0,20}`).Draw(t, "src"))
		data, all := text.ApplySplices(nil, src, drawSplices(t, len(src), 0))
		settled := text.Settle(slices.Clone(all), src, data, text.Encoding{}, text.Encoding{})
		checkLead(t, src, data, settled)
		checkLines := func(text []byte, s text.Piece) {
			piece := string(text[s.Start:s.End])
			lines := 0
			if piece != "" {
				lines = 1 + strings.Count(strings.TrimSuffix(piece, "\n"), "\n")
			}
			if want := 1 + bytes.Count(text[:s.Start], []byte("\n")); s.Line != want || s.Lines != lines {
				t.Fatalf("%+v of %q: line %d, %d lines", s, text, want, lines)
			}
		}
		for _, m := range settled {
			if bytes.Equal(src[m.Old.Start:m.Old.End], data[m.New.Start:m.New.End]) {
				t.Fatalf("%+v changes nothing", m)
			}
			checkLines(src, m.Old)
			checkLines(data, m.New)
		}
	})
}

// The new number of a line follows from its old number alone, and agrees with its offset.
func TestFollowLine(t *testing.T) {
	src := []byte("one\ntwo\nthree\nfour\n")
	data, matches := text.ApplySplices(nil, src,
		[]text.Splice{{Start: 4, End: 8, New: "2\n2b\n"}, {Start: 14, End: 14, New: "3b\n"}})
	matches = text.Settle(matches, src, data, text.Encoding{}, text.Encoding{})
	for line, want := range map[int]int{0: 0, 1: 1, 2: 2, 3: 4, 4: 6} {
		if got := text.FollowLine(line, matches); got != want {
			t.Errorf("line %d is line %d, want %d", line, got, want)
		}
	}
	for at, want := range map[int]int{0: 0, 4: 4, 6: 4, 8: 9, 14: 18} {
		if got := text.MapOffset(at, -1, matches); got != want {
			t.Errorf("offset %d is offset %d, want %d", at, got, want)
		}
	}
}

// A byte that no match replaced is where it was before.
func TestOffsetBeforeLeadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.StringMatching(`[ab\n]{0,20}`).Draw(t, "src"))
		data, matches := text.ApplySplices(nil, src, drawSplices(t, len(src), 0))
		for at := range src {
			inMatch := slices.ContainsFunc(matches,
				func(m text.Match) bool { return m.Old.Start <= at && at < m.Old.End })
			if now := text.MapOffset(at, -1, matches); !inMatch && text.OffsetBefore(now, matches) != at {
				t.Fatalf("offset %d is offset %d of %q, which was %d", at, now, data, text.OffsetBefore(now, matches))
			}
		}
		for _, m := range matches {
			for now := m.New.Start; now < m.New.End; now++ {
				if at := text.OffsetBefore(now, matches); at != m.Old.Start {
					t.Fatalf("offset %d of %q was written at %d, not %d", now, data, m.Old.Start, at)
				}
			}
		}
	})
}

func TestMergeTouching(t *testing.T) {
	got := text.MergeTouching([]text.Splice{{Start: 4, End: 6, New: "c"}, {Start: 0, End: 2, New: "a"},
		{Start: 2, End: 3, New: "b"}})
	want := []text.Splice{{Start: 0, End: 3, New: "ab"}, {Start: 4, End: 6, New: "c"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
