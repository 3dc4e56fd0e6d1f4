package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"slices"

	"github.com/atomicedit/atomicedit"
)

// Commit implements [atomicedit.Store]. The package comment says what a commit costs, and what it does about faults. An
// error means that nothing was changed, except [atomicedit.ErrUnfinished]: the database has stopped answering during
// COMMIT. Then all changes were made or none, and Read tells which as soon as the database answers again.
func (s *Store) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if s.isZero() {
		return errZeroStore
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	cleaned, err := s.cleanChanges(changes)
	if err != nil || len(cleaned) == 0 {
		return err
	}
	return s.commitBy(ctx, func(context.Context, *tx) ([]change, error) { return cleaned, nil })
}

// commitBy commits the changes that plan returns. It calls plan in each transaction that it tries.
func (s *Store) commitBy(ctx context.Context, plan func(context.Context, *tx) ([]change, error)) error {
	err := s.transact(ctx, func(ctx context.Context, t *tx) error {
		changes, err := plan(ctx, t)
		if err != nil {
			return err
		}
		return t.carryOut(ctx, changes)
	})
	if err == nil {
		s.forget(ctx)
	}
	return err
}

// A fact is what a transaction knows about a file that exists.
type fact struct {
	version atomicedit.Version
	mode    fs.FileMode
}

// carryOut compares changes with what is there, and makes them. They have the order of their names.
func (t *tx) carryOut(ctx context.Context, changes []change) error {
	now, err := t.lock(ctx, changes)
	if err != nil {
		return err
	}
	if err := t.compare(ctx, changes, now); err != nil {
		return err
	}
	var put, remove []change
	for _, c := range changes {
		was, exists := now[c.name]
		switch {
		case c.after == nil && exists:
			remove = append(remove, c)
		case c.after != nil:
			file := *c.after
			file.Mode = cmp.Or(c.after.Mode&modeBits, was.mode, newMode)
			if c.after = &file; (fact{c.version, file.Mode}) != was {
				put = append(put, c)
			}
		}
	}
	if len(put)+len(remove) == 0 {
		return nil
	}
	id, _, err := t.write(ctx)
	if err != nil {
		return err
	}
	if err := t.keep(ctx, id, slices.Concat(put, remove)); err != nil {
		return err
	}
	if err := t.put(ctx, put); err != nil {
		return err
	}
	return t.remove(ctx, remove)
}

// rowsAtOnce is the largest number of rows in a statement. The time that SQLite's driver takes to bind them grows with
// its square.
const rowsAtOnce = 200

// lock reads and locks the files of changes, and files in whose place a new file would need a directory.
func (t *tx) lock(ctx context.Context, changes []change) (map[string]fact, error) {
	var names []string
	for _, c := range changes {
		names = append(names, c.name)
		if c.after != nil {
			names = append(names, parents(c.name)...)
		}
	}
	slices.Sort(names)
	now := map[string]fact{}
	for some := range slices.Chunk(slices.Compact(names), rowsAtOnce) {
		q := t.dialect.statement("WITH wanted (tree, name) AS (VALUES ")
		q.addRows(key, len(some), func(i int) []any { return []any{t.tree, []byte(some[i])} })
		q.add(") SELECT f.name, f.version, f.mode FROM wanted JOIN " + wantedFile)
		err := q.each(ctx, t.conn, func(rows *sql.Rows) error {
			var name []byte
			var is fact
			err := rows.Scan(&name, &is.version, &is.mode)
			now[string(name)] = is
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return now, nil
}

// compare refuses changes that do not fit the files as they are now.
func (t *tx) compare(ctx context.Context, changes []change, now map[string]fact) error {
	var refused []error
	var fresh []change // of files that do not exist yet
	for _, c := range changes {
		is, exists := now[c.name]
		refused = append(refused, c.check(is.version))
		if exists || c.after == nil {
			continue
		}
		fresh = append(fresh, c)
		for _, dir := range parents(c.name) {
			if _, isFile := now[dir]; isFile {
				refused = append(refused, clashes(c.name, dir))
			}
		}
	}
	for some := range slices.Chunk(fresh, rowsAtOnce) {
		clash, err := t.compareBelow(ctx, some)
		if err != nil {
			return err
		}
		refused = append(refused, clash...)
	}
	return errors.Join(refused...)
}

// compareBelow returns an error for each name that has files below it.
func (t *tx) compareBelow(ctx context.Context, fresh []change) (clash []error, err error) {
	q := t.dialect.statement("WITH fresh (tree, name, low, high) AS (VALUES ")
	q.addRows("(CAST(? AS bytea), CAST(? AS bytea), CAST(? AS bytea), CAST(? AS bytea))", len(fresh),
		func(i int) []any {
			low, high := below(fresh[i].name)
			return []any{t.tree, []byte(fresh[i].name), low, high}
		})
	q.add(`) SELECT name, other FROM (SELECT fresh.name AS name, (SELECT f.name FROM atomicedit_files f
			WHERE f.tree = fresh.tree AND f.name > fresh.low AND f.name < fresh.high ORDER BY f.name LIMIT 1) AS other FROM fresh) AS found
		WHERE other IS NOT NULL`)
	err = q.each(ctx, t.conn, func(rows *sql.Rows) error {
		var name, other []byte
		err := rows.Scan(&name, &other)
		clash = append(clash, clashes(string(name), string(other)))
		return err
	})
	return clash, err
}

// bytesAtOnce is the largest size of the contents in a statement, unless a single file is larger.
const bytesAtOnce = 8 << 20

// put writes the new contents.
func (t *tx) put(ctx context.Context, changes []change) error {
	for len(changes) > 0 {
		n, size := 0, 0
		for n < len(changes) && n < rowsAtOnce && (n == 0 || size+len(changes[n].after.Data) <= bytesAtOnce) {
			size += len(changes[n].after.Data)
			n++
		}
		q := t.dialect.statement("INSERT INTO atomicedit_files (tree, name, mode, version, changed, data) VALUES ")
		q.addRows("(?, ?, ?, ?, ?, ?)", n, func(i int) []any {
			c := changes[i]
			data := c.after.Data
			if data == nil {
				data = []byte{} // nil would be NULL
			}
			return []any{t.tree, []byte(c.name), int64(c.after.Mode), string(c.version), t.record.at.UnixMicro(), data}
		})
		q.add(` ON CONFLICT (tree, name) DO UPDATE
			SET mode = excluded.mode, version = excluded.version, changed = excluded.changed, data = excluded.data`)
		if err := q.exec(ctx, t.conn); err != nil {
			return err
		}
		changes = changes[n:]
	}
	return nil
}

// remove deletes files.
func (t *tx) remove(ctx context.Context, changes []change) error {
	for some := range slices.Chunk(changes, rowsAtOnce) {
		q := t.dialect.statement("DELETE FROM atomicedit_files WHERE (tree, name) IN (VALUES ")
		q.addRows(key, len(some), func(i int) []any { return []any{t.tree, []byte(some[i].name)} })
		q.add(")")
		if err := q.exec(ctx, t.conn); err != nil {
			return err
		}
	}
	return nil
}
