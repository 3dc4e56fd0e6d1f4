package git

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// An entry is a line of a tree object. The zero entry stands for nothing.
type entry struct {
	mode string // in octal, as the tree has it
	name string
	id   id
}

// The modes of entries. Others that stand for a regular file (100664) are old.
const (
	modeFile       = "100644"
	modeExecutable = "100755"
	modeLink       = "120000"
	modeSubmodule  = "160000"
	modeTree       = "40000"
)

func (e entry) isTree() bool { return e.mode == modeTree || e.mode == "040000" }
func (e entry) isFile() bool { return strings.HasPrefix(e.mode, "100") }

// isExecutable reports whether the owner may execute the file, which is all that git keeps of permissions.
func (e entry) isExecutable() bool { return e.isFile() && len(e.mode) == 6 && e.mode[3]&1 != 0 }

// noFile refuses an entry that is no regular file.
func (e entry) noFile() error {
	kind := "something that git does not know"
	switch {
	case e.isTree():
		kind = "a directory"
	case e.mode == modeLink:
		kind = "a symbolic link"
	case e.mode == modeSubmodule:
		kind = "a submodule"
	}
	return fmt.Errorf("it is %s, not a file: use the path of a file: %w", kind, fs.ErrInvalid)
}

// fileMode returns the mode of a file as a store has it.
func (e entry) fileMode() fs.FileMode {
	if e.isExecutable() {
		return 0o755
	}
	return 0o644
}

var errTree = errors.New("git: a tree of the repository is damaged: run git fsck")

// parseTree reads a tree object. The entries refer to the text.
func (f format) parseTree(text string) (entries []entry, err error) {
	entries = make([]entry, 0, len(text)/(f.size+16))
	for text != "" {
		mode, rest, ok := strings.Cut(text, " ")
		name, rest, ok2 := strings.Cut(rest, "\x00")
		if !ok || !ok2 || name == "" || len(rest) < f.size {
			return nil, errTree
		}
		entries = append(entries, entry{mode, name, id(rest[:f.size])})
		text = rest[f.size:]
	}
	return entries, nil
}

// formatTree returns the tree object of entries in order.
func formatTree(entries []entry) []byte {
	n := 0
	for _, e := range entries {
		n += len(e.mode) + len(e.name) + len(e.id) + 2
	}
	text := make([]byte, 0, n)
	for _, e := range entries {
		text = append(text, e.mode...)
		text = append(append(text, ' '), e.name...)
		text = append(append(text, 0), e.id...)
	}
	return text
}

// compare orders entries as git does: the name of a tree has a slash at its end.
func compare(a, b entry) int {
	n := min(len(a.name), len(b.name))
	if c := strings.Compare(a.name[:n], b.name[:n]); c != 0 || len(a.name) == len(b.name) && a.isTree() == b.isTree() {
		return c
	}
	return cmp.Compare(a.at(n), b.at(n))
}

// at returns a byte of a name, the slash after the name of a tree included.
func (e entry) at(i int) int {
	switch {
	case i < len(e.name):
		return int(e.name[i])
	case e.isTree():
		return '/'
	}
	return 0
}

// find returns the entry of a name. It looks at all of them: a damaged tree may have them in any order, or a name
// twice.
func find(entries []entry, name string) (found entry, err error) {
	for _, e := range entries {
		if e.name != name {
			continue
		}
		if found.id != "" {
			return entry{}, errTree
		}
		found = e
	}
	return found, nil
}

// merge returns entries with those of set in the place of the ones that they replace, in linear time. An entry of set
// that has no id stands for no entry.
func merge(entries []entry, set map[string]entry) []entry {
	var added []entry
	for _, e := range set {
		if e.id != "" {
			added = append(added, e)
		}
	}
	slices.SortFunc(added, compare)
	merged := make([]entry, 0, len(entries)+len(added))
	for _, e := range entries {
		if _, replaced := set[e.name]; replaced {
			continue
		}
		for len(added) > 0 && compare(added[0], e) < 0 {
			merged, added = append(merged, added[0]), added[1:]
		}
		merged = append(merged, e)
	}
	return append(merged, added...)
}
