package git

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit"
)

// clean returns the one spelling of a path, or refuses it: as every store does, and as git does that may check the tree out on any
// system.
func clean(path string) (string, error) {
	name, err := atomicedit.CleanPath(path)
	if err != nil {
		return "", err
	}
	for part := range strings.SplitSeq(name, "/") {
		if isDotGit(part) {
			return "", &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf(
				"%s is a name that git reserves for its own directory, on some system: use another one: %w", show(part), fs.ErrInvalid)}
		}
	}
	return name, nil
}

// isDotGit reports whether some file system takes a name for ".git": as core.protectNTFS and core.protectHFS have it, both of which
// count here whatever the repository says. NTFS ignores case, dots and spaces at the end, and the name of a stream; it has the
// short name git~1, and backslashes between directories. HFS+ ignores case and some characters that do not show.
func isDotGit(name string) bool {
	shown := strings.Map(func(r rune) rune {
		if isIgnoredByHFS(r) {
			return -1
		}
		return r
	}, name)
	if folded(shown) == ".git" {
		return true
	}
	for part := range strings.SplitSeq(name, `\`) {
		part, _, _ = strings.Cut(part, ":")
		if part = folded(strings.TrimRight(part, ". ")); part == ".git" || part == "git~1" {
			return true
		}
	}
	return false
}

// isIgnoredByHFS reports whether HFS+ ignores a character in a name, by the list that git has.
func isIgnoredByHFS(r rune) bool {
	return 0x200c <= r && r <= 0x200f || 0x202a <= r && r <= 0x202e || 0x206a <= r && r <= 0x206f || r == 0xfeff
}

// folded returns the one spelling of all names that differ only in case.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			return r
		}
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return unicode.ToLower(least)
	}, name)
}

// show returns a name for a message.
func show(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }) {
		return strconv.Quote(name)
	}
	return name
}
