package plan

import (
	"bytes"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// inOtherNotation returns a line of new that copies a line of old with spaces for its tabs, or with tabs for its spaces.
// It returns "" if there is none, if nothing else changes, or if old is not in t to the letter, or is all of it (E4).
func inOtherNotation(old, new string, t text.Text) (line string) {
	begins := func(s, indent string) bool { return strings.HasPrefix(s, indent) || strings.Contains(s, "\n"+indent) }
	if !(begins(old, "\t") && begins(new, " ") || begins(old, " ") && begins(new, "\t")) {
		return ""
	}
	indents, was, is := map[string]string{}, []string(nil), []string(nil)
	for l := range strings.Lines(old) {
		indent, body, _ := text.Parts(strings.TrimRight(l, "\r\n"))
		if known, isThere := indents[body]; isThere && known != indent {
			indent = ""
		}
		indents[body], was = indent, append(was, body)
	}
	for l := range strings.Lines(new) {
		indent, body, _ := text.Parts(strings.TrimRight(l, "\r\n"))
		from := indents[body]
		if from != "" && indent != "" && strings.Contains(from, "\t") != strings.Contains(indent, "\t") &&
			text.HasLetterOrDigit(body) {
			line = body
		}
		is = append(is, body)
	}
	isThere := bytes.HasPrefix(t.Data, []byte(old)) && len(old) < len(t.Data) || bytes.Contains(t.Data, []byte("\n"+old))
	if slices.Equal(was, is) || line == "" || !isThere {
		return ""
	}
	return line
}
