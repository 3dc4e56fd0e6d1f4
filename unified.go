package atomicedit

import "github.com/atomicedit/atomicedit/internal/udiff"

// ParseUnified reads a unified diff, as "diff -u" and "git diff" print it, or as models write it: with wrong counts,
// with "@@" lines without numbers, with hunks without any file (see [Plan.ForFile]), and with text around the files. In
// the repository, docs/reading.md says what else is understood.
//
// The line of a hunk becomes [Edit].Near, and the heading after the numbers [Edit].Section. In a file's part without
// any context line ("diff -U0"), the line of a hunk that only inserts becomes [Edit].First. A file that comes from
// /dev/null is created. One that goes there is deleted: its [Op] has the hunks in Edits, and they must cover the whole
// file. git's rename headers are a move. ParseUnified refuses everything that a plan cannot express: a copy, a changed
// mode, a link, a submodule, and, with [ErrBinary], a binary patch.
//
// Every other error is a [*Refusal] with [ErrSyntax] and the line. A diff has no end marker: it counts as cut off,
// which is also [io.ErrUnexpectedEOF], if it lacks lines that it announces; any other cut goes unnoticed. Time and
// memory are linear in the length of the request.
func ParseUnified(request string) (Plan, error) { return parsed(udiff.Parse(request)) }

// Unified prints p as a unified diff with git's headers. [ParseUnified] and [Parse] of the diff give p again, as
// [Plan.V4A] says of its patches, which also has the same context lines. A plan that edits one file without a name is
// printed as hunks alone. The hunk of an edit that names no line has the header "@@ @@", which other programs do not
// read.
//
// A diff can express a creation, of an executable file (mode 0755) too; a deletion, whose edits have the lines of the
// file, or whose [Op.Version] is that of an empty one; a move, with edits or without; and edits of whole lines that are
// there once, with [Edit.Near] and [Edit.Section]. An insertion can have [Edit.First] if no edit of the file has
// context lines, and [Edit.Near] if one has. Anything else is a [*Refusal] with [errors.ErrUnsupported], as for
// [Plan.V4A]. Time and memory are linear in the plan, except for the pairing of lines without a Hunk.
func (p Plan) Unified() (string, error) { return printed(udiff.Print(p.internal())) }
