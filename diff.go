package atomicedit

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
)

// Diff returns the change from old to new as a unified diff with three lines of context, the way `git apply` and
// `patch` accept it; "" if the two are equal. The names go in as given, quoted only where they could not be read back.
// Nothing of old and new is kept.
//
// The diff is short but not always the shortest: lines that occur once on both sides are taken to be the same line, as
// in a patience diff, because a shortest diff may pair unrelated braces and blank lines. This also bounds the cost,
// which is about n log n for n lines that differ, and a single pass where few do.
//
// Of a binary file (one with a NUL byte) it only says that it differs. UTF-16 with a byte order mark is shown as the
// text it stands for: that is to be read, not to be applied.
func Diff(oldName string, old []byte, newName string, new []byte) string {
	var b strings.Builder
	writeChange(&b, oldName, old, newName, new, nil)
	return b.String()
}

// gitDiff renders the change of one file with git's headers, names with a/ and b/ in front. A from of "", or a nil
// before, is a file that was created; a to of "", or a nil after, one that was deleted; two names, a move. Where the
// matches that led from before to after are known, only their lines are searched; nil matches means to search all.
// It returns "" if nothing changed.
func gitDiff(from, to string, before, after *File, matches []Match) string {
	if before == nil {
		before, from = &File{}, ""
	}
	if after == nil {
		after, to = &File{}, ""
	}
	if from == "" && to == "" {
		return ""
	}
	a, z := "a/"+cmp.Or(from, to), "b/"+cmp.Or(to, from)
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git %s %s\n", gitName(a), gitName(z))
	header := b.Len()
	switch {
	case from == "":
		fmt.Fprintf(&b, "new file mode %s\n", gitMode(after.Mode))
		a = "/dev/null"
	case to == "":
		fmt.Fprintf(&b, "deleted file mode %s\n", gitMode(before.Mode))
		if z = "/dev/null"; len(before.Data) == 0 {
			b.WriteString("index e69de29..0000000\n") // else patch asks whether an empty file is meant
		}
	default:
		if m, n := gitMode(before.Mode), gitMode(after.Mode); before.Mode != 0 && after.Mode != 0 && m != n {
			fmt.Fprintf(&b, "old mode %s\nnew mode %s\n", m, n)
		}
		if from != to {
			fmt.Fprintf(&b, "rename from %s\nrename to %s\n", quoteName(from), quoteName(to))
		}
	}
	writeChange(&b, a, before.Data, z, after.Data, matches)
	if b.Len() == header {
		return ""
	}
	return b.String()
}

// A delta is a piece of whole lines that differs: old[a0:a1] became new[b0:b1]. In a list of them, sorted and not
// overlapping, the text between two is equal on both sides.
type delta struct{ a0, a1, b0, b1 int }

// writeChange writes the names and the hunks of a change from old to new; nothing if they are equal.
func writeChange(w *strings.Builder, oldName string, old []byte, newName string, new []byte, matches []Match) {
	a, b := readable(old), readable(new)
	windows := []delta{{0, len(a), 0, len(b)}}
	if leads(a, b, matches) { // not in UTF-16, where matches count other bytes
		windows = widen(a, b, matches)
	}
	var found []delta
	text := true
	for _, w := range windows { // a NUL elsewhere does not matter: edits are made of texts
		text = text && bytes.IndexByte(a[w.a0:w.a1], 0) < 0
		w = trim(a, b, w)
		if text = text && bytes.IndexByte(b[w.b0:w.b1], 0) < 0; text {
			found = deltas(found, a, b, w)
		}
	}
	switch {
	case text && len(found) > 0:
		fmt.Fprintf(w, "--- %s\n+++ %s\n", headerName(oldName), headerName(newName))
		writeHunks(w, a, b, found)
	case !bytes.Equal(old, new): // no text, or the same text in another encoding
		fmt.Fprintf(w, "Binary files %s and %s differ\n", quoteName(oldName), quoteName(newName))
	}
}

// readable returns data as it is shown in a diff: UTF-16 with a byte order mark decoded, all else as it is.
func readable(data []byte) []byte {
	if e := encodingOf(data); e.endian != 0 {
		if decoded, ok := e.decode(data); ok {
			return decoded
		}
	}
	return data
}

// leads reports whether old and new are equal but for the matches, sorted and not overlapping. Where they are not, a diff
// of the matches would hide a change from whoever approves it; making sure costs one comparison.
func leads(old, new []byte, matches []Match) bool {
	a, b := 0, 0
	for _, m := range append(matches[:len(matches):len(matches)], Match{
		Old: Span{Start: len(old), End: len(old)}, New: Span{Start: len(new), End: len(new)},
	}) {
		inOrder := a <= m.Old.Start && m.Old.Start <= m.Old.End && m.Old.End <= len(old) &&
			b <= m.New.Start && m.New.Start <= m.New.End && m.New.End <= len(new)
		if !inOrder || !bytes.Equal(old[a:m.Old.Start], new[b:m.New.Start]) {
			return false
		}
		a, b = m.Old.End, m.New.End
	}
	return true
}

// widen turns matches, sorted and not overlapping, into pieces of whole lines on both sides, also sorted and not
// overlapping.
func widen(old, new []byte, matches []Match) []delta {
	var ws []delta
	for _, m := range matches { // a line starts at the same distance before m in old and new, or in the piece before
		w := delta{m.Old.Start, m.Old.End, m.New.Start, m.New.End}
		if n := len(ws); n > 0 && w.a0 <= ws[n-1].a1 {
			ws[n-1].a1, ws[n-1].b1 = w.a1, w.b1
		} else {
			back := w.a0 - (1 + bytes.LastIndexByte(old[:w.a0], '\n'))
			w.a0, w.b0 = w.a0-back, w.b0-back
			ws = append(ws, w)
		}
		last := &ws[len(ws)-1]
		if startsLine(old, last.a1) && startsLine(new, last.b1) {
			continue
		}
		rest := linesAfter(old, last.a1, 1) - last.a1 // the end of the line is the same in new
		last.a1, last.b1 = last.a1+rest, last.b1+rest
	}
	return ws
}

// startsLine reports whether a line starts at pos of text, or would.
func startsLine(text []byte, pos int) bool { return pos == 0 || text[pos-1] == '\n' }

// trim narrows w by the whole lines that are equal at its two ends.
func trim(old, new []byte, w delta) delta {
	a, b := old[w.a0:w.a1], new[w.b0:w.b1]
	n := commonPrefix(a, b)
	if n < len(a) || n < len(b) {
		n = 1 + bytes.LastIndexByte(a[:n], '\n')
	}
	a, b = a[n:], b[n:]
	s := commonSuffix(a, b)
	startsLine := func(t []byte) bool { return s == len(t) || t[len(t)-s-1] == '\n' }
	if !startsLine(a) || !startsLine(b) {
		if i := bytes.IndexByte(a[len(a)-s:], '\n'); i >= 0 {
			s -= i + 1
		} else {
			s = 0
		}
	}
	return delta{w.a0 + n, w.a1 - s, w.b0 + n, w.b1 - s}
}

// block is how many bytes are compared at a time, because bytes.Equal is many times faster than a loop.
const block = 1024

// commonPrefix returns the number of bytes that are equal at the beginning of a and b.
func commonPrefix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for n+block <= end && bytes.Equal(a[n:n+block], b[n:n+block]) {
		n += block
	}
	for n < end && a[n] == b[n] {
		n++
	}
	return n
}

// commonSuffix is commonPrefix from the end.
func commonSuffix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for n+block <= end && bytes.Equal(a[len(a)-n-block:len(a)-n], b[len(b)-n-block:len(b)-n]) {
		n += block
	}
	for n < end && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}
