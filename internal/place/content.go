package place

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/text"
)

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
	if !ok || !isViewers(n, lines) || len(lines) < 2 || bytes.Contains(before, []byte(lines[0])) {
		return nil
	}
	return &Problem{Err: fs.ErrInvalid, Msg: "every line of the content begins with a line number, as a viewer shows it: write the lines without the numbers"}
}

// placeholder refuses new text with a line that stands for text left out, where it replaces old in t (E3).
func placeholder(old, new string, t text.Text) *Problem {
	l := omission.Placeholder(old, new, t)
	if l == "" {
		return nil
	}
	return &Problem{Err: errs.ErrPlaceholder, Msg: fmt.Sprintf("the new text has %q, which is a placeholder for omitted code: "+
		"write the code out, or leave unchanged lines out of the edit", l)}
}

// isViewers reports whether the numbers of some lines are surely those of a viewer. A table may begin with numbers, but they are not
// aligned to the right.
func isViewers(n text.Numbering, lines []string) bool {
	return n.Sure && (n.Tagged || text.IsSpace(lines[0][0]))
}

// pastedNumbers refuses an edit at a place of v if only its new text has the line numbers of a viewer (N2). They are a viewer's if they
// are those of the place, or if they can be nothing else and one is in front of an old line. If a line at the place or right beside it
// begins with a number too, numbers belong to the text.
func (v *version) pastedNumbers(e *Edit, place text.Span) *Problem {
	if first, _, _ := strings.Cut(e.New, "\n"); text.IsBlank(first) || !text.LooksNumbered(first) {
		return nil
	}
	new := text.Split(e.New)
	n, ok := text.NumberingOf(new)
	if !ok {
		return nil
	}
	bare, ok := n.Strip(new)
	old := slices.Concat(text.Split(e.Old), text.Split(string(v.Data[place.Start:place.End])))
	if !ok || slices.ContainsFunc(slices.Concat(old, v.beside(place)), n.Fits) {
		return nil
	}
	surely := isViewers(n, new)
	isOwn := n.First == v.sourceLine(place.Start) && (surely || n.First > 1 && (n.Sure || len(new) > 1)) // a list begins at 1
	if !isOwn && !(surely && slices.ContainsFunc(bare, func(l string) bool { return copies(l, old) })) {
		return nil
	}
	return &Problem{Err: fs.ErrInvalid, Msg: "every line of the new text begins with a line number, as a viewer shows it, and the lines in " +
		"the file have none: write the lines without the numbers"}
}

// copies reports whether a line is one of some lines, apart from the whitespace around it, and not merely a bracket.
func copies(l string, lines []string) bool {
	l = strings.Trim(l, text.Space)
	return text.HasLetterOrDigit(l) && slices.ContainsFunc(lines, func(o string) bool { return strings.Trim(o, text.Space) == l })
}

// beside returns the nearest lines above and below a place that are not blank.
func (v *version) beside(place text.Span) (lines []string) {
	for at := v.LineStart(place.Start); at > 0; {
		l := v.LineBefore(at)
		if at = l.Start; !text.IsBlank(v.Bytes(l)) {
			lines = append(lines, string(v.Bytes(l)))
			break
		}
	}
	for at := place.End; at < len(v.Data); {
		l := v.LineAt(v.LineStart(at))
		if at = l.Next; !text.IsBlank(v.Bytes(l)) {
			lines = append(lines, string(v.Bytes(l)))
			break
		}
	}
	return lines
}
