package place

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A candidate is a place where a pattern, or a string, fits.
type candidate struct {
	text.Span       // of a string; of a pattern from its first line that is not blank
	later     []int // where the segments after the first start in the same way
	lead      int32 // the length of the lines above Start for the blank ones that the pattern begins with
	ignores   ignored
}

// whole returns the piece of the text that is at a candidate, with the lines for the blank ones at its beginning.
func (c candidate) whole() text.Span { return text.Span{Start: c.Start - int(c.lead), End: c.End} }

// A placement is a pattern at a candidate. For a string, p is nil.
type placement struct {
	p *pattern
	candidate
}

// fitOf returns what has to be ignored for an old line, folded to key, to fit a line of the text.
func fitOf(o, key string, f []byte) ignored {
	if string(f) == o {
		return nothing
	}
	os, oe := text.Trimmed(o)
	fs, fe := text.Trimmed(f)
	var s ignored
	if o[os:oe] != string(f[fs:fe]) {
		if text.IsASCII(o) && text.IsASCII(f) || text.Fold(string(f)) != key {
			return misfit
		}
		s = signs
	}
	if o[:os] != string(f[:fs]) {
		s |= indents
	}
	if o[oe:] != string(f[fe:]) {
		s |= trailing
	}
	return s
}

// fit returns what has to be ignored for the i-th old line to fit the line l of the text that it is paired with.
func (p *pattern) fit(t text.Text, i int, l text.Line) ignored {
	switch {
	case i < 0 || !l.Real() && p.keys[i] == "":
		return blanks
	case !l.Real():
		return misfit
	case p.keys[i] != "":
		return fitOf(p.old[i], p.keys[i], t.Bytes(l))
	case string(t.Bytes(l)) != p.old[i]:
		return trailing
	}
	return nothing
}

// eachPair pairs the old lines of a segment with lines of the text, its first non-blank line with the line at start,
// until pair returns false of a line that is not blank. Blank lines between others pair from the top, those at the
// edges from the text outwards (P2). One that the old text lacks pairs with -1, one that the text lacks with None.
func (p *pattern) eachPair(t text.Text, s segment, start int, pair func(i int, l text.Line) bool) {
	isBlank := func(l text.Line) bool { return l.Real() && text.IsBlank(t.Bytes(l)) }
	top, first := t.LineAt(start), s.from // where all are blank
	if len(s.solid) > 0 {
		first = s.solid[0]
	}
	l := top
	for i := first; i < s.to; i++ {
		if p.keys[i] == "" && !isBlank(l) {
			pair(i, text.None)
			continue
		}
		for ; p.keys[i] != "" && isBlank(l); l = t.Below(l) {
			pair(-1, l)
		}
		if !pair(i, l) || !l.Real() {
			return
		}
		l = t.Below(l)
	}
	l = top
	for i := first - 1; i >= s.from; i-- {
		if l = t.Above(l); !isBlank(l) {
			l = text.None
		}
		pair(i, l)
	}
}

// lines returns the line of the text for each line of f.p.old, text.None for one that the text lacks.
func (f placement) lines(t text.Text) []text.Line {
	at := slices.Repeat([]text.Line{text.None}, len(f.p.old))
	for k, start := range append([]int{f.Start}, f.later...) {
		f.p.eachPair(t, f.p.segments[k], start, func(i int, l text.Line) bool {
			if i >= 0 {
				at[i] = l
			}
			return true
		})
	}
	return at
}

// locateCandidates returns the location of the candidates of an edit.
func (v *version) locateCandidates(all []candidate) location {
	return v.locate(mapped(all, func(c candidate) text.Span { return c.Span }))
}

// An ignored set has the kinds of differences between the old text and the file that a place ignores. One kind is not
// worse than another: a place is better than another only if it ignores less of everything.
type ignored uint16

const (
	trailing ignored = 1 << iota // trailing whitespace
	blanks                       // blank lines that are doubled, missing or at the edges
	indents                      // indentation
	signs                        // typographic characters, Unicode composition
	numbers                      // line numbers copied from a viewer
	marks                        // marks of a patch in front of every line
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
	{Notation, "the marks of a patch in front of the lines"},
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
	return kinds[bits.Len16(uint16(s))-1].class
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

func (s ignored) within(t ignored) bool { return s&^t == 0 }

// isBetter reports whether a place that ignores s is better than one that ignores t: t has all of s, and more. Trailing
// whitespace counts only between places that are equal otherwise, and not beside blank lines, which may have some.
func (s ignored) isBetter(t ignored) bool {
	if a, b := s&^trailing, t&^trailing; a != b {
		return a.within(b)
	}
	return s < t && s&blanks == 0
}
