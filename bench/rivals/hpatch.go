package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// hpatch is a rival, and the variable of the environment that has the program that buildHpatch builds.
const hpatch = "hpatch"

// applyHpatch applies a script to the current directory with hpatch, which is a library.
const applyHpatch = `package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/yusing/hpatch"
)

func main() {
	script, err := io.ReadAll(os.Stdin)
	if err == nil {
		var root *os.Root
		if root, err = os.OpenRoot("."); err == nil {
			err = hpatch.Apply(context.Background(), hpatch.Workspace{Root: root, CWD: "."}, string(script))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`

// buildHpatch builds a program around a clone of hpatch, which stays as it is, in dir. Its parsers in C, which look at
// Python and JavaScript, take no part.
func buildHpatch(clone, dir string) (program string, err error) {
	if clone, err = filepath.Abs(clone); err != nil {
		return "", err
	}
	main, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	program, as := filepath.Join(dir, "apply"), filepath.Join(clone, "cmd", "apply", "main.go")
	for name, text := range map[string]string{
		main:    applyHpatch,
		overlay: fmt.Sprintf(`{"Replace": {%s: %s}}`, strconv.Quote(as), strconv.Quote(main)),
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-mod=mod", "-overlay", overlay, "-o", program, "./cmd/apply")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	return program, run(cmd, clone)
}

// byHpatch writes a script whose targets are texts, the form that says no more than the others.
func byHpatch(dir string, edits []edit) error {
	var script strings.Builder
	for _, e := range edits {
		fmt.Fprintf(&script, "in %s\ntype %s %s\n", e.file, strconv.Quote(e.old), strconv.Quote(e.new))
	}
	cmd := exec.Command(os.Getenv(hpatch))
	cmd.Stdin = strings.NewReader(script.String())
	return run(cmd, dir)
}
