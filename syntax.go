package atomicedit

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
)

// quote returns a line of a request in the form in which messages show it.
func quote(s string) string { return "\"" + clip(strings.TrimSpace(s), 60) + "\"" }

// syntax returns the refusal of a request that cannot be read at the given line.
func syntax(line int, msg string) *Refusal {
	return refuse(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Line: line, Msg: msg})
}

// cutOff returns the refusal of a request that ended too early. Partial is the part that was complete.
func cutOff(line int, partial Plan, msg string) *Refusal {
	r := refuse(Problem{Err: errCutOff{}, Op: -1, Edit: -1, Line: line, Msg: msg})
	r.Partial = partial
	return r
}

// goesOn is what nobody reads: that a request which is still arriving is not whole.
const goesOn = "the request goes on"

// errCutOff is both ErrSyntax and io.ErrUnexpectedEOF.
type errCutOff struct{}

func (errCutOff) Error() string   { return "the request was cut off" }
func (errCutOff) Unwrap() []error { return []error{ErrSyntax, io.ErrUnexpectedEOF} }

// mixedFormats returns the refusal of a request that has a line of another format outside the content of the first one.
func mixedFormats(line int, quoted, first string) error {
	return syntax(line, quoted+" is in another format than the "+first+" before it: expected one format; "+
		"if it is content, put it inside the "+first+"; otherwise send two requests")
}

// doubtfulFile returns the refusal of a block, or of a hunk, on the given line. Err is a [filehint.Conflict] about its file.
func doubtfulFile(err error, block string, line int, expected string) error {
	var c *filehint.Conflict
	if !errors.As(err, &c) {
		return err
	}
	return syntax(c.Line, quote(c.Path)+" is named above the "+block+" on line "+strconv.Itoa(line)+", which would otherwise go to "+quote(c.Other)+
		": expected "+expected)
}

// lineAt returns the line of an offset.
func lineAt(s string, at int) int { return 1 + strings.Count(s[:min(at, len(s))], "\n") }
