// Package marker recognizes the lines that open, close or head a part of a request in text: the markers of blocks and
// patches, the headers of diffs, the verbs of hashlines. In comes a line, and at times those below it; out goes what it
// means. It knows nothing of the content between the lines, which the parsers of the formats read.
package marker

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/tagcall"
	"github.com/atomicedit/atomicedit/internal/text"
)

type Format int

const (
	None Format = iota
	Blocks
	V4A
	Unified
	Hashline
	Tags
	Fence // code fences that call a tool
)

// A recognizer tells the lines that open or close a format where they stand outside all content.
type recognizer struct {
	format Format
	first  string // the characters that such lines begin with, "" for any
	is     func(in *text.Scanner) bool
}

// recognizers are in the order in which they are asked. The first that knows a line has it.
var recognizers = []recognizer{
	{Blocks, "<>-+", beginsOrEndsBlock},
	{Tags, "", func(in *text.Scanner) bool { return tagcall.Begins(in.Src, in.At, in.Next) }},
	{Unified, "-+@d", beginsDiff},
	{V4A, "@", func(in *text.Scanner) bool { return in.Line == "@@" || strings.HasPrefix(in.Line, "@@ ") }},
	{Fence, "`", func(in *text.Scanner) bool { return IsFenceCall(in.Line) }},
	{Hashline, " \t*[CDIPS", beginsHashlines},
	{V4A, " \t*", func(in *text.Scanner) bool { m, _ := ReadPatchMarker(in.Line); return m != PatchNone }},
	{V4A, "", CallsPatch},
}

// Of returns the format that the current line is a marker of, provided that it stands outside all content.
func Of(in *text.Scanner) Format {
	if in.Line == "" {
		return None
	}
	for _, r := range recognizers {
		if (r.first == "" || strings.IndexByte(r.first, in.Line[0]) >= 0) && r.is(in) {
			return r.format
		}
	}
	return None
}

// beginsOrEndsBlock reports whether the current line begins or ends a block, or seems to be meant to.
func beginsOrEndsBlock(in *text.Scanner) bool {
	s := in.Line
	closes := strings.HasSuffix(strings.TrimRight(s, " \t"), " REPLACE") && strings.Trim(s, ">+ \t") == "REPLACE"
	return closes || ResemblesSearch(s) || IsOriginal(s)
}

// beginsDiff reports whether a file of a unified diff, or a hunk, begins on the current line.
func beginsDiff(in *text.Scanner) bool {
	switch in.Line[0] {
	case '@':
		return ReadHunkHeader(in.Line).Counted
	case 'd':
		return strings.HasPrefix(in.Line, "diff --git ")
	}
	h := ReadFileHeader(in)
	return h != nil && (h.Paired || h.AboveHunk && h.IsSure(filehint.IsFileName))
}

// beginsHashlines reports whether the current line is an operation of hashlines, or what stands above one.
func beginsHashlines(in *text.Scanner) bool {
	switch in.Line[0] {
	case ' ', '\t', '*':
		return IsPatchBegin(in.Line) && strings.HasPrefix(in.Peek(), "[")
	case '[':
		return IsBracketed(in.Line) && IsAboveOp(in)
	}
	op, ok := ReadHashlineOp(in.Line)
	return ok && op.Kind <= CutLines && op.Problem == ""
}

// OnlyProse refuses text around calls that has a marker of another format than own.
func OnlyProse(request string, span [2]int, own Format) error {
	in := text.Scanner{Src: request[span[0]:span[1]]}
	for in.Scan() {
		if f := Of(&in); f != None && f != own {
			return plan.MixedFormats(plan.LineAt(request, span[0]+in.At), plan.Excerpt(in.Line), "calls")
		}
	}
	return nil
}

// FenceCall returns the tool of gptme, and the file, of a fence around a whole file, as in "```save a.go", or "".
func FenceCall(line string) (tool, file string) {
	tool, file, _ = strings.Cut(strings.TrimSpace(strings.TrimLeft(line, "`")), " ")
	isCall := strings.HasPrefix(line, "```") && (tool == "save" || tool == "append")
	if !isCall || strings.ContainsAny(file, " \t={}") || !filehint.IsPath(file) {
		return "", ""
	}
	return tool, file
}

func IsFenceCall(line string) bool {
	tool, _ := FenceCall(line)
	return tool != ""
}

// CallsPatch reports whether a shell passes a patch on here, in a here-document or, for apply_patch, in an argument.
func CallsPatch(in *text.Scanner) bool {
	s := in.Line
	for _, name := range []string{"apply_patch", "applypatch"} {
		if _, input, ok := strings.Cut(s, name); ok {
			input = text.Unindented(input)
			patch := strings.TrimLeft(input, "\"'")
			return strings.Contains(s, "<<") || patch != input && (patch == "" || strings.HasPrefix(patch, "***"))
		}
	}
	return strings.Contains(s, "<<") && !ResemblesSearch(s) && IsPatchBegin(in.Peek())
}

// ResemblesSearch reports whether a line is, or seems to be meant as, a SEARCH marker.
func ResemblesSearch(s string) bool {
	const word, many = "SEARCH", 5 // signs, with which small letters are no word of a shell
	rest := strings.TrimLeft(s, "<-")
	signs := len(s) - len(rest)
	rest = strings.TrimPrefix(rest, " ")
	return signs >= 2 && strings.HasPrefix(rest, word) ||
		signs >= many && len(rest) >= len(word) && strings.EqualFold(rest[:len(word)], word)
}

func IsOriginal(line string) bool {
	marks, ok := strings.CutSuffix(strings.TrimRight(line, " \t"), " ORIGINAL")
	return ok && len(marks) >= 5 && strings.Trim(marks, "<") == ""
}

// InsideFences returns what the code fences around the whole request have inside, with its lines at their numbers.
func InsideFences(request string) (inner string, ok bool) {
	inner = request
	for range 4 { // nobody wraps a request more often
		body := strings.TrimSpace(inner)
		end := strings.LastIndexByte(body, '\n')
		if end < 0 || !text.IsFence(body) || !text.IsFence(body[end+1:]) {
			break
		}
		start := strings.IndexByte(body, '\n')
		above := strings.Count(inner[:strings.Index(inner, body)], "\n") + 1
		inner, ok = strings.Repeat("\n", above)+body[start:end][min(1, end-start):], true
	}
	return inner, ok
}
