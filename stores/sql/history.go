package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A Commit is a commit that the history of a [Store] has.
type Commit struct {
	ID      int64     // later commits of one file have greater numbers
	Author  string    // as Options.Author told it
	Time    time.Time // by the clock of the process that committed
	Changes []Changed // in the order of their paths; none, if the store that committed kept no history
}

// Changed is a file that a [Commit] changed.
type Changed struct {
	Path          string
	Before, After atomicedit.Version // "" for no file
}

// History returns the commits that are kept, the newest first. It reads 50 at a time, as far as the loop asks for them. An error
// ends it.
func (s *Store) History(ctx context.Context) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		for next := int64(math.MaxInt64); ; {
			commits, err := s.page(ctx, next)
			if err != nil {
				yield(Commit{}, err)
				return
			}
			for _, c := range commits {
				if !yield(c, nil) {
					return
				}
				next = c.ID
			}
			if len(commits) < pageSize {
				return
			}
		}
	}
}

const pageSize = 50

// page returns the newest commits with numbers below next.
func (s *Store) page(ctx context.Context, next int64) (commits []Commit, err error) {
	if s.isZero() {
		return nil, errZeroStore
	}
	q := s.dialect.statement(`SELECT c.id, c.author, c.at, h.name, coalesce(h.version, ''), coalesce(h.new_version, '')
		FROM (SELECT id, author, at FROM atomicedit_commits WHERE tree = ? AND id < ? ORDER BY id DESC LIMIT 50) AS c
		LEFT JOIN atomicedit_changes h ON h.commit_id = c.id ORDER BY c.id DESC, h.name`, s.tree, next)
	err = q.each(ctx, s.db, func(rows *sql.Rows) error {
		var c Commit
		var f Changed
		var at int64
		var name []byte
		if err := rows.Scan(&c.ID, &c.Author, &at, &name, &f.Before, &f.After); err != nil {
			return err
		}
		if len(commits) == 0 || commits[len(commits)-1].ID != c.ID {
			c.Time = time.UnixMicro(at)
			commits = append(commits, c)
		}
		if f.Path = string(name); name != nil {
			last := &commits[len(commits)-1]
			last.Changes = append(last.Changes, f)
		}
		return nil
	})
	return commits, orEnded(ctx, err)
}

// Undo commits the inverse of the commit with the given number, which is a commit of its own, and can be undone as well. If a
// file has changed since, Undo is [atomicedit.ErrStale], or [fs.ErrExist] for a file that was deleted and is there again; then nothing is
// undone. A commit that the history does not have, or whose contents it does not have, is [fs.ErrNotExist].
func (s *Store) Undo(ctx context.Context, id int64) error {
	if s.isZero() {
		return errZeroStore
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.commit(ctx, func(ctx context.Context, t *tx) ([]change, error) {
		changes, err := t.inverse(ctx, id)
		if err == nil && len(changes) == 0 {
			err = fmt.Errorf("sqlstore: the history has no changes of commit %d: %w", id, fs.ErrNotExist)
		}
		return changes, err
	})
}

// inverse returns the changes that undo a commit.
func (t *tx) inverse(ctx context.Context, id int64) (changes []change, err error) {
	q := t.dialect.statement(`SELECT h.name, h.mode, h.version, h.data, coalesce(h.new_version, '')
		FROM atomicedit_commits c JOIN atomicedit_changes h ON h.commit_id = c.id
		WHERE c.tree = ? AND c.id = ? ORDER BY h.name`, t.tree, id)
	err = q.each(ctx, t.conn, func(rows *sql.Rows) error {
		var name, data []byte
		var c change
		var mode sql.NullInt64
		var version sql.NullString
		if err := rows.Scan(&name, &mode, &version, &data, &c.before); err != nil {
			return err
		}
		if c.name = string(name); version.Valid {
			c.version = atomicedit.Version(version.String)
			c.after = &atomicedit.File{Path: c.name, Data: data, Mode: fs.FileMode(mode.Int64)}
		}
		changes = append(changes, c)
		return nil
	})
	return changes, err
}

// keep adds the files that changes are about, as they still are, to the history.
func (t *tx) keep(ctx context.Context, id int64, changes []change) error {
	if t.history < 0 {
		return nil
	}
	for some := range slices.Chunk(changes, rowsAtOnce) {
		q := t.dialect.statement("WITH new (tree, commit_id, name, version) AS (VALUES ")
		q.addRows("(CAST(? AS bytea), CAST(? AS bigint), CAST(? AS bytea), CAST(? AS text))", len(some), func(i int) []any {
			var version any
			if some[i].after != nil {
				version = string(some[i].version)
			}
			return []any{t.tree, id, []byte(some[i].name), version}
		})
		q.add(`) INSERT INTO atomicedit_changes (commit_id, name, mode, version, data, new_version)
			SELECT new.commit_id, new.name, f.mode, f.version, f.data, new.version
			FROM new LEFT JOIN atomicedit_files f ON f.tree = new.tree AND f.name = new.name`)
		if err := q.exec(ctx, t.conn); err != nil {
			return err
		}
	}
	return nil
}

// A counter counts the commits of a store.
type counter struct{ atomic.Int64 }

const (
	forgetEvery = 16        // commits, after which a store removes old ones
	forgetMost  = 64        // commits that it removes at once: more than are added, so that the work is bounded and gets done
	tokenLife   = time.Hour // how long a token is kept at least
)

// forget removes old commits now and then. That can fail: the next time does it as well.
func (s *Store) forget(ctx context.Context) {
	if s.commits.Add(1)%forgetEvery != 1 || s.history == Forever {
		return
	}
	cutoff := time.Now().Add(-max(s.history, tokenLife, 2*s.patience))
	t, err := s.begin(ctx)
	if err != nil {
		return
	}
	defer t.end(ctx)
	if t.removeCommits(ctx, cutoff) == nil {
		t.commit(ctx)
	}
}

// removeCommits removes some of the commits from before cutoff.
func (t *tx) removeCommits(ctx context.Context, cutoff time.Time) error {
	const old = `(SELECT id FROM (SELECT id, at FROM atomicedit_commits WHERE tree = ? ORDER BY id LIMIT ?) AS oldest WHERE at < ?)`
	for _, text := range []string{"DELETE FROM atomicedit_changes WHERE commit_id IN " + old, "DELETE FROM atomicedit_commits WHERE id IN " + old} {
		if err := t.exec(ctx, text, t.tree, forgetMost, cutoff.UnixMicro()); err != nil {
			return err
		}
	}
	return nil
}
