package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A Commit is an entry of the history of a [Store].
type Commit struct {
	ID      int64     // of two commits that change the same file, the later one has the greater ID
	Author  string    // from Options.Author
	Time    time.Time // by the clock of the process that committed
	Changes []Changed // in the order of their paths; nil if the store that committed keeps nothing that could be undone
}

// Changed says how a [Commit] changed a file.
type Changed struct {
	Path          string
	Before, After atomicedit.Version // "" for no file
}

// History returns the commits that are kept, the newest first. It reads 50 at a time, as the loop needs them. An error
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
	err = s.retried(ctx, func() error {
		commits = nil
		return q.each(ctx, s.db, func(rows *sql.Rows) error {
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
	})
	return commits, err
}

// Undo commits the inverse of the commit with the given ID: contents and modes become what they were. The inverse is a
// commit like any other, and can be undone too. If one of the files has changed since, Undo refuses with
// [atomicedit.ErrStale], or with [fs.ErrExist] if the file was deleted and exists again. If the commit is not kept, the
// error wraps [fs.ErrNotExist].
func (s *Store) Undo(ctx context.Context, id int64) error {
	if s.isZero() {
		return errZeroStore
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.commitBy(ctx, func(ctx context.Context, t *tx) ([]change, error) {
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
		q := t.dialect.statement("WITH wanted (tree, commit_id, name, version) AS (VALUES ")
		q.addRows("(CAST(? AS bytea), CAST(? AS bigint), CAST(? AS bytea), CAST(? AS text))", len(some),
			func(i int) []any {
				var version any
				if some[i].after != nil {
					version = string(some[i].version)
				}
				return []any{t.tree, id, []byte(some[i].name), version}
			})
		q.add(`) INSERT INTO atomicedit_changes (commit_id, name, mode, version, data, new_version)
			SELECT wanted.commit_id, wanted.name, f.mode, f.version, f.data, wanted.version FROM wanted LEFT JOIN ` + wantedFile)
		if err := q.exec(ctx, t.conn); err != nil {
			return err
		}
	}
	return nil
}

const (
	forgetEvery = 16        // a Store removes old commits after its first commit, and then after this many
	forgetMost  = 32        // commits at once: twice as many as were added
	tokenLife   = time.Hour // a commit is kept at least this long, because of its token
)

// forget removes old commits now and then. Errors do not matter, because the next time makes up for them.
func (s *Store) forget(ctx context.Context) {
	if s.commits.Add(1)%forgetEvery != 1 || s.history == Forever {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
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
	for _, text := range []string{"DELETE FROM atomicedit_changes WHERE commit_id IN " + old,
		"DELETE FROM atomicedit_commits WHERE id IN " + old} {
		if err := t.exec(ctx, text, t.tree, forgetMost, cutoff.UnixMicro()); err != nil {
			return err
		}
	}
	return nil
}
