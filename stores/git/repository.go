package git

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// A repository is a git repository on this machine, and how git is run in it.
type repository struct {
	o       Options
	repo    string // its directory
	private private
	git     *program
	objects *catFile
	format  format
	ref     string
	bare    bool
	signs   bool // git signs the commits

	looked map[string]listing // directories without a link; used by Open and by the commit that has the turn

	seen atomic.Bool // the reference has been there; if it is gone, somebody has deleted it
}

// checkRepository refuses a directory that is no repository, and says which one may be meant.
func (r *repository) checkRepository() error {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		_, err := os.Stat(r.file(name))
		if err == nil {
			continue
		}
		if !isGone(err) {
			return r.unseen(name, err)
		}
		hint := "it has no " + name
		if git, err := os.Stat(filepath.Join(r.repo, ".git")); err == nil && git.IsDir() {
			hint = "it is a checkout: open " + filepath.Join(r.repo, ".git")
		} else if _, err := os.Stat(filepath.Join(r.repo, "commondir")); err == nil || git != nil {
			hint = "it belongs to a linked work tree or a submodule: open the directory that \"git rev-parse " +
				"--git-common-dir\" prints there"
		}
		return fmt.Errorf("git: %s is not the directory of a git repository (%s): %w", r.repo, hint, fs.ErrInvalid)
	}
	return r.inspect("objects", "refs")
}

// facts reads what counts of the configuration of the repository. Git reads the file, without what it includes.
func (r *repository) facts(ctx context.Context) (facts, error) {
	is := facts{format: formatSHA1, bare: filepath.Base(r.repo) != ".git"}
	var err error
	if is.head, err = r.readRef("HEAD"); err != nil {
		return is, err
	}
	file := r.file("config")
	if _, err := os.Stat(file); isGone(err) {
		return is, nil
	}
	out, err := r.git.run(ctx, nil, "config", "--file", file, "--no-includes", "--null", "--list")
	if err != nil {
		return is, err
	}
	for line := range strings.SplitSeq(string(out), "\x00") {
		name, value, given := strings.Cut(line, "\n")
		if !given { // as in "bare" on a line of its own
			value = "true"
		}
		if err := is.read(name, value); err != nil {
			return is, fmt.Errorf("git: %s has %s = %s: %w", file, name, value, err)
		}
	}
	return is, nil
}

// findRef finds out which reference is meant, and refuses a name that cannot be one.
func (r *repository) findRef(ctx context.Context) error {
	r.ref = r.o.Ref
	if r.ref == "" {
		out, err := r.git.run(ctx, nil, "symbolic-ref", "--quiet", "HEAD")
		if err != nil {
			return fmt.Errorf("git: HEAD of %s names no branch: set Options.Ref: %w", r.repo, err)
		}
		r.ref = strings.TrimSuffix(string(out), "\n")
	}
	if _, err := r.git.run(ctx, nil, "check-ref-format", r.ref); err != nil {
		if !saysNo(err) {
			return err
		}
		return fmt.Errorf("git: %q cannot be the name of a reference: %w", r.ref, fs.ErrInvalid)
	}
	return nil
}

// findPeople finds out who signs the commits, and whether git is to sign them with a key. It does not ask git for an
// identity that nobody has configured, because git would ask the network for the name of this machine.
func (r *repository) findPeople(ctx context.Context) error {
	o := &r.o
	if o.TrustRepository {
		signs, err1 := r.config(ctx, "--type=bool", "commit.gpgSign")
		name, err2 := r.config(ctx, "user.name")
		email, err3 := r.config(ctx, "user.email")
		if err := cmp.Or(err1, err2, err3); err != nil {
			return err
		}
		r.signs = signs == "true"
		if name != "" && o.Author.Name == "" {
			o.Author = Person{name, email}
		}
	}
	o.Author = cmp.Or(o.Author, defaultPerson)
	o.Committer = cmp.Or(o.Committer, o.Author)
	return cmp.Or(o.Author.check("Author"), o.Committer.check("Committer"))
}

// config returns the value of a setting that counts, "" if it has none.
func (r *repository) config(ctx context.Context, args ...string) (string, error) {
	out, err := r.git.run(ctx, nil, append([]string{"config", "--get"}, args...)...)
	if saysNo(err) {
		return "", nil
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
