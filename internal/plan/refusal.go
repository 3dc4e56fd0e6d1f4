package plan

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Refusal is an error so that parsers can return it; package atomicedit turns it into its own, with its message.
type Refusal struct {
	Problems []Problem
	Partial  Plan
	Rest     Plan // what can be read of a call that has malformed parts, to see what else is wrong with it
}

// Refuse is not inlined, nor is Syntax: refusals need not be fast, and programs stay small.
//
//go:noinline
func Refuse(problems ...Problem) *Refusal { return &Refusal{Problems: problems} }

// Error returns the message of the first problem, without its place.
func (r *Refusal) Error() string { return r.Problems[0].Msg }

func (r *Refusal) Unwrap() []error {
	all := make([]error, len(r.Problems))
	for i, p := range r.Problems {
		all[i] = p.Err
	}
	return all
}

// RefuseNothing refuses a request that leaves a text as it is.
func RefuseNothing() *Refusal {
	return Refuse(Problem{Err: errs.ErrNoChange, Op: -1, Edit: -1, Msg: "the request changes nothing: the text is " +
		"the same before and after"})
}

// Syntax returns the refusal of a request that cannot be read at the given line.
//
//go:noinline
func Syntax(line int, msg string) *Refusal {
	return Refuse(Problem{Err: errs.ErrSyntax, Op: -1, Edit: -1, Line: line, Msg: msg})
}

// OrEscaped returns why a request cannot be read: that it is one line, with line breaks written as "\n", or else err.
func OrEscaped(request string, err error) error {
	if err == nil || strings.Count(request, `\n`) < 2 || strings.Contains(strings.TrimSpace(request), "\n") {
		return err
	}
	return Syntax(1, "the line breaks are written as \"\\n\": expected real line breaks")
}

// NoRequest returns the refusal of a text that asks for no edit.
func NoRequest(msg string) *Refusal {
	return Refuse(Problem{Err: errs.ErrNoRequest, Op: -1, Edit: -1, Line: 1, Msg: msg})
}

// BadLine returns the refusal of a request that cannot be read at its current line, which the message begins with.
func BadLine(in *text.Scanner, msg string) *Refusal { return Syntax(in.No, Excerpt(in.Line)+msg) }

// CutOff returns the refusal of a request that ended too early. Partial is the part that was complete.
func CutOff(line int, partial Plan, msg string) *Refusal {
	problem := Problem{Err: errCutOff{}, Op: -1, Edit: -1, Line: line, Msg: msg}
	return &Refusal{Problems: []Problem{problem}, Partial: partial}
}

// errCutOff is both ErrSyntax and io.ErrUnexpectedEOF.
type errCutOff struct{}

func (errCutOff) Error() string   { return "the request was cut off" }
func (errCutOff) Unwrap() []error { return []error{errs.ErrSyntax, io.ErrUnexpectedEOF} }

// Malformed returns the refusal that err is if a parser may note its problems below others and go on behind it, or nil.
func Malformed(err error, problems []Problem) *Refusal {
	const enough = 20
	var bad *Refusal
	if len(problems) >= enough || !errors.As(err, &bad) || errors.Is(bad, io.ErrUnexpectedEOF) {
		return nil
	}
	return bad
}

// RefuseAll refuses a request that has malformed parts, and the last error, if any, but not that it seems cut off. What
// can be read of it is p, with an empty edit for each malformed one, so that the others keep their numbers.
func (p Plan) RefuseAll(problems []Problem, last error) *Refusal {
	if end := Malformed(last, nil); end != nil {
		problems = append(problems, end.Problems...)
	}
	p.NumberEdits()
	bad := Refuse(problems...)
	bad.Rest.Format = p.Format
	for _, op := range p.Ops {
		for i := range op.Edits {
			op.Edits[i].Number = cmp.Or(op.Edits[i].Number, i+1)
		}
		op.Edits = slices.DeleteFunc(op.Edits, func(e Edit) bool { return e.Hunk == "" && e.Old == "" && e.New == "" })
		if !op.IsEmpty() {
			bad.Rest.Ops = append(bad.Rest.Ops, op)
		}
	}
	return bad
}

// MixedFormats returns the refusal of a request that has a line of another format outside the content of the first one.
func MixedFormats(line int, quoted, first string) error {
	return Syntax(line, quoted+" is in another format than the "+first+" before it: expected one format; "+
		"if it is content, put it inside the "+first+"; otherwise send two requests")
}

// DoubtfulFile returns the refusal of a block or hunk on a line, whose file is in doubt.
func DoubtfulFile(c *filehint.Conflict, block string, line int, expected string) error {
	return Syntax(c.Line, Excerpt(c.Path)+" is named above the "+block+" on line "+strconv.Itoa(line)+
		", which would otherwise go to "+Excerpt(c.Other)+": expected "+expected)
}

// Excerpt returns a line of a request in the form in which messages show it.
func Excerpt(s string) string { return "\"" + text.Clip(strings.TrimSpace(s), 60) + "\"" }

// LineAt returns the line of an offset, from 1.
func LineAt(s string, at int) int { return 1 + strings.Count(s[:min(at, len(s))], "\n") }

// GoesOn is what nobody reads: that a request which is still arriving is not whole.
const GoesOn = "the request goes on"

// AlreadyMade says of a request that it has the result of a call.
const AlreadyMade = "the result of a call is here, so the calls before it have been made: expected only the calls to " +
	"make now"
