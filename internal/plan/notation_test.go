package plan_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// E4: copies of old lines show that new text does not have the tabs or the spaces of the file.
func TestCopiesInOtherNotation(t *testing.T) {
	const code = "def f():\n    a(1)\n    b(2)\n    c(3)\n\nif x:\n    y()\n"
	const tabs = "func f() {\n\ta(1)\n\tb(2)\n}\n"
	for _, tt := range []struct {
		name, file, old, new string
		refused              bool
	}{
		{"a step deeper", code, "    a(1)\n    b(2)\n", "    if x:\n        a(1)\n        b(4)\n", false},
		{"the old text is not there to the letter", "def f():\n  a(1)\n  b(2)\n", "    a(1)\n    b(2)\n", "\ta(4)\n\tb(2)\n", false},
		{"spaces for tabs", tabs, "\ta(1)\n\tb(2)\n", "    a(1)\n    b(4)\n", true},
		{"spaces for tabs, and nothing else changes", tabs, "\ta(1)\n\tb(2)\n", "    a(1)\n    b(2)\n", false},
		{"tabs for spaces", code, "    a(1)\n    b(2)\n", "\ta(1)\n\tb(4)\n", true},
		{"spaces in a line of its own", tabs, "\ta(1)\n", "\ta(1)\n\t/*\n\t * d\n\t */\n", false},
		{"all of the file", tabs, tabs, strings.ReplaceAll(tabs, "\t", "    ") + "x()\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan.Damaged(tt.old, tt.new, text.New([]byte(tt.file)), plan.WordsOf("").In("a.py"))
			if (p != nil) != tt.refused {
				t.Errorf("refused %t: %+v", p != nil, p)
			}
		})
	}
}
