package atomicedit

import (
	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/lsp"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/request"
)

// JSON prints p as the JSON that [json.Marshal] makes of it. [ParseJSON] and [Parse] of it give p again, with every
// field, except that an empty slice becomes nil.
//
// JSON can express every plan that has operations of known kinds. A string that is not valid UTF-8 is a [*Refusal] with
// [errors.ErrUnsupported], which has a problem for each such string, and so is a plan without operations. Time and
// memory are linear in the plan.
func (p Plan) JSON() (string, error) { return printed(call.Print(p.internal())) }

// ParseLSP reads text edits, which leave Op.Path empty (see [Plan.ForFile]), or a workspace edit, in the JSON of the
// Language Server Protocol, version 3.17. Each text edit becomes an [Edit] with a [Range] in UTF-16 code units. Set
// Range.Unit if client and server have agreed on another unit. The positions of all edits in a list refer to the
// document before any of them. The version of a document is ignored, because it counts changes in an editor: use a
// [Session] to refuse edits of files that have changed. In the repository, docs/reading.md says how URIs and the
// options of file operations are read, and what is refused.
//
// Every error is a [*Refusal]: [ErrSyntax] for a field that is missing, unknown or of the wrong type (and also
// io.ErrUnexpectedEOF if the JSON was cut off), [ErrNoChange] if there are no edits, and [ErrTooLarge] for more than 64
// MiB. Time and memory are linear in the length of data.
func ParseLSP(data []byte) (Plan, error) { return parsed(request.ParseLSP(data)) }

// LSP prints changes, such as those of a [Transaction], as a WorkspaceEdit of the Language Server Protocol for an
// editor. The text edits of a file change no more lines than its diff does, and columns count UTF-16 code units. A
// change that text edits cannot express, such as one of line endings alone, is printed as a new file that overwrites
// the old one. [ParseLSP] of the result is a plan that leads from the files before to the files after. An absolute path
// becomes a URI with the scheme file. A relative path becomes a reference without a scheme, which ParseLSP reads but an
// editor may not: make paths absolute first.
//
// New permissions of an existing file, a new file that is executable, and new text that is not UTF-8 are a [*Refusal]
// with [errors.ErrUnsupported], which has a problem for each such change. The cost is about that of [Diff].
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
