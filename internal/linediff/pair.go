// Package linediff compares texts line by line, in two ways. A diff of two texts works on their bytes, and its cost
// stays close to linear for texts of any size. Pairing the lines of an edit ([AppendGroups], [GroupsOf], [Subsequence])
// works on lists of lines that a person or a model wrote, and looks for the best pairing of a few lines.
package linediff

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A Group is a run of removed and added lines between kept ones: old[OldFrom:OldTo] becomes new[NewFrom:NewTo].
type Group struct{ OldFrom, OldTo, NewFrom, NewTo int }

// A Step pairs a line of one list with an equal line of another.
type Step struct{ Old, New int }

// AppendGroups pairs the lines of an edit and appends the groups between the pairs (PLACING A1). It pairs the trailing
// blank lines first, then the common prefix, then the common suffix, then the longest common subsequence of the rest.
func AppendGroups(groups []Group, old, new []string) []Group {
	equalFromEnd := func(k int) bool { return old[len(old)-1-k] == new[len(new)-1-k] }
	tail := 0
	for tail < min(len(old), len(new)) && equalFromEnd(tail) && text.IsBlank(old[len(old)-1-tail]) {
		tail++
	}
	head, more := text.EqualEnds(old[:len(old)-tail], new[:len(new)-tail])
	tail += more
	i, j := head, head // after the last pair
	add := func(toOld, toNew int) {
		if i < toOld || j < toNew {
			groups = append(groups, Group{i, toOld, j, toNew})
		}
	}
	for _, s := range Subsequence(old[head:len(old)-tail], new[head:len(new)-tail]) {
		add(head+s.Old, head+s.New)
		i, j = head+s.Old+1, head+s.New+1
	}
	add(len(old)-tail, len(new)-tail)
	return groups
}

// GroupsOf pairs the lines of an edit the way a patch does. Hunk has the first column of each line of the patch: ' ' or
// '?' for a kept line, '-' for a removed one, '+' for an added one; a '\\' behind one of them does not count. ok is
// false if old and new are not the lines of that hunk.
func GroupsOf(hunk string, old, new []string) (groups []Group, ok bool) {
	i, j := 0, 0
	for _, column := range []byte(hunk) {
		inOld, inNew := strings.IndexByte(" ?-", column) >= 0, strings.IndexByte(" ?+", column) >= 0
		switch {
		case inOld && i == len(old), inNew && j == len(new), inOld && inNew && old[i] != new[j],
			!inOld && !inNew && (column != '\\' || i+j == 0):
			return nil, false
		case inOld != inNew && (len(groups) == 0 || groups[len(groups)-1].OldTo < i): // a kept line is between
			groups = append(groups, Group{i, i, j, j})
		}
		if inOld {
			i++
		}
		if inNew {
			j++
		}
		if inOld != inNew {
			last := &groups[len(groups)-1]
			last.OldTo, last.NewTo = i, j
		}
	}
	return groups, hunk != "" && i == len(old) && j == len(new)
}

// Kept returns the lines that a patch keeps and whose first column is the given one, ' ' or '?'.
func Kept(hunk string, column byte) (all []Step) {
	at := Step{}
	for _, c := range []byte(hunk) {
		if c == column {
			all = append(all, at)
		}
		if strings.IndexByte(" ?-", c) >= 0 {
			at.Old++
		}
		if strings.IndexByte(" ?+", c) >= 0 {
			at.New++
		}
	}
	return all
}

// LacksNewline reports which sides of a patch have a mark, '\\' in hunk, that the end of the file has no newline.
func LacksNewline(hunk string) (old, new bool) {
	for i, c := range []byte(hunk) {
		if c == '\\' && i > 0 {
			old = old || hunk[i-1] != '+'
			new = new || hunk[i-1] != '-'
		}
	}
	return old, new
}

// ShareWords reports whether at least half of the words of the new lines are in the old ones too, in order, or whether
// a new line is spelled like an old one. Of many lines, only the words are compared.
func ShareWords(old, new []string) bool {
	const many = 1000 // pairs of lines
	wordsOf := func(lines []string) []string {
		isMark := func(s string) bool { return !text.HasLetterOrDigit(s) }
		return slices.DeleteFunc(text.Tokens(strings.Join(lines, "\n")), isMark)
	}
	was, is := wordsOf(old), wordsOf(new)
	return 2*len(Subsequence(was, is)) >= len(is) ||
		len(old)*len(new) <= many && slices.ContainsFunc(old, func(o string) bool {
			return slices.ContainsFunc(new, func(n string) bool {
				return !text.IsBlank(o) && text.SpelledAlike(text.Fold(o), text.Fold(n), len(n))
			})
		})
}

// Subsequence returns a longest common subsequence of two lists of lines, in which a line with text counts twice as
// much as a blank one. Of equal ones, it takes that which skips lines of a before lines of b. Lists too long to compare
// line by line are split at a line that each has exactly once; without such a line, nothing in them is paired.
func Subsequence(a, b []string) []Step {
	if len(a) == 0 || len(b) == 0 || len(a) == 1 && len(b) == 1 && a[0] != b[0] {
		return nil
	}
	if len(a)*len(b) <= 1<<20 {
		return heaviest(a, b)
	}
	i, j, ok := uniqueLine(a, b)
	if !ok {
		return nil
	}
	steps := append(Subsequence(a[:i], b[:j]), Step{i, j})
	for _, s := range Subsequence(a[i+1:], b[j+1:]) {
		steps = append(steps, Step{i + 1 + s.Old, j + 1 + s.New})
	}
	return steps
}

// Likeness returns how many tokens two lines have in common, in order, from 0 to 1. Only the first 64 tokens count.
// Signs alone make no line like one that has words.
func Likeness[S, T string | []byte](x S, y T) float64 {
	const most = 1000 // bytes
	a := text.Tokens(text.Fold(text.Clip(string(x[:min(len(x), most+1)]), most)))
	b := text.Tokens(text.Fold(text.Clip(string(y[:min(len(y), most+1)]), most)))
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	if len(a)+len(b) == 0 {
		return 0
	}
	common := Subsequence(a, b)
	isWord := func(s Step) bool { return text.HasLetterOrDigit(a[s.Old]) }
	if slices.ContainsFunc(a, text.HasLetterOrDigit[string]) && !slices.ContainsFunc(common, isWord) {
		return 0
	}
	return float64(2*len(common)) / float64(len(a)+len(b))
}

// heaviest returns the common subsequence with the greatest weight. Best has, at i*width+j, that of a[i:] and b[j:].
func heaviest(a, b []string) (steps []Step) {
	width := len(b) + 1
	best := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		weight := int32(2)
		if text.IsBlank(a[i]) {
			weight = 1
		}
		for j := len(b) - 1; j >= 0; j-- {
			v := max(best[(i+1)*width+j], best[i*width+j+1])
			if a[i] == b[j] {
				v = max(v, weight+best[(i+1)*width+j+1])
			}
			best[i*width+j] = v
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			steps = append(steps, Step{i, j})
			i, j = i+1, j+1
		case best[i*width+j] == best[(i+1)*width+j]:
			i++
		default:
			j++
		}
	}
	return steps
}

// uniqueLine returns the line nearest the middle of a that a and b each have exactly once.
func uniqueLine(a, b []string) (i, j int, ok bool) {
	counts := make(map[string]occurrence, len(a))
	for _, l := range a {
		counts[l] = occurrence{inA: counts[l].inA + 1}
	}
	for j, l := range b {
		counts[l] = occurrence{counts[l].inA, counts[l].inB + 1, int32(j)}
	}
	middle := len(a) / 2
	for k, l := range a {
		o := counts[l]
		if o.inA == 1 && o.inB == 1 && (!ok || max(k-middle, middle-k) <= max(i-middle, middle-i)) {
			i, j, ok = k, int(o.lastB), true
		}
	}
	return i, j, ok
}

// Rows pairs the lines of a with those of b, as a diff with two columns shows them: equal lines, in order, and the
// lines between them one by one, from the bottom above the first equal ones and from the top elsewhere. An index is -1
// where a list has no line for a row. Lines of b above the first row of a, or below the last, are left out.
func Rows(a, b []string) (rows []Step) {
	i, j := 0, 0
	for n, s := range append(Subsequence(a, b), Step{len(a), len(b)}) {
		for i < s.Old || j < s.New {
			row, longer := Step{-1, -1}, (s.Old-i)-(s.New-j)
			if i < s.Old && (n > 0 || longer >= 0) {
				row.Old, i = i, i+1
			}
			if j < s.New && (n > 0 || longer <= 0) {
				row.New, j = j, j+1
			}
			if row.Old >= 0 || len(rows) > 0 {
				rows = append(rows, row)
			}
		}
		rows, i, j = append(rows, s), s.Old+1, s.New+1
	}
	for rows = rows[:len(rows)-1]; len(rows) > 0 && rows[len(rows)-1].Old < 0; {
		rows = rows[:len(rows)-1]
	}
	return rows
}
