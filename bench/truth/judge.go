package main

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A verdict says what became of a case.
type verdict struct {
	kind  string // right, refused, stale if it was refused because its text has changed, undecidable or wrong
	why   string
	given string // the result
	notes []atomicedit.Note
}

// try carries out the request of a case, and then once more.
func (c *testCase) try() verdict {
	src := c.src()
	edits := c.edits()
	res, err := atomicedit.Apply([]byte(src), edits, nil)
	var refusal *atomicedit.Refusal
	switch {
	case errors.As(err, &refusal) && c.has("stale"):
		return verdict{kind: "stale"}
	case errors.As(err, &refusal):
		return verdict{kind: "refused", why: cause(refusal)}
	case err != nil:
		return verdict{kind: "wrong", why: err.Error()}
	}
	v := verdict{given: string(res.Text), notes: res.Notes}
	v.kind, v.why = c.judge(src, v.given)
	if v.kind != "right" || c.has("stale") {
		return v
	}
	again, err := atomicedit.Apply(res.Text, edits, nil)
	switch {
	case errors.As(err, &refusal):
	case err != nil:
		v.kind, v.why = "wrong", "sent again: "+err.Error()
	case string(again.Text) != v.given && !c.removesAgain(v.given):
		v.kind, v.why, v.given = "wrong", "sent again", string(again.Text)
	}
	return v
}

// removesAgain reports whether an edit only removes lines, and the result still has these lines elsewhere.
func (c *testCase) removesAgain(given string) bool {
	have, _ := bare(lines(given))
	return slices.ContainsFunc(c.bare, func(r request) bool {
		old, _ := bare(r.old)
		new, _ := bare(r.new)
		isAdded := func(l string) bool { return !slices.Contains(old, l) }
		isGone := func(l string) bool { return !slices.Contains(have, l) }
		return !slices.ContainsFunc(new, isAdded) && !slices.ContainsFunc(removed(old, new), isGone)
	})
}

// removed returns the lines that old has more often than new.
func removed(old, new []string) (lines []string) {
	rest := slices.Clone(new)
	for _, l := range old {
		if i := slices.Index(rest, l); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

// judge compares a result with what was meant.
func (c *testCase) judge(src, given string) (kind, why string) {
	if c.matches(given, false, same) {
		if c.has("stale") {
			return "right", "nothing was stale"
		}
		return "right", ""
	}
	blanks, fold := c.has("blanks"), same
	var open []string
	if blanks {
		open = append(open, "blank lines")
	}
	if c.has("quotes") || c.has("dashes") || c.has("plain signs") {
		open, fold = append(open, "signs"), plain.Replace
	}
	if mixed.MatchString(strings.Join(lines(src), "\n")) || c.hidesDepth() {
		signs := fold
		open, fold = append(open, "indentation"), func(l string) string { return signs(strings.TrimLeft(l, " \t")) }
	}
	hasSpaces := func(l string) bool { return l != "" && edge(l) }
	if c.has("spaces in blank lines") || slices.ContainsFunc(lines(src), hasSpaces) {
		exceptBlank := fold
		open, fold = append(open, "spaces in blank lines"), func(l string) string {
			if edge(l) {
				return ""
			}
			return exceptBlank(l)
		}
	}
	switch {
	case len(open) > 0 && c.matches(given, blanks, fold):
		return "undecidable", strings.Join(open, ", ")
	case c.standsElsewhere(src):
		return "undecidable", "place"
	}
	return "wrong", "result"
}

func same(l string) string { return l }

// keepsLevels reports whether changed lines of a hunk that were meant to be at the same depth are, and deeper ones are
// deeper.
func keepsLevels(got []string, want []wantedLine) bool {
	for i, w := range want {
		for j, v := range want[:i] {
			if w.kept || v.kept || w.hunk != v.hunk || edge(w.text) || edge(v.text) {
				continue
			}
			if cmp.Compare(depth(w.text), depth(v.text)) != cmp.Compare(depth(got[i]), depth(got[j])) {
				return false
			}
		}
	}
	return true
}

// depth returns the width of the indentation of a line.
func depth(line string) int { return len(strings.ReplaceAll(indentOf(line), "\t", "    ")) }

// hidesDepth reports whether all old lines are indented as in the file, or all at one depth. Then nothing shows how the
// indentation of the new lines was damaged. If the edits are not damaged alike, one that hides it is enough.
func (c *testCase) hidesDepth() bool {
	if c.isDamagedAlike() {
		return hides(c.depths(0, len(c.hunks)))
	}
	for i := range c.hunks {
		if hides(c.depths(i, i+1)) {
			return true
		}
	}
	return false
}

// isDamagedAlike reports whether all edits are damaged in one way. Another width leaves those alone that have a line
// between the levels.
func (c *testCase) isDamagedAlike() bool {
	for i := range c.hunks {
		if file, shown := c.depths(i, i+1); c.has("other width") && len(file) > 1 && slices.Equal(file, shown) {
			return false
		}
	}
	return !c.has("each in its own way")
}

// depths returns the indentations of the old lines of some hunks, in the file and in the request.
func (c *testCase) depths(from, to int) (file, shown []string) {
	for i, h := range c.hunks[from:to] {
		file = slices.Concat(file, h.before, h.old, h.after)
		shown = append(shown, c.bare[from+i].old...)
	}
	return indents(file), indents(shown)
}

func hides(file, shown []string) bool { return len(shown) < 2 || slices.Equal(shown, file) }

// indents returns the indentations of lines that are not blank, sorted and without repetitions. An odd space in front
// of a star, as in a comment that goes on, is none.
func indents(lines []string) (indents []string) {
	for _, l := range lines {
		indent := indentOf(l)
		spaces := len(indent) - len(strings.TrimRight(indent, " "))
		if strings.HasPrefix(l[len(indent):], "*") && spaces%2 == 1 {
			indent = indent[:len(indent)-1]
		}
		if !edge(l) {
			indents = append(indents, indent)
		}
	}
	slices.Sort(indents)
	return slices.Compact(indents)
}

var mixed = regexp.MustCompile(`(?ms)^\t.*^ |^ .*^\t|^\t+ +[^ *]|^ +\t`)

// matches reports whether a result has the lines that were meant. Kept lines have to be the same with their endings;
// others may differ in what fold removes. If looseBlanks is set, blank lines do not count.
func (c *testCase) matches(given string, looseBlanks bool, fold func(string) string) bool {
	if !looseBlanks && !c.endings.mixed && !c.endings.crlf && given == c.want() {
		return true
	}
	got := strings.SplitAfter(given, "\n")
	if got[len(got)-1] == "" {
		got = got[:len(got)-1]
	}
	want, unfinished := c.wanted(), c.endings.unfinished
	if looseBlanks {
		unfinished = unfinished && !edge(want[len(want)-1].text)
		got = slices.DeleteFunc(got, edge)
		want = slices.DeleteFunc(want, func(l wantedLine) bool { return edge(l.text) })
	}
	if len(got) != len(want) || !keepsLevels(got, want) {
		return false
	}
	for i, w := range want {
		g := strings.TrimSuffix(strings.TrimSuffix(got[i], "\n"), "\r")
		ending := got[i][len(g):]
		last := i+1 == len(want) && unfinished
		switch {
		case last && ending != "", !last && ending == "", fold(g) != fold(w.text), w.kept && g != w.text:
			return false
		case !last && (w.kept || !c.endings.mixed) && ending != c.endings.of(w.text):
			return false
		}
	}
	return true
}
