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

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

// sizes are the numbers of files in the trees that are measured.
var sizes = []int{1_000, 10_000, 100_000}

// filler returns the text of the i-th file.
func filler(i, version int) string {
	return fmt.Sprintf("file %d, version %d\n%s", i, version, bytes.Repeat([]byte("all work and no play\n"), 100))
}

// nameOf returns the name of the i-th file: in one of five directories, in one of those below, with 100 files each.
func nameOf(i int) string { return fmt.Sprintf("d%d/e%d/f%d.txt", i%5, i/500, i/5%100) }

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

// spread returns changes of 50 files, ten of them in a directory.
func spread(version int) []atomicedit.Change {
	changes := make([]atomicedit.Change, 50)
	for i := range changes {
		changes[i] = edit(nameOf(i), filler(i, version), filler(i, version+1))
	}
	return changes
}

// BenchmarkCommit commits 50 files of 2 KB in turns with git add and git commit in a clean checkout, and reports the
// medians of both.
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
					changes := spread(version)
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

// BenchmarkGrowth commits 50 files of 2 KB to trees of each size in turns, and reports the median for each. Here git
// add and git commit do not keep the disk busy with the index of a large tree.
func BenchmarkGrowth(b *testing.B) {
	stores, took := map[int]*Store{}, map[int][]time.Duration{}
	for _, n := range sizes {
		dir := bare(b)
		grow(b, dir, n)
		stores[n] = open(b, dir, nil)
	}
	for version := 0; b.Loop(); version++ {
		for _, n := range sizes {
			began := time.Now()
			commit(b, stores[n], spread(version)...)
			took[n] = append(took[n], time.Since(began))
		}
	}
	for _, n := range sizes {
		b.ReportMetric(float64(median(took[n]).Microseconds())/1000, fmt.Sprintf("ms/files=%d", n))
	}
}

// BenchmarkPushedCommit commits 50 files of 2 KB to a remote repository on the same machine.
func BenchmarkPushedCommit(b *testing.B) {
	far := bare(b)
	grow(b, far, 10_000)
	s := mirror(b, far)
	for version := 0; b.Loop(); version++ {
		commit(b, s, spread(version)...)
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

// The steps of a commit, and so its processes and what it reads, do not depend on the number of files in the tree.
func TestCostDoesNotGrowWithTheTree(t *testing.T) {
	var first map[string]int
	for _, n := range []int{1_000, 10_000} {
		dir := bare(t)
		grow(t, dir, n)
		s := open(t, dir, nil)
		steps := map[string]int{}
		s.git.fault = func(step string, done bool) error {
			if !done {
				steps[step]++
			}
			return nil
		}
		commit(t, s, spread(0)...)
		if first == nil {
			first = steps
		} else if diff := cmp.Diff(first, steps); diff != "" {
			t.Errorf("a commit to 1,000 files and one to %d differ in their steps (-first +second):\n%s", n, diff)
		}
	}
}
