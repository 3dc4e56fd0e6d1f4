package git

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// Options configure [Open]. A nil *Options is the zero value. An option that makes no sense is [fs.ErrInvalid].
type Options struct {
	// Ref is the reference whose tip is the tree, such as "refs/heads/main", or "main" for short. By default it is the
	// branch that HEAD names, in the repository or at the remote. The first commit creates a reference that is not
	// there. A symbolic reference is refused, except in a remote repository, which follows it itself.
	Ref string

	// CheckedOut allows Ref to be a branch that a work tree has checked out. A commit moves the branch and leaves the
	// work tree and its index as they are, so "git status" then shows the reverse of the commit as staged, until
	// somebody runs "git reset --hard". By default such a branch is refused.
	CheckedOut bool

	// Remote is the URL or path of a remote repository, which commits are pushed to. The directory given to Open is
	// then a mirror, which several stores may share. The protocols are file, git, http, https and ssh.
	Remote string

	// MaxAge is how old the mirror of a Remote may be when it is read or committed to; an older one is fetched first. 0
	// means 5 seconds, and a negative MaxAge fetches every time. No update is lost, however old the mirror is.
	MaxAge time.Duration

	// Author and Committer sign the commits. A Committer without a name is the Author, and an Author without a name is
	// "atomicedit <atomicedit@localhost>" or, with TrustRepository, the author that git finds in its configuration.
	Author, Committer Person

	// Message returns the message of a commit, given the report of its changes, as [atomicedit.ReportOf] returns it. It
	// is called once for each commit, and must not use the store. By default the message lists the changed files, which
	// saves the cost of the report.
	Message func(*atomicedit.Report) string

	MaxSize    int64                 // largest file read, in bytes, checked before reading; 0 means 64 MiB
	Durability atomicedit.Durability // DurableFull by default; a remote decides for itself

	// TrustRepository lets the configuration of the repository, of the user and of the system count, with every program
	// that it names: hooks (reference-transaction and pre-push; there is no work tree, so no pre-commit), credential
	// helpers, ssh commands, programs that sign. It also lets alternates and symbolic links lead to other repositories.
	// Only do so for a repository that nobody else may write to.
	TrustRepository bool

	// Config is git configuration that counts in any case, such as "http.extraHeader" or "credential.helper". It stays
	// out of the arguments of processes. The caller is trusted: only the form of the names is checked.
	Config map[string]string

	Program string // the git program; by default "git" in one of the directories of PATH
}

// A Person is the author or committer of a commit. The zero value stands for the default. Neither part may have control
// characters or angle brackets.
type Person struct{ Name, Email string }

// defaultPerson is the author, where [Options] do not say.
var defaultPerson = Person{"atomicedit", "atomicedit@localhost"}

// check refuses a person that git cannot write down.
func (p Person) check(what string) error {
	bad := func(r rune) bool { return r < ' ' || r == 0x7f || r == '<' || r == '>' }
	if strings.ContainsFunc(p.Name+p.Email, bad) || p.Name == "" && p.Email != "" ||
		p.Name != "" && strings.TrimSpace(p.Name) == "" {
		return fmt.Errorf("git: Options.%s cannot be %q <%q>: %w", what, p.Name, p.Email, fs.ErrInvalid)
	}
	return nil
}

const (
	defaultMaxSize = 64 << 20
	defaultMaxAge  = 5 * time.Second
)

// complete returns o with its defaults, or refuses what means nothing.
func (o *Options) complete() (Options, error) {
	if o == nil {
		o = &Options{}
	}
	c := *o
	c.MaxSize, c.MaxAge, c.Program = cmp.Or(c.MaxSize, defaultMaxSize), cmp.Or(c.MaxAge, defaultMaxAge),
		cmp.Or(c.Program, "git")
	if c.Ref != "" && !strings.HasPrefix(c.Ref, "refs/") {
		c.Ref = "refs/heads/" + c.Ref
	}
	if isLocal(c.Remote) {
		abs, err := filepath.Abs(c.Remote)
		if err != nil {
			return c, err
		}
		c.Remote = abs
	}
	switch {
	case c.MaxSize < 0:
		return c, fmt.Errorf("git: Options.MaxSize is %d: %w", c.MaxSize, fs.ErrInvalid)
	case c.Durability < atomicedit.DurableFull || c.Durability > atomicedit.DurableNone:
		return c, fmt.Errorf("git: Options.Durability is unknown: %d: %w", c.Durability, fs.ErrInvalid)
	case strings.HasPrefix(c.Remote, "-"):
		return c, fmt.Errorf("git: Options.Remote cannot be %q: %w", c.Remote, fs.ErrInvalid)
	}
	for name := range c.Config {
		if _, err := configLine(name, ""); err != nil {
			return c, err
		}
	}
	return c, cmp.Or(c.Author.check("Author"), c.Committer.check("Committer"))
}

// isLocal reports whether git takes a remote for a path on this machine: it has no colon before its first slash.
func isLocal(remote string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(remote), "/")
	return remote != "" && (!strings.Contains(first, ":") || filepath.VolumeName(remote) != "")
}

// environment returns the variables that tell git who somebody is.
func (p Person) environment(role string) []string {
	return []string{"GIT_" + role + "_NAME=" + p.Name, "GIT_" + role + "_EMAIL=" + p.Email}
}
