package plan

import (
	"bytes"
	"io/fs"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/text"
)

// CheckContent refuses content that cannot be meant as a whole file: content with a placeholder (E3), or with a
// viewer's numbers in front of all lines (N2). Before is the text of the file so far, empty for a new file.
// CheckContent returns nil for any other content.
func CheckContent(content string, before []byte) *Problem {
	t := text.New(before)
	if len(before) > 0 { // a new file has nothing that could be left out
		if p := Placeholder(string(before), content, t, WordsOf("")); p != nil {
			return p
		}
	}
	lines := text.Split(content)
	n, ok := text.NumberingOf(lines)
	if !ok || !n.IsViewers(lines) || len(lines) < 2 || bytes.Contains(before, []byte(lines[0])) {
		return nil
	}
	return &Problem{Err: fs.ErrInvalid, Msg: "every line of the content begins with a line number, as a viewer shows " +
		"it: write the lines without the numbers"}
}

// Placeholder refuses new text with a line that stands for text left out, where it replaces old in t (E3).
func Placeholder(old, new string, t text.Text, w Words) *Problem {
	l := omission.Placeholder(old, new, t)
	if l == "" {
		return nil
	}
	return &Problem{Err: errs.ErrPlaceholder, Msg: w.Say("{new} has %q, which is a placeholder for omitted code: "+
		"write the code out, or leave unchanged lines out of the {edit}", l)}
}
