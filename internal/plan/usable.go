package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Unusable refuses edits whose fields do not go together, or whose new text would turn a file in enc into another kind of file.
// First is the index of edits[0] in the request.
func Unusable(edits []Edit, first int, enc text.Encoding) (problems []Problem) {
	for i, e := range edits {
		var p *Problem
		if msg := e.Misfit(); msg != "" {
			p = Invalid(msg)
		} else if strings.IndexByte(e.New, 0) >= 0 {
			p = &Problem{Err: errs.ErrBinary, Msg: "the new text has a NUL byte, which no text file has: leave it out"}
		} else if enc.IsDecoded() && !(utf8.ValidString(e.Old) && utf8.ValidString(e.New)) {
			p = &Problem{Err: errs.ErrEncoding, Msg: "the file is shown and edited as UTF-8, but the old or the new text is not valid UTF-8: send both as valid UTF-8"}
		}
		if p != nil {
			p.Edit = first + i
			problems = append(problems, *p)
		}
	}
	return problems
}

// Unwritable refuses an edit with a character that a file in enc cannot have. The edit has the given index, unless it only takes part
// in the change: then it is the first that has the character.
func Unwritable(edits []Edit, index int, char string, enc text.Encoding) *Problem {
	has := func(e Edit) bool { return strings.Contains(e.New, char) }
	if i := slices.IndexFunc(edits, has); i >= 0 && !has(edits[index]) { // they have been merged
		index = i
	}
	at := fmt.Sprintf("%q", char)
	if above, _, ok := strings.Cut(edits[index].New, char); ok {
		at += fmt.Sprintf(" in line %d of the new text", 1+strings.Count(above, "\n"))
	}
	const instead = ": write it in ASCII, as an escape sequence for instance, and leave lines that do not change out of the edit"
	msg := "the file is in UTF-8, but the new text has bytes that are not: " + at + ": send valid UTF-8"
	switch {
	case enc.IsDecoded():
		msg = "the encoding of the file lacks " + at + instead
	case enc.IsUnknown():
		msg = "the file is not in UTF-8, and its encoding is unknown, so new text must be ASCII, but it has " + at + instead
	}
	return &Problem{Err: errs.ErrEncoding, Edit: index, Msg: msg}
}
