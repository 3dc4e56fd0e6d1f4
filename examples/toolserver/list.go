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
	Path    string  `json:"path"`
	Entries []entry `json:"entries"`
	More    int     `json:"more,omitempty"` // entries that follow
}

type entry struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`            // "file", "directory", "link" or "other"
	Bytes *int64 `json:"bytes,omitempty"` // of a file, where it is known
	To    string `json:"to,omitempty"`    // of a link
}

func (e entry) String() string {
	switch e.Kind {
	case "directory":
		return quoted(e.Name) + "/\n"
	case "link":
		return quoted(e.Name) + " -> " + quoted(e.To) + "\n"
	case "file":
		if e.Bytes == nil {
			return quoted(e.Name) + "\n"
		}
		return fmt.Sprintf("%s\t%d bytes\n", quoted(e.Name), *e.Bytes)
	}
	return quoted(e.Name) + "\tnot a file\n"
}

// quoted returns a name, in quotes if it could be taken for something else.
func quoted(name string) string {
	if strings.ContainsFunc(name, func(c rune) bool { return !strconv.IsPrint(c) }) {
		return strconv.Quote(name)
	}
	return name
}

// callList carries out a call of list_directory.
func (w *workspace) callList(ctx context.Context, args json.RawMessage) *answer {
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
		return refused(fmt.Sprintf("there is no directory %s: list the one above it to see what is there", quoted(in.Path)))
	case err != nil:
		return refused(fmt.Sprintf("%s cannot be listed: name a directory inside the root: %v", quoted(in.Path), err))
	}
	return l.answer(in.Path)
}

// answer returns as many entries as fit.
func (l *listing) answer(asked string) *answer {
	a := &answer{Answer: atomicedit.Answer{Status: "shown"}, Listing: l}
	shown := first(l.Entries, maxList, &a.Cut)
	l.More += len(l.Entries) - len(shown)
	l.Entries = shown
	a.Cut = l.More > 0
	var b strings.Builder
	fmt.Fprintf(&b, "entries of %s: %d\n", quoted(l.Path), len(shown))
	for _, e := range shown {
		b.WriteString(e.String())
	}
	if a.Cut {
		data, _ := json.Marshal(map[string]string{"path": asked, "after": shown[len(shown)-1].Name})
		fmt.Fprintf(&b, "note: %d more follow; to see them, call %s with %s\n", l.More, listName, data)
	}
	a.Text = b.String()
	return a
}

// list returns at most maxEntries entries of a directory, those behind a name. It follows no link that leads out of the root.
func (r *roots) list(ctx context.Context, name, after string) (*listing, error) {
	if path.Clean(name) == "." && len(r.dirs) > 1 {
		l := &listing{Path: "."}
		for _, d := range r.dirs {
			l.Entries = append(l.Entries, entry{Name: d.name, Kind: "directory"})
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
	l := &listing{Path: path.Join(d.name, rest), Entries: []entry{}, More: more}
	for _, name := range names {
		l.Entries = append(l.Entries, describe(dir, name))
	}
	return l, err
}

// firstNames returns the first maxEntries names of a directory behind a name, sorted, and how many more there are. It keeps few of
// them at a time. It leaves out the files of commits, and names that are not UTF-8, because no call can name those.
func firstNames(ctx context.Context, dir *os.File, after string) (names []string, more int, err error) {
	for {
		batch, err := dir.Readdirnames(maxEntries)
		for _, name := range batch {
			if name > after && name != ".atomicedit" && !strings.HasPrefix(name, ".atomicedit-") && utf8.ValidString(name) {
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
	e := entry{Name: name, Kind: "other"}
	info, err := dir.Lstat(name)
	switch {
	case err != nil: // it has just gone
	case info.IsDir():
		e.Kind = "directory"
	case info.Mode().IsRegular():
		size := info.Size()
		e.Kind, e.Bytes = "file", &size
	case info.Mode()&fs.ModeSymlink != 0:
		e.Kind = "link"
		e.To, _ = dir.Readlink(name)
	}
	return e
}
