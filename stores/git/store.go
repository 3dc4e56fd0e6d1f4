// Package git keeps files in a git repository, as an [atomicedit.Store].
//
// The tree is that of a reference, and a commit to the store is one git commit: the history, the authors and the undo are git's own. There
// is no work tree, so nothing has to be checked out, and any number of processes and machines can commit to one repository.
package git

import (
	"errors"
	"os"

	"github.com/atomicedit/atomicedit"
)

// A Store is an [atomicedit.Store] on a git repository, made by [Open]. It is safe for concurrent use. Every method of the zero Store,
// or of a nil one, fails with an error that says how to make one.
type Store struct {
	o       Options
	repo    string // its directory
	private private
	git     *program
	objects *catFile
	format  format
	ref     string
	bare    bool
	signs   bool          // git signs the commits
	turn    chan struct{} // holds a token during a commit
	remote  *remote       // nil if the repository is the local one
}

var errZero = errors.New("git: a zero Store has no repository: make one with Open")

// isZero reports whether s was not made by Open.
func (s *Store) isZero() bool { return s == nil || s.git == nil }

// Ref returns the full name of the reference whose tip is the tree.
func (s *Store) Ref() string {
	if s.isZero() {
		return ""
	}
	return s.ref
}

// Close ends the process of the store, and removes its directory. It waits for a commit that is at work. The Store must not be
// used after it.
func (s *Store) Close() error {
	if s.isZero() {
		return errZero
	}
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if s.objects != nil {
		s.objects.close()
	}
	return os.RemoveAll(string(s.private))
}

var (
	_ atomicedit.Store     = (*Store)(nil)
	_ atomicedit.Recoverer = (*Store)(nil)
)
