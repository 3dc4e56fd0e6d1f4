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
// relies on it: it only tells the next fetch what is there, so a lock that a dead process has left on it does no harm. If another caller
// has fetched since the given time, that is enough.
func (s *Store) fetch(ctx context.Context, since time.Time) error {
	if err := lock(ctx, s.remote.turn); err != nil {
		return err
	}
	defer func() { <-s.remote.turn }()
	if at, _ := s.remote.state(); at.After(since) {
		return nil
	}
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

// state returns when the remote reference was last looked at, and the push of which nobody knows what has become.
func (r *remote) state() (fetched time.Time, pending *step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fetched, r.pending
}

// refresh fetches if the mirror is older than it may be. It refuses while nobody knows what has become of a push.
func (s *Store) refresh(ctx context.Context, path string) error {
	if s.remote == nil {
		return nil
	}
	fetched, pending := s.remote.state()
	if pending != nil {
		return about(path, atomicedit.ErrUnfinished)
	}
	if since := time.Now().Add(-s.o.MaxAge); !fetched.After(since) {
		return s.fetch(ctx, since)
	}
	return nil
}

// unlessMoved returns errMoved if the remote reference is no longer at the tip that a mirror has, and err if it is.
func (s *Store) unlessMoved(ctx context.Context, at tip, err error) error {
	if s.remote == nil {
		return err
	}
	if err := s.fetch(ctx, time.Now()); err != nil {
		return err
	}
	if s.remote.at() != at.commit {
		return errMoved
	}
	return err
}
