package lint

import (
	"bytes"
	"sync"
)

// markers are the marks of requests that models leave in the new text by mistake, each with the mark that pairs with it
// in a text that explains requests. Lines of "=" are not among them, because they underline headings.
var markers = sync.OnceValue(func() map[string]string {
	all := map[string]string{
		"<<<<<<< SEARCH": ">>>>>>> REPLACE", ">>>>>>> REPLACE": "<<<<<<< SEARCH",
		"------- SEARCH": "+++++++ REPLACE", "+++++++ REPLACE": "------- SEARCH",
		"*** Begin Patch": "", "*** End Patch": "", "*** End of File": "",
	}
	for _, tag := range []string{
		"old_text", "new_text", "old_string", "new_string", "old_str", "new_str", "search", "replace", "file_text",
		"apply_diff", "replace_in_file", "write_to_file", "insert_content", "str_replace",
		"parameter", "invoke", "function_calls", "function", "tool_call",
	} {
		all["</"+tag+">"] = "<" + tag
	}
	return all
})

// leftMarkers warns about a line that is a marker, or ends in a tag, which the text before the change does not have,
// unless every one pairs with another.
func leftMarkers(_ string, before, after []byte) (all []Warning) {
	told := map[string]bool{}
	n := 0
	for line := range bytes.Lines(after) {
		n++
		mark := bytes.TrimSpace(line)
		if len(mark) == 0 || bytes.IndexByte([]byte("<>-+*"), mark[0]) < 0 && mark[len(mark)-1] != '>' {
			continue
		}
		if bytes.HasSuffix(mark, []byte(">")) {
			mark = mark[max(bytes.LastIndex(mark, []byte("</")), 0):]
		}
		pair, known := markers()[string(mark)]
		if !known || told[string(mark)] {
			continue
		}
		told[string(mark)] = true
		if !bytes.Contains(before, mark) &&
			(pair == "" || bytes.Count(after, mark) > bytes.Count(after, []byte(pair))) {
			all = append(all, warn(n, "%s looks like a part of the request that was left in: remove it, unless it "+
				"belongs to the text", mark)...)
		}
	}
	return all
}
