package disk

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// IsLocal reports whether the system would look up name below the directory, and under this spelling.
func IsLocal(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	if runtime.GOOS != "windows" {
		return true
	}
	// Windows does not allow these characters in a name. It drops dots and spaces at the end, so that two spellings
	// name one file.
	return !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`<>:"|?*\`, r) }) &&
		!slices.ContainsFunc(strings.Split(name, "/"),
			func(part string) bool { return strings.TrimRight(part, ". ") != part })
}

// Split returns path.Dir and path.Base of a clean name. It reads only the last part.
func Split(name string) (dir, base string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return ".", name
}
