package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestNumbersAndFlagsMayBeWrittenAsStrings(t *testing.T) {
	f := map[string]string{"f": "a\nb\na\n"}
	done := map[string]string{"f": "x\nb\nx\n"}
	edit := func(field string, value any) accepttest.Object {
		return accepttest.Object{"path": "f", "old_string": "a", "new_string": "x", "replace_all": true, field: value}
	}
	checkCalls(t, map[string]callCase{
		"a flag":               {f, edit("replace_all", "true"), done, ""},
		"a flag in capitals":   {f, edit("replace_all", "True"), done, ""},
		"a flag in words":      {f, edit("replace_all", "yes"), nil, "expected true or false"},
		"an empty flag":        {f, edit("replace_all", ""), nil, "expected true or false"},
		"a dry run":            {f, edit("dry_run", "true"), f, ""},
		"no dry run":           {f, edit("dry_run", "false"), done, ""},
		"perhaps a dry run":    {f, edit("dry_run", "maybe"), nil, "expected true or false"},
		"no regexp":            {f, edit("is_regex", "false"), done, ""},
		"a regexp":             {f, edit("is_regex", "true"), nil, "regular expression"},
		"a count":              {f, edit("expected_replacements", "2"), done, ""},
		"a count that is less": {f, edit("expected_replacements", "-2"), nil, "whole number"},
		"lines": {f, accepttest.Object{"path": "f", "start_line": "2", "end_line": "2", "content": "x"},
			map[string]string{"f": "a\nx\na\n"}, ""},
		"lines in words": {f, accepttest.Object{"path": "f", "start_line": "two", "end_line": "2", "content": "x"},
			nil, "whole number"},
		"lines in a list": {f, accepttest.Object{"path": "f",
			"edits": []any{accepttest.Object{"from": "1", "to": "2", "content": "x"}}},
			map[string]string{"f": "x\na\n"}, ""},
		"names of files": {map[string]string{"1": "a\n"}, accepttest.Object{"type": "move", "from": "1", "to": "2"},
			map[string]string{"2": "a\n"}, ""},
	})
}

func TestListsOfEditsUnderOtherNames(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	done := map[string]string{"f": "a\nx\n"}
	one := accepttest.Object{"old_string": "b", "new_string": "x"}
	with := func(name string, list any) callCase {
		return callCase{f, accepttest.Object{"path": "f", name: list}, done, ""}
	}
	checkCalls(t, map[string]callCase{
		"one edit without a list":   with("edits", one),
		"one edit, in a string":     with("edits", accepttest.Args(one)),
		"one edit, in the singular": with("edit", one),
		"patches":                   with("patches", []any{one}),
		"hunks":                     with("hunks", []any{one}),
		"pairs":                     with("pairs", []any{one}),
		"blocks":                    with("edit_blocks", []any{accepttest.Object{"search": "b", "replace": "x"}}),
		"actions":                   with("actions", []any{one}),
		"operations": with("operations",
			[]any{accepttest.Object{"type": "replace", "old_string": "b", "new_string": "x"}}),
		"operations of another file": {f,
			accepttest.Object{"path": "g",
				"operations": []any{accepttest.Object{"type": "edit", "path": "f", "edits": []any{one}}}}, nil,
			"names a file, and so does the call"},
		"operations of several files": {f,
			accepttest.Object{"actions": []any{accepttest.Object{"action": "edit", "path": "f", "edits": []any{one}}}},
			done, ""},
		"one replacement":            with("replacement", accepttest.Object{"old": "b", "new": "x"}),
		"one replacement, as a verb": with("replace", accepttest.Object{"old": "b", "new": "x"}),
		"one, of nothing known": {f, accepttest.Object{"path": "f", "replacement": accepttest.Object{"b": "x"}},
			nil, "no known kind"},
		"one, and an old text": {f,
			accepttest.Object{"path": "f", "search": "b", "replacement": accepttest.Object{"old": "b", "new": "x"}},
			nil, "unknown field \"search\""},
		"a move, and no edits": {f, accepttest.Object{"path": "f", "edits": []any{}, "to": "g"},
			map[string]string{"g": f["f"]}, ""},
		"one file without a list": {f, accepttest.Object{"files": accepttest.Object{"path": "f", "edits": []any{one}}},
			done, ""},
		"files of an unknown tool": {f,
			accepttest.Object{"name": "frobnicate",
				"arguments": accepttest.Object{"files": []any{accepttest.Object{"path": "f", "content": "x"}}}}, nil,
			"does not say that the file is written"},
		"files by their names": {f, accepttest.Object{"files": accepttest.Object{"f": "x"}}, nil,
			"does not say what to do with \"f\""},
	})
}

func TestEditsOfSeveralKindsInOneList(t *testing.T) {
	f := map[string]string{"f": "1\n2\n3\n4\n"}
	with := func(edits ...any) accepttest.Object { return accepttest.Object{"path": "f", "edits": edits} }
	text, lines := accepttest.Object{"old_string": "2", "new_string": "b"},
		accepttest.Object{"from": 1, "to": 1, "content": "a"}
	checkCalls(t, map[string]callCase{
		"a text, then lines": {f, with(text, lines), map[string]string{"f": "a\nb\n3\n4\n"}, ""},
		"lines, then a text": {f, with(lines, text), map[string]string{"f": "a\nb\n3\n4\n"}, ""},
		"a text that adds lines": {f,
			with(accepttest.Object{"old_string": "1\n", "new_string": "a\nb\n"},
				accepttest.Object{"insert_line": 3, "insert_text": "x"}), map[string]string{"f": "a\nb\n2\n3\nx\n4\n"},
			""},
		"each with its kind": {f,
			with(accepttest.Object{"type": "replace", "old_string": "2", "new_string": "b"},
				accepttest.Object{"type": "insert", "insert_line": 3, "text": "x"},
				accepttest.Object{"type": "delete", "start_line": 1, "end_line": 1},
				accepttest.Object{"type": "append", "content": "z"}), map[string]string{"f": "b\n3\nx\n4\nz\n"}, ""},
		"a text to delete": {f, with(accepttest.Object{"type": "delete", "old_string": "2\n"}),
			map[string]string{"f": "1\n3\n4\n"}, ""},
		"a deletion with a text": {f,
			with(accepttest.Object{"type": "delete", "old_string": "2\n", "new_string": "x"}), nil,
			"a deletion has a new text"},
		"a line to delete": {f, with(accepttest.Object{"type": "delete", "line": 2}),
			map[string]string{"f": "1\n3\n4\n"}, ""},
		"a line to delete, and lines": {f,
			with(accepttest.Object{"type": "delete", "line": 2, "content": "x"}), nil, "a deletion has new lines"},
		"a line to replace": {f,
			accepttest.Object{"type": "replace", "path": "f", "line": 2, "content": "x"},
			map[string]string{"f": "1\nx\n3\n4\n"}, ""},
		"a line, for what": {f, with(accepttest.Object{"line": 2, "content": "x"}), nil,
			"above or below"},
		"a line, of a tool that edits": {f,
			accepttest.Object{"name": "edit_file",
				"arguments": accepttest.Object{"path": "f", "line": 2, "content": "x"}}, nil, "above or below"},
		"a line, of a tool that deletes lines": {f,
			accepttest.Object{"name": "delete_line", "arguments": accepttest.Object{"path": "f", "line": 2}},
			map[string]string{"f": "1\n3\n4\n"}, ""},
		"a line, of a tool that deletes files": {f,
			accepttest.Object{"name": "delete_file", "arguments": accepttest.Object{"path": "f", "line": 2}}, nil,
			"does not say"},
		"a file to delete, or a text": {f, accepttest.Object{"type": "delete", "path": "f", "old_string": "2"}, nil,
			"something is deleted"},
		"one without its text": {f, with(lines, text, accepttest.Object{"new_string": "x"}), nil,
			"edit 3: the field \"old_string\" is missing"},
		"one with two kinds": {f, with(accepttest.Object{"old_string": "2", "new_string": "x", "insert_line": 1}), nil,
			"unknown field \"insert_line\""},
	})
}

func TestWhatSaysWhichPlaceIsMeant(t *testing.T) {
	f := map[string]string{"f": "a\nb\na\n"}
	third := map[string]string{"f": "a\nb\nx\n"}
	edit := func(old, field string, value any) accepttest.Object {
		return accepttest.Object{"path": "f", "old_string": old, "new_string": "x", field: value}
	}
	among := func(first, last int, all bool) accepttest.Object {
		return accepttest.Object{"TargetFile": "f", "TargetContent": "a", "ReplacementContent": "x", "StartLine": first,
			"EndLine": last, "AllowMultiple": all}
	}
	all := edit("a", "occurrence", 1)
	all["replace_all"] = true
	two := edit("a", "line", 3)
	two["start_line"] = 1
	checkCalls(t, map[string]callCase{
		"a line":                {f, edit("a", "line", 3), third, ""},
		"a line number":         {f, edit("a", "line_number", "3"), third, ""},
		"a range":               {f, edit("a", "line_range", []int{3, 3}), third, ""},
		"a range in strings":    {f, edit("a", "line_range", []string{"3", "3"}), third, ""},
		"a range backwards":     {f, edit("a", "line_range", []int{3, 1}), nil, "no range of lines"},
		"a range of more lines": {f, edit("a", "line_range", []int{2, 3}), third, ""},
		"a range with both":     {f, edit("a", "line_range", []int{1, 3}), nil, "there twice"},
		"a range without it": {f, edit("b", "line_range", []int{3, 3}), nil,
			"is there, at line 2, but not in the lines where the request places it"},
		"all in a range":            {f, among(2, 9, true), third, ""},
		"all in a range without it": {f, among(2, 2, true), nil, "is there, at lines 1, 3, but not in the lines where the request places it"},
		"lines of the text itself": {f,
			accepttest.Object{"path": "f", "old_str": "b", "new_str": "x", "old_str_start_line_number": 3,
				"old_str_end_line_number": 3}, map[string]string{"f": "a\nx\na\n"}, ""},
		"two lines":                 {f, two, nil, "both name the line"},
		"the only one":              {f, edit("b", "occurrence", 1), map[string]string{"f": "a\nx\na\n"}, ""},
		"the first of two":          {f, edit("a", "occurrence", 1), nil, "there twice"},
		"the second":                {f, edit("a", "occurrence", 2), nil, "picks one of several places"},
		"the last":                  {f, edit("a", "occurrence", "last"), nil, "picks one of several places"},
		"all of them":               {f, edit("a", "occurrence", "all"), map[string]string{"f": "x\nb\nx\n"}, ""},
		"the first, and all":        {f, all, nil, "contradict"},
		"the first, counted from 0": {f, edit("b", "occurrence_index", 0), map[string]string{"f": "a\nx\na\n"}, ""},
		"perhaps the second":        {f, edit("b", "occurrence_index", 1), nil, "picks one of several places"},
	})
}
