package atomicedit

import "github.com/atomicedit/atomicedit/internal/blocks"

// ParseBlocks reads SEARCH/REPLACE blocks:
//
//	path/to/file.go
//	<<<<<<< SEARCH
//	the lines to find
//	=======
//	the lines to put there
//	>>>>>>> REPLACE
//
// The lines above a block name its file, which is also the file of the blocks after it, until another is named. If it
// is unclear which file is meant, the request is refused; a block without any has an empty Op.Path: see [Plan.ForFile].
// Consecutive blocks for one file are the edits of one [Op]. A block with nothing to find creates the file, or inserts
// before a line if it names one. Other text around the blocks is ignored. In the repository, docs/reading.md has the
// dialects of markers and the ways to name a file.
//
// Every error is a [*Refusal] with [ErrSyntax] and the line. A request that ends inside a block is also
// [io.ErrUnexpectedEOF]. Time and memory are linear in the request; the edits share its memory unless it has "\r\n".
func ParseBlocks(request string) (Plan, error) { return parsed(blocks.Parse(request)) }

// Blocks prints p as SEARCH/REPLACE blocks. [ParseBlocks] and [Parse] of the blocks give p again, as [Plan.V4A] says of
// its patches, but without [Edit.Hunk]. The markers are of a length that no marker in the texts of p has.
//
// Blocks can express a creation of a file without content or with a content that ends in a newline, edits of whole
// lines that are there once, with [Edit.Near], and insertions before a line, [Edit.First]. Anything else is a
// [*Refusal] with [errors.ErrUnsupported], which has a problem for each operation and edit, as for [Plan.V4A]; so are
// two operations in a row on one file, the second of which only edits it. Time and memory are linear in the plan.
func (p Plan) Blocks() (string, error) { return printed(blocks.Print(p.internal())) }
