package atomicedit

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/commit"
)

// readNamed reads the file that a request names. A backslash in the name is a slash, unless the store has a file of that very
// name. It also returns the path that it read. If the store refuses both spellings, the first refusal stands.
func readNamed(name string, read func(path string) (*File, error)) (f *File, path string, err error) {
	f, err = read(name)
	refused := errors.Is(err, ErrOutside) || errors.Is(err, fs.ErrInvalid)
	if !refused && !errors.Is(err, fs.ErrNotExist) || !strings.Contains(nameOf(f, name), `\`) {
		return f, name, err
	}
	path = withSlashes(name)
	other, otherErr := read(path)
	if refused && (errors.Is(otherErr, ErrOutside) || errors.Is(otherErr, fs.ErrInvalid)) {
		return f, name, err
	}
	return other, path, otherErr
}

// withSlashes returns a path with a slash in the place of each backslash. A path that begins with a drive is absolute, so that it
// cannot name a directory called "C:".
func withSlashes(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	if drive, _, ok := strings.Cut(name, ":/"); ok && len(drive) == 1 && drive != "/" {
		return "/" + name
	}
	return name
}

// cleanNamed returns the shortest spelling of a path of a request, with slashes.
func cleanNamed(name string) string { return path.Clean(withSlashes(name)) }

// slashesNote tells how a path of a request was read.
func slashesNote(name string) string {
	return "the request has the path " + commit.ShowPath(name) + "; its backslashes were read as slashes"
}

// isElsewhere tells of a file that the store has under the end of a path without a file, "" if there is none. Of a relative path
// the end is all but its first part, which may be the name of the root; of an absolute one it is the longest end that names a file,
// because all before it may be the name of another work tree.
func isElsewhere(name string, read func(path string) (*File, error)) string {
	const maxParts = 20 // of an absolute path; each may cost a read
	rest, absolute := strings.CutPrefix(cleanNamed(name), "/")
	if !absolute {
		_, rest, _ = strings.Cut(rest, "/")
	}
	for range maxParts {
		if rest == "" {
			break
		}
		if _, err := read(rest); err == nil || errors.Is(err, ErrUnread) || errors.Is(err, ErrStale) {
			return "; there is a file " + commit.ShowPath(rest) + ": use that path if you mean this file"
		}
		if !absolute {
			break
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return ""
}

// lacksPath reports whether an operation of p names no file.
func (p Plan) lacksPath() bool {
	return slices.ContainsFunc(p.Ops, func(op Op) bool { return op.Path == "" })
}

// in returns p with dir in front of every path that is relative. It modifies no argument.
func (p Plan) in(dir string) Plan {
	p.Ops = slices.Clone(p.Ops)
	for i, op := range p.Ops {
		p.Ops[i].Path, p.Ops[i].OtherPath, p.Ops[i].To = inDir(dir, op.Path), inDir(dir, op.OtherPath), inDir(dir, op.To)
	}
	return p
}

// inDir joins dir and a name, unless one of them is empty or the name is absolute.
func inDir(dir, name string) string {
	if dir == "" || name == "" || path.IsAbs(withSlashes(name)) || strings.HasPrefix(name, "~/") {
		return name
	}
	return path.Join(dir, name)
}
