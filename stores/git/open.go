package git

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// Open returns a store on a git repository: a bare one, or the .git directory of a checkout. With [Options].Remote, dir is the mirror
// of a remote repository; Open makes it if it is not there, and fetches Ref. It runs the git program, version 2.30 or later.
//
// The store has a directory of its own below [os.TempDir], and a process, until it is closed.
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
	own, err := newPrivate(options)
	if err != nil {
		return nil, err
	}
	s := &Store{o: options, repo: dir, private: own, turn: make(chan struct{}, 1)}
	s.git = &program{path: path, dir: string(own), linger: patience, env: own.environment("", options.TrustRepository), args: []string{"-c", "include.path=" + own.config()}}
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
		if err := s.openRemote(ctx); err != nil {
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
		return s.fetch(ctx, time.Now())
	}
	return nil
}

// findRef finds out which reference is meant, and refuses a name that cannot be one.
func (s *Store) findRef(ctx context.Context) error {
	s.ref = s.o.Ref
	if s.ref == "" {
		out, err := s.git.run(ctx, nil, "symbolic-ref", "--quiet", "HEAD")
		if err != nil {
			return fmt.Errorf("git: HEAD of %s names no branch: set Options.Ref: %w", s.repo, err)
		}
		s.ref = strings.TrimSuffix(string(out), "\n")
	}
	if _, err := s.git.run(ctx, nil, "check-ref-format", s.ref); err != nil {
		return fmt.Errorf("git: %q cannot be the name of a reference: %w", s.ref, fs.ErrInvalid)
	}
	return nil
}

// findPeople finds out who signs the commits, and whether git is to sign them with a key. It does not ask git for an identity that nobody
// has configured, because git would ask the network for the name of this machine.
func (s *Store) findPeople(ctx context.Context) error {
	o := &s.o
	if o.TrustRepository {
		signs, err1 := s.config(ctx, "--type=bool", "commit.gpgSign")
		name, err2 := s.config(ctx, "user.name")
		email, err3 := s.config(ctx, "user.email")
		if err := cmp.Or(err1, err2, err3); err != nil {
			return err
		}
		s.signs = signs == "true"
		if name != "" && o.Author.Name == "" {
			o.Author = Person{name, email}
		}
	}
	o.Author = cmp.Or(o.Author, defaultPerson)
	o.Committer = cmp.Or(o.Committer, o.Author)
	return cmp.Or(o.Author.check("Author"), o.Committer.check("Committer"))
}

// config returns the value of a setting that counts, "" if it has none.
func (s *Store) config(ctx context.Context, args ...string) (string, error) {
	out, err := s.git.run(ctx, nil, append([]string{"config", "--get"}, args...)...)
	if saysNo(err) {
		return "", nil
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// environment returns the variables that tell git who somebody is.
func (p Person) environment(role string) []string {
	return []string{"GIT_" + role + "_NAME=" + p.Name, "GIT_" + role + "_EMAIL=" + p.Email}
}
