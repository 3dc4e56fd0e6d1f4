package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

func TestBuffersAreAStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) atomicedit.Store { return NewBuffers(atomicedit.NewMem(nil)) })
}

func edit(t *testing.T, s atomicedit.Store, path, older, newer string) {
	t.Helper()
	_, err := atomicedit.Run(t.Context(), s,
		atomicedit.Plan{Ops: []atomicedit.Op{{Path: path, Edits: []atomicedit.Edit{{Old: older, New: newer}}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, s atomicedit.Store, path string) string {
	t.Helper()
	f, err := s.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return string(f.Data)
}

func TestNothingReachesTheDiskUntilItIsSaved(t *testing.T) {
	disk := atomicedit.NewMem(map[string]string{"a": "one\n", "b": "two\n"})
	b := NewBuffers(disk)
	edit(t, b, "a", "one", "1")
	edit(t, b, "b", "two", "2")
	edit(t, b, "a", "1", "I")
	if disk.Files()["a"] != "one\n" || text(t, b, "a") != "I\n" {
		t.Errorf("disk %q, buffer %q", disk.Files()["a"], text(t, b, "a"))
	}
	if !b.Undo("a") || text(t, b, "a") != "1\n" || !b.Undo("b") || b.Undo("b") {
		t.Error("undo")
	}
	if err := b.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := disk.Files(); got["a"] != "1\n" || got["b"] != "two\n" {
		t.Errorf("disk %q", got)
	}
	edit(t, disk, "a", "1", "somebody else")
	edit(t, b, "a", "1", "one")
	if err := b.Save(t.Context()); !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("error %v", err)
	}
}

func TestTheCursorStaysWithItsText(t *testing.T) {
	b := NewBuffers(atomicedit.NewMem(map[string]string{"a": "one two three\n"}))
	buf := b.buffer(t.Context(), "a")
	buf.cursor = strings.Index("one two three", "three")
	edit(t, b, "a", "two", "2")
	if got := text(t, b, "a")[buf.cursor:]; got != "three\n" {
		t.Errorf("the cursor stands before %q", got)
	}
	edit(t, b, "a", "three", "3")
	if got := text(t, b, "a")[buf.cursor:]; got != "3\n" {
		t.Errorf("the cursor stands before %q", got)
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(name, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, save := range []bool{false, true} {
		var out bytes.Buffer
		request := strings.NewReader("a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n")
		if err := run(t.Context(), dir, []string{"a.txt"}, request, &out, save); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "+1\n") || (string(data) == "1\n") != save {
			t.Errorf("save %t: %q, %s", save, data, out.String())
		}
	}
}
