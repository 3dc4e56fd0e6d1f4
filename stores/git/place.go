package git

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// checkPlace refuses a reference that is not to be moved: a symbolic one, one that a work tree has checked out or, in a
// repository that is not trusted, one behind a symbolic link.
func (r *repository) checkPlace() error {
	names := []string{r.ref + ".lock"}
	if r.o.TrustRepository {
		names = append(names, "logs/"+r.ref)
	}
	for dir := range parts(r.ref) {
		names = append(names, dir)
	}
	if err := r.lookAt(names...); err != nil {
		return err
	}
	target, err := r.target(r.ref)
	if err != nil {
		return err
	}
	if target != "" {
		return fmt.Errorf("git: %s is a symbolic reference: set Options.Ref to %s, which it stands for: %w",
			r.ref, target, fs.ErrInvalid)
	}
	if r.o.CheckedOut {
		return nil
	}
	heads, err := r.heads()
	if err != nil {
		return err
	}
	for _, head := range heads {
		target, err := r.target(head)
		if err != nil {
			return err
		}
		if target == r.ref {
			return fmt.Errorf("git: %s is checked out (%s says so): a commit would leave that work tree behind; "+
				"use another Options.Ref, or set Options.CheckedOut", r.ref, r.file(head))
		}
	}
	return nil
}

// heads returns the names of the files that say what the work trees have checked out.
func (r *repository) heads() (names []string, err error) {
	if !r.bare {
		names = append(names, "HEAD")
	}
	if err := r.lookAt("worktrees"); err != nil {
		return nil, err
	}
	trees, err := os.ReadDir(r.file("worktrees"))
	if err != nil && !isGone(err) {
		return nil, r.unseen("worktrees", err)
	}
	for _, tree := range trees {
		names = append(names, "worktrees/"+tree.Name()+"/HEAD")
	}
	return names, nil
}

// target returns the reference that a symbolic one stands for in the end; "" if the name is of no symbolic reference.
// A repository may come from anywhere, so target reads only files inside it.
func (r *repository) target(name string) (target string, err error) {
	const deepest = 5
	for range deepest { // as git does
		text, err := r.readRef(name)
		if isGone(err) {
			break
		}
		if err != nil {
			return "", r.unseen(name, err)
		}
		next, symbolic := strings.CutPrefix(text, "ref:")
		if next = strings.TrimSpace(next); !symbolic || !filepath.IsLocal(filepath.FromSlash(next)) {
			break
		}
		target, name = next, next
	}
	return target, nil
}

// readRef reads the file of a reference, unless it is so large that it can be none, or may never end. A directory is
// none. In a repository that is not trusted, it follows no symbolic link.
func (r *repository) readRef(name string) (string, error) {
	const largest = 4096
	for dir := range parts(name) {
		if err := r.lookAt(dir); err != nil {
			return "", err
		}
	}
	file := r.file(name)
	is, err := os.Stat(file)
	switch {
	case err != nil:
		return "", err
	case is.IsDir():
		return "", fmt.Errorf("git: %s is a directory: %w", file, fs.ErrNotExist)
	case !is.Mode().IsRegular() || is.Size() > largest:
		return "", fmt.Errorf("git: %s is not the file of a reference: %w", file, fs.ErrInvalid)
	}
	text, err := os.ReadFile(file)
	return string(text), err
}
