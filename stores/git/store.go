// Package git keeps files in a git repository, as an [atomicedit.Store].
//
// The files are those at the tip of a reference, and a commit to the store is one git commit. History, authors and undo
// are git's own. There is no work tree, so nothing has to be checked out, and any number of processes and machines can
// commit to one repository.
//
// # What a commit promises
//
// A commit is built on the tip of the reference, and the reference moves by compare-and-swap: in a transaction of git
// update-ref, or by a push with a lease. If others have moved it in the meantime, but changed no file of the commit,
// the commit is built again on the new tip, until the context ends, or a thousand times. If one of its files has
// changed, the commit is [atomicedit.ErrStale] and names the file. Contents are compared by their object ids.
//
// If somebody deletes the reference, every Read and Commit of a store that has seen it fails, until the reference is
// back: otherwise the next commit would begin it anew, with the files of that commit alone. For a store that is opened
// later, the reference is one that the first commit creates.
//
// A process that dies leaves the old tip or the new one. The objects of a commit that was not completed are garbage,
// which git gc removes. During a commit of many objects, a .keep file protects their pack from git repack; if the
// process dies then, it stays, and so does the pack. If somebody kills git while it holds the lock of the reference,
// Commit removes the lock, provided that it certainly belongs to the dead process. If the whole process group dies at
// that moment, the lock stays, as it does for git itself: commits fail, and name the file in git's own words.
//
// If the answer to a push is lost, Commit finds out whether the push was carried out, and pushes again if it was not. A
// push that fails before it has sent anything, because the remote repository is gone or takes no pushes, has changed
// nothing; nor has one that an HTTP server answers with the status 401, 403 or 413. If nobody can find out, because the
// remote repository cannot be reached any more or goes on to answer nothing, the commit is [atomicedit.ErrUnfinished],
// and so is every Read, until the next Commit or [Store.Recover] has found out.
//
// With [atomicedit.DurableFull], a commit that has returned survives a power cut. Before 2.36, git does not sync a
// reference before it renames it, so a power cut during the commit can damage the reference.
//
// Nobody may run "git gc --prune=now", or git prune, beside commits: as in git itself, it removes the objects of a
// commit whose reference is about to move, and so destroys commits that have returned nil. In a trial, it destroyed 58
// of 60. Without --prune=now, git gc keeps what is younger than two weeks, which is safe.
//
// # What a commit costs
//
// A commit starts two git processes, one to take the objects and one to move the reference. A third one, which reads,
// lives as long as the store. A commit reads and writes only the trees on the paths that change, so its cost grows with
// the depth and the width of these directories, but not with the number of files elsewhere: 50 files take as long in a
// tree of 100,000 files as in one of 1,000, and at most a quarter of the time that git add and git commit take in a
// checkout of 10,000. A commit to a remote repository costs a push, and a look at the remote reference if the last one
// is older than [Options].MaxAge.
//
// Unless the repository is trusted, Open reads the names of all files with objects and references, and a commit looks
// at the times of the directories of objects, of which git has 256 or so.
//
// Nothing tidies up the repository or the mirror of a remote one: run git gc or git maintenance from time to time.
//
// # What is not trusted
//
// A repository may have come from anywhere. So its configuration, hooks, attributes and programs run nothing unless
// [Options].TrustRepository says so. Git runs in a private directory that has none of them; of the configuration, only
// the format of the repository and core.sharedRepository count. A commit writes no reflog there.
//
// Nor can a repository show the objects of another one, or let a commit write there. Open refuses alternates and any
// symbolic link in place of objects or references, or below them, with fs.ErrPermission. It refuses a named pipe or a
// device where git would read, because that could take forever. Each commit looks again. This is a promise about what
// is there at that moment: whoever can write to a repository while a store has it open can make git follow a link until
// the next commit, and must be trusted. Hard links cannot be told from files.
//
// A remote repository that is a path on this machine is different: its hooks run when it receives a push, and its
// alternates count, as they do for git.
//
// # Files
//
// [Store.Read] and [Store.Commit] refuse names that any file system takes for ".git", and Commit refuses a new name
// that differs from another one in the same directory only in case. File modes are 0644 and 0755. There are no empty
// directories. No filter runs: a file of Git LFS is its pointer, and line endings are those of the repository.
package git

import (
	"errors"

	"github.com/atomicedit/atomicedit"
)

// A Store is an [atomicedit.Store] on a git repository, made by [Open]. It is safe for concurrent use. Every method of
// the zero Store, or of a nil one, fails with an error that says how to make one.
type Store struct {
	*repository
	turn   chan struct{} // holds a token during a commit
	remote *remote       // nil if the repository is the local one
}

var errZero = errors.New("git: a zero Store has no repository: make one with Open")

// isZero reports whether s was not made by Open.
func (s *Store) isZero() bool { return s == nil || s.repository == nil }

// Ref returns the full name of the reference whose tip has the files.
func (s *Store) Ref() string {
	if s.isZero() {
		return ""
	}
	return s.ref
}

// Close ends the process of the store, and removes its directory. It waits for a commit or a fetch that is at work. The
// Store must not be used after it.
func (s *Store) Close() error {
	if s.isZero() {
		return errZero
	}
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if s.remote != nil {
		s.remote.turn <- struct{}{}
		defer func() { <-s.remote.turn }()
	}
	s.git.closed.Store(true)
	if s.objects != nil {
		s.objects.close()
	}
	return s.private.remove(s.git.inUse)
}

var (
	_ atomicedit.Store     = (*Store)(nil)
	_ atomicedit.Recoverer = (*Store)(nil)
)
