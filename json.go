package atomicedit

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// maxJSON is the size of the largest JSON request that is read, in bytes.
const maxJSON = 64 << 20

// ParseJSON reads the arguments of an editing tool, one JSON object. Its fields determine its shape:
//
//	{file_path, edits: [{old_string, new_string, replace_all?, expected_replacements?}]}
//	{file_path, old_string, new_string, replace_all? or allow_multiple?, expected_replacements?, instruction?}
//	{path, edits: [{old_string, new_string, replace_all?, startLine?}], cwd?, skillToken?}
//	{files: [{path, edits}], cwd?, skillToken?}
//	{operations: [{type: edit, create, delete or move, …}], cwd?, skillToken?}
//	{path, edits: [{oldText, newText}], dryRun?}, also old_text and new_text
//	{path, edits: [{from, to?, content}]}
//	{path, patch_text}
//	{path, content}
//	{file_path, percentage_to_change, text_or_search_replace_blocks, thread_id?}
//	{input} or {patch}
//	{operation: {type: create_file, update_file or delete_file, path, diff?}}
//	{command: create, str_replace or insert, path, file_text?, old_str?, new_str?, insert_line?, insert_text?}
//	{action: write or patch, path, content?, patch_text?, edits?}
//
// Edits replace substrings, one after the other, except for {from, to, content}, which are edits of lines. An old or new
// text that is null is empty. Any other field that is null counts as missing. An empty old_string in the first edit for a
// file_path creates the file; elsewhere it is refused. "edits" may be a string that contains the array. A cwd is prepended to
// paths that are not absolute.
//
// Every error is a [*Refusal]: [ErrSyntax] for a field that is missing, unknown, of the wrong type or repeated, for text
// after the object and for invalid UTF-8 (and also io.ErrUnexpectedEOF if the object was cut off); [ErrNoChange] for an
// edit whose texts are equal; [ErrTooLarge] for more than 64 MiB. Lines count those of data, or those of a string that holds
// a patch or blocks.
func ParseJSON(data []byte) (Plan, error) {
	p, _, err := readJSON(data, dialect{shapes: allShapes})
	return p, err
}

// readJSON reads a call in one of the shapes of d, which has either a plan or a view.
func readJSON(data []byte, d dialect) (Plan, *view, error) {
	switch {
	case len(data) > maxJSON:
		return Plan{}, nil, refuse(Problem{Err: ErrTooLarge, Op: -1, Edit: -1, Msg: "the request is larger than 64 MiB: send it in parts"})
	case len(bytes.TrimSpace(data)) == 0:
		return Plan{}, nil, syntax(1, "the request is empty: expected a JSON object")
	}
	r := &jsonReader{data: data, views: d.views}
	object, err := jsonobj.Parse(data, theRequest)
	if err != nil {
		refusal := r.refusal(err)
		if errors.Is(refusal, io.ErrUnexpectedEOF) {
			refusal.Partial = partialJSON(data, d.shapes)
		}
		return Plan{}, nil, refusal
	}
	o := r.top(object)
	s, ok := d.shapeOf(o)
	switch {
	case !ok && d.tool != "":
		return Plan{}, nil, syntax(1, "this is not a call of "+d.tool+", as it has "+o.fieldNames()+": expected the field "+d.keys())
	case !ok:
		return Plan{}, nil, syntax(1, "the request is of no known kind, as it has "+o.fieldNames()+": expected, for example, "+
			"{\"file_path\", \"edits\": [{\"old_string\", \"new_string\"}]}")
	}
	p, v, err := s.readCall(o)
	if err == nil {
		err = r.problems()
	}
	if err != nil {
		return Plan{}, nil, err
	}
	return p, v, nil
}

// partialJSON returns the part of a plan that is complete in a request that was cut off: up to the last complete element of
// an array, or up to the last complete section or block of a patch or blocks in a string.
func partialJSON(data []byte, shapes []shape) Plan {
	closed, last := jsonobj.Close(data)
	if closed == nil {
		return Plan{}
	}
	switch last {
	case "":
		p, _, err := readJSON(closed, dialect{shapes: shapes})
		if err != nil {
			return Plan{}
		}
		return p
	case "input", "patch", "patch_text", "text_or_search_replace_blocks":
	default:
		return Plan{}
	}
	object, err := jsonobj.Parse(closed, theRequest)
	if err != nil {
		return Plan{}
	}
	p, _, err := readJSON(closed, dialect{shapes: shapes})
	content, _ := object.Text(last)
	var inner *Refusal
	switch {
	case errors.As(err, &inner):
		p = inner.Partial
	case len(p.Ops) > 0 && p.Ops[0].Overwrite, last != "text_or_search_replace_blocks" && !hasPatchBegin(content):
		return Plan{} // a whole file, or chunks: nothing marks their end
	}
	path, _ := object.Text("path")
	filePath, _ := object.Text("file_path")
	return p.ForFile(path + filePath)
}

// A shape is one form of JSON request. Its key distinguishes it from the shapes after it.
type shape struct {
	key    string   // the field by which it is recognised
	fields []string // all fields that it may have
	read   func(o *objectReader) (Plan, error)
	view   func(o *objectReader) *view // reads a call that shows a file; nil if o is another call, or if the shape has none
}

// readCall reads a request in the shape s: a plan or a view. Problems with its fields are noted.
func (s shape) readCall(o *objectReader) (p Plan, v *view, err error) {
	if s.view != nil && o.request.views {
		v = s.view(o)
	}
	if v == nil {
		if p, err = s.read(o); err != nil {
			return Plan{}, nil, err
		}
	}
	o.allow(s.fields...) // s.read may allow fewer, so it goes first
	return p, v, nil
}

// A dialect is a list of shapes. A request has the first shape whose key it has.
type dialect struct {
	shapes []shape
	tool   string // the tool whose calls they are, "" for the calls of any
	views  bool   // calls that show a file are read as well
}

// shapeOf returns the shape of o. A key that is null counts only if no other is there.
func (d dialect) shapeOf(o *objectReader) (shape, bool) {
	for _, has := range []func(string) bool{o.IsSet, o.Has} {
		for _, s := range d.shapes {
			if has(s.key) {
				return s, true
			}
		}
	}
	return shape{}, false
}

// keys lists the keys for a message.
func (d dialect) keys() string {
	keys := make([]string, len(d.shapes))
	for i, s := range d.shapes {
		keys[i] = quote(s.key)
	}
	return strings.Join(keys, " or ")
}

// editFields are the fields of a request for one edit of a file_path.
var editFields = []string{"file_path", "old_string", "new_string", "replace_all", "allow_multiple", "expected_replacements", "instruction"}

// allShapes has every shape. A request has the first one whose key it has.
var allShapes = []shape{
	{key: "operations", fields: []string{"operations", "cwd", "skillToken"}, read: readOperations},
	{key: "files", fields: []string{"files", "cwd", "skillToken"}, read: readFiles},
	{key: "operation", fields: []string{"operation"}, read: readPatchOperation},
	{
		key: "command", fields: []string{"command", "path", "file_text", "old_str", "new_str", "insert_line", "insert_text", "view_range"},
		read: readCommand, view: viewCommand,
	},
	{
		key: "action", fields: []string{"action", "path", "content", "patch_text", "edits", "line_from", "line_to"},
		read: readAction, view: viewAction,
	},
	{
		key: "text_or_search_replace_blocks", fields: []string{"file_path", "percentage_to_change", "text_or_search_replace_blocks", "thread_id"},
		read: readPercentage,
	},
	{key: "patch_text", fields: []string{"path", "patch_text"}, read: readPatchText},
	{key: "input", fields: []string{"input"}, read: func(o *objectReader) (Plan, error) { return o.patch("input") }},
	{key: "patch", fields: []string{"patch"}, read: func(o *objectReader) (Plan, error) { return o.patch("patch") }},
	{key: "edits", fields: []string{"file_path", "path", "edits", "cwd", "skillToken", "dryRun"}, read: readAnyEdits},
	{key: "old_string", fields: editFields, read: readSingleEdit},
	{key: "content", fields: []string{"path", "content"}, read: readContent},
	{key: "new_string", fields: editFields, read: readSingleEdit}, // old_string is missing
}

// shapeOf returns the one of all shapes that has the given key.
func shapeOf(key string) shape {
	return allShapes[slices.IndexFunc(allShapes, func(s shape) bool { return s.key == key })]
}
