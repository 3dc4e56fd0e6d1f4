// Realdiff turns the differences between two versions of a directory into requests, carries each out on a copy of the
// old file, and compares the outcome with the new file byte for byte.
//
//	realdiff [-context n] [-v] old new
//	realdiff [-context n] [-v] -commits n repository...
//
// Old and new are directories, or versions of a module as in golang.org/x/net@v0.46.0. Each text file that differs
// becomes one request in each format: SEARCH/REPLACE blocks, a V4A patch, a unified diff, and the JSON of a multi-edit.
// Git finds the differences, so that they do not come from the package under test. The exit status is 1 if any outcome
// is neither the new file nor a refusal.
//
// With -commits, the differences are those that the newest n commits of git repositories have made to files. A file
// that lost or got a byte order mark, or other line endings, is left out: edits keep both.
//
// With -minimal, realdiff compares the diffs of this package with those of "git diff --minimal" by the number of
// changed lines. The exit status is 1 if this package changes more than 1.05 times as many lines in all.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

func main() {
	context := flag.Int("context", 3, "lines of context around each change")
	verbose := flag.Bool("v", false, "print every refusal and every wrong outcome")
	minimal := flag.Bool("minimal", false, "compare the lengths of diffs instead")
	n := flag.Int("n", 500, "with -minimal, the number of pairs of files, evenly spread over all there are")
	commits := flag.Int("commits", 0, "the number of commits of each repository")
	ext := flag.String("ext", ".go", "with -minimal, the extension of the files")
	flag.Parse()
	if flag.NArg() != 2 && (*commits == 0 || flag.NArg() == 0) {
		fmt.Fprintln(os.Stderr, "usage: realdiff [-context n] [-v] [-minimal [-n pairs] [-ext .go]] old new\n       "+
			"realdiff [-context n] [-v] -commits n repository...")
		os.Exit(2)
	}
	versions, end, err := flag.Args(), func() {}, error(nil)
	if *commits > 0 {
		versions, end, err = unpack(*commits, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "realdiff:", err)
		os.Exit(2)
	}
	ok, err := run(versions, func(oldDir, newDir string) (bool, error) {
		if *minimal {
			return compareLengths(oldDir, newDir, *ext, *n)
		}
		tallies, err := compare(oldDir, newDir, *context, *verbose)
		return err == nil && print(tallies) == 0, err
	})
	end()
	if err != nil {
		fmt.Fprintln(os.Stderr, "realdiff:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(versions []string, compare func(oldDir, newDir string) (ok bool, err error)) (ok bool, err error) {
	oldDir, err := directory(versions[0])
	if err != nil {
		return false, err
	}
	newDir, err := directory(versions[1])
	if err != nil {
		return false, err
	}
	return compare(oldDir, newDir)
}

// directory returns arg if it is a directory, and otherwise the directory where the go command keeps the module version
// arg.
func directory(arg string) (string, error) {
	if _, err := os.Stat(arg); err == nil || !strings.Contains(arg, "@") {
		return arg, err
	}
	cmd := exec.Command("go", "mod", "download", "-json", arg)
	cmd.Dir, cmd.Stderr = os.TempDir(), os.Stderr // outside the module, so that its go.sum does not change
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &module); jsonErr == nil && module.Error != "" {
		return "", errors.New(module.Error)
	}
	return module.Dir, err
}

// A tally counts the outcomes of one format.
type tally struct {
	requests, exact, refused, wrong, unsayable int
	codes                                      map[string]int
}

// compare makes the requests, carries them out, and returns the outcomes by format.
func compare(oldDir, newDir string, context int, verbose bool) (map[string]*tally, error) {
	pairs, err := differing(oldDir, newDir)
	if err != nil {
		return nil, err
	}
	tallies := map[string]*tally{}
	for _, f := range formats {
		tallies[f.name] = &tally{codes: map[string]int{}}
	}
	for _, p := range pairs {
		if p.hunks, err = gitHunks(oldDir, newDir, p, fmt.Sprintf("-U%d", context)); err != nil {
			return nil, err
		}
		for _, f := range formats {
			t := tallies[f.name]
			request, ok := f.render(p)
			if !ok {
				t.unsayable++
				continue
			}
			t.requests++
			got, err := carryOut(p, request)
			var refusal *atomicedit.Refusal
			switch {
			case errors.As(err, &refusal):
				t.refused++
				t.codes[refusal.Problems[0].Code]++
			case err != nil:
				return nil, fmt.Errorf("%s: %w", p.path, err)
			case !bytes.Equal(got, p.new) || (got == nil) != (p.new == nil):
				t.wrong++
				err = errors.New("WRONG")
				if verbose {
					err = errors.New("WRONG\n" + request + "\n" + atomicedit.Diff("wanted", p.new, "got", got))
				}
			default:
				t.exact++
			}
			if err != nil && (verbose || refusal == nil) {
				fmt.Printf("%s %s: %v\n", f.name, p.path, err)
			}
		}
	}
	return tallies, nil
}

// print prints the outcomes as a table, and returns the number of wrong ones.
func print(tallies map[string]*tally) (wrong int) {
	fmt.Printf("%-8s %9s %9s %9s %9s %11s  %s\n", "format", "requests", "exactly", "refused", "wrong", "unsayable",
		"refused as")
	for _, f := range formats {
		t := tallies[f.name]
		var codes []string
		for _, c := range slices.Sorted(maps.Keys(t.codes)) {
			codes = append(codes, fmt.Sprintf("%s %d", c, t.codes[c]))
		}
		fmt.Printf("%-8s %9d %9d %9d %9d %11d  %s\n",
			f.name, t.requests, t.exact, t.refused, t.wrong, t.unsayable, strings.Join(codes, ", "))
		wrong += t.wrong
	}
	return wrong
}

// A pair is a file in two versions. A version is nil if it does not exist.
type pair struct {
	path     string
	old, new []byte
	hunks    []hunk
}

// differing returns the text files that differ between two directories.
func differing(oldDir, newDir string) ([]*pair, error) {
	names := map[string]bool{}
	for _, dir := range []string{oldDir, newDir} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				rel, _ := filepath.Rel(dir, name)
				names[filepath.ToSlash(rel)] = true
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	var pairs []*pair
	for _, name := range slices.Sorted(maps.Keys(names)) {
		p := &pair{path: name}
		var err error
		if p.old, err = content(filepath.Join(oldDir, name)); err != nil {
			return nil, err
		}
		if p.new, err = content(filepath.Join(newDir, name)); err != nil {
			return nil, err
		}
		text := bytes.IndexByte(p.old, 0) < 0 && bytes.IndexByte(p.new, 0) < 0
		if text && (!bytes.Equal(p.old, p.new) || (p.old == nil) != (p.new == nil)) {
			pairs = append(pairs, p)
		}
	}
	return pairs, nil
}

// content returns the content of a file, nil if it does not exist.
func content(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// carryOut runs a request on a directory that holds the old file. It returns the new file, nil if it does not exist.
func carryOut(p *pair, request string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "realdiff")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, p.path)
	if p.old != nil {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, p.old, 0o644); err != nil {
			return nil, err
		}
	}
	err = apply(dir, request)
	got, readErr := content(name)
	if err != nil {
		if readErr == nil && !bytes.Equal(got, p.old) {
			return nil, fmt.Errorf("refused, but the file has changed: %v", err)
		}
		return nil, err
	}
	return got, readErr
}

func apply(dir, request string) error {
	plan, err := atomicedit.Parse(request)
	if err != nil {
		return err
	}
	store, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer store.Close()
	change, err := atomicedit.Prepare(context.Background(), store, plan, nil)
	if err != nil {
		return err
	}
	return change.Commit(context.Background())
}
