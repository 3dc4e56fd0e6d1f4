package main

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// A postgresServer is a PostgreSQL of its own, without a tree.
type postgresServer struct {
	data, port string
}

// serve starts the server, and makes its databases the first time.
func (s *postgresServer) serve(dir string) (address string, err error) {
	if s.data == "" {
		s.data = filepath.Join(dir, "postgres")
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		_, s.port, _ = net.SplitHostPort(free.Addr().String())
		free.Close()
		if err := os.Mkdir(s.data, 0o700); err != nil {
			return "", err
		}
		if uid, gid, ok := serverUser(); ok {
			if err := os.Chown(s.data, int(uid), int(gid)); err != nil {
				return "", err
			}
		}
		err = s.run("initdb", "--username=nodes", "--auth=trust", "--encoding=UTF8", "--no-locale", s.data)
		if err != nil {
			return "", err
		}
	}
	options := "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c log_line_prefix=%e: -c port=" + s.port
	return "host=127.0.0.1 user=nodes dbname=postgres sslmode=disable port=" + s.port,
		s.run("pg_ctl", "--pgdata="+s.data, "--log="+s.log(), "--options="+options, "--wait", "start")
}

// kill ends the server as a crash does: it has to recover when it is started again.
func (s *postgresServer) kill() error {
	if s.data == "" {
		return nil
	}
	return s.run("pg_ctl", "--pgdata="+s.data, "--mode=immediate", "stop")
}

func (s *postgresServer) log() string { return filepath.Join(s.data, "log") }

// retries returns how many transactions the server has refused because of others: serialization failures and deadlocks.
func (s *postgresServer) retries(int) (int, error) {
	log, err := os.ReadFile(s.log())
	return bytes.Count(log, []byte("\n40001:ERROR")) + bytes.Count(log, []byte("\n40P01:ERROR")), err
}

func (s *postgresServer) run(program string, arguments ...string) error {
	path, err := exec.LookPath(program)
	if installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program); err != nil && len(installed) > 0 {
		path, err = installed[len(installed)-1], nil
	}
	if err != nil {
		return fmt.Errorf("PostgreSQL: %w", err)
	}
	cmd := exec.Command(path, arguments...)
	cmd.Dir = filepath.Dir(s.data)
	if uid, gid, ok := serverUser(); ok {
		as(cmd, uid, gid)
	}
	log, err := os.CreateTemp("", "nodes") // not a pipe, which the server would keep open
	if err != nil {
		return err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%s: %w\n%s", program, err, said)
	}
	return nil
}

// serverUser returns the user postgres if this is root, as whom the server refuses to run.
func serverUser() (uid, gid uint32, ok bool) {
	if os.Getuid() != 0 {
		return 0, 0, false
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return 0, 0, false
	}
	id, _ := strconv.ParseUint(u.Uid, 10, 32)
	group, _ := strconv.ParseUint(u.Gid, 10, 32)
	return uint32(id), uint32(group), true
}

// A rowsTable is what people do today: a table with a row for each file, and an update for each.
type rowsTable struct {
	postgresServer
	address string
}

func (s *rowsTable) start(dir string, files map[string]string) (string, error) {
	address, err := s.serve(dir)
	if err != nil || files == nil {
		return address, err
	}
	s.address = address
	db, err := sql.Open("pgx", address)
	if err != nil {
		return "", err
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE tree (path text PRIMARY KEY, data text, version int)"); err != nil {
		return "", err
	}
	for path, text := range files {
		if _, err := db.Exec("INSERT INTO tree VALUES ($1, $2, 0)", path, text); err != nil {
			return "", err
		}
	}
	return address, nil
}

func (s *rowsTable) files() (map[string]string, error) {
	db, err := sql.Open("pgx", s.address)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.Query("SELECT path, data FROM tree")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	texts := map[string]string{}
	for rows.Next() {
		var path, text string
		if err := rows.Scan(&path, &text); err != nil {
			return nil, err
		}
		texts[path] = text
	}
	return texts, rows.Err()
}

// history returns nil: there is none.
func (s *rowsTable) history() ([][]string, error) { return nil, nil }

type rows struct{ db *sql.DB }

func joinRows(ctx context.Context, address, _ string, writers int) (tree, error) {
	db, err := sql.Open("pgx", address)
	if err == nil {
		db.SetMaxOpenConns(writers)
	}
	return rows{db}, err
}

func (t rows) change(ctx context.Context, paths []string, edit func(path, text string) string) error {
	type row struct {
		path, text string
		version    int
	}
	var read []row
	for _, path := range paths {
		r := row{path: path}
		found := t.db.QueryRowContext(ctx, "SELECT data, version FROM tree WHERE path = $1", path)
		if err := found.Scan(&r.text, &r.version); err != nil {
			return err
		}
		read = append(read, r)
	}
	for _, r := range read {
		const update = "UPDATE tree SET data = $1, version = version + 1 WHERE path = $2 AND version = $3"
		done, err := t.db.ExecContext(ctx, update, edit(r.path, r.text), r.path, r.version)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); n == 0 {
			return cmp.Or(err, errConflict)
		}
	}
	return nil
}
