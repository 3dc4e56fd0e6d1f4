package plan_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// E4: copies of old lines show that new text has not the indentation of the file.
func TestIndentationThatNobodyMeans(t *testing.T) {
	const code = "def f():\n    a(1)\n    b(2)\n    c(3)\n\nif x:\n    y()\n"
	const tabs = "func f() {\n\ta(1)\n\tb(2)\n}\n"
	for _, tt := range []struct {
		name, file, old, new string
		refused              bool
	}{
		{"the first line lost it", code, "    a(1)\n    b(2)\n", "a(4)\n    b(2)\n", true},
		{"the first line lost it, and nothing else changes", code, "    a(1)\n    b(2)\n", "a(1)\n    b(2)\n", false},
		{"all lines lost it", code, "    a(1)\n    b(2)\n", "a(1)\nb(2)\nd(4)\n", true},
		{"all lines lost it, and nothing else changes", code, "    a(1)\n    b(2)\n", "a(1)\nb(2)\n", false},
		{"the only line lost it", code, "    a(1)", "a(4)", true},
		{"the lines move out of a block that the old text shows", code, "if x:\n    y()\n", "y()\nz()\n", false},
		{"another line", code, "    c(3)\n", "    c(3)\n\ndef g():\n    pass\n", false},
		{"another line in the first column", code, "    c(3)\n", "def g():\n    c(3)\n", false},
		{"a step deeper", code, "    a(1)\n    b(2)\n", "    if x:\n        a(1)\n        b(4)\n", false},
		{"the old text is not there to the letter", "def f():\n  a(1)\n  b(2)\n", "    a(1)\n    b(2)\n", "a(4)\n    b(2)\n", false},
		{"the old text begins within a line", code, " a(1)", "a(4)", false},
		{"spaces for tabs", tabs, "\ta(1)\n\tb(2)\n", "    a(1)\n    b(4)\n", true},
		{"spaces for tabs, and nothing else changes", tabs, "\ta(1)\n\tb(2)\n", "    a(1)\n    b(2)\n", false},
		{"tabs for spaces", code, "    a(1)\n    b(2)\n", "\ta(1)\n\tb(4)\n", true},
		{"spaces in a line of its own", tabs, "\ta(1)\n", "\ta(1)\n\t/*\n\t * d\n\t */\n", false},
		{"a line that is there twice", code, "    a(1)\n    b(2)\n", "\ta(1)\n    a(1)\n    b(2)\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan.Damaged(tt.old, tt.new, text.New([]byte(tt.file)), plan.WordsOf("").In("a.py"))
			if (p != nil) != tt.refused {
				t.Errorf("refused %t: %+v", p != nil, p)
			}
		})
	}
}
