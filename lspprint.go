package atomicedit

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"slices"
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

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
	w := workspacePrinter{planPrinter: planPrinter{format: "a workspace edit", op: -1, edit: -1}, all: []documentChange{}}
	moves := movesOf(changes)
	for _, c := range changes {
		w.path = c.Path
		from, moved := moves[c.Path]
		switch {
		case c.Path == "":
			w.cannot("a change without a path")
		case c.After == nil:
			if _, moved := moves[c.Path]; c.Before != nil && !moved {
				w.all = append(w.all, documentChange{Kind: "delete", URI: uriOf(c.Path)})
			}
		case moved:
			w.checkMode(from.Before, c.After)
			w.move(from, c)
		default:
			w.checkMode(c.Before, c.After)
			w.write(c)
		}
	}
	if _, err := w.result(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(workspaceEdit{w.all})
	return bytes.TrimSpace(out.Bytes()), err
}

// A workspaceEdit is a WorkspaceEdit of the protocol.
type workspaceEdit struct {
	DocumentChanges []documentChange `json:"documentChanges"`
}

// A documentChange is a file operation, or the edits of a document.
type documentChange struct {
	Kind     string           `json:"kind,omitempty"`
	URI      string           `json:"uri,omitempty"`
	OldURI   string           `json:"oldUri,omitempty"`
	NewURI   string           `json:"newUri,omitempty"`
	Options  map[string]bool  `json:"options,omitempty"`
	Document *documentVersion `json:"textDocument,omitempty"`
	Edits    []textEdit       `json:"edits,omitempty"`
}

type documentVersion struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"` // null: the document as it is on disk
}

type textEdit struct {
	Range struct {
		Start textPosition `json:"start"`
		End   textPosition `json:"end"`
	} `json:"range"`
	NewText string `json:"newText"`
}

// A textPosition counts lines from 0.
type textPosition struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// movesOf returns the changes that delete the old path of a move, by both of its paths. Each file moves only once.
func movesOf(changes []Change) map[string]Change {
	deletes := map[string]Change{}
	for _, c := range changes {
		if c.Before != nil && c.After == nil {
			deletes[c.Path] = c
		}
	}
	moves := map[string]Change{}
	for _, c := range changes {
		from, ok := deletes[c.From]
		if _, taken := moves[c.From]; ok && !taken && c.From != "" && c.Before == nil && c.After != nil {
			moves[c.Path], moves[c.From] = from, from
		}
	}
	return moves
}

// A workspacePrinter prints changes as documentChanges, and collects the parts that the protocol cannot express.
type workspacePrinter struct {
	planPrinter
	all []documentChange
}

// checkMode notes permissions that an editor would not give a file.
func (w *workspacePrinter) checkMode(before, after *File) {
	const usual = fs.FileMode(0o666)
	if before == nil && after.Mode&^usual != 0 || before != nil && after.Mode != 0 && after.Mode != before.Mode {
		w.cannot("the permissions of the file")
	}
}

// move prints the move of a file, and the edits that it has besides.
func (w *workspacePrinter) move(from, to Change) {
	edits, ok := editsBetween(from.Before.Data, to.After.Data)
	if !ok {
		w.all = append(w.all, documentChange{Kind: "delete", URI: uriOf(from.Path)})
		w.create(to)
		return
	}
	w.all = append(w.all, documentChange{Kind: "rename", OldURI: uriOf(from.Path), NewURI: uriOf(to.Path)})
	w.edits(to.Path, edits)
}

// write prints the new content of a file.
func (w *workspacePrinter) write(c Change) {
	if c.Before != nil {
		if edits, ok := editsBetween(c.Before.Data, c.After.Data); ok {
			w.edits(c.Path, edits)
			return
		}
	}
	w.create(c)
}

// create prints a new file, which takes the place of the old one if there is one.
func (w *workspacePrinter) create(c Change) {
	data := c.After.Data
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		w.cannot("a text that is not UTF-8")
		return
	}
	op := documentChange{Kind: "create", URI: uriOf(c.Path)}
	if c.Before != nil {
		op.Options = map[string]bool{"overwrite": true}
	}
	w.all = append(w.all, op)
	if len(data) > 0 {
		start := Position{Line: 1}
		w.edits(c.Path, []Edit{{New: string(data), Range: &Range{Start: start, End: start}}})
	}
}

// edits prints the edits of a document.
func (w *workspacePrinter) edits(path string, edits []Edit) {
	if len(edits) == 0 {
		return
	}
	c := documentChange{Document: &documentVersion{URI: uriOf(path)}, Edits: make([]textEdit, len(edits))}
	for i, e := range edits {
		to := &c.Edits[i]
		to.NewText = e.New
		to.Range.Start = textPosition{e.Range.Start.Line - 1, e.Range.Start.Column}
		to.Range.End = textPosition{e.Range.End.Line - 1, e.Range.End.Column}
	}
	w.all = append(w.all, c)
}

// editsBetween returns edits by ranges that lead from a text to another. It reports false if there are none, because the texts differ
// in their encodings, in line endings alone, or in bytes that are not UTF-8. It applies the edits to be sure.
func editsBetween(before, after []byte) ([]Edit, bool) {
	if bytes.Equal(before, after) {
		return nil, true
	}
	old, _ := text.EncodingOf(before).Decode(before)
	new, _ := text.EncodingOf(after).Decode(after)
	deltas, isText := linediff.Deltas(old, new, nil)
	at := columnsOfText(old)
	edits := make([]Edit, len(deltas))
	for i, d := range deltas {
		head, tail := text.CommonEnds(old[d.OldFrom:d.OldTo], new[d.NewFrom:d.NewTo])
		edits[i] = Edit{New: string(new[d.NewFrom+head : d.NewTo-tail]), Range: &Range{Start: at(d.OldFrom + head), End: at(d.OldTo - tail)}}
	}
	if !isText || slices.ContainsFunc(edits, func(e Edit) bool { return !utf8.ValidString(e.New) }) {
		return nil, false
	}
	res, err := Apply(before, edits, nil)
	return edits, err == nil && bytes.Equal(res.Text, after)
}

// columnsOfText returns a function from offsets in a text to positions in UTF-16 code units.
func columnsOfText(data []byte) func(int) Position {
	t := text.New(data)
	starts := t.Starts()
	if !t.Terminated() {
		starts = starts[:len(starts)-1] // no line starts at the end
	}
	return func(at int) Position {
		line := sort.SearchInts(starts, at+1)
		column := 0
		for _, r := range string(data[starts[line-1]:at]) {
			column += utf16.RuneLen(r)
		}
		return Position{Line: line, Column: column}
	}
}
