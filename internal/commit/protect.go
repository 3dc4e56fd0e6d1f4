package commit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A protection says which files no commit may change. The zero value protects none.
type protection struct {
	patterns []protectedName
	git      bool // the directories of git are protected whatever they are called
}

// A protectedName is a list of names as in path.Match, one below the other. The last and all below it are protected.
type protectedName struct {
	names   []string
	folded  []string
	literal bool // no name stands for several
}

// protectionOf reads the patterns of a host, in which slashes separate the names.
func protectionOf(patterns []string) (p protection, err error) {
	// any other backslash would mean nothing in a pattern, so it is meant as a slash
	escapes := strings.NewReplacer(`\\`, "", `\*`, "", `\?`, "", `\[`, "", `\]`, "", `\^`, "", `\-`, "")
	for _, pattern := range patterns {
		n := protectedName{names: strings.Split(pattern, "/"), literal: !strings.ContainsAny(pattern, `*?[\`)}
		if slices.Contains(n.names, "**") {
			return protection{}, fmt.Errorf(
				"%q cannot be the name of a protected file, because a name matches at any depth: leave out \"**\": %w",
				pattern, fs.ErrInvalid)
		}
		for _, name := range n.names {
			_, err := path.Match(name, "")
			if err != nil || name == "" || name == "." || name == ".." || strings.Contains(escapes.Replace(name), `\`) {
				return protection{}, fmt.Errorf("%q cannot be the name of a protected file: %w", pattern, fs.ErrInvalid)
			}
			n.folded = append(n.folded, folded(name))
		}
		p.patterns = append(p.patterns, n)
	}
	p.git = p.match(".git") != "" // which includes the directories of git that have another name
	return p, nil
}

// folded returns the one spelling of all names that differ only in case, or in how Unicode composes their characters.
func folded(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strings.ToUpper(name)
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, norm.NFC.String(name)))
}

// check refuses a resolved name that is protected under any name that a file system may have for it: in other
// spellings, by short names, or by a link in a directory above that has a protected name and leads there.
func (p protection) check(d disk.Disk, l location, name string) error {
	if len(p.patterns) == 0 {
		return nil
	}
	if at := p.match(name); at != "" {
		return errProtected(at, name)
	}
	// a disk that looks for one file keeps the handle of the last directory
	for _, dir := range slices.Backward(names.Parents(name)) {
		part, _, deeper := strings.Cut(strings.TrimPrefix(name, dir+"/"), "/")
		err := p.checkShort(d, dir, part, name)
		for _, pattern := range p.patterns {
			if err == nil {
				err = pattern.checkLink(d, l, dir, name)
			}
		}
		if err == nil && deeper && p.git {
			err = checkRepository(d, inDir(dir, part))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// match returns the beginning of name that is protected by its spelling, "" if nothing is.
func (p protection) match(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = folded(visible(part))
	}
	for end := 1; end <= len(parts); end++ {
		if slices.ContainsFunc(p.patterns, func(n protectedName) bool { return n.ends(parts[:end]) }) {
			return strings.Join(strings.Split(name, "/")[:end], "/")
		}
	}
	return ""
}

// ends reports whether a path of folded parts ends with the names of p.
func (p protectedName) ends(parts []string) bool {
	above := len(parts) - len(p.folded)
	return above >= 0 && slices.EqualFunc(p.folded, parts[above:], func(pattern, part string) bool {
		same, _ := path.Match(pattern, part)
		return same
	})
}

// checkLink refuses what a protected name in dir leads to by a symbolic link.
func (p protectedName) checkLink(d disk.Disk, l location, dir, name string) error {
	if !p.literal {
		return nil
	}
	is, there, err := lookAt(d, inDir(dir, p.names[0]))
	if err != nil || !there || is.Mode.IsRegular() || is.Mode.IsDir() && len(p.names) == 1 {
		return err
	}
	link := path.Join(dir, path.Join(p.names...))
	to, links, err := l.follow(d, link)
	switch {
	case cannotBe(err), errors.Is(err, errs.ErrOutside), errors.Is(err, fs.ErrInvalid):
		return nil // it leads to nothing in this tree
	case err == nil && len(links) > 0 && (name == to || strings.HasPrefix(name, to+"/")):
		return isProtected("this is where the link " + names.Show(link) + " leads, which")
	}
	return err
}

// checkRepository refuses what is in a git directory of any name: a bare repository, or where a .git leads.
func checkRepository(d disk.Disk, dir string) (err error) {
	has := func(name string) bool {
		_, there, problem := lookAt(d, inDir(dir, name))
		err = cmp.Or(err, problem)
		return there
	}
	// hardly any directory has a HEAD
	if has("HEAD") && (has("objects") && has("refs") || has("commondir")) && err == nil {
		err = isProtected(names.Show(dir) + " is the directory of a git repository, and everything in it")
	}
	return err
}

func lookAt(d disk.Disk, name string) (is disk.Stat, there bool, err error) {
	if is, err = d.Lstat(name); cannotBe(err) {
		return is, false, nil
	}
	return is, err == nil, err
}

// cannotBe reports whether err says that there is no file of a name, or that there can be none.
func cannotBe(err error) bool { return errors.Is(err, fs.ErrNotExist) || disk.NameTooLong(err) }

// checkShort refuses a short name of a protected file, as some file systems have for each long one. Part is in dir.
func (p protection) checkShort(d disk.Disk, dir, part, name string) error {
	if !strings.Contains(part, "~") {
		return nil
	}
	is, there, err := lookAt(d, inDir(dir, part))
	if err != nil || !there {
		return err
	}
	names, err := d.ReadDir(dir)
	if err != nil || slices.ContainsFunc(names, func(listed string) bool { return folded(listed) == folded(part) }) {
		return err
	}
	for _, listed := range names {
		full := path.Join(dir, listed)
		if p.match(full) == "" {
			continue
		}
		other, there, err := lookAt(d, full)
		switch {
		case err != nil:
			return err
		case there && other.ID == is.ID && (is.ID != disk.FileID{} || mayShorten(listed, part)):
			return errProtected(full, name)
		}
	}
	return nil
}

// mayShorten reports whether short can be a short name of long, which keeps the first two characters that it can have.
func mayShorten(long, short string) bool {
	long = strings.NewReplacer(".", "", " ", "").Replace(long)
	for i := range min(2, len(long), len(short)) {
		letter := func(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c&^0x20 && c&^0x20 <= 'Z' }
		if letter(long[i]) && letter(short[i]) && folded(long[i:i+1]) != folded(short[i:i+1]) {
			return false
		}
	}
	return true
}

func errProtected(at, name string) error {
	if at == name {
		return isProtected("the file")
	}
	return isProtected("everything below " + names.Show(at))
}

func isProtected(what string) error {
	return protectedError(what + " is protected against changes: leave it alone, or ask the user")
}

// What a commit does to an existing file.
const (
	replaced = "replaced" // a new file is put in its place
	deleted  = "deleted"
	moved    = "moved"
)

// A protectedError is fs.ErrPermission with a message of its own.
type protectedError string

func (e protectedError) Error() string { return string(e) }
func (e protectedError) Unwrap() error { return fs.ErrPermission }

// mayBeMade returns the reason why a commit may not change an existing file like that, nil if it may.
func (c Change) mayBeMade(now disk.Traits, o Options) error {
	switch {
	case c.After != nil:
		return mayChange(now, o, replaced)
	case c.to == nil:
		return mayChange(now, o, deleted)
	}
	copied := c.to.fromDisk != nil
	renamed := !copied && c.Before != nil && bytes.Equal(c.to.After.Data, c.Before.Data)
	if err := mayChange(now, o, moved); err != nil || renamed || copied && !now.Writable {
		return err
	}
	return mayChange(now, o, replaced)
}

// mayChange returns nil if a file may be replaced, deleted or moved, as deed says, and otherwise the reason why not.
func mayChange(now disk.Traits, o Options, deed string) error {
	switch {
	case now.Fixed:
		return protectedError("the file is immutable or append-only, so it cannot be " + deed +
			": leave it alone, or ask the user")
	case !now.Writable && deed != moved: // a write-protected file can be renamed
		return protectedError("the file is write-protected: ask for permission to change it")
	case now.MountPoint && deed != replaced:
		return protectedError("the file is a mount point: it cannot be " + deed)
	case now.MountPoint && !o.InPlace:
		return protectedError(
			"the file is a mount point: it cannot be replaced, only written in place, which DirOptions.InPlace allows")
	case !now.Replaceable && (deed != replaced || !o.InPlace):
		return protectedError("the directory of the file is write-protected: the file cannot be " + deed)
	case deed == deleted || now.InPlace():
		return nil // owner and links stay, or no longer matter
	// we may link files that we own or may write
	case !now.Keepable && !o.AllowOwnerChange && (deed == replaced || !now.Writable && !now.Ours):
		return protectedError(
			"the file belongs to another user or group, which cannot be kept: leave it alone, or ask the user")
	case now.Links > 1 && o.RefuseHardLinks && deed == replaced:
		return protectedError(fmt.Sprintf(
			"the file has %d names (hard links), and a change would separate them: leave it alone, or ask the user",
			now.Links))
	}
	return nil
}

// notesOn returns the notes that a host should see before it approves a change of the file.
func notesOn(now disk.Traits, o Options) (notes []string) {
	inPlace := now.InPlace()
	if inPlace && o.InPlace {
		notes = append(notes,
			"the file cannot be replaced, so it is written in place: a reader can see it half written")
	}
	if !inPlace && now.Links > 1 {
		notes = append(notes, fmt.Sprintf("the file has %d names (hard links); the others keep the old content",
			now.Links))
	}
	if !inPlace && !now.Keepable && o.AllowOwnerChange {
		notes = append(notes, "the file belongs to another user or group, which a change may not keep")
	}
	return notes
}

// respells reports whether two paths of a file differ only in case, and its directory lists only the first. Equal
// inodes would not prove it, because of hard links.
func respells(d disk.Disk, from, to string) bool {
	if !strings.EqualFold(from, to) {
		return false
	}
	names, err := d.ReadDir(path.Dir(to))
	return err == nil && !slices.Contains(names, path.Base(to))
}
