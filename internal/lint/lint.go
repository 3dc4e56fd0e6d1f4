// Package lint warns about a text that a change has probably damaged: brackets that no longer pair, a marker of a
// conflict or of the request left in, Go or JSON that no longer parses. It takes the text before and after.
//
// It reports only damage that the change brought in. Conflict markers are the exception, because nobody means to keep
// one. The cost is linear in the texts.
package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A Warning is a probable mistake in a text.
type Warning struct {
	Line int // from 1
	Msg  string
}

// Warnings returns the probable mistakes in the text of the named file after a change that were not there before.
// Before is nil if the file is new.
func Warnings(name string, before, after []byte) (all []Warning) {
	for _, check := range []func(name string, before, after []byte) []Warning{
		conflictMarkers, leftMarkers, code, goSyntax, jsonSyntax, finalNewline, lineEndings, tabs, recipes, entities,
		invisible,
	} {
		all = append(all, check(name, before, after)...)
	}
	return all
}

func warn(line int, format string, args ...any) []Warning {
	return []Warning{{line, fmt.Sprintf(format, args...)}}
}

// conflictMarkers warns about an unresolved conflict, at the line where it begins.
func conflictMarkers(_ string, _, after []byte) []Warning {
	start, half, n := 0, false, 0
	for line := range bytes.Lines(after) {
		n++
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")) && string(line) != "<<<<<<< SEARCH":
			start, half = n, false
		case start > 0 && string(line) == "=======":
			half = true
		case half && (string(line) == ">>>>>>>" || bytes.HasPrefix(line, []byte(">>>>>>> "))):
			return warn(start, "a conflict marker was left in")
		}
	}
	return nil
}

// code warns about brackets and about "\${" in template strings.
func code(name string, before, after []byte) (all []Warning) {
	lang, known := syntaxOf(name)
	if !known {
		return nil
	}
	is := scan(lang, after)
	if is.unbalanced == "" && len(is.escapes) == 0 {
		return nil
	}
	was := scan(lang, before)
	if is.unbalanced != "" && was.unbalanced == "" && before != nil {
		all = warn(is.line, "the brackets are no longer balanced: %s", is.unbalanced)
	}
	if len(is.escapes) > len(was.escapes) {
		head := 0
		for head < min(len(before), len(after)) && before[head] == after[head] {
			head++
		}
		changed := 1 + bytes.Count(after[:head], []byte("\n")) // the first line that differs
		k := slices.IndexFunc(is.escapes, func(line int) bool { return line >= changed })
		all = append(all, warn(is.escapes[max(k, 0)],
			`\${ in a template string is literal text: write ${ to insert a value`)...)
	}
	return all
}

// jsonSyntax does not warn about comments in a new file: many programs read JSON with comments.
func jsonSyntax(name string, before, after []byte) []Warning {
	err := jsonError(name, after)
	if err == nil || jsonError(name, before) != nil {
		return nil
	}
	at := min(int(err.Offset), len(after))
	if before == nil && at > 0 && after[at-1] == '/' {
		return nil
	}
	return warn(1+bytes.Count(after[:at], []byte("\n")), "this is %s valid JSON: %s", notOrNoLonger(before),
		err.Error())
}

func jsonError(name string, src []byte) *json.SyntaxError {
	if path.Ext(name) != ".json" || src == nil {
		return nil
	}
	var raw json.RawMessage
	var bad *json.SyntaxError
	errors.As(json.Unmarshal(src, &raw), &bad)
	return bad
}

func notOrNoLonger(before []byte) string {
	if before == nil {
		return "not"
	}
	return "no longer"
}

func finalNewline(_ string, before, after []byte) []Warning {
	if is := text.New(after); len(before) > 0 && len(after) > 0 && text.New(before).Terminated() && !is.Terminated() {
		return warn(is.CountLines(), "the newline at the end of the file is gone")
	}
	return nil
}

func lineEndings(_ string, before, after []byte) []Warning {
	had, mixed := endings(before)
	has, line := endings(after)
	switch {
	case mixed > 0:
		return nil
	case line > 0:
		return warn(line, "the file now mixes CRLF and LF line endings")
	case had != "" && has != "" && had != has:
		return warn(1, "the file had %s line endings, and has %s now", had, has)
	}
	return nil
}

// endings returns the ending of the first line, "" if it has none, and the first line with another one, 0 if there is
// none.
func endings(src []byte) (first string, mixed int) {
	n := 0
	for line := range bytes.Lines(src) {
		n++
		ending := "LF"
		switch {
		case bytes.HasSuffix(line, []byte("\r\n")):
			ending = "CRLF"
		case !bytes.HasSuffix(line, []byte("\n")):
			return first, 0
		}
		if first == "" {
			first = ending
		}
		if ending != first {
			return first, n
		}
	}
	return first, 0
}

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
