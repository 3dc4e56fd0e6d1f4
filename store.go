package atomicedit

import (
	"bytes"
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Version identifies the content of a file: "sha256:" and the hash in hex, as [VersionOf] returns it. [Parse] of hashlines also makes versions
// of "hashline:" and four hexadecimal digits, which are weaker evidence; only [Op].Version may have them. The zero value stands for no
// file.
type Version string

// VersionOf returns the version of data.
func VersionOf(data []byte) Version {
	return Version(disk.VersionOf(data))
}

// hashlineVersion begins a version that is the tag of a file.
const hashlineVersion = "hashline:"

// isOf reports whether v is a version of data.
func (v Version) isOf(data []byte) bool {
	if tag, ok := strings.CutPrefix(string(v), hashlineVersion); ok {
		return text.New(decoded(data)).FileTag() == tag
	}
	return v == VersionOf(data)
}

// isHash reports whether v is a version that [VersionOf] may return.
func (v Version) isHash() bool {
	digits, ok := strings.CutPrefix(string(v), "sha256:")
	return ok && len(digits) == len(VersionOf(nil))-len("sha256:") && strings.Trim(digits, "0123456789abcdef") == ""
}

// A File is a file as a [Store] has it or should have it. The zero value is an empty file. Treat a File as read-only, because Data and
// Notes are shared: then several goroutines may use it. A File survives JSON, with Data in base64. A File whose strings are not valid UTF-8
// does not marshal.
type File struct {
	Path  string      `json:"path,omitempty"` // the store's one name for the file: the same for "a.go", "./a.go" and a link to it; "" for the path asked for
	Data  []byte      `json:"data"`
	Mode  fs.FileMode `json:"mode,omitempty"`  // permission, setuid, setgid and sticky bits; 0 in Change.After: as before, or the store's default
	Notes []string    `json:"notes,omitempty"` // facts for a person who approves a change (hard links, owner, …); they go into the report
}

// countLines counts the lines of a file in any encoding. Text behind the last line ending is a line too.
func countLines(data []byte) int {
	return text.New(decoded(data)).CountLines()
}

// decoded returns data in UTF-8 if its encoding tells itself, or else as it is.
func decoded(data []byte) []byte {
	if decoded, ok := text.EncodingOf(data).Decode(data); ok {
		return decoded
	}
	return data
}

// A Change is what a commit does to one file. A move is two changes: one puts the content at its new path, the other deletes the file at
// the old path. The zero value is refused, because it names no file.
//
// If Before or After has a Path, it must still be the store's one name for the Path of the Change. Otherwise, for instance because
// a directory has become a link since it was read, the store may refuse the commit with [ErrStale], as a [Dir] does. A Path of ""
// is not checked.
//
// A list of changes survives JSON, so it can be kept for an undo (see [Invert]). A change whose strings are not valid UTF-8 does not
// marshal.
type Change struct {
	Path   string `json:"path"`
	Before *File  `json:"before,omitempty"` // the file that must be there, compared by its Data; nil: there must be none
	After  *File  `json:"after,omitempty"`  // the file afterwards; nil: none

	// From is a hint on the change that puts the content of a moved file at its new path: the path of the delete. A store uses it
	// to keep what a file has besides its content.
	From string `json:"from,omitempty"`

	// Written is a hint: the request wrote every byte of After, or a formatter did, so none of it comes from a file. A [Session] counts such a
	// file as seen, and its Mode, if not 0, is the one that the request asks for, before umask.
	Written bool `json:"written,omitempty"`

	// Shifted is a hint: a formatter has added or removed lines of After, so whoever made the request does not know their numbers. A
	// [Session] counts the number of lines as changed, even for a file that is Written.
	Shifted bool `json:"shifted,omitempty"`
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

// Invert returns the changes that undo changes: in reverse order, with Before and After swapped. It copies no data. [ReportOf] shows
// what they do. Directories that the changes made stay. A file that comes back is a new one, as [OpenDir] says.
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
		if c.Before == nil {
			c.From = to[c.Path]
		}
		inv = append(inv, c)
	}
	return inv
}

// A Store keeps files: a tree of paths, contents and permissions. [Mem] and [Dir] are stores, and a [Session] wraps one. This
// comment is the whole contract: a type that keeps it works with [Prepare], [Host] and [Session], and passes package
// storetest.
//
// # Paths
//
// Paths are relative to the root of the store and separated by slashes. Read and Commit pass every path through [CleanPath],
// or do the equivalent, and fail with its error. So "a.go" and "./a.go" name one file. A store may accept other names as well,
// such as absolute paths and symbolic links. [File].Path is the one name that the store has for the file, however it was asked
// for. It may be absolute, as for the further directories of a [Dir].
//
// A path that the store refuses is
//
//   - [fs.ErrInvalid] if it can name no file there: a directory, a path below a file, a name that the system does not have;
//   - [ErrOutside] if it leads out of the store;
//   - [fs.ErrPermission] if the store does not allow it;
//   - [ErrTooLarge] if the file is too large to be read.
//
// A file and a directory cannot share a path. While there is a file "x", the path "x/y" is fs.ErrInvalid, to Read as well as
// to a commit that creates it. While there is a file "x/y", the same holds for "x". A store that has directories makes them as
// needed. It may keep a directory that has become empty, and go on to refuse its path.
//
// Errors about a file are a [*fs.PathError] that wraps one of the errors named here; several may be joined ([errors.Join]).
// [Prepare] and [Transaction.Commit] tell them to whoever made the request. A store that asks before it reads or commits, and is told
// no, returns an error that wraps [ErrDenied] and says why. Any other error is about the machinery.
//
// # Read
//
// If the context has ended, the error is the context's. Otherwise Read returns the whole file, permissions included. If there is
// none, the error wraps [fs.ErrNotExist], and the File is nil, or has nothing but the Path under which the store would keep it.
// The caller may keep the File, and must not modify its Data; nor does the store. A store that asks for more before it shows a
// file, as a Session does, refuses with [ErrUnread] or [ErrStale]. A file that a commit has left neither done nor rolled back may
// be [ErrUnfinished]: see [Recoverer].
//
// While a commit is at work, Read returns the old or the new content of a file, never a mixture. It may also fail with
// [ErrStale], which asks the caller to read again.
//
// # Commit
//
// Commit makes all changes or none. It goes through these steps, and the first that fails ends it:
//
//  1. If the context has ended, the error is the context's, and nothing was changed.
//  2. All paths are cleaned, and refused as above. Two changes of one file, under whatever names, are fs.ErrInvalid; so is a
//     commit that leaves files at both "x" and "x/y". An empty list of changes is done.
//  3. Every change is compared with what is there, as [Change.Check] does. A change whose Before and After are both nil only
//     checks that there is no file. What is there counts as it was before the commit: creating "x/y" is fs.ErrInvalid, even if
//     the same commit removes the file "x", and the other way round. The Path of a Before or After may be "", or the store's one
//     name for Change.Path, however that is spelled. If Change.Path is also the Path of its Before or After,
//     but leads to another name by now, because a directory has become a link, the store may refuse it with ErrStale.
//  4. Every file becomes its After. The store copies the Data: the caller may reuse it afterwards. A Mode of 0 keeps the mode
//     of a file that is there, and leaves that of a new file to the store. A store without permissions ignores Mode. From,
//     Written and Shifted are hints, which a store may ignore; a hint that makes no sense is ignored.
//
// To every other commit, the comparison and the changes are one step, so no update is lost. Commit keeps and modifies no argument.
//
// An error means that nothing was changed, except [ErrNotDurable] (all was changed, but may not survive a power cut) and
// [ErrUnfinished] (some was changed and could not be rolled back; the next commit, or opening the store again, finishes it). If
// the context ends on the way, Commit either goes on and returns nil, or rolls everything back and returns the context's
// error. A store that cannot change several files at once refuses such a commit with [errors.ErrUnsupported], at any step
// before the last.
//
// In a store where two names, such as those that differ in case alone, can mean the same file, a move between such names
// renames the file: the create does not fail because of the file that its own move deletes. Without From, the two changes are
// of one file, hence fs.ErrInvalid.
//
// # Concurrent use
//
// Both methods may be called by several goroutines at once.
//
// # Wrappers and optional interfaces
//
// A store says more than Read and Commit can through the optional interfaces [Guard], [Respeller] and [Recoverer].
// Each documents what happens without it. A wrapper that has only Read and Commit hides them, which makes [Prepare] and [Host]
// stricter, never looser. A wrapper with a method Unwrap() Store hides nothing: Prepare and Host look for optional interfaces,
// and for a [*Session], in the store that they were given, then in the one that Unwrap returns, and so on. A Host whose wrapper
// hides a Session cannot show a file that the Session refuses to read, and fails with an error that says so. A type that embeds
// another store has the optional methods of the embedded one.
//
// Commit always goes to the outermost store, and so does Read. Only a file that the outermost store refuses with [ErrUnread] or
// [ErrStale] may then be read from behind it. So a wrapper that changes paths or contents, or filters what may be read, must not
// have Unwrap, and keeps the store in a field of its own.
type Store interface {
	// Read returns the file at path.
	Read(ctx context.Context, path string) (*File, error)

	// Commit makes all changes or none.
	Commit(ctx context.Context, changes []Change) error
}

// An unwrapper is a Store that wraps another one, and says so.
type unwrapper interface{ Unwrap() Store }

// find returns s, or the first store behind it, that is a T.
func find[T any](s Store) (found T, ok bool) {
	for range maxWrappers {
		if found, ok = s.(T); ok {
			return found, true
		}
		wrapper, wraps := s.(unwrapper)
		if !wraps {
			break
		}
		s = wrapper.Unwrap()
	}
	return found, false
}

// maxWrappers bounds the chain of wrappers that find follows, so that one that wraps itself ends.
const maxWrappers = 100

// CleanPath returns the shortest spelling of a path, as [path.Clean] does. Every [Store] accepts such paths. The error is a
// [*fs.PathError]: [ErrOutside] for an absolute path, for one that begins with "~/", and for one that leads out of the store through "..";
// [fs.ErrInvalid] for one that can name no file, because it is empty, is the root, ends in a slash, has a NUL byte, or has more than 4,096
// bytes. A backslash is part of a name; [Prepare] asks the store again with slashes in its place.
func CleanPath(name string) (string, error) { return names.Clean(name) }

// checkPaths refuses changes that cannot all happen at once: two of one file, or a file below another. The paths are
// the store's own names. Both halves of a move may have one name, where the store has one name for both paths.
func checkPaths(changes []Change) error { return commit.CheckPaths(forCommit(changes)) }
