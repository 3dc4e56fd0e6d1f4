package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

func TestTheModelFailsFirstAndCorrectsItself(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"hello.go": greeting})
	var out bytes.Buffer
	if err := work(t.Context(), &script{}, &atomicedit.Host{Store: atomicedit.NewSession(store)}, "Greet the moon.",
		&out); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(greeting, "world", "moon", 1); store.Files()["hello.go"] != want {
		t.Errorf("hello.go: %s", store.Files()["hello.go"])
	}
	var turns []string
	for line := range strings.Lines(out.String()) {
		for _, start := range []string{"model", "preview: ", "refused: ", "shown: ", "done: "} {
			if strings.HasPrefix(line, start) {
				turns = append(turns, strings.Join(strings.Fields(line)[:3], " "))
			}
		}
	}
	want := []string{
		"preview: edit hello.go,", "model calls multi_edit", "refused: hello.go: the", "model calls text_editor",
		"shown: hello.go: lines",
		"preview: edit hello.go,", "model calls multi_edit", "refused: hello.go: old_string",
		"preview: edit hello.go,", "model calls multi_edit", "done: modified hello.go:", "model: The program",
	}
	if diff := cmp.Diff(want, turns); diff != "" {
		t.Errorf("turns (-want +got):\n%s\n%s", diff, out.String())
	}
}

// stubborn makes the same call again and again.
type stubborn struct{}

func (stubborn) Next(context.Context, []atomicedit.Tool, []Message, func(tool, piece string)) (Message, error) {
	return call("multi_edit", map[string]string{})
}

func TestAnAgentThatLearnsNothingEnds(t *testing.T) {
	var out bytes.Buffer
	err := work(t.Context(), stubborn{}, &atomicedit.Host{Store: atomicedit.NewMem(nil)}, "x", &out)
	if err == nil || strings.Count(out.String(), "refused: ") != maxTurns {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestACancelledTaskEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	if err := work(ctx, stubborn{}, &atomicedit.Host{Store: atomicedit.NewMem(nil)}, "x", &out); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}

func TestRunOnADirectory(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "hello.go")
	if err := os.WriteFile(name, []byte(greeting), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(name); err != nil || !strings.Contains(string(data), "moon") {
		t.Errorf("%s, %v", data, err)
	}
}

func TestAPreviewTellsEachOperationAsItBecomesComplete(t *testing.T) {
	var out bytes.Buffer
	arriving := preview(&out)
	args := `{"operations": [{"type": "edit", "path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}, {"type": "delete", "path": "b"}], "cwd": ""}`
	for piece := range strings.SplitSeq(args, " ") {
		arriving("multi_edit_file", piece)
	}
	if diff := cmp.Diff("preview: edit , 1 edit\npreview: delete \n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
