package main

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"

	"github.com/atomicedit/atomicedit"
	gitstore "github.com/atomicedit/atomicedit/stores/git"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// A storeTree changes a tree through a store, as a host does.
type storeTree struct {
	store atomicedit.Store
	also  func(context.Context, atomicedit.Store) ([]atomicedit.Change, error) // more for the same commit, or nil
}

func (t storeTree) change(ctx context.Context, paths []string, edit func(path, text string) string) error {
	changes, err := t.changes(ctx, paths, edit)
	if err == nil {
		err = t.store.Commit(ctx, changes)
	}
	for _, first := range []error{atomicedit.ErrStale, atomicedit.ErrUnfinished, fs.ErrExist, fs.ErrNotExist} {
		if errors.Is(err, first) {
			return errConflict
		}
	}
	return err
}

func (t storeTree) changes(ctx context.Context, paths []string, edit func(path, text string) string) (
	changes []atomicedit.Change, err error) {
	if t.also != nil {
		if changes, err = t.also(ctx, t.store); err != nil {
			return nil, err
		}
	}
	for _, path := range paths {
		f, err := t.store.Read(ctx, path)
		if err != nil {
			return nil, err
		}
		after := &atomicedit.File{Data: []byte(edit(path, string(f.Data)))}
		changes = append(changes, atomicedit.Change{Path: path, Before: f, After: after})
	}
	return changes, nil
}

func joinGit(_ context.Context, address, dir string, _ int) (tree, error) {
	s, err := gitstore.Open(dir, &gitstore.Options{Ref: "main", Remote: address})
	return storeTree{s, nil}, err
}

func joinPostgres(ctx context.Context, address, _ string, writers int) (tree, error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(writers)
	s, err := sqlstore.Open(ctx, db, nil)
	return storeTree{s, nil}, err
}

// A postgresStore keeps its tree with package sqlstore.
type postgresStore struct {
	postgresServer
	address string
	first   int64 // the commit that start has made
}

func (s *postgresStore) start(dir string, files map[string]string) (address string, err error) {
	s.address, err = s.serve(dir)
	if err != nil || files == nil {
		return s.address, err
	}
	return s.address, s.use(func(ctx context.Context, store *sqlstore.Store) error {
		var changes []atomicedit.Change
		for path, text := range files {
			changes = append(changes, atomicedit.Change{Path: path, After: &atomicedit.File{Data: []byte(text)}})
		}
		if err := store.Commit(ctx, changes); err != nil {
			return err
		}
		for c, err := range store.History(ctx) {
			s.first = c.ID
			return err
		}
		return errors.New("the first commit is not in the history")
	})
}

// use opens the store for a moment.
func (s *postgresStore) use(do func(ctx context.Context, store *sqlstore.Store) error) error {
	db, err := sql.Open("pgx", s.address)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	store, err := sqlstore.Open(ctx, db, nil)
	if err != nil {
		return err
	}
	return do(ctx, store)
}

func (s *postgresStore) files() (map[string]string, error) {
	texts := map[string]string{}
	return texts, s.use(func(ctx context.Context, store *sqlstore.Store) error {
		for n := range files {
			f, err := store.Read(ctx, pathOf(n))
			if err != nil {
				return err
			}
			texts[pathOf(n)] = string(f.Data)
		}
		return nil
	})
}

func (s *postgresStore) history() (commits [][]string, err error) {
	return commits, s.use(func(ctx context.Context, store *sqlstore.Store) error {
		for c, err := range store.History(ctx) {
			if err != nil {
				return err
			}
			if c.ID == s.first {
				return nil
			}
			var paths []string
			for _, f := range c.Changes {
				paths = append(paths, f.Path)
			}
			commits = append(commits, paths)
		}
		return errors.New("the history has lost the first commit")
	})
}
