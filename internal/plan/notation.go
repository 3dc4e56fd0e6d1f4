package plan

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// inOtherNotation returns a line of new that copies a line of old with spaces for its tabs, or with tabs for its
// spaces. It returns "" if there is none, if nothing else changes, or if old is not in t to the letter, or is all of
// it (E4).
func inOtherNotation(old, new string, t text.Text) string {
	if strings.Contains(old, "\t") == strings.Contains(new, "\t") ||
		slices.Equal(strings.Fields(old), strings.Fields(new)) {
		return ""
	}
	was := map[string]string{} // old lines by what follows their indentation
	for _, l := range text.Split(old) {
		was[text.Unindented(l)] = l
	}
	for _, l := range text.Split(new) {
		body := text.Unindented(l)
		from, to := outline.Indent(was[body]), outline.Indent(l)
		if from != "" && to != "" && strings.Contains(from+to, "\t") && text.HasLetterOrDigit(body) {
			if len(old) < len(t.Data) && strings.Contains("\n"+string(t.Data), "\n"+old) {
				return body
			}
			break
		}
	}
	return ""
}
