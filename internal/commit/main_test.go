package commit

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

func TestMain(m *testing.M) { os.Exit(disktest.Run(m)) }

// on returns a tree on a disk.
func on(d disk.Disk, o Options) *Tree {
	t, _ := newTree(disktest.Same{Disk: d}, o, location{})
	return t
}

func commitOn(d disk.Disk, o Options, changes []Change) error {
	_, err := on(d, o).Commit(context.Background(), changes)
	return err
}

func recoverOn(d disk.Disk, o Options) error {
	_, err := on(d, o).Recover()
	return err
}

func file(text string) *File { return &File{Data: []byte(text)} }

func edit(path, before, after string) Change {
	return Change{Path: path, Before: file(before), After: file(after)}
}

func create(path, text string) Change { return Change{Path: path, After: file(text)} }

func remove(path, before string) Change { return Change{Path: path, Before: file(before)} }

// inverse returns the changes that undo changes.
func inverse(changes []Change) []Change {
	to := map[string]string{}
	for _, c := range changes {
		if c.From != "" {
			to[c.From] = c.Path
		}
	}
	var inv []Change
	for _, c := range slices.Backward(changes) {
		inv = append(inv, Change{Path: c.Path, Before: c.After, After: c.Before, From: to[c.Path]})
	}
	return inv
}
