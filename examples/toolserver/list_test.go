package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestListDirectory(t *testing.T) {
	base := dir(t, map[string]string{
		"root/a.txt": "one\n", "root/sub/b.txt": "", "root/.git/config": "x", "root/.atomicedit-1": "x",
		"outside/secret.txt": "x",
	})
	root := filepath.Join(base, "root")
	for link, to := range map[string]string{"in": "sub", "out": "../outside",
		"absolute": filepath.Join(base, "outside")} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	c := stdio(t, "-root", root)
	c.want("entries of .: 6\n.git/\na.txt\t4 bytes\nabsolute -> "+filepath.Join(base, "outside")+
		"\nin -> sub\nout -> ../outside\nsub/\n", "list_directory", `{}`)
	c.want("entries of sub: 1\nb.txt\t0 bytes\n", "list_directory", `{"path": "./sub/"}`)
	c.want("entries of in: 1\nb.txt\t0 bytes\n", "list_directory", `{"path": "in"}`)
	absolute, _ := json.Marshal(filepath.Join(root, "sub"))
	c.want("entries of sub: 1\n", "list_directory", `{"path": `+string(absolute)+`}`)
	for _, path := range []string{"out", "out/", "absolute", "..", "../outside", "sub/../../outside",
		filepath.Join(base, "outside"), "/", "a.txt", "\x00", "in/../../outside"} {
		args, _ := json.Marshal(map[string]string{"path": path})
		c.refused("name a directory inside the root", "list_directory", string(args))
	}
	c.refused("there is no directory sub/missing", "list_directory", `{"path": "sub/missing"}`)
	for _, args := range []string{`[]`, `{"path": 3}`, `"x"`, `{"path": ".", "recursive": true}`, `{"path": ".", `} {
		if r, err := c.callTool(t.Context(), listName, json.RawMessage(args)); err == nil && !r.IsError {
			t.Errorf("%s lists %+v", args, r)
		}
	}
}

func TestALongListComesInParts(t *testing.T) {
	d := t.TempDir()
	const files = 2500
	var want []string
	for i := range files {
		name := fmt.Sprintf("%04d", i)
		if i == 700 {
			name += "\n-\tthe end"
		}
		want = append(want, name)
		if err := os.WriteFile(filepath.Join(d, name), nil, 0o644); err != nil {
			t.Skip(err)
		}
	}
	c := stdio(t, "-root", d)
	var got []string
	args := `{}`
	for calls := 0; args != ""; calls++ {
		text, failed := c.call(listName, args)
		if failed || calls > files || len(text) > maxText {
			t.Fatalf("call %d, %s: %s", calls, args, text)
		}
		var note string
		text, note, _ = strings.Cut(text, "note: ")
		for line := range strings.Lines(text[strings.Index(text, "\n")+1:]) {
			name, _, ok := strings.Cut(line, "\t0 bytes\n")
			if unquoted, err := strconv.Unquote(name); err == nil {
				name = unquoted
			}
			if !ok {
				t.Fatalf("line %q", line)
			}
			got = append(got, name)
		}
		_, args, _ = strings.Cut(note, "call list_directory with ")
		args = strings.TrimSpace(args)
		if more := files - len(got); (args != "") != (more > 0) ||
			more > 0 && !strings.HasPrefix(note, fmt.Sprint(more, " more follow")) {
			t.Fatalf("%d more follow, and the note is %q", more, note)
		}
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("listed %q", got)
	}
}
