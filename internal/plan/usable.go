package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
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
		msg = "the file is not in UTF-8, and its encoding is unknown, so new text must be ASCII, but it has %s" +
			instead
	}
	return &Problem{Err: errs.ErrEncoding, Edit: index, Msg: w.Say(msg, at)}
}
