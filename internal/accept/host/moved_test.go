package host_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// Numbers that a refusal shows are for the edit that it refuses: another one may have been sent together with it.
func TestNumbersInARefusalCountForItsEditAlone(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n4\n5\n6\n7\n8\n"})
	session := atomicedit.NewSession(store)
	host := &atomicedit.Host{Store: session}
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	call := func(refused bool, from, to int, content string) {
		t.Helper()
		edit := accepttest.Object{"from": from, "to": to, "content": content}
		call := accepttest.Args(accepttest.Object{"action": "patch", "path": "f", "edits": []any{edit}})
		answer, err := host.Call(t.Context(), "text_editor", []byte(call))
		if (err != nil) != refused {
			t.Errorf("%s: %v\n%s", call, err, answer.Text)
		}
	}
	call(false, 1, 0, "0\n")
	call(true, 5, 5, "five\n") // it may be at 5 or at 6
	call(true, 6, 6, "six\n")
	call(true, 6, 6, "other\n")
	call(false, 6, 6, "five\n")
	call(false, 7, 7, "six\n")
	call(true, 8, 8, "five\n")
	if got, want := store.Files()["f"], "0\n1\n2\n3\n4\nfive\nsix\n7\n8\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What a refusal has asked for counts after a restart, too: some hosts live no longer than a call.
func TestNumbersInARefusalCountAfterARestart(t *testing.T) {
	m := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n"})
	s := atomicedit.NewSession(m)
	accepttest.Must(s.View(t.Context(), "f", 0, 0))
	accepttest.Must(run(t, s, accepttest.Edits("f", "1\n", "0\n1\n")))
	for _, text := range []string{"two\n", "other\n", "two\n"} {
		s = restarted(t, s, m)
		edit := atomicedit.Plan{Ops: []atomicedit.Op{byNumber("f", 3, 3, text)}}
		_, _ = (&atomicedit.Host{Store: s}).Do(t.Context(), edit)
	}
	if got := m.Files()["f"]; got != "0\n1\ntwo\n3\n" {
		t.Errorf("got %q", got)
	}
}

// A number that was shown for another line counts for the edit that is refused alone, whatever else that edit names.
func TestANumberOfAnotherLineCountsForItsEditAlone(t *testing.T) {
	const file = "1\n2\n3\n4\n5\n6\n7\n8\n"
	for name, tt := range map[string]struct {
		then  func(*testing.T, *atomicedit.Session, *atomicedit.Mem)
		first atomicedit.Op
	}{
		"others": {func(t *testing.T, s *atomicedit.Session, m *atomicedit.Mem) {
			viewThenChange(t, s, m, 1, 4, "0\n"+file)
		}, byNumber("f", 4, 5, "x\n")},
		"an edit": {func(t *testing.T, s *atomicedit.Session, _ *atomicedit.Mem) {
			accepttest.Must(s.View(t.Context(), "f", 1, 4))
			if _, err := run(t, s, accepttest.Edits("f", "1\n", "0\n1\n", "7\n", "")); err != nil {
				t.Fatal(err)
			}
		}, byNumber("f", 4, 6, "x\n")},
	} {
		for _, second := range []atomicedit.Op{byNumber("f", 4, 4, ""), byNumber("f", 4, 0, "new\n")} {
			m := atomicedit.NewMem(map[string]string{"f": file})
			s := atomicedit.NewSession(m)
			tt.then(t, s, m)
			h := &atomicedit.Host{Store: s}
			for _, op := range []atomicedit.Op{tt.first, second} {
				if a, err := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{op}}); err == nil {
					t.Errorf("%s: %v: %s", name, op, a.Text)
				}
			}
			if a, err := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{tt.first}}); err != nil {
				t.Errorf("%s: %s", name, a.Text)
			}
		}
	}
}

// An insertion below the last line, by its number, is an append only if no other line was shown with that number.
func TestAnInsertionBelowALineThatWasAnother(t *testing.T) {
	const file = "1\n2\n3\n4\n5\n6\n"
	for name, tt := range map[string]struct {
		first, last int
		restart     bool
		memory      int64
		want        string
	}{
		"a number that was not shown":                {1, 2, false, 0, ""},
		"the number of the last line":                {4, 5, false, 0, "unread"},
		"the number behind it":                       {6, 6, false, 0, "unread"},
		"the number behind it, after a restart":      {6, 6, true, 0, "unread"},
		"the number of the last line, and no memory": {4, 5, false, -1, "unread"},
	} {
		t.Run(name, func(t *testing.T) {
			m := atomicedit.NewMem(map[string]string{"f": file})
			s := atomicedit.NewSession(m)
			s.Memory = tt.memory
			accepttest.Must(s.View(t.Context(), "f", tt.first, tt.last))
			if _, err := run(t, s, accepttest.Edits("f", "3\n", "")); err != nil {
				t.Fatal(err)
			}
			if tt.restart {
				s = restarted(t, s, m)
			}
			append := byNumber("f", 6, 0, "new\n")
			if code, err := run(t, s, append); code != tt.want {
				t.Errorf("%s, %v", code, err)
			}
			accepttest.Must(s.View(t.Context(), "f", 5, 5))
			if code, err := run(t, s, append); tt.want != "" && err != nil {
				t.Errorf("after a view: %s, %v", code, err)
			}
		})
	}
}

// A restart forgets no number that an answer has shown, if only as one that does not count.
func TestANumberOfAnAnswerAfterARestart(t *testing.T) {
	m := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n4\n5\n6\n"})
	s := atomicedit.NewSession(m)
	accepttest.Must(s.View(t.Context(), "f", 1, 1))
	h := &atomicedit.Host{Store: s}
	for _, op := range []atomicedit.Op{accepttest.Edits("f", "1\n", "0\n1\n"), accepttest.Edits("f", "6\n", "six\n")} {
		accepttest.Must(h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{op}}))
	}
	s = restarted(t, s, m)
	accepttest.Must(run(t, s, accepttest.Edits("f", "3\n", "")))
	if code, err := run(t, s, byNumber("f", 7, 0, "new\n")); code != "unread" {
		t.Errorf("%s, %v: %q", code, err, m.Files())
	}
}

// The text that lines are expected to have tells which lines a number means, if no others read alike.
func TestExpectedTextProvesLineNumbers(t *testing.T) {
	for _, tt := range []struct {
		name     string
		from, to int
		expected string
		want     string
	}{
		{"the new number", 5, 5, "three()", "done"},
		{"the new numbers of several lines", 5, 6, "three()\n}\n", "done"},
		{"the old number", 4, 4, "three()", "refused"},
		{"one of two equal lines", 6, 6, "}", "refused"},
		{"an insertion above it", 5, 0, "three()", "done"},
		{"an insertion above the old number", 4, 0, "three()", "refused"},
		{"blank lines at both ends", 8, 10, "\n// end\n\n", "done"},
		{"one of two blank lines", 10, 10, "\n", "refused"},
		{"a line that is not blank", 8, 10, "\n\n// end\n", "refused"},
		{"a range that is longer", 5, 6, "three()", "refused"},
		{"an insertion at the end", 12, 0, "end()", "refused"},
		{"an empty text", 5, 5, "", "refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := atomicedit.NewMem(map[string]string{"f": "{\none()\ntwo()\nthree()\n}\n}\n\n// end\n\nend()\n"})
			session := atomicedit.NewSession(store)
			accepttest.Must(session.View(t.Context(), "f", 0, 0))
			host := &atomicedit.Host{Store: session}
			call := func(edit accepttest.Object) *atomicedit.Answer {
				args := accepttest.Object{"action": "patch", "path": "f", "edits": []any{edit}}
				answer, _ := host.Call(t.Context(), "text_editor", []byte(accepttest.Args(args)))
				return answer
			}
			call(accepttest.Object{"from": 2, "to": 0, "content": "zero()\n"})
			answer := call(accepttest.Object{"from": tt.from, "to": tt.to, "content": "new()\n",
				"expected_content": tt.expected})
			if answer.Status != tt.want {
				t.Error(answer.Text)
			}
		})
	}
}

// A number that an edit has moved and another one has moved back has one meaning, but only the text tells.
func TestExpectedTextOfALineThatIsBackWhereItWas(t *testing.T) {
	for file, want := range map[string]string{
		"1\n2\n3\n4\n5\n6\n": "1\n3\nnew\n4\nx\n6\n",
		"1\n5\n5\n4\n5\n6\n": "1\n5\nnew\n4\n5\n6\n",
	} {
		store := atomicedit.NewMem(map[string]string{"f": file})
		session := atomicedit.NewSession(store)
		accepttest.Must(session.View(t.Context(), "f", 0, 0))
		host := &atomicedit.Host{Store: session}
		for _, edit := range []accepttest.Object{
			{"from": 2, "to": 2, "content": ""},
			{"from": 3, "to": 0, "content": "new\n", "expected_content": "4\n"},
			{"from": 5, "to": 5, "content": "x\n", "expected_content": "5\n"},
		} {
			args := accepttest.Object{"action": "patch", "path": "f", "edits": []any{edit}}
			_, _ = host.Call(t.Context(), "text_editor", []byte(accepttest.Args(args)))
		}
		if got := store.Files()["f"]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What is known of the lines by their numbers is nothing after a restart, in a file that others have changed, and where
// the text differs in trailing whitespace: then the text itself must be the only one.
func TestExpectedTextOfSeveralLinesProvesNothing(t *testing.T) {
	restart := func(store *atomicedit.Mem, s *atomicedit.Session) *atomicedit.Session { return restarted(t, s, store) }
	others := func(store *atomicedit.Mem, s *atomicedit.Session) *atomicedit.Session {
		accepttest.Must((&atomicedit.Host{Store: store}).Do(t.Context(),
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", accepttest.LineEdit(3, 0, "other\n"))}}))
		return s
	}
	nothing := func(_ *atomicedit.Mem, s *atomicedit.Session) *atomicedit.Session { return s }
	for name, then := range map[string]func(*atomicedit.Mem, *atomicedit.Session) *atomicedit.Session{
		"a restart": restart, "others": others, "nothing": nothing,
	} {
		store := atomicedit.NewMem(map[string]string{"f": "a\nx \nb\nc\nx\nd\n"})
		session := atomicedit.NewSession(store)
		accepttest.Must(session.View(t.Context(), "f", 0, 0))
		host := &atomicedit.Host{Store: session}
		accepttest.Must(host.Do(t.Context(),
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", accepttest.LineEdit(1, 0, "1\n2\n3\n"))}}))
		host.Store = then(store, session)
		was := store.Files()["f"]
		const call = `{"action": "patch", "path": "f", "edits":
			[{"from": 5, "to": 5, "content": "y\n", "expected_content": "x\n"}]}`
		answer, err := host.Call(t.Context(), "text_editor", []byte(call))
		if err == nil || store.Files()["f"] != was {
			t.Errorf("%s: %v %s", name, err, answer.Text)
		}
	}
}

// Where others have changed the file, an expected text has to be where the lines that were seen are now, or where the
// numbers are in the file as it is.
func TestExpectedTextInAFileThatOthersHaveChanged(t *testing.T) {
	type edit struct {
		from, to       int
		text, expected string
	}
	const twice = "f {\n  x\n}\ng {\n  x\n}\nh {\n  y\n}\n"
	for _, tt := range []struct {
		name, file, now string
		edits           []edit
		want            string
	}{
		{"an insertion above the last line", "a\nb\nc\nx\n", "a\nnew\nb\nc\nx\n", []edit{{5, 0, "y\n", "x\n"}},
			"a\nnew\nb\nc\ny\nx\n"},
		{"a line that has gone, and one that reads like it", twice, twice[len("f {\n  x\n}\n"):],
			[]edit{{8, 8, "  z\n", "  y\n"}, {2, 2, "  z\n", "  x\n"}}, "g {\n  x\n}\nh {\n  z\n}\n"},
		{"the number in the file as it is", "a\nb\nc\nd\n", "new\na\nb\nc\nd\n", []edit{{4, 4, "C\n", "c\n"}},
			"new\na\nb\nC\nd\n"},
		{"the number in the file as it was", "a\nb\nc\nd\n", "new\na\nb\nc\nd\n", []edit{{3, 3, "C\n", "c\n"}},
			"new\na\nb\nC\nd\n"},
		{"a merge that is in doubt", "f {\n x\n}\n\nT {\n y\n}\n", "f {\n x\n}\n\nn {\n z\n}\n\nT {\n y\n}\n",
			[]edit{{4, 0, "new\n", "\nT {\n"}}, "f {\n x\n}\n\nn {\n z\n}\n\nT {\n y\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := atomicedit.NewMem(map[string]string{"f": tt.file})
			session := atomicedit.NewSession(store)
			accepttest.Must(session.View(t.Context(), "f", 0, 0))
			accepttest.Must((&atomicedit.Host{Store: store}).Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{
				{Kind: atomicedit.OpCreate, Path: "f", Content: tt.now, Overwrite: true}}}))
			host := &atomicedit.Host{Store: session}
			var said string
			for _, e := range tt.edits {
				edit := accepttest.Object{"from": e.from, "to": e.to, "content": e.text, "expected_content": e.expected}
				args := accepttest.Object{"action": "patch", "path": "f", "edits": []any{edit}}
				answer, _ := host.Call(t.Context(), "text_editor", []byte(accepttest.Args(args)))
				said += answer.Text
			}
			if got := store.Files()["f"]; got != tt.want {
				t.Errorf("got %q, want %q\n%s", got, tt.want, said)
			}
		})
	}
}

// The number behind the last line may be that of the last line before a deletion.
func TestAnInsertionWhereTheFileHadLines(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n"})
	session := atomicedit.NewSession(store)
	host := &atomicedit.Host{Store: session}
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	call := func(from, to int, content string) error {
		edit := accepttest.Object{"from": from, "to": to, "content": content}
		call := accepttest.Args(accepttest.Object{"action": "patch", "path": "f", "edits": []any{edit}})
		_, err := host.Call(t.Context(), "text_editor", []byte(call))
		return err
	}
	errs := []error{call(1, 1, ""), call(3, 0, "x\n"), call(4, 0, "y\n"), call(3, 0, "x\n")}
	if errs[0] != nil || errs[1] == nil || errs[2] == nil || errs[3] != nil || store.Files()["f"] != "2\n3\nx\n" {
		t.Errorf("%q %q", errs, store.Files()["f"])
	}
}

// A line that a call names beside its old text is one that the model has read, perhaps before an edit.
func TestALineHintFromBeforeAnEdit(t *testing.T) {
	for _, tt := range []struct {
		name, old string
		line      int
		restart   bool
		want      string // of the file, "" if the call is refused
	}{
		{"the old number", "item()", 4, false, ""},
		{"the old number, which is also a new one", "item()", 2, false, ""},
		{"the new number", "item()", 5, false, "// top\n// one\nitem()\n// two\nthing()\n// three\nitem()\n"},
		{"numbers in the old text", "     4\titem()", 0, false, ""},
		{"the old number after a restart", "item()", 4, true, ""},
		{"one place", "// two\nitem()", 4, false, "// top\n// one\nitem()\n// two\nthing()\n// three\nitem()\n"},
	} {
		store := atomicedit.NewMem(map[string]string{"f": "// one\nitem()\n// two\nitem()\n// three\nitem()\n"})
		session := atomicedit.NewSession(store)
		host := &atomicedit.Host{Store: session}
		accepttest.Must(session.View(t.Context(), "f", 0, 0))
		call := func(old, new string, line int) (*atomicedit.Answer, error) {
			edit := accepttest.Object{"old_string": old, "new_string": new}
			if line > 0 {
				edit["startLine"] = line
			}
			op := accepttest.Object{"type": "edit", "path": "f", "edits": []any{edit}}
			return host.Call(t.Context(), "multi_edit_file",
				[]byte(accepttest.Args(accepttest.Object{"operations": []any{op}})))
		}
		accepttest.Must(call("// one", "// top\n// one", 0))
		if tt.restart {
			host.Store = restarted(t, session, store)
		}
		answer, err := call(tt.old, strings.Replace(tt.old, "item", "thing", 1), tt.line)
		if got := store.Files()["f"]; (err != nil) != (tt.want == "") || err == nil && got != tt.want {
			t.Errorf("%s: %v\n%s\n%s", tt.name, err, got, answer.Text)
		}
	}
}

// What looks like the number of a line is text where an anchor says which place is meant.
func TestANumberInOldTextBelowAnAnchor(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "top\nhead A\n6\nx\nhead B\n6\ny\n"})
	session := atomicedit.NewSession(store)
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	host := &atomicedit.Host{Store: session}
	for _, e := range []atomicedit.Edit{
		{Old: "top\n", New: "top\nnew\n", WholeLines: true},
		{Old: "6\n", New: "7\n", WholeLines: true, Anchors: []string{"head B"}},
	} {
		accepttest.Must(host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", e)}}))
	}
	if got, want := store.Files()["f"], "top\nnew\nhead A\n6\nx\nhead B\n7\ny\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The places of a second operation on a file are in the text after the first.
func TestALineHintInASecondPartOfAFile(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "one\ntwo\nthree\nfour\n"})
	session := atomicedit.NewSession(store)
	host := &atomicedit.Host{Store: session}
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	patch := "*** Begin Patch\n*** Update File: f\n@@\n two\n" + strings.Repeat("+new\n", 20) +
		"*** Update File: f\n@@ -4,1 +4,1 @@\n-four\n+4\n*** End Patch\n"
	first := accepttest.Object{"command": "str_replace", "path": "f", "old_str": "one", "new_str": "zero\none"}
	accepttest.Must(host.Call(t.Context(), "str_replace_editor", []byte(accepttest.Args(first))))
	accepttest.Must(host.Call(t.Context(), "apply_patch", []byte(accepttest.Args(accepttest.Object{"input": patch}))))
	if got, want := store.Files()["f"], "zero\none\ntwo\n"+strings.Repeat("new\n", 20)+"three\n4\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The line that changes may be another one than the first of the old text, which the number is about.
func TestALineHintFromBeforeAnEditOfSeveralLines(t *testing.T) {
	const file = "a\n  x\n  y\na\n  x\n  y\n"
	for _, tt := range []struct {
		name, old, new string
		line, above    int // lines that an edit has put above them
		want           string
	}{
		{"beside another place", "  x\n  y\n", "  x\n  z\n", 5, 2, "refused"},
		{"at another place", "  x\n  y\n", "  x\n  z\n", 5, 3, "refused"},
		{"the new number", "  x\n  y\n", "  x\n  z\n", 7, 2, "done"},
		{"in the old text, beside another place", "     5\t  x\n     6\t  y\n", "  x\n  z\n", 0, 2, "refused"},
		{"in the old text, at another place", "     5\t  x\n     6\t  y\n", "  x\n  z\n", 0, 3, "refused"},
		{"in the old text, where the first line changes", "     5\t  x\n     6\t  y\n", "  z\n  y\n", 0, 3, "refused"},
		{"in the old text, where lines come below", "     5\t  x\n     6\t  y\n", "  x\n  y\n  z\n", 0, 3, "refused"},
		{"the new number in the old text", "     7\t  x\n     8\t  y\n", "  x\n  z\n", 0, 2, "done"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": file}))
			accepttest.Must(session.View(t.Context(), "f", 0, 0))
			host := &atomicedit.Host{Store: session}
			do := func(e atomicedit.Edit) *atomicedit.Answer {
				answer, _ := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", e)}})
				return answer
			}
			do(accepttest.LineEdit(1, 0, strings.Repeat("new\n", tt.above)))
			e := atomicedit.Edit{Old: tt.old, New: tt.new, Near: tt.line, WholeLines: true}
			if got := do(e); got.Status != tt.want {
				t.Error(got.Text)
			}
		})
	}
}

func TestALineThatOthersHaveCutOff(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n4\n"})
	session := atomicedit.NewSession(store)
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	others := &atomicedit.Host{Store: store}
	accepttest.Must(others.Do(t.Context(),
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "1\n2\n3\n4\n", "0\n1\n")}}))
	const call = `{"action": "patch", "path": "f", "edits": [{"from": 4, "to": 4, "content": "x\n"}]}`
	answer, err := (&atomicedit.Host{Store: session}).Call(t.Context(), "text_editor", []byte(call))
	if err == nil || !strings.Contains(answer.Text, "is gone. At line 4 there is now:\nnothing\n") {
		t.Errorf("%v\n%s", err, answer.Text)
	}
}

// A range that ends below the last line of a file that was read is no range of a file that has changed.
func TestARangeThatEndsBelowTheFile(t *testing.T) {
	session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "1\n2\n"}))
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	const call = `{"action": "patch", "path": "f", "edits": [{"from": 2, "to": 3, "content": "x\n"}]}`
	answer, err := (&atomicedit.Host{Store: session}).Call(t.Context(), "text_editor", []byte(call))
	if err == nil || !strings.Contains(answer.Text, "the file has 2 lines, so there is no line 3") {
		t.Errorf("%v\n%s", err, answer.Text)
	}
}

func restarted(t *testing.T, session *atomicedit.Session, store atomicedit.Store) *atomicedit.Session {
	again := atomicedit.NewSession(store)
	if err := json.Unmarshal(accepttest.Must(json.Marshal(session)), again); err != nil {
		t.Fatal(err)
	}
	return again
}

// A number that was the last line's plus one, in a text that is not remembered, may be that of any line now.
func TestAnAppendByNumberToAChangedFile(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "1\n2\n"})
	session := atomicedit.NewSession(store)
	session.MarkRead("f", atomicedit.VersionOf([]byte("1\n2\n3\n4\n")), 0, 0)
	_, err := atomicedit.Run(t.Context(), session, atomicedit.Plan{Ops: []atomicedit.Op{byNumber("f", 3, 0, "x\n")}},
		nil)
	if !errors.Is(err, atomicedit.ErrStale) {
		t.Error(err)
	}
	_, err = atomicedit.Run(t.Context(), session, atomicedit.Plan{Ops: []atomicedit.Op{byNumber("f", 0, 0, "x\n")}},
		nil)
	if got := store.Files()["f"]; err != nil || got != "1\n2\nx\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// What a refusal says of a number is about the line that was shown with it last.
func TestARefusalSpeaksOfWhatWasShownLast(t *testing.T) {
	session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "a\nb\nc\nd\ne\nf\n"}))
	host := &atomicedit.Host{Store: session}
	accepttest.Must(session.View(t.Context(), "f", 0, 0))
	do := func(e atomicedit.Edit) string {
		answer, _ := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", e)}})
		return answer.Text
	}
	do(accepttest.LineEdit(1, 1, "A\n1\n2\n"))
	if got := do(accepttest.LineEdit(4, 4, "x\n")); !strings.Contains(got,
		"what was read as line 4 is now:\n     6\td\nAt line 4 there is now:\n     4\tb\n") {
		t.Errorf("after an insertion:\n%s", got)
	}
	do(atomicedit.Edit{Old: "A\n", New: "0\nA\n"})
	if got := do(accepttest.LineEdit(4, 4, "y\n")); !strings.Contains(got,
		"what was read as line 4 is now:\n     5\tb\nAt line 4 there is now:\n     4\t2\n") {
		t.Errorf("after another one:\n%s", got)
	}
}

// A number that no line had before has one meaning, if the line was shown.
func TestANumberThatNoLineHadBefore(t *testing.T) {
	for line, want := range map[int]string{6: "done", 7: "done", 5: "refused"} {
		session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"f": "a\nb\nc\nd\ne\n"}))
		host := &atomicedit.Host{Store: session}
		accepttest.Must(session.View(t.Context(), "f", 0, 0))
		do := func(e atomicedit.Edit) *atomicedit.Answer {
			answer, _ := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", e)}})
			return answer
		}
		do(atomicedit.Edit{Old: "d\n", New: "d\n1\n2\n"})
		if got := do(accepttest.LineEdit(line, line, "x\n")); got.Status != want {
			t.Errorf("line %d: %s", line, got.Text)
		}
		// below line 5, which there was
		if got := do(accepttest.LineEdit(6, 0, "y\n")); line == 5 && got.Status != "refused" {
			t.Errorf("an insertion: %s", got.Text)
		}
	}
}

// Lines that a refusal has shown, and whose edit was sent again, keep their numbers if it is refused for another
// reason.
func TestNumbersThatWereSentAgainCountForACorrection(t *testing.T) {
	for name, bad := range map[string]string{"a fence": "```\nx: 1\n```\n", "wrong depth": " x: 1\n"} {
		mem := atomicedit.NewMem(map[string]string{"f.yaml": "a: 1\nb: 1\nc: 1\nd: 1\n"})
		session := atomicedit.NewSession(mem)
		accepttest.Must(session.View(t.Context(), "f.yaml", 0, 0))
		host := &atomicedit.Host{Store: session}
		do := func(e atomicedit.Edit) *atomicedit.Answer {
			answer, _ := host.Do(t.Context(),
				atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f.yaml", Edits: []atomicedit.Edit{e}}}})
			return answer
		}
		do(atomicedit.Edit{Old: "a: 1\n", New: "a: 1\naa: 1\n"})
		for i, call := range []struct{ new, want string }{{bad, "refused"}, {bad, "refused"}, {"x: 1\n", "done"}} {
			if got := do(accepttest.LineEdit(4, 4, call.new)); got.Status != call.want {
				t.Errorf("%s, call %d: %s", name, i, got.Text)
			}
		}
	}
}

// Where no tool reads, a call that was refused because the file was not read is meant if it is sent again.
func TestACallIsSentAgainWhereNoToolReads(t *testing.T) {
	for _, reads := range []bool{false, true} {
		names := []string{"multi_edit", "file_write_or_edit", "multi_edit_file"}
		if reads {
			names = append(names, "text_editor")
		}
		mem := atomicedit.NewMem(map[string]string{"f": "one one\n", "g": "1\n2\n", "h": "\ta\n\tb\n", "i": "c\nc\n"})
		host := &atomicedit.Host{Store: atomicedit.NewSession(mem), Tools: accepttest.Must(atomicedit.Tools(names...))}
		edit := func(path, old, new string, everywhere bool) string {
			return accepttest.Args(accepttest.Object{"file_path": path,
				"edits": []any{accepttest.Object{"old_string": old, "new_string": new, "replace_all": everywhere}}})
		}
		everywhere := func(new string) string { return edit("f", "one", new, true) }
		loosely := func(new string) string { return edit("h", "    a\n    b\n", new, false) }
		write := func(text string) string {
			return accepttest.Args(accepttest.Object{"file_path": "g", "percentage_to_change": 100,
				"text_or_search_replace_blocks": text})
		}
		const byLine = `{"operations": [{"type": "edit", "path": "i",
			"edits": [{"old_string": "c\n", "new_string": "d\n", "startLine": 2}]}]}`
		again := "done"
		if reads {
			again = "refused"
		}
		for i, call := range []struct{ tool, args, want string }{
			{"multi_edit", everywhere("1"), "refused"},
			{"multi_edit", everywhere("2"), "refused"},
			{"file_write_or_edit", write("3\n"), "refused"},
			{"multi_edit", everywhere("1"), again},
			{"file_write_or_edit", write("4\n"), "refused"},
			{"file_write_or_edit", write("3\n"), again},
			{"multi_edit_file", byLine, "refused"},
			{"multi_edit", loosely("    1\n"), "refused"},
			{"multi_edit_file", byLine, again},
			{"multi_edit", loosely("    2\n"), "refused"},
			{"multi_edit", loosely("    1\n"), again},
		} {
			if answer, _ := host.Call(t.Context(), call.tool, []byte(call.args)); answer.Status != call.want {
				t.Errorf("call %d, a tool reads: %v: %s", i, reads, answer.Text)
			}
		}
	}
}

// Where no tool reads, an edit of lines that others have changed is meant if it is sent again, and fits the file as it
// is.
func TestAnEditOfChangedLinesIsSentAgainWhereNoToolReads(t *testing.T) {
	mem := atomicedit.NewMem(map[string]string{"f": "one\ntwo\n"})
	host := &atomicedit.Host{Store: atomicedit.NewSession(mem), Tools: accepttest.Must(atomicedit.Tools("multi_edit"))}
	call := func(old, new string) string {
		args := accepttest.Args(accepttest.Object{"file_path": "f",
			"edits": []any{accepttest.Object{"old_string": old, "new_string": new}}})
		answer, _ := host.Call(t.Context(), "multi_edit", []byte(args))
		return answer.Status
	}
	if got := call("two\n", "two\nthree\n"); got != "done" {
		t.Fatal(got)
	}
	accepttest.Must(atomicedit.Run(t.Context(), mem,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "two\nthree\n", "two\n")}}, nil))
	for i, want := range []string{"refused", "done"} {
		if got := call("two\n", "two\n3\n"); got != want {
			t.Errorf("call %d: %s", i, got)
		}
	}
	if got := mem.Files()["f"]; got != "one\ntwo\n3\n" {
		t.Errorf("%q", got)
	}
}

// What was asked for a version of a file is not asked for another one.
func TestACallThatIsSentAgainAfterAChange(t *testing.T) {
	mem := atomicedit.NewMem(map[string]string{"f": "one one\n"})
	host := &atomicedit.Host{Store: atomicedit.NewSession(mem), Tools: accepttest.Must(atomicedit.Tools("multi_edit"))}
	args := accepttest.Args(accepttest.Object{"file_path": "f",
		"edits": []any{accepttest.Object{"old_string": "one", "new_string": "1", "replace_all": true}}})
	call := func() string {
		answer, _ := host.Call(t.Context(), "multi_edit", []byte(args))
		return answer.Status
	}
	if got := call(); got != "refused" {
		t.Error(got)
	}
	accepttest.Must(atomicedit.Run(t.Context(), mem,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "one one", "one one one")}}, nil))
	if got := call(); got != "refused" {
		t.Errorf("after a change: %s", got)
	}
}

// A file that others have changed is edited, and moved to a name that nobody has read.
func TestAnEditOfAChangedFileThatMoves(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"a": "one\ntwo\nthree\n"})
	s := atomicedit.NewSession(store)
	accepttest.Must(s.View(t.Context(), "a", 0, 0))
	other := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "two", "2")}}
	if err := accepttest.Must(atomicedit.Prepare(t.Context(), store, other, nil)).Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "two", "4"),
		{Kind: atomicedit.OpMove, Path: "a", To: "b"}}}
	for range 2 {
		if _, err := atomicedit.Prepare(t.Context(), s, plan, nil); !errors.Is(err, atomicedit.ErrStale) {
			t.Errorf("error %v", err)
		}
	}
}

// A text that was there twice when the file was read, and of which others have changed one, may be meant to be that one.
func TestTheOtherOfTwoPlacesIsNotChosenByOthers(t *testing.T) {
	for _, is := range []string{"x = 1\nb\nc\nd\nx = 2\n", "x = 3\nb\nc\nd\nx = 1\n"} {
		m := atomicedit.NewMem(map[string]string{"f": "x = 1\nb\nc\nd\nx = 1\n"})
		s := atomicedit.NewSession(m)
		viewThenChange(t, s, m, 0, 0, is)
		edit := accepttest.Edits("f", "x = 1", "x = 9")
		if code, err := run(t, s, edit); code != "stale" {
			t.Errorf("%q: %s, %v", is, code, err)
		}
		accepttest.Must(s.View(t.Context(), "f", 0, 0))
		if code, err := run(t, s, edit); code != "" {
			t.Errorf("%q, read again: %s, %v", is, code, err)
		}
	}
}

// Deletions of one message have the numbers of one view, and nothing else tells them apart. What the refusal of one
// shows is not taken for what another one means.
func TestDeletionsThatWereSentTogether(t *testing.T) {
	src := ""
	for i := range 20 {
		src += fmt.Sprintf("line %d\n", i+1)
	}
	h := &atomicedit.Host{Store: accepttest.SessionOf(map[string]string{"f": src}, "f", 0, 0)}
	call := func(args string) string {
		a, _ := h.Call(t.Context(), "text_editor", []byte(args))
		return a.Status
	}
	for i, c := range [][2]string{
		{`{"action": "patch", "path": "f", "edits": [{"from": 5, "to": 0, "content": "x\ny\n"}]}`, "done"},
		{`{"action": "patch", "path": "f", "edits": [{"from": 10, "to": 10, "content": ""}]}`, "refused"},
		{`{"action": "patch", "path": "f", "edits": [{"from": 12, "to": 12, "content": ""}]}`, "refused"},
		{`{"action": "read", "path": "f"}`, "shown"},
		{`{"action": "patch", "path": "f", "edits": [{"from": 12, "to": 12, "content": ""}]}`, "done"},
	} {
		if got := call(c[0]); got != c[1] {
			t.Errorf("call %d: %s", i, got)
		}
	}
}
