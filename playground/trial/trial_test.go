package trial

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/google/go-cmp/cmp"
)

const twice = "func net() {\n\ttotal := 0\n}\n\nfunc gross() {\n\ttotal := 0\n}\n"

func block(path, old, new string) string {
	return path + "\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n"
}

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		name, file, request string
		want                []Place
		state               string
	}{
		{"an exact block", twice, block("a.go", "func net() {\n\ttotal := 0\n", "func net() {\n\ttotal := 1\n"),
			[]Place{{1, 2, "place", ""}}, "placed"},
		{"an insertion", twice, block("a.go", "func gross() {\n", "func gross() {\n\tcheck()\n"),
			[]Place{{5, 5, "place", ""}}, "placed"},
		{"every occurrence", twice, `{"path": "a.go", "old_string": "total", "new_string": "sum", "replace_all": true}`,
			[]Place{{2, 2, "place", ""}, {6, 6, "place", ""}}, "placed"},
		{"lines by their numbers", twice,
			`{"path": "a.go", "edits": [{"from": 5, "to": 6, "content": "func gross() {\n"}]}`,
			[]Place{{5, 6, "place", ""}}, "placed"},
		{"two candidates", twice, block("a.go", "\ttotal := 0\n", "\ttotal := 1\n"), []Place{
			{2, 2, "candidate", "it fits as well as the others, and nothing tells them apart"},
			{6, 6, "candidate", "it fits as well as the others, and nothing tells them apart"},
		}, "refused"},
		{"a candidate that an anchor rules out", twice,
			"*** Begin Patch\n*** Update File: a.go\n@@ func gross() {\n-\ttotal := 0\n+\ttotal := 1\n*** End Patch\n",
			[]Place{
				{6, 6, "place", ""}, {2, 2, "passed", "it is outside the scope of the anchor"},
			}, "placed"},
		{"a candidate further from the line", twice,
			`{"path": "a.go", "old_string": "\ttotal := 0", "new_string": "\ttotal := 1", "start_line": 6}`, []Place{
				{6, 6, "place", ""}, {2, 2, "passed", "it is further away from the line that the request names"},
			}, "placed"},
		{"the nearest text", twice, block("a.go", "func gross() {\n\tsum := 0\n", "func gross() {\n\tsum := 1\n"),
			[]Place{
				{5, 6, "nearest", "closest text, 88% similar: 1 of 2 lines differs from the request"},
			}, "refused"},
		{"made already", twice, block("a.go", "func gross() {\n\ttotal := 9\n", "func gross() {\n\ttotal := 0\n"),
			[]Place{{5, 6, "candidate", "the new text is already here"}}, "refused"},
		{"an anchor that is not there", twice,
			"*** Begin Patch\n*** Update File: a.go\n@@ func none() {\n-func net() {\n+func net2() {\n*** End Patch\n",
			[]Place{
				{1, 1, "candidate", "it is outside the scope of the anchor"},
			}, "refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := Try(Input{Files: []File{{Path: "a.go", Text: test.file}}, Request: test.request})
			if len(a.Edits) != 1 {
				t.Fatalf("%d edits: %s", len(a.Edits), a.Message)
			}
			if diff := cmp.Diff(test.want, a.Edits[0].Places); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
			if a.Edits[0].State != test.state {
				t.Errorf("the edit is %s", a.Edits[0].State)
			}
		})
	}
}

// An edit that was written for an older text is carried over to the file, or refused if somebody has changed its lines.
func TestAFileThatHasChangedSinceItWasRead(t *testing.T) {
	request := block("a.go", "func gross() {\n\ttotal := 0\n", "func gross() {\n\ttotal := 1\n")
	for name, c := range map[string]struct {
		now, outcome string
		place        Place
	}{
		"above": {"// Package a.\n\n" + twice, "done", Place{7, 8, "place", ""}},
		"the lines": {strings.ReplaceAll(twice, "total := 0", "total := 2"), "refused",
			Place{5, 6, "nearest", "closest text, 88% similar: 1 of 2 lines differs from the request"}},
	} {
		a := Try(Input{Files: []File{{Path: "a.go", Text: c.now, Read: twice}}, Request: request})
		if a.Outcome != c.outcome {
			t.Errorf("%s: %s, %s", name, a.Outcome, a.Message)
		}
		if diff := cmp.Diff([]Place{c.place}, a.Edits[0].Places); diff != "" {
			t.Errorf("%s: places (-want +got):\n%s", name, diff)
		}
	}
}

func TestEditsThatWouldFitAreDrawnToo(t *testing.T) {
	in := Input{
		Files: []File{{Path: "a.go", Text: twice}, {Path: "b.go", Text: "package b\n"}},
		Request: "a.go\n<<<<<<< SEARCH\n\ttotal := 0\n=======\n\ttotal := 1\n>>>>>>> REPLACE\n" +
			"<<<<<<< SEARCH\nfunc gross() {\n=======\nfunc Gross() {\n>>>>>>> REPLACE\n" +
			block("b.go", "package b\n", "package c\n"),
	}
	a := Try(in)
	var got []string
	for _, e := range a.Edits {
		got = append(got, e.Path+" "+e.Name+" "+e.State)
	}
	if diff := cmp.Diff([]string{"a.go block 1 refused", "a.go edit 2 waiting", "b.go edit 1 waiting"},
		got); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
	if len(a.Edits[2].Places) != 1 {
		t.Error("the edit that would fit has no place")
	}
}

func TestDifferencesAreMarked(t *testing.T) {
	a, b := compare("say “hi”", `say "hi"`)
	want := []Seg{{"say ", ""}, {"“", "d"}, {"hi", ""}, {"”", "d"}}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("requested (-want +got):\n%s", diff)
	}
	want = []Seg{{"say ", ""}, {`"`, "d"}, {"hi", ""}, {`"`, "d"}}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	_, b = compareInside("b", "a b c")
	if diff := cmp.Diff([]Seg{{"a ", "o"}, {"b", ""}, {" c", "o"}}, b); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestALooserFitIsNamed(t *testing.T) {
	in := Input{Files: []File{{Path: "a.go", Text: twice}},
		Request: block("a.go", "func net() {\n  total := 0\n", "func net() {\n  total := 1\n"),
		Loosest: atomicedit.Exact}
	if a := Try(in); a.Looser != "indentation" {
		t.Errorf("the looser fit is %q: %s", a.Looser, a.Message)
	}
}

// requests returns the requests of the examples of the command apply, one for each format.
func requests(t *testing.T) map[string]string {
	t.Helper()
	dir := filepath.Join("..", "..", "examples", "apply", "testdata", "requests")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func TestEveryPrefixOfARequestHasAnAnswer(t *testing.T) {
	for name, request := range requests(t) {
		in := Input{Files: []File{{Path: "a.go", Text: twice}}, Request: request}
		replay := NewReplay(in)
		for at := range len(request) + 1 {
			replay.At(at)
			if at%16 == 0 {
				in.Request = request[:at]
				Try(in)
				Print(in)
				GoTest(in)
			}
		}
		if len(Milestones(Input{Request: request})) == 0 {
			t.Errorf("%s has no milestones", name)
		}
	}
}

func TestAReplayMayGoBack(t *testing.T) {
	in := Input{Files: []File{{Path: "a.go", Text: twice}}, Request: block("a.go", "func net() {\n", "func Net() {\n") +
		"\nDone.\n"}
	r := NewReplay(in)
	there := len(in.Request) - 3
	want := r.At(there)
	r.At(10)
	if diff := cmp.Diff(want, r.At(there)); diff != "" {
		t.Errorf("the frame (-first +second):\n%s", diff)
	}
	if want.Edits != 1 || want.Answer.Outcome != "done" {
		t.Errorf("%d edits, %s", want.Edits, want.Answer.Outcome)
	}
}

// The test that the page offers passes, for a request that is carried out and for one that is refused.
func TestTheGoTestPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	dir, err := os.MkdirTemp(".", "generated")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	entries := ""
	for _, in := range []Input{
		{Files: []File{{Path: "a.go", Text: twice}}, Request: block("a.go", "func net() {\n", "func Net() {\n")},
		{Files: []File{{Path: "a.go", Text: twice + "// more\n", Read: twice}},
			Request: block("a.go", "func net() {\n", "func Net() {\n")},
		{Files: []File{{Path: "a.go", Text: twice + "// `quoted`\r\n"}, {Path: "b.go", Text: ""}},
			Request: block("a.go", "\ttotal := 0\n", "\ttotal := 1\n")},
		{Files: []File{{Path: "a.go", Text: twice}},
			Request: block("a.go", "func net() {\n  total := 0\n", "func net() {\n  total := 1\n"),
			Loosest: atomicedit.Exact},
		{Request: "nothing that anybody can read"},
	} {
		entry, _ := GoTest(in)
		entries += entry + "\n"
	}
	source := "package generated\n\nimport (\n\t\"context\"\n\t\"testing\"\n\n\t\"github.com/atomicedit/atomicedit\"\n)\n\n" + strings.Replace(harness, "ENTRY", entries, 1)
	if err := os.WriteFile(filepath.Join(dir, "generated_test.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-v", "./"+dir).CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS") != 6 {
		t.Errorf("%v\n%s\n%s", err, out, source)
	}
}
