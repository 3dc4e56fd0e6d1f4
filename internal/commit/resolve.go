package commit

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

const maxLinks = 40

var (
	errTooManyLinks = fmt.Errorf("too many symbolic links; use the name of the file that they lead to: %w",
		fs.ErrInvalid)
	errState       = fmt.Errorf("%w: it holds the state of commits; use another path", errs.ErrOutside)
	errForeignName = fmt.Errorf("the name is one that Windows does not allow; choose another one: %w", fs.ErrInvalid)
)

// A location tells where a directory is, so that absolute paths can be resolved.
type location struct {
	names []string // its absolute names
	home  string   // what "~/" stands for; "" if nothing
}

// name returns the absolute name without links, "" if it is not known.
func (l location) name() string {
	if len(l.names) == 0 {
		return ""
	}
	return l.names[len(l.names)-1]
}

// locate returns the location of what is called below in a directory, of the directory itself if that is "". The names
// of the directory are the one that was given, and the ones without links, as far as the process can reach them.
func locate(dir, below string) (l location, err error) {
	l.home, _ = os.UserHomeDir()
	is, err := os.Stat(dir)
	if err != nil {
		return l, unlessUnreachable(err)
	}
	add := func(name string, problem error) {
		if problem == nil {
			name, problem = filepath.Abs(name)
		}
		named, statErr := os.Stat(name)
		if problem = cmp.Or(problem, statErr); problem != nil {
			err = cmp.Or(err, unlessUnreachable(problem))
			return
		}
		// After filepath.Abs, "link/.." may name another directory.
		if full := filepath.Join(name, below); os.SameFile(is, named) && !slices.Contains(l.names, full) {
			l.names = append(l.names, full)
		}
	}
	add(dir, nil)
	add(filepath.EvalSymlinks(dir))
	if full, err := filepath.Abs(dir); err == nil { // the working directory may have been reached through a link
		add(filepath.EvalSymlinks(full))
	}
	return l, err
}

// unlessUnreachable returns an error of looking at a name, nil if the name leads nowhere for this process.
func unlessUnreachable(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || disk.NameTooLong(err) {
		return nil
	}
	return err
}

// inDir returns the name of what a directory has under a name: [path.Join] would look for dots in both.
func inDir(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// A hop is a symbolic link on the way to a file, the last part of its name if it is final.
type hop struct {
	name  string
	final bool
}

// follow returns the resolved name of the file that name leads to, whether the file exists or not: relative, and
// without symbolic links, which a rename does not follow. Links are those that it has followed, up to an error.
func (l location) follow(d disk.Disk, name string) (real string, links []hop, err error) {
	clean, err := l.inside(name)
	if err != nil {
		return "", nil, err
	}
	done, todo := ".", strings.Split(clean, "/")
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch {
		case isReserved(part):
			return "", links, errState
		case part == "", part == ".":
			continue
		case part == ".." && done == ".":
			return "", links, l.above(todo)
		case part == "..":
			done = path.Dir(done)
			continue
		}
		next := inDir(done, part)
		now, err := lstat(d, next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			real, err = absent(d, done, part, todo)
			return real, links, err
		case err != nil:
			return "", links, err
		case now.Mode&fs.ModeSymlink != 0:
			if links = append(links, hop{next, len(todo) == 0}); len(links) > maxLinks {
				return "", links, errTooManyLinks
			}
			dir, link, err := l.readlink(d, next, todo)
			if err != nil {
				return "", links, err
			}
			done, todo = dir, append(strings.Split(link, "/"), todo...)
		case !now.Mode.IsDir() && len(todo) > 0:
			return "", links, names.ErrNotDir(next)
		default:
			done = next
		}
	}
	if len(done) > names.MaxLen {
		return "", links, names.ErrTooLong
	}
	return done, links, nil
}

// above returns the error for a ".." that leads out of the directory. Rest follows it in the name.
func (l location) above(rest []string) error {
	dir := path.Dir(filepath.ToSlash(l.name())) // not absolute if the name is not known
	for len(rest) > 0 && rest[0] == ".." {
		dir, rest = path.Dir(dir), rest[1:]
	}
	return leadsOut(dir, rest)
}

// absent checks and returns the name of a file that does not exist: dir has nothing called part. Rest follows it.
func absent(d disk.Disk, dir, part string, rest []string) (string, error) {
	name := path.Join(append([]string{dir, part}, rest...)...)
	switch {
	case slices.ContainsFunc(rest, isReserved):
		return "", errState
	case !isTarget(name):
		return "", names.ErrBeyond
	case len(name) > names.MaxLen:
		return "", names.ErrTooLong
	}
	for _, part := range rest {
		if _, err := lstat(d, path.Join(dir, part)); disk.UnlessGone(err) != nil {
			return "", err
		}
	}
	return name, nil
}

// lstat is Lstat, but says so if the last part of a name is too long.
func lstat(d disk.Disk, name string) (disk.Stat, error) {
	is, err := d.Lstat(name)
	if disk.NameTooLong(err) {
		err = fmt.Errorf("a name of %d bytes is too long for the file system; choose a shorter one: %w",
			len(path.Base(name)), fs.ErrInvalid)
	}
	return is, err
}

// readlink returns where a link leads from dir, with slashes. Rest follows the link in the name.
func (l location) readlink(d disk.Disk, name string, rest []string) (dir, link string, err error) {
	link, err = d.Readlink(name)
	if err != nil || !isAbs(link) {
		return path.Dir(name), filepath.ToSlash(link), err
	}
	inside, err := l.below(link)
	if err != nil {
		err = leadsOut(filepath.ToSlash(link), rest)
	}
	return ".", inside, err
}

// isAbs reports whether a name is absolute. On Windows, it may lack the volume; then no directory has it.
func isAbs(name string) bool {
	return filepath.IsAbs(name) || strings.HasPrefix(filepath.ToSlash(name), "/")
}

// inside returns name, which may be absolute, as a clean path below the directory.
func (l location) inside(name string) (string, error) {
	name = l.spelled(name)
	if names.IsHome(name) {
		return "", names.Outside(name)
	}
	if isAbs(name) && !strings.ContainsRune(name, 0) {
		below, err := l.below(filepath.Clean(name))
		if err != nil {
			return "", err
		}
		if strings.HasSuffix(name, "/") && below != "" {
			below += "/"
		}
		name = cmp.Or(below, ".") // of "/", if that is the directory
	}
	clean, err := names.CleanTarget(name)
	if err == nil && !disk.IsLocal(clean) {
		err = errForeignName
	}
	return clean, err
}

// spelled returns a name of a request with the home for "~", if known, and on Windows with slashes, but none before C:.
func (l location) spelled(name string) string {
	if runtime.GOOS == "windows" {
		name = filepath.ToSlash(name)
		if rest, ok := strings.CutPrefix(name, "/"); ok && len(filepath.VolumeName(rest)) == len("C:") {
			name = rest
		}
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok && l.home != "" {
		name = path.Join(filepath.ToSlash(l.home), rest)
	}
	return name
}

// contains reports whether an absolute name is that of the directory or of something below it.
func (l location) contains(name string) bool {
	name = l.spelled(name)
	if !isAbs(name) {
		return false
	}
	_, err := l.below(filepath.Clean(name))
	return err == nil
}

// called returns the absolute name that the directory was opened by, with slashes; "" if there is none.
func (l location) called() string { return filepath.ToSlash(cmp.Or(l.names...)) }

// below makes an absolute name relative, but does not clean the rest: ".." after a link is not the parent of the link.
func (l location) below(name string) (string, error) {
	for _, dir := range l.names {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(name),
			strings.TrimSuffix(filepath.ToSlash(dir), "/")+"/"); ok {
			return strings.TrimLeft(rest, "/"), nil
		}
	}
	if slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "..") {
		return "", names.ErrBeyond
	}
	for _, dir := range l.names {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", names.ErrBeyond
}

// An outsideError is errs.ErrOutside with a message of its own. To is where a symbolic link leads, if that is known.
type outsideError struct{ msg, to string }

const byLink = " (a symbolic link on this path leads out)"

func (e *outsideError) Error() string { return e.msg }
func (e *outsideError) Unwrap() error { return errs.ErrOutside }

// leadsOut returns the error for a link to a name outside, followed by rest. Where the link leads is not known if ".."
// follows what may be another link.
func leadsOut(name string, rest []string) error {
	e := outsideError{msg: names.ErrBeyond.Error() + byLink}
	parts := slices.Concat(strings.Split(name, "/"), rest)
	if isAbs(name) && !slices.Contains(parts, "..") {
		e.to = filepath.ToSlash(filepath.Clean(strings.Join(parts, "/")))
	}
	return &e
}

// The reserved names. Files are staged in the state directory or, where that is not possible, beside their targets.
const (
	StateDir     = ".atomicedit"
	besidePrefix = ".atomicedit-"
	JournalName  = StateDir + "/journal"
	stagesName   = StateDir + "/stages"
	ignoreName   = StateDir + "/.gitignore"
)

// ignoreText keeps the state directory out of repositories.
const ignoreText = "*\n"

// visible returns a part of a path without what some file systems drop: invisible characters, final dots and spaces.
func visible(part string) string {
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII && unicode.In(r, unicode.Cf, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, part), ". ")
}

// isReserved reports whether a part of a path is reserved for commits, or may be a short name of the state directory.
func isReserved(part string) bool {
	part = visible(part)
	return strings.EqualFold(part, StateDir) || isShortState(part) ||
		len(part) >= len(besidePrefix) && strings.EqualFold(part[:len(besidePrefix)], besidePrefix)
}

// isShortState reports whether part can be a short name of the state directory: its beginning, or 2 letters and a hash.
func isShortState(part string) bool {
	base, number, _ := strings.Cut(strings.ToLower(part), "~")
	hash, hashed := strings.CutPrefix(base, "at")
	isHash := hashed && len(hash) == 4 && strings.Trim(hash, "0123456789abcdef") == ""
	return (base == "atomic" || isHash) && isNumber(number)
}

// isTarget reports whether a commit could change the file called name.
func isTarget(name string) bool {
	clean, err := names.CleanTarget(name)
	return err == nil && clean == name && disk.IsLocal(name) &&
		!slices.ContainsFunc(strings.Split(name, "/"), isReserved)
}

// isStateName reports whether a commit could have put name into the state directory.
func isStateName(name string) bool {
	number, kind, _ := strings.Cut(name, ".")
	return slices.Contains([]string{JournalName, stagesName, ignoreName}, StateDir+"/"+name) || stays(name) ||
		isNumber(number) && slices.Contains([]string{"new", "old", "res"}, kind)
}

// stays reports whether a name in the state directory outlives its commit: a kept backup, or a record.
func stays(name string) bool { return isKept(name) || isRecord(name) }

const (
	recordPrefix = "record."
	idBytes      = 16
)

func isRecord(name string) bool {
	id, ok := strings.CutPrefix(name, recordPrefix)
	return ok && len(id) == 2*idBytes && strings.Trim(id, "0123456789abcdef") == ""
}

// isKept reports whether name, in the state directory, is that of a backup kept for the user.
func isKept(name string) bool {
	number, ok := strings.CutPrefix(name, "kept.")
	return ok && isNumber(number)
}

func isNumber(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && strconv.Itoa(n) == s
}

// labeled returns a name below a tree with the label of the tree in front, if it has one.
func labeled(label, name string) string {
	if label == "" || name == "" {
		return name
	}
	return names.Below(label, name)
}

// labeledAll returns sentences that say which tree they are about.
func labeledAll(label string, said []string) []string {
	if label == "" {
		return said
	}
	return mapped(said, func(s string) string { return "in " + names.Show(label) + ": " + s })
}

// inTree returns an error with the label of a tree in front of the names of files, if it names any.
func inTree(label string, err error) error {
	var at *fs.PathError
	if label == "" || !errors.As(err, &at) {
		return err
	}
	if list, ok := err.(errorList); ok {
		return errorList(mapped(list, func(err error) error { return inTree(label, err) }))
	}
	named := &fs.PathError{Op: at.Op, Path: labeled(label, at.Path), Err: at.Err}
	if err == error(at) {
		return named
	}
	return treeError{fmt.Errorf("in %s: %w", names.Show(label), err), named}
}

// A treeError wraps an error about a file of a tree. [errors.As] finds that with the label in front of the name.
type treeError struct {
	error
	at *fs.PathError
}

func (e treeError) Unwrap() []error { return []error{e.at, e.error} }

// mapped returns what a function makes of each value of a list.
func mapped[S, T any](list []S, f func(S) T) []T {
	all := make([]T, len(list))
	for i, s := range list {
		all[i] = f(s)
	}
	return all
}

// firstFew returns the beginning of a list for a message, and how much more there is.
func firstFew(list []string) []string {
	const few = 5
	if n := len(list); n > few {
		return append(slices.Clone(list[:few]), fmt.Sprintf("and %d more", n-few))
	}
	return list
}

// An errorList is several errors, perhaps one for each file. Its message has only the first few.
type errorList []error

func (l errorList) Error() string {
	return strings.Join(firstFew(mapped(l, error.Error)), "\n")
}

func (l errorList) Unwrap() []error { return l }

// joined combines errs into one error. It skips those that are nil, and returns nil if all of them are.
func joined(errs []error) error {
	errs = slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err == nil })
	if len(errs) > 1 {
		return errorList(errs)
	}
	return cmp.Or(errs...)
}
