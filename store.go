package atomicedit

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Version identifies the content of a file: "sha256:" and the hash in hex, as [VersionOf] returns it. [Parse] of
// hashlines also makes versions of "hashline:" and four hexadecimal digits, which are weaker evidence; only
// [Op].Version may have them. The zero value stands for no file.
type Version string

// VersionOf returns the version of data.
func VersionOf(data []byte) Version { return Version(disk.VersionOf(data)) }

// versionOf returns the version of data. That of a text whose version is known costs no hash.
func versionOf(data, known []byte, v Version) Version {
	if known != nil && bytes.Equal(known, data) {
		return v
	}
	return VersionOf(data)
}

func (v Version) isOf(data []byte) bool {
	if tag, ok := strings.CutPrefix(string(v), plan.HashlineVersion); ok {
		return text.New(decoded(data)).FileTag() == tag
	}
	return v == VersionOf(data)
}

// isHash reports whether v is a version that [VersionOf] may return.
func (v Version) isHash() bool {
	digits, ok := strings.CutPrefix(string(v), "sha256:")
	return ok && len(digits) == len(VersionOf(nil))-len("sha256:") && strings.Trim(digits, "0123456789abcdef") == ""
}

// A File is a file as a [Store] has it or should have it. The zero value is an empty file. Treat a File as read-only,
// because Data and Notes are shared: then several goroutines may use it. A File survives JSON, with Data in base64. A
// File whose strings are not valid UTF-8 does not marshal.
type File struct {
	Path  string      `json:"path,omitempty"` // the store's one name for the file; "" for the path asked for
	Data  []byte      `json:"data"`
	Mode  fs.FileMode `json:"mode,omitempty"`  // with setuid, setgid and sticky bits; 0 in Change.After: as before
	Notes []string    `json:"notes,omitempty"` // facts for whoever approves (hard links, owner, …), for the report
}

// countLines counts the lines of a file in any encoding. Text behind the last line ending is a line too.
func countLines(data []byte) int { return text.New(decoded(data)).CountLines() }

// decoded returns data in UTF-8 if its encoding tells itself, or else as it is.
func decoded(data []byte) []byte {
	e := text.MarkOf(data)
	if e.IsPlain() { // without a look for NUL bytes
		return data
	}
	if decoded, ok := e.Decode(data); ok {
		return decoded
	}
	return data
}

// A Change is what a commit does to one file. A move is two changes: one puts the content at its new path, the other
// deletes the file at the old path. The zero value is refused, because it names no file.
//
// If Before or After has a Path, it must still be the store's one name for the Path of the Change, or the store may
// refuse the commit with [ErrStale], as a [Dir] does. A list of changes survives JSON, so it can be kept for an undo
// (see [Invert]). A change whose strings are not valid UTF-8 does not marshal.
type Change struct {
	Path   string `json:"path"`
	Before *File  `json:"before,omitempty"` // what must be there, compared by its Data; nil: no file
	After  *File  `json:"after,omitempty"`  // the file afterwards; nil: none

	// From is a hint on the change that puts the content of a moved file at its new path: the path of the delete. A
	// store uses it to keep what a file has besides its content.
	From string `json:"from,omitempty"`

	// Written is a hint: the request wrote every byte of After, or a formatter did, so none of it comes from a file. A
	// [Session] counts such a file as seen, and its Mode, if not 0, is the one that the request asks for, before umask.
	Written bool `json:"written,omitempty"`
}

// Check compares c with what is there now, by content alone; nil stands for no file. It returns nil, or a
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

// Invert returns the changes that undo changes: in reverse order, with Before and After swapped. It copies no data. A
// mode that a change has left as it was is left as it is. [ReportOf] shows what they do. Directories that the changes
// made stay. A file that comes back is a new one, as [OpenDir] says.
func Invert(changes []Change) []Change {
	to := map[string]string{} // where a deleted file has moved to
	for _, c := range changes {
		if c.From != "" && c.Before == nil {
			to[c.From] = c.Path
		}
	}
	var inv []Change
	for _, c := range slices.Backward(changes) {
		c.Before, c.After, c.From, c.Written = c.After, c.Before, "", false
		switch {
		case c.Before == nil:
			c.From = to[c.Path]
		case c.After != nil && c.Before.Mode == 0: // the mode stayed, whatever it was, and stays
			after := *c.After
			after.Mode, c.After = 0, &after
		}
		inv = append(inv, c)
	}
	return inv
}

// A Store keeps files: a tree of paths, contents and permissions. [Mem] and [Dir] are stores, and a [Session] wraps
// one. In the repository, docs/stores.md has the whole contract, and package storetest checks it. In short:
//
// Paths are relative to the root of the store and separated by slashes. Both methods pass every path through
// [CleanPath], or do the equivalent, and fail with its error. A store may accept other names as well, such as absolute
// ones. A file and a directory cannot share a path. A path is [fs.ErrInvalid] if it can name no file there,
// [ErrOutside] if it leads out of the store, [fs.ErrPermission] if the store does not allow it, and [ErrTooLarge] if
// the file is too large.
//
// Errors about a file are a [*fs.PathError] that wraps one of these or of the errors below, or several joined
// ([errors.Join]). A store that asks somebody, and is told no, returns an error that wraps [ErrDenied] and says why. If
// the context has ended, the error is the context's. Any other error is about the machinery. Both methods may be called
// by several goroutines at once.
//
// A store says more through the optional interfaces [Checker] and [Recoverer], and the methods Respells and List as
// [Dir] has them; each says what happens without it. A wrapper with a method Unwrap() Store hides nothing: [Prepare]
// and [Host] look for these interfaces, and for a [*Session], in the given store, then in the one that it wraps, and
// so on. A wrapper that changes paths or contents, or filters what may be read, must not have Unwrap.
type Store interface {
	// Read returns the whole file, permissions included. If there is none, the error wraps [fs.ErrNotExist]. The caller
	// may keep the File, and must not modify its Data; nor does the store. While a commit is at work, Read returns the
	// old or the new content, never a mixture, or fails with [ErrStale], which asks the caller to read again. A store
	// that asks for more before it shows a file, as a Session does, refuses with [ErrUnread] or ErrStale. A file that a
	// commit has left neither done nor rolled back may be [ErrUnfinished].
	Read(ctx context.Context, path string) (*File, error)

	// Commit makes all changes or none, as one step for every other commit. It first compares every change with what is
	// there, as [Change.Check] does. Two changes of one file are fs.ErrInvalid, unless they are a move between two
	// names of it. A change whose Before and After are both nil only checks that there is no file. A Mode of 0 keeps
	// the mode of a file that is there. Commit keeps and modifies no argument. An error means that nothing was changed,
	// except [ErrNotDurable] and [ErrUnfinished]. A store that cannot change several files at once refuses to do so
	// with [errors.ErrUnsupported].
	Commit(ctx context.Context, changes []Change) error
}

// A Checker is a [Store] that can tell in advance what a commit would refuse. [Prepare] asks it about all changes, or
// those of each file, so that nobody is asked to approve what cannot be done. Without it, only the commit refuses.
type Checker interface {
	// Check returns nil if a commit may make the changes as things are now, as far as that can be known in advance, or
	// the error that the commit would return: a [*Refusal], or an [*fs.PathError], or several, joined. Check does not
	// ask whether the files have changed, so Before may lack its Data. A store that refuses every commit, because it is
	// read-only, leaves that to the commit: a preview is still possible.
	Check(ctx context.Context, changes []Change) error
}

// A respeller is a Store in which two paths that differ in case alone may name one file. Prepare asks it about a move
// between such paths. Without it, such a move is one onto an existing file, which the plan must allow by Op.Overwrite.
type respeller interface {
	Respells(ctx context.Context, from, to string) bool
}

// A lister is a Store that can list a directory. A [Host] shows the list to a model that views a directory, and looks
// for the file that is meant by a path without one. Without it, neither is done.
type lister interface {
	List(ctx context.Context, dir string) ([]string, error)
}

// A Recoverer is a [Store] that can roll back an unfinished commit: one whose process died, or whose own rollback
// failed. A [Host] calls Recover once when a store answers with [ErrUnfinished] to a read, and reads again. Without it,
// the call fails, and such a file cannot be read until somebody opens the store again.
type Recoverer interface {
	// Recover rolls it back, if there is one. It fails with the error of the context if that ends before it has begun.
	Recover(ctx context.Context) error
}

var errNoStore = errors.New("atomicedit: there is no store")

// CleanPath returns the shortest spelling of a path, as [path.Clean] does. A [Store] takes paths in this form. The
// error is a [*fs.PathError]: [ErrOutside] for a path that is absolute, begins with "~/" or leads out of the store;
// [fs.ErrInvalid] for one that can name no file: it is empty, is the root, ends in a slash, has a NUL byte, or more
// than 4,096 bytes. A backslash is part of a name: see [Prepare].
func CleanPath(name string) (string, error) { return names.Clean(name) }

// checkPaths refuses changes that cannot all happen at once: two of one file, or a file below another. The paths are
// the store's own names. Both halves of a move may have one name, where the store has one name for both paths.
func checkPaths(changes []Change) error { return commit.CheckPaths(forCommit(changes)) }

// forCommit returns changes in the types of package commit. Data and notes are shared.
func forCommit(changes []Change) []commit.Change {
	return convertAll(changes, func(c Change) commit.Change {
		return commit.Change{Path: c.Path, Before: (*commit.File)(c.Before), After: (*commit.File)(c.After),
			From: c.From, Written: c.Written}
	})
}
