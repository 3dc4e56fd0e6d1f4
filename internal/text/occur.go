package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Occurrences returns the first places of a string in t, at most that many. They may overlap. A line ending in the
// string stands for any one line ending, and neither a CRLF nor a letter with combining marks is ever split.
func (t Text) Occurrences(s string, most int) (places []Span) {
	next := finder(t, s)
	for s, ok := next(0); ok && len(places) < most; s, ok = next(s.Start + 1) {
		if !cutsLetter(t, s) {
			places = append(places, s)
		}
	}
	return places
}

// Apart returns the occurrences of a string in t from the left, without those that begin within the one before. Overlap
// reports that there are such places.
func (t Text) Apart(s string) (places []Span, overlap bool) {
	next := finder(t, s)
	for s, ok := next(0); ok; {
		last := s
		if s, ok = next(last.Start + 1); cutsLetter(t, last) {
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
func cutsLetter(t Text, s Span) bool {
	if s.End == len(t.Data) || t.Data[s.End] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRune(t.Data[s.End:])
	return unicode.Is(unicode.M, r)
}

// MayCutCharacter reports whether an offset in a text that is not UTF-8 may be within a character. In encodings such as
// Shift_JIS and GBK, a byte that looks like ASCII may be the end of a character that begins with another.
func (t Text) MayCutCharacter(at int) bool {
	return at > 0 && at < len(t.Data) && t.Data[at-1] >= utf8.RuneSelf && '0' <= t.Data[at] &&
		t.Data[at] < utf8.RuneSelf
}

// finder returns a function that finds the next place of old that starts at from or later.
func finder(t Text, old string) func(from int) (Span, bool) {
	old = strings.ReplaceAll(old, "\r\n", "\n")
	if t.EOL == '\r' {
		old = strings.ReplaceAll(old, "\n", "\r")
	}
	if t.EOL == '\n' && strings.Contains(old, "\n") && bytes.IndexByte(t.Data, '\r') >= 0 {
		return lineFinder(t, strings.Split(old, "\n"))
	}
	rare := Rarest(old)
	return func(from int) (Span, bool) {
		for from < len(t.Data) {
			i := t.Find(old, rare, from)
			if i < 0 {
				break
			}
			s := Span{Start: i, End: i + len(old)}
			if !t.SplitsCRLF(s.Start) && !t.SplitsCRLF(s.End) {
				return s, true
			}
			from = s.Start + 1
		}
		return Span{}, false
	}
}

// lineFinder is finder for several lines in a text that has "\r\n" endings. It searches for the longest line, and then
// compares the lines around it.
func lineFinder(t Text, lines []string) func(from int) (Span, bool) {
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
	return func(from int) (Span, bool) {
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
		return Span{}, false
	}
}

// aroundLine returns the place of lines if the key-th of them begins at hit.
func aroundLine(t Text, hit int, lines []string, key int) (s Span, ok bool) {
	s = Span{Start: hit, End: hit}
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
