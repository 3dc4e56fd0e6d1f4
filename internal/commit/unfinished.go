package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// TakeBack rolls back the commit of a process that died. If a commit is at work, TakeBack waits for it until ctx ends.
// Said tells a person what TakeBack did.
func (t *Tree) TakeBack(ctx context.Context) (said []string, err error) {
	if t.opts.ReadOnly {
		return nil, disk.At("recover", StateDir, protectedError(
			"the directory was opened for reading only, so nothing can be rolled back in it"))
	}
	return t.recoverNow(ctx, true)
}

// checkFinished returns errs.ErrUnfinished for a file that a dead commit was going to change, because other files of
// that commit may not have changed. A commit over several trees that was decided is finished. CheckFinished writes
// nothing. Call it after reading the file, so that it also notices a commit that died during the read.
func checkFinished(d disk.Disk, name string, open elsewhere) error {
	// Another caller of checkFinished holds the guard for a moment, and then looks like a commit at work. So
	// checkFinished tries several times.
	const tries, pause = 4, time.Millisecond
	for range tries {
		named, err := isInJournal(d, name)
		if err != nil || !named {
			return err
		}
		left, unguard, err := guardLeftover(context.Background(), d, false)
		switch {
		case errors.Is(err, disk.ErrLocked):
			time.Sleep(pause)
			continue
		case errors.Is(err, errForeign):
			return nil // nobody is going to roll it back
		case err == nil:
			named = left.journal.changes(name)
			if named && left.verdict.id != "" {
				made, err := left.verdict.isMade(d, open)
				named = !made || err != nil
			}
			unguard()
		case err != errUnknownJournal: // the host has to decide about an unknown journal
			return err
		}
		if named {
			return fmt.Errorf("a commit to this file was interrupted: %w", errs.ErrUnfinished)
		}
		return nil
	}
	return nil // a commit is at work, and either finishes or rolls back
}

// isInJournal reports whether there is a journal that names a file.
func isInJournal(d disk.Disk, name string) (bool, error) {
	var now disk.Traits
	err := mayBeOurs(d) // usually there is no such directory
	if err == nil {
		now, err = d.Inspect(StateDir)
	}
	var j journal
	if err == nil {
		j, _, err = readJournal(d, now)
	}
	switch {
	case err == errUnknownJournal:
		return j == nil || j.changes(name), nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errForeign), err == errTorn:
		return false, nil
	}
	return j.changes(name), err
}

// changes reports whether a journal names a file, in any spelling that differs only in case.
func (j journal) changes(name string) bool {
	return slices.ContainsFunc(j, func(s step) bool { return s.kind != entryMkdir && strings.EqualFold(s.path, name) })
}
