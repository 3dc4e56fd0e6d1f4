package plan

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Unusable refuses edits whose fields do not go together, or whose new text would turn a file in enc into another kind
// of file. First is the index of edits[0] in the request, whose words are w.
func Unusable(edits []Edit, first int, enc text.Encoding, w Words) (problems []Problem) {
	for i, e := range edits {
		var p *Problem
		if msg := e.Misfit(w); msg != "" {
			p = Invalid(msg)
		} else if strings.IndexByte(e.New, 0) >= 0 {
			p = &Problem{Err: errs.ErrBinary, Msg: w.Say("{new} has a NUL byte, which no text file has: leave it out")}
		} else if enc.IsDecoded() && !(utf8.ValidString(e.Old) && utf8.ValidString(e.New)) {
			p = &Problem{Err: errs.ErrEncoding, Msg: w.Say("the file is shown and edited as UTF-8, but the old or " +
				"{new} is not valid UTF-8: send both as valid UTF-8")}
		}
		if p != nil {
			p.Edit = first + i
			problems = append(problems, *p)
		}
	}
	return problems
}

// Unwritable refuses an edit with a character that a file in enc cannot have. The edit has the given index, unless it
// only takes part in the change: then it is the first that has the character.
func Unwritable(edits []Edit, index int, char string, enc text.Encoding, w Words) *Problem {
	has := func(e Edit) bool { return strings.Contains(e.New, char) }
	if i := slices.IndexFunc(edits, has); i >= 0 && !has(edits[index]) { // they have been merged
		index = i
	}
	at := fmt.Sprintf("%q", char)
	if above, _, ok := strings.Cut(edits[index].New, char); ok {
		at += w.Say(" in line %d of {new}", 1+strings.Count(above, "\n"))
	}
	const instead = ": write it in ASCII, as an escape sequence for instance, and leave lines that do not change out " +
		"of the {edit}"
	msg := "the file is in UTF-8, but {new} has bytes that are not: %s: send valid UTF-8"
	switch {
	case enc.IsDecoded():
		msg = "the encoding of the file lacks %s" + instead
	case enc.IsUnknown():
		msg = "the file is not in UTF-8, and its encoding is unknown, so new text must be ASCII, but it has %s" + instead
	}
	return &Problem{Err: errs.ErrEncoding, Edit: index, Msg: w.Say(msg, at)}
}

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
	return &Problem{Err: fs.ErrInvalid, Msg: "every line of the content begins with a line number, " +
		"as a viewer shows it: write the lines without the numbers"}
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
