package git

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
)

// sizes are the numbers of files in the trees that are measured.
var sizes = []int{1_000, 10_000, 100_000}

// filler returns the text of the i-th file.
func filler(i, version int) string {
	return fmt.Sprintf("file %d, version %d\n%s", i, version, bytes.Repeat([]byte("all work and no play\n"), 100))
}

// nameOf returns the name of the i-th file: 100 to a directory, and 20 directories to one above.
func nameOf(i int) string { return fmt.Sprintf("d%d/e%d/f%d.txt", i/2000, i/100%20, i%100) }

// grow commits a tree of n files with git fast-import.
func grow(t testing.TB, dir string, n int) {
	t.Helper()
	var in bytes.Buffer
	in.WriteString("commit refs/heads/main\ncommitter A User <user@example.org> 1700000000 +0000\ndata 5\nstart\n")
	for i := range n {
		text := filler(i, 0)
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", nameOf(i), len(text), text)
	}
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = dir, &in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
}

// spread returns changes of 50 files all over a tree of n files, 10 of them in a directory.
func spread(n, version int) []atomicedit.Change {
	changes := make([]atomicedit.Change, 50)
	for k := range changes {
		i := (k/10)*(n/5) + k%10
		changes[k] = edit(nameOf(i), filler(i, version), filler(i, version+1))
	}
	return changes
}

// BenchmarkCommit commits 50 files of 2 KB in turns with git add and git commit in a clean checkout, and reports the medians of both.
func BenchmarkCommit(b *testing.B) {
	for _, n := range sizes {
		dir, work := bare(b), filepath.Join(b.TempDir(), "work")
		grow(b, dir, n)
		run(b, dir, "clone", "-q", dir, work)
		run(b, work, "config", "gc.auto", "0")
		for d, name := range []string{"full", "file", "none"} {
			b.Run(fmt.Sprintf("files=%d/durable=%s", n, name), func(b *testing.B) {
				s := open(b, dir, &Options{Durability: atomicedit.Durability(d), Ref: "refs/heads/" + name})
				run(b, dir, "update-ref", s.Ref(), "refs/heads/main")
				run(b, work, "switch", "-q", "-C", name, "origin/main")
				var ours, theirs []time.Duration
				for version := 0; b.Loop(); version++ {
					changes := spread(n, version)
					began := time.Now()
					commit(b, s, changes...)
					middle := time.Now()
					addAndCommit(b, work, changes)
					ours, theirs = append(ours, middle.Sub(began)), append(theirs, time.Since(middle))
				}
				b.ReportMetric(float64(median(ours).Microseconds())/1000, "ms/commit")
				b.ReportMetric(float64(median(theirs).Microseconds())/1000, "ms/git")
				b.ReportMetric(float64(median(ours))/float64(median(theirs)), "ratio")
			})
		}
	}
}

// addAndCommit makes a commit of changes as a user would. The time to write the files counts too, but it is small.
func addAndCommit(b *testing.B, work string, changes []atomicedit.Change) {
	add := []string{"add", "--"}
	for _, c := range changes {
		if err := os.WriteFile(filepath.Join(work, c.Path), c.After.Data, 0o644); err != nil {
			b.Fatal(err)
		}
		add = append(add, c.Path)
	}
	run(b, work, add...)
	run(b, work, "commit", "-q", "-m", "change")
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)/2]
}

// BenchmarkPushedCommit commits 50 files of 2 KB to a remote repository on the same machine.
func BenchmarkPushedCommit(b *testing.B) {
	far := bare(b)
	grow(b, far, 10_000)
	s := mirror(b, far)
	for version := 0; b.Loop(); version++ {
		commit(b, s, spread(10_000, version)...)
	}
}

// BenchmarkRead reads a file of 2 KB.
func BenchmarkRead(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
			dir := bare(b)
			grow(b, dir, n)
			s := open(b, dir, nil)
			for b.Loop() {
				has(b, s, nameOf(n/2), filler(n/2, 0))
			}
		})
	}
}
