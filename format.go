package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A format is one of the languages of requests in text.
type format int

const (
	noFormat format = iota
	formatBlocks
	formatV4A
	formatUnified
)

// formatOf returns the format that the current line is a marker of, provided that it stands outside all content.
func formatOf(in *text.Scanner) format {
	s := in.Line
	if s == "" {
		return noFormat
	}
	switch s[0] {
	case '<', '>', '-', '+':
		switch {
		case resemblesSearch(s) || strings.HasSuffix(strings.TrimRight(s, " \t"), " REPLACE") && strings.Trim(s, ">+ \t") == "REPLACE":
			return formatBlocks
		case s[0] == '-' || s[0] == '+':
			if h := readFileHeader(in); h != nil && (h.paired || h.aboveHunk && h.isSure(filehint.IsFileName)) {
				return formatUnified
			}
		}
	case '@':
		if readHunkHeader(s).counted {
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
		if m, _ := readPatchMarker(s); m != patchNone {
			return formatV4A
		}
	}
	return noFormat
}

// resemblesSearch reports whether a line is, or seems to be meant as, a SEARCH marker.
func resemblesSearch(s string) bool {
	word := strings.TrimLeft(s, "<-")
	return len(s)-len(word) >= 2 && strings.HasPrefix(strings.TrimPrefix(word, " "), "SEARCH")
}

// A patchMarker is the meaning of a line of a V4A patch that begins with "***".
type patchMarker int

const (
	patchNone patchMarker = iota
	patchBegin
	patchEnd
	patchAdd
	patchDelete
	patchUpdate
	patchMove
	patchEOF
)

// readPatchMarker returns the marker that a line is, and the path that it names.
func readPatchMarker(s string) (patchMarker, string) {
	s, ok := strings.CutPrefix(strings.TrimLeft(s, " \t"), "*** ")
	if !ok {
		return patchNone, ""
	}
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), " ***"))
	switch s {
	case "Begin Patch":
		return patchBegin, ""
	case "End Patch":
		return patchEnd, ""
	case "End of File":
		return patchEOF, ""
	}
	name, path, _ := strings.Cut(s, ":")
	path = withoutQuotes(strings.TrimSpace(path))
	switch name {
	case "Add File":
		return patchAdd, path
	case "Delete File":
		return patchDelete, path
	case "Update File":
		return patchUpdate, path
	case "Move to":
		return patchMove, path
	}
	return patchNone, ""
}

// withoutQuotes returns a path without the quotes or code marks around it.
func withoutQuotes(s string) string {
	if n := len(s); n > 2 && (s[0] == '`' || s[0] == '"') && s[n-1] == s[0] {
		if inner := s[1 : n-1]; !strings.ContainsAny(inner, "`\"") && inner == strings.TrimSpace(inner) {
			return inner
		}
	}
	return s
}

// hasPatchBegin reports whether a request has a line "*** Begin Patch".
func hasPatchBegin(request string) bool {
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if m, _ := readPatchMarker(in.Line); m == patchBegin {
			return true
		}
	}
	return false
}
