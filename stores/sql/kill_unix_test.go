//go:build unix

package sqlstore_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// childVariable tells the test program to be a process that is killed: see child.
const childVariable = "ATOMICEDIT_CHILD"

// child commits to a database, and says so. Its arguments are a file, a number and a moment: the process kills itself before or
// after that call of the driver. Without a number, it goes on counting until somebody kills it.
func child(args string) error {
	ctx := context.Background()
	part := strings.Split(args, "|")
	driver, err := sql.Open("sqlite", fileDSN(part[0]))
	if err != nil {
		return err
	}
	line := &line{}
	line.reset(nil, nil)
	s, err := sqlstore.Open(ctx, sql.OpenDB(connector{line, driver.Driver(), fileDSN(part[0])}), nil)
	if err != nil {
		return err
	}
	if part[1] == "" {
		for {
			n, err := countOn(ctx, s, "")
			if err != nil {
				return err
			}
			fmt.Println(n)
		}
	}
	at, _ := strconv.Atoi(part[1])
	line.reset(nil, func(n int, after bool) {
		if n == at && after == (part[2] == "after") {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	if err := deeds()[0].do(ctx, s); err != nil {
		return err
	}
	fmt.Println("done")
	return nil
}

// countOn adds one to the numbers in two files, which are always the same, and returns the new number.
func countOn(ctx context.Context, s *sqlstore.Store, dir string) (int, error) {
	n, err := counted(ctx, s, dir)
	if err != nil {
		return 0, err
	}
	var changes []atomicedit.Change
	for _, name := range []string{"one", "two"} {
		c := atomicedit.Change{Path: dir + name, After: file(fmt.Sprint(n + 1))}
		if n > 0 {
			c.Before = file(fmt.Sprint(n))
		}
		changes = append(changes, c)
	}
	return n + 1, s.Commit(ctx, changes)
}

// counted returns the number in the two files.
func counted(ctx context.Context, s *sqlstore.Store, dir string) (n int, err error) {
	var data [2]string
	for i, name := range []string{"one", "two"} {
		f, err := s.Read(ctx, dir+name)
		if err != nil && f == nil {
			return 0, err
		}
		data[i] = string(f.Data)
	}
	if data[0] != data[1] {
		return 0, fmt.Errorf("the files of one commit have %q and %q", data[0], data[1])
	}
	fmt.Sscan(data[0], &n)
	return n, nil
}

// startChild starts the test program as a child.
func startChild(t *testing.T, args string) (*exec.Cmd, *bytes.Buffer) {
	out := &bytes.Buffer{}
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childVariable+"="+args)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// A process that is killed at any call of the driver leaves all or nothing.
func TestAKilledProcessLeavesAllOrNothing(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "after"} {
		for k := 0; ; k++ {
			path := filepath.Join(t.TempDir(), "tree.db")
			db := opened(t)(sql.Open("sqlite", fileDSN(path)))
			s, err := sqlstore.Open(t.Context(), db, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Commit(t.Context(), []atomicedit.Change{{Path: "a", After: file("a")}, {Path: "b", After: file("b")}}); err != nil {
				t.Fatal(err)
			}
			cmd, out := startChild(t, fmt.Sprintf("%s|%d|%s", path, k, when))
			cmd.Wait()
			killed := !cmd.ProcessState.Exited()
			got := texts(t, s)
			isDone := got == "a=A dir/c=c in 2 commits"
			if !isDone && got != "a=a b=b in 1 commits" || !killed && !isDone {
				t.Fatalf("killed %s call %d: the store has %q; the process said %s", when, k, got, out)
			}
			if !killed {
				break
			}
			tally(fmt.Sprintf("on SQLite, whose process was killed at a call of the driver: %s", map[bool]string{true: "done", false: "not done"}[isDone]), 1)
		}
	}
}

// A process that is killed at any time has done what it said, and at most one commit more.
func TestAProcessKilledAtRandomLosesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tree.db")
	s, err := sqlstore.Open(t.Context(), opened(t)(sql.Open("sqlite", fileDSN(path))), nil)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for range 20 {
		cmd, out := startChild(t, path+"||")
		time.Sleep(40*time.Millisecond + rand.N(40*time.Millisecond))
		cmd.Process.Kill()
		cmd.Wait()
		lines := strings.Fields(out.String())
		if len(lines) > 0 {
			if said, err = strconv.Atoi(lines[len(lines)-1]); err != nil {
				t.Fatalf("a child said %s", out)
			}
		}
		n, err := counted(t.Context(), s, "")
		if err != nil || n != said && n != said+1 {
			t.Fatalf("a child said %d, and the files have %d: %v", said, n, err)
		}
		said = n
	}
	tally("on SQLite, of processes that were killed 20 times at random: done", said)
}

// backends returns the processes of the server that serve the application of the given name.
func backends(ctx context.Context, db *sql.DB, application string) (pids []int, err error) {
	found, err := db.QueryContext(ctx, "SELECT pid FROM pg_stat_activity WHERE application_name = $1", application)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		var pid int
		if err := found.Scan(&pid); err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, found.Err()
}

// A connection that the server ends at any call of the driver leaves all or nothing, and the error says which.
func TestACommitIsDoneOrNotWhateverConnectionTheServerEnds(t *testing.T) {
	t.Parallel()
	for _, driver := range []string{"pgx", "postgres"} {
		t.Run(driver, func(t *testing.T) {
			net := victims(t, driver, postgres(t))
			net.strikeEverywhere(t, "whose connection the server ended", func(pid int) {
				net.safe.Exec("SELECT pg_terminate_backend($1)", pid)
			})
		})
	}
}

// The same for a process of the server that is killed, after which the server ends all connections and recovers.
func TestACommitIsDoneOrNotWhateverProcessOfTheServerIsKilled(t *testing.T) {
	t.Parallel()
	server := ownServer(t)
	net := victims(t, "pgx", server.dsn())
	net.safe.SetMaxIdleConns(0) // a crash breaks all connections
	net.strikeEverywhere(t, "whose server crashed", func(pid int) {
		if err := server.crash(pid); err != nil {
			t.Error(err)
		}
	})
}

// victims returns a database whose connections by way of the line can be told from others.
func victims(t *testing.T, driver, dsn string) network {
	net := network{name: "PostgreSQL", safe: opened(t)(sql.Open(driver, dsn)), line: &line{}}
	net.weak = net.line.through(t, net.safe, dsn+" application_name=victim")
	return net
}

// strikeEverywhere strikes the connection at each call of the driver: before it, and after it so that the answer is lost.
func (net network) strikeEverywhere(t *testing.T, what string, strike func(pid int)) {
	for _, after := range []bool{false, true} {
		for k := 0; ; k++ {
			var lost map[int]fault
			if after {
				lost = map[int]fault{k: {lose: true, after: true}}
			}
			struck := false
			calls, err := net.underFaults(t, deeds()[0], lost, func(n int, isAfter bool) {
				if n != k || isAfter != after || struck {
					return
				}
				struck = true
				pids, err := backends(t.Context(), net.safe, "victim")
				if err != nil {
					t.Error(err)
				}
				if len(pids) > 0 {
					strike(pids[0])
				}
			})
			if calls <= k {
				break
			}
			net.count(what, err)
		}
	}
}

// Writers count while the server ends connections at random. What they count is what they find, to the last commit.
func TestWhatACommitSaysIsTrueWhileConnectionsEnd(t *testing.T) {
	t.Parallel()
	const writers = 4
	dsn := postgres(t)
	db := opened(t)(sql.Open("pgx", dsn+" application_name=storm"))
	admin := opened(t)(sql.Open("pgx", dsn))
	s := openStore(t, db, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	var mu sync.Mutex
	done, failed, ended := [writers]int{}, 0, 0
	for w := range writers {
		wg.Go(func() {
			dir := fmt.Sprintf("%d/", w)
			for ctx.Err() == nil {
				n, err := countOn(context.Background(), s, dir)
				mu.Lock()
				switch {
				case err == nil:
					done[w] = n
				case errors.Is(err, atomicedit.ErrStale), errors.Is(err, atomicedit.ErrUnfinished):
					t.Errorf("writer %d: %v", w, err)
				default:
					failed++
				}
				mu.Unlock()
			}
		})
	}
	for ctx.Err() == nil {
		pids, err := backends(t.Context(), admin, "storm")
		if err != nil {
			t.Error(err)
			break
		}
		if len(pids) > 0 {
			admin.Exec("SELECT pg_terminate_backend($1)", pids[rand.IntN(len(pids))])
			ended++
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
	wg.Wait()
	sum := 0
	for w := range writers {
		n, err := counted(t.Context(), s, fmt.Sprintf("%d/", w))
		if err != nil || n != done[w] {
			t.Errorf("writer %d counted to %d, and the files have %d: %v", w, done[w], n, err)
		}
		sum += n
	}
	tally("on PostgreSQL, by writers whose connections the server ended at random: done", sum)
	tally("on PostgreSQL, by writers whose connections the server ended at random: not done, and said so", failed)
	tally("on PostgreSQL, connections that the server ended at random", ended)
}
