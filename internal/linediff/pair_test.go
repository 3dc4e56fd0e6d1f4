package linediff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"pgregory.net/rapid"
)

func TestAppendGroups(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"nothing", "", "", "[]"},
		{"equal", "a|b", "a|b", "[]"},
		{"everything", "a|b", "c", "[{0 2 0 1}]"},
		{"a line in the middle", "a|b|c", "a|x|c", "[{1 2 1 2}]"},
		{"an added line", "a|c", "a|b|c", "[{1 1 1 2}]"},
		{"a removed line", "a|b|c", "a|c", "[{1 2 1 1}]"},
		{"two groups", "a|b|c|d", "x|b|c|y", "[{0 1 0 1} {3 4 3 4}]"},
		{"trailing blank lines before the common prefix", "a|", "a||b|", "[{1 1 1 3}]"},
		{"a line with text counts more than a blank one", "q|x||r", "s||x|t", "[{0 1 0 2} {2 4 3 4}]"},
		{"an old line is skipped before a new one", "b|a|a|c", "d|a|e", "[{0 2 0 1} {3 4 2 3}]"},
		{"the earliest of equal lines", "b|a|a|c", "b|a|e", "[{2 4 2 3}]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fmt.Sprint(linediff.AppendGroups(nil, linesIn(test.old), linesIn(test.new))); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestGroupsOf(t *testing.T) {
	for _, test := range []struct{ name, hunk, old, new, want string }{
		{"as the patch has it", "-+-+", "a|b", "b|c", "[{0 2 0 2}] true"},
		{"kept lines end a group", "- -+", "a|b|c", "b|d", "[{0 1 0 0} {2 3 1 2}] true"},
		{"a mark for a missing newline", "-\\+\\", "a", "b", "[{0 1 0 1}] true"},
		{"no hunk", "", "", "", "[] false"},
		{"too few columns", "-", "a|b", "", "[{0 1 0 0}] false"},
		{"too many columns", "--", "a", "", "[] false"},
		{"a kept line that differs", " ", "a", "b", "[] false"},
	} {
		t.Run(test.name, func(t *testing.T) {
			groups, ok := linediff.GroupsOf(test.hunk, linesIn(test.old), linesIn(test.new))
			if got := fmt.Sprint(groups, ok); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// Between the groups the two texts are equal, line by line, whichever way they are paired.
func TestGroupsLeaveEqualLines(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"", " ", "a", "b", "c", "}"}), 0, 30)
	rapid.Check(t, func(t *rapid.T) {
		old, new := lines.Draw(t, "old"), lines.Draw(t, "new")
		groups := linediff.AppendGroups(nil, old, new)
		i, j := 0, 0
		for _, g := range append(groups,
			linediff.Group{OldFrom: len(old), OldTo: len(old), NewFrom: len(new), NewTo: len(new)}) {
			if !slices.Equal(old[i:g.OldFrom], new[j:g.NewFrom]) {
				t.Fatalf("%q and %q: lines before %v differ", old, new, g)
			}
			i, j = g.OldTo, g.NewTo
		}
		again, ok := linediff.GroupsOf(hunkOf(old, groups), old, new)
		if len(old)+len(new) > 0 && (!ok || !slices.Equal(again, groups)) {
			t.Fatalf("%q and %q: %v, but as a hunk %v, %v", old, new, groups, again, ok)
		}
	})
}

// hunkOf returns the first columns of a patch that pairs old lines so.
func hunkOf(old []string, groups []linediff.Group) string {
	var b strings.Builder
	kept := 0
	for _, g := range groups {
		b.WriteString(strings.Repeat(" ", g.OldFrom-kept) + strings.Repeat("-", g.OldTo-g.OldFrom) + strings.Repeat("+",
			g.NewTo-g.NewFrom))
		kept = g.OldTo
	}
	return b.String() + strings.Repeat(" ", len(old)-kept)
}

func TestSubsequenceOfLongLists(t *testing.T) {
	var a, b []string
	for i := range 3_000 {
		a = append(a, fmt.Sprint(i))
		if i%3 > 0 {
			b = append(b, fmt.Sprint(i))
		}
	}
	if n := len(linediff.Subsequence(a, b)); n != len(b) {
		t.Errorf("%d lines of %d paired, where each is there once", n, len(b))
	}
	if steps := linediff.Subsequence(slices.Repeat([]string{"x"}, 3_000),
		slices.Repeat([]string{"x"}, 3_001)); len(steps) > 0 {
		t.Errorf("%d lines paired, where none is there once", len(steps))
	}
}

func linesIn(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

func TestLikeness(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"x = 1", "x = 1", 1}, {"x = 1", "  x = 2 ", 2. / 3}, {"a b", "c d", 0}, {"", "", 0}, {`s := ","`, `"t"`, 0},
		{"})", "}", 2. / 3}, {"say(“x”)", `say("x")`, 1}} {
		if got := linediff.Likeness(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
