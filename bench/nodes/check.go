package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// check compares the tree in the end with what the nodes have said, and with the history.
func (t *tally) check(e engine) error {
	texts, err := e.files()
	if err != nil {
		return err
	}
	commits, err := e.history()
	if err != nil {
		return err
	}
	of := map[string][]string{} // the files of each plan
	for path, text := range texts {
		count, names := countOf(text)
		if count != len(names) {
			t.find(&t.lost, "%s was counted up %d times, and has the names of %d plans", path, count, len(names))
		}
		for _, name := range names {
			of[name] = append(of[name], path)
		}
	}
	if len(texts) != files {
		t.find(&t.lost, "there are %d files", len(texts))
	}
	for name, paths := range of {
		slices.Sort(paths)
		if _, n, _ := strings.Cut(name, "/"); n != strconv.Itoa(len(slices.Compact(paths))) ||
			n != strconv.Itoa(len(paths)) {
			t.find(&t.half, "plan %s is in %d places", name, len(paths))
		}
		if t.refused[name] {
			t.find(&t.unsaid, "plan %s was refused or failed, and is there", name)
		}
	}
	for name := range t.done {
		if of[name] == nil {
			t.find(&t.lost, "plan %s was done, and is not there", name)
		}
	}
	if commits != nil {
		t.compare(of, commits)
	}
	if n := unordered(texts, of); n > 0 {
		t.find(&t.half, "files disagree about the order of %d plans", n)
	}
	return nil
}

// unordered tries to take the plans one by one, each from the head of all of its files, and returns how many are left.
func unordered(texts map[string]string, of map[string][]string) int {
	queues, heads := map[string][]string{}, map[string]int{} // the number of files of which a plan is the head
	var ready []string
	next := func(path string) {
		if names := queues[path]; len(names) > 0 {
			oldest := names[len(names)-1]
			if heads[oldest]++; heads[oldest] == len(of[oldest]) {
				ready = append(ready, oldest)
			}
		}
	}
	for path, text := range texts {
		_, queues[path] = countOf(text)
		next(path)
	}
	taken := 0
	for ; taken < len(ready); taken++ {
		for _, path := range of[ready[taken]] {
			queues[path] = queues[path][:len(queues[path])-1]
			next(path)
		}
	}
	return len(of) - taken
}

// compare checks that each plan is one commit. The commits do not have the names of plans, so the sets of their files
// are compared.
func (t *tally) compare(of map[string][]string, commits [][]string) {
	open := map[string]int{}
	for _, paths := range of {
		open[strings.Join(paths, " ")]++
	}
	for _, paths := range commits {
		slices.Sort(paths)
		if key := strings.Join(paths, " "); open[key] > 0 {
			open[key]--
		} else {
			t.find(&t.half, "a commit of %d files is no plan", len(paths))
		}
	}
	for _, n := range open {
		if n > 0 {
			t.find(&t.half, "%d plans are not one commit", n)
		}
	}
}

// find counts a problem, and keeps the first few.
func (t *tally) find(n *int, format string, args ...any) {
	if *n++; *n <= 3 {
		t.problems = append(t.problems, fmt.Sprintf(format, args...))
	}
}

func (t *tally) wrong() int { return t.lost + t.half + t.unsaid }
