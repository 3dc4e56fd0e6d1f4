package speed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit"
)

// A Call is a row of the table about files in a directory. It is measured in wall time, beside a floor or a limit.
type Call struct {
	Name  string
	Times float64       // the target as a multiple of the time of the floor
	Limit time.Duration // or as a time
	Most  float64       // or as a multiple of the memory that the floor allocates; then time does not matter
	Open  func(dir string) (ours, floor func(), end func() error)
}

// Calls has calls of a Host, and the preparation of many files, on a file system that need not wait for a disk.
func Calls() []Call {
	source := goTreeFile("net/url/url.go")
	call := "Host.Call of one edit, a file of "
	return []Call{
		{Name: call + "730 KB", Times: 1.5, Open: hostCall("f.txt", Generated(26_000, 0))},
		{Name: call + fmt.Sprint(len(source)>>10) + " KiB of Go", Times: 4, Open: hostCall("f.go", source)},
		{Name: call + "64 MB: memory", Most: 140. / 128, Open: hostCall("f.txt", Generated(2_200_000, 0))},
		{Name: "Prepare of 1,000 files of 8 KiB", Limit: 1000 * 50 * time.Microsecond, Open: prepareMany(1000, 8<<10)},
	}
}

func goTreeFile(name string) []byte {
	data, err := os.ReadFile(filepath.Join(goSources(), filepath.FromSlash(name)))
	if err != nil {
		panic(err)
	}
	return data
}

// hostCall calls a Host whose session has seen the file. The floor reads the file, replaces the line, and writes and
// renames a new file as durably.
func hostCall(name string, text []byte) func(dir string) (ours, floor func(), end func() error) {
	const line, other = "// the line to edit\n", "// the line that was edited\n"
	at := bytes.LastIndex(text[:len(text)/2], []byte("\nfunc ")) + 1
	text = append(append(bytes.Clone(text[:at]), line...), text[at:]...)
	return func(dir string) (ours, floor func(), end func() error) {
		for _, sub := range []string{"ours", "floor"} {
			check(os.Mkdir(filepath.Join(dir, sub), 0o755))
			check(os.WriteFile(filepath.Join(dir, sub, name), text, 0o644))
		}
		store, err := atomicedit.OpenDir(filepath.Join(dir, "ours"), nil)
		check(err)
		host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
		_, err = host.View(context.Background(), name, 0, 0)
		check(err)
		old, new := line, other
		ours = func() {
			args, err := json.Marshal(map[string]string{"command": "str_replace", "path": name, "old_str": old,
				"new_str": new})
			check(err)
			_, err = host.Call(context.Background(), "str_replace_editor", args)
			check(err)
			old, new = new, old
		}
		was, is := []byte(line), []byte(other)
		floor = func() {
			full := filepath.Join(dir, "floor", name)
			data, err := os.ReadFile(full)
			check(err)
			check(replaceFile(full, bytes.Replace(data, was, is, 1)))
			was, is = is, was
		}
		return ours, floor, store.Close
	}
}

func replaceFile(name string, data []byte) error {
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(name+".new", name); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// prepareMany prepares one edit of each of many files.
func prepareMany(files, size int) func(dir string) (ours, floor func(), end func() error) {
	return func(dir string) (ours, floor func(), end func() error) {
		text := strings.Repeat("some line\n", size/10)
		var plan atomicedit.Plan
		for i := range files {
			name := fmt.Sprintf("file%d.txt", i)
			check(os.WriteFile(filepath.Join(dir, name), []byte(text+"the line to edit\n"), 0o644))
			edit := atomicedit.Edit{Old: "the line to edit\n", New: "an edited line\n", WholeLines: true}
			plan.Ops = append(plan.Ops, atomicedit.Op{Path: name, Edits: []atomicedit.Edit{edit}})
		}
		store, err := atomicedit.OpenDir(dir, nil)
		check(err)
		ours = func() {
			_, err := atomicedit.Prepare(context.Background(), store, plan, nil)
			check(err)
		}
		return ours, nil, store.Close
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
