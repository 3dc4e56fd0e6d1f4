package omission

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// samplesOf reports which new lines are in a code sample of a Markdown text, where a placeholder is part of the text
// (PLACING E3). None is if it is unknown whether the place is in a fence, or if the new lines have fewer lines of
// samples than the old ones: then a placeholder may stand for some of those. A fence that the new lines open counts
// only in a text that is Markdown, and not around all of the new lines: a model may have put that there on its own.
func samplesOf(lines, old []string, t text.Text) []bool {
	var file []string
	for at := 0; at < len(t.Data); {
		l := t.LineAt(at)
		file, at = append(file, string(t.Bytes(l))), l.Next
	}
	around, known := fenceAt(file, old)
	had, below := around.samples(old)
	has, end := around.samples(lines)
	switch {
	case !known || end != below || countTrue(has) < countTrue(had):
	case around == "" && (!isMarkdown(file) || isFenced(lines) && !isFenced(old)):
	default:
		return has
	}
	return make([]bool, len(lines))
}

// A fence is the marks of the code fence that is open, "" if none is.
type fence string

// below returns the fence that is open below a line.
func (f fence) below(l string) fence {
	_, l, _ = text.Parts(l)
	if !text.IsFence(l) {
		return f
	}
	info := strings.TrimLeft(l, l[:1])
	marks := l[:len(l)-len(info)]
	switch {
	case f == "" && !strings.Contains(info, "`"):
		return fence(marks)
	case f != "" && info == "" && strings.HasPrefix(marks, string(f)):
		return ""
	}
	return f
}

// samples reports which lines are in a fence and not blank, and returns the fence that is open below them.
func (f fence) samples(lines []string) ([]bool, fence) {
	all := make([]bool, len(lines))
	for i, l := range lines {
		above := f
		f = f.below(l)
		all[i] = above != "" && f != "" && !text.IsBlank(l)
	}
	return all, f
}

// fenceAt returns the fence that is open at every place where the file may have the old lines. It reports false if
// there is none, or if a fence stays open to the end of the file.
func fenceAt(file, old []string) (fence, bool) {
	for len(old) > 0 && text.IsBlank(old[0]) {
		old = old[1:]
	}
	for _, n := range []int{8, 1} { // the first lines tell one place from others, if the file has them
		var open fence
		var found []fence
		for i, l := range file {
			if begins(file[i:], old[:min(n, len(old))]) {
				found = append(found, open)
			}
			open = open.below(l)
		}
		if found = slices.Compact(found); len(found) == 1 && open == "" {
			return found[0], true
		}
	}
	return "", false
}

// begins reports whether lines begin with all of old, of which the first and the last may be parts of lines.
func begins(lines, old []string) bool {
	for i, l := range old {
		if i == len(lines) || !strings.Contains(lines[i], strings.Trim(l, text.Space)) {
			return false
		}
	}
	return true
}

// isMarkdown reports whether a file has a code fence or a heading, apart from a single "#" that is not at the top.
func isMarkdown(file []string) bool {
	for i, l := range file {
		level := outline.HeadingLevel([]byte(l))
		if text.IsFence(l) || (level > 1 || level == 1 && i == 0) && (i+1 == len(file) || text.IsBlank(file[i+1])) {
			return true
		}
	}
	return false
}

// isFenced reports whether the first and the last line of a text are fences.
func isFenced(lines []string) bool {
	first, last := outline.Neighbour(lines, -1, 1), outline.Neighbour(lines, len(lines), -1)
	return first >= 0 && text.IsFence(lines[first]) && text.IsFence(lines[last])
}

func countTrue(all []bool) (n int) {
	for _, is := range all {
		if is {
			n++
		}
	}
	return n
}
