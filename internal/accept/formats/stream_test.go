package formats_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// checkStream streams a request in chunks of n bytes, and checks the promises of a Stream. It returns what the Stream
// told, one line for each change.
func checkStream(t *testing.T, tool, request string, n int) []string {
	t.Helper()
	s := atomicedit.Stream{Tool: tool}
	var steps []string
	var last atomicedit.Plan
	var state atomicedit.StreamState
	for chunk := range slices.Chunk([]byte(request), n) {
		if written, err := s.Write(chunk); written != len(chunk) || err != nil {
			t.Fatalf("Write: %d, %v", written, err)
		}
		p, now := s.Plan()
		if now < state || now == atomicedit.StreamWaiting && len(p.Ops) > 0 ||
			(now == atomicedit.StreamHopeless) != (s.Err() != nil) {
			t.Fatalf("state %v after %v with %d ops and error %v", now, state, len(p.Ops), s.Err())
		}
		checkContinues(t, last, p)
		if told := tells(p); len(steps) == 0 && told != "" || len(steps) > 0 && told != steps[len(steps)-1] {
			steps = append(steps, told)
		}
		last, state = clone(p), now
	}
	whole, err := s.Close()
	want, wantErr := atomicedit.Parse(request)
	if tool != "" && strings.HasPrefix(strings.TrimSpace(request), "{") {
		want, wantErr = atomicedit.Tool{Name: tool}.Parse([]byte(request))
	}
	if !cmp.Equal(want, whole) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("Close returns another plan than Parse: %v, %v:\n%s", err, wantErr, cmp.Diff(want, whole))
	}
	switch {
	case err == nil && state == atomicedit.StreamHopeless:
		t.Fatalf("hopeless (%v), but not refused in the end", s.Err())
	case err == nil:
		checkContinues(t, last, whole)
	}
	return steps
}

// checkContinues checks that nothing of a plan has changed, except for paths and versions that were not known.
func checkContinues(t *testing.T, before, after atomicedit.Plan) {
	t.Helper()
	if len(after.Ops) < len(before.Ops) || before.Format != "" && before.Format != after.Format {
		t.Fatalf("%q with %d ops after %q with %d", after.Format, len(after.Ops), before.Format, len(before.Ops))
	}
	for i, op := range before.Ops {
		then := after.Ops[i]
		if i == len(before.Ops)-1 && len(then.Edits) > len(op.Edits) {
			then.Edits = slices.Clone(then.Edits[:len(op.Edits):len(op.Edits)])
			if len(op.Edits) == 0 {
				then.Edits = op.Edits
			}
		}
		if op.Path == "" {
			op.Path = then.Path
		}
		if op.Version == "" {
			op.Version = then.Version
		}
		if !cmp.Equal(op, then) {
			t.Fatalf("what was told has changed (-before +after):\n%s", cmp.Diff(op, then))
		}
	}
}

// clone copies what is valid only until the next Write.
func clone(p atomicedit.Plan) atomicedit.Plan {
	p.Ops = slices.Clone(p.Ops)
	for i := range p.Ops {
		p.Ops[i].Edits = slices.Clone(p.Ops[i].Edits)
	}
	return p
}

// tells says shortly what a plan has.
func tells(p atomicedit.Plan) string {
	var words []string
	for _, op := range p.Ops {
		words = append(words, fmt.Sprintf("%v %s %d", op.Kind, op.Path, len(op.Edits)))
	}
	return strings.Join(words, ", ")
}

func TestAStreamTellsWhatIsComplete(t *testing.T) {
	for name, tt := range map[string]struct {
		tool, request string
		want          []string
	}{
		"blocks": {
			request: "I change a.go:\n\na.go\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nz\n=======\n>>>>>>> REPLACE\nb.go\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n",
			want:    []string{"edit a.go 1", "edit a.go 2", "edit a.go 2, create b.go 0"},
		},
		"a diff": {
			request: "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n@@ -9,2 +9,2 @@\n q\n-y\n+z\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n",
			want:    []string{"edit a 1", "edit a 2"},
		},
		"a diff without context": {
			request: "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n@@ -5,0 +6 @@\n+z\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+x\ndiff --git a/c b/c\n",
			want:    []string{"edit a 2", "edit a 2, create b 0"},
		},
		"a patch": {
			request: "Here it is:\n*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n@@ f\n-z\n*** Add File: b\n+x\n*** Update File: a\n@@\n-q\n*** End Patch\nDone.\n",
			want:    []string{"edit a 1", "edit a 2", "edit a 2, create b 0", "edit a 2, create b 0, edit a 1"},
		},
		"a patch in a string": {
			tool:    "apply_patch",
			request: `{"input": "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n@@ f\n-z\n*** Add File: b\n+x\n*** End Patch\n"}`,
			want:    []string{"edit a 1", "edit a 2", "edit a 2, create b 0"},
		},
		"a patch below a directory": {
			request: `{"cwd": "d", "patch": "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n@@ f\n-z\n*** Add File: b\n+x\n*** End Patch\n"}`,
			want:    []string{"edit d/a 1", "edit d/a 2", "edit d/a 2, create d/b 0"},
		},
		"hunks alone in a string": {
			request: `{"cwd": "d", "patch": "@@ -1,2 +1,2 @@\n x\n-y\n+z\n@@ -9,2 +9,2 @@\n q\n-y\n+z\n"}`,
		},
		"what is no JSON": {
			request: "\v" + `{"path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "y", "new_string": "z"}]}`,
		},
		"a list of edits": {
			tool:    "multi_edit",
			request: `{"file_path": "a", "edits": [{"old_string": "", "new_string": "x"}, {"old_string": "x", "new_string": "y"}, {"old_string": "y", "new_string": "z"}]}`,
			want:    []string{"create a 0", "create a 1", "create a 2"},
		},
		"calls in tags": {
			request: "I write b.\n<function_calls>\n<invoke name=\"Write\">\n<parameter name=\"path\">b</parameter>\n<parameter name=\"content\">x</invoke>\n</parameter>\n</invoke>\n" +
				"<invoke name=\"Edit\">\n<parameter name=\"path\">a</parameter>\n<parameter name=\"old_string\">x</parameter>\n<parameter name=\"new_string\">y</parameter>\n</invoke>\n</function_calls>\nDone.\n",
			want: []string{"create b 0", "create b 0, edit a 1"},
		},
		"blocks in tags": {
			request: "<replace_in_file>\n<path>a</path>\n<diff>\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>\n<thinking>\n",
			want:    []string{"edit a 1"},
		},
		"a patch in a tag": {
			request: "<apply_patch>\n*** Begin Patch\n*** Delete File: a\n*** Delete File: b\n*** End Patch\n</apply_patch>\n",
			want:    []string{"delete a 0, delete b 0"},
		},
		"calls that join": {
			request: "<delete_file>\n<path>c</path>\n</delete_file>\n<insert_content>\n<path>a</path>\n<line>2</line>\n<content>\nx\n</content>\n</insert_content>\n<insert_content>\n<path>a</path>\n<line>5</line>\n<content>\nx\n</content>\n</insert_content>\n" +
				"<delete_file>\n<path>b</path>\n</delete_file>\n<insert_content>\n<path>a</path>\n<line>9</line>\n<content>\nx\n</content>\n</insert_content>\n",
			want: []string{"delete c 0", "delete c 0, edit a 1", "delete c 0, edit a 2", "delete c 0, edit a 3"},
		},
		"a call whose edits keep their numbers": {
			request: "<tool_call>\n{\"name\": \"multi_edit\", \"arguments\": {\"file_path\": \"a\", \"edits\": [{\"old_string\": \"\", \"new_string\": \"x\"}, {\"old_string\": \"x\", \"new_string\": \"y\"}]}}\n</tool_call>\n" +
				"<delete_file>\n<path>b</path>\n</delete_file>\n",
			want: []string{"create a 1", "create a 1, delete b 0"},
		},
		"calls after a thought": {
			request: "<thinking>\n<delete_file>\n<path>a</path>\n</delete_file>\n</thinking>\n<delete_file>\n<path>b</path>\n</delete_file>\n",
			want:    []string{"delete b 0"},
		},
		"operations": {
			request: `{"operations": [{"type": "edit", "path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}, {"type": "delete", "path": "b"}], "cwd": "d"}`,
			want:    []string{"edit  1", "edit  1, delete  0"},
		},
		"operations below a directory": {
			request: `{"cwd": "d", "operations": [{"type": "edit", "path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}, {"type": "delete", "path": "b"}]}`,
			want:    []string{"edit d/a 1", "edit d/a 1, delete d/b 0"},
		},
		"edits of several kinds, then a move": {
			request: `{"cwd": "d", "path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"insert_line": 1, "text": "z"}], "move_to": "b"}`,
			want:    []string{"edit d/a 1", "edit d/a 2"},
		},
		"files by their names": {
			request: `{"files": {"a": [{"old_string": "x", "new_string": "y"}], "b": {"type": "delete"}}}`,
		},
		"a file in a fence": {
			request: "```save a\n*** Begin Patch\n*** Delete File: b\n*** End Patch\n```\n",
		},
		"calls in Python": {
			request: "```\n\n[\nwrite_file(path='a', content='''\n*** Begin Patch\n*** Delete File: b\n*** End Patch\n''')]\n```",
		},
		"JSON lines": {
			request: `{"cwd": "", "path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"from": 1, "to": 1, "content": "z"}], "diff": null}` + "\n" + `{"path": "a", "edits": [{"from": 2, "to": 2, "content": "z"}]}`,
			want:    []string{"edit a 1", "edit a 2"},
		},
		"blocks in a string": {
			tool:    "file_write_or_edit",
			request: `{"file_path": "a", "percentage_to_change": 1, "text_or_search_replace_blocks": "<<<<<<< SEARCH\nx\n=======\n\"\u00e9\"\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"}`,
			want:    []string{"edit a 1", "edit a 2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 7, 1000} {
				got, want := checkStream(t, tt.tool, tt.request, n), tt.want
				if n > 1 {
					got, want = got[max(len(got)-1, 0):], want[max(len(want)-1, 0):]
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("chunks of %d (-want +got):\n%s", n, diff)
				}
			}
		})
	}
}

// Arguments need not be an object: what ParseCall reads of a string or of prose, a stream reads as well.
func TestAStreamOfACallIsReadAsParseCallReadsIt(t *testing.T) {
	const args = `{"path": "f", "old_string": "a", "new_string": "b"}`
	quoted, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{args, string(quoted), "edit(" + args + ")", "Here:\n```json\n" + args + "\n```\n", besidePatch} {
		want, err := atomicedit.ParseCall("edit", []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		s := atomicedit.Stream{Tool: "edit"}
		for _, b := range []byte(request) {
			if _, err := s.Write([]byte{b}); err != nil {
				t.Fatal(err)
			}
			s.Plan()
		}
		got, err := s.Close()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v, -want +got:\n%s", request, err, diff)
		}
	}
}

func TestAStreamOfMalformedJSONIsHopeless(t *testing.T) {
	var s atomicedit.Stream
	for _, chunk := range []string{`{"path": "a", "edits": [{"old_string": "x", "new_string": "y"}`,
		`, {"old_string": "a\'b", "new_string": "c"}, `} {
		if s.Write([]byte(chunk)); s.Err() != nil {
			t.Fatal(s.Err())
		}
		s.Plan()
	}
	if s.Err() == nil || !strings.Contains(s.Err().Error(), "invalid JSON") {
		t.Errorf("got %v", s.Err())
	}
}

func FuzzStream(f *testing.F) {
	for _, s := range []string{accepttest.SeedBlocks, accepttest.SeedLong, accepttest.SeedPatch, accepttest.SeedBare,
		accepttest.SeedDiff, accepttest.SeedPlain, accepttest.SeedLines, accepttest.SeedTags, accepttest.SeedGroups,
		accepttest.SeedCommands} {
		f.Add("", s, 1)
		f.Add("", strings.ReplaceAll(s, "\n", "\r\n"), 40)
	}
	const list = `{"path":"a","cwd":"d","edits":[{"old":"x","new":"y"},{"line":1,"type":"delete"}]`
	f.Add("", list+`,"move":"b"}`+"\n"+`{"path":"a","patch":"@@\n-x\n+y"}`, 7)
	f.Add("", `{"path":"a","delete":true}`+list+"}", 7)
	f.Add("", "<|python_start|>\n[\nwrite_file(path='a', content='''\n--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n''')]", 7)
	f.Add("", `{"cwd":"d","filename":"a","edits":[{"old":"x","new":"y"},{"insert_line":-1,"text":"z"}],"directory":"e"}`, 7)
	f.Add("", `{"id":"0","msg":{"type":"apply_patch_approval_request","changes":{"a":{"type":"delete","content":"x"},"b":{"type":"update","unified_diff":"@@ -1 +1 @@\n-x\n+y\n","move_path":"c"}}}}`, 7)
	f.Add("", `{"toolCallId":"c","status":"pending","content":[{"type":"diff","path":"a","oldText":"x","newText":"y"},{"type":"diff","path":"b","oldText":null,"newText":"y"}]}`, 7)
	f.Fuzz(func(t *testing.T, tool, request string, n int) {
		if len(request) < 10_000 && (tool == "" || isTool(tool)) {
			checkStream(t, tool, request, min(max(n, 1), 1000))
		}
	})
}

func isTool(name string) bool {
	_, err := atomicedit.Tools(name)
	return err == nil
}
