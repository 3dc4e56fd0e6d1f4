package omission

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Placeholder returns a line of new text that stands for text left out, or the comment behind its code that does,
// trimmed; or "". Old is what the new text replaces in a file. What either of them has is no placeholder (PLACING E3).
func Placeholder(old, new string, file text.Text) string {
	lines, gone := text.Split(new), text.Split(old)
	shorter := text.CountSolid(lines) < text.CountSolid(gone)
	had := map[string]bool{}
	for _, l := range gone {
		if how, body, _ := inLine(l); how != None {
			had[body] = true
		}
	}
	inDocstring := sync.OnceValue(func() []bool { return newDocstrings(lines, old) })
	inSample := sync.OnceValue(func() []bool { return samplesOf(lines, old, file) })
	for i, l := range lines {
		how, body, behind := inLine(l)
		isSure := how == Hint && isForOthers(lines, gone, i)
		switch {
		case how == None || how == Hint && !shorter && !isSure || had[body]:
		case behind && bytes.Contains(file.Data, []byte(body)):
		case !behind && (!isSure && inComment(lines, i) || hasLine(file, body)):
		case how == Remark && !shorter && (isPlainComment(lines, i-1) || isPlainComment(lines, i+1)): // it goes on
		case how == Remark && !shorter && rewords(gone, lines, l):
		case body == "..." && (isBody(lines, i) || replacesStub(lines, gone, i) || inDocstring()[i] ||
			inDoctest(lines, i) || endsDocument(lines, i, old, file)):
		case inSample()[i]:
		default:
			return body
		}
	}
	return ""
}

// Differing returns the lines of two texts without the first and the last ones that they share.
func Differing(old, new string) (was, is string) {
	head, tail := text.CommonEnds(old, new)
	from := strings.LastIndexByte(new[:head], '\n') + 1
	if i := strings.IndexByte(new[len(new)-tail:], '\n'); i >= 0 {
		tail -= i + 1
	} else {
		tail = 0
	}
	return old[from : len(old)-tail], new[from : len(new)-tail]
}

// Any reports whether any line of a text may stand for text left out.
func Any(s string) bool {
	for l := range strings.Lines(s) {
		if how, _, _ := inLine(strings.TrimRight(l, "\r\n")); how != None {
			return true
		}
	}
	return false
}

// inLine returns the omission in a line, and the text that makes it one: its body, or the comment behind its code.
func inLine(l string) (how Kind, body string, behind bool) {
	_, body, _ = text.Parts(l)
	if how = In(l); how == None {
		if comment := Behind(l); comment != "" {
			return Words, comment, true
		}
	}
	return how, body, false
}

// hasLine reports whether t has a line with that body, and nothing else.
func hasLine(t text.Text, body string) bool {
	for at := 0; ; {
		i := bytes.Index(t.Data[at:], []byte(body))
		if i < 0 {
			return false
		}
		l := t.LineAt(t.LineStart(at + i))
		if strings.Trim(string(t.Bytes(l)), text.Space) == body {
			return true
		}
		at = l.Next
	}
}

// inComment reports whether the i-th line goes on with a comment: between two others, or below one that ends in dots. A
// line that has dots and words for text left out goes on with nothing.
func inComment(lines []string, i int) bool {
	how := In(lines[i])
	if how == Words && HasDots(lines[i]) || !isPlainComment(lines, i-1) {
		return false
	}
	_, above, _ := text.Parts(lines[i-1])
	above, _, _ = outline.Comment(above)
	return isPlainComment(lines, i+1) || how <= Remark && outline.IsComment(lines[i]) && EndsInDots(above)
}

// isForOthers reports whether the lines beside the i-th new one are old lines with others than comments between them,
// or the i-th is the last one, and the old text ends with another than a comment, which the new text does not have.
func isForOthers(lines, old []string, i int) bool {
	isCode := func(l string) bool {
		_, _, only := outline.Comment(text.Unindented(l))
		return !only && !text.IsBlank(l)
	}
	if last := outline.Neighbour(old, len(old), -1); i > 0 && outline.Neighbour(lines, i, 1) < 0 {
		return last >= 0 && isCode(old[last]) && !slices.Contains(lines, old[last])
	}
	if i == 0 || i+1 == len(lines) {
		return false
	}
	above, below := slices.Index(old, lines[i-1]), slices.Index(old, lines[i+1])
	return 0 <= above && above < below && slices.ContainsFunc(old[above+1:below], isCode)
}

// isPlainComment reports whether there is an i-th line, and it is a comment that stands for no other text.
func isPlainComment(lines []string, i int) bool {
	return 0 <= i && i < len(lines) && outline.IsComment(lines[i]) && In(lines[i]) == None
}

// rewords reports whether a comment among new lines says in other words what an old one says, and only comments change.
func rewords(old, new []string, comment string) bool {
	const half = 0.5
	isSo := func(l string) bool { return outline.IsComment(l) && linediff.Likeness(l, comment) >= half }
	isNoCode := func(l string) bool { return text.IsBlank(l) || outline.IsComment(l) }
	code := func(lines []string) []string { return slices.DeleteFunc(slices.Clone(lines), isNoCode) }
	return slices.ContainsFunc(old, isSo) && slices.Equal(code(old), code(new))
}

// isBody reports whether the i-th line, a bare "...", is the whole body that a line above it opens, apart from a
// docstring. If it is no deeper than that line, the end of the body is unknown, and isBody takes it to be all of it.
func isBody(lines []string, i int) bool {
	up := outline.Neighbour(lines, i, -1)
	if up >= 0 {
		if doc := outline.Docstring(lines, up); doc >= 0 {
			up = outline.Neighbour(lines, doc, -1)
		}
	}
	if up < 0 || !outline.Opens(lines[up]) {
		return false
	}
	depth := func(i int) int { return outline.Depth(lines[i]) }
	down := outline.Neighbour(lines, i, 1)
	return down < 0 || depth(down) < depth(i) || depth(i) <= depth(up)
}

// replacesStub reports whether all that an edit changes is the i-th line, in place of a Python stub.
func replacesStub(lines, old []string, i int) bool {
	if len(lines) != len(old) || !slices.Equal(lines[:i], old[:i]) || !slices.Equal(lines[i+1:], old[i+1:]) {
		return false
	}
	_, was, _ := text.Parts(old[i])
	statement, what, _ := strings.Cut(was, " ")
	return was == "pass" || statement == "raise" && strings.HasPrefix(what, "NotImplementedError")
}

// newDocstrings returns which lines are in a docstring of the new lines, which is left out of none in the old text.
func newDocstrings(lines []string, old string) []bool {
	in := make([]bool, len(lines))
	for _, quotes := range []string{`"""`, "'''"} {
		if strings.Contains(old, quotes) {
			continue
		}
		above, all := 0, strings.Count(strings.Join(lines, "\n"), quotes)
		for i, l := range lines {
			here := strings.Count(l, quotes)
			in[i] = in[i] || above%2 == 1 && (all-above-here)%2 == 1
			above += here
		}
	}
	return in
}

// inDoctest reports whether the i-th line, a bare "...", continues a Python prompt. A spread has no space after dots.
func inDoctest(lines []string, i int) bool {
	if i == 0 {
		return false
	}
	indent, body, _ := text.Parts(lines[i-1])
	return strings.HasPrefix(lines[i], indent+"...") &&
		(strings.HasPrefix(body, ">>>") || strings.HasPrefix(body, "... ") || body == "...")
}

// endsDocument reports whether the i-th line, a bare "...", marks the end of a YAML document: another document follows,
// or the line above is the last of the file and stays, so that there is nothing to leave out.
func endsDocument(lines []string, i int, old string, t text.Text) bool {
	if lines[i][0] != '.' {
		return false
	}
	if i+1 < len(lines) && (lines[i+1] == "---" || strings.HasPrefix(lines[i+1], "--- ")) {
		return true
	}
	up, last := outline.Neighbour(lines, i, -1), strings.TrimRight(old, text.Space+"\n")
	return up >= 0 && last != "" && outline.Neighbour(lines, i, 1) < 0 &&
		lines[up] == last[strings.LastIndexByte(last, '\n')+1:] &&
		bytes.HasSuffix(bytes.TrimRight(t.Data, text.Space+"\n"), []byte(last))
}

// samplesOf reports which new lines are in a code sample of a Markdown text, where a placeholder is part of the text
// (PLACING E3). None is if the file does not have the old text once, so that nobody knows whether that is in a fence,
// or if the new lines have fewer lines of samples than the old ones: then a placeholder may stand for some of those. A
// fence that the new lines open counts only in a text that is Markdown, and not around all of the new lines: a model
// may have put that there on its own.
func samplesOf(lines []string, old string, t text.Text) []bool {
	file := string(t.Unix())
	head, tail, found := strings.Cut(file, old)
	gone := text.Split(old)
	_, _, around := samplesIn("", text.Split(head))
	_, had, below := samplesIn(around, gone)
	_, behind, last := samplesIn(below, text.Split(tail))
	all, has, end := samplesIn(around, lines)
	isOnce := found && !strings.Contains(tail, old) || old == "" && behind == 0
	if isOnce && last == "" && end == below && has >= had &&
		(around != "" || isMarkdown(text.Split(file)) && (!isFenced(lines) || isFenced(gone))) {
		return all
	}
	return make([]bool, len(lines))
}

// samplesIn reports which lines are in a fence and not blank, and returns their number and the fence that is open below.
func samplesIn(f text.Fence, lines []string) (all []bool, n int, below text.Fence) {
	all = make([]bool, len(lines))
	for i, l := range lines {
		above := f
		f = f.Below(l)
		if all[i] = above != "" && f != "" && !text.IsBlank(l); all[i] {
			n++
		}
	}
	return all, n, f
}

// isMarkdown reports whether a file has a code fence or a heading: a line of "=" or "-" as long as the one above, or
// signs of "#", but not a single one below the top.
func isMarkdown(file []string) bool {
	for i, l := range file {
		level := outline.HeadingLevel([]byte(l))
		isUnder := i > 0 && len(l) > 2 && len(l) == len(file[i-1]) && strings.IndexByte("=-", l[0]) >= 0 &&
			strings.Trim(l, l[:1]) == ""
		if text.IsFence(l) || isUnder ||
			(level > 1 || level == 1 && i == 0) && (i+1 == len(file) || text.IsBlank(file[i+1])) {
			return true
		}
	}
	return false
}

func isFenced(lines []string) bool {
	first, last := outline.Neighbour(lines, -1, 1), outline.Neighbour(lines, len(lines), -1)
	return first >= 0 && text.IsFence(lines[first]) && text.IsFence(lines[last])
}
