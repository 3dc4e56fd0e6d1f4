// Minimal compares the diffs of this package with those of "git diff --minimal" by the number of changed lines. It reads two
// directories, such as two versions of a tree, and compares the files that are in both and differ:
//
//	go run ./minimal [-n 500] [-ext .go] old new
//
// The exit status is 1 if this package changes more than 1.05 times as many lines in all.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/atomicedit/atomicedit"
)

func main() {
	n := flag.Int("n", 500, "the number of pairs of files, evenly spread over all there are")
	ext := flag.String("ext", ".go", "the extension of the files")
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := compare(flag.Arg(0), flag.Arg(1), *ext, *n); err != nil {
		fmt.Fprintln(os.Stderr, "minimal:", err)
		os.Exit(1)
	}
}

type pair struct {
	name     string
	old, new []byte
}

func compare(oldDir, newDir, ext string, n int) error {
	all, err := pairs(oldDir, newDir, ext)
	if err != nil {
		return err
	}
	if len(all) < n {
		n = len(all)
	}
	var ours, git, worstOurs, worstGit int
	worst := ""
	for i := range n {
		p := all[i*len(all)/n]
		a := changed(atomicedit.Diff("a", p.old, "b", p.new))
		out, err := exec.Command("git", "-c", "core.autocrlf=false", "diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--minimal",
			"--", filepath.Join(oldDir, p.name), filepath.Join(newDir, p.name)).Output()
		if exit, ok := err.(*exec.ExitError); err != nil && !(ok && exit.ExitCode() == 1) {
			return err
		}
		b := changed(string(out))
		ours, git = ours+a, git+b
		if worst == "" || a-b > worstOurs-worstGit {
			worst, worstOurs, worstGit = p.name, a, b
		}
	}
	if git == 0 {
		return fmt.Errorf("nothing differs")
	}
	ratio := float64(ours) / float64(git)
	fmt.Printf("%d of %d pairs: %d lines changed, git diff --minimal %d, ratio %.4f; furthest off: %s, %d and %d\n",
		n, len(all), ours, git, ratio, worst, worstOurs, worstGit)
	if ratio > 1.05 {
		return fmt.Errorf("more than 1.05 times as many lines")
	}
	return nil
}

// pairs returns the files that are in both directories with different content, in order.
func pairs(oldDir, newDir, ext string) (all []pair, err error) {
	err = filepath.WalkDir(oldDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ext {
			return err
		}
		name, err := filepath.Rel(oldDir, path)
		if err != nil {
			return err
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		new, err := os.ReadFile(filepath.Join(newDir, name))
		if err == nil && !bytes.Equal(old, new) && bytes.IndexByte(old, 0) < 0 && bytes.IndexByte(new, 0) < 0 {
			all = append(all, pair{name, old, new})
		}
		return nil // the file is only in one of the directories
	})
	return all, err
}

// changed counts the lines that a diff adds and removes.
func changed(diff string) (n int) {
	hunk := false
	for line := range strings.Lines(diff) {
		hunk = hunk || strings.HasPrefix(line, "@@")
		if hunk && (line[0] == '+' || line[0] == '-') {
			n++
		}
	}
	return n
}
