package disk

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// IsLocal reports whether the system would look up name below the directory it is given for, and by this spelling.
func IsLocal(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	if runtime.GOOS != "windows" {
		return true
	}
	// Windows has no names with these characters. It drops dots and spaces at the end of a name, which makes two spellings
	// of one.
	return !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`<>:"|?*\`, r) }) &&
		!slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.TrimRight(part, ". ") != part })
}

// Split returns what path.Dir and path.Base return for a clean name, in the time that its last part takes.
func Split(name string) (dir, base string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return ".", name
}
