package linediff

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A Delta says that the bytes old[OldFrom:OldTo] became new[NewFrom:NewTo]. In a list, deltas are sorted and do not
// overlap, and the bytes between two of them are the same in both texts.
type Delta struct{ OldFrom, OldTo, NewFrom, NewTo int }

// Deltas returns the deltas of whole lines that lead from old to new. It reports false if what differs has a NUL byte,
// because then it is not text.
//
// Known is a list of deltas, of whole lines or not, that are believed to lead from old to new. If they do, only their
// lines are searched. If not, they do not count: a diff of wrong deltas would hide a change from whoever approves it.
//
// The result is short, not always the shortest: lines that are once on both sides are the same, as in a patience diff.
func Deltas(old, new []byte, known []Delta) (deltas []Delta, isText bool) {
	windows := []Delta{{0, len(old), 0, len(new)}}
	if leads(old, new, known) {
		windows = widen(old, new, known)
	}
	for _, w := range windows { // a NUL outside the windows does not matter
		if bytes.IndexByte(old[w.OldFrom:w.OldTo], 0) >= 0 {
			return nil, false
		}
		w = trim(old, new, w)
		if bytes.IndexByte(new[w.NewFrom:w.NewTo], 0) >= 0 {
			return nil, false
		}
		removed, added := w.OldTo-w.OldFrom, w.NewTo-w.NewFrom
		switch {
		case removed == 0 && added == 0:
			continue
		case removed == 0 || added == 0, max(removed, added) >= math.MaxInt32/2,
			linesAfter(old, w.OldFrom, 1) == w.OldTo && linesAfter(new, w.NewFrom, 1) == w.NewTo: // of one line each
			deltas = append(deltas, w)
			continue
		}
		groups, a, b, _ := compare(old[w.OldFrom:w.OldTo], new[w.NewFrom:w.NewTo])
		for _, g := range groups {
			deltas = append(deltas, Delta{w.OldFrom + int(a[g.OldFrom]), w.OldFrom + int(a[g.OldTo]),
				w.NewFrom + int(b[g.NewFrom]), w.NewFrom + int(b[g.NewTo])})
		}
	}
	return deltas, true
}

// leads reports whether old and new are equal except for the known deltas, if these are in order.
func leads(old, new []byte, known []Delta) bool {
	i, j := 0, 0
	equal := func(toOld, toNew int) bool { return bytes.Equal(old[i:toOld], new[j:toNew]) }
	for _, d := range known {
		inOrder := i <= d.OldFrom && d.OldFrom <= d.OldTo && d.OldTo <= len(old) &&
			j <= d.NewFrom && d.NewFrom <= d.NewTo && d.NewTo <= len(new)
		if !inOrder || !equal(d.OldFrom, d.NewFrom) {
			return false
		}
		i, j = d.OldTo, d.NewTo
	}
	return equal(len(old), len(new))
}

// widen returns the known deltas, which lead from old to new, as deltas of whole lines.
func widen(old, new []byte, known []Delta) []Delta {
	var whole []Delta
	for _, d := range known { // a line starts at the same distance before d in old and new, or in the delta before
		if n := len(whole); n > 0 && d.OldFrom <= whole[n-1].OldTo {
			whole[n-1].OldTo, whole[n-1].NewTo = d.OldTo, d.NewTo
		} else {
			back := d.OldFrom - (1 + bytes.LastIndexByte(old[:d.OldFrom], '\n'))
			d.OldFrom, d.NewFrom = d.OldFrom-back, d.NewFrom-back
			whole = append(whole, d)
		}
		last := &whole[len(whole)-1]
		if startsLine(old, last.OldTo) && startsLine(new, last.NewTo) {
			continue
		}
		rest := linesAfter(old, last.OldTo, 1) - last.OldTo // the end of the line is the same in new
		last.OldTo, last.NewTo = last.OldTo+rest, last.NewTo+rest
	}
	return whole
}

// trim narrows w by the whole lines that are equal at its two ends.
func trim(old, new []byte, w Delta) Delta {
	a, b := old[w.OldFrom:w.OldTo], new[w.NewFrom:w.NewTo]
	head := text.CommonPrefix(a, b)
	if head < len(a) || head < len(b) {
		head = 1 + bytes.LastIndexByte(a[:head], '\n')
	}
	a, b = a[head:], b[head:]
	tail := text.CommonSuffix(a, b)
	if !startsLine(a, len(a)-tail) || !startsLine(b, len(b)-tail) {
		_, lines, _ := bytes.Cut(a[len(a)-tail:], []byte("\n"))
		tail = len(lines)
	}
	return Delta{w.OldFrom + head, w.OldTo - tail, w.NewFrom + head, w.NewTo - tail}
}

const contextLines = 3

// WriteHunks writes the deltas of whole lines that lead from old to new, with the lines around them, as the hunks of a
// unified diff. It returns how many lines they add and remove.
func WriteHunks(w *strings.Builder, old, new []byte, deltas []Delta) (added, removed int) {
	size := 0
	for _, d := range deltas {
		size += d.OldTo - d.OldFrom + d.NewTo - d.NewFrom
		added, removed = added+countLines(new[d.NewFrom:d.NewTo]), removed+countLines(old[d.OldFrom:d.OldTo])
	}
	w.Grow(size + added + removed)
	pos, oldLine, newLine := 0, 1, 1 // an offset in old, the line that starts there, and the line of new
	for len(deltas) > 0 {
		n := 1 // how many share the hunk: those that have no more lines between them than their two contexts
		for n < len(deltas) && linesAfter(old, deltas[n-1].OldTo, 2*contextLines) >= deltas[n].OldFrom {
			n++
		}
		first, last := deltas[0], deltas[n-1]
		start, end := first.OldFrom, linesAfter(old, last.OldTo, contextLines)
		for n := 0; n < contextLines && start > 0; n++ {
			start = textOf(old).LineBefore(start).Start
		}
		newStart, newEnd := first.NewFrom-(first.OldFrom-start), last.NewTo+(end-last.OldTo)
		equal := countLines(old[pos:start])
		oldLine, newLine = oldLine+equal, newLine+equal
		inOld, inNew := countLines(old[start:end]), countLines(new[newStart:newEnd])

		w.WriteString(HunkHeader(oldLine, inOld, newLine, inNew) + "\n")
		pos = start
		for _, d := range deltas[:n] {
			WriteLines(w, ' ', old[pos:d.OldFrom])
			WriteLines(w, '-', old[d.OldFrom:d.OldTo])
			WriteLines(w, '+', new[d.NewFrom:d.NewTo])
			pos = d.OldTo
		}
		WriteLines(w, ' ', old[pos:end])
		pos, oldLine, newLine = end, oldLine+inOld, newLine+inNew
		deltas = deltas[n:]
	}
	return added, removed
}

// HunkHeader returns the header of a hunk: how many lines it has, and from which on, or behind which if none.
func HunkHeader(oldLine, oldN, newLine, newN int) string {
	b := appendRange(append(make([]byte, 0, 64), "@@ -"...), oldLine, oldN)
	return string(append(appendRange(append(b, " +"...), newLine, newN), " @@"...))
}

func appendRange(b []byte, line, n int) []byte {
	if n == 0 {
		line--
	}
	if b = strconv.AppendInt(b, int64(line), 10); n != 1 {
		b = strconv.AppendInt(append(b, ','), int64(n), 10)
	}
	return b
}

// WriteLines writes the lines of a text with a sign in front of each.
func WriteLines(w *strings.Builder, sign byte, text []byte) {
	for line := range bytes.Lines(text) {
		w.WriteByte(sign)
		w.Write(line)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		w.WriteString("\n\\ No newline at end of file\n")
	}
}

// startsLine reports whether a line starts at pos of text, or would if there were one.
func startsLine(text []byte, pos int) bool { return pos == 0 || text[pos-1] == '\n' }

// linesAfter returns the offset n lines after the line start at pos.
func linesAfter(data []byte, pos, n int) int { return textOf(data).Skip(pos, n) }

func countLines(piece []byte) int { return textOf(piece).CountLines() }

// textOf returns data as a text in which, as in every diff, only a line feed ends a line.
func textOf(data []byte) text.Text { return text.Text{Data: data, EOL: '\n'} }
