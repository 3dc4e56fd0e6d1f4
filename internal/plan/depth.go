package plan

import (
	"bytes"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// astray returns a line of new whose indentation nobody can mean in the place of old, "" if there is none. Lines of new
// that copy lines of old show it, if t has old to the letter (E4).
func astray(old, new string, t text.Text) (line string) {
	isIndented := func(s string) bool {
		s = strings.TrimLeft(s, "\r\n")
		return s != "" && text.IsSpace(s[0])
	}
	begins := func(s, indent string) bool { return strings.HasPrefix(s, indent) || strings.Contains(s, "\n"+indent) }
	switch {
	case begins(old, "\t") && begins(new, " "), begins(old, " ") && begins(new, "\t"):
		line = inOtherNotation(solidLines(old), solidLines(new))
	case isIndented(old) && !isIndented(new):
		line = withoutIndent(solidLines(old), solidLines(new))
	}
	if line == "" {
		return ""
	}
	isThere := bytes.HasPrefix(t.Data, []byte(old)) && len(old) < len(t.Data) || bytes.Contains(t.Data, []byte("\n"+old))
	if !isThere { // a whole file may be written anew in any style
		return ""
	}
	return line
}

// inOtherNotation returns a line that copies an old one with spaces for its tabs, or with tabs for its spaces, if that
// is not all that changes.
func inOtherNotation(old, new []solidLine) string {
	if slices.EqualFunc(old, new, haveSameBody) {
		return ""
	}
	for l, from := range copies(old, new) {
		if from != "" && l.indent != "" && strings.Contains(from, "\t") != strings.Contains(l.indent, "\t") {
			return l.body
		}
	}
	return ""
}

// withoutIndent returns the first line if it has lost its indentation, which the first old line had: it alone, or all
// lines, which are otherwise not the old ones.
func withoutIndent(old, new []solidLine) string {
	if len(old) == 0 || len(new) == 0 || !isSameStart(old[0].body, new[0].body) {
		return ""
	}
	stay, rise := 0, 0
	for l, from := range copies(old, new[1:]) {
		switch {
		case from == "":
		case from == l.indent:
			stay++
		case !strings.HasSuffix(from, l.indent):
			return ""
		default:
			rise++
		}
	}
	isShallower := func(l solidLine) bool { return !strings.HasPrefix(l.indent, old[0].indent) }
	isAlone, areAll := stay > 0 && rise == 0, stay == 0 && !slices.ContainsFunc(old, isShallower)
	if slices.EqualFunc(old, new, haveSameBody) || !isAlone && !areAll {
		return ""
	}
	return new[0].body
}

func isSameStart(a, b string) bool {
	as, bs := text.Tokens(a), text.Tokens(b)
	return len(as) > 0 && len(bs) > 0 && as[0] == bs[0]
}

type solidLine struct{ indent, body string }

func haveSameBody(a, b solidLine) bool { return a.body == b.body }

// solidLines returns the lines of a text that are not blank.
func solidLines(s string) (all []solidLine) {
	for l := range strings.Lines(s) {
		if indent, body, _ := text.Parts(strings.TrimRight(l, "\r\n")); body != "" {
			all = append(all, solidLine{indent, body})
		}
	}
	return all
}

// copies yields the new lines that copy an old one, each with the indentation of that, as far as both texts have them
// once.
func copies(old, new []solidLine) func(yield func(l solidLine, from string) bool) {
	indents, times := map[string]string{}, map[string]int{}
	for _, l := range old {
		indents[l.body] = l.indent
	}
	for _, l := range slices.Concat(old, new) {
		times[l.body]++
	}
	return func(yield func(l solidLine, from string) bool) {
		for _, l := range new {
			from, isCopy := indents[l.body]
			if isCopy && times[l.body] == 2 && text.HasLetterOrDigit(l.body) && !yield(l, from) {
				return
			}
		}
	}
}
