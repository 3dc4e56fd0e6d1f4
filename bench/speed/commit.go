package speed

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/natefinch/atomic"

	"github.com/atomicedit/atomicedit"
)

// A Commit replaces files on disk, so that the new ones survive a power cut. It is measured in wall time, most of which
// the disk takes.
type Commit struct {
	Name        string
	Files, Size int
}

var Commits = []Commit{
	{"replacing a file of 100 KB", 1, 100 << 10},
	{"replacing 50 files of 8 KB, all or none", 50, 8 << 10},
}

// Make returns the ways to do it, the one of this package first, in a directory below dir. Each replaces its own files.
func (c Commit) Make(dir string) ([]Peer, error) {
	dir, err := os.MkdirTemp(dir, "commit")
	if err != nil {
		return nil, err
	}
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return nil, err
	}
	texts := [2][]byte{bytes.Repeat([]byte("old line\n"), c.Size/9), bytes.Repeat([]byte("new line\n"), c.Size/9)}
	each := func(write func(name string, data []byte) error) func(names []string, old, new []byte) error {
		return func(names []string, _, new []byte) error {
			for _, name := range names {
				if err := write(name, new); err != nil {
					return err
				}
			}
			return nil
		}
	}
	var renaming func(names []string, old, new []byte) error // nil if renameio does not support the system
	if renameAndSync != nil {
		renaming = each(renameAndSync)
	}
	ours := each(func(name string, data []byte) error { return atomicedit.WriteFile(name, data, 0o644) })
	if c.Files > 1 {
		ours = func(names []string, old, new []byte) error {
			var changes []atomicedit.Change
			for _, name := range names {
				changes = append(changes, atomicedit.Change{Path: name, Before: &atomicedit.File{Data: old},
					After: &atomicedit.File{Data: new}})
			}
			return store.Commit(context.Background(), changes)
		}
	}
	var all []Peer
	for _, way := range []struct {
		name    string
		replace func(names []string, old, new []byte) error
	}{
		{"atomicedit", ours},
		{"renameio + dir", renaming},
		{"natefinch/atomic", each(func(name string, data []byte) error {
			return atomic.WriteFile(name, bytes.NewReader(data))
		})},
	} {
		if way.replace == nil {
			continue
		}
		sub, err := os.MkdirTemp(dir, "")
		if err != nil {
			return nil, err
		}
		var names []string
		for i := range c.Files {
			names = append(names, filepath.Join(sub, fmt.Sprint(i)))
			if err := os.WriteFile(names[i], texts[0], 0o644); err != nil {
				return nil, err
			}
		}
		now := 0
		all = append(all, Peer{way.name, func(Input) {
			if err := way.replace(names, texts[now], texts[1-now]); err != nil {
				panic(err)
			}
			now = 1 - now
		}})
	}
	return all, nil
}
