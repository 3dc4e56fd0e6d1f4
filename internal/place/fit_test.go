package place

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/text"
)

func TestFitOf(t *testing.T) {
	for _, c := range []struct {
		old, file string
		want      ignored
	}{
		{"  x = 1", "  x = 1", nothing}, {"  x = 1", "  x = 1 ", trailing}, {"x = 1", "\tx = 1", indents},
		{"x = 1", "\tx = 1\t", indents | trailing},
		{"say(“x”)", `say("x")`, signs}, {`say("x")`, "  say(“x”) ", signs | indents | trailing},
		{"x = 1", "x  = 1", misfit}, {"x = 1", "x = 2", misfit}, {"say(“x”)", "say(“y”)", misfit},
	} {
		if got := fitOf(c.old, text.Fold(c.old), []byte(c.file)); got != c.want {
			t.Errorf("%q on %q: %v, want %v", c.old, c.file, got, c.want)
		}
	}
}

// A place is better than another only if it ignores less of everything; trailing whitespace counts only between places
// that are equal otherwise.
func TestAPlaceIsBetterIfItIgnoresLess(t *testing.T) {
	for _, c := range []struct {
		a, b ignored
		want bool
	}{
		{nothing, trailing, true}, {nothing, indents, true}, {blanks, blanks | indents, true}, {trailing, blanks, true},
		{trailing, indents, true},
		{indents, indents | trailing, true}, {indents | trailing, indents | blanks, true},
		{nothing, nothing, false}, {blanks, indents, false}, {indents, blanks, false}, {indents, signs, false},
		{trailing, nothing, false}, {indents, trailing, false},
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
		nothing:            {Exact, ""},
		blanks:             {Spacing, "blank lines"},
		trailing | indents: {Indentation, "trailing whitespace and indentation"},
		indents | signs:    {Notation, "indentation and typographic characters"},
		trailing | blanks | numbers: {Notation,
			"trailing whitespace, blank lines and line numbers in front of the lines"},
		leftOut | indents: {Elision, `indentation and lines left out as "..."`},
		words:             {Drift, "a few words of lines that the {edit} does not change"},
	} {
		if set.class() != want.class || set.String() != want.names || !set.within(upTo(want.class)) {
			t.Errorf("%08b: %v, %q", set, set.class(), set)
		}
	}
}
