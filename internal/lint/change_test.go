package lint

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A look at the lines that a change touches finds the same as a look at all lines.
func TestWhatIsNewStandsWhereTheChangeIs(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"a", "\n", "\n", "</old_text>", "<", "/old_text>", "<old_text>", "*** End Patch", "*** End", " Patch",
		">>>>>>> REPLACE", "\r\n",
		"\n\t", "\t", "  ", "\n  ", "&lt;", "&", "quot;", "&am", "p;", "\u200b", "\ufeff", "ä",
	})
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, most int) string {
			return strings.Join(rapid.SliceOfN(pieces, 0, most).Draw(t, label), "")
		}
		top, bottom := draw("top", 6), draw("bottom", 6)
		before, after := []byte(top+draw("old", 3)+bottom), []byte(top+draw("new", 3)+bottom)
		for _, check := range []func(change) []Warning{leftMarkers, tabs, entities, invisible} {
			want := check(change{name: "a.c", before: before, after: after, end: len(after)})
			if d := cmp.Diff(want, check(changeOf("a.c", before, after))); d != "" {
				t.Fatalf("from\n%s\nto\n%s\n(-all lines +touched):\n%s", before, after, d)
			}
		}
	})
}
