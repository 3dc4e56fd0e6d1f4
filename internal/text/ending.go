package text

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// ReplaceLines appends the splices that replace the removed lines with the added ones, as far as they differ. If no
// lines are removed, the added ones go in at point, where a line starts, or at the end. Gap reports whether blank lines
// between the removed lines are removed too: as many lines as before leave them (PLACING W1).
func (t Text) ReplaceLines(splices []Splice, o Origin, point int, removed []Line, added []string) (all []Splice,
	gap bool) {
	if len(removed) == len(added) {
		for i, l := range removed {
			if string(t.Bytes(l)) != added[i] {
				splices = append(splices, Splice{l.Start, l.Next, t.terminate(added[i:i+1], removed[i:i+1], 0), o})
			}
		}
		return splices, false
	}
	if len(removed) > 0 {
		point = removed[0].Start
	}
	for len(removed) > 0 && len(added) > 0 && string(t.Bytes(removed[0])) == added[0] {
		point, removed, added = removed[0].Next, removed[1:], added[1:]
	}
	for len(removed) > 0 && len(added) > 0 && string(t.Bytes(removed[len(removed)-1])) == added[len(added)-1] {
		removed, added = removed[:len(removed)-1], added[:len(added)-1]
	}
	if len(removed) == 0 {
		return append(splices, Splice{point, point, t.terminate(added, nil, point), o}), false
	}
	for i, l := range removed[1:] {
		gap = gap || removed[i].Next != l.Start
	}
	start, end := removed[0].Start, removed[len(removed)-1].Next
	return append(splices, Splice{start, end, t.terminate(added, removed, start), o}), gap
}

// terminate gives each added line an ending: that of the removed line that it replaces, else of the line before the
// insertion point, else of the line after it (PLACING F1).
func (t Text) terminate(added []string, removed []Line, point int) string {
	size := 0
	for _, n := range added {
		size += len(n) + len("\r\n")
	}
	var s strings.Builder
	s.Grow(size)
	ending := ""
	for k, n := range added {
		switch {
		case k < len(removed):
			ending = t.EndingLike(removed[k])
		case k > 0:
		case point > 0:
			ending = t.EndingLike(t.LineBefore(point))
		default:
			ending = t.EndingLike(t.LineAt(0))
		}
		s.WriteString(n)
		s.WriteString(ending)
	}
	return s.String()
}

// EndAs adjusts splices so that the text ends with a newline or without one. The splices are sorted, and every new line
// in them has an ending. A splice that only removes or adds the newline has the given origin.
func (t Text) EndAs(ended bool, splices []Splice, o Origin) []Splice {
	n := len(t.Data)
	splices = t.joinAtEnd(ended, splices)
	var last *Splice
	if len(splices) > 0 && splices[len(splices)-1].End == n {
		last = &splices[len(splices)-1]
	}
	switch {
	case last == nil && (n == 0 || ended == t.Terminated()):
	case last == nil && ended:
		return append(splices, Splice{n, n, t.EndingLike(t.LineBefore(n)), o})
	case last == nil:
		return append(splices, Splice{t.LineBefore(n).End, n, "", o})
	case last.New != "":
		if last.Start == n && n > 0 && !t.Terminated() {
			last.New = t.EndingLike(t.LineBefore(n)) + last.New
		}
		if !ended {
			last.New = strings.TrimSuffix(strings.TrimSuffix(last.New, string(t.EOL)), "\r")
		}
	case !ended && last.Start > 0:
		last.Start = t.LineBefore(last.Start).End
	}
	return splices
}

// joinAtEnd merges the splices that touch at the end of a text whose last line lacks its ending, or is to lose it.
func (t Text) joinAtEnd(ended bool, splices []Splice) []Splice {
	joins := func(p, last Splice) bool {
		return last.End == len(t.Data) && p.End == last.Start && (!t.Terminated() || !ended && last.New == "")
	}
	for k := len(splices) - 1; k > 0 && joins(splices[k-1], splices[k]); k-- {
		p, last := &splices[k-1], splices[k]
		p.End, p.New, p.Origin = last.End, p.New+last.New, p.and(last.Origin)
		splices = splices[:k]
	}
	return splices
}

// Substitute returns the splice that replaces a place with new text, in its line endings, as far as they differ.
func (t Text) Substitute(o Origin, s Span, new string) Splice {
	new = t.WithEndings(s, new)
	head, tail := CommonEnds(t.Data[s.Start:s.End], new)
	return Splice{s.Start + head, s.End - tail, new[head : len(new)-tail], o}
}

// CommonEnds returns the lengths of the longest common prefix and suffix of two texts that do not overlap, and cut
// neither a character nor a line ending.
func CommonEnds[A, B string | []byte](a A, b B) (head, tail int) {
	head = CommonPrefix(a, b)
	for head > 0 && !(isBoundary(a, head) && isBoundary(b, head)) {
		head--
	}
	tail = CommonSuffix(a[head:], b[head:])
	for tail > 0 && !(isBoundary(a, len(a)-tail) && isBoundary(b, len(b)-tail)) {
		tail--
	}
	return head, tail
}

// blockSize is the number of bytes that are compared at a time, which is many times faster than a loop.
const blockSize = 1024

// CommonPrefix returns the number of bytes that are equal at the beginning of a and b.
func CommonPrefix[A, B string | []byte](a A, b B) int {
	n, end := 0, min(len(a), len(b))
	for n+blockSize <= end && string(a[n:n+blockSize]) == string(b[n:n+blockSize]) {
		n += blockSize
	}
	for n < end && a[n] == b[n] {
		n++
	}
	return n
}

// CommonSuffix returns the number of bytes that are equal at the end of a and b.
func CommonSuffix[A, B string | []byte](a A, b B) int {
	n, end := 0, min(len(a), len(b))
	for n+blockSize <= end && string(a[len(a)-n-blockSize:len(a)-n]) == string(b[len(b)-n-blockSize:len(b)-n]) {
		n += blockSize
	}
	for n < end && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}

// isBoundary reports whether s may be cut at i: not within a character or a line ending.
func isBoundary[T string | []byte](s T, i int) bool {
	return i == 0 || i == len(s) || utf8.RuneStart(s[i]) && !(s[i-1] == '\r' && s[i] == '\n')
}

// WithEndings gives new text the line endings of the place where it goes in. Lines that stay at its beginning and at
// its end keep theirs. The k-th of the others has that of the k-th which it replaces or of the last of these or, if
// there is none, of the line before. If the place has no endings, all have that of its line (PLACING F1).
func (t Text) WithEndings(s Span, new string) string {
	if !strings.Contains(new, "\n") {
		return new
	}
	var removed []Line
	var was []string
	end := s.Start // of the lines
	for end < s.End {
		l := t.LineAt(end)
		if l.Next > s.End || l.End == l.Next {
			break
		}
		removed, was, end = append(removed, l), append(was, string(t.Bytes(l))), l.Next
	}
	last := new[strings.LastIndexByte(new, '\n')+1:]
	added := Split(new[:len(new)-len(last)])
	head, tail := EqualEnds(was, added)
	top, bottom := s.Start, end // of those that differ
	if head > 0 {
		top = removed[head-1].Next
	}
	if tail > 0 {
		bottom = removed[len(removed)-tail].Start
	}
	added, removed = added[head:len(added)-tail], removed[head:len(removed)-tail]
	if end == s.Start {
		removed = []Line{t.LineAt(t.LineStart(s.Start))}
	}
	return string(t.Data[s.Start:top]) + t.terminate(added, removed, top) + string(t.Data[bottom:end]) + last
}

// Unix returns t with "\n" in the place of each line ending. It may be t's own data.
func (t Text) Unix() []byte {
	switch {
	case t.EOL == '\r':
		return bytes.ReplaceAll(t.Data, []byte("\r"), []byte("\n"))
	case bytes.IndexByte(t.Data, '\r') < 0:
		return t.Data
	}
	return bytes.ReplaceAll(t.Data, []byte("\r\n"), []byte("\n"))
}
