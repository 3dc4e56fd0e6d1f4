package atomicedit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// indentOf returns the white space that a line begins with.
func indentOf(l []byte) string {
	for i, c := range l {
		if !isSpace(c) {
			return string(l[:i])
		}
	}
	return string(l)
}

// width is how far an indentation reaches, for comparing depths.
func width(indent string) int {
	w := 0
	for _, c := range []byte(indent) {
		if w++; c == '\t' {
			w += 7 - (w-1)%8
		}
	}
	return w
}

// A shift is what a matched line teaches: which indentation of the request stands for which of the text.
type shift struct{ from, to string }

// A scale is one step of indentation in the request and in the text.
type scale struct{ from, to string }

// A style is what the edits of a request teach together about indentation. Each part is worked out when it is first needed.
type style struct {
	scales  func() []scale
	other   func() bool     // some edit is written in another style than the text: tabs for spaces, the reverse, or other steps
	request func() []string // every indentation in the request
	unit    func() string   // the text's commonest step, "" if none is common enough
}

// style returns what the edits of the request teach.
func (b *builder) style() *style {
	if b.taught == nil {
		b.taught = b.newStyle()
	}
	return b.taught
}

func (b *builder) newStyle() *style {
	indenters := sync.OnceValue(func() (ins []*indenter) {
		for i := range b.wants {
			if w := &b.wants[i]; w.placed {
				ins = append(ins, b.indenter(w.fit(0), b.lines(w.fit(0))))
			}
		}
		return ins
	})
	return &style{
		scales: sync.OnceValue(func() (scales []scale) {
			for _, in := range indenters() {
				scales = append(scales, in.scales()...)
			}
			return scales
		}),
		other: sync.OnceValue(func() bool {
			return slices.ContainsFunc(indenters(), func(in *indenter) bool {
				return slices.ContainsFunc(in.shifts, shift.otherStyle) || !in.same && in.rescaled()
			})
		}),
		request: sync.OnceValue(func() (indents []string) {
			for i := range b.wants {
				w := &b.wants[i]
				p := &w.plain
				if w.placed {
					p = w.reading
				}
				for _, l := range slices.Concat(p.old, p.new) {
					if indent, body, _ := cut(l); body != "" {
						indents = append(indents, indent)
					}
				}
			}
			return indents
		}),
		unit: sync.OnceValue(b.commonestStep),
	}
}

// otherStyle reports whether tabs stand for spaces, or the reverse.
func (s shift) otherStyle() bool {
	return strings.Contains(s.from, " ") && strings.HasPrefix(s.to, "\t") ||
		strings.HasPrefix(s.from, "\t") && strings.Contains(s.to, " ") && !strings.Contains(s.to, "\t")
}

// moved reports whether the line lies at another depth, not just in another style.
func (s shift) moved() bool {
	return s.from != s.to && !(s.from != "" && s.to != "" && s.otherStyle())
}

// An indenter re-indents the new lines of one edit.
type indenter struct {
	*builder
	f      fit
	at     []line               // its lines of the text
	shifts []shift              // those that differ
	few    [4]shift             // room for them
	byFrom map[nesting][]string // see known
	same   bool                 // every matched line has the text's indentation
	zero   bool                 // no matched line is indented by as much as a step, here and there
	cutOff bool                 // only the first line is not as in the text: it lost its indentation when it was copied
	noted  bool
	lines  int // that are matched

	asked           group // see mayBeOwn
	maybe           bool
	compared, other bool
}

// indenter returns one for a fit, whose lines lie at the given ones of the text.
func (b *builder) indenter(f fit, at []line) *indenter {
	in := &indenter{}
	in.observe(b, f, at)
	return in
}

// observe makes in the one for a fit.
func (in *indenter) observe(b *builder, f fit, at []line) {
	*in = indenter{builder: b, f: f, at: at, same: true, zero: true}
	in.shifts = in.few[:0]
	others := true // all but the first are as in the text
	for i := range at {
		s, ok := in.matched(i)
		if !ok {
			continue
		}
		if in.lines++; in.lines == 1 {
			in.cutOff = s.from == "" && s.to != ""
		} else {
			others = others && s.from == s.to
		}
		in.same = in.same && s.from == s.to
		in.zero = in.zero && s.from == s.to && (s.from == "" || s.from == " ")
		if !slices.ContainsFunc(in.shifts, func(t shift) bool { return t.from == s.from && t.to == s.to }) {
			in.shifts = append(in.shifts, s)
		}
	}
	in.cutOff = in.cutOff && others && in.lines > 1
}

// matched returns what the i-th old line teaches, false if that is nothing.
func (in *indenter) matched(i int) (s shift, ok bool) {
	if !in.at[i].real() || in.f.p.keys[i] == "" {
		return s, false
	}
	from, _, _ := cut(in.f.p.old[i])
	s = shift{from, from}
	if to := in.bytes(in.at[i]); len(to) <= len(from) || string(to[:len(from)]) != from || isSpace(to[len(from)]) {
		s.to = indentOf(to)
	}
	return s, true
}

// scales returns the steps that two levels of this edit teach.
func (in *indenter) scales() (all []scale) {
	for k, a := range in.shifts {
		for _, b := range in.shifts[:k] {
			if len(a.from) < len(b.from) {
				a, b = b, a
			}
			from, ok := strings.CutPrefix(a.from, b.from)
			to, also := strings.CutPrefix(a.to, b.to)
			if !ok || !also || from == "" || to == "" {
				continue
			}
			if unit := in.style().unit(); unit != "" && len(to)%len(unit) == 0 {
				if n := len(to) / len(unit); len(from)%n == 0 && to == strings.Repeat(unit, n) && from == strings.Repeat(from[:len(from)/n], n) {
					from, to = from[:len(from)/n], unit
				}
			}
			if c := (scale{from, to}); len(all) == 0 || all[len(all)-1] != c {
				all = append(all, c)
			}
			break
		}
	}
	return all
}

// commonestStep returns the commonest step from a line to a deeper one in the text, "" if none is common enough.
func (t *text) commonestStep() string {
	steps, total := map[string]*int{}, 0
	var before []byte
	for rest := t.data; len(rest) > 0; {
		end := 0 // of the indentation
		for end < len(rest) && isSpace(rest[end]) && rest[end] != t.eol {
			end++
		}
		indent := rest[:end]
		blank := end == len(rest) || rest[end] == t.eol
		if next := bytes.IndexByte(rest[end:], t.eol); next >= 0 {
			rest = rest[end+next+1:]
		} else {
			rest = nil
		}
		if blank || bytes.Equal(indent, before) {
			continue
		}
		if step, deeper := bytes.CutPrefix(indent, before); deeper {
			if steps[string(step)] == nil {
				steps[string(step)] = new(int)
			}
			*steps[string(step)]++
			total++
		}
		before = indent
	}
	unit, most := "", 0
	for s, n := range steps {
		if *n > most || *n == most && s < unit {
			unit, most = s, *n
		}
	}
	if 10*most < 4*total {
		return ""
	}
	return unit
}

// shift returns the indentation in the text that stands for that of the j-th new line, a line of the group g; false if
// it cannot be told (PLACING I1 to I8).
func (in *indenter) shift(indent string, g group, j int) (string, bool) {
	if len(in.shifts) == 0 || in.same && !(in.zero && in.style().other()) {
		in.noteStyle(indent)
		return indent, true
	}
	if in.f.p.ownIndent { // by a space, that the viewer's separator may have or not (PLACING N2)
		return indent, !slices.ContainsFunc(in.shifts, func(s shift) bool { return s.to != s.from && s.to != " "+s.from })
	}
	if in.cutOff && indent == "" {
		return in.lost(j)
	}
	if to, known, ok := in.known(g, j); known {
		return to, ok
	}
	if in.cutOff {
		return indent, true
	}
	if to, ok := in.prefixed(indent); ok && !in.same {
		if hunk := in.f.p.e.hunk; hunk != "" && !strings.Contains(hunk, "-") && to == " "+indent {
			return in.added(indent)
		}
		scaled, counted := in.scaled(indent, in.arithmetic())
		return to, !(counted && scaled != to && in.rescaled()) // shifted, or written in another step: it cannot be told
	}
	for _, scales := range []func() []scale{in.scales, in.style().scales, in.arithmetic} {
		if to, ok := in.scaled(indent, scales()); ok {
			return to, true
		}
	}
	return "", false
}

// lost returns the indentation of the j-th new line, in column 0, where only the first old line lost its own when it was copied:
// the first new line lost the same, and another one may have lost it or not, unless an old one shows what column 0 means.
func (in *indenter) lost(j int) (string, bool) {
	if j == slices.IndexFunc(in.f.p.new, func(l string) bool { return !isBlank(l) }) {
		i := slices.IndexFunc(in.shifts, func(s shift) bool { return s.from != s.to })
		return in.shifts[i].to, true
	}
	return "", slices.Contains(in.shifts, shift{"", ""})
}

// A nesting is an indentation of the request. Entries of a list in YAML may be as deep as their key, so that theirs is another.
type nesting struct {
	indent string
	entry  bool
}

// nestingOf returns that of a line of the request.
func nestingOf(l string) nesting {
	indent, body, _ := cut(l)
	return nesting{indent, body == "-" || strings.HasPrefix(body, "- ")}
}

// added returns the indentation of a line that a patch adds, where all its lines of context lack a space: those may have lost
// their first column, and then what is added is right as it is. The text's steps tell.
func (in *indenter) added(indent string) (string, bool) {
	unit := in.style().unit()
	asIs, shifted := false, false
	for _, g := range in.f.p.groups {
		for _, l := range in.f.p.new[g.newFrom:g.newTo] {
			if own, body, _ := cut(l); body != "" && unit != "" {
				steps, moved := len(own)%len(unit) == 0, (len(own)+1)%len(unit) == 0
				asIs, shifted = asIs || steps && !moved, shifted || moved && !steps
			}
		}
	}
	if shifted {
		indent = " " + indent
	}
	return indent, asIs != shifted
}

// known looks the indentation of the j-th new line, a line of the group g, up among the matched lines (I2).
func (in *indenter) known(g group, j int) (to string, known, ok bool) {
	if in.byFrom == nil {
		in.byFrom = map[nesting][]string{}
		for i := range in.at {
			if s, ok := in.matched(i); ok {
				if l := nestingOf(in.f.p.old[i]); !slices.Contains(in.byFrom[l], s.to) {
					in.byFrom[l] = append(in.byFrom[l], s.to)
				}
			}
		}
	}
	own := nestingOf(in.f.p.new[j])
	all := in.byFrom[own]
	if len(all) == 0 {
		all = in.byFrom[nesting{own.indent, !own.entry}]
	}
	switch {
	case len(all) == 0:
		return "", false, false
	case len(all) > 1 && g.oldTo-g.oldFrom == g.newTo-g.newFrom: // it takes the place of a line
		s, ok := in.matched(g.oldFrom + j - g.newFrom)
		return s.to, true, ok && s.from == own.indent
	}
	return all[0], true, len(all) == 1
}

// prefixed shifts by the prefix that all matched lines differ by (I3).
func (in *indenter) prefixed(indent string) (string, bool) {
	first := in.shifts[0]
	more, deeper := strings.CutSuffix(first.to, first.from)
	less, shallower := strings.CutSuffix(first.from, first.to)
	for _, s := range in.shifts[1:] {
		deeper = deeper && s.to == more+s.from
		shallower = shallower && s.from == less+s.to
	}
	switch {
	case deeper && (more == "" || indent == "" || more[len(more)-1] == indent[0]):
		return more + indent, true
	case shallower:
		return strings.CutPrefix(indent, less)
	}
	return "", false
}

// arithmetic returns the scale of levels: the request's step is what all its indentations are multiples of, the text's
// its commonest.
func (in *indenter) arithmetic() []scale {
	unit, request := in.style().unit(), in.style().request()
	if unit == "" || len(request) == 0 {
		return nil
	}
	step, spaces, tabs := 0, false, false
	for _, s := range request {
		spaces = spaces || strings.Contains(s, " ")
		tabs = tabs || strings.Contains(s, "\t")
		for a := max(len(s)-len(request[0]), len(request[0])-len(s)); a != 0; { // the greatest common divisor
			step, a = a, step%a
		}
	}
	if tabs {
		return []scale{{"\t", unit}}
	}
	if !spaces || step == 0 {
		return nil
	}
	for _, s := range in.shifts {
		n := strings.Count(s.to, unit)
		whole := s.to == strings.Repeat(unit, n)
		switch {
		case step > 4 && !(whole && len(s.from) == n*step):
			return nil // several steps of the text may look like one of the request
		case whole && n > 0 && len(s.from) > n*step:
			return nil // the request has half a step, or this line is deeper there than here
		}
	}
	return []scale{{strings.Repeat(" ", step), unit}}
}

// rescaled reports whether every matched line can be read as being at the same level in the request and in the text, in
// steps of different width.
func (in *indenter) rescaled() bool {
	scales := in.arithmetic()
	return len(scales) > 0 && !slices.ContainsFunc(in.shifts, func(s shift) bool {
		n := len(s.from) / len(scales[0].from)
		return s.from != strings.Repeat(scales[0].from, n) || s.to != strings.Repeat(scales[0].to, n)
	})
}

// scaled counts steps from the matched lines; all that it can be counted from must agree (I4).
func (in *indenter) scaled(indent string, scales []scale) (string, bool) {
	answer, found := "", false
	for _, c := range scales {
		rest := ""
		if c.from == "\t" { // spaces after tabs are alignment
			if tabs := strings.TrimRight(indent, " "); tabs != "" || indent == " " { // as in front of the stars of a comment
				rest = indent[len(tabs):]
			}
		}
		for _, s := range in.shifts {
			to, ok := c.count(strings.TrimSuffix(indent, rest), s)
			if !ok {
				continue
			}
			if to += rest; found && to != answer {
				return "", false
			}
			answer, found = to, true
		}
	}
	return answer, found
}

// count returns what indentation stands for, by counting the steps between it and a matched line.
func (c scale) count(indent string, s shift) (string, bool) {
	to := s.to
	if more, ok := strings.CutPrefix(indent, s.from); ok {
		for ; more != ""; to += c.to {
			if more, ok = strings.CutPrefix(more, c.from); !ok {
				return "", false
			}
		}
		return to, true
	}
	less, ok := strings.CutPrefix(s.from, indent)
	for ok && less != "" {
		if less, ok = strings.CutPrefix(less, c.from); ok {
			to, ok = strings.CutSuffix(to, c.to)
		}
	}
	return to, ok
}

// ownTerms reports whether the new lines are already written in the text's terms, though the old ones are not: those
// that stand in both are, in the new text, equal to the lines of the file (I7).
func (in *indenter) ownTerms() bool {
	n := 0
	for _, g := range in.f.p.groups {
		for j := g.newFrom; j < g.newTo; j++ {
			if i := in.f.p.twin(g, j, in.at); i >= 0 {
				if n++; string(in.bytes(in.at[i])) != in.f.p.new[j] {
					return false
				}
			}
		}
	}
	return n > 0
}

// otherTerms reports whether a new line that says something stands in the old text too, and nowhere in the file as it is written.
func (in *indenter) otherTerms() bool {
	for _, g := range in.f.p.groups {
		for j := g.newFrom; j < g.newTo; j++ {
			if in.f.p.twin(g, j, in.at) < 0 {
				continue
			}
			l := in.f.p.new[j]
			_, body, _ := cut(l)
			same := func(i int) bool { return in.at[i].real() && string(in.bytes(in.at[i])) == l }
			if substantial(body) && !slices.ContainsFunc(in.f.p.byText[body], same) {
				return true
			}
		}
	}
	return false
}

// mayBeOwn reports whether the new lines of a group may be written in the text's terms: their depth says so, or how they lie in
// one another, and no line that stands in the old text too says otherwise (I7). A bracket says nothing.
func (in *indenter) mayBeOwn(g group) bool {
	if in.asked != g {
		in.asked, in.maybe = g, in.ownDepth(g) || in.cutOffAlone(g)
		if in.maybe && !in.compared {
			in.compared, in.other = true, in.otherTerms()
		}
		in.maybe = in.maybe && !in.other
	}
	return in.maybe
}

// ownDepth reports whether the outermost of the new lines of a group is as deep as the text has the old ones, though the
// request has not. Where the group has no old ones, those around it count, if both are as deep, and the first opens nothing.
func (in *indenter) ownDepth(g group) bool {
	var old, own []string
	for i := g.oldFrom; i < g.oldTo; i++ {
		if s, ok := in.matched(i); ok {
			old, own = append(old, s.from), append(own, s.to)
		}
	}
	if g.oldFrom == g.oldTo {
		upper, lower := neighbour(in.f.p.old, g.oldFrom, -1), neighbour(in.f.p.old, g.oldTo-1, 1)
		if upper < 0 || lower < 0 || opens(in.f.p.old[upper]) {
			return false
		}
		s, ok := in.matched(upper)
		if t, also := in.matched(lower); !ok || !also || s != t {
			return false
		}
		old, own = []string{s.from}, []string{s.to}
	}
	if len(old) == 0 {
		return false
	}
	var new []string
	for _, l := range in.f.p.new[g.newFrom:g.newTo] {
		if indent, body, _ := cut(l); body != "" {
			new = append(new, indent)
		}
	}
	shorter := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
	return len(new) > 0 && slices.MinFunc(new, shorter) == slices.MinFunc(own, shorter) && slices.MinFunc(new, shorter) != slices.MinFunc(old, shorter)
}

// cutOffAlone reports whether the only old line is in column 0, which it is not in the text, and of the new ones one goes back to
// a depth that none above it has: then the first lost its indentation when it was copied, and the others did not.
func (in *indenter) cutOffAlone(g group) bool {
	if in.lines != 1 || in.shifts[0].from != "" || in.shifts[0].to == "" {
		return false
	}
	var depths []int // of the lines that the next one can be in
	for _, l := range in.f.p.new[g.newFrom:g.newTo] {
		if isBlank(l) {
			continue
		}
		depth, back := width(indentOf([]byte(l))), false
		for len(depths) > 0 && depths[len(depths)-1] > depth {
			depths, back = depths[:len(depths)-1], true
		}
		if len(depths) == 0 || depths[len(depths)-1] != depth {
			if back {
				return true
			}
			depths = append(depths, depth)
		}
	}
	return false
}

// noteStyle says once that new lines are indented in another style than the text.
func (in *indenter) noteStyle(indent string) {
	if indent == "" || in.noted || slices.ContainsFunc(in.shifts, func(s shift) bool { return s.to != "" && s.to[0] == indent[0] }) {
		return
	}
	unit := in.style().unit()
	if unit == "" {
		return
	}
	own, others := styleOf(indent), styleOf(unit)
	if own == others {
		scales := in.arithmetic()
		if len(scales) == 0 || len(scales[0].from) == 1 || scales[0].from == unit { // one space is alignment
			return
		}
		own, others = fmt.Sprint(len(scales[0].from), " ", own), fmt.Sprint(len(unit), " ", others)
	}
	in.noted = true
	in.note(in.f.p.edit, -1, "the new lines are indented with %s, the text with %s; they went in as requested", own, others)
}

func styleOf(indent string) string {
	if indent[0] == '\t' {
		return "tabs"
	}
	return "spaces"
}
