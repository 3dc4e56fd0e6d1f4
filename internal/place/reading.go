package place

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/text"
)

// readings returns the ways to read an edit, the plainest first. A reading counts only if no reading before it fits.
// Typography is that of the text.
func readings(p *pattern, typography *text.Typography) []*pattern {
	var all []*pattern
	if u := p.unprefixed(); u != nil {
		all = append(all, u)
	}
	if u := p.plainlyIndented(); u != nil && !typography.Uses(text.Spaces) {
		all = append(all, u)
	}
	stripped := []*pattern{p}
	if u := p.unnumbered(); u != nil {
		stripped = append(stripped, u)
	}
	all = append(all, stripped...)
	for _, r := range stripped {
		if e := r.elided(); e != nil {
			all = append(all, e)
		}
	}
	return all
}

// unnumbered returns p without the line numbers that a viewer wrote in front of its lines, nil if it has none.
func (p *pattern) unnumbered() *pattern {
	n, ok := text.NumberingOf(p.old)
	if !ok {
		return nil
	}
	old, ok := n.Strip(p.old)
	if !ok {
		return nil
	}
	own := false
	stripped, all := n.Strip(p.new)
	if keeps := sharesLine(old, p.new); !all || keeps { // only the old lines have numbers
		if !keeps && slices.ContainsFunc(p.new, text.LooksNumbered) {
			return nil
		}
		stripped = withEmptyBlanks(p.new)
		old, own = likeNew(old, stripped)
	}
	u := &pattern{e: p.e, ownIndent: own}
	u.take(old, stripped, nil)
	if u.isBlank() { // numbers without text are too little evidence
		return nil
	}
	// Three lines in a row are not numbered by chance.
	n.Sure = n.Sure || text.CountSolid(old) > 2
	u.ignores, u.numbered = numbers, &n
	return u
}

// sharesLine reports whether a line that is not blank is in both texts.
func sharesLine(old, new []string) bool {
	was := map[string]bool{}
	for _, l := range old {
		was[l] = !text.IsBlank(l)
	}
	return slices.ContainsFunc(new, func(l string) bool { return was[l] })
}

// likeNew returns old lines, whose line numbers were taken off, with the indentation that they have among the new
// lines, which had no numbers: a space in front may belong to the separator or to the line. Own reports that the lines
// in both do not tell, so that the new lines may have any indentation.
func likeNew(old, new []string) (all []string, own bool) {
	const fewer, same, more = 1, 2, 4
	indents := map[string][]string{} // each different one once
	for _, l := range new {
		if indent, body, _ := text.Parts(l); text.HasLetterOrDigit(body) && !slices.Contains(indents[body], indent) {
			indents[body] = append(indents[body], indent)
		}
	}
	seen := 0
	for _, l := range old {
		was, body, _ := text.Parts(l)
		for _, is := range indents[body] {
			switch {
			case was == is:
				seen |= same
			case was == " "+is:
				seen |= fewer
			case is == " "+was:
				seen |= more
			}
		}
	}
	all = slices.Clone(old)
	for i, l := range all {
		switch {
		case seen == fewer:
			all[i] = strings.TrimPrefix(l, " ")
		case seen == more && l != "":
			all[i] = " " + l
		}
	}
	return all, seen != fewer && seen != same && seen != more
}

// withEmptyBlanks returns lines without whitespace in the blank ones.
func withEmptyBlanks(lines []string) []string {
	all := slices.Clone(lines)
	for i, l := range all {
		if text.IsBlank(l) {
			all[i] = ""
		}
	}
	return all
}

// plainlyIndented returns p with plain spaces for the special ones that its lines begin with, nil if no old line begins
// with any.
func (p *pattern) plainlyIndented() *pattern {
	if text.IsASCII(p.e.Old) {
		return nil
	}
	old := withPlainIndent(p.old)
	if slices.Equal(old, p.old) {
		return nil
	}
	u := &pattern{e: p.e}
	u.take(old, withPlainIndent(p.new), nil)
	u.ignores = signs
	return u
}

func withPlainIndent(lines []string) (all []string) {
	for _, l := range lines {
		all = append(all, text.PlainIndent(l))
	}
	return all
}

// elided returns p with its lines of "..." standing for lines left out, nil if it has none or if old and new text have
// different numbers of them.
func (p *pattern) elided() *pattern {
	var marks []int
	for i, l := range p.old {
		switch {
		case !omission.IsElision(l):
		case p.keeps(i):
			marks = append(marks, i)
		case omission.In(l) == omission.Dots: // else it is a comment that the edit removes
			return nil
		}
	}
	if len(marks) == 0 {
		return nil
	}
	n := 0
	for _, l := range p.new {
		if omission.IsElision(l) {
			n++
		}
	}
	if n != len(marks) {
		return nil
	}
	v := *p
	v.segments, v.ignores = nil, p.ignores|leftOut
	from := 0
	for _, m := range append(marks, len(p.old)) {
		s := p.segment(from, m)
		if len(s.solid) == 0 {
			return nil
		}
		v.segments, from = append(v.segments, s), m+1
	}
	return &v
}
