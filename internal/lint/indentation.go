package lint

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// codeOf returns a line without the spaces and the comments around its code, "" if it has none.
func codeOf(l string) string {
	body := strings.Trim(l, text.Space+"\n")
	if body == "" || body[0] == '#' || outline.IsComment(l) {
		return ""
	}
	for _, sign := range [...]string{" #", " //", " /*"} {
		body, _, _ = strings.Cut(body, sign)
	}
	return strings.TrimRight(body, text.Space)
}

// indentation warns about Python and YAML whose indentation is no longer valid, and about the first new line of code in
// braces that is less deep than the one above and no deeper than the line whose brace it stands in.
func indentation(c change) []Warning {
	if line, why := c.newFault(faultOfPython, ".py", ".pyi"); line > 0 {
		return c.broken(line, "this is no longer valid Python: %s", why)
	}
	if found := yaml(c); found != nil {
		return found
	}
	lang, known := syntaxOf(c.name)
	if !known || lang.line == "#" { // no language with braces, in which no text in a brace begins in column 1
		return nil
	}
	old, up, next := text.SetOf(text.Split(c.was)), 0, c.from
	for l := range strings.Lines(c.is) {
		at := next
		next += len(l)
		body, depth := codeOf(l), outline.Depth(l)
		if body == "" {
			continue
		}
		if depth < up && !old[strings.TrimRight(l, "\r\n")] && !goesOn(body) && c.leavesBracket(at, depth) {
			return c.broken(c.line(at), "check the indentation of this line: it is less deep than the one above, and "+
				"no bracket closes there")
		}
		up = depth
	}
	return nil
}

// leavesBracket reports whether a line at an offset and a depth is no deeper than the one whose bracket it stands in.
func (c change) leavesBracket(at, depth int) bool {
	const far = 1000 // lines
	t := text.New(c.after)
	for l, n := t.SolidAbove(text.Line{Start: at}), 0; l.Real() && n < far; l, n = t.SolidAbove(l), n+1 {
		if head := codeOf(string(t.Bytes(l))); head != "" && outline.Depth(t.Bytes(l)) <= depth {
			between := string(t.Data[l.End:at])
			inString := strings.Count(between, "`")%2 != 0 || strings.Count(between, `"`)%2 != 0
			return strings.ContainsAny(head[len(head)-1:], "{([") && unclosedIn(between) >= 0 && !inString
		}
	}
	return false
}

// goesOn reports whether a line of code goes on with what the line above says, closes a bracket or is a label.
func goesOn(body string) bool {
	return strings.ContainsAny(body[:1], ".+&|?:<-*/%=)]}") || strings.HasSuffix(body, ":")
}

// newFault returns the first fault of a text, its line and what it is, if the text before had none, and the file has
// one of some extensions; 0 otherwise.
func (c change) newFault(faultOf func(src []byte) (int, string), extensions ...string) (line int, what string) {
	if c.before == nil || !slices.Contains(extensions, path.Ext(c.name)) {
		return 0, ""
	}
	if line, what = faultOf(c.after); line > 0 {
		if had, _ := faultOf(c.before); had > 0 {
			return 0, ""
		}
	}
	return line, what
}

// yaml warns about YAML whose indentation is no longer valid.
func yaml(c change) []Warning {
	line, twice := c.newFault(faultOfYAML, ".yaml", ".yml")
	if line == 0 {
		return nil
	}
	const broken = "this is no longer valid YAML: "
	if twice != "" {
		return c.broken(line, broken+"the key %q is in this mapping twice", twice)
	}
	old, lines, at := text.SetOf(text.Split(string(c.before))), text.Split(string(c.after)), line
	for at > 0 && old[lines[at-1]] { // a line above may be the new one
		at--
	}
	for up := at - 1; at < line && up > 0 && !old[lines[up-1]]; up-- { // the one that the others hang on
		if outline.Depth(lines[up-1]) < outline.Depth(lines[at-1]) {
			at = up
		}
	}
	return c.broken(cmp.Or(at, line), broken+"the indentation of this line does not fit")
}

// faultOfPython returns the first line with a wrong indentation, and what is wrong; 0 if there is none, or if brackets
// do not pair. It reads logical lines: those in brackets, in a string, or behind a backslash go on with the one above.
func faultOfPython(src []byte) (line int, why string) {
	lang, _ := syntaxOf("a.py")
	s := newScanner(lang, src)
	depths, opens := []int{0}, false // of the lines that are open, and whether the last one opens a body
	fault := func(msg string) {
		if line == 0 {
			line, why = s.line, msg
		}
	}
	for s.at < len(src) {
		content, _, _ := bytes.Cut(src[s.at:], []byte("\n"))
		code := bytes.TrimSpace(content)
		isCode := len(code) > 0 && code[0] != '#'
		if isCode {
			depth, top := outline.Depth(content), depths[len(depths)-1]
			switch {
			case opens && depth <= top:
				fault("this line is not deeper than the one above, which opens a body")
			case opens:
				depths = append(depths, depth)
			case depth > top:
				fault("this line is deeper than the one above, which opens nothing")
			}
			for depths[len(depths)-1] > depth {
				depths = depths[:len(depths)-1]
			}
			if depths[len(depths)-1] < depth {
				fault("this line is as deep as no line above that is open")
			}
		}
		for s.at < len(src) && (src[s.at] != '\n' || len(s.open) > 0 || isCode && s.last == '\\') {
			s.next()
		}
		if opens = isCode && s.last == ':' || !isCode && opens; s.at < len(src) {
			s.next()
		}
	}
	if opens {
		fault("the last line opens a body, and there is none")
	}
	if s.unbalanced != "" || len(s.open) > 0 {
		return 0, ""
	}
	return line, why
}

// A collection is a mapping or a list of YAML that is open.
type collection struct {
	depth  int
	isList bool
	awaits bool            // its last key or entry has no value yet
	keys   map[string]bool // of a mapping
}

// faultOfYAML returns the first line of block collections with a wrong indentation, or with a key that its mapping has
// above, which is twice; 0 for none or for a template.
func faultOfYAML(src []byte) (line int, twice string) {
	var open []collection
	n, brackets, scalar := 0, 0, -1 // the depth of the key or the entry whose block scalar goes on
	for l := range strings.Lines(string(src)) {
		n++
		l, _, _ = strings.Cut(strings.TrimRight(l, " \r\n"), " #")
		indent := outline.Indent(l)
		depth, body := len(indent), l[len(indent):]
		switch {
		case body == "", body[0] == '#', scalar >= 0 && depth > scalar:
			continue
		case brackets > 0:
			brackets += bracketsIn(body)
			continue
		case strings.Contains(indent, "\t"), strings.HasPrefix(body, "? "), strings.HasPrefix(body, "{{"),
			strings.HasPrefix(body, "{%"):
			return 0, ""
		case depth == 0 && (strings.HasPrefix(body, "---") || body == "..." || body[0] == '%'):
			open, scalar = nil, -1
			continue
		}
		scalar = -1
		ok := true
		for body == "-" || strings.HasPrefix(body, "- ") {
			if open, ok = enter(open, depth, true); !ok {
				return n, ""
			}
			open[len(open)-1].awaits = true
			rest := strings.TrimLeft(body[1:], " ")
			depth, body = depth+len(body)-len(rest), rest
		}
		key, value := keyAndValue(body)
		if key != "" {
			if open, ok = enter(open, depth, false); !ok {
				return n, ""
			}
			in := &open[len(open)-1]
			if in.keys[key] {
				return n, key
			}
			if in.keys == nil {
				in.keys = map[string]bool{}
			}
			in.keys[key] = key != "<<"
		} else if len(open) == 0 || depth <= open[len(open)-1].depth {
			return 0, ""
		}
		last := &open[len(open)-1]
		last.awaits = value == ""
		switch {
		case value != "" && strings.IndexByte(`"'[{`, value[0]) >= 0 && outline.InQuotes(value): // it goes on below
			return 0, ""
		case strings.HasPrefix(value, "|"), strings.HasPrefix(value, ">"):
			scalar = last.depth
		case strings.HasPrefix(value, "["), strings.HasPrefix(value, "{"):
			brackets = bracketsIn(value)
		}
	}
	return 0, ""
}

// enter closes the collections that a line is not in, and opens the one that it begins. It reports whether it may.
func enter(open []collection, depth int, isList bool) ([]collection, bool) {
	for len(open) > 0 && open[len(open)-1].depth > depth {
		open = open[:len(open)-1]
	}
	n := len(open)
	if n > 0 {
		last := &open[n-1]
		switch {
		case last.depth == depth && last.isList == isList:
			return open, true
		case last.depth == depth && !isList: // a list may be as deep as its key
			return open[:n-1], n > 1 && open[n-2].depth == depth
		case !last.awaits && (!isList || last.depth == depth): // a deeper list may be text that goes on
			return open, false
		}
		last.awaits = false
	}
	c := collection{depth: depth, isList: isList}
	const small = 16                                       // a large map costs more to clear than a new one
	if n < cap(open) && len(open[:n+1][n].keys) <= small { // of the one that was closed at its place
		c.keys = open[:n+1][n].keys
		clear(c.keys)
	}
	return append(open, c), true
}

// keyAndValue returns the key that a line begins with, if any, and the value behind it, without its anchor and tag.
func keyAndValue(body string) (key, value string) {
	from := 0
	if body != "" && strings.IndexByte(`"'`, body[0]) >= 0 {
		from = 1 + max(strings.IndexByte(body[1:], body[0]), 0)
	}
	value = body
	if i := strings.Index(body[from:]+" ", ": "); i >= 0 && !strings.HasPrefix(body, "{") &&
		!strings.HasPrefix(body, "[") {
		key, value = body[:from+i], strings.TrimLeft(body[from+i+1:], " ")
	}
	for strings.HasPrefix(value, "&") || strings.HasPrefix(value, "!") {
		_, value, _ = strings.Cut(value, " ")
	}
	return key, value
}

// bracketsIn returns how many more brackets of YAML a line opens than it closes.
func bracketsIn(l string) int {
	return strings.Count(l, "[") + strings.Count(l, "{") - strings.Count(l, "]") - strings.Count(l, "}")
}

// unclosedIn returns how many more brackets of code a line opens than it closes.
func unclosedIn(l string) int { return bracketsIn(l) + strings.Count(l, "(") - strings.Count(l, ")") }
