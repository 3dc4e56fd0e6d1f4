package main

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A verdict says what became of a case.
type verdict struct {
	kind  string // right, refused, undecidable or wrong
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
	case string(again.Text) != v.given && !removesAgain(v.given, edits):
		v.kind, v.why, v.given = "wrong", "sent again", string(again.Text)
	}
	return v
}

// removesAgain reports whether an edit that only removes lines finds its old text, as written, in its own result.
func removesAgain(given string, edits []atomicedit.Edit) bool {
	return slices.ContainsFunc(edits, func(e atomicedit.Edit) bool {
		return !strings.Contains(e.New, e.Old) && onlyLine(given, lines(e.Old), span{0, math.MaxInt}, solid) > 0
	})
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
	switch {
	case len(open) > 0 && c.matches(given, blanks, fold):
		return "undecidable", strings.Join(open, ", ")
	case c.standsElsewhere(src):
		return "undecidable", "place"
	}
	return "wrong", "result"
}

func same(l string) string { return l }

// hidesDepth reports whether the old lines of each edit are indented as in the file, or not at all. Then nothing tells how the
// indentation of the new lines was damaged. If each edit is damaged in its own way, one is enough.
func (c *testCase) hidesDepth() bool {
	hiding := 0
	for i, h := range c.hunks {
		shown, flat := indents(c.bare[i].old)
		if file, _ := indents(slices.Concat(h.before, h.old, h.after)); flat || slices.Equal(shown, file) {
			hiding++
		}
	}
	return hiding == len(c.hunks) || hiding > 0 && c.has("each in its own way")
}

// indents returns the indentations of lines that are not blank, without repetitions, and reports whether all are empty.
func indents(lines []string) (indents []string, flat bool) {
	for _, l := range lines {
		if indent := indentOf(l); !edge(l) && !slices.Contains(indents, indent) {
			indents = append(indents, indent)
		}
	}
	slices.Sort(indents)
	return indents, len(indents) == 0 || len(indents) == 1 && indents[0] == ""
}

var mixed = regexp.MustCompile(`(?ms)^\t.*^ |^ .*^\t|^\t+ +[^ *]`)

// matches reports whether a result has the lines that were meant. Kept lines have to be the same with their endings; others may
// differ in what fold removes. If looseBlanks is set, blank lines do not count.
func (c *testCase) matches(given string, looseBlanks bool, fold func(string) string) bool {
	if !looseBlanks && !c.endings.mixed && !c.endings.crlf && given == c.want() {
		return true
	}
	got := strings.SplitAfter(given, "\n")
	if got[len(got)-1] == "" {
		got = got[:len(got)-1]
	}
	want := c.wanted()
	if looseBlanks {
		got = slices.DeleteFunc(got, edge)
		want = slices.DeleteFunc(want, func(l wantedLine) bool { return edge(l.text) })
	}
	if len(got) != len(want) {
		return false
	}
	for i, w := range want {
		g := strings.TrimSuffix(strings.TrimSuffix(got[i], "\n"), "\r")
		ending := got[i][len(g):]
		last := i+1 == len(want) && c.endings.unfinished
		switch {
		case last && ending != "", !last && ending == "", fold(g) != fold(w.text), w.kept && g != w.text:
			return false
		case !last && (w.kept || !c.endings.mixed) && ending != c.endings.of(w.text):
			return false
		}
	}
	return true
}
