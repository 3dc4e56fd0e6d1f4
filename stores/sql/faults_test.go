package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// A fault is what happens to one call of a driver.
type fault struct {
	name  string
	after bool // the call takes effect first
	lose  bool // the connection breaks
}

func faults() []fault {
	return []fault{
		{name: "refused"},
		{name: "carried out, but answered with an error", after: true},
		{name: "losing the connection before", lose: true},
		{name: "losing the connection after", lose: true, after: true},
	}
}

var errFault = errors.New("a fault that the test made")

// A line is the way to a database. It counts the calls of drivers, and breaks at some of them.
type line struct {
	mu     sync.Mutex
	n      int                     // calls
	faults map[int]fault           // by the number of the call, from 0
	cut    int                     // the number of the call from which on nothing works; -1: none
	strike func(n int, after bool) // is called before and after each call; may be nil
	slow   func(*conn)             // what becomes of a COMMIT after the connection was lost, if not nil
}

// reset counts from 0 again, and sets what is to come.
func (l *line) reset(faults map[int]fault, strike func(n int, after bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n, l.faults, l.strike, l.cut = 0, faults, strike, -1
}

// cutAt lets n more calls through, and then none.
func (l *line) cutAt(n int) {
	l.reset(nil, nil)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = n
}

func (l *line) calls() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// next counts a call, and returns what happens to it.
func (l *line) next() (f fault, fails bool, strike func(after bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.n
	l.n++
	strike = func(bool) {}
	if now := l.strike; now != nil {
		strike = func(after bool) { now(n, after) }
	}
	if l.cut >= 0 && n >= l.cut {
		return fault{lose: true}, true, strike
	}
	f, fails = l.faults[n]
	return f, fails, strike
}

// through opens a database by way of a line.
func (l *line) through(t testing.TB, db *sql.DB, dsn string) *sql.DB {
	faulty := sql.OpenDB(connector{line: l, driver: db.Driver(), dsn: dsn})
	t.Cleanup(func() { faulty.Close() })
	l.reset(nil, nil)
	return faulty
}

type connector struct {
	line   *line
	driver driver.Driver
	dsn    string
}

func (c connector) Driver() driver.Driver { return c.driver }

func (c connector) Connect(context.Context) (driver.Conn, error) {
	conn := &conn{line: c.line}
	err := conn.call(func() (err error) {
		conn.Conn, err = c.driver.Open(c.dsn)
		return err
	})
	if err != nil {
		return nil, err
	}
	return conn, nil
}

// A conn is a connection on a line.
type conn struct {
	driver.Conn
	line *line
	open driver.Rows // that were not closed yet
	lost bool
}

// call makes a call, unless it meets a fault.
func (c *conn) call(do func() error) error {
	if c.lost {
		return driver.ErrBadConn
	}
	f, fails, strike := c.line.next()
	strike(false)
	if !fails || f.after {
		err := do()
		strike(true)
		if err != nil || !fails {
			return err
		}
	}
	if f.lose {
		c.lose()
	}
	return errFault
}

func (c *conn) lose() {
	c.lost = true
	if c.open != nil {
		c.open.Close()
	}
	if c.Conn != nil {
		c.Conn.Close()
	}
}

func (c *conn) Close() error {
	if c.lost {
		return nil
	}
	return c.Conn.Close()
}

func (c *conn) IsValid() bool {
	v, ok := c.Conn.(driver.Validator)
	return !c.lost && (!ok || v.IsValid())
}

func (c *conn) ResetSession(ctx context.Context) error {
	if c.lost {
		return driver.ErrBadConn
	}
	if r, ok := c.Conn.(driver.SessionResetter); ok {
		return r.ResetSession(ctx)
	}
	return nil
}

func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := c.Conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (result driver.Result,
	err error) {
	if slow := c.line.slow; slow != nil && query == "COMMIT" {
		c.line.slow, c.lost = nil, true
		go slow(c)
		return nil, errFault
	}
	err = c.call(func() error {
		result, err = c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
		return err
	})
	return result, err
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	err := c.call(func() (err error) {
		c.open, err = c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
		return err
	})
	r := &rows{c.open, c}
	if err != nil {
		if c.open != nil {
			r.Close()
		}
		return nil, err
	}
	return r, nil
}

// rows are the answer to a query. To ask for a row is a call as well.
type rows struct {
	driver.Rows
	conn *conn
}

func (r *rows) Next(dest []driver.Value) error {
	return r.conn.call(func() error { return r.Rows.Next(dest) })
}

func (r *rows) Close() error {
	if r.conn.lost {
		return nil
	}
	r.conn.open = nil
	return r.Rows.Close()
}

// A socket connects to a database for as long as its file is there.
type socket struct {
	connector
	missing *atomic.Bool
}

func (s socket) Connect(ctx context.Context) (driver.Conn, error) {
	if s.missing.Load() {
		return nil, &net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", syscall.ENOENT)}
	}
	return s.connector.Connect(ctx)
}

// A database whose socket is gone has not lost the files: the error of the operating system is not about them.
func TestASocketThatIsGoneIsNoFileThatIsGone(t *testing.T) {
	kind, dsn := emptyDatabases()["SQLite"](t)
	way := socket{connector{&line{}, opened(t)(sql.Open(kind, dsn)).Driver(), dsn}, new(atomic.Bool)}
	way.line.reset(nil, nil)
	db := opened(t)(sql.OpenDB(way), nil)
	db.SetMaxIdleConns(-1)
	s := openStore(t, db, nil)
	commit(t, s, atomicedit.Change{Path: "a", After: file("1")})
	way.missing.Store(true)
	_, read := s.Read(t.Context(), "a")
	_, list := s.Names(t.Context(), "")
	errs := map[string]error{"Read": read, "Names": list,
		"Commit": s.Commit(t.Context(), []atomicedit.Change{{Path: "b", After: file("1")}}),
		"Undo":   s.Undo(t.Context(), 1)}
	for _, err := range s.History(t.Context()) {
		errs["History"] = err
	}
	for what, err := range errs {
		var dial *net.OpError
		if errors.Is(err, fs.ErrNotExist) || !errors.As(err, &dial) {
			t.Errorf("%s: %v; fs.ErrNotExist is %v", what, err, errors.Is(err, fs.ErrNotExist))
		}
	}
	way.missing.Store(false)
	has(t, s, "a", file("1"))
}
