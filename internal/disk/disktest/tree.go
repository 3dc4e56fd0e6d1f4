package disktest

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// SeedTree makes a directory with files. A text that begins with "-> " becomes a symbolic link, in which $DIR stands
// for the directory.
func SeedTree(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		if link, ok := strings.CutPrefix(text, "-> "); ok && err == nil {
			err = os.Symlink(strings.ReplaceAll(link, "$DIR", dir), full)
			if err != nil && runtime.GOOS == "windows" { // links need a privilege, or the developer mode
				t.Skip("no symbolic links: ", err)
			}
		} else if err == nil {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// FoundTree returns everything in dir in the form that SeedTree takes, including what a commit may have left. The state
// directory appears as "(a directory)".
func FoundTree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(full string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, full)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case e.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(full)
			files[name] = "-> " + strings.ReplaceAll(link, dir, "$DIR")
			return err
		case e.Type().IsRegular():
			data, err := os.ReadFile(full)
			files[name] = string(data)
			return err
		case name == ".atomicedit":
			files[name] = "(a directory)"
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
