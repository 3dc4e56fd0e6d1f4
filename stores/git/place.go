package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// checkPlace refuses a reference that is not to be moved: a symbolic one, one that a work tree has checked out or, in a repository that
// is not trusted, one behind a symbolic link.
func (r *repository) checkPlace() error {
	if !r.o.TrustRepository {
		var names []string
		for dir := range parts(r.ref) {
			names = append(names, dir)
		}
		if err := checkLinks(r.repo, append(names, r.ref+".lock")...); err != nil {
			return err
		}
	}
	if target := r.target(filepath.Join(r.repo, filepath.FromSlash(r.ref))); target != "" {
		return fmt.Errorf("git: %s is a symbolic reference: set Options.Ref to %s, which it stands for: %w", r.ref, target, fs.ErrInvalid)
	}
	if r.o.CheckedOut {
		return nil
	}
	heads, err := filepath.Glob(filepath.Join(globQuoted(r.repo), "worktrees", "*", "HEAD"))
	if err != nil {
		return failed("worktree", nil, err)
	}
	if !r.bare {
		heads = append(heads, filepath.Join(r.repo, "HEAD"))
	}
	for _, head := range heads {
		if r.target(head) == r.ref {
			return fmt.Errorf("git: %s is checked out (%s says so): a commit would leave that work tree behind; use another Options.Ref, or set Options.CheckedOut", r.ref, head)
		}
	}
	return nil
}

// target returns the reference that a symbolic one stands for in the end, given its file; "" if the file is of no symbolic reference. A
// repository may come from anywhere, so target reads only files inside it.
func (r *repository) target(file string) (name string) {
	const deepest = 5
	for range deepest { // as git does
		text, err := readRef(file)
		next, symbolic := strings.CutPrefix(text, "ref:")
		if next = strings.TrimSpace(next); err != nil || !symbolic || !filepath.IsLocal(filepath.FromSlash(next)) {
			break
		}
		name, file = next, filepath.Join(r.repo, filepath.FromSlash(next))
	}
	return name
}

// readRef reads the file of a reference, unless it is so large that it can be none, or may never end.
func readRef(file string) (string, error) {
	const largest = 4096
	is, err := os.Stat(file)
	if err == nil && (!is.Mode().IsRegular() || is.Size() > largest) {
		return "", fmt.Errorf("git: %s is not the file of a reference: %w", file, fs.ErrInvalid)
	}
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	return string(text), err
}

// globQuoted returns the pattern of [filepath.Glob] that only matches a path.
func globQuoted(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// checkLinks refuses a repository in which a symbolic link stands where a commit writes or reads, because it may lead anywhere, or a pipe
// or a device, because to read it may take forever.
func checkLinks(dir string, names ...string) error {
	for _, name := range names {
		is, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case is.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("git: %s is a symbolic link, which counts only with Options.TrustRepository", filepath.Join(dir, filepath.FromSlash(name)))
		case !is.IsDir() && !is.Mode().IsRegular():
			return fmt.Errorf("git: %s is neither a file nor a directory: %w", filepath.Join(dir, filepath.FromSlash(name)), fs.ErrInvalid)
		}
	}
	return nil
}
