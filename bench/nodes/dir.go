package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/crash"
)

// A sharedDir is a directory on disk, which the nodes change without a server. Besides the files that are counted up,
// it has files that wander through directories, which are made and removed.
type sharedDir struct{ dir string }

const (
	wanderers = 10
	wanderer  = "a file that wanders"
)

func homeOf(n int) string { return fmt.Sprintf("wander/%d/here", n) }

func (s *sharedDir) start(dir string, files map[string]string) (string, error) {
	s.dir = filepath.Join(dir, "shared")
	for n := range wanderers {
		files[homeOf(n)] = wanderer
	}
	for path, text := range files {
		full := filepath.Join(s.dir, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755),
			os.WriteFile(full, []byte(text), 0o644)); err != nil {
			return "", err
		}
	}
	return s.dir, nil
}

func (s *sharedDir) kill() error                  { return nil }
func (s *sharedDir) history() ([][]string, error) { return nil, nil }
func (s *sharedDir) retries(int) (int, error)     { return 0, nil }

// files opens the directory and commits, after which nothing may be left of the commits that were killed.
func (s *sharedDir) files() (map[string]string, error) {
	d, err := atomicedit.OpenDir(s.dir, nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	same := func(_, text string) string { return text }
	if err := (storeTree{d, nil}).change(context.Background(), []string{pathOf(0)}, same); err != nil {
		return nil, err
	}
	if names := crash.Litter(s.dir); len(names) > 0 {
		return nil, fmt.Errorf("litter: %v", names)
	}
	texts := map[string]string{}
	wandering := 0
	err = filepath.WalkDir(s.dir, func(full string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(full)
		if string(data) == wanderer {
			wandering++
			return err
		}
		path, err := filepath.Rel(s.dir, full)
		texts[filepath.ToSlash(path)] = string(data)
		return err
	})
	if err == nil && wandering != wanderers {
		err = fmt.Errorf("%d files wander, not %d", wandering, wanderers)
	}
	return texts, err
}

func joinDir(_ context.Context, address, _ string, _ int) (tree, error) {
	d, err := atomicedit.OpenDir(address, &atomicedit.DirOptions{Durability: atomicedit.Durability(rand.IntN(3))})
	return storeTree{d, wander}, err
}

// wander moves one of the files that wander, unless it is in another place than the one where it is looked for.
func wander(ctx context.Context, store atomicedit.Store) ([]atomicedit.Change, error) {
	n := rand.IntN(wanderers)
	from, to := homeOf(n), fmt.Sprintf("wander/%d/new%d/there", n, rand.IntN(3))
	f, err := store.Read(ctx, from)
	if errors.Is(err, fs.ErrNotExist) {
		from, to = to, from
		f, err = store.Read(ctx, from)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []atomicedit.Change{{Path: to, From: from, After: &atomicedit.File{Data: f.Data}}, {Path: from, Before: f}},
		nil
}
