package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
)

const (
	maxEntries = 1000 // of one listing

	listName = "list_directory"
)

// listTool is the one tool of the server's own: the library does not list directories.
var listTool = atomicedit.Tool{
	Name:  listName,
	Title: "List a directory",
	Description: `Lists the entries of a directory, sorted by name: directories with a slash, links with where they lead, files with their size. ` +
		`A long list ends with a note that says how to go on.

Example:
{"path": "internal"}`,
	Schema: json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"properties": {
			"path": {"type": "string", "description": "The directory; the root if left out."},
			"after": {"type": "string", "description": "List only the entries behind this name, to go on with a long list."}
		},
		"additionalProperties": false
	}`),
}

// A listing is what list_directory returns.
type listing struct {
	path    string
	entries []entry
	more    int // entries that follow
}

type entry struct {
	name  string
	kind  string // "file", "directory", "link" or "other"
	bytes *int64 // of a file, where it is known
	to    string // of a link
}

func (e entry) String() string {
	switch e.kind {
	case "directory":
		return quoted(e.name) + "/\n"
	case "link":
		return quoted(e.name) + " -> " + quoted(e.to) + "\n"
	case "file":
		if e.bytes == nil {
			return quoted(e.name) + "\n"
		}
		return fmt.Sprintf("%s\t%d bytes\n", quoted(e.name), *e.bytes)
	}
	return quoted(e.name) + "\tnot a file\n"
}

// quoted returns a name, in quotes if it could be taken for something else.
func quoted(name string) string {
	if strings.ContainsFunc(name, func(c rune) bool { return !strconv.IsPrint(c) }) {
		return strconv.Quote(name)
	}
	return name
}

// callList carries out a call of list_directory.
func (w *workspace) callList(ctx context.Context, args json.RawMessage) answer {
	var in struct{ Path, After string }
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil && !errors.Is(err, io.EOF) {
		if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return refused("unknown field " + field + ": expected path, after")
		}
		return refused("the arguments cannot be read: expected an object with path and after, which are strings")
	}
	l, err := w.tree.list(ctx, cmp.Or(in.Path, "."), in.After)
	switch {
	case ctx.Err() != nil:
		return failed(ctx.Err())
	case errors.Is(err, fs.ErrNotExist):
		return refused(fmt.Sprintf("there is no directory %s: list the one above it to see what is there",
			quoted(in.Path)))
	case err != nil:
		return refused(fmt.Sprintf("%s cannot be listed: name a directory inside the root: %v", quoted(in.Path), err))
	}
	return l.answer(in.Path)
}

// answer returns as many entries as fit.
func (l *listing) answer(asked string) answer {
	var b strings.Builder
	shown := 0
	for _, e := range l.entries {
		line := e.String()
		if b.Len()+len(line) > maxList {
			break
		}
		b.WriteString(line)
		shown++
	}
	text := fmt.Sprintf("entries of %s: %d\n%s", quoted(l.path), shown, b.String())
	if more := l.more + len(l.entries) - shown; more > 0 {
		data, _ := json.Marshal(map[string]string{"path": asked, "after": l.entries[shown-1].name})
		text += fmt.Sprintf("note: %d more follow; to see them, call %s with %s\n", more, listName, data)
	}
	return answerOf(&atomicedit.Answer{Status: "shown", Text: text})
}

// list returns at most maxEntries entries of a directory, those behind a name. It follows no link that leads out of the
// root.
func (r *roots) list(ctx context.Context, name, after string) (*listing, error) {
	if path.Clean(name) == "." && len(r.dirs) > 1 {
		l := &listing{path: "."}
		for _, d := range r.dirs {
			l.entries = append(l.entries, entry{name: d.name, kind: "directory"})
		}
		return l, nil
	}
	d, rest, err := r.find(name)
	if err != nil {
		return nil, err
	}
	dir, err := d.tree.OpenRoot(path.Clean(rest)) // unlike Open, it does not wait for the writer of a pipe
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, more, err := firstNames(ctx, f, after)
	l := &listing{path: path.Join(d.name, rest), entries: []entry{}, more: more}
	for _, name := range names {
		l.entries = append(l.entries, describe(dir, name))
	}
	return l, err
}

// firstNames returns the first maxEntries names of a directory behind a name, sorted, and how many more there are. It
// keeps few of them at a time. It leaves out the files of commits, and names that are not UTF-8, because no call can
// name those.
func firstNames(ctx context.Context, dir *os.File, after string) (names []string, more int, err error) {
	for {
		batch, err := dir.Readdirnames(maxEntries)
		for _, name := range batch {
			if name > after && name != ".atomicedit" && !strings.HasPrefix(name, ".atomicedit-") &&
				utf8.ValidString(name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if len(names) > maxEntries {
			more += len(names) - maxEntries
			names = names[:maxEntries]
		}
		if err = cmp.Or(err, ctx.Err()); errors.Is(err, io.EOF) {
			return names, more, nil
		} else if err != nil {
			return nil, 0, err
		}
	}
}

func describe(dir *os.Root, name string) entry {
	e := entry{name: name, kind: "other"}
	info, err := dir.Lstat(name)
	switch {
	case err != nil: // it has just gone
	case info.IsDir():
		e.kind = "directory"
	case info.Mode().IsRegular():
		size := info.Size()
		e.kind, e.bytes = "file", &size
	case info.Mode()&fs.ModeSymlink != 0:
		e.kind = "link"
		e.to, _ = dir.Readlink(name)
	}
	return e
}
