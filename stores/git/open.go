package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
		return s.fetch(ctx)
	}
	return nil
}

// checkRepository refuses a directory that is no repository, and says which one may be meant.
func (s *Store) checkRepository() error {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(s.repo, name)); err == nil {
			continue
		}
		hint := "it has no " + name
		if git, err := os.Stat(filepath.Join(s.repo, ".git")); err == nil && git.IsDir() {
			hint = "it is a checkout: open " + filepath.Join(s.repo, ".git")
		} else if _, err := os.Stat(filepath.Join(s.repo, "commondir")); err == nil || git != nil {
			hint = "it belongs to a linked work tree or a submodule: open the directory that \"git rev-parse --git-common-dir\" prints there"
		}
		return fmt.Errorf("git: %s is not the directory of a git repository (%s): %w", s.repo, hint, fs.ErrInvalid)
	}
	if s.o.TrustRepository {
		return nil
	}
	return checkLinks(s.repo, append([]string{"HEAD", "config", "objects"}, linkedNames...)...)
}

// facts reads what counts of the configuration of the repository. Git reads the file, without what it includes.
func (s *Store) facts(ctx context.Context) (facts, error) {
	is := facts{format: formatSHA1, bare: filepath.Base(s.repo) != ".git"}
	head, err := os.ReadFile(filepath.Join(s.repo, "HEAD"))
	if err != nil {
		return is, err
	}
	is.head = string(head)
	file := filepath.Join(s.repo, "config")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return is, nil
	}
	out, err := s.git.run(ctx, nil, "config", "--file", file, "--no-includes", "--null", "--list")
	if err != nil {
		return is, err
	}
	for line := range strings.SplitSeq(string(out), "\x00") {
		name, value, _ := strings.Cut(line, "\n")
		if err := is.read(name, value); err != nil {
			return is, fmt.Errorf("git: %s has %s = %s: %w", file, name, value, err)
		}
	}
	return is, nil
}

var errFormat = fmt.Errorf("a store cannot work with such a repository: %w", errors.ErrUnsupported)

// read reads one setting. A repository says by its format version and extensions what a program must understand to use it; the rest
// is ignored, except for what Store needs.
func (is *facts) read(name, value string) error {
	on := value == "" || strings.EqualFold(value, "true") || strings.EqualFold(value, "yes") || strings.EqualFold(value, "on") || value == "1"
	switch name {
	case "core.repositoryformatversion":
		if value != "0" && value != "1" {
			return errFormat
		}
	case "core.bare":
		is.bare = on
	case "core.worktree":
		is.bare = false
	case "core.sharedrepository":
		is.shared = value
	case "extensions.objectformat":
		switch value {
		case formatSHA1.name:
		case formatSHA256.name:
			is.format = formatSHA256
		default:
			return errFormat
		}
	case "extensions.refstorage":
		if value != "files" {
			return errFormat
		}
	case "extensions.noop", "extensions.preciousobjects", "extensions.partialclone", "extensions.worktreeconfig", "extensions.relativeworktrees":
	default:
		if strings.HasPrefix(name, "extensions.") {
			return errFormat
		}
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

// checkPlace refuses a reference that is not to be moved: one that a work tree has checked out or, in a repository that is not trusted,
// one behind a symbolic link.
func (s *Store) checkPlace() error {
	if !s.o.TrustRepository {
		var names []string
		for dir := range parts(s.ref) {
			names = append(names, dir)
		}
		if err := checkLinks(s.repo, append(names, s.ref+".lock")...); err != nil {
			return err
		}
	}
	if s.o.CheckedOut {
		return nil
	}
	heads, err := filepath.Glob(filepath.Join(globQuoted(s.repo), "worktrees", "*", "HEAD"))
	if err != nil {
		return failed("worktree", nil, err)
	}
	if !s.bare {
		heads = append(heads, filepath.Join(s.repo, "HEAD"))
	}
	for _, head := range heads {
		text, err := os.ReadFile(head)
		if err == nil && strings.TrimSpace(string(text)) == "ref: "+s.ref {
			return fmt.Errorf("git: %s is checked out (%s says so): a commit would leave that work tree behind; use another Options.Ref, or set Options.CheckedOut", s.ref, head)
		}
	}
	return nil
}

// globQuoted returns the pattern of [filepath.Glob] that only matches a path.
func globQuoted(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
