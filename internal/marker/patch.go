package marker

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A PatchMarker is the meaning of a line of a V4A patch that begins with "***".
type PatchMarker int

const (
	PatchNone PatchMarker = iota
	PatchBegin
	PatchEnd
	PatchAdd
	PatchDelete
	PatchUpdate
	PatchMove
	PatchEOF
	PatchEnvironment // says where the patch is carried out, which is the caller's affair
)

// PatchMarkers has the markers in lower case and without spaces.
var PatchMarkers = map[string]PatchMarker{
	"beginpatch": PatchBegin, "endpatch": PatchEnd, "endoffile": PatchEOF,
	"addfile:": PatchAdd, "deletefile:": PatchDelete, "updatefile:": PatchUpdate, "moveto:": PatchMove,
	"environmentid:": PatchEnvironment,
}

// shortMarkers are further spellings, which may mean something else in a request of unknown format.
var shortMarkers = map[string]PatchMarker{"add:": PatchAdd, "delete:": PatchDelete, "update:": PatchUpdate}

// IsHeader reports whether a marker begins the section of a file.
func (m PatchMarker) IsHeader() bool { return m == PatchAdd || m == PatchDelete || m == PatchUpdate }

// ReadPatchMarker returns the marker that a line is, whatever its case and spaces, and the path that it names.
func ReadPatchMarker(s string) (PatchMarker, string) { return readMarker(s, nil) }

// ReadInnerMarker does the same in a request that is known to be a patch.
func ReadInnerMarker(s string) (PatchMarker, string) { return readMarker(s, shortMarkers) }

func readMarker(s string, more map[string]PatchMarker) (PatchMarker, string) {
	s, ok := strings.CutPrefix(text.Unindented(s), "***")
	if !ok {
		return PatchNone, ""
	}
	const longest = 40 // of the words of a marker, with generous spaces
	words, path, named := strings.Cut(s, ":")
	if named {
		words += ":"
	} else {
		words = strings.TrimRight(strings.TrimSpace(words), "*")
	}
	if len(words) > longest {
		return PatchNone, ""
	}
	words = strings.ToLower(strings.Join(strings.Fields(words), ""))
	m := PatchMarkers[words]
	if m == PatchNone {
		m = more[words]
	}
	if m == PatchNone || !named {
		return m, ""
	}
	path = strings.Trim(strings.TrimSuffix(strings.Trim(path, text.Space), " ***"), text.Space)
	return m, WithoutQuotes(path)
}

// WithoutQuotes returns a path without the quotes or code marks around it.
func WithoutQuotes(s string) string {
	if n := len(s); n > 2 && (s[0] == '`' || s[0] == '"') && s[n-1] == s[0] {
		if inner := s[1 : n-1]; !strings.ContainsAny(inner, "`\"") {
			return inner
		}
	}
	return s
}

func IsPatchBegin(s string) bool {
	m, _ := ReadPatchMarker(s)
	return m == PatchBegin
}

// HasPatchBegin reports whether a request has a line "*** Begin Patch".
func HasPatchBegin(request string) bool {
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if IsPatchBegin(in.Line) {
			return true
		}
	}
	return false
}

// LastPatchEnd returns the offset of the last line "*** End Patch", which may have a "+" in front, -1 if there is none.
func LastPatchEnd(request string) int {
	for at := len(request); ; {
		at = strings.LastIndex(request[:at], "***")
		if at < 0 {
			return -1
		}
		at = 1 + strings.LastIndexByte(request[:at], '\n')
		line, _, _ := strings.Cut(request[at:], "\n")
		if m, _ := ReadPatchMarker(strings.TrimPrefix(line, "+")); m == PatchEnd {
			return at
		}
	}
}
