package lsp

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A FileChange is a change of a file on its way into a workspace edit. A state of nil means no file. If from is a path,
// the file was moved from there, where it was in the state before.
type FileChange struct {
	Path, From    string
	Before, After *FileState
}

// A FileState has the fields of a File of package atomicedit.
type FileState struct {
	Path  string
	Data  []byte
	Mode  fs.FileMode
	Notes []string
}

// Print prints changes as LSP does. Apply returns a text with edits applied to it.
func Print(changes []FileChange, apply func(text []byte, edits []plan.Edit) ([]byte, error)) ([]byte, error) {
	w := workspacePrinter{plan.Printer{Format: "a workspace edit", Op: -1, Edit: -1}, apply, []documentChange{}}
	for _, c := range changes {
		switch w.Path = c.Path; {
		case c.Path == "":
			w.Cannot("a change without a path")
		case c.After != nil:
			mode := c.After.Mode
			if c.Before == nil && mode&^0o666 != 0 || c.Before != nil && mode != 0 && mode != c.Before.Mode {
				w.Cannot("the permissions of the file") // an editor would not give it these
			}
			w.write(c)
		case c.Before != nil:
			w.all = append(w.all, documentChange{Kind: "delete", URI: uriOf(c.Path)})
		}
	}
	if _, err := w.Result(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(map[string]any{"documentChanges": w.all})
	return bytes.TrimSpace(out.Bytes()), err
}

// A documentChange is a file operation, or the edits of a document.
type documentChange struct {
	Kind     string          `json:"kind,omitempty"`
	URI      string          `json:"uri,omitempty"`
	OldURI   string          `json:"oldUri,omitempty"`
	NewURI   string          `json:"newUri,omitempty"`
	Options  map[string]bool `json:"options,omitempty"`
	Document map[string]any  `json:"textDocument,omitempty"`
	Edits    []textEdit      `json:"edits,omitempty"`
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

// A workspacePrinter prints changes as documentChanges, and collects the parts that the protocol cannot express.
type workspacePrinter struct {
	plan.Printer
	apply func(text []byte, edits []plan.Edit) ([]byte, error)
	all   []documentChange
}

func (w *workspacePrinter) write(c FileChange) {
	var edits []plan.Edit
	ok := false
	if c.Before != nil {
		edits, ok = w.editsBetween(c.Before.Data, c.After.Data)
	}
	switch {
	case c.From != "" && ok:
		w.all = append(w.all, documentChange{Kind: "rename", OldURI: uriOf(c.From), NewURI: uriOf(c.Path)})
	case c.From != "":
		w.all = append(w.all, documentChange{Kind: "delete", URI: uriOf(c.From)})
	}
	if ok {
		w.edits(c.Path, edits)
	} else {
		w.create(c.Path, c.After.Data, c.Before != nil && c.From == "")
	}
}

// create prints a new file, which takes the place of the old one if it replaces that.
func (w *workspacePrinter) create(path string, data []byte, replaces bool) {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		w.Cannot("a text that is not UTF-8")
		return
	}
	op := documentChange{Kind: "create", URI: uriOf(path)}
	if replaces {
		op.Options = map[string]bool{"overwrite": true}
	}
	w.all = append(w.all, op)
	if len(data) > 0 {
		start := plan.Position{Line: 1}
		w.edits(path, []plan.Edit{{New: string(data), Range: &plan.Range{Start: start, End: start}}})
	}
}

func (w *workspacePrinter) edits(path string, edits []plan.Edit) {
	if len(edits) == 0 {
		return
	}
	asOnDisk := map[string]any{"uri": uriOf(path), "version": nil}
	c := documentChange{Document: asOnDisk, Edits: make([]textEdit, len(edits))}
	for i, e := range edits {
		to := &c.Edits[i]
		to.NewText = e.New
		to.Range.Start = textPosition{e.Range.Start.Line - 1, e.Range.Start.Column}
		to.Range.End = textPosition{e.Range.End.Line - 1, e.Range.End.Column}
	}
	w.all = append(w.all, c)
}

// editsBetween returns edits by ranges that lead from a text to another, as it has tried. It reports false if there are
// none: the texts differ in their encodings, in line endings alone, or in bytes that are not UTF-8.
func (w *workspacePrinter) editsBetween(before, after []byte) ([]plan.Edit, bool) {
	if bytes.Equal(before, after) {
		return nil, true
	}
	old, _ := text.EncodingOf(before).Decode(before)
	new, _ := text.EncodingOf(after).Decode(after)
	deltas, isText := linediff.Deltas(old, new, nil)
	numbers := text.Numbers{Text: text.New(old)}
	at := func(offset int) plan.Position { // in UTF-16 code units
		p := plan.Position{Line: numbers.At(offset)}
		for _, r := range string(old[numbers.Start(p.Line):offset]) {
			p.Column += utf16.RuneLen(r)
		}
		return p
	}
	edits := make([]plan.Edit, len(deltas))
	for i, d := range deltas {
		head, tail := text.CommonEnds(old[d.OldFrom:d.OldTo], new[d.NewFrom:d.NewTo])
		replaced := &plan.Range{Start: at(d.OldFrom + head), End: at(d.OldTo - tail)}
		edits[i] = plan.Edit{New: string(new[d.NewFrom+head : d.NewTo-tail]), Range: replaced}
	}
	if !isText || slices.ContainsFunc(edits, func(e plan.Edit) bool { return !utf8.ValidString(e.New) }) {
		return nil, false
	}
	got, err := w.apply(before, edits)
	return edits, err == nil && bytes.Equal(got, after)
}
