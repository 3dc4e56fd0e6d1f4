// Package merge carries a change over to a text that has changed since. In come the base, ours, which is the text now,
// and theirs, which is the base with the change. Out go the lines of ours that theirs replaces, or the conflicts.
//
// It merges by lines, as diff3 does, with the outcome of "git merge-file" wherever that is clean: lines that one side
// changes are taken, and lines that both sides change in the same way are taken once. So are lines that one side only
// adds and the other adds there as well, beside what else it changes; git calls that a conflict. Other changes of both
// sides that overlap or touch are a conflict. Lines are compared without their endings. The cost is that of two diffs.
package merge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Group says which lines of one text became which of another. Lines are counted from 0.
type Group = linediff.Group

// Lines is a text as lines that all end in "\n". The zero value is an empty text.
type Lines struct {
	data    []byte
	numbers *text.Numbers
}

// LinesOf returns the lines of t, which is decoded.
func LinesOf(t text.Text) Lines {
	data := t.Unix()
	if n := len(data); n > 0 && data[n-1] != '\n' {
		data = append(data[:n:n], '\n')
	}
	return Lines{data, &text.Numbers{Text: text.Text{Data: data, EOL: '\n'}}}
}

// Count returns the number of lines.
func (l Lines) Count() int { return bytes.Count(l.data, []byte("\n")) }

// Between returns the lines from one up to another, without their endings.
func (l Lines) Between(from, to int) []string {
	lines := make([]string, 0, to-from)
	for line := range bytes.Lines(l.piece(from, to)) {
		lines = append(lines, string(line[:len(line)-1]))
	}
	return lines
}

// offset returns where a line starts, or where the text ends.
func (l Lines) offset(line int) int { return l.numbers.Start(line + 1) }

func (l Lines) piece(from, to int) []byte { return l.data[l.offset(from):l.offset(to)] }

// Changed returns the groups of lines that differ between two texts. It reports false if they are not text.
func Changed(old, new Lines) (groups []Group, isText bool) {
	deltas, isText := linediff.Deltas(old.data, new.data, nil)
	for _, d := range deltas {
		groups = append(groups, Group{OldFrom: old.numbers.At(d.OldFrom) - 1, OldTo: old.numbers.At(d.OldTo) - 1,
			NewFrom: new.numbers.At(d.NewFrom) - 1, NewTo: new.numbers.At(d.NewTo) - 1})
	}
	settle(groups, old, new)
	return groups, isText
}

// settle moves each group that only adds or only removes lines down as far as equal lines allow, as git does. Without
// that, two sides that make the same change could seem to make it at different places. No group gets as far as the next
// one: a diff pairs equal lines with the first that it can.
func settle(groups []Group, old, new Lines) {
	end := old.Count()
	for i, g := range slices.Backward(groups) {
		side, from, to, most := new, g.NewFrom, g.NewTo, end-g.OldTo
		if g.NewFrom == g.NewTo {
			side, from, to = old, g.OldFrom, g.OldTo
		}
		end = g.OldFrom
		if g.OldFrom == g.OldTo || g.NewFrom == g.NewTo {
			moving, below := side.piece(from, from+most), side.piece(to, to+most)
			n := bytes.Count(moving[:text.CommonPrefix(moving, below)], []byte("\n"))
			groups[i] = Group{OldFrom: g.OldFrom + n, OldTo: g.OldTo + n, NewFrom: g.NewFrom + n, NewTo: g.NewTo + n}
		}
	}
}

// Doubtful returns the lines of old from which the groups, as Changed returns them, do not tell what came or went: each
// that only adds or only removes lines may as well be further up, beside equal lines. Wrote has, if it is not nil, the
// lines that were written of those that came: an addition is where those are. Ranges count from 1.
func Doubtful(groups []Group, old, new Lines, wrote [][2]int) (lines [][2]int) {
	isWritten := func(line int) bool {
		return slices.ContainsFunc(wrote, func(r [2]int) bool { return r[0] <= line && line <= r[1] })
	}
	above := 0
	for _, g := range groups {
		side, from, to, at := new, g.NewFrom, g.NewTo, g.OldFrom
		isAddition := g.OldFrom == g.OldTo
		if !isAddition {
			side, from, to = old, g.OldFrom, g.OldTo
		}
		for (isAddition || g.NewFrom == g.NewTo) && at > above && (!isAddition || wrote == nil || isWritten(from)) &&
			bytes.Equal(side.piece(from-1, from), side.piece(to-1, to)) {
			from, to, at = from-1, to-1, at-1
		}
		if at < g.OldFrom {
			lines = append(lines, [2]int{at + 1, g.OldFrom})
		}
		above = g.OldTo
	}
	return lines
}

// A Conflict is a piece of the base that both sides have changed, and what they made of it: lines, counted from 0.
type Conflict struct{ Base, Ours, Theirs [2]int }

func (c Conflict) group() Group {
	return Group{OldFrom: c.Ours[0], OldTo: c.Ours[1], NewFrom: c.Theirs[0], NewTo: c.Theirs[1]}
}

// Carry returns the groups of lines of ours that become lines of theirs, so that ours has the change from base to
// theirs as well, or else the conflicts. The groups lead to ours and to theirs from the base. Once is the number of
// bytes that both sides have added beside other changes, and that are taken once.
func Carry(ours, theirs Lines, toOurs, toTheirs []Group) (carried []Group, once int, conflicts []Conflict) {
	var grown [2]int // by how many lines each side is longer than the base, so far
	for len(toTheirs) > 0 {
		if len(toOurs) > 0 && toOurs[0].OldTo < toTheirs[0].OldFrom {
			grown[0], toOurs = toOurs[0].NewTo-toOurs[0].OldTo, toOurs[1:]
			continue
		}
		n, m, from, to := meeting(toOurs, toTheirs)
		c := Conflict{Base: [2]int{from, to}, Ours: [2]int{from + grown[0]}, Theirs: [2]int{from + grown[1]}}
		if n > 0 {
			grown[0] = toOurs[n-1].NewTo - toOurs[n-1].OldTo
		}
		grown[1] = toTheirs[m-1].NewTo - toTheirs[m-1].OldTo
		c.Ours[1], c.Theirs[1] = to+grown[0], to+grown[1]
		switch {
		case n == 0:
			carried = append(carried, c.group())
		case bytes.Equal(ours.piece(c.Ours[0], c.Ours[1]), theirs.piece(c.Theirs[0], c.Theirs[1])):
		case n == 1 && c.added(toOurs[0], ours, c.Ours, theirs, c.Theirs):
			once += len(ours.piece(toOurs[0].NewFrom, toOurs[0].NewTo))
			if lines := toOurs[0].NewTo - toOurs[0].NewFrom; toOurs[0].OldFrom == c.Base[1] {
				c.Ours[1], c.Theirs[1] = c.Ours[1]-lines, c.Theirs[1]-lines
			} else {
				c.Ours[0], c.Theirs[0] = c.Ours[0]+lines, c.Theirs[0]+lines
			}
			carried = append(carried, c.group())
		case m == 1 && c.added(toTheirs[0], theirs, c.Theirs, ours, c.Ours): // ours has it all
			once += len(theirs.piece(toTheirs[0].NewFrom, toTheirs[0].NewTo))
		default:
			conflicts = append(conflicts, c)
		}
		toOurs, toTheirs = toOurs[n:], toTheirs[m:]
	}
	if len(conflicts) > 0 {
		return nil, 0, conflicts
	}
	return carried, once, nil
}

// added reports whether one side has only added lines, at the start or at the end of c, and the other side has added
// them there as well, beside what else it has changed: then these lines are taken once.
func (c Conflict) added(g Group, one Lines, here [2]int, other Lines, there [2]int) bool {
	lines, n := one.piece(g.NewFrom, g.NewTo), g.NewTo-g.NewFrom
	at, isEnd := there[0], g.OldFrom == c.Base[0] && g.NewFrom == here[0]
	if g.OldFrom == c.Base[1] {
		at, isEnd = there[1]-n, g.NewTo == here[1]
	}
	return isEnd && g.OldFrom == g.OldTo && n < there[1]-there[0] && text.HasLetterOrDigit(lines) &&
		bytes.Equal(lines, other.piece(at, at+n))
}

// meeting returns how many groups at the front of both lists meet the first of theirs, and what they cover of the base.
func meeting(ours, theirs []Group) (n, m, from, to int) {
	from, to, m = theirs[0].OldFrom, theirs[0].OldTo, 1
	for {
		switch {
		case n < len(ours) && ours[n].OldFrom <= to && ours[n].OldTo >= from:
			from, to, n = min(from, ours[n].OldFrom), max(to, ours[n].OldTo), n+1
		case m < len(theirs) && theirs[m].OldFrom <= to:
			to, m = max(to, theirs[m].OldTo), m+1
		default:
			return n, m, from, to
		}
	}
}

// Hunks returns groups that lead from old to new as the hunks of a unified diff.
func Hunks(old, new Lines, groups []Group) string {
	deltas := make([]linediff.Delta, len(groups))
	for i, g := range groups {
		deltas[i] = linediff.Delta{OldFrom: old.offset(g.OldFrom), OldTo: old.offset(g.OldTo),
			NewFrom: new.offset(g.NewFrom), NewTo: new.offset(g.NewTo)}
	}
	var b strings.Builder
	linediff.WriteHunks(&b, old.data, new.data, deltas)
	return b.String()
}

// Hunk returns lines that became others as a hunk of a unified diff, without context.
func Hunk(old, new Lines, g Group) string {
	head, tail := text.EqualEnds(old.Between(g.OldFrom, g.OldTo), new.Between(g.NewFrom, g.NewTo))
	g = Group{OldFrom: g.OldFrom + head, OldTo: g.OldTo - tail, NewFrom: g.NewFrom + head, NewTo: g.NewTo - tail}
	var b strings.Builder
	b.WriteString(linediff.HunkHeader(g.OldFrom+1, g.OldTo-g.OldFrom, g.NewFrom+1, g.NewTo-g.NewFrom) + "\n")
	linediff.WriteLines(&b, '-', old.piece(g.OldFrom, g.OldTo))
	linediff.WriteLines(&b, '+', new.piece(g.NewFrom, g.NewTo))
	return b.String()
}
