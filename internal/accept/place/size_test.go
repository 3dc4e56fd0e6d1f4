package place_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// A variable with an initializer brings what it names into every program. So a program that only calls Apply is small
// as long as no table of parsers has one.
func TestAProgramThatOnlyAppliesIsSmall(t *testing.T) {
	const most = 3_400_000
	if testing.Short() || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("builds a program, whose size is known for linux/amd64")
	}
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	const program = `package main

import (
	"os"

	"github.com/atomicedit/atomicedit"
)

func main() {
	r, err := atomicedit.Apply([]byte("a\n"), []atomicedit.Edit{{Old: "a", New: "b"}}, nil)
	if err != nil {
		os.Exit(1)
	}
	os.Stdout.Write(r.Text)
}
`
	if err := os.WriteFile(src, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, src).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > most {
		t.Errorf("a stripped program that only calls Apply has %d bytes, more than %d", info.Size(), most)
	}
}
