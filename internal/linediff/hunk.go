package linediff

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// contextLines is the number of unchanged lines shown on either side of a change.
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
		n := inOneHunk(old, deltas)
		first, last := deltas[0], deltas[n-1]
		start, end := linesBefore(old, first.OldFrom, contextLines), linesAfter(old, last.OldTo, contextLines)
		newStart, newEnd := first.NewFrom-(first.OldFrom-start), last.NewTo+(end-last.OldTo)
		equal := countLines(old[pos:start])
		oldLine, newLine = oldLine+equal, newLine+equal
		inOld, inNew := countLines(old[start:end]), countLines(new[newStart:newEnd])

		fmt.Fprintf(w, "@@ -%s +%s @@\n", HunkRange(oldLine, inOld), HunkRange(newLine, inNew))
		pos = start
		for _, d := range deltas[:n] {
			writeLines(w, ' ', old[pos:d.OldFrom])
			writeLines(w, '-', old[d.OldFrom:d.OldTo])
			writeLines(w, '+', new[d.NewFrom:d.NewTo])
			pos = d.OldTo
		}
		writeLines(w, ' ', old[pos:end])
		pos, oldLine, newLine = end, oldLine+inOld, newLine+inNew
		deltas = deltas[n:]
	}
	return added, removed
}

// inOneHunk returns how many of the deltas, of which there is at least one, share a hunk with the first: those that
// have no more lines between them than their two contexts.
func inOneHunk(old []byte, deltas []Delta) int {
	n := 1
	for n < len(deltas) && linesAfter(old, deltas[n-1].OldTo, 2*contextLines) >= deltas[n].OldFrom {
		n++
	}
	return n
}

// HunkRange returns n lines from line on as the header of a hunk names them. An empty range names the line before it.
func HunkRange(line, n int) string {
	switch n {
	case 0:
		return strconv.Itoa(line-1) + ",0"
	case 1:
		return strconv.Itoa(line)
	}
	return strconv.Itoa(line) + "," + strconv.Itoa(n)
}

func writeLines(w *strings.Builder, sign byte, text []byte) {
	for line := range bytes.Lines(text) {
		w.WriteByte(sign)
		w.Write(line)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		w.WriteString("\n\\ No newline at end of file\n")
	}
}

// In a diff, only a line feed ends a line.

// startsLine reports whether a line starts at pos of text, or would if there were one.
func startsLine(text []byte, pos int) bool { return pos == 0 || text[pos-1] == '\n' }

// linesAfter returns the offset n lines after the line start at pos.
func linesAfter(text []byte, pos, n int) int {
	for ; n > 0 && pos < len(text); n-- {
		i := bytes.IndexByte(text[pos:], '\n')
		if i < 0 {
			return len(text)
		}
		pos += i + 1
	}
	return pos
}

// linesBefore returns the offset n lines before the line start at pos.
func linesBefore(text []byte, pos, n int) int {
	for ; n > 0 && pos > 0; n-- {
		pos = 1 + bytes.LastIndexByte(text[:pos-1], '\n')
	}
	return pos
}

func countLines(piece []byte) int { return text.Text{Data: piece, EOL: '\n'}.CountLines() }
