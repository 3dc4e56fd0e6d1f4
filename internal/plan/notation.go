package plan

import (
	"bytes"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// inOtherNotation returns a line of new that copies a line of old with spaces for its tabs, or with tabs for its spaces.
// It returns "" if there is none, if nothing else changes, or if old is not in t to the letter, or is all of it (E4).
func inOtherNotation(old, new string, t text.Text) (line string) {
	begins := func(s, indent string) bool { return strings.HasPrefix(s, indent) || strings.Contains(s, "\n"+indent) }
	if !(begins(old, "\t") && begins(new, " ") || begins(old, " ") && begins(new, "\t")) {
		return ""
	}
	bodies := func(lines []string) (all []string) {
		for _, l := range lines {
			all = append(all, text.Unindented(l))
		}
		return all
	}
	was, is := text.Split(old), text.Split(new)
	older, newer := bodies(was), bodies(is)
	for i, body := range newer {
		k := slices.Index(older, body)
		if k < 0 || !text.HasLetterOrDigit(body) || is[i] == body || was[k] == body {
			continue
		}
		if strings.Contains(outline.Indent(is[i]), "\t") != strings.Contains(outline.Indent(was[k]), "\t") {
			line = body
		}
	}
	isThere := bytes.HasPrefix(t.Data, []byte(old)) && len(old) < len(t.Data) || bytes.Contains(t.Data, []byte("\n"+old))
	if slices.Equal(older, newer) || line == "" || !isThere {
		return ""
	}
	return line
}
