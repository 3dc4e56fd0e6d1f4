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
	"strings"
)

// A Check looks at a text for what a careful reader would ask about: a linter, a parser. It must keep neither argument, and
// may be called from several goroutines.
type Check func(path string, text []byte) []Note

// Checked returns the report with warnings added to the notes of every text that is changed or made: brackets that were
// balanced before and are not after; \${ put into a template string of JavaScript or TypeScript; Go that does not parse
// or JSON that does not decode, though it did before; conflict markers left in; a final newline lost; line endings mixed
// that were not. Then it asks each of checks about the text before and after, and adds what is new.
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
		if !ok {
			continue
		}
		old, _ := textIn(before)
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
		warn(is.escapes[0], `\${ in a template string stands for the characters, not for a value: write ${ if a value is meant`)
	}
	if before == nil || goError(name, before) == nil {
		if err := goError(name, after); err != nil {
			warn(err.Pos.Line, "this is no longer Go that can be parsed: %s", err.Msg)
		}
	}
	if before == nil || jsonError(name, before) == nil {
		if err := jsonError(name, after); err != nil {
			warn(1+bytes.Count(after[:min(int(err.Offset), len(after))], []byte("\n")), "this is no longer valid JSON: %s", err.Error())
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
	if path.Ext(name) != ".go" {
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
	if path.Ext(name) != ".json" {
		return nil
	}
	var raw json.RawMessage
	var bad *json.SyntaxError
	errors.As(json.Unmarshal(text, &raw), &bad)
	return bad
}

// A codeScan is what is known of a text without understanding it: whether its brackets pair, and where its template strings
// have an escaped "${".
type codeScan struct {
	unbalanced string // says what does not pair, "" if all do
	line       int
	escapes    []int // lines
}

// scanCode pairs the brackets of a text in a language that is known by the extension, outside strings and comments.
func scanCode(name string, text []byte) codeScan {
	var s codeScan
	ext := strings.TrimPrefix(path.Ext(name), ".")
	comment, block := "//", true
	switch ext {
	case "go", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "java", "c", "h", "cc", "cpp", "hpp", "cs", "rs", "swift", "kt", "scala", "dart", "php", "json", "jsonc":
	case "css", "scss", "less":
		comment = ""
	case "py", "toml", "rb":
		comment, block = "#", false
	default:
		return s
	}
	script := strings.Contains(" js jsx mjs cjs ts tsx mts cts ", " "+ext+" ")
	raw := script || ext == "go"
	type open struct {
		sign byte
		line int
	}
	var stack []open
	line := 1
	// skip returns what follows the end of a string or comment, and counts its lines.
	skip := func(i int, end string, escapes bool) int {
		for ; i < len(text); i++ {
			switch {
			case text[i] == '\n':
				line++
			case escapes && text[i] == '\\':
				i++
				if i < len(text) && text[i] == '\n' {
					line++
				}
				if script && end == "`" && bytes.HasPrefix(text[min(i, len(text)):], []byte("${")) {
					s.escapes = append(s.escapes, line)
				}
				continue
			}
			if bytes.HasPrefix(text[i:], []byte(end)) {
				return i + len(end)
			}
		}
		return i
	}
	at := func(i int, sign string) bool {
		return sign != "" && bytes.HasPrefix(text[min(i, len(text)):], []byte(sign))
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			line++
			i++
		case at(i, comment):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case block && at(i, "/*"):
			i = skip(i+2, "*/", false)
		case ext == "py" && (at(i, `"""`) || at(i, "'''")):
			i = skip(i+3, string(text[i:i+3]), true)
		case c == '`' && raw:
			i = skip(i+1, "`", script)
		case c == '\'' && ext == "rs" && !at(i+1, "\\") && !at(i+2, "'"): // a lifetime
			i++
		case c == '"' || c == '\'':
			i = pastString(text, i)
		case c == '(' || c == '[' || c == '{':
			stack = append(stack, open{c, line})
			i++
		case c == ')' || c == ']' || c == '}':
			n := len(stack) - 1
			switch {
			case s.unbalanced != "":
			case n < 0:
				s.unbalanced, s.line = fmt.Sprintf("%q closes nothing", string(c)), line
			case stack[n].sign != c-1 && stack[n].sign != c-2:
				s.unbalanced, s.line = fmt.Sprintf("%q does not close the %q of line %d", string(c), string(stack[n].sign), stack[n].line), line
			}
			stack = stack[:max(n, 0)]
			i++
		default:
			i++
		}
	}
	if n := len(stack); n > 0 && s.unbalanced == "" {
		s.unbalanced, s.line = fmt.Sprintf("%q is not closed", string(stack[n-1].sign)), stack[n-1].line
	}
	return s
}

// pastString returns what follows a string of one line. A quote without another in its line is none.
func pastString(text []byte, i int) int {
	for k := i + 1; k < len(text) && text[k] != '\n'; k++ {
		switch text[k] {
		case '\\':
			if k+1 < len(text) && text[k+1] != '\n' {
				k++
			}
		case text[i]:
			return k + 1
		}
	}
	return i + 1
}
