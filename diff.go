package atomicedit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pmezard/go-difflib/difflib"
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
	if bytes.Equal(old, new) {
		return ""
	}
	return body(oldName, old, newName, new, nil)
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
	var b strings.Builder
	a, z := "a/"+from, "b/"+to
	switch {
	case from == "" && to == "":
		return ""
	case from == "":
		fmt.Fprintf(&b, "new file mode %s\n", gitMode(after.Mode))
		a = "a/" + to
	case to == "":
		fmt.Fprintf(&b, "deleted file mode %s\n", gitMode(before.Mode))
		z = "b/" + from
	default:
		if m, n := gitMode(before.Mode), gitMode(after.Mode); before.Mode != 0 && after.Mode != 0 && m != n {
			fmt.Fprintf(&b, "old mode %s\nnew mode %s\n", m, n)
		}
		if from != to {
			fmt.Fprintf(&b, "rename from %s\nrename to %s\n", quoteName(from), quoteName(to))
		}
	}
	if !bytes.Equal(before.Data, after.Data) {
		oldName, newName := a, z
		if from == "" {
			oldName = "/dev/null"
		}
		if to == "" {
			newName = "/dev/null"
		}
		b.WriteString(body(oldName, before.Data, newName, after.Data, matches))
	}
	if b.Len() == 0 {
		return ""
	}
	return "diff --git " + quoteName(a) + " " + quoteName(z) + "\n" + b.String()
}

// body renders the names and the hunks of a change from old to new, which differ.
func body(oldName string, old []byte, newName string, new []byte, matches []Match) string {
	a, textA, sameA := readable(old)
	b, textB, sameB := readable(new)
	if !textA || !textB {
		return "Binary files " + quoteName(oldName) + " and " + quoteName(newName) + " differ\n"
	}
	windows := []delta{{0, len(a), 0, len(b)}}
	if sameA && sameB && leads(a, b, matches) { // in UTF-16, matches count other bytes
		windows = widen(a, b, matches)
	}
	var found []delta
	for _, w := range windows {
		found = deltas(found, a, b, w)
	}
	if len(found) == 0 { // the same text in another encoding
		return "Binary files " + quoteName(oldName) + " and " + quoteName(newName) + " differ\n"
	}
	return "--- " + headerName(oldName) + "\n+++ " + headerName(newName) + "\n" + hunks(a, b, found)
}

// readable returns data as it is shown in a diff: UTF-16 with a byte order mark decoded, all else as it is. ok is false
// for what is not text.
func readable(data []byte) (text []byte, ok, asIs bool) {
	var order binary.ByteOrder
	switch {
	case len(data)%2 != 0 || len(data) == 0:
	case data[0] == 0xFE && data[1] == 0xFF:
		order = binary.BigEndian
	case data[0] == 0xFF && data[1] == 0xFE:
		order = binary.LittleEndian
	}
	text = data
	if order != nil {
		units := make([]uint16, 0, len(data)/2)
		for i := 2; i < len(data); i += 2 {
			units = append(units, order.Uint16(data[i:]))
		}
		text = []byte(string(utf16.Decode(units)))
	}
	return text, bytes.IndexByte(text, 0) < 0, order == nil
}

// gitMode is how git writes a mode: it knows executable files, links and others.
func gitMode(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "120000"
	case m&0o111 != 0:
		return "100755"
	}
	return "100644"
}

// quoteName quotes a name as git does (with core.quotePath off) if it could not be read back otherwise.
func quoteName(name string) string {
	odd := func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }
	if strings.IndexFunc(name, odd) < 0 && utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(name); i++ {
		c := name[i]
		if esc := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c); esc >= 0 {
			b.WriteString(`\` + `abtnvfr"\`[esc:esc+1])
		} else if c < ' ' || c >= 0x7f {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// headerName is a name after "---" or "+++", where a tab ends a name with spaces in it.
func headerName(name string) string {
	if q := quoteName(name); q != name || !strings.Contains(name, " ") {
		return q
	}
	return name + "\t"
}

// contextLines is the number of unchanged lines shown on both sides of a change.
const contextLines = 3

// A delta is a piece of whole lines that differs: old[a0:a1] became new[b0:b1]. In a list of them, sorted and not
// overlapping, the text between two is equal on both sides.
type delta struct{ a0, a1, b0, b1 int }

// hunks renders the deltas, of which there is at least one, with the lines around them.
func hunks(old, new []byte, ds []delta) string {
	var b strings.Builder
	pos, lineA, lineB := 0, 1, 1 // an offset in old, the line that starts there, and the line of new
	for len(ds) > 0 {
		// Deltas with no more between them than their two contexts share a hunk.
		n := 1
		for n < len(ds) && linesAfter(old, ds[n-1].a1, 2*contextLines) >= ds[n].a0 {
			n++
		}
		first, last := ds[0], ds[n-1]
		start, end := linesBefore(old, first.a0, contextLines), linesAfter(old, last.a1, contextLines)
		startB, endB := first.b0-(first.a0-start), last.b1+(end-last.a1)
		equal := hunkLines(old[pos:start])
		lineA, lineB = lineA+equal, lineB+equal
		inA, inB := hunkLines(old[start:end]), hunkLines(new[startB:endB])

		fmt.Fprintf(&b, "@@ -%s +%s @@\n", hunkRange(lineA, inA), hunkRange(lineB, inB))
		pos = start
		for _, d := range ds[:n] {
			prefixed(&b, ' ', old[pos:d.a0])
			prefixed(&b, '-', old[d.a0:d.a1])
			prefixed(&b, '+', new[d.b0:d.b1])
			pos = d.a1
		}
		prefixed(&b, ' ', old[pos:end])
		pos, lineA, lineB = end, lineA+inA, lineB+inB
		ds = ds[n:]
	}
	return b.String()
}

// hunkRange writes n lines from line on. An empty range names the line before it.
func hunkRange(line, n int) string {
	switch n {
	case 0:
		return strconv.Itoa(line-1) + ",0"
	case 1:
		return strconv.Itoa(line)
	}
	return strconv.Itoa(line) + "," + strconv.Itoa(n)
}

// prefixed writes the lines of text with a sign in front.
func prefixed(b *strings.Builder, sign byte, text []byte) {
	for line := range bytes.Lines(text) {
		b.WriteByte(sign)
		b.Write(line)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		b.WriteString("\n\\ No newline at end of file\n")
	}
}

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
// hunkLines counts the lines of a piece of a text as diffs do: nothing but a line feed ends one.
func hunkLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func startsLine(text []byte, pos int) bool { return pos == 0 || text[pos-1] == '\n' }

// deltas appends to dst where the whole lines of the window w of old and new differ.
func deltas(dst []delta, old, new []byte, w delta) []delta {
	w = trim(old, new, w)
	if w.a0 == w.a1 || w.b0 == w.b1 {
		if w.a0 < w.a1 || w.b0 < w.b1 {
			dst = append(dst, w)
		}
		return dst
	}
	ids := make(map[string]int)
	c := cutter{dst: dst}
	c.a = newSide(string(old[w.a0:w.a1]), w.a0, ids)
	c.b = newSide(string(new[w.b0:w.b1]), w.b0, ids)
	c.seen = make([]occurrence, len(ids))
	c.cut(0, len(c.a.lines), 0, len(c.b.lines), 0)
	return c.dst
}

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

// A side is one of the two texts that are compared, as lines. Equal lines of both sides have equal ids.
type side struct {
	lines  []string // with their endings
	ids    []int
	starts []int // of each line, and the end of the last, in bytes
}

// newSide splits text, which starts at offset at, into lines.
func newSide(text string, at int, ids map[string]int) side {
	n := strings.Count(text, "\n") + 1
	s := side{make([]string, 0, n), make([]int, 0, n), make([]int, 1, n+1)}
	s.starts[0] = at
	for line := range strings.Lines(text) {
		id, ok := ids[line]
		if !ok {
			id = len(ids)
			ids[line] = id
		}
		at += len(line)
		s.lines, s.ids, s.starts = append(s.lines, line), append(s.ids, id), append(s.starts, at)
	}
	return s
}

// A cutter finds the deltas between two sides.
type cutter struct {
	a, b side
	seen []occurrence // scratch, by line id; zero between uses
	dst  []delta
}

// An occurrence is how often a line stands in a region of the two sides, and where last.
type occurrence struct{ inA, inB, lastB int }

const (
	// maxDepth bounds how often a region is cut at lines that are unique in it, each time at linear cost.
	maxDepth = 12
	// maxLines and maxPairs bound a region whose lines are compared with one another: the lines of both sides, and the
	// pairs of equal lines for each of them.
	maxLines, maxPairs = 1000, 16
)

// cut finds the deltas between the lines a0 to a1 of a and b0 to b1 of b: trim what is equal at the ends; cut at the
// lines that are there once on both sides; compare what is left if that is affordable, else call it replaced.
func (c *cutter) cut(a0, a1, b0, b1, depth int) {
	for a0 < a1 && b0 < b1 && c.a.ids[a0] == c.b.ids[b0] {
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && c.a.ids[a1-1] == c.b.ids[b1-1] {
		a1, b1 = a1-1, b1-1
	}
	if a0 == a1 || b0 == b1 {
		c.emit(a0, a1, b0, b1)
		return
	}
	anchors, pairs := c.anchors(a0, a1, b0, b1)
	switch lines := a1 - a0 + b1 - b0; {
	case pairs == 0:
		c.emit(a0, a1, b0, b1)
	case len(anchors) > 0 && depth < maxDepth:
		for _, m := range anchors {
			c.cut(a0, m[0], b0, m[1], depth+1)
			a0, b0 = m[0]+1, m[1]+1
		}
		c.cut(a0, a1, b0, b1, depth+1)
	case lines <= maxLines && pairs <= maxPairs*lines:
		for _, o := range difflib.NewMatcherWithJunk(c.a.lines[a0:a1], c.b.lines[b0:b1], false, nil).GetOpCodes() {
			if o.Tag != 'e' {
				c.emit(a0+o.I1, a0+o.I2, b0+o.J1, b0+o.J2)
			}
		}
	default:
		c.emit(a0, a1, b0, b1)
	}
}

// emit adds the delta of the lines a0 to a1 and b0 to b1, if there are any.
func (c *cutter) emit(a0, a1, b0, b1 int) {
	if a0 < a1 || b0 < b1 {
		c.dst = append(c.dst, delta{c.a.starts[a0], c.a.starts[a1], c.b.starts[b0], c.b.starts[b1]})
	}
}

// anchors returns the longest list of pairs (line of a, line of b), rising on both sides, of lines that the region has
// once in a and once in b; and how many pairs of equal lines there are in all.
func (c *cutter) anchors(a0, a1, b0, b1 int) (anchors [][2]int, pairs int) {
	for i := a0; i < a1; i++ {
		c.seen[c.a.ids[i]].inA++
	}
	for j := b0; j < b1; j++ {
		o := &c.seen[c.b.ids[j]]
		o.inB++
		o.lastB = j
		pairs += o.inA
	}
	// Patience sorting: tails[k] is the candidate with the smallest line of b that ends a rising list of k+1.
	type candidate struct{ i, j, before int }
	var all []candidate
	var tails []int
	for i := a0; i < a1; i++ {
		o := c.seen[c.a.ids[i]]
		if o.inA != 1 || o.inB != 1 {
			continue
		}
		k := sort.Search(len(tails), func(k int) bool { return all[tails[k]].j > o.lastB })
		before := -1
		if k > 0 {
			before = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, 0)
		}
		tails[k] = len(all)
		all = append(all, candidate{i, o.lastB, before})
	}
	if len(tails) > 0 {
		for k := tails[len(tails)-1]; k >= 0; k = all[k].before {
			anchors = append(anchors, [2]int{all[k].i, all[k].j})
		}
		slices.Reverse(anchors)
	}
	for i := a0; i < a1; i++ {
		c.seen[c.a.ids[i]] = occurrence{}
	}
	for j := b0; j < b1; j++ {
		c.seen[c.b.ids[j]] = occurrence{}
	}
	return anchors, pairs
}
