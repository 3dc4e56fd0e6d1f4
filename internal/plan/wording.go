package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

const quotedBytes = 160 // the most bytes of a line that are quoted

// Quote quotes a line, cut off if it is long.
func Quote(line string) string { return strconv.Quote(text.Clip(line, quotedBytes)) }

// Times words a number of occurrences.
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// CountLines words a number of lines.
func CountLines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// ListLines names sorted lines, at most ten of them. A line that is listed twice is named once.
func ListLines(lines []int) string {
	const shown = 10
	lines = slices.Compact(slices.Clone(lines))
	var b strings.Builder
	b.WriteString("line")
	if len(lines) != 1 {
		b.WriteString("s")
	}
	for i, n := range lines {
		if i == shown {
			fmt.Fprintf(&b, " and %d more", len(lines)-shown)
			break
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %d", n)
	}
	return b.String()
}

// LineSpan names n lines, from the first on.
func LineSpan(first, n int) string {
	if n <= 1 {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, first+n-1)
}
