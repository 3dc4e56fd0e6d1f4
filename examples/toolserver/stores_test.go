package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tools work on a git repository and on a database as they do on a directory, and what one server has changed the
// next one has.
func TestTheToolsWorkOnStores(t *testing.T) {
	stores := map[string]string{"sqlite": "sqlite:" + filepath.Join(t.TempDir(), "tree.db") + "?tree=t"}
	repository := filepath.Join(t.TempDir(), "tree.git")
	if out, err := exec.Command("git", "init", "--quiet", "--bare", repository).CombinedOutput(); err == nil {
		stores["git"] = "git:" + repository + "?ref=main"
	} else {
		t.Logf("no git: %v %s", err, out)
	}
	if dsn := os.Getenv("TOOLSERVER_POSTGRES"); dsn != "" {
		stores["postgres"] = dsn
	}
	for name, spec := range stores {
		t.Run(name, func(t *testing.T) {
			c := stdio(t, "-store", spec)
			c.want("entries of .: 0", "list_directory", `{}`)
			c.want("added src/a.txt", "str_replace_editor",
				`{"command": "create", "path": "src/a.txt", "file_text": "one\ntwo\n"}`)
			c.want("added b.txt", "apply_patch",
				`{"patch": "*** Begin Patch\n*** Update File: src/a.txt\n-one\n+1\n*** Add File: b.txt\n+b\n*** End Patch\n"}`)
			c.refused("outside", "str_replace_editor", `{"command": "view", "path": "/etc/passwd"}`)
			c.refused("old_str is not there", "str_replace_editor",
				`{"command": "str_replace", "path": "src/a.txt", "old_str": "three", "new_str": "3"}`)
			c.Close()
			c = stdio(t, "-store", spec)
			c.want("entries of .: 2\nb.txt\nsrc/\n", "list_directory", `{"path": "."}`)
			c.want("entries of src: 1\na.txt\n", "list_directory", `{"path": "src/"}`)
			c.refused("there is no directory", "list_directory", `{"path": "none"}`)
			c.refused("read", "str_replace_editor",
				`{"command": "insert", "path": "src/a.txt", "insert_line": 1, "insert_text": "2"}`)
			c.want("2\ttwo", "str_replace_editor", `{"command": "view", "path": "src/a.txt", "view_range": [2, 2]}`)
			c = stdio(t, "-store", spec, "-read-only")
			c.refused("reading only", "text_editor", `{"action": "write", "path": "src/c.txt", "content": "x"}`)
			c.refused("", "text_editor", `{"action": "write", "action": "read", "path": "src/c.txt", "content": "x"}`)
			c.want("entries of src: 1\na.txt", "list_directory", `{"path": "src"}`)
		})
	}
}

func TestAStoreThatMakesNoSenseIsRefused(t *testing.T) {
	for _, arguments := range [][]string{
		{"-store", "git:"}, {"-store", "ftp://x"}, {"-store", "git:" + t.TempDir()}, {"-store", "sqlite:x?%"},
		{"-store", "sqlite:x?ref=main"}, {"-store", "git:x?branch=main"}, {"-store", "git:x?ref=a&ref=b"},
		{"-store", "sqlite:x", "-root", "."},
	} {
		cmd := exec.Command(os.Args[0], arguments...)
		cmd.Env = append(os.Environ(), "TOOLSERVER=1")
		if out, err := cmd.CombinedOutput(); err == nil || !strings.HasPrefix(string(out), "toolserver: ") {
			t.Errorf("%q: %v, %s", arguments, err, out)
		}
	}
}

// fixed is a store with a list of names.
type fixed struct {
	store
	names []string
}

func (f fixed) Names(context.Context, string) ([]string, error) { return f.names, nil }

// A directory whose name begins that of a file sorts before it without its slash, and behind it with the slash. No page
// leaves it out.
func TestTheListOfAStoreGoesOnBehindANameWithoutItsSlash(t *testing.T) {
	s := &single{store: fixed{names: []string{"a", "b-file", "b.file", "b/", "c\xff", "d"}}}
	var got []string
	for after := ""; ; {
		l, err := s.list(t.Context(), ".", after)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.entries) == 0 {
			break
		}
		after = l.entries[0].name // as if no more fitted
		got = append(got, after)
	}
	if want := []string{"a", "b", "b-file", "b.file", "d"}; !slices.Equal(got, want) {
		t.Errorf("the pages have %q, want %q", got, want)
	}
}
