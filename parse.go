package atomicedit

import (
	"encoding/json"
	"strings"
)

// Parse reads a request of any format that this package knows, and tells them apart by their look: JSON by its first
// character, the others by the first line that is one of their markers. See [ParseJSON], [ParseBlocks], [ParseV4A] and
// [ParseUnified] for what they read.
//
// An empty request, one of no known format, and one of several formats (with markers of another format outside the
// content of the first) is a [*Refusal] with [ErrSyntax]. A V4A body without any "@@" or "***" line is not recognised:
// it is for ParseV4A.
func Parse(text string) (Plan, error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	body := strings.TrimSpace(text)
	if body == "" {
		return Plan{}, syntax(1, "the request is empty: expected SEARCH/REPLACE blocks, a patch, a unified diff or JSON")
	}
	if body[0] == '{' || body[0] == '[' && json.Valid([]byte(body)) {
		return ParseJSON([]byte(text))
	}
	if inner, ok := fenced(text); ok && strings.HasPrefix(strings.TrimSpace(inner), "{") {
		return ParseJSON([]byte(inner))
	}
	for in := (scanner{src: text}); in.scan(); {
		switch formatOf(&in) {
		case formatBlocks:
			return ParseBlocks(text)
		case formatV4A:
			return ParseV4A(text)
		case formatUnified:
			return ParseUnified(text)
		}
	}
	for in := (scanner{src: text}); in.scan(); {
		if trimmed := strings.TrimLeft(in.text, " \t"); trimmed != in.text && isBrokenSearch(trimmed) {
			return Plan{}, indentedMarker(in.no, in.text)
		}
	}
	first, _, _ := strings.Cut(body, "\n")
	return Plan{}, syntax(1, "no known format, it begins with "+quote(first)+": expected \"<<<<<<< SEARCH\", "+
		"\"*** Begin Patch\", \"--- a/file\" and \"+++ b/file\", or JSON")
}

// fenced returns what stands in the code fence around the whole text, if there is one, at its own lines.
func fenced(text string) (inner string, ok bool) {
	body := strings.TrimSpace(text)
	end := strings.LastIndexByte(body, '\n')
	if end < 0 || !isFence(body) || !isFence(body[end+1:]) {
		return "", false
	}
	start := strings.IndexByte(body, '\n')
	above := strings.Count(text[:strings.Index(text, body)], "\n") + 1
	return strings.Repeat("\n", above) + body[start:end][min(1, end-start):], true
}

// A format is one of the languages of requests in text.
type format int

const (
	unknown format = iota
	formatBlocks
	formatV4A
	formatUnified
)

// formatOf returns the format that the current line, if it stands outside all content, is a marker of.
func formatOf(in *scanner) format {
	s := in.text
	if s == "" {
		return unknown
	}
	switch s[0] {
	case '<', '>', '-', '+':
		switch {
		case isBrokenSearch(s) || strings.HasSuffix(strings.TrimRight(s, " \t"), " REPLACE") && strings.Trim(s, ">+ \t") == "REPLACE":
			return formatBlocks
		case s[0] == '-' || s[0] == '+':
			if h := readFileHeader(in); h != nil && (h.pair || h.hunk && h.surely(isFileName)) {
				return formatUnified
			}
		}
	case '@':
		if h, ok := hunkHeader(s); ok && h.counted {
			return formatUnified
		}
		if s == "@@" || strings.HasPrefix(s, "@@ ") {
			return formatV4A
		}
	case 'd':
		if strings.HasPrefix(s, "diff --git ") {
			return formatUnified
		}
	case ' ', '\t', '*':
		if m, _ := patchMarker(s); m != patchNone {
			return formatV4A
		}
	}
	return unknown
}

// mixed is the refusal of a request that has a line of another format outside the content of the first one.
func mixed(line int, quoted, first string) error {
	return syntax(line, quoted+" belongs to another format than the "+first+" before it: expected one format; "+
		"if it is content, it must stand inside; else send two requests")
}
