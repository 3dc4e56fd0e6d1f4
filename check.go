package atomicedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	goscanner "go/scanner"
	"go/token"
	"path"
	"slices"
)

// A Check looks at a text for what a careful reader would ask about: a linter, a parser. It must keep neither argument, and
// may be called from several goroutines.
type Check func(path string, text []byte) []Note

// Checked returns the report with warnings added to the notes of every text that is changed or made: brackets that were
// balanced before and are not after; \${ put into a template string of JavaScript or TypeScript; Go that does not parse
// or JSON that does not decode, though it did before; conflict markers left in; a final newline lost; line endings mixed
// that were not; NUL bytes. Then it asks each of checks about the text before and after, and adds what is new.
//
// Warnings stop nothing. The cost is linear in the texts, and that of the checks.
func (t *Transaction) Checked(checks ...Check) *Report {
	r := t.Report()
	befores := map[string]*File{}
	for _, c := range t.changes {
		befores[c.Path] = c.Before
	}
	files := map[string]*FileReport{}
	for i := range r.Files {
		files[r.Files[i].Path] = &r.Files[i]
	}
	for _, c := range t.changes {
		file, before := files[c.Path], c.Before
		if c.From != "" && before == nil {
			before = befores[c.From]
		}
		if file == nil || c.After == nil {
			continue
		}
		after, ok := textIn(c.After)
		old, was := textIn(before)
		if !ok {
			if was || before == nil {
				file.Notes = append(file.Notes, Note{Op: -1, Edit: -1, Msg: "there are NUL bytes in it now, so it cannot be shown or edited as a text"})
			}
			continue
		}
		file.Notes = append(file.Notes, warnings(c.Path, old, after)...)
		for _, check := range checks {
			known := map[string]int{}
			if before != nil {
				for _, n := range check(c.Path, old) {
					known[n.Msg]++
				}
			}
			for _, n := range check(c.Path, after) {
				if known[n.Msg]--; known[n.Msg] < 0 {
					file.Notes = append(file.Notes, n)
				}
			}
		}
	}
	return r
}

// textIn returns the text of a file in UTF-8, nil for no file. It reports false for what is no text.
func textIn(f *File) ([]byte, bool) {
	if f == nil {
		return nil, false
	}
	return encodingOf(f.Data).decode(f.Data)
}

// warnings says what looks wrong with a text after a change; before is nil if there was none.
func warnings(name string, before, after []byte) (notes []Note) {
	warn := func(line int, format string, args ...any) {
		notes = append(notes, Note{Op: -1, Edit: -1, Line: line, Msg: fmt.Sprintf(format, args...)})
	}
	if line := conflict(after); line > 0 {
		warn(line, "a conflict marker is left in")
	}
	was, is := scanCode(name, before), scanCode(name, after)
	if is.unbalanced != "" && was.unbalanced == "" && before != nil {
		warn(is.line, "the brackets were balanced before and are not any more: %s", is.unbalanced)
	}
	if len(is.escapes) > len(was.escapes) {
		changed := 1 + bytes.Count(after[:commonPrefix(before, after)], []byte("\n"))
		k := slices.IndexFunc(is.escapes, func(line int) bool { return line >= changed })
		warn(is.escapes[max(k, 0)], `\${ in a template string stands for the characters, not for a value: write ${ if a value is meant`)
	}
	not := "no longer"
	if before == nil {
		not = "not"
	}
	if err := goError(name, after); err != nil && goError(name, before) == nil {
		warn(err.Pos.Line, "this is %s Go that can be parsed: %s", not, err.Msg)
	}
	if err := jsonError(name, after); err != nil && jsonError(name, before) == nil {
		at := min(int(err.Offset), len(after))
		if comments := before == nil && at > 0 && after[at-1] == '/'; !comments {
			warn(1+bytes.Count(after[:at], []byte("\n")), "this is %s valid JSON: %s", not, err.Error())
		}
	}
	if len(before) > 0 && len(after) > 0 && newText(before).terminated() && !newText(after).terminated() {
		warn(len(newText(after).lineStarts())-1, "the newline at the end of the file is gone")
	}
	if line := mixedAt(after); line > 0 && mixedAt(before) == 0 {
		warn(line, "the file mixes CRLF and LF line endings now")
	}
	return notes
}

// conflict returns the line where a conflict that was not resolved begins, 0 if there is none.
func conflict(text []byte) int {
	start, half, n := 0, false, 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")) && string(line) != "<<<<<<< SEARCH":
			start, half = n, false
		case start > 0 && string(line) == "=======":
			half = true
		case half && (string(line) == ">>>>>>>" || bytes.HasPrefix(line, []byte(">>>>>>> "))):
			return start
		}
	}
	return 0
}

// mixedAt returns the first line that ends otherwise than the first one, 0 if all end alike.
func mixedAt(text []byte) int {
	first, n := "", 0
	for line := range bytes.Lines(text) {
		n++
		ending := "\n"
		switch {
		case bytes.HasSuffix(line, []byte("\r\n")):
			ending = "\r\n"
		case !bytes.HasSuffix(line, []byte("\n")):
			return 0
		}
		if first == "" {
			first = ending
		}
		if ending != first {
			return n
		}
	}
	return 0
}

func goError(name string, text []byte) *goscanner.Error {
	if path.Ext(name) != ".go" || text == nil {
		return nil
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	var list goscanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0]
	}
	return nil
}

func jsonError(name string, text []byte) *json.SyntaxError {
	if path.Ext(name) != ".json" || text == nil {
		return nil
	}
	var raw json.RawMessage
	var bad *json.SyntaxError
	errors.As(json.Unmarshal(text, &raw), &bad)
	return bad
}
