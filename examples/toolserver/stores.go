package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/stores/git"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
	"github.com/atomicedit/atomicedit/stores/sql/sqlite"
)

// A tree is a store that can be listed: [roots], or a [single] one.
type tree interface {
	atomicedit.Store
	io.Closer

	// list returns at most maxEntries entries of a directory, those behind a name.
	list(ctx context.Context, name, after string) (*listing, error)
}

// A single is a tree that is no directory of this machine.
type single struct {
	store
	close func() error
}

// A store is what the stores of this module have in common.
type store interface {
	atomicedit.Store
	Names(ctx context.Context, dir string) ([]string, error)
}

// Unwrap implements [atomicedit.Unwrapper].
func (s *single) Unwrap() atomicedit.Store { return s.store }

// Close closes the store.
func (s *single) Close() error { return s.close() }

func (s *single) list(ctx context.Context, name, after string) (*listing, error) {
	names, err := s.Names(ctx, name)
	if err != nil {
		return nil, err
	}
	bare := func(name string) string { return strings.TrimSuffix(name, "/") }
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(bare(a), bare(b)) }) // as after counts
	l := &listing{path: path.Clean(name), entries: []entry{}}
	for _, name := range names {
		name, isDir := strings.CutSuffix(name, "/")
		switch {
		case name <= after, !utf8.ValidString(name): // no call can name the latter
		case len(l.entries) == maxEntries:
			l.more++
		case isDir:
			l.entries = append(l.entries, entry{name: name, kind: "directory"})
		default:
			l.entries = append(l.entries, entry{name: name, kind: "file"})
		}
	}
	return l, nil
}

// openStore opens a store by what -store says:
//
//	git:/srv/tree.git?ref=main             a repository on this machine
//	git:/var/cache/mirror.git?remote=URL   one behind a remote, with the mirror of it
//	sqlite:/var/lib/tree.db?tree=name      a tree in a file
//	postgres://user@host/database          a tree in PostgreSQL
func openStore(ctx context.Context, spec string) (*single, error) {
	kind, where, _ := strings.Cut(spec, ":")
	name, query, _ := strings.Cut(where, "?")
	choices, err := url.ParseQuery(query)
	if err != nil || name == "" {
		return nil, fmt.Errorf("-store=%s names no store: %w", spec, fs.ErrInvalid)
	}
	known, isOurs := map[string][]string{"git": {"ref", "remote"}, "sqlite": {"tree"}}[kind]
	for choice, values := range choices {
		if isOurs && (!slices.Contains(known, choice) || len(values) > 1) {
			return nil, fmt.Errorf("-store=%s: expected each of %s at most once, and nothing else, behind the "+
				"question mark: %w", spec, strings.Join(known, ", "), fs.ErrInvalid)
		}
	}
	switch kind {
	case "git":
		s, err := git.Open(name, &git.Options{Ref: choices.Get("ref"), Remote: choices.Get("remote")})
		if err != nil {
			return nil, err
		}
		return &single{s, s.Close}, nil
	case "sqlite":
		s, err := sqlite.Open(ctx, name, &sqlstore.Options{Tree: choices.Get("tree")})
		if err != nil {
			return nil, err
		}
		return &single{s, s.Close}, nil
	case "postgres", "postgresql":
		db, err := sql.Open("pgx", spec)
		if err != nil {
			return nil, err
		}
		s, err := sqlstore.Open(ctx, db, nil)
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		return &single{s, db.Close}, nil
	}
	return nil, fmt.Errorf("-store=%s: expected git:…, sqlite:… or postgres://…: %w", spec, fs.ErrInvalid)
}
