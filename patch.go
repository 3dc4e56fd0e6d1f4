package atomicedit

import (
	"github.com/atomicedit/atomicedit/internal/patch"
	"github.com/atomicedit/atomicedit/internal/udiff"
)

// ParseV4A reads a V4A patch:
//
//	patch   = [ "*** Begin Patch" ] { add | delete | update } [ "*** End Patch" ]
//	add     = "*** Add File: " path { "+" line }
//	delete  = "*** Delete File: " path
//	update  = "*** Update File: " path [ "*** Move to: " path ] { chunk }
//	chunk   = { "@@" [ " " anchor ] } { ( " " | "-" | "+" ) line } [ "*** End of File" ]
//
// The first chunk may lack its "@@". An anchor may be a line hint, as in "@@ -12,3 +12,4 @@". Chunks alone are a body
// for a file named elsewhere: see [Plan.ForFile]. A shell script may pass the patch to apply_patch; a script that does
// more is refused. Slips that can mean only one thing are understood: in the repository, docs/reading.md lists them.
//
// Every error is a [*Refusal] with [ErrSyntax] and the line. A patch that has a Begin and no End, or chunks and an End,
// was cut off, which is also [io.ErrUnexpectedEOF]. Time and memory are linear in the length of the request.
func ParseV4A(request string) (Plan, error) { return parsed(patch.Parse(request)) }

// V4A prints p as a V4A patch. [ParseV4A] and [Parse] of the patch give p again, except that an empty slice becomes
// nil, and [Plan.Format] and [Edit.Number] are those of the patch. Edits of one file without a name are chunks alone. A
// V4A patch can express a creation whose content ends in a newline, a deletion, a move, with edits or without, and
// edits of whole lines that are there once, with [Edit.Anchors], [Edit.Near] and [Edit.AtEnd]. Anything else is a
// [*Refusal] with [errors.ErrUnsupported], which has a problem for each operation and edit. Time and memory are linear
// in the plan, except for the pairing of lines without an [Edit.Hunk].
func (p Plan) V4A() (string, error) { return printed(patch.Print(p.internal())) }

// ParseUnified reads a unified diff, as "diff -u" and "git diff" print it, or as models write it: with wrong counts,
// with "@@" lines without numbers, with hunks without any file (see [Plan.ForFile]), and with text around the files.
// The line of a hunk becomes [Edit].Near, and the heading after the numbers [Edit].Section. A file from /dev/null is
// created, and one that goes there is deleted: the hunks must cover all of it. git's rename headers are a move. A copy,
// a changed mode, a link, a submodule, and, with [ErrBinary], a binary patch are refused.
//
// Every other error is a [*Refusal] with [ErrSyntax] and the line. A diff counts as cut off, which is also
// [io.ErrUnexpectedEOF], if it lacks lines that it announces; no other cut is noticed. Time and memory are linear.
func ParseUnified(request string) (Plan, error) { return parsed(udiff.Parse(request)) }

// Unified prints p as a unified diff with git's headers. [ParseUnified] and [Parse] of the diff give p again, as
// [Plan.V4A] says of its patches. Other programs do not read a hunk without a line ("@@ @@"). A diff can express a
// creation, of an executable file (mode 0755) too; a deletion, whose edits have the lines of the file, or whose
// [Op.Version] is that of an empty one; a move, with edits or without; and edits of whole lines that are there once,
// with [Edit.Near] and [Edit.Section]. An insertion can have [Edit.First] if no edit of the file has context lines, and
// [Edit.Near] if one has. Anything else is a [*Refusal], as for [Plan.V4A], which also tells the cost.
func (p Plan) Unified() (string, error) { return printed(udiff.Print(p.internal())) }
