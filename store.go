package atomicedit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Version identifies content, not time: "sha256:" and hex. The zero value stands for no file.
type Version string

// VersionOf returns the version of data.
func VersionOf(data []byte) Version {
	sum := sha256.Sum256(data)
	return versionOf(sum[:])
}

func versionOf(sum []byte) Version { return Version("sha256:" + hex.EncodeToString(sum)) }

// A File is a file as a [Store] has it, or is to have it.
type File struct {
	Path  string      // the store's one name for it ("a.go", "./a.go", a link to it: one name); "" = as asked
	Data  []byte      // read-only for everybody
	Mode  fs.FileMode // permission and setuid, setgid, sticky bits; 0 in an After: as before, or the store's default
	Notes []string    // what the store wants said before a change is approved (hard links, owner…); goes into the report

	foundBy   *finder   // that Path is the one name, or would be
	protected [3]string // for each deed, if set, why a commit would refuse it
	unseen    string    // if set, what of the file a conversation has not seen: see [Session]
	written   bool      // in an After: every byte came from the request
	from      string    // in an After that replaces a file: the path of the delete of a move
}

// A finder stands for the [Dir] that has found a path.
type finder struct{ _ byte }

// A Change is what a commit does to one file. A move is two changes, the create and the delete.
type Change struct {
	Path   string
	Before *File  // nil: must not exist. What must be there is said by Data alone.
	After  *File  // nil: removed
	From   string // on the create of a move, the path of its delete; only a hint
}

// Check compares c with what is there now, by content alone; nil stands for an absent file. It returns nil, or a
// [*fs.PathError] that wraps [ErrStale], or [fs.ErrExist] for a file that should not be there.
func (c Change) Check(now *File) error {
	switch {
	case c.Before == nil && now != nil:
		return &fs.PathError{Op: "create", Path: c.Path, Err: fs.ErrExist}
	case c.Before != nil && (now == nil || !bytes.Equal(c.Before.Data, now.Data)):
		return &fs.PathError{Op: "check", Path: c.Path, Err: ErrStale}
	}
	return nil
}

// Invert returns the changes that undo changes: in reverse order, with Before and After swapped. It copies no data.
// Directories that the changes made are left; a file that comes back is a new one, as [OpenDir] says.
func Invert(changes []Change) []Change {
	to := map[string]string{} // where a deleted file has moved to
	for _, c := range changes {
		if c.From != "" {
			to[c.From] = c.Path
		}
	}
	var inv []Change
	for _, c := range slices.Backward(changes) {
		c.Before, c.After, c.From = c.After.unmarked(), c.Before.unmarked(), ""
		if c.Before == nil {
			c.From = to[c.Path]
		}
		inv = append(inv, c)
	}
	return inv
}

// unmarked returns f without what says who has found it: that was before the changes.
func (f *File) unmarked() *File {
	if f == nil || f.foundBy == nil {
		return f
	}
	unmarked := *f
	unmarked.foundBy = nil
	return &unmarked
}

// A Store keeps files. Paths are slash-separated and relative to its root. Every Store is safe for concurrent use.
// Package storetest checks an implementation.
type Store interface {
	// Read returns the file at path. If there is none the error wraps [fs.ErrNotExist], and a File that comes
	// with it has nothing but its Path. A path that the store cannot have is [fs.ErrInvalid] or [ErrOutside].
	Read(ctx context.Context, path string) (*File, error)

	// Commit does all changes or none: an error means that nothing changed, except [ErrNotDurable] (all changed,
	// perhaps not on disk yet) and [ErrUnfinished] (neither could be reached; the next Commit or open finishes it).
	// It checks every Before against what is there ([Change.Check]) at that moment; errors wrap the sentinels. Two
	// changes of the same file are [fs.ErrInvalid]. A store that cannot do several at once refuses with
	// [errors.ErrUnsupported] before writing.
	Commit(ctx context.Context, changes []Change) error
}

// cleanPath returns the shortest spelling of a path inside a store. A path that leads out of it is ErrOutside; one that
// can name no file is fs.ErrInvalid.
func cleanPath(name string) (string, error) {
	if len(name) > maxPath {
		return "", &fs.PathError{Op: "open", Path: name, Err: errLongPath}
	}
	clean := path.Clean(name)
	switch {
	case strings.ContainsRune(name, 0):
		return "", &fs.PathError{Op: "open", Path: name, Err: errNul}
	case name == "" || strings.HasSuffix(name, "/") || clean == ".":
		return "", &fs.PathError{Op: "open", Path: name, Err: errNoFile}
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../"):
		return "", &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%w: use a path inside it", ErrOutside)}
	}
	return clean, nil
}

// maxPath is the longest path of a file, in bytes: Linux takes no longer one in a call.
const maxPath = 4096

var (
	errNoFile   = fmt.Errorf("a path must name a file: %w", fs.ErrInvalid)
	errNul      = fmt.Errorf("a path cannot have a NUL byte in it: %w", fs.ErrInvalid)
	errLongPath = fmt.Errorf("a path of more than %d bytes is too long: %w", maxPath, fs.ErrInvalid)
)

// split is what path.Dir and path.Base say of a name that is clean, in the time that its last part takes.
func split(name string) (dir, base string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return ".", name
}

// parents returns the directories above a clean name, the nearest first, down to ".".
func parents(name string) []string {
	var dirs []string
	for name != "." {
		name, _ = split(name)
		dirs = append(dirs, name)
	}
	return dirs
}

// checkPaths refuses changes that cannot all happen at once: two of one file, or a file below another. The paths are
// the store's own names. Both halves of a move may have one name, which differs in a way that the store overlooks.
func checkPaths(changes []Change) error {
	seen := map[string]Change{}
	for _, c := range changes {
		if was, twice := seen[c.Path]; twice && !(was.After == nil && c.After != nil && c.From != "") {
			return &fs.PathError{Op: "check", Path: c.Path, Err: fmt.Errorf("two parts of the request change this file; make one of them: %w", fs.ErrInvalid)}
		}
		seen[c.Path] = c
	}
	for _, c := range changes {
		if c.After == nil {
			continue
		}
		for _, dir := range parents(c.Path) {
			if seen[dir].After != nil {
				return &fs.PathError{Op: "check", Path: c.Path, Err: fmt.Errorf("%s is to be a file, so nothing can be below it: %w", showPath(dir), fs.ErrInvalid)}
			}
		}
	}
	return nil
}
