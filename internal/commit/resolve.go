package commit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

const maxLinks = 40

var (
	errTooManyLinks = fmt.Errorf("too many symbolic links; name the file that they lead to: %w", fs.ErrInvalid)
	errState        = fmt.Errorf("%w: it holds the state of commits; use another path", errs.ErrOutside)
	errForeignName  = fmt.Errorf("a name that Windows does not have; choose another: %w", fs.ErrInvalid)
)

// A location is where a directory is, for paths that do not begin there.
type location struct {
	names []string // its absolute names
	home  string   // what "~/" stands for; "" if nothing
}

// locate returns the location of the directory called dir.
func locate(dir string) location {
	home, _ := os.UserHomeDir()
	return location{namesOf(dir), home}
}

// name returns the absolute name without links, or "".
func (l location) name() string {
	if len(l.names) == 0 {
		return ""
	}
	return l.names[len(l.names)-1]
}

// namesOf returns the absolute names of a directory, as it was given and without links.
func namesOf(dir string) (names []string) {
	is, err := os.Stat(dir)
	if err != nil {
		return nil
	}
	add := func(name string, err error) {
		if err == nil {
			name, err = filepath.Abs(name)
		}
		named, statErr := os.Stat(name)
		// filepath.Abs may have made another directory of "link/..".
		if err == nil && statErr == nil && os.SameFile(is, named) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(dir, nil)
	add(filepath.EvalSymlinks(dir))
	if full, err := filepath.Abs(dir); err == nil { // the working directory may have been reached by a link
		add(filepath.EvalSymlinks(full))
	}
	return names
}

// resolve returns the one name of the file that name leads to, which need not be there. It is below the directory and has no
// symbolic links in it, because a rename does not follow them. If somebody puts a link there later, the disk does not follow
// it.
func (l location) resolve(d disk.Disk, name string) (string, error) {
	clean, err := l.inside(name)
	if err != nil {
		return "", err
	}
	done, todo := ".", strings.Split(clean, "/")
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		if isReserved(part) {
			return "", errState
		}
		if part == "" || part == "." || part == ".." {
			if done, err = dots(done, part); err != nil {
				return "", err
			}
			continue
		}
		next := path.Join(done, part)
		now, err := d.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return absent(d, done, part, todo)
		case disk.NameTooLong(err):
			return "", errLongName(part)
		case err != nil:
			return "", err
		case now.Mode&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return "", errTooManyLinks
			}
			link, absolute, err := l.readlink(d, next)
			if err != nil {
				return "", err
			}
			if absolute {
				done = "."
			}
			todo = append(strings.Split(link, "/"), todo...)
		case !now.Mode.IsDir() && len(todo) > 0:
			return "", errNotDir(next)
		default:
			done = next
		}
	}
	if len(done) > maxPath {
		return "", errLongPath
	}
	return done, nil
}

// dots returns the directory that a part of a path without a name of its own leads to.
func dots(dir, part string) (string, error) {
	switch {
	case part != "..":
		return dir, nil
	case dir == ".":
		return "", errs.ErrOutside
	}
	return path.Dir(dir), nil
}

// absent checks and returns the name of a file in a directory that has nothing called part, the first of its remaining parts.
func absent(d disk.Disk, dir, part string, rest []string) (string, error) {
	name := path.Join(append([]string{dir, part}, rest...)...)
	if slices.ContainsFunc(rest, isReserved) {
		return "", errState
	}
	if !isTarget(name) {
		return "", errs.ErrOutside
	}
	if len(name) > maxPath {
		return "", errLongPath
	}
	for _, part := range rest {
		if _, err := d.Lstat(path.Join(dir, part)); disk.NameTooLong(err) {
			return "", errLongName(part)
		}
	}
	return name, nil
}

// readlink returns where a link leads, with slashes. An absolute one is returned relative to the top of the disk.
func (l location) readlink(d disk.Disk, name string) (link string, absolute bool, err error) {
	if link, err = d.Readlink(name); err != nil {
		return "", false, err
	}
	if filepath.IsAbs(link) || strings.HasPrefix(filepath.ToSlash(link), "/") { // on Windows it may lack the volume
		link, err = l.below(link)
		return link, true, err
	}
	return filepath.ToSlash(link), false, nil
}

// inside returns name, which may be absolute, as a clean path below the directory.
func (l location) inside(name string) (string, error) {
	if runtime.GOOS == "windows" {
		name = filepath.ToSlash(name)
	}
	switch rest, ok := strings.CutPrefix(name, "~/"); {
	case ok && l.home == "":
		return "", errOutside(name)
	case ok:
		name = path.Join(filepath.ToSlash(l.home), rest)
	}
	if filepath.IsAbs(name) && !strings.HasSuffix(name, "/") && !strings.ContainsRune(name, 0) {
		var err error
		if name, err = l.below(filepath.Clean(name)); err != nil {
			return "", err
		}
	}
	clean, err := cleanPath(name)
	if err == nil && !disk.IsLocal(clean) {
		err = errForeignName
	}
	return clean, err
}

// below makes an absolute name relative to the directory. It keeps the rest of the name as it is: ".." behind a linked
// directory is not the parent of the link.
func (l location) below(name string) (string, error) {
	for _, dir := range l.names {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(name), strings.TrimSuffix(filepath.ToSlash(dir), "/")+"/"); ok {
			return strings.TrimLeft(rest, "/"), nil
		}
	}
	if slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "..") {
		return "", errs.ErrOutside
	}
	for _, dir := range l.names {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", errs.ErrOutside
}

// resolveAll returns changes with the one names of their files. A file whose name is another one now is errs.ErrStale.
func (l location) resolveAll(d disk.Disk, changes []Change) ([]Change, error) {
	named := slices.Clone(changes)
	var problems []error
	for i, c := range named {
		real, err := l.resolve(d, c.Path)
		if err != nil {
			problems = append(problems, disk.At("commit", c.Path, err))
			continue
		}
		if leadsElsewhere(c.Before, real) || leadsElsewhere(c.After, real) {
			problems = append(problems, disk.At("check", c.Path, fmt.Errorf("a directory has become a link since: %w", errs.ErrStale)))
			continue
		}
		named[i].Path = real
		if c.From != "" {
			named[i].From, err = l.resolve(d, c.From)
			switch {
			case errors.Is(err, errs.ErrOutside), errors.Is(err, fs.ErrInvalid), errors.Is(err, fs.ErrNotExist): // a hint that makes no sense
				named[i].From = ""
			case err != nil:
				problems = append(problems, disk.At("commit", c.From, err))
			}
		}
	}
	if err := joined(problems); err != nil {
		return nil, err
	}
	return named, CheckPaths(named)
}

// leadsElsewhere reports whether a file had another name than the one that its path leads to now.
func leadsElsewhere(f *File, now string) bool { return f != nil && f.Path != "" && f.Path != now }
