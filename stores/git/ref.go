package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// move moves the reference from a commit, "" for none, to another one. It returns nil if the new commit is now part of the history,
// errMoved if the reference was elsewhere, and another error if nothing has changed.
func (s *Store) move(ctx context.Context, from, to id, objects []object) error {
	if s.remote != nil {
		return s.push(ctx, from, to, false)
	}
	if err := s.secure(objects); err != nil {
		return failed("commit", nil, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.updateRef(ctx, from, to); err != nil {
		return err
	}
	if err := s.secureRef(); err != nil {
		return fmt.Errorf("%w: %w", atomicedit.ErrNotDurable, err)
	}
	return nil
}

// updateRef moves the reference of the repository by compare-and-swap. The answer of git may be lost, because somebody killed it; then
// the reference itself tells.
func (s *Store) updateRef(ctx context.Context, from, to id) error {
	script := fmt.Sprintf("start\nupdate %s %s %s\nprepare\ncommit\n", s.ref, s.format.hexOf(to), s.format.hexOf(from))
	_, err := s.git.run(ctx, strings.NewReader(script), "update-ref", "-m", "atomicedit", "--stdin")
	var f *failure
	if err == nil || errors.As(err, &f) && !f.ran {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	s.unlock(f, to)
	now, lost := s.tip(ctx)
	switch {
	case lost != nil:
		return fmt.Errorf("%w: %w; then: %w", atomicedit.ErrUnfinished, err, lost)
	case now.commit == to:
		return nil
	case now.commit == from:
		return err
	}
	if has, lost := s.contains(ctx, now.commit, to); lost != nil {
		return fmt.Errorf("%w: %w; then: %w", atomicedit.ErrUnfinished, err, lost)
	} else if has {
		return nil
	}
	return errMoved
}

// contains reports whether a commit is part of the history of another one.
func (s *Store) contains(ctx context.Context, tip, commit id) (bool, error) {
	if tip == "" {
		return false, nil
	}
	_, err := s.git.run(ctx, nil, "merge-base", "--is-ancestor", commit.String(), tip.String())
	if saysNo(err) {
		return false, nil
	}
	return err == nil, err
}

// unlock removes the lock of a git update-ref that was killed while it held it. The lock is that of the dead process for certain: a signal
// ended the process, and the lock has the id of a commit that no one else has. Git itself would leave it to the user.
func (s *Store) unlock(f *failure, commit id) {
	if f == nil || !f.killed {
		return
	}
	lock := filepath.Join(s.repo, filepath.FromSlash(s.ref)+".lock")
	has, err := os.ReadFile(lock)
	if err != nil || strings.TrimSpace(string(has)) != commit.String() {
		return
	}
	if head, err := os.ReadFile(filepath.Join(s.repo, "HEAD")); err == nil && s.o.TrustRepository && strings.TrimSpace(string(head)) == "ref: "+s.ref {
		os.Remove(filepath.Join(s.repo, "HEAD.lock")) // which git locks before the branch that it names
	}
	os.Remove(lock)
}
