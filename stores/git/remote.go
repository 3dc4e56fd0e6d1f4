package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/atomicedit/atomicedit"
)

// remoteName is what the configuration calls the remote repository, so that its URL is in no argument of the program.
const remoteName = "atomicedit"

// A remote is the repository that a mirror is of.
type remote struct {
	turn chan struct{} // holds a token during a fetch

	mu      sync.Mutex
	commit  id        // that the remote reference was last seen at, "" for none
	fetched time.Time // when it was
	pending *step     // a push of which nobody knows what has become
}

// A step of a reference is from one commit, "" for none, to another.
type step struct{ from, to id }

// openRemote asks the remote repository what is to be mirrored, and makes the mirror if it is not there.
func (s *Store) openRemote(ctx context.Context) error {
	s.remote = &remote{turn: make(chan struct{}, 1)}
	names, err := os.ReadDir(s.repo)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(names) > 0 && s.o.Ref != "" {
		return nil
	}
	said, err := s.git.run(ctx, nil, "ls-remote", "--symref", remoteName, "HEAD", "refs/heads/*")
	if err != nil {
		return err
	}
	is := facts{format: formatSHA1}
	for line := range strings.Lines(string(said)) {
		value, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if ref, ok := strings.CutPrefix(value, "ref: "); ok && name == "HEAD" && s.o.Ref == "" {
			s.o.Ref = ref
		}
		if len(value) == 2*formatSHA256.size {
			is.format = formatSHA256
		}
	}
	if s.o.Ref == "" {
		return fmt.Errorf("git: the remote repository does not say which branch is meant: set Options.Ref: %w", fs.ErrInvalid)
	}
	if len(names) > 0 {
		return nil
	}
	return initBare(s.repo, is)
}

// fetch finds out where the remote reference is, and gets its commit into the mirror. The mirror has a reference as well, but nothing
// relies on it: it only tells the next fetch what is there, so a lock that a dead process has left on it does no harm.
func (s *Store) fetch(ctx context.Context) error {
	if err := lock(ctx, s.remote.turn); err != nil {
		return err
	}
	defer func() { <-s.remote.turn }()
	for range fetchTries {
		began := time.Now()
		at, err := s.askRemote(ctx)
		if err != nil {
			return err
		}
		if at == "" || at == s.remote.at() || s.hasCommit(ctx, at) {
			s.arrive(ctx, at, began)
			return nil
		}
		if _, err := s.git.run(ctx, nil, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", remoteName, s.ref); err != nil {
			return err
		}
		if s.hasCommit(ctx, at) {
			s.arrive(ctx, at, began)
			return nil
		}
	}
	return cmp.Or(ctx.Err(), fmt.Errorf("git: the remote repository does not send the commit that its %s is at", s.ref))
}

// fetchTries is how often a fetch begins again because the remote reference has moved meanwhile to what is no descendant.
const fetchTries = 10

// hasCommit reports whether the mirror has a commit.
func (s *Store) hasCommit(ctx context.Context, commit id) bool {
	o, err := s.objects.read(ctx, commit.String(), maxCommit)
	return err == nil && o.kind == "commit"
}

// askRemote asks where the remote reference is.
func (s *Store) askRemote(ctx context.Context) (id, error) {
	said, err := s.git.run(ctx, nil, "ls-remote", remoteName, s.ref)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(said)) {
		if at, ok := strings.CutSuffix(line, "\t"+s.ref+"\n"); ok {
			return s.format.parse(at)
		}
	}
	return "", nil
}

// arrive notes where the remote reference was at some time.
func (s *Store) arrive(ctx context.Context, at id, when time.Time) {
	moved := at != s.remote.at()
	s.remote.mu.Lock()
	s.remote.commit, s.remote.fetched = at, when
	s.remote.mu.Unlock()
	if moved && at != "" {
		s.git.run(ctx, nil, "update-ref", s.ref, at.String()) // see fetch
	}
}

// at returns the commit that the remote reference was last seen at.
func (r *remote) at() id {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.commit
}

// refresh fetches if the mirror is older than it may be. It refuses while nobody knows what has become of a push.
func (s *Store) refresh(ctx context.Context, path string) error {
	if s.remote == nil {
		return nil
	}
	s.remote.mu.Lock()
	pending, age := s.remote.pending, time.Since(s.remote.fetched)
	s.remote.mu.Unlock()
	if pending != nil {
		return about(path, atomicedit.ErrUnfinished)
	}
	if age > s.o.MaxAge {
		return s.fetch(ctx)
	}
	return nil
}

// unlessMoved returns errMoved if the remote reference is no longer at the tip that a mirror has, and err if it is.
func (s *Store) unlessMoved(ctx context.Context, at tip, err error) error {
	if s.remote == nil {
		return err
	}
	if err := s.fetch(ctx); err != nil {
		return err
	}
	if s.remote.at() != at.commit {
		return errMoved
	}
	return err
}

// pushTries is how often a push whose answer is lost is tried, each time after a look at the remote repository.
const pushTries = 4

// push moves the remote reference, if it is where it was. A push without an answer may have been carried out, or may be a moment later. So
// it is not enough to look: the same commit is pushed again until the reference has it, has gone elsewhere, or is refused. If the remote
// repository cannot be reached either, the outcome is ErrUnfinished, and finish goes on.
func (s *Store) push(ctx context.Context, from, to id) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := afterwards(ctx)
	defer cancel()
	maybe := false // a push without an answer was made
	var last error
	for try := range pushTries {
		if try > 0 && pause(ctx, 8*try) != nil {
			break
		}
		refused, err := s.pushOnce(ctx, from, to)
		if err == nil {
			s.arrive(ctx, to, time.Now())
			return nil
		}
		var f *failure
		maybe = maybe || !refused && !(errors.As(err, &f) && !f.ran)
		last = err
		lost := s.fetch(ctx)
		now := s.remote.at()
		if lost != nil {
			if !maybe {
				return err
			}
			last = errors.Join(err, lost)
			continue
		}
		if has, lost := s.contains(ctx, now, to); has {
			return nil
		} else if lost != nil {
			last = errors.Join(err, lost)
			continue
		}
		switch {
		case now != from:
			return errMoved
		case !maybe || refused:
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

// pushOnce asks the remote repository to move its reference by compare-and-swap, which git calls a lease. Refused reports whether it
// has answered, and said no.
func (s *Store) pushOnce(ctx context.Context, from, to id) (refused bool, err error) {
	lease := ""
	if from != "" {
		lease = from.String()
	}
	said, err := s.git.run(ctx, nil, "push", "--porcelain", "--force-with-lease="+s.ref+":"+lease, "--no-follow-tags", "--recurse-submodules=no",
		remoteName, to.String()+":"+s.ref)
	if err == nil {
		return false, nil
	}
	for line := range strings.Lines(string(said)) { // "!", the references, and a summary, with tabs between
		parts := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if len(parts) < 3 || parts[0] != "!" {
			continue
		}
		if strings.HasPrefix(parts[2], "[rejected]") || strings.HasPrefix(parts[2], "[remote rejected]") {
			return true, fmt.Errorf("%w: the remote repository refuses the commit: %s", atomicedit.ErrDenied, remoteWords(parts[2], err))
		}
	}
	return false, err
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
	s.remote.mu.Lock()
	pending := s.remote.pending
	s.remote.mu.Unlock()
	if pending == nil {
		return s.refresh(ctx, "")
	}
	if err := s.push(ctx, pending.from, pending.to); errors.Is(err, atomicedit.ErrUnfinished) || ctx.Err() != nil {
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
