package plan

import (
	"bytes"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

// An Edit has the fields of an Edit of package atomicedit, which documents them.
type Edit struct {
	Old        string   `json:"old,omitempty"`
	New        string   `json:"new,omitempty"`
	WholeLines bool     `json:"whole_lines,omitempty"`
	Count      int      `json:"count,omitempty"`
	Near       int      `json:"near,omitempty"`
	Anchors    []string `json:"anchors,omitempty"`
	Section    string   `json:"section,omitempty"`
	Hunk       string   `json:"hunk,omitempty"`
	AtEnd      bool     `json:"at_end,omitempty"`
	First      int      `json:"first,omitempty"`
	Last       int      `json:"last,omitempty"`
	Range      *Range   `json:"range,omitempty"`
	Tags       []Tag    `json:"tags,omitempty"`
	Number     int      `json:"number,omitempty"`
}

// All is the Count of an edit that replaces every occurrence.
const All = -1

// Misfit returns a message about fields of e that do not go together, "" if all of them do.
func (e Edit) Misfit(w Words) string {
	switch {
	case e.Range != nil && (e.Old != "" || e.First != 0 || e.Last != 0):
		return w.Say("the {edit} has a range and another place, by its old text or by line numbers: " +
			"give only one of them")
	case e.Range != nil && (e.WholeLines || e.Count != 0 || e.Near != 0 || len(e.Anchors) > 0 || e.Section != "" ||
		e.Hunk != "" || e.AtEnd):
		return w.Say("an {edit} by a range has only new text besides: leave out whole lines, the count, " +
			"the nearby line, anchors and what belongs to a hunk")
	case e.First == 0 && e.Last > 0:
		return w.Say("the {edit} has a last line but no first line: give both, or neither")
	case e.First > 0 && (e.Count != 0 || e.Near != 0 || len(e.Anchors) > 0 || e.AtEnd):
		return w.Say("an {edit} by line numbers cannot have a count, a nearby line, " +
			"anchors or an end-of-file marker: leave them out")
	case e.First == 0 && e.Old == "" && e.Count != 0:
		return w.Say("the {edit} has a count but no old text to count: leave the count out, or give {old}")
	case !e.WholeLines && (e.Section != "" || e.Hunk != ""):
		return w.Say("only an {edit} of whole lines can have the section or the line prefixes of a hunk: " +
			"leave them out")
	}
	for _, t := range e.Tags {
		if msg := t.misfit(); msg != "" {
			return msg
		}
	}
	return ""
}

// Pointless refuses a substring edit that changes nothing, or whose numbers make no sense.
func (e *Edit) Pointless(w Words) *Problem {
	switch {
	case e.Old == e.New:
		return &Problem{Err: errs.ErrNoChange, Msg: w.Say("{old} and {new} are the same: leave the {edit} out")}
	case e.Count < All || e.Near < 0:
		return Invalid("the count is below -1, or the line number is negative: correct them")
	}
	return nil
}

// JoinsLines reports whether a substring edit removes the line ending at the end of its old text, but not the whole
// text.
func (e *Edit) JoinsLines() bool {
	return strings.HasSuffix(e.Old, "\n") && e.New != "" && !strings.HasSuffix(e.New, "\n")
}

// Readable returns edits as they apply to t, the text of a file in enc: without the byte order mark that requests copy
// along with the first line, unless other lines have one, and with "\n" line endings if the lines of t end in "\r".
func Readable(edits []Edit, t text.Text, enc text.Encoding) []Edit {
	marked := enc.IsMarked() && !bytes.Contains(t.Data, []byte(text.ByteOrderMark))
	if !marked && t.EOL == '\n' {
		return edits
	}
	edits = slices.Clone(edits)
	endings := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	for i := range edits {
		e := &edits[i]
		if marked {
			e.Old, e.New = strings.TrimPrefix(e.Old, text.ByteOrderMark), strings.TrimPrefix(e.New, text.ByteOrderMark)
		}
		if t.EOL == '\r' {
			e.Old, e.New = endings.Replace(e.Old), endings.Replace(e.New)
		}
	}
	return edits
}
