package main

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/atomicedit/atomicedit"
)

// compareLengths compares the lengths of diffs of n files with an extension, and reports whether ours are short enough.
func compareLengths(oldDir, newDir, ext string, n int) (ok bool, err error) {
	all, err := differing(oldDir, newDir)
	if err != nil {
		return false, err
	}
	all = slices.DeleteFunc(all, func(p *pair) bool { return p.old == nil || p.new == nil || path.Ext(p.path) != ext })
	n = min(n, len(all))
	var ours, git, worstOurs, worstGit int
	worst := ""
	for i := range n {
		p := all[i*len(all)/n]
		hunks, err := gitHunks(oldDir, newDir, p, "--minimal")
		if err != nil {
			return false, err
		}
		a, b := changed(hunksOf(atomicedit.Diff("a", p.old, "b", p.new))), changed(hunks)
		ours, git = ours+a, git+b
		if worst == "" || a-b > worstOurs-worstGit {
			worst, worstOurs, worstGit = p.path, a, b
		}
	}
	if git == 0 {
		return false, errors.New("nothing differs")
	}
	ratio := float64(ours) / float64(git)
	fmt.Printf("%d of %d pairs: %d lines changed, git diff --minimal %d, ratio %.4f; furthest off: %s, %d and %d\n",
		n, len(all), ours, git, ratio, worst, worstOurs, worstGit)
	return ratio <= 1.05, nil
}

// changed counts the lines that hunks add and remove.
func changed(hunks []hunk) (n int) {
	for _, h := range hunks {
		for _, line := range h.lines {
			if line[0] == '+' || line[0] == '-' {
				n++
			}
		}
	}
	return n
}
