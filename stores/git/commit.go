package git

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/atomicedit/atomicedit"
)

// maxTries is how often a commit is built on a tip that moves before the next try: many minutes of other commits.
const maxTries = 1000

// Commit implements [atomicedit.Store]: it makes one git commit of the changes. At the tip that the commit is built on,
// the files of the changes have to be as their Before says. If others have moved the reference in the meantime, but
// changed none of these files, the commit is built again on the new tip. Changes that change nothing make no commit.
//
// If the context ends before git begins to move the reference, nothing has changed. If it ends later, Commit finds out
// whether the reference was moved.
func (s *Store) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if s.isZero() {
		return errZero
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	plan, err := planOf(changes)
	if err != nil || len(changes) == 0 {
		return err
	}
	if err := lock(ctx, s.turn); err != nil {
		return err
	}
	defer func() { <-s.turn }()
	if s.remote != nil {
		if err := s.remote.finish(ctx); err != nil {
			return err
		}
	}
	message := s.message(changes)
	for try := range maxTries {
		err := s.try(ctx, plan, message)
		if err != errMoved {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return fmt.Errorf("git: %s has moved before each of %d tries to commit; try again later", s.ref, maxTries)
}

// try builds a commit on the tip, and moves the reference to it. The error is errMoved if the reference was not, or is
// no longer, where it seemed to be.
func (s *Store) try(ctx context.Context, plan *node, message string) error {
	at, err := s.tip(ctx, s.tipName())
	if err != nil {
		return err
	}
	tree, objects, err := s.format.build(plan, at.tree,
		func(tree id) ([]entry, error) { return s.entries(ctx, tree.String()) })
	if err != nil {
		return s.unlessMoved(ctx, at, err)
	}
	if tree == at.tree {
		return s.unlessMoved(ctx, at, nil)
	}
	if err := s.inspect("objects"); err != nil {
		return failed("commit", nil, err)
	}
	if err := s.checkPlace(); err != nil {
		return err
	}
	c, err := s.seal(ctx, at, tree, objects, message)
	defer os.Remove(c.keep)
	if err != nil {
		return err
	}
	if err := s.move(ctx, at.commit, c); err != nil {
		return err
	}
	s.seen.Store(true)
	return nil
}

// move moves the reference from a commit, "" for none, to a new one. It returns nil if the new commit is now part of
// the history, errMoved if the reference was elsewhere, and another error if nothing has changed.
func (s *Store) move(ctx context.Context, from id, to sealed) error {
	if s.remote != nil {
		return s.remote.push(ctx, from, to.id, false)
	}
	if err := s.secure(to.objects); err != nil {
		return failed("commit", nil, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.updateRef(ctx, from, to.id); err != nil {
		return err
	}
	if err := s.secureRef(); err != nil {
		return fmt.Errorf("%w: %w", atomicedit.ErrNotDurable, err)
	}
	return nil
}

// unlessMoved returns errMoved if the remote reference is no longer at the tip that a mirror has, and err if it is.
func (s *Store) unlessMoved(ctx context.Context, at tip, err error) error {
	if s.remote == nil {
		return err
	}
	if err := s.remote.fetch(ctx, time.Now()); err != nil {
		return err
	}
	if s.remote.at() != at.commit {
		return errMoved
	}
	return err
}
