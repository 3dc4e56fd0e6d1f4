package atomicedit

import (
	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/lsp"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/request"
)

// JSON prints p as the JSON that [json.Marshal] makes of it. [ParseJSON] and [Parse] of it give p again, with every field, except that
// an empty slice becomes nil.
//
// JSON can express every plan that has operations of known kinds. A string that is not valid UTF-8 is a [*Refusal] with
// [errors.ErrUnsupported], which has a problem for each such string, and so is a plan without operations. Time and memory are linear
// in the plan.
func (p Plan) JSON() (string, error) { return printed(call.Print(p.internal())) }

// ParseLSP reads text edits, which leave Op.Path empty (see [Plan.ForFile]), or a workspace edit, in the JSON of the
// Language Server Protocol, version 3.17. If a workspace edit has both changes and documentChanges, only documentChanges count, as
// the protocol says.
//
// Each text edit becomes an [Edit] with a [Range] in UTF-16 code units. Set Range.Unit if client and server have agreed on another unit.
// The positions of all edits in a list refer to the document before any of them. They must not overlap, but several may insert at one
// position; their texts follow one another in the order of the list. The protocol does not say what a line after the end of the document
// means: see Range. The documentChanges are made in order, so edits after a rename are for the new name. Two lists of edits for one
// document are refused, because editors disagree on whether the second counts the result of the first.
//
// A URI must have the scheme file, and its path is percent-encoded: "file:///dir/a%20b" is the file "/dir/a b", and "file:///c%3A/a"
// is "c:/a". A reference without a scheme, as [LSP] writes it, is a path too.
//
// ParseLSP obeys the options of file operations, or refuses the plan. [Prepare] refuses to create a file that exists, with ignoreIfExists
// too, unless it is empty; to delete a file that does not exist, with ignoreIfNotExists too; and to delete a directory, with recursive too.
// ParseLSP refuses ignoreIfExists for a rename, unless overwrite is set as well, which wins. It also refuses snippets, and changes whose
// annotation says that they need confirmation. The version of a document is ignored, because it counts changes in an editor: use a
// [Session] to refuse edits of files that have changed.
//
// Every error is a [*Refusal]: [ErrSyntax] for a field that is missing, unknown or of the wrong type (and also io.ErrUnexpectedEOF
// if the JSON was cut off), [ErrNoChange] if there are no edits, and [ErrTooLarge] for more than 64 MiB. Time and memory are linear in
// the length of data.
func ParseLSP(data []byte) (Plan, error) { return parsed(request.ParseLSP(data)) }

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
	state := func(f *File) *lsp.FileState {
		if f == nil {
			return nil
		}
		return &lsp.FileState{Data: f.Data, Mode: f.Mode}
	}
	var all []lsp.FileChange
	moves := movesOf(changes)
	for _, c := range changes {
		printed := lsp.FileChange{Path: c.Path, Before: state(c.Before), After: state(c.After)}
		if from, moved := moves[c.Path]; moved && c.After == nil {
			continue // it is printed where the file has moved to
		} else if moved {
			printed.From, printed.Before = from.Path, state(from.Before)
		}
		all = append(all, printed)
	}
	out, err := lsp.Print(all, func(text []byte, edits []plan.Edit) ([]byte, error) {
		res, err := Apply(text, convertAll(edits, fromEdit), nil)
		if err != nil {
			return nil, err
		}
		return res.Text, nil
	})
	return printed(out, err)
}
