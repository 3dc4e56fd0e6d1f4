package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A tx is a transaction on a connection of its own. It is not a [sql.Tx], for three reasons: not every driver can begin
// one with BEGIN IMMEDIATE, drivers may interrupt its COMMIT when the context ends, and after a COMMIT that fails, the
// next user of the connection may still be in the transaction.
type tx struct {
	*Store
	conn   *sql.Conn
	record record
	wrote  bool // whether the record was sent; nothing is written without it
	ended  bool
}

// A record says who commits, and when. Its token is in the database if and only if the transaction was committed.
type record struct {
	token  []byte
	author string
	at     time.Time
}

func (s *Store) newRecord(ctx context.Context) record {
	r := record{token: make([]byte, 16), at: time.Now()}
	rand.Read(r.token) // never fails
	if s.author != nil {
		r.author = textOf(s.author(ctx))
	}
	return r
}

// begin begins a transaction. If a connection broke while it was idle, begin takes another one, as database/sql does.
func (s *Store) begin(ctx context.Context) (*tx, error) {
	const attempts = 10
	for n := 1; ; n++ {
		conn, err := s.db.Conn(ctx)
		if err != nil {
			return nil, ofDatabase(err)
		}
		t := &tx{Store: s, conn: conn}
		if err = t.exec(ctx, s.dialect.begin); err == nil {
			return t, nil
		}
		t.end(ctx)
		if !errors.Is(err, driver.ErrBadConn) || n == attempts {
			return nil, err
		}
	}
}

func (t *tx) exec(ctx context.Context, text string, args ...any) error {
	return t.dialect.statement(text, args...).exec(ctx, t.conn)
}

// commit sends COMMIT. If the context ends, commit goes on waiting for the answer as long as the store has patience.
func (t *tx) commit(ctx context.Context) error {
	ctx, cancel := extended(ctx, t.patience)
	defer cancel()
	if err := t.exec(ctx, "COMMIT"); err != nil {
		return err
	}
	t.ended = true
	return ofDatabase(t.conn.Close())
}

// end rolls back a transaction that was not committed, and releases the connection. If ROLLBACK fails, end closes the
// connection, which may still be in the transaction.
func (t *tx) end(ctx context.Context) {
	if t.ended {
		return
	}
	t.ended = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.patience)
	defer cancel()
	if err := t.exec(ctx, "ROLLBACK"); err != nil && !isRolledBack(err) {
		t.conn.Raw(func(any) error { return driver.ErrBadConn }) // tells database/sql to close it
	}
	t.conn.Close()
}

// transact does work in a transaction, and tries again until no other transaction interferes. An error other than
// ErrUnfinished means that nothing was done.
func (s *Store) transact(ctx context.Context, work func(context.Context, *tx) error) error {
	record := s.newRecord(ctx)
	return s.retried(ctx, func() error { return s.attempt(ctx, record, work) })
}

// retried does something again for as long as it fails only because of another transaction.
func (s *Store) retried(ctx context.Context, do func() error) error {
	for wait := firstWait(); ; wait = wait.next() {
		err := do()
		if !s.dialect.conflict(err) {
			return orEnded(ctx, err)
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// orEnded returns the error of a context that has ended in place of an error that this may have caused.
func orEnded(ctx context.Context, err error) error {
	var aboutFile *fs.PathError
	if err == nil || errors.As(err, &aboutFile) || errors.Is(err, atomicedit.ErrUnfinished) || ctx.Err() == nil {
		return err
	}
	return ctx.Err()
}

// attempt does work in one transaction.
func (s *Store) attempt(ctx context.Context, record record, work func(context.Context, *tx) error) error {
	t, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer t.end(ctx)
	t.record = record
	if err := work(ctx, t); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	lost := t.commit(ctx)
	if lost == nil || s.dialect.conflict(lost) || !t.wrote {
		return lost
	}
	t.end(ctx)
	return s.findOut(ctx, record, lost)
}

// findOut returns nil if the transaction of a record was committed, although COMMIT failed with the error lost.
func (s *Store) findOut(ctx context.Context, r record, lost error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.patience)
	defer cancel()
	for wait := firstWait(); ; wait = wait.next() {
		done, err := s.isDone(ctx, r)
		switch {
		case err == nil && done:
			return nil
		case err == nil:
			return fmt.Errorf("sqlstore: COMMIT failed, and nothing was done: %w", lost)
		}
		if wait.sleep(ctx) != nil {
			return fmt.Errorf("sqlstore: COMMIT failed, and the database has not answered since; either all of the "+
				"files were changed or none: %w",
				errors.Join(atomicedit.ErrUnfinished, lost, err))
		}
	}
}

// isDone reports whether the transaction of a record was committed. It tries to write the same record. As long as the
// first transaction is open at the other end of a lost connection, and its COMMIT may still arrive, the database makes
// the second one wait. Once the record can be written, the first transaction will never be committed.
func (s *Store) isDone(ctx context.Context, r record) (bool, error) {
	t, err := s.begin(ctx)
	if err != nil {
		return false, err
	}
	defer t.end(ctx)
	t.record = r
	_, isNew, err := t.write(ctx)
	return !isNew, err
}

// write writes the record, unless it is there already, and returns the ID of the commit.
func (t *tx) write(ctx context.Context) (id int64, isNew bool, err error) {
	t.wrote = true
	q := t.dialect.statement("INSERT INTO atomicedit_commits (tree, token, author, at) VALUES (?, ?, ?, ?) ON "+
		"CONFLICT (token) DO NOTHING RETURNING id",
		t.tree, t.record.token, t.record.author, t.record.at.UnixMicro())
	err = q.each(ctx, t.conn, func(rows *sql.Rows) error {
		isNew = true
		return rows.Scan(&id)
	})
	return id, isNew, err
}
