package atomicedit

import (
	"slices"
	"strings"
)

// A form is one kind of call that a tool of [Tools] takes, or of an entry in one. It has the named fields and no others.
type form struct {
	sign   string // the field by which it is recognised, or field=value; "" if it is the only one
	fields []string
	elems  []form                    // of the entries of a list
	view   func(o *jsonObject) *view // reads a call that shows a file
}

var exactEdit = []form{{fields: listOf("old_string new_string replace_all startLine")}}

// toolForms has the forms of each tool.
var toolForms = map[string][]form{
	"multi_edit": {
		{sign: "edits", fields: listOf("file_path edits"), elems: []form{{fields: listOf("old_string new_string replace_all expected_replacements")}}},
	},
	"apply_patch": {
		{sign: "input", fields: listOf("input")},
		{sign: "patch", fields: listOf("patch")},
		{sign: "operation", fields: listOf("operation"), elems: []form{
			{sign: "type=create_file", fields: listOf("type path diff")},
			{sign: "type=update_file", fields: listOf("type path diff")},
			{sign: "type=delete_file", fields: listOf("type path diff")},
		}},
	},
	"text_editor": {
		{sign: "action=read", fields: listOf("action path line_from line_to"), view: viewAction},
		{sign: "action=write", fields: listOf("action path content")},
		{sign: "action=patch", fields: listOf("action path patch_text edits"), elems: []form{{fields: listOf("from to content")}}},
	},
	"multi_edit_file": {
		{sign: "operations", fields: listOf("operations cwd skillToken"), elems: []form{
			{sign: "type=edit", fields: listOf("type path edits"), elems: exactEdit},
			{sign: "type=create", fields: listOf("type path content overwrite")},
			{sign: "type=delete", fields: listOf("type path")},
			{sign: "type=move", fields: listOf("type from to overwrite")},
		}},
		{sign: "files", fields: listOf("files cwd skillToken"), elems: []form{{fields: listOf("path edits"), elems: exactEdit}}},
		{sign: "edits", fields: listOf("path edits cwd skillToken"), elems: exactEdit},
	},
	"file_write_or_edit": {
		{sign: "text_or_search_replace_blocks", fields: listOf("file_path percentage_to_change text_or_search_replace_blocks thread_id")},
	},
	"str_replace_editor": {
		{sign: "command=view", fields: listOf("command path view_range"), view: viewCommand},
		{sign: "command=create", fields: listOf("command path file_text")},
		{sign: "command=str_replace", fields: listOf("command path old_str new_str")},
		{sign: "command=insert", fields: listOf("command path insert_line insert_text new_str")},
	},
}

// takeForm makes o an object of the form that it has, and returns the forms of its elements. It reports whether o has one.
func takeForm(o *jsonObject, forms []form) (elems []form, ok bool) {
	f, ok := formAmong(o, forms)
	if !ok {
		name, _, _ := strings.Cut(forms[0].sign, "=")
		missingField(o, name)
		return nil, false
	}
	o.strict = f.fields
	expectForm(o, f)
	return f.elems, true
}

// formAmong returns the form of o.
func formAmong(o *jsonObject, forms []form) (form, bool) {
	for _, has := range []func(string) bool{o.IsSet, o.Has} {
		for _, f := range forms {
			name, value, _ := strings.Cut(f.sign, "=")
			if f.sign == "" || has(name) && (value == "" || saysValue(o, name, value)) {
				return f, true
			}
		}
	}
	name, _, byValue := strings.Cut(forms[0].sign, "=")
	if byValue && o.Has(name) {
		values := make([]string, len(forms))
		for i, f := range forms {
			_, values[i], _ = strings.Cut(f.sign, "=")
		}
		is, err := o.Text(name)
		o.check(err)
		if last := len(values) - 1; err == nil {
			o.failf("%q is %s: expected %s or %s", name, quote(is), strings.Join(values[:last], ", "), values[last])
		}
	}
	return form{}, false
}

// says reports whether a field is the string value.
func saysValue(o *jsonObject, name, value string) bool {
	is, _ := o.Text(name)
	return is == value
}

// expect records the first field that f does not have.
func expectForm(o *jsonObject, f form) {
	for _, name := range o.Names {
		if o.IsSet(name) && !o.reported && !slices.Contains(f.fields, name) {
			o.reported = true
			o.failf("unknown field %s: expected %s", quote(name), strings.Join(f.fields, ", "))
		}
	}
}

// missing records that a field is missing or null.
func missingField(o *jsonObject, name string) {
	if !o.failed() {
		o.failf("the field %q is missing: it is required", name)
	}
}

// A view is a call that shows a file: the lines first to last, 0 standing for the first and the last that the file has.
type view struct {
	path        string
	first, last int
}

// viewCommand reads the "view" of a str_replace editor.
func viewCommand(o *jsonObject) *view {
	return viewOf(o, pathIn(o, pathField, ""), o.numbersNamed("view_range"))
}

// viewAction reads the "read" of a text editor.
func viewAction(o *jsonObject) *view {
	path := pathIn(o, pathField, "")
	return viewOf(o, path, []int{o.number(firstField, 1), o.number(lastField, 1)})
}

// viewOf returns the view of a file from the first to the second of the given numbers; without numbers, of all of it.
func viewOf(o *jsonObject, path string, numbers []int) *view {
	v := &view{path: path}
	switch {
	case len(numbers) == 0:
	case len(numbers) != 2:
		o.failf("the range has %d %s: expected two, the first and the last line to show",
			len(numbers), plural(len(numbers), "number"))
	default:
		v.first, v.last = numbers[0], numbers[1]
		if v.last == -1 {
			v.last = 0
		}
		if v.first < 0 || v.last < 0 || v.last > 0 && v.last < v.first {
			o.failf("lines %d to %d are not a range: expected the first and the last line to show, counted from 1",
				numbers[0], numbers[1])
		}
	}
	return v
}
