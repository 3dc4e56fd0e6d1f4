package place

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/text"
)

// manyPlaces limits the search for a string that should be there once.
const manyPlaces = 100

// occurrences returns the first places of old in v, at most that many. They may overlap. A line ending in old stands for any one line
// ending, and a CRLF is never split (P3).
func (v *version) occurrences(old string, most int) (places []text.Span) {
	next := finder(v.Text, old)
	for s, ok := next(0); ok && len(places) < most; s, ok = next(s.Start + 1) {
		if !cutsLetter(v.Text, s) {
			places = append(places, s)
		}
	}
	return places
}

// apart returns the places of old in v from the left, without those that begin within the one before. Overlap reports that there are
// such places.
func (v *version) apart(old string) (places []text.Span, overlap bool) {
	next := finder(v.Text, old)
	for s, ok := next(0); ok; {
		last := s
		if s, ok = next(last.Start + 1); cutsLetter(v.Text, last) {
			continue
		}
		places = append(places, last)
		if ok && s.Start < last.End {
			overlap = true
			s, ok = next(last.End)
		}
	}
	return places, overlap
}

// cutsLetter reports whether a place ends between a letter and a mark that combines with it.
func cutsLetter(t text.Text, s text.Span) bool {
	if s.End == len(t.Data) || t.Data[s.End] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRune(t.Data[s.End:])
	return unicode.Is(unicode.M, r)
}

// finder returns a function that finds the next place of old that starts at from or later.
func finder(t text.Text, old string) func(from int) (text.Span, bool) {
	old = strings.ReplaceAll(old, "\r\n", "\n")
	if t.EOL == '\r' {
		old = strings.ReplaceAll(old, "\n", "\r")
	}
	if t.EOL == '\n' && strings.Contains(old, "\n") && bytes.IndexByte(t.Data, '\r') >= 0 {
		return lineFinder(t, strings.Split(old, "\n"))
	}
	rare := text.Rarest(old)
	return func(from int) (text.Span, bool) {
		for from < len(t.Data) {
			i := t.Find(old, rare, from)
			if i < 0 {
				break
			}
			s := text.Span{Start: i, End: i + len(old)}
			if !t.SplitsCRLF(s.Start) && !t.SplitsCRLF(s.End) {
				return s, true
			}
			from = s.Start + 1
		}
		return text.Span{}, false
	}
}

// lineFinder is finder for several lines in a text that has "\r\n" endings. It searches for the longest line, and then compares
// the lines around it.
func lineFinder(t text.Text, lines []string) func(from int) (text.Span, bool) {
	key := 0
	for i, l := range lines {
		if len(l) > len(lines[key]) {
			key = i
		}
	}
	needle := []byte(lines[key])
	if len(needle) == 0 {
		needle, key = []byte("\n"), 0
	}
	at := 0
	return func(from int) (text.Span, bool) {
		for at = max(at, from+key); at < len(t.Data); { // that many line endings come before it
			i := bytes.Index(t.Data[at:], needle)
			if i < 0 {
				at = len(t.Data)
				break
			}
			hit := at + i
			at = hit + 1
			if lines[key] == "" && hit > 0 && t.Data[hit-1] == '\r' {
				hit--
			}
			if s, ok := aroundLine(t, hit, lines, key); ok && s.Start >= from {
				return s, true
			}
		}
		return text.Span{}, false
	}
}

// aroundLine returns the place of lines if the key-th of them begins at hit.
func aroundLine(t text.Text, hit int, lines []string, key int) (s text.Span, ok bool) {
	s = text.Span{Start: hit, End: hit}
	for i := key - 1; i >= 0; i-- {
		if s.Start == 0 || t.Data[s.Start-1] != '\n' {
			return s, false
		}
		if s.Start--; s.Start > 0 && t.Data[s.Start-1] == '\r' {
			s.Start--
		}
		if !bytes.HasSuffix(t.Data[:s.Start], []byte(lines[i])) {
			return s, false
		}
		s.Start -= len(lines[i])
	}
	for i := key; i < len(lines); i++ {
		if !bytes.HasPrefix(t.Data[s.End:], []byte(lines[i])) {
			return s, false
		}
		s.End += len(lines[i])
		if i == len(lines)-1 {
			break
		}
		if bytes.HasPrefix(t.Data[s.End:], []byte("\r\n")) {
			s.End++
		}
		if s.End == len(t.Data) || t.Data[s.End] != '\n' {
			return s, false
		}
		s.End++
	}
	return s, !t.SplitsCRLF(s.Start) && !t.SplitsCRLF(s.End)
}

// substitute returns the splice that replaces a place with new, in the line endings of the place. The splice leaves out what both
// begin or end with.
func substitute(t text.Text, s text.Span, new string) splice {
	if strings.Contains(new, "\n") {
		new = withEndings(t, s, strings.ReplaceAll(new, "\r\n", "\n"))
	}
	old := t.Data[s.Start:s.End]
	head := 0
	for head < min(len(old), len(new)) && old[head] == new[head] {
		head++
	}
	for head > 0 && !(isBoundary(old, head) && isBoundary(new, head)) {
		head--
	}
	tail := 0
	for tail < min(len(old), len(new))-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for tail > 0 && !(isBoundary(old, len(old)-tail) && isBoundary(new, len(new)-tail)) {
		tail--
	}
	return splice{start: s.Start + head, end: s.End - tail, new: new[head : len(new)-tail], fit: Exact}
}

// isBoundary reports whether s may be cut at i: not within a character or a line ending.
func isBoundary[T string | []byte](s T, i int) bool {
	return i == 0 || i == len(s) || utf8.RuneStart(s[i]) && !(s[i-1] == '\r' && s[i] == '\n')
}

// withEndings gives the k-th line ending of new the form of the k-th in the place, and the rest that of the last. If the place
// has none, all have the ending of its line (F1).
func withEndings(t text.Text, s text.Span, new string) string {
	var endings []string
	for at := s.Start; at < s.End; {
		l := t.LineAt(at)
		if l.Next > s.End || l.End == l.Next {
			break
		}
		endings, at = append(endings, t.Ending(l)), l.Next
	}
	if len(endings) == 0 {
		endings = []string{t.EndingLike(t.LineAt(t.LineStart(s.Start)))}
	}
	var b strings.Builder
	for k, l := range strings.SplitAfter(new, "\n") {
		if body, ended := strings.CutSuffix(l, "\n"); ended {
			b.WriteString(body + endings[min(k, len(endings)-1)])
		} else {
			b.WriteString(l)
		}
	}
	return b.String()
}
