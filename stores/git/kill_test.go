package git

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
)

// tallies count what the tests do to commits.
var tallies struct {
	sync.Mutex
	n map[string]int
}

func tally(what string) {
	tallies.Lock()
	defer tallies.Unlock()
	if tallies.n == nil {
		tallies.n = map[string]int{}
	}
	tallies.n[what]++
}

func TestMain(m *testing.M) {
	if k, err := strconv.Atoi(os.Getenv("ATOMICEDIT_GIT_DIE_AT")); err == nil {
		commitAndDie(k)
		return
	}
	code := m.Run()
	tallies.Lock()
	defer tallies.Unlock()
	for _, what := range slices.Sorted(maps.Keys(tallies.n)) {
		fmt.Printf("commits: %6d %s\n", tallies.n[what], what)
	}
	os.Exit(code)
}

// A trial is a repository with a file that a commit is about to change, along with others.
type trial struct {
	t   *testing.T
	dir string // where the reference counts
	n   int    // what the file has
}

func newTrial(t *testing.T, dir string) *trial {
	t.Helper()
	s := open(t, dir, nil)
	changes := []atomicedit.Change{create("n", "0"), create("gone", "x")}
	for i := range unpackLimit {
		changes = append(changes, create(fmt.Sprintf("kept/%d", i), fmt.Sprint(i)))
	}
	commit(t, s, changes...)
	commit(t, s, remove("gone", "x"))
	return &trial{t, dir, 0}
}

// changesOf returns the changes of a commit that makes n+1 of n. An even one is large enough for a pack.
func changesOf(n int) []atomicedit.Change {
	changes := []atomicedit.Change{edit("n", fmt.Sprint(n), fmt.Sprint(n+1)),
		create(fmt.Sprintf("new/%d/file", n), fmt.Sprint("new ", n))}
	for i := range (n + 1) % 2 * unpackLimit {
		changes = append(changes, create(fmt.Sprintf("more/%d/%d", n, i), fmt.Sprint(n, i)))
	}
	return changes
}

// check looks at the repository with git after a commit that was broken off, and says whether it was made. A commit
// that said that it was not made, or that it was, must be right.
func (tr *trial) check(what string, err error) (done bool) {
	tr.t.Helper()
	tree := run(tr.t, tr.dir, "ls-tree", "-r", "main")
	has := func(path, text string) bool {
		return strings.Contains(tree, fmt.Sprintf("blob %s\t%s\n", formatSHA1.idOf("blob", []byte(text)), path))
	}
	tree += "\n"
	done = has("n", fmt.Sprint(tr.n+1))
	if !done && !has("n", fmt.Sprint(tr.n)) {
		tr.t.Fatalf("%s: a commit that makes %d of %d has left\n%s", what, tr.n+1, tr.n, tree)
	}
	switch {
	case errors.Is(err, atomicedit.ErrUnfinished):
	case (err == nil || errors.Is(err, atomicedit.ErrNotDurable)) != done:
		tr.t.Fatalf("%s: the commit is made: %v, and the error is %v", what, done, err)
	}
	for _, c := range changesOf(tr.n)[1:] {
		if has(c.Path, string(c.After.Data)) != done {
			tr.t.Fatalf("%s: the commit is made: %v, but not so %s:\n%s", what, done, c.Path, tree)
		}
	}
	if done {
		tr.n++
	}
	run(tr.t, tr.dir, "fsck", "--strict", "--connectivity-only")
	return done
}

// TestCommitFailsAtEveryStep lets each step of a commit fail, or its answer be lost, once or from then on.
func TestCommitFailsAtEveryStep(t *testing.T) {
	needGit(t)
	t.Parallel()
	for kind, openOn := range map[string]func(dir string) *Store{
		"local":  func(dir string) *Store { return open(t, dir, nil) },
		"remote": func(dir string) *Store { return mirror(t, dir) },
	} {
		for _, flavor := range []string{"fails", "fails, and all later ones", "is done, but says it failed",
			"ends the context"} {
			t.Run(kind+": a step "+flavor, func(t *testing.T) {
				dir := bare(t)
				tr := newTrial(t, dir)
				s := openOn(dir)
				for k := 0; ; k++ {
					ctx, cancel := context.WithCancel(t.Context())
					at, hit := -1, false
					s.git.fault = func(step string, done bool) error {
						late := flavor == "is done, but says it failed"
						if late != done {
							return nil
						}
						if at++; at < k || at > k && flavor != "fails, and all later ones" {
							return nil
						}
						hit = true
						if flavor == "ends the context" {
							cancel()
							return nil
						}
						return errBroken
					}
					err := s.Commit(ctx, changesOf(tr.n))
					cancel()
					s.git.fault = nil
					if errors.Is(err, atomicedit.ErrUnfinished) {
						if err := s.Recover(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					if hit {
						tally("steps of a commit to a " + kind + " repository: one " + flavor)
					}
					done := tr.check(fmt.Sprintf("step %d %s", k, flavor), err)
					has(t, s, "n", fmt.Sprint(tr.n))
					if at < k && done {
						break
					}
				}
			})
		}
	}
}

// shim returns a program that runs git, but the n-th time somebody kills it: before it does anything, in the middle, or
// after all is done.
func shim(t *testing.T) (program string, kill func(n int, when string)) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	program = filepath.Join(dir, "git")
	writeFile(t, program, fmt.Sprintf(`#!/bin/sh
read -r n when <%[1]s/plan
echo "$((n-1)) $when" >%[1]s/plan
[ "$n" -eq 0 ] || exec %[2]s "$@"
case $when in
before) ;;
after) %[2]s "$@" ;;
*) %[2]s "$@" <&0 & sleep "$when"; kill -9 $! 2>/dev/null; wait $! 2>/dev/null ;;
esac
kill -9 $$
`, dir, git), 0o755)
	kill = func(n int, when string) { writeFile(t, dir+"/plan", fmt.Sprintln(n, when), 0o644) }
	kill(-1, "never")
	return program, kill
}

// TestCommitWhoseProcessesAreKilled kills each process that a commit starts.
func TestCommitWhoseProcessesAreKilled(t *testing.T) {
	needGit(t)
	t.Parallel()
	for kind, openOn := range map[string]func(dir, program string) *Store{
		"local": func(dir, program string) *Store { return open(t, dir, &Options{Program: program}) },
		"remote": func(dir, program string) *Store {
			return open(t, t.TempDir()+"/mirror", &Options{Program: program, Remote: dir, Ref: "main", MaxAge: -1})
		},
	} {
		t.Run(kind, func(t *testing.T) {
			program, kill := shim(t)
			dir := bare(t)
			tr := newTrial(t, dir)
			s := openOn(dir, program)
			whens := []string{"before", "after"}
			for range 2 {
				whens = append(whens, fmt.Sprintf("0.%04d", rand.N(80)))
			}
			for _, when := range whens {
				for k := range 6 {
					s.objects.close()
					s.objects = newCatFile(s.git, s.format)
					kill(k, when)
					s.git.linger = 100 * time.Millisecond
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					err := s.Commit(ctx, changesOf(tr.n))
					cancel()
					kill(-1, "never")
					s.git.linger = patience
					tally("processes of a commit to a " + kind + " repository killed")
					if errors.Is(err, atomicedit.ErrUnfinished) {
						if err := s.Recover(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					tr.check(fmt.Sprintf("process %d killed (%s)", k, when), err)
					commitAgain(t, s, tr)
				}
			}
		})
	}
}

// commitAgain expects the next commit to work, unless a git process died in the moment between making its lock and
// writing to it.
func commitAgain(t *testing.T, s *Store, tr *trial) {
	t.Helper()
	err := s.Commit(t.Context(), changesOf(tr.n))
	if lock := tr.dir + "/refs/heads/main.lock"; err != nil &&
		strings.Contains(err.Error(), "main.lock': File exists") {
		if text, _ := os.ReadFile(lock); len(text) > 0 {
			t.Fatalf("the lock has %q", text)
		}
		tally("locks left empty by a killed git, which the next commit names")
		os.Remove(lock)
		err = s.Commit(t.Context(), changesOf(tr.n))
	}
	tr.check("the next commit", err)
	if err != nil {
		t.Fatal(err)
	}
}

// A hook that kills git update-ref while it holds the lock, and after it has moved the reference.
func TestCommitKilledWithTheLock(t *testing.T) {
	for _, state := range []string{"prepared", "committed"} {
		dir := bare(t)
		tr := newTrial(t, dir)
		newCanary(t) // skips where there are no shell scripts
		writeFile(t, dir+"/hooks/reference-transaction",
			fmt.Sprintf("#!/bin/sh\nif [ $1 = %s ] && [ -e %s/armed ]; then rm %s/armed; kill -9 $PPID; fi\n", state,
				dir, dir), 0o755)
		s := open(t, dir, &Options{TrustRepository: true})
		writeFile(t, dir+"/armed", "", 0o644)
		err := s.Commit(t.Context(), changesOf(tr.n))
		if done := tr.check("killed when "+state, err); done != (state == "committed") {
			t.Errorf("killed when %s: the commit is made: %v", state, done)
		}
		tally("git update-ref killed when " + state)
		if err := s.Commit(t.Context(), changesOf(tr.n)); err != nil {
			t.Errorf("the next commit: %v", err)
		}
	}
}

// commitAndDie is what the process does that TestCommitWhoseOwnProcessIsKilled kills.
func commitAndDie(k int) {
	o := &Options{}
	dir := os.Getenv("ATOMICEDIT_GIT_DIR")
	if far := os.Getenv("ATOMICEDIT_GIT_FAR"); far != "" {
		o = &Options{Remote: far, Ref: "main"}
	}
	s, err := Open(dir, o)
	if err != nil {
		panic(err)
	}
	s.git.fault = func(string, bool) error {
		if k--; k < 0 {
			p, _ := os.FindProcess(os.Getpid())
			p.Kill()
			select {}
		}
		return nil
	}
	n, _ := strconv.Atoi(os.Getenv("ATOMICEDIT_GIT_N"))
	if err := s.Commit(context.Background(), changesOf(n)); err != nil {
		panic(err)
	}
}

func TestCommitWhoseOwnProcessIsKilled(t *testing.T) {
	needGit(t)
	t.Parallel()
	for _, far := range []bool{false, true} {
		t.Run(fmt.Sprintf("remote %v", far), func(t *testing.T) {
			dir := bare(t)
			tr := newTrial(t, dir)
			temp := t.TempDir() // for the private directories
			s := open(t, dir, nil)
			for k := 0; ; k++ {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), fmt.Sprintf("ATOMICEDIT_GIT_DIE_AT=%d", k), "ATOMICEDIT_GIT_DIR="+dir,
					fmt.Sprintf("ATOMICEDIT_GIT_N=%d", tr.n), "TMPDIR="+temp)
				if far {
					cmd.Env = append(cmd.Env, "ATOMICEDIT_GIT_DIR="+temp+"/mirror", "ATOMICEDIT_GIT_FAR="+dir)
				}
				out, err := cmd.CombinedOutput()
				if exit := (*exec.ExitError)(nil); err != nil &&
					(!errors.As(err, &exit) || exit.ExitCode() >= 0 && runtime.GOOS != "windows") {
					t.Fatalf("%v\n%s", err, out)
				}
				waitForGit(t, s)
				tally("processes killed that were committing")
				done := tr.check(fmt.Sprintf("killed at step %d", k), atomicedit.ErrUnfinished) // nobody was told
				if err == nil && done {
					break
				}
				commitAgain(t, s, tr)
			}
		})
	}
}

// waitForGit waits until the processes that a dead one has left behind are done: they have no input any more.
func waitForGit(t *testing.T, s *Store) {
	t.Helper()
	for range 100 {
		if _, err := os.Stat(s.repo + "/refs/heads/main.lock"); err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
}
