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

// errMoved means that the reference is no longer where it was, and that the commit is not part of it.
var errMoved = errors.New("git: the reference has moved")

// updateRef moves the reference of the repository by compare-and-swap. The answer of git may be lost, because somebody
// killed it; then the reference itself tells.
func (r *repository) updateRef(ctx context.Context, from, to id) error {
	script := fmt.Sprintf("start\nupdate %s %s %s\nprepare\ncommit\n", r.ref, r.format.hexOf(to), r.format.hexOf(from))
	_, err := r.git.run(ctx, strings.NewReader(script), "update-ref", "-m", "atomicedit", "--stdin")
	var f *failure
	if err == nil || errors.As(err, &f) && !f.ran {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	r.unlock(f, to)
	now, lost := r.objectAt(ctx, r.ref)
	switch {
	case lost != nil:
		return fmt.Errorf("%w: %w; then: %w", atomicedit.ErrUnfinished, err, lost)
	case now.id == to:
		return nil
	case now.id == from && f != nil && strings.Contains(f.words, "aborted by"): // by the reference-transaction hook
		return fmt.Errorf("%w: a hook refuses the commit: %w", atomicedit.ErrDenied, err)
	case now.id == from:
		return err
	}
	if has, lost := r.contains(ctx, now.id, to); lost != nil {
		return fmt.Errorf("%w: %w; then: %w", atomicedit.ErrUnfinished, err, lost)
	} else if has {
		return nil
	}
	return errMoved
}

// contains reports whether a commit is part of the history of another one.
func (r *repository) contains(ctx context.Context, tip, commit id) (bool, error) {
	if tip == "" {
		return false, nil
	}
	_, err := r.git.run(ctx, nil, "merge-base", "--is-ancestor", commit.String(), tip.String())
	if saysNo(err) {
		return false, nil
	}
	return err == nil, err
}

// unlock removes the lock of a git update-ref that was killed while it held it. The lock is that of the dead process
// for certain: a signal ended the process, and the lock has the id of a commit that no one else has. Git itself would
// leave it to the user.
func (r *repository) unlock(f *failure, commit id) {
	if f == nil || !f.killed {
		return
	}
	lock := filepath.Join(r.repo, filepath.FromSlash(r.ref)+".lock")
	has, err := os.ReadFile(lock)
	if err != nil || strings.TrimSpace(string(has)) != commit.String() {
		return
	}
	if head, err := os.ReadFile(filepath.Join(r.repo, "HEAD")); err == nil && r.o.TrustRepository &&
		strings.TrimSpace(string(head)) == "ref: "+r.ref {
		os.Remove(filepath.Join(r.repo, "HEAD.lock")) // which git locks before the branch that it names
	}
	os.Remove(lock)
}
