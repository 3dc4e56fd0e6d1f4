package speed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	natefinch "github.com/natefinch/atomic"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/commit"
)

// A Way is one way to replace files. It is measured in wall time, most of which the disk takes.
type Way struct {
	Name, Base string                                           // Base is the way that it is compared with, "" for none
	open       func(dir string) (replacer, func() error, error) // prepares for a directory, and closes it in the end
	replace    func(name string, data []byte) error             // for a way that knows only single files
}

// A replacer replaces files, which have the content old.
type replacer func(names []string, old, new []byte) error

// OneFile has the ways to replace one file.
func OneFile() []Way {
	return supported([]Way{
		{"os.WriteFile", "", nil, func(name string, data []byte) error { return os.WriteFile(name, data, 0o644) }},
		natefinchAtomic,
		{"renameio", "", nil, renameOver},
		renameAndDir(),
		{"WriteFile, DurableFile", "renameio", nil, func(name string, data []byte) error {
			return commit.WriteFile(context.Background(), 0, name, data, 0o644, commit.DurableFile)
		}},
		{"WriteFile", "renameio + dir", nil, writeFile},
		{"Dir, DurableNone", "os.WriteFile", inOneCommit(atomicedit.DurableNone), nil},
		{"Dir, DurableFile", "renameio", inOneCommit(atomicedit.DurableFile), nil},
		{"Dir, DurableFull", "renameio + dir", inOneCommit(atomicedit.DurableFull), nil},
	})
}

// ManyFiles has the ways to replace many files.
func ManyFiles() []Way {
	return supported([]Way{
		{"renameio", "", nil, renameOver},
		{"renameio, at once", "renameio", openAtOnce(), nil},
		renameAndDir(),
		{"Dir, DurableFile", "renameio", inOneCommit(atomicedit.DurableFile), nil},
		{"Dir, DurableFull", "renameio", inOneCommit(atomicedit.DurableFull), nil},
	})
}

// A Commit is a row of the table: files that are replaced so that the new ones survive a power cut.
type Commit struct {
	Name        string
	Files, Size int
	Ways        []Way // the one of this package first
}

func Commits() []Commit {
	return []Commit{
		{"replacing a file of 100 KB", 1, 100 << 10,
			supported([]Way{{"atomicedit", "", nil, writeFile}, renameAndDir(), natefinchAtomic})},
		{"replacing 50 files of 8 KB, all or none", 50, 8 << 10, supported([]Way{
			{"atomicedit", "", inOneCommit(atomicedit.DurableFull), nil}, renameAndDir(), natefinchAtomic})},
	}
}

// supported leaves out ways that the system does not have.
func supported(ways []Way) []Way {
	return slices.DeleteFunc(ways, func(w Way) bool { return w.open == nil && w.replace == nil })
}

// Open makes files of a size in a new directory below dir. Run replaces them all, and end ends that.
func (w Way) Open(dir string, files, size int) (run func(), end func() error, err error) {
	if dir, err = os.MkdirTemp(dir, ""); err != nil {
		return nil, nil, err
	}
	old := bytes.Repeat([]byte("old line\n"), size/9+1)[:size]
	new := bytes.Repeat([]byte("new line\n"), size/9+1)[:size]
	var names []string
	for i := range files {
		names = append(names, filepath.Join(dir, fmt.Sprint(i)))
		if err := os.WriteFile(names[i], old, 0o644); err != nil {
			return nil, nil, err
		}
	}
	replace, end := w.eachFile, func() error { return nil }
	if w.open != nil {
		if replace, end, err = w.open(dir); err != nil {
			return nil, nil, err
		}
	}
	return func() {
		if err := replace(names, old, new); err != nil {
			panic(fmt.Sprint(w.Name, ": ", err))
		}
		old, new = new, old
	}, end, nil
}

func (w Way) eachFile(names []string, _, new []byte) error {
	for _, name := range names {
		if err := w.replace(name, new); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(name string, data []byte) error { return atomicedit.WriteFile(name, data, 0o644) }

var natefinchAtomic = Way{"natefinch/atomic", "", nil, func(name string, data []byte) error {
	return natefinch.WriteFile(name, bytes.NewReader(data))
}}

// renameAndDir is the way of renameio that also waits for the name to be on disk.
func renameAndDir() Way {
	w := Way{Name: "renameio + dir"}
	if renameOver != nil {
		w.replace = renameAndSync
	}
	return w
}

func renameAndSync(name string, data []byte) error {
	if err := renameOver(name, data); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// openAtOnce returns nil, for a way that is not supported, if renameio is not.
func openAtOnce() func(dir string) (replacer, func() error, error) {
	if renameOver == nil {
		return nil
	}
	return func(string) (replacer, func() error, error) { return renameAtOnce, func() error { return nil }, nil }
}

// renameAtOnce writes 16 files at a time.
func renameAtOnce(names []string, _, new []byte) error {
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	var next atomic.Int64
	for range 16 {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				errs[i] = renameOver(names[i], new)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// inOneCommit replaces the files of a directory in one commit, like a caller who has read them.
func inOneCommit(durability atomicedit.Durability) func(dir string) (replacer, func() error, error) {
	return func(dir string) (replacer, func() error, error) {
		d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: durability})
		if err != nil {
			return nil, nil, err
		}
		return func(names []string, old, new []byte) error {
			var changes []atomicedit.Change
			for _, name := range names {
				changes = append(changes, atomicedit.Change{Path: name, Before: &atomicedit.File{Data: old},
					After: &atomicedit.File{Data: new}})
			}
			return d.Commit(context.Background(), changes)
		}, d.Close, nil
	}
}
