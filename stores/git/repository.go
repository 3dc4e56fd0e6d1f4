package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// facts are what counts of the configuration of a repository.
type facts struct {
	format format
	shared string // core.sharedRepository: who may write to new files
	head   string // the file HEAD
	bare   bool
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
