package atomicedit_test

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit"
)

// textOf draws a text of few different lines, in all sorts of endings and encodings.
func textOf(t *rapid.T) string {
	line := rapid.SampledFrom([]string{"alpha()", "  beta", "\tbeta", "gamma(x)", "", "  ", "}", "return nil", "x“y”", "x\"y\"", "1 foo", "...", "# ...", "\xff\xfe", "über"})
	ending := rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "\r\n", "\r"})
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"", "", "", "\xef\xbb\xbf"}).Draw(t, "mark"))
	for range rapid.IntRange(0, 12).Draw(t, "lines") {
		b.WriteString(line.Draw(t, "line") + ending.Draw(t, "ending"))
	}
	if rapid.Bool().Draw(t, "unterminated") {
		b.WriteString(line.Draw(t, "last"))
	}
	return b.String()
}

// editOf draws an edit, whose old text is often a piece of src.
func editOf(t *rapid.T, src string) atomicedit.Edit {
	var e atomicedit.Edit
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		e.Old = textOf(t)
	case 1:
		e.First, e.Last = rapid.IntRange(1, 12).Draw(t, "first"), rapid.IntRange(0, 12).Draw(t, "last")
	case 2:
		line := rapid.IntRange(1, 6).Draw(t, "line")
		e = ranged(line, rapid.IntRange(0, 3).Draw(t, "column"), rapid.IntRange(line, 7).Draw(t, "end line"), rapid.IntRange(0, 9).Draw(t, "end column"), textOf(t))
		e.Range.Unit = rapid.SampledFrom([]string{"", "utf-8", "utf-16", "utf-32"}).Draw(t, "unit")
		return e
	default:
		from := rapid.IntRange(0, len(src)).Draw(t, "from")
		e.Old = src[from:rapid.IntRange(from, len(src)).Draw(t, "to")]
		if e.WholeLines = rapid.Bool().Draw(t, "whole"); e.WholeLines {
			all := strings.SplitAfter(src, "\n")
			from := rapid.IntRange(0, len(all)-1).Draw(t, "from line")
			e.Old = strings.Join(all[from:rapid.IntRange(from, len(all)).Draw(t, "to line")], "")
		}
	}
	e.New = textOf(t)
	if rapid.Bool().Draw(t, "alike") {
		e.New = strings.Replace(e.Old, "a", "b", 1)
	}
	e.Count = rapid.SampledFrom([]int{0, 0, 0, atomicedit.All, 2}).Draw(t, "count")
	e.AtEnd = rapid.IntRange(0, 9).Draw(t, "at end") == 0
	e.Near = rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "near")
	e.Anchors = rapid.SampledFrom([][]string{nil, nil, nil, {"alpha()"}}).Draw(t, "after")
	return e
}

// lineText draws texts in which lines repeat, some with CRLF, some without a final newline.
func lineText(t *rapid.T, name string) string {
	line := rapid.SampledFrom([]string{"\n", "}\n", "a\n", "b\n", "b\r\n", "c\n", "d\n", "e f\n", "g\n", "h\n"})
	s := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, name), "")
	if rapid.Bool().Draw(t, name+" unterminated") {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// Lines for generated edits: with markers of up to seven characters, fences, hints and blank lines.
var contentLine = rapid.SampledFrom([]string{
	"", "a", "\tb := 1", "  c", "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "```go", "+ d", "- e", "@@", "*** End Patch", "--- x", "é", "d \\",
})

func drawLines(t *rapid.T, label string, least int) string {
	return strings.Join(rapid.SliceOfN(contentLine, least, 6).Draw(t, label), "\n") + "\n"
}

// drawHunk draws lines of a hunk, of which one is a change.
func drawHunk(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 5).Draw(t, "lines") {
		b.WriteString(rapid.SampledFrom([]string{" ", "-", "+"}).Draw(t, "prefix") + contentLine.Draw(t, "line") + "\n")
	}
	return b.String() + "-" + contentLine.Draw(t, "removed") + "\n"
}
