package atomicedit

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// A passage is an edit read as lines. A passage with elisions falls into segments, which are found one by one.
type passage struct {
	edit      int
	e         *Edit
	said      string // what it was read from: passages of one such text fit at the same places; "" if it is not all of it
	old, new  []string
	groups    []group  // how old becomes new
	keys      []string // by line of old: folded; "" if it is blank
	segments  []segment
	whole     [1]segment // room for the one that most have
	near      int        // the line that the request names, 0 if none
	ownIndent bool       // the new lines were not copied with the old ones: their indentation is the text's
	numbered  *numbering // what was taken off the lines of this reading, nil if nothing
	loosest   Fit        // that this reading can be: what its kind of text allows
	tightest  Fit        // that it can be: line numbers make any fit a Notation

	byText map[string][]int // the old lines by their text without the space around it; see twin
}

// A segment is a run of old lines that lie together in the text.
type segment struct {
	from, to int
	solid    []int // the lines in it that are not blank
}

func (p *passage) segment(from, to int) segment {
	s := segment{from: from, to: to, solid: make([]int, 0, to-from)}
	for i := from; i < to; i++ {
		if p.keys[i] != "" {
			s.solid = append(s.solid, i)
		}
	}
	return s
}

func newPassage(edit int, e *Edit, old, new string) *passage {
	p := &passage{edit: edit, e: e}
	p.read(old, new)
	return p
}

// read takes the lines of old and new text.
func (p *passage) read(old, new string) {
	lines := appendLines(make([]string, 0, 3+2*strings.Count(old, "\n")+strings.Count(new, "\n")), old)
	n := len(lines)
	lines = appendLines(lines, new)
	p.take(lines[:n:n], lines[n:], lines[len(lines):])
}

// take takes old and new lines; keys is room for the folded ones.
func (p *passage) take(old, new, keys []string) {
	p.old, p.new, p.near, p.loosest, p.tightest = old, new, p.e.Near, Drift, Exact
	p.groups = align(old, new, p.e.hunk)
	for _, l := range old {
		keys = append(keys, fold(l))
	}
	p.keys = keys
	p.whole[0] = p.segment(0, len(old))
	p.segments = p.whole[:]
	if solid := p.segments[0].solid; len(solid) == 0 {
		p.loosest = Exact
	} else if len(solid) == 1 && !hasWord(p.keys[solid[0]]) {
		p.loosest = Spacing
	}
}

// keeps reports whether the edit leaves the i-th old line as it is.
func (p *passage) keeps(i int) bool {
	k := sort.Search(len(p.groups), func(k int) bool { return i < p.groups[k].oldTo })
	return k == len(p.groups) || i < p.groups[k].oldFrom
}

// unnumbered returns p without the line numbers that a viewer wrote in front of its lines, nil if it has none.
func (p *passage) unnumbered() *passage {
	n, ok := numberingOf(p.old)
	if !ok {
		return nil
	}
	old, ok := n.strip(p.old)
	if !ok {
		return nil
	}
	stripped, all := n.strip(p.new)
	if !all {
		for _, l := range p.new {
			if numberedLine.MatchString(l) {
				return nil
			}
		}
		stripped = p.new
	}
	u := &passage{edit: p.edit, e: p.e, ownIndent: !all}
	u.take(old, stripped, nil)
	if len(u.segments[0].solid) == 0 { // numbers in front of nothing are not worth a guess
		return nil
	}
	u.near, u.tightest, u.numbered = n.first, Notation, &n
	return u
}

// plainlyIndented returns p with plain spaces for the no-break and other special ones that its lines begin with, nil if no old
// line begins with any.
func (p *passage) plainlyIndented() *passage {
	if isASCII(p.e.Old) {
		return nil
	}
	isSpecial := func(r rune) bool { return familyOf(r) == spaces }
	plain := func(lines []string) (all []string) {
		for _, l := range lines {
			body := strings.TrimLeftFunc(l, func(r rune) bool { return r == ' ' || r == '\t' || isSpecial(r) })
			indent := strings.Map(func(r rune) rune {
				if isSpecial(r) {
					return ' '
				}
				return r
			}, l[:len(l)-len(body)])
			all = append(all, indent+body)
		}
		return all
	}
	old := plain(p.old)
	if slices.Equal(old, p.old) {
		return nil
	}
	u := &passage{edit: p.edit, e: p.e}
	u.take(old, plain(p.new), nil)
	u.tightest = Notation
	return u
}

// elided returns p with the lines of "..." standing for lines left out, nil if it has none or they do not pair.
func (p *passage) elided() *passage {
	var marks []int
	for i, l := range p.old {
		if isElision(l) {
			if !p.keeps(i) {
				if framed.MatchString(strings.Trim(l, space)) {
					continue // a comment that goes
				}
				return nil
			}
			marks = append(marks, i)
		}
	}
	if len(marks) == 0 {
		return nil
	}
	n := 0
	for _, l := range p.new {
		if isElision(l) {
			n++
		}
	}
	if n != len(marks) {
		return nil
	}
	v := *p
	v.segments, v.tightest = nil, Elision
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

// changes reports whether the edit changes something within the segment or at its edges.
func (p *passage) changes(s segment) bool {
	return slices.ContainsFunc(p.groups, func(g group) bool {
		last := g.oldFrom - 1
		return g.oldFrom < g.oldTo && g.oldFrom < s.to && s.from < g.oldTo ||
			g.newFrom < g.newTo && s.from <= g.oldFrom && last < s.to && p.beside(last, s)
	})
}

// beside reports whether what is inserted after the kept old line last belongs to s: text beside an elision belongs to
// the side that it stands on in the request.
func (p *passage) beside(last int, s segment) bool {
	return last >= s.from || s.from == 0 || last == s.from-1
}

// elision reports whether the i-th old line stands for lines left out.
func (p *passage) elision(i int) bool {
	for _, s := range p.segments {
		if i == s.to && i < len(p.old) {
			return true
		}
	}
	return false
}

// anyChange reports whether the edit changes something in a segment before the k-th.
func (p *passage) anyChange(k int) bool {
	for _, s := range p.segments[:k] {
		if p.changes(s) {
			return true
		}
	}
	return false
}

// readings are the ways to read an edit, the plainest first. A reading counts only if none before it fits.
func readings(p *passage) []*passage {
	all := []*passage{p}
	if u := p.unnumbered(); u != nil {
		all = append(all, u)
	}
	for _, r := range all {
		if e := r.elided(); e != nil {
			all = append(all, e)
		}
	}
	return all
}

// hasWord reports whether s has a word of three letters.
func hasWord(s string) bool { return longestRun(s, unicode.IsLetter) >= 3 }

// substantial lines are those that say enough to be told from others (PLACING, Substantial).
func substantial(s string) bool { return longestRun(s, isLetterOrDigit) >= 3 }

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func longestRun(s string, in func(rune) bool) (longest int) {
	n := 0
	for _, r := range s {
		if n++; !in(r) {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}
