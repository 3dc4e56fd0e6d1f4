// Ablate shows whether each rule of docs/PLACING.md earns its place. It switches off one rule at a time, by a small
// edit of a copy of the module, and prints what changes in the tests and in the sets that the other programs here
// measure.
//
//	go run ./ablate [-only J,P] [-p n] [-robust dir] [-real file] [-again file] [-corpus dir] [-truth dirs]
//		[-realdiff old,new]
//
// Switches.txt has the edits, as patches that this package applies. A part of a rule has a switch of its own if it can
// do without the others. A line of the output has what is different without the rule: a rule that changes nothing, or
// nothing but tests written for it, may be one to take away. The texts and requests of the sets are not all there is,
// so this is a hint and no proof.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit"
)

func main() {
	module := flag.String("module", "..", "`directory` of the module")
	only := flag.String("only", "", "`beginnings` of the rules to switch off, separated by commas; all if empty")
	copies := flag.Int("p", 1, "switch off `n` rules at a time")
	var f setFlags
	f.register(flag.CommandLine)
	flag.Parse()
	switches, err := parseSwitches(table)
	if err == nil {
		switches = slices.DeleteFunc(switches, func(s ruleSwitch) bool { return !s.isOneOf(strings.Split(*only, ",")) })
		err = run(*module, switches, f.sets(), *copies)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ablate:", err)
		os.Exit(1)
	}
}

//go:embed switches.txt
var table string

// A ruleSwitch switches a rule off, or a part of one.
type ruleSwitch struct {
	rule, about string
	off         atomicedit.Plan
}

// parseSwitches reads a text in which each rule has a title, "## J1 about", and below it the patch that switches it
// off.
func parseSwitches(text string) (all []ruleSwitch, err error) {
	for _, section := range strings.Split(text, "\n## ")[1:] {
		title, patch, _ := strings.Cut(section, "\n")
		s := ruleSwitch{}
		s.rule, s.about, _ = strings.Cut(title, " ")
		patch = "*** Begin Patch\n" + strings.TrimSpace(patch) + "\n*** End Patch\n"
		if s.off, err = atomicedit.ParseV4A(patch); err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
		all = append(all, s)
	}
	return all, nil
}

func (s ruleSwitch) isOneOf(beginnings []string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(s.rule+" "+s.about, b) })
}

// apply returns the changed files of a module without the rule.
func (s ruleSwitch) apply(files map[string]string) (map[string]string, error) {
	store := atomicedit.NewMem(files)
	o := &atomicedit.Options{Loosest: atomicedit.Indentation}
	if _, err := atomicedit.Run(context.Background(), store, s.off, o); err != nil {
		return nil, fmt.Errorf("the table is out of date: %w", err)
	}
	changed := store.Files()
	maps.DeleteFunc(changed, func(path, text string) bool { return files[path] == text })
	return changed, nil
}

// run measures the module as it is, and then without each rule, in some copies of it.
func run(module string, switches []ruleSwitch, sets []set, copies int) error {
	files, err := trackedFiles(module)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	first := workCopy{filepath.Join(dir, "1"), files}
	base, err := first.measure(nil, sets)
	if err != nil {
		return fmt.Errorf("with all rules: %w", err)
	}
	for i, s := range sets {
		if base[i].counts[failed] > 0 {
			return fmt.Errorf("with all rules: %s: %v", s.name, base[i].names)
		}
		fmt.Printf("all rules  %s: %v\n", s.name, base[i])
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	todo := make(chan ruleSwitch)
	for n := range copies {
		wg.Go(func() {
			c := workCopy{filepath.Join(dir, fmt.Sprint(n+1)), files}
			for s := range todo {
				differences := c.without(s, sets, base)
				mu.Lock()
				fmt.Printf("%-3s %-46s %s\n", s.rule, s.about, differences)
				mu.Unlock()
			}
		})
	}
	for _, s := range switches {
		todo <- s
	}
	close(todo)
	wg.Wait()
	return nil
}

// trackedFiles returns the files of a module that git tracks, by path.
func trackedFiles(module string) (map[string]string, error) {
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir, cmd.Stderr = module, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(module, path))
		if err != nil {
			return nil, err
		}
		files[path] = string(data)
	}
	return files, nil
}

// A workCopy is a copy of the module, to be made in a directory.
type workCopy struct {
	dir   string
	files map[string]string
}

// without says what is different without a rule.
func (c workCopy) without(s ruleSwitch, sets []set, base []outcome) string {
	changed, err := s.apply(c.files)
	if err != nil {
		return "MISTAKE " + err.Error()
	}
	outcomes, err := c.measure(changed, sets)
	if err != nil {
		return "MISTAKE " + err.Error()
	}
	var differences []string
	tested := true
	for i, o := range outcomes {
		if d := o.against(base[i]); d != "" {
			differences = append(differences, sets[i].name+": "+d)
			tested = tested && sets[i].name == tests
		}
	}
	switch {
	case len(differences) == 0:
		return "nothing"
	case tested && len(sets) > 1:
		differences[0] = "only its tests, " + differences[0]
	}
	return strings.Join(differences, "   ")
}

// measure puts changed files into the copy, and measures all sets.
func (c workCopy) measure(changed map[string]string, sets []set) (outcomes []outcome, err error) {
	for path, text := range c.files {
		if new, ok := changed[path]; ok {
			text = new
		}
		if err := write(filepath.Join(c.dir, path), text); err != nil {
			return nil, err
		}
	}
	if err := c.build(sets); err != nil {
		return nil, err
	}
	for _, s := range sets {
		o, err := s.measure(c.dir)
		if err != nil { // a panic, for instance
			o = outcome{map[string]int{failed: 1}, map[string]bool{err.Error(): true}}
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// build builds the programs that measure. An error means that the code does not compile.
func (c workCopy) build(sets []set) error {
	var programs []string
	for _, s := range sets {
		if s.program != "" {
			programs = append(programs, "./"+s.program)
		}
	}
	if len(programs) == 0 {
		return nil
	}
	args := append([]string{"build", "-ldflags=-s -w", "-o", filepath.Join(c.dir, "bin") + string(filepath.Separator)},
		programs...)
	cmd := exec.Command("go", args...)
	cmd.Dir = filepath.Join(c.dir, "bench")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// write writes a file, unless it has that text already.
func write(name, text string) error {
	if data, err := os.ReadFile(name); err == nil && string(data) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o755) // some are scripts
}
