package place

import "testing"

// A place is better than another only if it ignores less of everything; trailing whitespace counts only between places
// that are equal otherwise.
func TestAPlaceIsBetterIfItIgnoresLess(t *testing.T) {
	for _, c := range []struct {
		a, b ignored
		want bool
	}{
		{nothing, trailing, true}, {nothing, indents, true}, {blanks, blanks | indents, true}, {trailing, blanks, true}, {trailing, indents, true},
		{indents, indents | trailing, true}, {indents | trailing, indents | blanks, true},
		{nothing, nothing, false}, {blanks, indents, false}, {indents, blanks, false}, {indents, signs, false}, {trailing, nothing, false}, {indents, trailing, false},
	} {
		if got := c.a.isBetter(c.b); got != c.want {
			t.Errorf("%v better than %v: %v", c.a, c.b, got)
		}
	}
}

func TestIgnoredSetsHaveAClassAndNames(t *testing.T) {
	for set, want := range map[ignored]struct {
		class Fit
		names string
	}{
		nothing:                     {Exact, ""},
		blanks:                      {Spacing, "blank lines"},
		trailing | indents:          {Indentation, "trailing whitespace and indentation"},
		indents | signs:             {Notation, "indentation and typographic characters"},
		trailing | blanks | numbers: {Notation, "trailing whitespace, blank lines and line numbers in front of the lines"},
		leftOut | indents:           {Elision, `indentation and lines left out as "..."`},
		words:                       {Drift, "a few words of lines that the {edit} does not change"},
	} {
		if set.class() != want.class || set.String() != want.names || !set.within(upTo(want.class)) {
			t.Errorf("%08b: %v, %q", set, set.class(), set)
		}
	}
}
