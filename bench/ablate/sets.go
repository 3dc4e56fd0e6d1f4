package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A set is a collection of cases. Measure carries them out in the copy of the module that is in a directory, where the
// program has been built.
type set struct {
	name    string
	program string // of this module, "" if it needs none
	measure func(dir string) (outcome, error)
}

// An outcome is what came of a set: how many cases ended how, and the names of those that went another way than the
// others, with what came of them.
type outcome struct {
	counts map[string]int
	names  map[string]bool
}

func newOutcome() outcome { return outcome{map[string]int{}, map[string]bool{}} }

// String returns the counts.
func (o outcome) String() string { return strings.TrimPrefix(fmt.Sprint(o.counts), "map") }

// against says how an outcome differs from another one, "" if it does not.
func (o outcome) against(base outcome) string {
	const few = 3 // names to print
	kinds := maps.Clone(base.counts)
	if maps.Copy(kinds, o.counts); o.counts[failed] > 0 {
		kinds = o.counts
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if n := o.counts[kind] - base.counts[kind]; n != 0 {
			parts = append(parts, fmt.Sprintf("%+d %s", n, kind))
		}
	}
	var fresh []string
	for _, name := range slices.Sorted(maps.Keys(o.names)) {
		if !base.names[name] {
			fresh = append(fresh, name)
		}
	}
	if n := len(fresh); n > 0 {
		more := ""
		if n > few {
			more = fmt.Sprintf(", and %d more", n-few)
		}
		parts = append(parts, "("+strings.Join(fresh[:min(n, few)], ", ")+more+")")
	}
	return strings.Join(parts, " ")
}

const (
	tests  = "tests"  // the name of the set of tests
	failed = "failed" // the kind of an outcome of which nothing is known
)

// setFlags say where the data of the sets is. A set without data is left out.
type setFlags struct {
	tests                                                 bool
	robust, real, again, truth, corpus, realdiff, skip, n string
}

func (f *setFlags) register(flags *flag.FlagSet) {
	flags.BoolVar(&f.tests, "tests", true, "run the tests")
	flags.StringVar(&f.robust, "robust", "", "`directory` of cases for ./replay -set robust")
	flags.StringVar(&f.real, "real", "", "`file` of requests for ./replay")
	flags.StringVar(&f.again, "again", "", "`file` of requests for ./replay -set again")
	flags.StringVar(&f.truth, "truth", "", "`directories` for ./truth, separated by commas")
	flags.StringVar(&f.n, "n", "20000", "`runs` of ./truth in each directory")
	flags.StringVar(&f.corpus, "corpus", "", "`directory` of cases for ./replay -set corpus")
	flags.StringVar(&f.realdiff, "realdiff", "", "two `versions` of a module for ./realdiff, separated by a comma")
	flags.StringVar(&f.skip, "skip", "README|Linear|Kill|Surviv|Writ|Stores|Handles|Process|Readers|RandomPlans|Git|"+
		"Allocat|Permission|Commit|FormatCanSay",
		"`pattern` of tests to skip: those that take long, and are not about placing")
}

func (f *setFlags) sets() []set {
	var all []set
	if f.tests {
		all = append(all, set{tests, "", f.test})
	}
	counted := func(name, counts, names string, args ...string) set {
		return set{name, args[0], func(dir string) (outcome, error) {
			out, err := output(dir, append([]string{filepath.Join(dir, "bin", args[0])}, args[1:]...)...)
			if err != nil {
				return newOutcome(), err
			}
			o := read(out, regexp.MustCompile(counts), regexp.MustCompile(names))
			if len(o.counts) == 0 {
				err = errors.New("it prints no counts")
			}
			return o, err
		}}
	}
	const none = `\z\A()`
	const line = `(?m)^ *(?P<n>\d+)  (?P<kind>.*)$`
	const done = `(?m)^(\S+\t(?:refused by the tool, done|differs|refused|wrong)\b.*)$`
	if f.robust != "" {
		cases, _ := filepath.Glob(filepath.Join(f.robust, "*.jsonl.gz"))
		for _, name := range cases {
			for _, via := range []string{"apply", "v4a"} {
				about := strings.TrimSuffix(filepath.Base(name), ".jsonl.gz") + " via " + via
				all = append(all, counted(about, line, done, "replay", "-set", "robust", "-via", via, "-v", name))
			}
		}
	}
	if f.real != "" {
		all = append(all, counted("real", line, done, "replay", "-v", f.real))
	}
	if f.again != "" {
		all = append(all, counted("again", line, none, "replay", "-set", "again", f.again))
	}
	for _, dir := range strings.Split(f.truth, ",") {
		if dir != "" {
			const total = `cases: right (?P<right>\d+) .*, refused (?P<refused>\d+), ` +
				`undecidable (?P<undecidable>\d+), wrong (?P<wrong>\d+)`
			all = append(all, counted("truth "+filepath.Base(dir), total, none, "truth", "-n", f.n, "-show", "0", dir))
		}
	}
	if f.corpus != "" {
		all = append(all, counted("corpus", `(?m)^all +(?P<followed>\d+) +(?P<deviating>\d+) +(?P<open>\d+)`,
			`(?m)^(\S+) (?:\[.*\]$|is listed)`, "replay", "-set", "corpus", "-v", f.corpus))
	}
	if old, new, ok := strings.Cut(f.realdiff, ","); ok {
		all = append(all, counted("realdiff", `(?m)^\w+ +\d+ +(?P<exactly>\d+) +(?P<refused>\d+) +(?P<wrong>\d+)`, none,
			"realdiff", old, new))
	}
	return all
}

// output returns what a program prints. It may exit with a status that says that something is wrong.
func output(dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("it took too long")
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return out, nil
	case errors.As(err, &exit):
		why, _, _ := strings.Cut(string(exit.Stderr), "\n")
		return nil, fmt.Errorf("%w, %s", err, why)
	}
	return out, err
}

// read reads the output of a program. Counts has a group "n" and a group "kind", or groups that are named like the
// kinds.
func read(out []byte, counts, names *regexp.Regexp) outcome {
	o := newOutcome()
	for _, m := range counts.FindAllSubmatch(out, -1) {
		if n, kind := counts.SubexpIndex("n"), counts.SubexpIndex("kind"); kind > 0 {
			o.counts[string(m[kind])] += number(m[n])
			continue
		}
		for i, kind := range counts.SubexpNames()[1:] {
			o.counts[kind] += number(m[1+i])
		}
	}
	for _, m := range names.FindAllSubmatch(out, -1) {
		o.names[string(bytes.ReplaceAll(m[1], []byte("\t"), []byte(" ")))] = true
	}
	return o
}

func number(digits []byte) int {
	n, _ := strconv.Atoi(string(digits))
	return n
}

var failing = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// test runs the tests about placing, and counts those that fail.
func (f *setFlags) test(dir string) (outcome, error) {
	out, err := output(dir, "go", "test", "-p", "1", "-vet=off", "-timeout", "2m", "-skip", f.skip, ".",
		"./internal/accept/formats", "./internal/accept/place",
		"./internal/place", "./internal/omission", "./internal/outline",
		"./internal/plan", "./internal/linediff", "./internal/filehint", "./internal/text")
	o := newOutcome()
	switch {
	case err != nil:
		return o, err
	case bytes.Contains(out, []byte("[build failed]")):
		return o, fmt.Errorf("the tests do not compile:\n%s", out)
	case bytes.Contains(out, []byte("\npanic: ")):
		o.names["panic"] = true
	}
	found := failing.FindAllSubmatch(out, -1)
	for i, m := range found {
		if i+1 < len(found) && bytes.HasPrefix(found[i+1][1], append(m[1], '/')) {
			continue // its subtests say more
		}
		o.names[string(m[1])] = true
	}
	if len(o.names) > 0 {
		o.counts["failing"] = len(o.names)
	}
	return o, nil
}
