package plan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

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
	case e.First < 0 || e.Last < 0 || e.Last != 0 && e.Last < e.First || e.Count < All || e.Near < 0:
		return "the line numbers are negative or reversed, or the count is below -1: correct them"
	case e.Range != nil && (e.Old != "" || e.First != 0 || e.Last != 0 || e.WholeLines || e.Count != 0 || e.Near != 0 ||
		len(e.Anchors) > 0 || e.Section != "" || e.Hunk != "" || e.AtEnd):
		return w.Say("an {edit} by a range has only new text besides: leave out the range, or else the old text, " +
			"line numbers, whole lines, the count, anchors and what belongs to a hunk")
	case e.First == 0 && e.Last > 0, e.First > 0 && e.Old != "" && e.Last == 0:
		return w.Say("the {edit} has only one of a first and a last line: give both lines, or neither")
	case e.First > 0 && (e.Count != 0 && e.Old == "" || e.Near != 0 || len(e.Anchors) > 0 || e.AtEnd):
		return w.Say("an {edit} by line numbers cannot have a count, a nearby line, anchors or an end-of-file " +
			"marker: leave them out")
	case e.First == 0 && e.Old == "" && e.Count != 0:
		return w.Say("the {edit} has a count but no old text to count: leave the count out, or give {old}")
	case !e.WholeLines && (e.Section != "" || e.Hunk != ""):
		return w.Say("only an {edit} of whole lines can have the section or the line prefixes of a hunk: leave them " +
			"out")
	case slices.ContainsFunc(e.Anchors, func(a string) bool { return text.IsBlank(a) || strings.Contains(a, "\n") }):
		return "an anchor is one line that is not blank, without its ending: give such a line, or leave the anchor out"
	}
	for _, t := range e.Tags {
		if msg := t.misfit(); msg != "" {
			return msg
		}
	}
	return ""
}

func (e *Edit) Pointless(w Words) *Problem {
	if e.Old == e.New {
		return &Problem{Err: errs.ErrNoChange, Msg: w.Say("{old} and {new} are the same: leave the {edit} out")}
	}
	return nil
}

// JoinsLines reports whether a substring edit removes the line ending at the end of its old text, but not all of it.
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

// Unusable refuses edits whose fields do not go together, or whose new text would turn a file in enc into another kind
// of file. First is the index of edits[0] in the request, whose words are w.
func Unusable(edits []Edit, first int, enc text.Encoding, w Words) (problems []Problem) {
	for i, e := range edits {
		var p *Problem
		switch msg := e.Misfit(w); {
		case msg != "":
			p = Invalid(msg)
		case strings.IndexByte(e.New, 0) >= 0:
			p = &Problem{Err: errs.ErrBinary, Msg: w.Say("{new} has a NUL byte, which no text file has: leave it out")}
		case enc.IsDecoded() && !(utf8.ValidString(e.Old) && utf8.ValidString(e.New)):
			p = &Problem{Err: errs.ErrEncoding, Msg: w.Say("the file is shown and edited as UTF-8, but the old or " +
				"{new} is not valid UTF-8: send both as valid UTF-8")}
		default:
			continue
		}
		p.Edit = first + i
		problems = append(problems, *p)
	}
	return problems
}

// Unwritable refuses an edit with a character that a file in enc cannot have. The edit has the given index, unless it
// only takes part in the change: then it is the first that has the character.
func Unwritable(edits []Edit, index int, char string, enc text.Encoding, w Words) *Problem {
	has := func(e Edit) bool { return strings.Contains(e.New, char) }
	if i := slices.IndexFunc(edits, has); i >= 0 && !has(edits[index]) { // they have been merged
		index = i
	}
	at := fmt.Sprintf("%q", char)
	if above, _, ok := strings.Cut(edits[index].New, char); ok {
		at += w.Say(" in line %d of {new}", 1+strings.Count(above, "\n"))
	}
	const instead = ": write it in ASCII, as an escape sequence for instance, and leave lines that do not change out " +
		"of the {edit}"
	msg := "the file is in UTF-8, but {new} has bytes that are not: %s: send valid UTF-8"
	switch {
	case enc.IsDecoded():
		msg = "the encoding of the file lacks %s" + instead
	case enc.IsUnknown():
		msg = "the file is not in UTF-8, and its encoding is unknown, so new text must be ASCII, but it has %s" +
			instead
	}
	return &Problem{Err: errs.ErrEncoding, Edit: index, Msg: w.Say(msg, at)}
}

// CheckContent refuses content that cannot be meant as a whole file in the place of before: content with a placeholder
// (E3), or with a viewer's numbers in front of all lines (N2), or in a code fence, or with line breaks as escapes.
func CheckContent(path, content string, before []byte) *Problem {
	words := Words{Old: "the file", New: "the content", file: path}
	if len(before) > 0 { // a new file has nothing that could be left out
		if p := Damaged(string(before), content, text.New(before), words); p != nil {
			return p
		}
	} else if path != "" && isFenced(content) && !mayBeFence(path, content) {
		return fenced(words)
	}
	if endsInEscape(content) {
		return Invalid("the content is one line, with line breaks written as \"\\n\": send real line breaks")
	}
	lines := text.Split(content)
	n, ok := text.NumberingOf(lines)
	if !ok || !n.IsViewers(lines) || len(lines) < 2 || bytes.Contains(before, []byte(lines[0])) {
		return nil
	}
	return Invalid("every line of the content begins with a line number, as a viewer shows it: write the lines " +
		"without the numbers")
}
