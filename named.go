package atomicedit

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/atomicedit/atomicedit/internal/names"
)

// readNamed reads the file that a request names. A backslash in the name is a slash, unless the store has a file of that very
// name. It also returns the path that it read. If the store refuses both spellings, the first refusal stands.
func readNamed(name string, read func(path string) (*File, error)) (f *File, path string, err error) {
	f, err = read(name)
	refused := errors.Is(err, ErrOutside) || errors.Is(err, fs.ErrInvalid)
	if !refused && !errors.Is(err, fs.ErrNotExist) || !strings.Contains(nameOf(f, name), `\`) {
		return f, name, err
	}
	path = names.WithSlashes(name)
	other, otherErr := read(path)
	if refused && (errors.Is(otherErr, ErrOutside) || errors.Is(otherErr, fs.ErrInvalid)) {
		return f, name, err
	}
	return other, path, otherErr
}

// slashesNote tells how a path of a request was read.
func slashesNote(name string) string {
	return "the request has the path " + names.Show(name) + "; its backslashes were read as slashes"
}

// isElsewhere tells of a file that the store has under the end of a path without a file, "" if there is none. Of a relative path
// the end is all but its first part, which may be the name of the root; of an absolute one it is the longest end that names a file,
// because all before it may be the name of another work tree. The store may have several roots, of which the first has no name here.
func isElsewhere(name string, roots []string, read func(path string) (*File, error)) string {
	const maxParts = 20 // of an absolute path; each may cost a read
	is := func(path string) bool {
		_, err := read(path)
		return err == nil || errors.Is(err, ErrUnread) || errors.Is(err, ErrStale)
	}
	rest, absolute := strings.CutPrefix(names.OfRequest(name), "/")
	if !absolute {
		if hint := isInRoot(rest, roots, is); hint != "" {
			return hint
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	for range maxParts {
		if rest == "" {
			break
		}
		for i := range max(1, len(roots)) {
			end := rest
			if i > 0 {
				end = names.Below(roots[i], rest)
			}
			if is(end) {
				return useThat(end)
			}
		}
		if !absolute {
			break
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return ""
}

func useThat(path string) string {
	return "; there is a file " + names.Show(path) + ": use that path if you mean this file"
}

// isInRoot tells of the files that the roots behind the first have under a relative path, also under one that leads there from the
// first root, or that lacks the first slash of an absolute one, as in a diff.
func isInRoot(name string, roots []string, is func(path string) bool) string {
	if len(roots) == 0 {
		return ""
	}
	full := "/" + name
	if strings.HasPrefix(name, "../") {
		full, roots = path.Join(roots[0], name), roots[:1]
	}
	if is(full) {
		return useThat(full)
	}
	var have, named []string
	for _, root := range roots[1:] {
		if full := names.Below(root, name); is(full) {
			have, named = append(have, names.Show(root)), append(named, names.Show(full))
		}
	}
	switch len(have) {
	case 0:
		return ""
	case 1:
		return "; the root " + have[0] + " has one: name it as " + named[0]
	}
	return "; the roots " + strings.Join(have, " and ") + " have one each: name it as " + strings.Join(named, " or ")
}

// rootsOf returns the absolute names of the roots of a store, nil if it has none.
func rootsOf(s Store) []string {
	if session, ok := find[*Session](s); ok && !session.isZero() {
		s = session.store
	}
	if r, ok := find[rooted](s); ok {
		return r.roots()
	}
	return nil
}

// A rooted store has roots. Only [Dir] is one; the interface keeps its code out of programs that never open directories.
type rooted interface {
	Store
	roots() []string // their absolute names
}
