package place

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// placeholder refuses new text with a line that stands for text left out, unless old, which new replaces, or the file has that line
// (E3).
func placeholder(old, new string, t text.Text) *Problem {
	if !hasOmission(new) {
		return nil
	}
	lines, gone := text.Split(new), text.Split(old)
	shorter := countText(lines) < countText(gone)
	had := map[string]bool{}
	for _, l := range gone {
		if _, body, _ := text.Parts(l); omission.In(l) != omission.None {
			had[body] = true
		}
	}
	var inSample []bool
	for i, l := range lines {
		how := omission.In(l)
		_, body, _ := text.Parts(l)
		switch {
		case how == omission.None || how == omission.Hint && !shorter || had[body]:
		case inComment(lines, i) || hasLine(t, body):
		case body == "..." && (isBody(lines, i) || inDoctest(lines, i) || endsDocument(lines, i, old, t)):
		default:
			if inSample == nil {
				inSample = samplesOf(lines, gone, t)
			}
			if !inSample[i] {
				return &Problem{Err: errs.ErrPlaceholder, Msg: fmt.Sprintf("the new text has the line %q, which is a placeholder for omitted code: "+
					"write the code out, or leave unchanged lines out of the edit", body)}
			}
		}
	}
	return nil
}

// hasOmission reports whether any line of a text may stand for text left out.
func hasOmission(s string) bool {
	for l := range strings.Lines(s) {
		if omission.In(strings.TrimRight(l, "\r\n")) != omission.None {
			return true
		}
	}
	return false
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

// inComment reports whether the i-th line goes on with a comment: between two others, or below one that ends in dots. A line that has
// dots and words for text left out goes on with nothing.
func inComment(lines []string, i int) bool {
	how := omission.In(lines[i])
	if how == omission.Words && omission.HasDots(lines[i]) || !isPlainComment(lines, i-1) {
		return false
	}
	return isPlainComment(lines, i+1) || how <= omission.Remark && outline.IsComment(lines[i]) && endsInDots(lines[i-1])
}

// isPlainComment reports whether there is an i-th line, and it is a comment that stands for no other text.
func isPlainComment(lines []string, i int) bool {
	return 0 <= i && i < len(lines) && outline.IsComment(lines[i]) && omission.In(lines[i]) == omission.None
}

// countText counts the lines that are not blank.
func countText(lines []string) (n int) {
	for _, l := range lines {
		if !text.IsBlank(l) {
			n++
		}
	}
	return n
}

// CheckContent refuses content that cannot be meant as a whole file: content with a placeholder (E3), or with a viewer's numbers
// in front of all lines (N2). Before is the text of the file so far, empty for a new file. CheckContent returns nil for any other
// content.
func CheckContent(content string, before []byte) *Problem {
	t := text.New(before)
	if len(before) > 0 { // a new file has nothing that could be left out
		if p := placeholder(string(before), content, t); p != nil {
			return p
		}
	}
	if first, _, _ := strings.Cut(content, "\n"); text.IsBlank(first) || !text.LooksNumbered(first) {
		return nil
	}
	lines := text.Split(content)
	n, ok := text.NumberingOf(lines)
	aligned := text.IsSpace(content[0]) // a table may begin with numbers, but they are not aligned to the right
	if !ok || !n.Sure || !(aligned || n.Tagged) || len(lines) < 2 || bytes.Contains(before, []byte(lines[0])) {
		return nil
	}
	return &Problem{Err: fs.ErrInvalid, Msg: "every line of the content begins with a line number, as a viewer shows it: write the lines without the numbers"}
}

// isBody reports whether the i-th line, a bare "...", is the whole body that a line above it opens, apart from a docstring. If it
// is no deeper than that line, the end of the body is unknown, and isBody takes it to be all of it.
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

// inDoctest reports whether the i-th line, a bare "...", continues input at a Python prompt. The dots of a JavaScript spread have
// no space after them.
func inDoctest(lines []string, i int) bool {
	if i == 0 {
		return false
	}
	indent, body, _ := text.Parts(lines[i-1])
	return strings.HasPrefix(lines[i], indent+"...") &&
		(strings.HasPrefix(body, ">>>") || strings.HasPrefix(body, "... ") || body == "...")
}

// endsDocument reports whether the i-th line, a bare "...", marks the end of a YAML document: another document follows, or the
// line above is the last of the file and stays, so that there is nothing to leave out.
func endsDocument(lines []string, i int, old string, t text.Text) bool {
	if lines[i][0] != '.' {
		return false
	}
	if i+1 < len(lines) && (lines[i+1] == "---" || strings.HasPrefix(lines[i+1], "--- ")) {
		return true
	}
	up, last := outline.Neighbour(lines, i, -1), strings.TrimRight(old, text.Space+"\n")
	return up >= 0 && last != "" && outline.Neighbour(lines, i, 1) < 0 && lines[up] == last[strings.LastIndexByte(last, '\n')+1:] &&
		bytes.HasSuffix(bytes.TrimRight(t.Data, text.Space+"\n"), []byte(last))
}

// endsInDots reports whether a comment ends in dots.
func endsInDots(l string) bool {
	_, body, _ := text.Parts(l)
	inner, _, _ := outline.Comment(body)
	return strings.HasSuffix(inner, "...") || strings.HasSuffix(inner, "…")
}
