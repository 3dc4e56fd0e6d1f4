package place

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A shift is the lesson of a matched line: the indentation from in the request stands for the indentation to in the text.
type shift struct{ from, to string }

// shiftOf returns the shift of the i-th old line of a placement. It reports false if the line is blank, or missing in the text.
func shiftOf(t text.Text, f placement, at []text.Line, i int) (s shift, ok bool) {
	if !at[i].Real() || f.p.keys[i] == "" {
		return s, false
	}
	from, _, _ := text.Parts(f.p.old[i])
	s = shift{from, from}
	if to := t.Bytes(at[i]); len(to) <= len(from) || string(to[:len(from)]) != from || text.IsSpace(to[len(from)]) {
		s.to = outline.Indent(to)
	}
	return s, true
}

// isOtherStyle reports whether tabs stand for spaces, or the reverse.
func (s shift) isOtherStyle() bool {
	return strings.Contains(s.from, " ") && strings.HasPrefix(s.to, "\t") ||
		strings.HasPrefix(s.from, "\t") && strings.Contains(s.to, " ") && !strings.Contains(s.to, "\t")
}

// changesDepth reports whether the line lies at another depth, not just in another style.
func (s shift) changesDepth() bool {
	return s.from != s.to && !(s.from != "" && s.to != "" && s.isOtherStyle())
}

// An observation has what the matched lines of one placement show about indentation.
type observation struct {
	placement
	text   text.Text
	at     []text.Line // the lines of the text
	shifts []shift     // each different one once
	same   bool        // every matched line has the text's indentation
	zero   bool        // no matched line is indented, or by no more than a space, in the request and in the text
	cutOff bool        // only the first line differs from the text: it lost its indentation when it was copied
	lines  int         // the number of matched lines

	levels map[level][]string // see known
}

// observe returns the observation of a placement. At has its lines in the text. The shifts are in room if that is large enough.
func observe(t text.Text, f placement, at []text.Line, room []shift) observation {
	o := observation{placement: f, text: t, at: at, shifts: room, same: true, zero: true}
	others := true // all matched lines after the first are as in the text
	for i := range at {
		s, ok := shiftOf(t, f, at, i)
		if !ok {
			continue
		}
		if o.lines++; o.lines == 1 {
			o.cutOff = s.from == "" && s.to != ""
		} else {
			others = others && s.from == s.to
		}
		o.same = o.same && s.from == s.to
		o.zero = o.zero && s.from == s.to && (s.from == "" || s.from == " ")
		if !slices.Contains(o.shifts, s) {
			o.shifts = append(o.shifts, s)
		}
	}
	o.cutOff = o.cutOff && others && o.lines > 1
	return o
}

// shiftAt returns the shift of the i-th old line, as shiftOf does.
func (o *observation) shiftAt(i int) (shift, bool) { return shiftOf(o.text, o.placement, o.at, i) }

// agrees reports whether the request has the indentation of the text, as far as the matched lines and the other edits show (I1,
// I5).
func (o *observation) agrees(ls *lessons) bool {
	return len(o.shifts) == 0 || o.same && !(o.zero && ls.style().other())
}

// indent returns the indentation in the text for the j-th new line, of the group g. It reports false if that is not certain (I1
// to I8). The request does not agree with the text.
func (o *observation) indent(ls *lessons, indent string, g linediff.Group, j int) (string, bool) {
	if o.p.ownIndent { // one space more or less may belong to the viewer's separator (N2)
		return indent, !slices.ContainsFunc(o.shifts, func(s shift) bool { return s.to != s.from && s.to != " "+s.from })
	}
	if o.cutOff && indent == "" {
		return o.lostIndent(j)
	}
	if to, known, ok := o.known(g, j); known {
		return to, ok
	}
	if o.cutOff {
		return indent, true
	}
	if to, ok := o.prefixed(indent); ok && !o.same {
		if hunk := o.p.e.Hunk; hunk != "" && !strings.Contains(hunk, "-") && to == " "+indent {
			return o.lostColumn(ls, indent)
		}
		scales := ls.style().arithmetic(o)
		scaled, counted := o.scaled(indent, scales)
		return to, !(counted && scaled != to && o.isRescaled(scales)) // either shifted, or in steps of another width
	}
	for _, scales := range []func() []scale{
		func() []scale { return o.scales(ls) },
		ls.style().scales,
		func() []scale { return ls.style().arithmetic(o) },
	} {
		if to, ok := o.scaled(indent, scales()); ok {
			return to, true
		}
	}
	return "", false
}

// lostIndent returns the indentation of the j-th new line, which is in column 0, where only the first old line lost its
// indentation when it was copied. The first new line lost the same. Another one may have lost its own or not, unless an old line
// shows that column 0 stands for itself (I1).
func (o *observation) lostIndent(j int) (string, bool) {
	if j == slices.IndexFunc(o.p.new, func(l string) bool { return !text.IsBlank(l) }) {
		i := slices.IndexFunc(o.shifts, func(s shift) bool { return s.from != s.to })
		return o.shifts[i].to, true
	}
	return "", slices.Contains(o.shifts, shift{"", ""})
}

// A level is an indentation of the request. Entries of a list have their own levels, because they may be as deep as the key above
// them.
type level struct {
	indent string
	entry  bool
}

// levelOf returns the level of a line.
func levelOf(l string) level {
	return level{outline.Indent(l), outline.IsListEntry(l)}
}

// known looks up the indentation of the j-th new line, of the group g, among the matched lines (I2). Known reports that matched
// lines have it, and ok that it stands for one indentation of the text.
func (o *observation) known(g linediff.Group, j int) (to string, known, ok bool) {
	if o.levels == nil {
		o.levels = map[level][]string{}
		for i := range o.at {
			if s, ok := o.shiftAt(i); ok {
				if l := levelOf(o.p.old[i]); !slices.Contains(o.levels[l], s.to) {
					o.levels[l] = append(o.levels[l], s.to)
				}
			}
		}
	}
	own := levelOf(o.p.new[j])
	all := o.levels[own]
	if len(all) == 0 {
		all = o.levels[level{own.indent, !own.entry}]
	}
	switch {
	case len(all) == 0:
		return "", false, false
	case len(all) > 1 && g.OldTo-g.OldFrom == g.NewTo-g.NewFrom: // it replaces a line
		s, ok := o.shiftAt(g.OldFrom + j - g.NewFrom)
		return s.to, true, ok && s.from == own.indent
	}
	return all[0], true, len(all) == 1
}

// prefixed shifts an indentation by the prefix in which all matched lines differ (I3).
func (o *observation) prefixed(indent string) (string, bool) {
	first := o.shifts[0]
	more, deeper := strings.CutSuffix(first.to, first.from)
	less, shallower := strings.CutSuffix(first.from, first.to)
	for _, s := range o.shifts[1:] {
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

// lostColumn returns the indentation of a line that a patch adds, where all context lines lack a space. Either the context lines
// have lost their first column, and the added lines are right as they are, or all lines are shifted. The step of the text decides
// (I3).
func (o *observation) lostColumn(ls *lessons, indent string) (string, bool) {
	unit := ls.style().unit()
	asIs, shifted := false, false
	for _, g := range o.p.groups {
		for _, l := range o.p.new[g.NewFrom:g.NewTo] {
			if own, body, _ := text.Parts(l); body != "" && unit != "" {
				steps, off := len(own)%len(unit) == 0, (len(own)+1)%len(unit) == 0
				asIs, shifted = asIs || steps && !off, shifted || off && !steps
			}
		}
	}
	if shifted {
		indent = " " + indent
	}
	return indent, asIs != shifted
}

// scaled counts steps from the matched lines. All lines from which it can count must agree (I4).
func (o *observation) scaled(indent string, scales []scale) (string, bool) {
	answer, found := "", false
	for _, c := range scales {
		rest := ""
		if c.from == "\t" { // spaces after tabs are alignment
			if tabs := strings.TrimRight(indent, " "); tabs != "" || indent == " " { // as in front of the stars of a comment
				rest = indent[len(tabs):]
			}
		}
		for _, s := range o.shifts {
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
