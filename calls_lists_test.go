package atomicedit_test

import "testing"

func TestNumbersAndFlagsMayBeWrittenAsStrings(t *testing.T) {
	f := map[string]string{"f": "a\nb\na\n"}
	done := map[string]string{"f": "x\nb\nx\n"}
	edit := func(field string, value any) object {
		return object{"path": "f", "old_string": "a", "new_string": "x", "replace_all": true, field: value}
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
		"lines":                {f, object{"path": "f", "start_line": "2", "end_line": "2", "content": "x"}, map[string]string{"f": "a\nx\na\n"}, ""},
		"lines in words":       {f, object{"path": "f", "start_line": "two", "end_line": "2", "content": "x"}, nil, "whole number"},
		"lines in a list":      {f, object{"path": "f", "edits": []any{object{"from": "1", "to": "2", "content": "x"}}}, map[string]string{"f": "x\na\n"}, ""},
		"names of files":       {map[string]string{"1": "a\n"}, object{"type": "move", "from": "1", "to": "2"}, map[string]string{"2": "a\n"}, ""},
	})
}

func TestListsOfEditsUnderOtherNames(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	done := map[string]string{"f": "a\nx\n"}
	one := object{"old_string": "b", "new_string": "x"}
	with := func(name string, list any) callCase {
		return callCase{f, object{"path": "f", name: list}, done, ""}
	}
	checkCalls(t, map[string]callCase{
		"one edit without a list":     with("edits", one),
		"one edit, in a string":       with("edits", args(one)),
		"one edit, in the singular":   with("edit", one),
		"patches":                     with("patches", []any{one}),
		"hunks":                       with("hunks", []any{one}),
		"pairs":                       with("pairs", []any{one}),
		"blocks":                      with("edit_blocks", []any{object{"search": "b", "replace": "x"}}),
		"actions":                     with("actions", []any{one}),
		"operations":                  with("operations", []any{object{"type": "replace", "old_string": "b", "new_string": "x"}}),
		"operations of another file":  {f, object{"path": "g", "operations": []any{object{"type": "edit", "path": "f", "edits": []any{one}}}}, nil, "names a file, and so does the call"},
		"operations of several files": {f, object{"actions": []any{object{"action": "edit", "path": "f", "edits": []any{one}}}}, done, ""},
		"one replacement":             with("replacement", object{"old": "b", "new": "x"}),
		"one replacement, as a verb":  with("replace", object{"old": "b", "new": "x"}),
		"one, of nothing known":       {f, object{"path": "f", "replacement": object{"b": "x"}}, nil, "no known kind"},
		"one, and an old text":        {f, object{"path": "f", "search": "b", "replacement": object{"old": "b", "new": "x"}}, nil, "unknown field \"search\""},
		"one file without a list":     {f, object{"files": object{"path": "f", "edits": []any{one}}}, done, ""},
		"files of an unknown tool":    {f, object{"name": "frobnicate", "arguments": object{"files": []any{object{"path": "f", "content": "x"}}}}, nil, "does not say that the file is written"},
		"files by their names":        {f, object{"files": object{"f": "x"}}, nil, "does not say what to do with \"f\""},
	})
}

func TestEditsOfSeveralKindsInOneList(t *testing.T) {
	f := map[string]string{"f": "1\n2\n3\n4\n"}
	with := func(edits ...any) object { return object{"path": "f", "edits": edits} }
	text, lines := object{"old_string": "2", "new_string": "b"}, object{"from": 1, "to": 1, "content": "a"}
	checkCalls(t, map[string]callCase{
		"a text, then lines":                   {f, with(text, lines), map[string]string{"f": "a\nb\n3\n4\n"}, ""},
		"lines, then a text":                   {f, with(lines, text), map[string]string{"f": "a\nb\n3\n4\n"}, ""},
		"a text that adds lines":               {f, with(object{"old_string": "1\n", "new_string": "a\nb\n"}, object{"insert_line": 3, "insert_text": "x"}), map[string]string{"f": "a\nb\n2\n3\nx\n4\n"}, ""},
		"each with its kind":                   {f, with(object{"type": "replace", "old_string": "2", "new_string": "b"}, object{"type": "insert", "insert_line": 3, "text": "x"}, object{"type": "delete", "start_line": 1, "end_line": 1}, object{"type": "append", "content": "z"}), map[string]string{"f": "b\n3\nx\n4\nz\n"}, ""},
		"a text to delete":                     {f, with(object{"type": "delete", "old_string": "2\n"}), map[string]string{"f": "1\n3\n4\n"}, ""},
		"a deletion with a text":               {f, with(object{"type": "delete", "old_string": "2\n", "new_string": "x"}), nil, "a deletion has a new text"},
		"a line to delete":                     {f, with(object{"type": "delete", "line": 2}), map[string]string{"f": "1\n3\n4\n"}, ""},
		"a line to delete, and lines":          {f, with(object{"type": "delete", "line": 2, "content": "x"}), nil, "a deletion has new lines"},
		"a line to replace":                    {f, object{"type": "replace", "path": "f", "line": 2, "content": "x"}, map[string]string{"f": "1\nx\n3\n4\n"}, ""},
		"a line, for what":                     {f, with(object{"line": 2, "content": "x"}), nil, "above or below"},
		"a line, of a tool that edits":         {f, object{"name": "edit_file", "arguments": object{"path": "f", "line": 2, "content": "x"}}, nil, "above or below"},
		"a line, of a tool that deletes lines": {f, object{"name": "delete_line", "arguments": object{"path": "f", "line": 2}}, map[string]string{"f": "1\n3\n4\n"}, ""},
		"a line, of a tool that deletes files": {f, object{"name": "delete_file", "arguments": object{"path": "f", "line": 2}}, nil, "does not say"},
		"a file to delete, or a text":          {f, object{"type": "delete", "path": "f", "old_string": "2"}, nil, "something is deleted"},
		"one without its text":                 {f, with(lines, text, object{"new_string": "x"}), nil, "edits[2]: the field \"old_string\" is missing"},
		"one with two kinds":                   {f, with(object{"old_string": "2", "new_string": "x", "insert_line": 1}), nil, "unknown field \"insert_line\""},
	})
}

func TestWhatSaysWhichPlaceIsMeant(t *testing.T) {
	f := map[string]string{"f": "a\nb\na\n"}
	third := map[string]string{"f": "a\nb\nx\n"}
	edit := func(old, field string, value any) object {
		return object{"path": "f", "old_string": old, "new_string": "x", field: value}
	}
	all := edit("a", "occurrence", 1)
	all["replace_all"] = true
	two := edit("a", "line", 3)
	two["start_line"] = 1
	checkCalls(t, map[string]callCase{
		"a line":                    {f, edit("a", "line", 3), third, ""},
		"a line number":             {f, edit("a", "line_number", "3"), third, ""},
		"a range":                   {f, edit("a", "line_range", []int{3, 3}), third, ""},
		"a range backwards":         {f, edit("a", "line_range", []int{3, 1}), nil, "no range of lines"},
		"a range of more lines":     {f, edit("a", "line_range", []int{2, 3}), nil, "there twice"},
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
