//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/crash"
)

// A state has the files and directories below a directory, by path. Directories have no data.
type state map[string]entry

type entry struct {
	data string
	meta
}

func (e entry) isDir() bool { return e.mode&unix.S_IFMT == unix.S_IFDIR }

// look reads everything below a directory, except the files that belong to commits or to the judge.
func look(dir string) (state, error) {
	s := state{}
	err := filepath.WalkDir(dir, func(full string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, full)
		if err != nil || name == "." || name == "probe" || name == "lost+found" || d.Name() == "taken" {
			return err
		}
		if strings.HasPrefix(d.Name(), ".atomicedit") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		s[name], err = lookAt(full)
		return err
	})
	return s, err
}

func lookAt(full string) (e entry, err error) {
	var is unix.Stat_t
	if err := unix.Stat(full, &is); err != nil {
		return e, err
	}
	e.meta = meta{is.Mode, int(is.Uid), int(is.Gid), map[string]string{}}
	if !e.isDir() {
		data, err := os.ReadFile(full)
		if err != nil {
			return e, err
		}
		e.data = string(data)
	}
	buf := make([]byte, 4096)
	n, err := unix.Listxattr(full, buf)
	if err != nil && err != unix.ENOTSUP {
		return e, err
	}
	for attr := range strings.FieldsFuncSeq(string(buf[:max(n, 0)]), func(r rune) bool { return r == 0 }) {
		value := make([]byte, 4096)
		if n, err := unix.Getxattr(full, attr, value); err == nil && !strings.HasPrefix(attr, "security.") {
			e.attrs[attr] = string(value[:n])
		}
	}
	return e, nil
}

// files returns the contents of the files.
func (s state) files() map[string]string {
	files := map[string]string{}
	for name, e := range s {
		if !e.isDir() {
			files[name] = e.data
		}
	}
	return files
}

// A change is what another process does to a file during a commit.
type change struct {
	name string // the shell command for it
	file string
	to   func(*meta)
	set  func(full string) error
}

func (c *change) do(dir string) error { return c.set(filepath.Join(dir, c.file)) }

func setAttr(attr, value string) (func(*meta), func(string) error) {
	return func(m *meta) { m.attrs = maps.Clone(m.attrs); m.attrs[attr] = value },
		func(full string) error { return unix.Setxattr(full, attr, []byte(value), 0) }
}

// swap takes the state directory away, and puts another one with a file in its place.
func swap(state string) error {
	if err := os.Rename(state, filepath.Join(filepath.Dir(state), "taken")); err != nil && !os.IsNotExist(err) {
		return err
	}
	return errors.Join(os.Mkdir(state, 0o777), os.WriteFile(filepath.Join(state, "theirs"), nil, 0o666),
		os.Chown(state, 1777, 1777))
}

// swapBack removes what swap has made, and reports whether the commit has left it alone.
func swapBack(state string) (alone bool) {
	names, err := filepath.Glob(state + "/*")
	os.RemoveAll(state)
	os.RemoveAll(filepath.Join(filepath.Dir(state), "taken"))
	return err == nil && len(names) == 1 && filepath.Base(names[0]) == "theirs"
}

// changes returns the changes that happen at any call in places of a kind, and grow, which happens when attributes are
// read: an empty value grows.
func changes(kind string) (any []*change, grow *change) {
	chmod := &change{"chmod", "sub/b", func(m *meta) { m.mode = m.mode&^0o7777 | 0o700 },
		func(full string) error { return unix.Chmod(full, 0o700) }}
	chown := &change{"chown", "sub/b", func(m *meta) { m.uid, m.gid = 1777, 1777 },
		func(full string) error { return unix.Chown(full, 1777, 1777) }}
	setfacl := &change{name: "setfacl", file: "a"}
	setfacl.to, setfacl.set = setAttr(listAttr, accessList(1999, 1))
	setfattr := &change{name: "setfattr", file: "sub/b"}
	setfattr.to, setfattr.set = setAttr(userAttr, "changed")
	grow = &change{name: "growing attribute", file: "sub/b"}
	grow.to, grow.set = setAttr(emptyAttr, strings.Repeat("grown ", 20))
	exchange := &change{name: "exchange", file: filepath.Join(errandOf(kind).roots[0], ".atomicedit"), set: swap}
	return []*change{chmod, chown, setfacl, setfattr, exchange}, grow
}

// A finding is a defect, of one of the sorts that the package comment lists.
type finding struct{ sort, text string }

// compare finds the defects in the state got, which should be old or new.
func compare(got, old, new state, f fault, o outcome) (found []finding) {
	say := func(sort, format string, args ...any) {
		found = append(found, finding{sort, fmt.Sprintf(format, args...)})
	}
	is := got.files()
	want := old
	switch isOld, isNew := maps.Equal(is, old.files()), maps.Equal(is, new.files()); {
	case isNew:
		want = new
		if !o.dead && o.answer.Text != "" && !o.answer.NotDurable {
			say("untold", "the commit is made, but the answer is %s", o.answer.Text)
		}
	case isOld:
		if !o.dead && o.answer.Text == "" {
			say("lost", "nothing is committed, and the answer is nil")
		}
	default:
		say("mixed", "%s", difference(is, old.files()))
		return found
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			say("mixed", "directory %s has gone", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		g, w := got[name], want[name]
		_, there := want[name]
		changed := f.kind == "change" && f.change.file == name && o.call != "" && o.failed == nil
		if changed {
			w.attrs = maps.Clone(w.attrs)
			f.change.to(&w.meta)
		}
		list, hasList := w.attrs[listAttr]
		switch {
		case !there && g.isDir():
			say("litter", "directory %s", name)
		case g.mode == w.mode && g.uid == w.uid && g.gid == w.gid && maps.Equal(g.attrs, w.attrs):
		case changed:
			say("overtaken", "%s: %s", name, metaDifference(g.meta, w.meta))
		case g.mode&^w.mode&0o777 != 0 || hasList && g.attrs[listAttr] != list && g.mode&0o070 != 0:
			say("widened", "%s: %s", name, metaDifference(g.meta, w.meta))
		default:
			say("attributes", "%s: %s", name, metaDifference(g.meta, w.meta))
		}
	}
	return found
}

func difference(got, old map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if data, ok := got[name]; !ok {
			parts = append(parts, "no "+name)
		} else if data != old[name] {
			parts = append(parts, fmt.Sprintf("%s has %q", name, data))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := old[name]; !ok {
			parts = append(parts, "made "+name)
		}
	}
	return strings.Join(parts, ", ")
}

func metaDifference(got, want meta) string {
	text := func(m meta) string {
		var b bytes.Buffer
		fmt.Fprintf(&b, "%o %d:%d", m.mode&0o7777, m.uid, m.gid)
		for _, attr := range slices.Sorted(maps.Keys(m.attrs)) {
			fmt.Fprintf(&b, " %s=%.20q", attr, m.attrs[attr])
		}
		return b.String()
	}
	return text(got) + " instead of " + text(want)
}

// judge opens the roots, which rolls back a dead commit, and finds the defects that are left.
func (p *place) judge(old, new state, f fault, o outcome) (found []finding) {
	dir, e := p.dir, errandOf(p.kind)
	say := func(sort string, text any) { found = append(found, finding{sort, fmt.Sprint(text)}) }
	if f.kind == "change" && f.change.name == "exchange" && o.call != "" &&
		!swapBack(filepath.Join(dir, f.change.file)) {
		say("trespass", "the directory of another is changed")
	}
	d, err := e.open(dir)
	if d != nil {
		defer d.Close()
	}
	if err != nil {
		say("stuck", err)
		return found
	}
	got, err := look(dir)
	if err != nil {
		say("stuck", err)
		return found
	}
	for _, root := range e.roots { // one that a commit has made stays if the commit fails
		if names, _ := filepath.Glob(filepath.Join(dir, root, "*")); old[root].attrs == nil && len(names) == 0 {
			delete(got, root)
		}
	}
	found = append(found, compare(got, old, new, f, o)...)
	before := &atomicedit.File{Data: []byte("old\n")}
	if err := d.Commit(context.Background(), []atomicedit.Change{{Path: filepath.Join(dir, e.probe), Before: before,
		After: &atomicedit.File{Data: []byte("new\n")}}}); err != nil {
		say("stuck", err)
	}
	if again, err := e.open(dir); err == nil { // a record stays until all roots have been recovered
		again.Close()
	}
	if names := crash.Litter(dir); len(names) > 0 {
		say("litter", names)
	}
	return found
}
