package git

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// counted are the parts of a repository that git reads, apart from what is below them.
var counted = []string{"HEAD", "config", "commondir", "packed-refs", "shallow", "objects", "refs", "worktrees"}

// lists are files that git reads as well if the repository is trusted. Each of them may be a symbolic link.
var lists = []string{
	"index", "config.worktree", "info/grafts", "info/attributes", "info/exclude", "logs/HEAD",
	"objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index",
}

// alternates are files that lead to the objects of another repository.
var alternates = []string{"objects/info/alternates", "objects/info/http-alternates"}

// A listing is what a directory had in it when it was last looked through and found to be in order.
type listing struct {
	changed time.Time // the modification time of the directory
	dirs    []string  // the directories in it
}

// file returns the path of a part of the repository, whose name has slashes.
func (r *repository) file(name string) string { return filepath.Join(r.repo, filepath.FromSlash(name)) }

// inspect refuses a repository with a pipe or a device where git would read, because that may take forever. Unless the
// repository is trusted, it also refuses what leads to the objects of another one, which git would show or write to:
// alternates, and symbolic links anywhere below the given directories.
func (r *repository) inspect(trees ...string) error {
	if err := r.git.step("look at the repository", false); err != nil {
		return err
	}
	if err := r.lookAt(counted...); err != nil {
		return err
	}
	if r.o.TrustRepository {
		return r.lookAt(lists...)
	}
	for _, name := range alternates {
		is, err := os.Lstat(r.file(name))
		switch {
		case err == nil:
			return cmp.Or(r.allow(name, is.Mode()), r.untrusted(name, "leads to the objects of another repository"))
		case !isGone(err):
			return r.unseen(name, err)
		}
	}
	for _, tree := range trees {
		if err := r.lookBelow(tree); err != nil {
			return err
		}
	}
	return nil
}

// lookAt looks at single parts of the repository. Those of a trusted one may be symbolic links.
func (r *repository) lookAt(names ...string) error {
	stat := os.Lstat
	if r.o.TrustRepository {
		stat = os.Stat
	}
	for _, name := range names {
		is, err := stat(r.file(name))
		if isGone(err) {
			continue
		}
		if err != nil {
			return r.unseen(name, err)
		}
		if err := r.allow(name, is.Mode()); err != nil {
			return err
		}
	}
	return nil
}

// lookBelow looks at everything below a directory. It does not read again a directory whose modification time is the
// one of the last look, so a second look costs little where there are many objects.
func (r *repository) lookBelow(tree string) error {
	const tick = 2 * time.Second // the coarsest clock of a file system
	settled := time.Now().Add(-tick)
	for todo := []string{tree}; len(todo) > 0; {
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		is, err := os.Lstat(r.file(dir))
		if isGone(err) {
			continue
		}
		if err != nil {
			return r.unseen(dir, err)
		}
		if err := r.allow(dir, is.Mode()); err != nil {
			return err
		}
		last, ok := r.looked[dir]
		if !ok || !last.changed.Equal(is.ModTime()) {
			delete(r.looked, dir)
			if last.dirs, err = r.lookInto(dir); err != nil {
				return err
			}
			if is.ModTime().Before(settled) { // so a later change has a later time
				r.looked[dir] = listing{is.ModTime(), last.dirs}
			}
		}
		todo = append(todo, last.dirs...)
	}
	return nil
}

// lookInto looks at what a directory has in it, and returns the directories. Git may remove the directory, or what is
// in it, at any time.
func (r *repository) lookInto(dir string) (dirs []string, err error) {
	entries, err := os.ReadDir(r.file(dir))
	if isGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, r.unseen(dir, err)
	}
	for _, e := range entries {
		name := dir + "/" + e.Name()
		if err := r.allow(name, e.Type()); err != nil {
			return nil, err
		}
		if e.IsDir() {
			dirs = append(dirs, name)
		}
	}
	return dirs, nil
}

// allow refuses what is neither a file nor a directory.
func (r *repository) allow(name string, mode fs.FileMode) error {
	switch {
	case mode&fs.ModeSymlink != 0:
		return r.untrusted(name, "is a symbolic link")
	case !mode.IsDir() && !mode.IsRegular():
		return fmt.Errorf("git: %s is neither a file nor a directory: %w", r.file(name), fs.ErrInvalid)
	}
	return nil
}

// untrusted is the error about what only a trusted repository may have.
func (r *repository) untrusted(name, what string) error {
	return fmt.Errorf("git: %s %s, which counts only with Options.TrustRepository: %w",
		r.file(name), what, fs.ErrPermission)
}

// unseen is the error about a part of the repository that cannot be looked at. It wraps nothing, because the error of
// the system would seem to be about a file of the store.
func (r *repository) unseen(name string, err error) error {
	return fmt.Errorf("git: cannot look at %s: %s", r.file(name), strings.TrimPrefix(err.Error(), "git: "))
}

// isGone reports whether an error of the system says that there is no file of a name, and nothing else.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
