// Package site builds the files of the page.
package site

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed web
var web embed.FS

// Policy is the Content-Security-Policy of every file. That of the page itself, in its <meta>, forbids connections
// altogether: only the worker loads something, the library.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// Wasm is the name of the library in the site.
const Wasm = "atomicedit.wasm"

// Build writes the site to a directory. It runs the go command in the module of the page, which is the current
// directory or above it.
func Build(dir string) error {
	files, err := fs.Sub(web, "web")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return write(dir, name, data)
	})
	if err != nil {
		return err
	}
	root, err := goCommand("env", "GOROOT")
	if err != nil {
		return err
	}
	support, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if err := write(dir, "wasm_exec.js", support); err != nil {
		return err
	}
	out, err := filepath.Abs(filepath.Join(dir, Wasm))
	if err != nil {
		return err
	}
	// Without inlining (-l) the program is a tenth smaller once it is compressed. Only what looks at every byte is
	// inlined.
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l"}
	for _, hot := range []string{
		"crypto/internal/fips140/sha256", "crypto/internal/fips140deps/byteorder", "internal/byteorder", "math/bits",
		"github.com/atomicedit/atomicedit/internal/lint",
	} {
		args = append(args, "-gcflags="+hot+"=")
	}
	_, err = goCommand(append(args, "-o", out, "github.com/atomicedit/atomicedit/playground/wasm")...)
	return err
}

func write(dir, name string, data []byte) error {
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// goCommand runs the go command for WebAssembly, and returns what it prints.
func goCommand(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return strings.TrimSpace(stdout.String()), nil
}
