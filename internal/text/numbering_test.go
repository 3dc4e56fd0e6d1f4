package text_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/text"
)

// N2: lines that a viewer numbered, and the lines without the numbers.
func TestNumberingOf(t *testing.T) {
	for _, c := range []struct {
		name     string
		lines    string
		numbered bool
		first    int
		sure     bool
		stripped string
	}{
		{"a bar", "7| a\n8|   b", true, 7, true, "a\n  b"},
		{"a bar, without a space", "7|a\n8|  b", true, 7, true, "a\n  b"},
		{"an arrow, flush right", "  9→a\n 10→\tb", true, 9, true, "a\n\tb"},
		{"a tab", "     1\ta\n     2\t\tb", true, 1, true, "a\n\tb"},
		{"a colon", "3: a\n4: b", true, 3, false, "a\nb"},
		{"a space", "3 a\n4   b", true, 3, false, "a\n  b"},
		{"a blank line", "3| a\n4|\n5| b", true, 3, true, "a\n\nb"},
		{"a blank line without its tab", " 3\ta\n 4\n 5\tb", true, 3, true, "a\n\nb"},
		{"a blank line that has lost its number", "3| a\n\n5| b", true, 3, true, "a\n\nb"},
		{"a blank line at the beginning", "\n5| a", true, 4, true, "\na"},
		{"blank lines with space", "3| a\n4|    \n5|\n6|  b", true, 3, true, "a\n   \n\n b"},
		{"a tag and a colon", "3#HY:a\n4#0Q:  b", true, 3, true, "a\n  b"},
		{"a tag and a tab", "     3#QKVR\ta\n     4#HYZZ\t\n     5#PMQV\t\tb", true, 3, true, "a\n\n\tb"},
		{"a tag and a bar", "3:a3|a\n4:0f|\n5:11|  b", true, 3, true, "a\n\n  b"},
		{"a tag, and a space", "3#HY: a\n4#0Q:   b", true, 3, true, "a\n  b"},
		{"an L", "L9:a\nL10:  b", true, 9, false, "a\n  b"},
		{"an L, and a space", " L9: a\nL10:   b", true, 9, false, "a\n  b"},
		{"a tag on one line only", "3#HY:a\n4:b", false, 0, false, ""},
		{"numbers that do not rise by one", "3| a\n5| b", false, 0, false, ""},
		{"a line without a number", "3| a\nb", false, 0, false, ""},
		{"several separators", "3| a\n4: b", false, 0, false, ""},
		{"numbers alone", "3\n4", false, 0, false, ""},
		{"code", "a\nb", false, 0, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := strings.Split(c.lines, "\n")
			n, ok := text.NumberingOf(lines)
			if ok != c.numbered || ok && (n.First != c.first || n.Sure != c.sure) {
				t.Fatalf("%+v, %v", n, ok)
			}
			if !ok {
				return
			}
			if got, all := n.Strip(lines); !all || strings.Join(got, "\n") != c.stripped {
				t.Errorf("stripped: %q, %v", got, all)
			}
		})
	}
}
