package sqlstore_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	sqlstore "github.com/atomicedit/atomicedit/stores/sql"
)

// childVariable tells the test program to be a process that is killed: see child.
const childVariable = "ATOMICEDIT_CHILD"

// child commits to a database, and says so. Its arguments are a file, a number and a moment: the process kills itself
// before or after that call of the driver. Without a number, it goes on counting until somebody kills it.
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
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				self.Kill()
			}
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
			if err := s.Commit(t.Context(),
				[]atomicedit.Change{{Path: "a", After: file("a")}, {Path: "b", After: file("b")}}); err != nil {
				t.Fatal(err)
			}
			cmd, out := startChild(t, fmt.Sprintf("%s|%d|%s", path, k, when))
			cmd.Wait()
			killed := out.Len() == 0
			got := texts(t, s)
			isDone := got == "a=A dir/c=c in 2 commits"
			if !isDone && got != "a=a b=b in 1 commits" || !killed && (!isDone || out.String() != "done\n") {
				t.Fatalf("killed %s call %d: the store has %q; the process said %s", when, k, got, out)
			}
			if !killed {
				break
			}
			tally(fmt.Sprintf("on SQLite, whose process was killed at a call of the driver: %s",
				map[bool]string{true: "done", false: "not done"}[isDone]), 1)
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
