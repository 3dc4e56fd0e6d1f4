package atomicedit

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/tagcall"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A format is one of the languages of requests in text.
type format int

const (
	noFormat format = iota
	formatBlocks
	formatV4A
	formatUnified
	formatHashline
	formatXML
	formatFence // code fences that call a tool
)

// A recognizer tells the lines that open or close a format where they stand outside all content.
type recognizer struct {
	format format
	first  string // the characters that such lines begin with, "" for any
	is     func(in *text.Scanner) bool
}

// recognizers are in the order in which they are asked. The first that knows a line has it.
var recognizers = []recognizer{
	{formatBlocks, "<>-+", func(in *text.Scanner) bool { return isBlockLine(in.Line) }},
	{formatXML, "", beginsCall},
	{formatUnified, "-+@d", beginsDiff},
	{formatV4A, "@", func(in *text.Scanner) bool { return in.Line == "@@" || strings.HasPrefix(in.Line, "@@ ") }},
	{formatFence, "`", func(in *text.Scanner) bool { return isFenceCall(in.Line) }},
	{formatHashline, " \t*[CDIPS", beginsHashlines},
	{formatV4A, " \t*", func(in *text.Scanner) bool { m, _ := readPatchMarker(in.Line); return m != patchNone }},
	{formatV4A, "", callsPatch},
}

// formatOf returns the format that the current line is a marker of, provided that it stands outside all content.
func formatOf(in *text.Scanner) format {
	if in.Line == "" {
		return noFormat
	}
	for _, r := range recognizers {
		if (r.first == "" || strings.IndexByte(r.first, in.Line[0]) >= 0) && r.is(in) {
			return r.format
		}
	}
	return noFormat
}

// isBlockLine reports whether a line begins or ends a block, or seems to be meant to.
func isBlockLine(s string) bool {
	closes := strings.HasSuffix(strings.TrimRight(s, " \t"), " REPLACE") && strings.Trim(s, ">+ \t") == "REPLACE"
	return closes || resemblesSearch(s) || isOriginal(s)
}

// beginsDiff reports whether a file of a unified diff, or a hunk, begins on the current line.
func beginsDiff(in *text.Scanner) bool {
	switch in.Line[0] {
	case '@':
		return readHunkHeader(in.Line).counted
	case 'd':
		return strings.HasPrefix(in.Line, "diff --git ")
	}
	h := readFileHeader(in)
	return h != nil && (h.paired || h.aboveHunk && h.isSure(filehint.IsFileName))
}

// beginsHashlines reports whether the current line is an operation of hashlines, or what stands above one.
func beginsHashlines(in *text.Scanner) bool {
	switch in.Line[0] {
	case ' ', '\t', '*':
		return isPatchBegin(in.Line) && strings.HasPrefix(in.Peek(), "[")
	case '[':
		return isHashlineHeader(in)
	}
	op, ok := readHashlineOp(in.Line)
	return ok && op.kind <= cutLines && op.problem == ""
}

// onlyProse refuses text around calls that has a marker of another format.
func onlyProse(request string, span [2]int) error {
	in := text.Scanner{Src: request[span[0]:span[1]]}
	for in.Scan() {
		if f := formatOf(&in); f != noFormat && f != formatXML {
			return mixedFormats(lineAt(request, span[0]+in.At), quote(in.Line), "calls")
		}
	}
	return nil
}

// fenceTools are the tools whose calls are code fences around the content of a file, with its path behind the name of the tool, as in
// "```save a.go": of gptme.
var fenceTools = []string{"save", "append"}

// fenceCall returns the tool that a code fence calls, and the file, "" if it calls none.
func fenceCall(line string) (tool, file string) {
	if !strings.HasPrefix(line, "```") {
		return "", ""
	}
	tool, file, _ = strings.Cut(strings.TrimSpace(strings.TrimLeft(line, "`")), " ")
	if !slices.Contains(fenceTools, tool) || strings.ContainsAny(file, " \t={}") || !filehint.IsPath(file) {
		return "", ""
	}
	return tool, file
}

// isFenceCall reports whether a line opens a code fence that calls a tool.
func isFenceCall(line string) bool {
	tool, _ := fenceCall(line)
	return tool != ""
}

// callsPatch reports whether the current line passes a patch on in a shell: in a here-document or, for apply_patch, in an argument.
func callsPatch(in *text.Scanner) bool {
	s := in.Line
	for _, name := range []string{"apply_patch", "applypatch"} {
		if _, input, ok := strings.Cut(s, name); ok {
			input = text.Unindented(input)
			patch := strings.TrimLeft(input, "\"'")
			return strings.Contains(s, "<<") || patch != input && (patch == "" || strings.HasPrefix(patch, "***"))
		}
	}
	if !strings.Contains(s, "<<") || resemblesSearch(s) {
		return false
	}
	below, _ := readPatchMarker(in.Peek())
	return below == patchBegin
}

// beginsCall reports whether a call in tags, or a tag around calls, begins on the current line.
func beginsCall(in *text.Scanner) bool {
	return strings.IndexByte(in.Line, '<') >= 0 && tagcall.Begins(in.Src, in.At, in.Next, tagKind)
}

// resemblesSearch reports whether a line is, or seems to be meant as, a SEARCH marker.
func resemblesSearch(s string) bool {
	n := 0
	for n < len(s) && (s[n] == '<' || s[n] == '-') {
		n++
	}
	return n >= 2 && strings.HasPrefix(strings.TrimPrefix(s[n:], " "), "SEARCH")
}

// isOriginal reports whether a line is "<<<<<<< ORIGINAL".
func isOriginal(line string) bool {
	marks, ok := strings.CutSuffix(strings.TrimRight(line, " \t"), " ORIGINAL")
	return ok && len(marks) >= 5 && strings.Trim(marks, "<") == ""
}

// insideFences returns the content of the code fence around the whole request, or of several around one another, if there are any.
// Newlines in front keep its lines at their numbers.
func insideFences(request string) (inner string, ok bool) {
	const deepest = 4 // nobody wraps a request more often
	inner = request
	for range deepest {
		next, fenced := insideFence(inner)
		if !fenced {
			break
		}
		inner, ok = next, true
	}
	return inner, ok
}

// insideFence does the same for a single fence.
func insideFence(request string) (inner string, ok bool) {
	body := strings.TrimSpace(request)
	end := strings.LastIndexByte(body, '\n')
	if end < 0 || !text.IsFence(body) || !text.IsFence(body[end+1:]) {
		return "", false
	}
	start := strings.IndexByte(body, '\n')
	above := strings.Count(request[:strings.Index(request, body)], "\n") + 1
	return strings.Repeat("\n", above) + body[start:end][min(1, end-start):], true
}

// closesFence reports whether a line may end the code fence that another opens: whether it has as many of its marks, and nothing else.
func closesFence(opens, line string) bool {
	opens, line = strings.TrimSpace(opens), strings.TrimSpace(line)
	marks := len(opens) - len(strings.TrimLeft(opens, opens[:1]))
	return len(line) >= marks && strings.Trim(line, opens[:1]) == ""
}
