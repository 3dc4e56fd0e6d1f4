package main

import (
	"math"
	"slices"
	"strings"
)

// A span is the range of lines between above and below.
type span struct{ above, below int }

// neighbours returns the span between the edits before and after the i-th. The order of the edits is evidence for that
// span.
func neighbours(at []int, i int) span {
	in := span{0, math.MaxInt}
	if i > 0 {
		in.above = at[i-1]
	}
	if i+1 < len(at) {
		in.below = at[i+1]
	}
	return in
}

// standsElsewhere reports whether the old text of an edit stands exactly once in src, or once between its neighbours,
// but not where it was meant. If the line numbers of the request are wrong, it may also stand there at another depth,
// or more than once.
func (c *testCase) standsElsewhere(src string) bool {
	at := c.places()
	for i, r := range c.bare {
		if c.has("numbers off") && countLines(src, r.old) > 1 {
			return true
		}
		blanks := c.hunks[i].leadingBlanks()
		for _, shown := range []func([]string) ([]string, []int){all, trimmed, unindented, solid, bare} {
			for _, in := range []span{{0, math.MaxInt}, neighbours(at, i)} {
				if line := onlyLine(src, r.old, in, shown); line > 0 && (line < at[i] || line > at[i]+blanks) {
					return true
				}
			}
		}
	}
	return false
}

// leadingBlanks returns the number of blank lines that a hunk begins with.
func (h *hunk) leadingBlanks() int {
	lines := slices.Concat(h.before, h.old, h.after)
	return max(0, slices.IndexFunc(lines, func(l string) bool { return !edge(l) }))
}

// countLines returns how often some lines stand in src, whatever their indentation.
func countLines(src string, old []string) (n int) {
	want, _ := bare(old)
	have, _ := bare(lines(src))
	for i := 0; i+len(want) <= len(have); i++ {
		if slices.Equal(have[i:i+len(want)], want) {
			n++
		}
	}
	return n
}

// onlyLine returns the number of the line in a span of src where the lines of old begin. It returns 0 unless there is
// exactly one.
func onlyLine(src string, old []string, in span, shown func([]string) ([]string, []int)) (line int) {
	want, _ := shown(old)
	have, numbers := shown(lines(src))
	for i := 0; len(want) > 0 && i+len(want) <= len(have); i++ {
		if in.above < numbers[i] && numbers[i] < in.below && slices.Equal(have[i:i+len(want)], want) {
			if line > 0 {
				return 0
			}
			line = numbers[i]
		}
	}
	return line
}

// lines returns the lines of a text without their endings.
func lines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	mapLines(func(l string) string { return strings.TrimSuffix(l, "\r") }, lines)
	return lines
}

// all returns lines and their numbers.
func all(lines []string) (same []string, numbers []int) {
	for i := range lines {
		numbers = append(numbers, i+1)
	}
	return lines, numbers
}

// trimmed returns lines without trailing whitespace and typographic signs, and their numbers.
func trimmed(lines []string) (trimmed []string, numbers []int) {
	trimmed, numbers = all(slices.Clone(lines))
	mapLines(func(l string) string { return plain.Replace(strings.TrimRight(l, " \t\v\f")) }, trimmed)
	return trimmed, numbers
}

// unindented returns the lines of trimmed without their indentation.
func unindented(lines []string) (unindented []string, numbers []int) {
	unindented, numbers = trimmed(lines)
	mapLines(func(l string) string { return strings.TrimLeft(l, " \t") }, unindented)
	return unindented, numbers
}

// solid returns the lines of trimmed that are not blank.
func solid(lines []string) (solid []string, numbers []int) {
	lines, _ = trimmed(lines)
	for i, l := range lines {
		if l != "" {
			solid, numbers = append(solid, l), append(numbers, i+1)
		}
	}
	return solid, numbers
}

// bare returns the lines that are not blank, without their indentation and trailing whitespace, and their numbers.
func bare(lines []string) (bare []string, numbers []int) {
	bare, numbers = solid(lines)
	mapLines(func(l string) string { return strings.TrimLeft(l, " \t") }, bare)
	return bare, numbers
}
