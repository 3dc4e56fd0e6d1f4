package atomicedit

// V4A prints p as a V4A patch. [ParseV4A] and [Parse] of the patch give p again, except that an empty slice becomes nil, and
// that [Plan.Format] and [Edit.Number] are those of the patch. A plan that edits one file without a name is printed as chunks
// alone. Lines that an edit passes on unchanged are context lines, paired as in [Edit.Hunk] where the edit has one.
//
// A V4A patch can express a creation whose content ends in a newline, a deletion, a move, with edits or without, and edits
// of whole lines that are there once, with [Edit.Anchors], [Edit.Near] and [Edit.AtEnd]. Anything else is a [*Refusal] with
// [errors.ErrUnsupported], which has a problem for each operation and edit: other fields of [Op] and [Edit], a preview
// ([Plan.DryRun]), and parts that would be read differently, such as a path with a newline. Time and memory are linear in
// the plan, except for the pairing of lines without a Hunk.
func (p Plan) V4A() (string, error) { return printV4A(p) }

// Blocks prints p as SEARCH/REPLACE blocks. [ParseBlocks] and [Parse] of the blocks give p again, except that an empty slice
// becomes nil, [Edit.Hunk] is lost, and [Plan.Format] and [Edit.Number] are those of the blocks. The markers are of a length that
// no marker in the texts of p has.
//
// Blocks can express a creation of a file without content or with a content that ends in a newline, edits of whole lines
// that are there once, with [Edit.Near], and insertions before a line, [Edit.First]. Anything else is a [*Refusal] with
// [errors.ErrUnsupported], which has a problem for each operation and edit: other fields of [Op] and [Edit], a preview
// ([Plan.DryRun]), two operations in a row on one file, the second of which only edits it, and parts that would be read
// differently, such as new text that begins with a line ":start_line:1". Time and memory are linear in the plan.
func (p Plan) Blocks() (string, error) { return printBlocks(p) }

// Unified prints p as a unified diff with git's headers. [ParseUnified] and [Parse] of the diff give p again, except that an empty
// slice becomes nil, and that [Plan.Format] and [Edit.Number] are those of the diff. A plan that edits one file without a name is
// printed as hunks alone. Lines that an edit passes on unchanged are context lines, paired as in [Edit.Hunk] where the edit has one.
// The hunk of an edit that names no line has the header "@@ @@", which other programs do not read.
//
// A diff can express a creation, of an executable file (mode 0755) too; a deletion, whose edits have the lines of the file, or whose
// [Op.Version] is that of an empty one; a move, with edits or without; and edits of whole lines that are there once, with [Edit.Near]
// and [Edit.Section]. An insertion can have [Edit.First] if no edit of the file has context lines, and [Edit.Near] if one has. Anything
// else is a [*Refusal] with [errors.ErrUnsupported], which has a problem for each operation and edit: other fields of [Op] and
// [Edit], a preview ([Plan.DryRun]), and parts that would be read differently, such as a line that looks like the header of a file.
// Time and memory are linear in the plan, except for the pairing of lines without a Hunk.
func (p Plan) Unified() (string, error) { return printUnified(p) }

// JSON prints p as the JSON that [json.Marshal] makes of it. [ParseJSON] and [Parse] of it give p again, with every field, except that
// an empty slice becomes nil.
//
// JSON can express every plan that has operations of known kinds. A string that is not valid UTF-8 is a [*Refusal] with
// [errors.ErrUnsupported], which has a problem for each such string, and so is a plan without operations. Time and memory are linear
// in the plan.
func (p Plan) JSON() (string, error) { return printJSON(p) }

// LSP prints changes, such as those of a [Transaction], as a WorkspaceEdit of the Language Server Protocol for an editor. The text
// edits of a file change no more lines than its diff does, and columns count UTF-16 code units. A change that text edits cannot express,
// such as one of line endings alone, is printed as a new file that overwrites the old one. The plan that [ParseLSP] reads from the
// result leads from the files before to the files after.
//
// An absolute path becomes a URI with the scheme file. A relative path becomes a reference without a scheme, which ParseLSP reads but
// an editor may not: make paths absolute first.
//
// Anything that a WorkspaceEdit cannot express is a [*Refusal] with [errors.ErrUnsupported], which has a problem for each such change: new
// permissions of an existing file, a new file that is executable, and new text that is not UTF-8. The cost is about that of [Diff].
func LSP(changes []Change) ([]byte, error) {
	state := func(f *File) *fileState {
		if f == nil {
			return nil
		}
		return &fileState{f.Data, f.Mode}
	}
	var all []fileChange
	moves := movesOf(changes)
	for _, c := range changes {
		printed := fileChange{path: c.Path, before: state(c.Before), after: state(c.After)}
		if from, moved := moves[c.Path]; moved && c.After == nil {
			continue // it is printed where the file has moved to
		} else if moved {
			printed.from, printed.before = from.Path, state(from.Before)
		}
		all = append(all, printed)
	}
	return printLSP(all, func(text []byte, edits []Edit) ([]byte, error) {
		res, err := Apply(text, edits, nil)
		if err != nil {
			return nil, err
		}
		return res.Text, nil
	})
}
