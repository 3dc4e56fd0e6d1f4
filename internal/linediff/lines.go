package linediff

import "bytes"

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

// countLines returns the number of lines of a piece of a text.
func countLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}
