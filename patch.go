package atomicedit

import "github.com/atomicedit/atomicedit/internal/patch"

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
// nil, and that [Plan.Format] and [Edit.Number] are those of the patch. A plan that edits one file without a name is
// printed as chunks alone. Lines that an edit passes on unchanged are context lines, paired as in [Edit.Hunk] where the
// edit has one.
//
// A V4A patch can express a creation whose content ends in a newline, a deletion, a move, with edits or without, and
// edits of whole lines that are there once, with [Edit.Anchors], [Edit.Near] and [Edit.AtEnd]. Anything else is a
// [*Refusal] with [errors.ErrUnsupported], which has a problem for each operation and edit: other fields of [Op] and
// [Edit], a preview ([Plan.DryRun]), and parts that would be read differently, such as a path with a newline. Time and
// memory are linear in the plan, except for the pairing of lines without a Hunk.
func (p Plan) V4A() (string, error) { return printed(patch.Print(p.internal())) }
