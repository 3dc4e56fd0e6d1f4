package place

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A line of a patch that lacks its prefix may be anything (P5). It is a context line if the text has it to the letter
// where the edit belongs.

// unprefixed returns p with all context lines as lines without a prefix, nil if that is the same or no other line can
// show it.
func (p *pattern) unprefixed() *pattern {
	if _, ok := linediff.GroupsOf(p.e.Hunk, p.old, p.new); !ok || !strings.Contains(p.e.Hunk, " ") ||
		!strings.ContainsAny(p.e.Hunk, "?-") {
		return nil
	}
	old, new := slices.Clone(p.old), slices.Clone(p.new)
	i, j := 0, 0
	for _, column := range []byte(p.e.Hunk) {
		if column == ' ' && p.keys[i] != "" {
			old[i] = " " + old[i]
			new[j] = old[i]
		}
		if column != '+' && column != '\\' {
			i++
		}
		if column != '-' && column != '\\' {
			j++
		}
	}
	u := &pattern{e: p.e}
	u.take(old, new, nil)
	u.allows = upTo(Spacing)
	return u
}

// misprefixed returns the problem that the text does not have a line without a prefix at the place of an edit.
func (x search) misprefixed(f placement) *Problem {
	if len(f.p.bare) == 0 {
		return nil
	}
	at := f.lines(x.v.Text)
	for _, i := range f.p.bare {
		if !at[i].Real() || string(x.v.Bytes(at[i])) != f.p.old[i] {
			return lacksPrefix(f.p.old[i], x.v.words.Say("does not have it at %s, where the {edit} belongs",
				x.v.locate([]text.Span{f.span(x.v.Text)})))
		}
	}
	return nil
}

// nowhere returns the problem that the text does not have a line without a prefix anywhere, nil if it has all of those
// that it is asked for.
func (x search) nowhere(bare []int, old []string) *Problem {
	const most = 20 // each costs a scan of the text
	for _, i := range bare[:min(most, len(bare))] {
		isLine := func(s text.Span) bool {
			return x.v.StartsLine(s.Start) && string(x.v.Bytes(x.v.LineAt(s.Start))) == old[i]
		}
		if !slices.ContainsFunc(x.v.Occurrences(old[i], manyPlaces), isLine) {
			return lacksPrefix(old[i], "has no such line")
		}
	}
	return nil
}

// lacksPrefix refuses a line without a prefix.
func lacksPrefix(line, file string) *Problem {
	return &Problem{Err: errs.ErrNotFound,
		Msg: fmt.Sprintf("the line %s has no \" \", \"-\" or \"+\" in front of it, and the file %s: "+
			"put \"+\" in front of it if it is new, or \" \" if it is a context line, and copy it exactly then",
			plan.Quote(line), file)}
}
