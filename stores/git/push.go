package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// pushTries is how often a push whose answer is lost is tried, each time after a look at the remote repository.
const pushTries = 4

// push moves the remote reference, if it is where it was. A push without an answer may have been carried out, or may be a moment later. So
// it is not enough to look: the same commit is pushed again until the reference has it, has gone elsewhere, or is refused. If the remote
// repository cannot be reached either, the outcome is ErrUnfinished, and finish goes on. Maybe says that a push was made before without an
// answer.
func (s *Store) push(ctx context.Context, from, to id, maybe bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := afterwards(ctx)
	defer cancel()
	var last error
	for try := range pushTries {
		if try > 0 && pause(ctx, 8*try) != nil {
			break
		}
		answer, err := s.pushOnce(ctx, from, to)
		if err == nil {
			s.arrive(ctx, to, time.Now())
			return nil
		}
		maybe = maybe || answer == noAnswer
		has, now, lost := s.look(ctx, to)
		last = errors.Join(err, lost)
		switch {
		case has:
			return nil
		case lost != nil && !maybe:
			return err
		case lost != nil, maybe && answer == notSent && now == from: // try again
		case now != from || answer == stale:
			return errMoved
		case answer != noAnswer:
			return err
		}
	}
	s.remote.mu.Lock()
	defer s.remote.mu.Unlock()
	s.remote.pending = &step{from, to}
	return fmt.Errorf("%w: nobody knows whether the remote repository has the commit %s: %w", atomicedit.ErrUnfinished, to, last)
}

// afterwards returns a context that ends some time after ctx does, so that what has begun can come to an end.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(patience, cancel) })
	return later, func() { stop(); cancel() }
}

// look returns where the remote reference is now, and whether a commit is part of its history.
func (s *Store) look(ctx context.Context, commit id) (has bool, now id, err error) {
	if err := s.fetch(ctx, time.Now()); err != nil {
		return false, "", err
	}
	now = s.remote.at()
	has, err = s.contains(ctx, now, commit)
	return has, now, err
}

// An answer is what is known of a push that has failed.
type answer int

const (
	noAnswer answer = iota // it may be done, or will be in a moment
	notSent                // git did not start
	stale                  // the reference is elsewhere
	refused                // the remote repository does not want the commit
)

// pushOnce asks the remote repository to move its reference by compare-and-swap, which git calls a lease.
func (s *Store) pushOnce(ctx context.Context, from, to id) (answer, error) {
	lease := ""
	if from != "" {
		lease = from.String()
	}
	said, err := s.git.run(ctx, nil, "push", "--porcelain", "--force-with-lease="+s.ref+":"+lease, "--no-follow-tags", "--recurse-submodules=no",
		remoteName, to.String()+":"+s.ref)
	var f *failure
	if err == nil || errors.As(err, &f) && !f.ran {
		return notSent, err
	}
	for line := range strings.Lines(string(said)) { // "!", the references, and a summary, with tabs between
		parts := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if len(parts) < 3 || parts[0] != "!" {
			continue
		}
		switch {
		case strings.HasPrefix(parts[2], "[rejected]"):
			return stale, err
		case strings.HasPrefix(parts[2], "[remote rejected]"):
			return refused, fmt.Errorf("%w: the remote repository refuses the commit: %s", atomicedit.ErrDenied, remoteWords(parts[2], err))
		}
	}
	return noAnswer, err
}

// remoteWords returns the reason that a remote repository has for its refusal, and what it and its hooks have printed.
func remoteWords(summary string, err error) string {
	words := []string{summary}
	var f *failure
	if errors.As(err, &f) {
		for line := range strings.Lines(f.words) {
			if said, ok := strings.CutPrefix(line, "remote: "); ok && strings.TrimSpace(said) != "" {
				words = append(words, strings.TrimSpace(said))
			}
		}
	}
	return strings.Join(words, "\n")
}

// finish finds out what has become of a push that has no answer yet. The caller has the turn of commits.
func (s *Store) finish(ctx context.Context) error {
	if s.remote == nil {
		return nil
	}
	_, pending := s.remote.state()
	if pending == nil {
		return s.refresh(ctx, "")
	}
	if err := s.push(ctx, pending.from, pending.to, true); errors.Is(err, atomicedit.ErrUnfinished) || ctx.Err() != nil {
		return err
	}
	s.remote.mu.Lock()
	defer s.remote.mu.Unlock()
	s.remote.pending = nil
	return nil
}

// Recover implements [atomicedit.Recoverer]. A commit to a remote repository is [atomicedit.ErrUnfinished] if the connection is lost
// during the push and does not come back. Recover, like the next Commit, finds out what has become of the push. If nothing has, it pushes
// the commit again.
func (s *Store) Recover(ctx context.Context) error {
	if s.isZero() {
		return errZero
	}
	if err := lock(ctx, s.turn); err != nil {
		return err
	}
	defer func() { <-s.turn }()
	return s.finish(ctx)
}
