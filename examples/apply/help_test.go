package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestHelpFitsAScreen(t *testing.T) {
	status, stdout, stderr := call("", "-h")
	if status != done || stderr != "" {
		t.Errorf("status %d: %s", status, stderr)
	}
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) > 23 { // and the prompt
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("longer than 80 columns: %s", line)
		}
	}
}

// examples returns the requests that the summary shows: columns beside each other, and below them requests on a line or
// two.
func examples(t *testing.T) map[string]string {
	t.Helper()
	_, below, ok := strings.Cut(summary, "\nSEARCH/REPLACE")
	columns, rest, ok2 := strings.Cut("SEARCH/REPLACE"+below, "\nJSON of")
	if !ok || !ok2 {
		t.Fatal("the examples are not where they were")
	}
	all := map[string]string{}
	head, body, _ := strings.Cut(columns, "\n")
	starts := regexp.MustCompile(`\S+( \S+)*`).FindAllStringIndex(head, -1)
	for i, at := range starts {
		for line := range strings.Lines(body) {
			end := len(line)
			if i+1 < len(starts) {
				end = min(end, starts[i+1][0])
			}
			if cell := strings.TrimSpace(line[min(end, at[0]):end]); cell != "" {
				all[head[at[0]:at[1]]] += cell + "\n"
			}
		}
	}
	_, rest, _ = strings.Cut(rest, "\n")
	kinds := []string{"JSON", "tags", "language server"}
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(line, "   ") {
			all[kinds[0]] += line
			continue
		}
		if len(all) > len(starts) {
			kinds = kinds[1:]
		}
		all[kinds[0]] = strings.TrimSpace(line) + "\n"
	}
	return all
}

func TestEveryExampleOfTheHelpWorks(t *testing.T) {
	all := examples(t)
	if len(all) != 7 {
		t.Fatalf("%q", all)
	}
	for kind, request := range all {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("x = 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		status, _, stderr := call(request, "-C", dir)
		if d := cmp.Diff(map[string]string{"a.txt": "x = 2\n"}, tree(t, dir)); status != done || d != "" {
			t.Errorf("%s: status %d: %s%s\n%s", kind, status, stderr, d, request)
		}
	}
}

// The summary, the comment of the program and the README describe the same flags: all that there are.
func TestEveryFlagIsDocumentedEverywhere(t *testing.T) {
	var o options
	var want []string
	o.flags().VisitAll(func(f *flag.Flag) {
		if f.Name != "h" && f.Name != "help" {
			want = append(want, "-"+f.Name)
		}
	})
	doc, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	comment, _, _ := strings.Cut(string(doc), "\npackage main")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	section, _, _ := strings.Cut(string(readme), "\n`apply` reads")
	flags, _, _ := strings.Cut(summary, "\nSEARCH/REPLACE")
	for where, text := range map[string]string{"-h": flags, "the comment": comment, "README.md": section} {
		found := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)(?:^//\t|^ +|, |   )(-[a-zA-Z]+)\b`).FindAllStringSubmatch(text, -1) {
			found[m[1]] = true
		}
		var got []string
		for name := range found {
			if name != "-h" {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-flags +documented):\n%s", where, d)
		}
	}
}
