package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
)

type step struct {
	tool, args string
	ok         bool
	says       string
}

// talk makes calls one after the other, and checks their answers.
func talk(t *testing.T, a *agent, steps ...step) {
	t.Helper()
	for i, s := range steps {
		text, ok := a.call(t.Context(), s.tool, []byte(s.args))
		if ok != s.ok || !strings.Contains(text, s.says) {
			t.Errorf("step %d, %s: ok %t, %s\nwant ok %t, with %q", i, s.tool, ok, text, s.ok, s.says)
		}
	}
}

func TestConversation(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\ntwo\n"})
	var asked []string
	allow := true
	a := newAgent(store, func(diff string) bool { asked = append(asked, diff); return allow })
	edit := `{"file_path": "a.txt", "old_string": "one", "new_string": "1"}`
	talk(t, a,
		step{"edit", edit, false, "has not been read"},
		step{"view", `{"file_path": "a.txt"}`, true, "     1\tone\n"},
		step{"edit", edit, true, "     1\t1\n"},
		step{"edit", `{"file_path": "a.txt", "old_string": "two", "new_string": "2"}`, false, "more lines around"},
		step{"multi_edit", `{"file_path": "a.txt", "edits": [{"old_string": "two", "new_string": "2", "replace_all": true}, {"old_string": "2\n2", "new_string": "2\n3"}]}`, true, "     3\t3\n"},
	)
	allow = false
	talk(t, a, step{"edit", `{"file_path": "b.txt", "old_string": "", "new_string": "new"}`, false, "the user does not want this change"})
	if got := store.Files(); len(got) != 1 || got["a.txt"] != "1\n2\n3\n" {
		t.Errorf("files: %q", got)
	}
	if len(asked) != 3 || !strings.Contains(asked[0], "-one\n+1\n") {
		t.Errorf("the user was asked: %q", asked)
	}
	talk(t, a, step{"undo", "", true, "undone"}, step{"undo", "", true, "undone"}, step{"undo", "", false, "nothing to undo"})
	if got := store.Files(); got["a.txt"] != "one\ntwo\ntwo\n" {
		t.Errorf("after undoing: %q", got)
	}
}

func TestViewTakesOffsetAndLimit(t *testing.T) {
	a := newAgent(atomicedit.NewMem(map[string]string{"a": "1\n2\n3\n4\n"}), nil)
	talk(t, a,
		step{"view", `{"file_path": "a", "offset": 2, "limit": 2}`, true, "a: lines 2 to 3 of 4\n     2\t2\n     3\t3\n"},
		step{"view", `{"file_path": "a", "offset": 9}`, false, "the file has 4 lines"},
	)
}

func TestCallsFromAPipe(t *testing.T) {
	a := newAgent(atomicedit.NewMem(map[string]string{"a": "1\n"}), nil)
	var out bytes.Buffer
	in := `{"tool": "view", "args": {"file_path": "a"}}` + "\n\n" + `{"tool": "nothing"}`
	if err := a.serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "view, ok true:\n") || !strings.Contains(got, "nothing, ok false:\n") {
		t.Error(got)
	}
}

// The example promises that this takes little code.
func TestUnder150Lines(t *testing.T) {
	src, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(src, []byte("\n")); n >= 150 {
		t.Errorf("main.go has %d lines", n)
	}
}
