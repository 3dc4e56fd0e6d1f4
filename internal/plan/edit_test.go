package plan_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/plan"
)

// N2: the content of a file is refused if a viewer has plainly numbered it.
func TestContentWithLineNumbers(t *testing.T) {
	for content, refused := range map[string]bool{
		"     1\ta\n     2\t\n     3\tb\n": true,
		" 9| a\n10| b\n":                   true,
		"1#HY:a\n2#0Q:b\n":                 true,
		"1:a3|a\n2:ff|b\n":                 true,
		"1| a\n2| b\n":                     false, // a table
		"1\ta\n2\tb\n":                     false,
		"1: a\n2: b\n":                     false,
		"L1: a\nL2: b\n":                   false,
		"1#HY:a\n":                         false,
		"1#HY:a\n3#0Q:b\n":                 false,
		"\n     2\tb\n":                    false,
		"\n\n":                             false,
		"":                                 false,
	} {
		if p := plan.CheckContent("f", content, nil); (p != nil) != refused {
			t.Errorf("%q: %+v", content, p)
		}
	}
}
