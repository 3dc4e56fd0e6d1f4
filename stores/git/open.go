package git

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"
)

// Open returns a store on a git repository: a bare one, or the .git directory of a checkout. With [Options].Remote, dir
// is the mirror of a remote repository; Open makes it if it is not there, and fetches Ref. It runs the git program,
// version 2.30 or later; it is tested with 2.30.2 and 2.39.5.
//
// A checkout itself and a linked work tree are [fs.ErrInvalid]; the error says what to open instead. A repository whose
// format or extensions are unknown is [errors.ErrUnsupported], and so is one with reftables. SHA-256 is supported. A
// Ref that is damaged, or at an annotated tag instead of a commit, is an error as well.
//
// Until it is closed, the store has a process and a directory of its own below [os.TempDir], which must stay. A process
// that is killed leaves the directory behind; the next Open by the same user removes it, when no git that has outlived
// that process uses it any more. A file in the directory that is locked tells so. Where there are no such locks, as on
// Windows, the directory stays.
func Open(dir string, o *Options) (*Store, error) {
	options, err := o.complete()
	if err != nil {
		return nil, err
	}
	path, err := findProgram(options.Program)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	own, inUse, err := newPrivate(options)
	if err != nil {
		return nil, err
	}
	r := &repository{o: options, repo: dir, private: own, looked: map[string]listing{}}
	s := &Store{repository: r, turn: make(chan struct{}, 1)}
	s.git = &program{
		path: path, dir: string(own), inUse: inUse, linger: patience,
		env: own.environment("", options.TrustRepository), args: []string{"-c", "include.path=" + own.config()},
	}
	if u, err := url.Parse(options.Remote); err == nil {
		s.git.secret, _ = u.User.Password()
	}
	if err := s.open(context.Background()); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// open takes the steps of Open that run git.
func (s *Store) open(ctx context.Context) error {
	if err := s.git.checkVersion(ctx); err != nil {
		return err
	}
	if s.o.Remote != "" {
		s.remote = &remote{repository: s.repository, turn: make(chan struct{}, 1)}
		if err := s.remote.init(ctx); err != nil {
			return err
		}
	}
	if err := s.checkRepository(); err != nil {
		return err
	}
	is, err := s.facts(ctx)
	if err != nil {
		return err
	}
	s.format, s.bare = is.format, is.bare
	if !s.o.TrustRepository {
		if err := s.private.standFor(s.repo, is); err != nil {
			return err
		}
	}
	s.git.env = s.private.environment(s.repo, s.o.TrustRepository)
	if err := s.findRef(ctx); err != nil {
		return err
	}
	if err := s.private.detach(); err != nil {
		return err
	}
	if err := s.findPeople(ctx); err != nil {
		return err
	}
	s.git.env = append(s.git.env, s.o.Author.environment("AUTHOR")...)
	s.git.env = append(s.git.env, s.o.Committer.environment("COMMITTER")...)
	s.objects = newCatFile(s.git, s.format)
	if err := s.checkPlace(); err != nil {
		return err
	}
	if s.remote != nil {
		if err := s.remote.fetch(ctx, time.Now()); err != nil {
			return err
		}
	}
	return s.checkTip(ctx)
}

// checkTip refuses a reference that no commit can be made to. It does not wait for an object that can never be read,
// such as a pipe.
func (s *Store) checkTip(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := s.tip(ctx, s.tipName())
	if ctx.Err() != nil {
		return fmt.Errorf("git: the tip of %s could not be read within %v", s.ref, patience)
	}
	return err
}

// Recover implements [atomicedit.Recoverer]. A commit to a remote repository is [atomicedit.ErrUnfinished] if the
// connection is lost during the push and does not come back. Recover, like the next Commit, finds out whether the push
// was carried out. If it was not, it pushes the commit again.
func (s *Store) Recover(ctx context.Context) error {
	if s.isZero() {
		return errZero
	}
	if err := lock(ctx, s.turn); err != nil {
		return err
	}
	defer func() { <-s.turn }()
	if s.remote == nil {
		return nil
	}
	return s.remote.finish(ctx)
}
