// Rebase asks what becomes of a request whose file has changed since. It takes merges that people have made: the
// conversation has read the base, the request makes theirs of it, and the file is ours by now. The outcome is compared
// with the file that people have committed, and with that of "git merge-file".
//
//	rebase [-n merges] repository...
//	rebase -together dir|git|sqlite [-conversations 15] [-edits 1000]
//	rebase -partial [-n requests] repository...
//
// It looks at the newest merge commits with two parents, and at each text file that both sides have changed. Each cell
// of a table has the requests whose outcome is that of git, or where git has a conflict that of the people, those that
// were refused, and those with another outcome. A request that a format cannot say is left out there. The last table is
// that of all repositories, and README.md has it.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
)

// A merge is one file in the four versions of a merge.
type merge struct{ path, base, ours, theirs, people string }

// The classes of a merge, by what git makes of it.
var classes = []string{"git merges, as people did", "git merges, people did otherwise", "git has a conflict"}

var formats = []struct {
	name  string
	print func(p atomicedit.Plan) (string, error)
}{
	{"SEARCH/REPLACE", atomicedit.Plan.Blocks},
	{"V4A", atomicedit.Plan.V4A},
	{"unified diff", func(p atomicedit.Plan) (string, error) { return "", nil }}, // as it is
	{"JSON", func(p atomicedit.Plan) (string, error) { data, err := p.JSON(); return string(data), err }},
}

func main() {
	n := flag.Int("n", 300, "the `number` of merge commits, or requests, of a repository")
	kind := flag.String("together", "", "let conversations edit one file of such a `store`: dir, git or sqlite")
	conversations := flag.Int("conversations", 15, "with -together, how many")
	lossy := flag.Bool("partial", false, "lose an edit of each request, and carry out the others")
	edits := flag.Int("edits", 1000, "with -together, how many each makes")
	flag.Parse()
	if *kind != "" {
		if err := together(*kind, *conversations, *edits); err != nil {
			fmt.Fprintln(os.Stderr, "rebase:", err)
			os.Exit(2)
		}
		return
	}
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *lossy {
		if err := partial(flag.Args(), *n); err != nil {
			fmt.Fprintln(os.Stderr, "rebase:", err)
			os.Exit(2)
		}
		return
	}
	all := map[string]int{}
	for _, dir := range flag.Args() {
		count, err := measure(dir, *n)
		if err != nil {
			fmt.Fprintln(os.Stderr, "rebase:", err)
			os.Exit(2)
		}
		report(dir, count)
		for what, n := range count {
			all[what] += n
		}
	}
	if flag.NArg() > 1 {
		report("all", all)
	}
}

// measure counts the merges of a repository by class, and by class, format and outcome.
func measure(dir string, n int) (count map[string]int, err error) {
	merges, err := mergesOf(dir, n)
	if err != nil {
		return nil, err
	}
	count = map[string]int{}
	for _, m := range merges {
		class, merged, err := m.byGit()
		if err != nil {
			return nil, err
		}
		count[class]++
		for _, f := range formats {
			outcome, err := m.carryOut(f.print)
			if errors.Is(err, errors.ErrUnsupported) {
				continue // the format cannot say it
			} else if err != nil {
				return nil, fmt.Errorf("%s as %s: %w", m.path, f.name, err)
			}
			what := "other"
			switch {
			case outcome == nil:
				what = "refused"
			case class != classes[2] && *outcome == merged, class == classes[2] && *outcome == m.people:
				what = "as git"
			}
			count[class+f.name+what]++
		}
	}
	return count, nil
}

// report prints the table of a repository, or of all of them.
func report(name string, count map[string]int) {
	files := 0
	for _, class := range classes {
		files += count[class]
	}
	fmt.Printf("%s\n\n| %d files: as git or people / refused / otherwise | files |", name, files)
	for _, f := range formats {
		fmt.Printf(" %s |", f.name)
	}
	fmt.Printf("\n| --- | --- |%s\n", strings.Repeat(" --- |", len(formats)))
	for _, class := range classes {
		fmt.Printf("| %s | %d |", class, count[class])
		for _, f := range formats {
			c := func(what string) int { return count[class+f.name+what] }
			fmt.Printf(" %d / %d / %d |", c("as git"), c("refused"), c("other"))
		}
		fmt.Println()
	}
	fmt.Println()
}

// carryOut carries out the request of m in a conversation that has read the base. It returns nil if it is refused.
func (m merge) carryOut(print func(p atomicedit.Plan) (string, error)) (*string, error) {
	request := atomicedit.Diff("a/"+m.path, []byte(m.base), "b/"+m.path, []byte(m.theirs))
	plan, err := atomicedit.ParseUnified(request)
	if err != nil {
		return nil, err
	}
	if printed, err := print(plan); err != nil {
		return nil, err
	} else if printed != "" {
		if plan, err = atomicedit.Parse(printed); err != nil {
			return nil, err
		}
	}
	ctx, store := context.Background(), atomicedit.NewMem(map[string]string{m.path: m.ours})
	session := atomicedit.NewSession(store)
	session.MarkReadText(m.path, []byte(m.base), 0, 0)
	_, err = atomicedit.Run(ctx, session, plan, nil)
	var refusal *atomicedit.Refusal
	switch {
	case errors.Is(err, atomicedit.ErrApplied): // ours has the change already
	case errors.As(err, &refusal):
		return nil, nil
	case err != nil:
		return nil, err
	}
	outcome := store.Files()[m.path]
	return &outcome, nil
}

// byGit merges m as git does. The outcome counts unless there is a conflict.
func (m merge) byGit() (class, merged string, err error) {
	dir, err := os.MkdirTemp("", "rebase")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"ours": m.ours, "base": m.base, "theirs": m.theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", "", err
		}
	}
	cmd := exec.Command("git", "merge-file", "-p", "-q", "ours", "base", "theirs")
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && 0 < exit.ExitCode() && exit.ExitCode() < 128:
		return classes[2], "", nil
	case err != nil:
		return "", "", err
	case string(out) == m.people:
		return classes[0], string(out), nil
	}
	return classes[1], string(out), nil
}

// mergesOf returns the text files that both sides of the newest merges of a repository have changed.
func mergesOf(dir string, n int) (all []merge, err error) {
	git := func(args ...string) string {
		out, failed := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
		if failed != nil && err == nil {
			err = fmt.Errorf("git %s in %s: %w", strings.Join(args, " "), dir, failed)
		}
		return string(out)
	}
	found := 0
	known := map[merge]bool{}
	for line := range strings.Lines(git("log", "--all", "--min-parents=2", "--max-parents=2", "--format=%H %P")) {
		if found == n || err != nil {
			break
		}
		ids := strings.Fields(line)
		out, failed := exec.Command("git", "-C", dir, "merge-base", "--all", ids[1], ids[2]).Output()
		base := strings.TrimSpace(string(out))
		if failed != nil || strings.Contains(base, "\n") || base == ids[1] || base == ids[2] {
			continue // there is nothing to merge, or no single base
		}
		changed := func(to string) string {
			return git("diff", "--name-only", "--diff-filter=M", "--no-renames", "-z", base, to)
		}
		theirs := "\x00" + changed(ids[2])
		some := false
		for path := range strings.SplitSeq(strings.TrimSuffix(changed(ids[1]), "\x00"), "\x00") {
			if path == "" || !strings.Contains(theirs, "\x00"+path+"\x00") {
				continue
			}
			m := merge{path: path}
			for i, text := range []*string{&m.base, &m.ours, &m.theirs, &m.people} {
				blob, failed := exec.Command("git", "-C", dir, "cat-file", "blob",
					[]string{base, ids[1], ids[2], ids[0]}[i]+":"+path).Output()
				if failed != nil || !utf8.Valid(blob) || bytes.IndexByte(blob, 0) >= 0 {
					m.path = ""
				}
				*text = string(blob)
			}
			if m.path != "" && m.ours != m.theirs && !known[m] {
				known[m], some = true, true
				all = append(all, m)
			}
		}
		if some {
			found++
		}
	}
	return all, err
}
