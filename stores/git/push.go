package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// pushTries is how often a push whose answer is lost is tried, each time after a look at the remote repository.
const pushTries = 4

// push moves the remote reference, if it is where it was. A push without an answer may have been carried out, or may be
// a moment later. So it is not enough to look: the same commit is pushed again until the reference has it, has gone
// elsewhere, or is refused. If the remote repository cannot be reached either, the outcome is ErrUnfinished, and finish
// goes on. Maybe says that a push was made before without an answer.
func (m *remote) push(ctx context.Context, from, to id, maybe bool) error {
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
		answer, err := m.pushOnce(ctx, from, to)
		if err == nil {
			m.arrive(ctx, to, time.Now())
			return nil
		}
		maybe = maybe || answer == noAnswer
		has, now, lost := m.look(ctx, to)
		last = errors.Join(err, lost)
		switch {
		case has:
			return nil
		case !maybe && lost != nil:
			return err
		case lost == nil && (now != from || !maybe && answer == stale):
			return errMoved
		case !maybe && answer == refused:
			return err
		case try == pushTries-1 && (!maybe || answer == refused): // by now, none is on its way
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pending = &step{from, to}
	return fmt.Errorf("%w: nobody knows whether the remote repository has the commit %s: %w", atomicedit.ErrUnfinished,
		to, last)
}

// look returns where the remote reference is now, and whether a commit is part of its history.
func (m *remote) look(ctx context.Context, commit id) (has bool, now id, err error) {
	if err := m.fetch(ctx, time.Now()); err != nil {
		return false, "", err
	}
	now = m.at()
	has, err = m.contains(ctx, now, commit)
	return has, now, err
}

// An answer is what is known of a push that has failed.
type answer int

const (
	noAnswer answer = iota // it may be done, or will be in a moment
	notSent                // git did not start, or got no further than asking, or the server did not take the request
	busy                   // somebody else may hold the lock of the reference
	stale                  // the reference is elsewhere
	refused                // the remote repository does not want the commit
)

// pushOnce asks the remote repository to move its reference by compare-and-swap, which git calls a lease.
func (m *remote) pushOnce(ctx context.Context, from, to id) (answer, error) {
	lease := ""
	if from != "" {
		lease = from.String()
	}
	trace := filepath.Join(string(m.private), "push.trace")
	defer os.Remove(trace)
	said, err := m.git.runIn(ctx, []string{"GIT_TRACE2_EVENT=" + trace}, nil, "push", "--porcelain",
		"--force-with-lease="+m.ref+":"+lease, "--no-follow-tags", "--recurse-submodules=no",
		remoteName, to.String()+":"+m.ref)
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
			answer := refused
			if strings.Contains(parts[2], "(failed to update ref)") {
				answer = busy
			}
			return answer, fmt.Errorf("%w: the remote repository refuses the commit: %s", atomicedit.ErrDenied,
				remoteWords(parts[2], err))
		}
	}
	return answerOf(trace, err)
}

// answerOf returns the answer of a push that has failed without one of the remote repository. The trace of git tells
// how far it came: as long as no pack was made, the remote repository cannot have moved its reference. A trace without
// its end tells nothing.
func answerOf(trace string, err error) (answer, error) {
	text, _ := os.ReadFile(trace)
	has := func(words string) bool { return bytes.Contains(text, []byte(words)) }
	switch {
	case isNotTaken(err):
		return notSent, err
	case !has(`"event":"atexit"`) || has("pack-objects"):
		return noAnswer, err
	case has(`"hook_name":"pre-push"`):
		return refused, fmt.Errorf("%w: the pre-push hook refuses the commit: %w", atomicedit.ErrDenied, err)
	}
	return notSent, err
}

// isNotTaken reports whether a push was answered with an HTTP status by which, as RFC 9110 has it, the request has not
// been carried out: 401, 403 or 413. With most others, a proxy may just have stopped waiting for the server.
func isNotTaken(err error) bool {
	var f *failure
	if !errors.As(err, &f) {
		return false
	}
	for line := range strings.Lines(f.words) { // what the remote repository itself prints comes after "remote: "
		for _, status := range []string{"401", "403", "413"} {
			if strings.HasPrefix(line, "error: RPC failed; HTTP "+status+" ") {
				return true
			}
		}
		// 401, and git has no password
		if strings.HasPrefix(line, "fatal: could not read ") && strings.Contains(line, "terminal prompts disabled") {
			return true
		}
	}
	return false
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
func (m *remote) finish(ctx context.Context) error {
	_, pending := m.state()
	if pending == nil {
		return m.refresh(ctx, "")
	}
	err := m.push(ctx, pending.from, pending.to, true)
	if err != nil && err != errMoved && !errors.Is(err, atomicedit.ErrDenied) {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pending = nil
	return nil
}
