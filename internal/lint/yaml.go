package lint

import (
	"cmp"
	"path"
	"strings"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// yaml warns about YAML whose indentation is no longer valid.
func yaml(c change) []Warning {
	if ext := path.Ext(c.name); ext != ".yaml" && ext != ".yml" || c.before == nil {
		return nil
	}
	line := misplacedInYAML(c.after)
	if line == 0 || misplacedInYAML(c.before) > 0 {
		return nil
	}
	old, lines := map[string]bool{}, text.Split(string(c.after))
	for _, l := range text.Split(string(c.before)) {
		old[l] = true
	}
	at := line
	for at > 0 && old[lines[at-1]] { // a line above may be the new one
		at--
	}
	return warn(cmp.Or(at, line), "this is no longer valid YAML: the indentation of this line does not fit")
}

// A collection is a mapping or a list of YAML that is open.
type collection struct {
	depth  int
	isList bool
	awaits bool // its last key or entry has no value yet
}

// misplacedInYAML returns the first line of block collections whose indentation is wrong, 0 if it finds none. It does
// not know all of YAML: a text with more, such as a template, has none.
func misplacedInYAML(src []byte) int {
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
			return 0
		case depth == 0 && (strings.HasPrefix(body, "---") || body == "..." || body[0] == '%'):
			open, scalar = nil, -1
			continue
		}
		scalar = -1
		ok := true
		for body == "-" || strings.HasPrefix(body, "- ") {
			if open, ok = enter(open, depth, true); !ok {
				return n
			}
			open[len(open)-1].awaits = true
			rest := strings.TrimLeft(body[1:], " ")
			depth, body = depth+len(body)-len(rest), rest
		}
		value, isKey := valueOfKey(body)
		if isKey {
			if open, ok = enter(open, depth, false); !ok {
				return n
			}
		} else if len(open) == 0 || depth <= open[len(open)-1].depth {
			return 0
		}
		last := &open[len(open)-1]
		last.awaits = value == ""
		switch {
		case strings.Count(value, `"`)%2 != 0, strings.Count(value, "'")%2 != 0:
			return 0
		case strings.HasPrefix(value, "|"), strings.HasPrefix(value, ">"):
			scalar = last.depth
		case strings.HasPrefix(value, "["), strings.HasPrefix(value, "{"):
			brackets = bracketsIn(value)
		}
	}
	return 0
}

// enter closes the collections that a line is not in, and opens the one that it begins. It reports whether it may.
func enter(open []collection, depth int, isList bool) ([]collection, bool) {
	for len(open) > 0 && open[len(open)-1].depth > depth {
		open = open[:len(open)-1]
	}
	if len(open) == 0 {
		return append(open, collection{depth: depth, isList: isList}), true
	}
	last := &open[len(open)-1]
	switch {
	case last.depth == depth && last.isList == isList:
		return open, true
	case last.depth == depth && !isList: // a list may be as deep as its key
		open = open[:len(open)-1]
		return open, len(open) > 0 && open[len(open)-1].depth == depth
	case !last.awaits && (!isList || last.depth == depth): // a deeper list may be text that goes on
		return open, false
	}
	last.awaits = false
	return append(open, collection{depth: depth, isList: isList}), true
}

// valueOfKey returns the value in a line, without its anchor and tag: all of it, unless it begins with a key.
func valueOfKey(body string) (value string, isKey bool) {
	from := 0
	if body != "" && strings.IndexByte(`"'`, body[0]) >= 0 {
		from = 1 + max(strings.IndexByte(body[1:], body[0]), 0)
	}
	value = body
	if i := strings.Index(body[from:]+" ", ": "); i >= 0 && !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
		value, isKey = strings.TrimLeft(body[from+i+1:], " "), true
	}
	for strings.HasPrefix(value, "&") || strings.HasPrefix(value, "!") {
		_, value, _ = strings.Cut(value, " ")
	}
	return value, isKey
}

// bracketsIn returns how many more brackets a line opens than it closes.
func bracketsIn(l string) int {
	return strings.Count(l, "[") + strings.Count(l, "{") - strings.Count(l, "]") - strings.Count(l, "}")
}
