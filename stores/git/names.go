package git

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
)

// clean returns the one spelling of a path, or refuses it: as every store does, and as git does that may check the tree
// out on any system.
func clean(path string) (string, error) {
	name, err := atomicedit.CleanPath(path)
	if err != nil {
		return "", err
	}
	for part := range strings.SplitSeq(name, "/") {
		if isDotGit(part) {
			return "", &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf(
				"%s is a name that git reserves for its own directory, on some system: use another one: %w", show(part),
				fs.ErrInvalid)}
		}
	}
	return name, nil
}

// isDotGit reports whether some file system takes a name for ".git": as core.protectNTFS and core.protectHFS have it,
// both of which count here whatever the repository says. NTFS ignores case, dots and spaces at the end, and the name of
// a stream; it has the short name git~1, and backslashes between directories. HFS+ ignores case and some characters
// that do not show.
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

// folded returns the one spelling of all names that differ only in case. Bytes that are not UTF-8 stay as they are.
func folded(name string) string {
	var b strings.Builder
	for name != "" {
		r, size := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && size == 1 {
			b.WriteByte(name[0])
		} else {
			b.WriteRune(foldedRune(r))
		}
		name = name[size:]
	}
	return b.String()
}

func foldedRune(r rune) rune {
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
}

// show returns a name for a message.
func show(name string) string {
	if !utf8.ValidString(name) || strings.ContainsFunc(name,
		func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }) {
		return strconv.Quote(name)
	}
	return name
}

// parts yields the parts of a clean path, each after the path that ends with it.
func parts(name string) iter.Seq2[string, string] {
	return func(yield func(path, part string) bool) {
		for from := 0; from <= len(name); {
			end := strings.IndexByte(name[from:], '/')
			if end < 0 {
				end = len(name) - from
			}
			if !yield(name[:from+end], name[from:from+end]) {
				return
			}
			from += end + 1
		}
	}
}

// about returns an error about a file; one about the machinery stays as it is.
func about(path string, err error) error {
	for _, is := range []error{fs.ErrInvalid, fs.ErrNotExist, fs.ErrExist, atomicedit.ErrTooLarge,
		atomicedit.ErrUnfinished} {
		if errors.Is(err, is) {
			return &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
	return err
}

// notDir refuses a path below what is no directory.
func notDir(name string) error {
	return fmt.Errorf("%s is not a directory, so nothing can be below it: use another path: %w", show(name),
		fs.ErrInvalid)
}
