package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

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
	patchEnvironment // says where the patch is carried out, which is the caller's affair
)

// patchMarkers has the markers in lower case and without spaces.
var patchMarkers = map[string]patchMarker{
	"beginpatch": patchBegin, "endpatch": patchEnd, "endoffile": patchEOF,
	"addfile:": patchAdd, "deletefile:": patchDelete, "updatefile:": patchUpdate, "moveto:": patchMove, "environmentid:": patchEnvironment,
}

// shortMarkers are further spellings, which may mean something else in a request of unknown format.
var shortMarkers = map[string]patchMarker{"add:": patchAdd, "delete:": patchDelete, "update:": patchUpdate}

// isHeader reports whether a marker begins the section of a file.
func (m patchMarker) isHeader() bool { return m == patchAdd || m == patchDelete || m == patchUpdate }

// readPatchMarker returns the marker that a line is, and the path that it names. Upper and lower case are the same, and spaces do
// not count.
func readPatchMarker(s string) (patchMarker, string) { return readMarker(s, nil) }

// readInnerMarker does the same in a request that is known to be a patch.
func readInnerMarker(s string) (patchMarker, string) { return readMarker(s, shortMarkers) }

func readMarker(s string, more map[string]patchMarker) (patchMarker, string) {
	s, ok := strings.CutPrefix(text.Unindented(s), "***")
	if !ok {
		return patchNone, ""
	}
	const longest = 40 // of the words of a marker, with generous spaces
	words, path, named := strings.Cut(s, ":")
	if named {
		words += ":"
	} else {
		words = strings.TrimRight(strings.TrimSpace(words), "*")
	}
	if len(words) > longest {
		return patchNone, ""
	}
	words = strings.ToLower(strings.Join(strings.Fields(words), ""))
	m := patchMarkers[words]
	if m == patchNone {
		m = more[words]
	}
	if m == patchNone || !named {
		return m, ""
	}
	path = strings.Trim(strings.TrimSuffix(strings.Trim(path, text.Space), " ***"), text.Space)
	return m, withoutQuotes(path)
}

// withoutQuotes returns a path without the quotes or code marks around it.
func withoutQuotes(s string) string {
	if n := len(s); n > 2 && (s[0] == '`' || s[0] == '"') && s[n-1] == s[0] {
		if inner := s[1 : n-1]; !strings.ContainsAny(inner, "`\"") {
			return inner
		}
	}
	return s
}

func isPatchBegin(s string) bool {
	m, _ := readPatchMarker(s)
	return m == patchBegin
}

// hasPatchBegin reports whether a request has a line "*** Begin Patch".
func hasPatchBegin(request string) bool {
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if isPatchBegin(in.Line) {
			return true
		}
	}
	return false
}

// lastPatchEnd returns the offset of the last line "*** End Patch", which may have a "+" in front, -1 if there is none.
func lastPatchEnd(request string) int {
	for at := len(request); ; {
		at = strings.LastIndex(request[:at], "***")
		if at < 0 {
			return -1
		}
		at = 1 + strings.LastIndexByte(request[:at], '\n')
		line, _, _ := strings.Cut(request[at:], "\n")
		if m, _ := readPatchMarker(strings.TrimPrefix(line, "+")); m == patchEnd {
			return at
		}
	}
}
