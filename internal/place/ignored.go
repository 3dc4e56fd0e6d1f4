package place

import (
	"math/bits"
	"strings"
)

// An ignored set has the kinds of differences between the old text and the file that a place ignores. One kind is not
// worse than another: a place is better than another only if it ignores less of everything.
type ignored uint8

const (
	trailing ignored = 1 << iota // trailing whitespace
	blanks                       // blank lines that are doubled, missing or at the edges
	indents                      // indentation
	signs                        // typographic characters, Unicode composition
	numbers                      // line numbers copied from a viewer
	leftOut                      // lines left out, with a line of "..." in their place
	words                        // a word or two in lines that the edit does not change
	misfit                       // everything: the lines do not fit

	nothing ignored = 0
)

// kinds has the class and the name of each kind, in the order of the bits.
var kinds = [...]struct {
	class Fit
	name  string
}{
	{Spacing, "trailing whitespace"},
	{Spacing, "blank lines"},
	{Indentation, "indentation"},
	{Notation, "typographic characters"},
	{Notation, "line numbers in front of the lines"},
	{Elision, `lines left out as "..."`},
	{Drift, "a few words of lines that the {edit} does not change"},
}

// upTo returns everything that fits of a class, or a better one, ignore.
func upTo(class Fit) (all ignored) {
	for k, kind := range kinds {
		if kind.class <= class {
			all |= 1 << k
		}
	}
	return all
}

// class returns the loosest class of what a set has.
func (s ignored) class() Fit {
	if s == nothing {
		return Exact
	}
	return kinds[bits.Len8(uint8(s))-1].class
}

// String names what is in the set, in words for [plan.Words.Say].
func (s ignored) String() string {
	var names []string
	for k, kind := range kinds {
		if s&(1<<k) != 0 {
			names = append(names, kind.name)
		}
	}
	if n := len(names); n > 1 {
		names = append(names[:n-2], names[n-2]+" and "+names[n-1])
	}
	return strings.Join(names, ", ")
}

// within reports whether everything in s is in t too.
func (s ignored) within(t ignored) bool { return s&^t == 0 }

// isBetter reports whether a place that ignores s is better than one that ignores t: t has all of s, and more. Trailing
// whitespace counts only between places that are equal otherwise, and not if blank lines are ignored, which may have
// some.
func (s ignored) isBetter(t ignored) bool {
	if a, b := s&^trailing, t&^trailing; a != b {
		return a.within(b)
	}
	return s < t && s&blanks == 0
}
