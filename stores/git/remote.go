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

// A remote is the repository that a mirror is of.
type remote struct {
	*repository               // the mirror
	turn        chan struct{} // holds a token during a fetch

	mu      sync.Mutex
	commit  id        // that the remote reference was last seen at, "" for none
	fetched time.Time // when it was
	pending *step     // a push of which nobody knows what has become
}

// A step of a reference is from one commit, "" for none, to another.
type step struct{ from, to id }

// init asks the remote repository what is to be mirrored, and makes the mirror if it is not there.
func (m *remote) init(ctx context.Context) error {
	names, err := os.ReadDir(m.repo)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(names) > 0 && m.o.Ref != "" {
		return nil
	}
	said, err := m.git.run(ctx, nil, "ls-remote", "--symref", remoteName, "HEAD", "refs/heads/*")
	if err != nil {
		return err
	}
	is := facts{format: formatSHA1}
	for line := range strings.Lines(string(said)) {
		value, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if ref, ok := strings.CutPrefix(value, "ref: "); ok && name == "HEAD" && m.o.Ref == "" {
			m.o.Ref = ref
		}
		if len(value) == 2*formatSHA256.size {
			is.format = formatSHA256
		}
	}
	if m.o.Ref == "" {
		return fmt.Errorf("git: the remote repository does not say which branch is meant: set Options.Ref: %w",
			fs.ErrInvalid)
	}
	if len(names) > 0 {
		return nil
	}
	return initBare(m.repo, is)
}

// fetch finds out where the remote reference is, and gets its commit into the mirror. The mirror has a reference as
// well, but nothing relies on it: it only tells the next fetch what is there, so a lock that a dead process has left on
// it does no harm. If another caller has fetched since the given time, that is enough.
func (m *remote) fetch(ctx context.Context, since time.Time) error {
	if err := lock(ctx, m.turn); err != nil {
		return err
	}
	defer func() { <-m.turn }()
	if at, _ := m.state(); at.After(since) {
		return nil
	}
	for range fetchTries {
		began := time.Now()
		at, err := m.askRemote(ctx)
		if err != nil {
			return err
		}
		if at == "" || at == m.at() || m.has(ctx, at) {
			m.arrive(ctx, at, began)
			return nil
		}
		if _, err := m.git.run(ctx, nil, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
			"--no-recurse-submodules", remoteName, m.ref); err != nil {
			return err
		}
		if m.has(ctx, at) {
			m.arrive(ctx, at, began)
			return nil
		}
	}
	return cmp.Or(ctx.Err(), fmt.Errorf("git: the remote repository does not send the commit that its %s is at", m.ref))
}

// fetchTries is how often a fetch begins again because the remote reference has moved meanwhile to what is no
// descendant.
const fetchTries = 10

// has reports whether the mirror has an object, of whatever kind: tip refuses what is no commit.
func (m *remote) has(ctx context.Context, at id) bool {
	_, err := m.objects.read(ctx, at.String(), maxCommit)
	return err == nil || err == errLarge
}

// askRemote asks where the remote reference is. Before 2.34, git leaves out a damaged one, as if it were not there,
// unless it is paranoid.
func (m *remote) askRemote(ctx context.Context) (id, error) {
	said, err := m.git.runIn(ctx, []string{"GIT_REF_PARANOIA=1"}, nil, "ls-remote", remoteName, m.ref)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(said)) {
		switch at, ok := strings.CutSuffix(line, "\t"+m.ref+"\n"); {
		case ok && at == m.format.hexOf(""):
			return "", fmt.Errorf("git: %s is damaged in the remote repository: run git fsck there", m.ref)
		case ok:
			return m.format.parse(at)
		}
	}
	return "", nil
}

// arrive notes where the remote reference was at some time.
func (m *remote) arrive(ctx context.Context, at id, when time.Time) {
	moved := at != m.at()
	m.mu.Lock()
	m.commit, m.fetched = at, when
	m.mu.Unlock()
	if moved && at != "" {
		m.git.run(ctx, nil, "update-ref", m.ref, at.String()) // see fetch
	}
}

// at returns the commit that the remote reference was last seen at.
func (m *remote) at() id {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.commit
}

// state returns when the remote reference was last looked at, and the push of which nobody knows what has become.
func (m *remote) state() (fetched time.Time, pending *step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.fetched, m.pending
}

// refresh fetches if the mirror is older than it may be. It refuses while nobody knows what has become of a push.
func (m *remote) refresh(ctx context.Context, path string) error {
	fetched, pending := m.state()
	if pending != nil {
		return about(path, atomicedit.ErrUnfinished)
	}
	if since := time.Now().Add(-m.o.MaxAge); !fetched.After(since) {
		return m.fetch(ctx, since)
	}
	return nil
}
