package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a directory with files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEveryFormatLeadsToTheNewFile(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	long := strings.Repeat("same\n", 20)
	oldDir := write(t, map[string]string{
		"changed.txt":  "one\ntwo\n" + long + "three\nfour\n",
		"crlf.txt":     "one\r\ntwo\r\n",
		"end.txt":      "one\ntwo",
		"deleted.txt":  "gone\n",
		"the same.txt": "x\n",
		"markers.txt":  "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n",
	})
	newDir := write(t, map[string]string{
		"changed.txt":  "one\n2\n" + long + "3\nfour\n",
		"crlf.txt":     "one\r\n2\r\n",
		"end.txt":      "one\n2",
		"created.txt":  "new\n",
		"the same.txt": "x\n",
		"markers.txt":  "<<<<<<< HEAD\na\n=======\nB\n>>>>>>> x\n",
	})
	tallies, err := compare(oldDir, newDir, 3, true)
	if err != nil {
		t.Fatal(err)
	}
	unsayable := map[string]int{"blocks": 1, "json": 1} // the deletion
	for _, f := range formats {
		got := tallies[f.name]
		if want := 6 - unsayable[f.name]; got.exact != want || got.requests != want {
			t.Errorf("%s: %+v, want %d of %d", f.name, got, want, want)
		}
	}
}
