//go:build unix

package sqlstore_test

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A server is a PostgreSQL server in a directory of its own. It ends when its input does, so also when the tests are
// killed.
type server struct {
	dir, bin string
	process  *exec.Cmd
	input    io.Closer
}

// startServer makes a database in a new directory, and starts a server for it, or says why not.
func startServer(settings ...string) (*server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir, bin: bin}
	if err := s.start(settings); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// binaries returns the directory of the newest installed server.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", fmt.Errorf("there is no initdb: install PostgreSQL (apt-get install postgresql), or set %s",
			dsnVariable)
	}
	return filepath.Dir(slices.Max(found)), nil
}

func (s *server) start(settings []string) error {
	who, err := s.unprivileged()
	if err != nil {
		return err
	}
	data := filepath.Join(s.dir, "data")
	initdb := exec.Command(filepath.Join(s.bin, "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
		"--no-locale", "--no-sync")
	initdb.SysProcAttr = who
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	s.process = exec.Command("sh", "-c", `"$@" & cat; kill -QUIT $!; wait`, "sh", filepath.Join(s.bin, "postgres"),
		"-D", data, "-k", s.dir)
	for _, setting := range append(settings, "listen_addresses=", "max_connections=300") {
		s.process.Args = append(s.process.Args, "-c", setting)
	}
	s.process.SysProcAttr, s.process.Stdout, s.process.Stderr = who, log, log
	if s.input, err = s.process.StdinPipe(); err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return err
	}
	return s.awaitAnswer()
}

// unprivileged returns the user that the server runs as, which must not be root, and gives it the directory.
func (s *server) unprivileged() (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root: %w", err)
	}
	uid, _ := strconv.ParseUint(account.Uid, 10, 32)
	gid, _ := strconv.ParseUint(account.Gid, 10, 32)
	if err := os.Chown(s.dir, int(uid), int(gid)); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// awaitAnswer waits until the server takes connections.
func (s *server) awaitAnswer() error {
	db, err := sql.Open("pgx", s.dsn())
	if err != nil {
		return err
	}
	defer db.Close()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if err = db.Ping(); err == nil {
			return nil
		}
		if time.Since(began) > time.Minute {
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("%w; its log:\n%s", err, log)
		}
	}
}

func (s *server) dsn() string { return "host=" + s.dir + " user=postgres dbname=postgres" }

func (s *server) stop() {
	if s.input != nil {
		s.input.Close()
		s.process.Wait()
	}
	os.RemoveAll(s.dir)
}

// crash kills the process that serves a connection, and waits until the server has ended all connections and has
// recovered.
func (s *server) crash(pid int) error {
	ready := s.timesReady()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	for began := time.Now(); s.timesReady() == ready; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			return errors.New("the server does not recover")
		}
	}
	return nil
}

// timesReady returns how often the server has begun to take connections.
func (s *server) timesReady() int {
	log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	return bytes.Count(log, []byte("ready to accept connections"))
}

var shared struct {
	once   sync.Once
	server *server
	err    error
}

// postgres returns the name of a new database on the server that the tests share, for any driver.
func postgres(t testing.TB) string {
	t.Helper()
	if dsn := os.Getenv(dsnVariable); dsn != "" {
		return dsn
	}
	shared.once.Do(func() { shared.server, shared.err = startServer("fsync=" + onIf(isMeasuring())) })
	if shared.err != nil {
		t.Skip("PostgreSQL is not tested: ", shared.err)
	}
	return shared.server.dsn()
}

// isMeasuring reports whether benchmarks run, which have to wait for the disk.
func isMeasuring() bool { return flag.Lookup("test.bench").Value.String() != "" }

func onIf(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func stopPostgres() {
	if shared.server != nil {
		shared.server.stop()
	}
}

// ownServer returns the server, for tests that harm it.
func ownServer(t *testing.T) *server {
	t.Helper()
	s, err := startServer("fsync=off") // the machine stays up
	if err != nil {
		t.Skip("PostgreSQL is not tested: ", err)
	}
	t.Cleanup(s.stop)
	return s
}
