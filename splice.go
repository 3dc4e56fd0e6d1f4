package atomicedit

import "bytes"

// spanOf returns the span of text[start:end].
func spanOf(text []byte, start, end int) Span {
	s := Span{Start: start, End: end, Line: 1 + bytes.Count(text[:start], []byte("\n"))}
	if end > start {
		s.Lines = 1 + bytes.Count(text[start:end-1], []byte("\n"))
	}
	return s
}

// compose joins two lists of matches, of which the second lies on the text that the first made, into one from the
// source of the first to the text of the second. What touches is merged. Both lists are sorted; so is the result.
func compose(first, second []Match) []Match {
	if len(first) == 0 {
		return second
	}
	return append(first, second...) // interim
}
